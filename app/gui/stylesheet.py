"""What palettes cannot say: the few rules that make Fusion look like one program.

Item views get no `::item` rules: those would take each cell through the style sheet engine.
"""

from dataclasses import dataclass, fields
from string import Template


@dataclass(frozen=True, slots=True)
class Surfaces:
    """The colours the rules use, each as "#rrggbb"."""

    window: str
    base: str
    button: str
    highlight: str
    text: str
    muted: str
    faded: str
    border: str
    track: str
    accent: str
    on_accent: str


def stylesheet(surfaces: Surfaces) -> str:
    """The style sheet of the whole application in these colours."""
    return _RULES.substitute({f.name: getattr(surfaces, f.name) for f in fields(surfaces)})


_RULES = Template("""
QMainWindow::separator, QSplitter::handle { background: $border; }
QSplitter::handle:hover { background: $accent; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }

QTabWidget::pane { border: none; border-top: 1px solid $border; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab {
  background: transparent; color: $muted; padding: 7px 12px 6px 12px;
  border: none; border-bottom: 2px solid transparent;
}
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:focus { color: $accent; }

QHeaderView { background: $base; border: none; }
QHeaderView::section {
  background: $base; color: $muted; padding: 4px 8px;
  border: none; border-bottom: 1px solid $border; border-right: 1px solid $track;
}
QHeaderView::section:hover { color: $text; }
QTableCornerButton::section { background: $base; border: none; }
QAbstractItemView { border: none; outline: none; }
QAbstractScrollArea { border: none; }

QPushButton, QToolButton[raised="true"] {
  background: $button; color: $text; border: 1px solid $border; border-radius: 5px;
  padding: 5px 12px; min-height: 18px;
}
QPushButton:hover, QToolButton[raised="true"]:hover { border-color: $accent; }
QPushButton:pressed, QToolButton[raised="true"]:pressed { background: $track; }
QPushButton:focus, QToolButton[raised="true"]:focus { border-color: $accent; }
QPushButton:disabled, QToolButton[raised="true"]:disabled { color: $faded; background: $window; }
QPushButton[primary="true"]:enabled, QToolButton[primary="true"]:enabled {
  background: $accent; color: $on_accent; border-color: $accent;
}
QPushButton[primary="true"]:focus, QToolButton[primary="true"]:focus { border-color: $text; }
QPushButton[flat="true"] { background: transparent; border-color: transparent; }
QPushButton[flat="true"]:hover, QPushButton[flat="true"]:focus { border-color: $border; }

QToolButton[quiet="true"] {
  background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 4px;
}
QToolButton[quiet="true"]:hover { background: $track; }
QToolButton[quiet="true"]:focus { border-color: $accent; }

QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: $border; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QPushButton[link="true"] { text-align: left; padding: 5px 8px; }
QPlainTextEdit { border: 1px solid $border; border-radius: 3px; background: $base; }
QPlainTextEdit:focus { border-color: $accent; }
QTabWidget#trees > QTabBar::tab { padding: 11px 12px 10px 12px; }

QToolTip { background: $base; color: $text; border: 1px solid $border; padding: 4px; }
QLabel[muted="true"] { color: $muted; }
QFrame[bar="true"] { background: $base; border: none; border-bottom: 1px solid $border; }
QFrame[rule="true"] { background: $border; border: none; max-height: 1px; min-height: 1px; }
""")
