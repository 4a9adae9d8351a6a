"""Builds the Qt style sheet: the few rules on top of Fusion that a palette cannot express.

Item views get no `::item` rules, which would take each cell through the style sheet engine: only
the list of sections in the settings has them, with a few rows.
"""

from dataclasses import dataclass, fields
from string import Template
from typing import Final

CONTROL_HEIGHT: Final = 30
"""How high buttons and one-line fields are, in device-independent pixels."""
_AROUND_LABEL: Final = 2 * (5 + 1)
"""Padding and border of a button, above its label and below."""


@dataclass(frozen=True, slots=True)
class StylesheetColours:
    """The colours the rules use, each as "#rrggbb"."""

    window: str
    base: str
    button: str
    highlight: str
    text: str
    muted: str
    faded: str
    border: str
    outline: str
    track: str
    accent: str
    error: str
    ok: str
    redirect: str
    warning: str
    on_accent: str
    controls: str
    """The folder of the arrows and the tick, with forward slashes."""
    kind: str
    """"light" or "dark": which set of those drawings."""


def stylesheet(surfaces: StylesheetColours) -> str:
    """The style sheet of the whole application in these colours."""
    colours = {f.name: getattr(surfaces, f.name) for f in fields(surfaces)}
    return _RULES.substitute(colours, label=CONTROL_HEIGHT - _AROUND_LABEL)


_RULES = Template("""
QMainWindow::separator, QSplitter::handle { background: $border; }
QMainWindow::separator { width: 1px; height: 1px; }
/* Even without AnimatedDocks, Qt moves docks by an animation, of no length. It does not repeat one
   that has not been deleted yet, so a dock that has just become free to grow stayed as it was. */
QDockWidget { widget-animation-duration: 0; }
QMainWindow::separator:hover, QSplitter::handle:hover { background: $accent; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }

QMenu { menu-scrollable: 1; }  /* Fusion adds columns, which cover the whole of a small screen */

QTabWidget::pane { border: none; border-top: 1px solid $border; }
QTabBar::tear { image: none; width: 0; }  /* Fusion draws a bracket where tabs are scrolled away */
QTabBar { qproperty-drawBase: 0; outline: none; }
QTabBar::tab {
  background: transparent; color: $muted; padding: 7px 12px 6px 12px;
  border: none; border-bottom: 2px solid transparent;
}
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:selected:focus { color: $accent; background: $highlight; }
QTabBar#views::tab { padding: 7px 7px 6px 7px; }

QHeaderView { background: $base; border: none; }
QHeaderView::section {
  background: $base; color: $muted; padding: 4px 8px;
  border: none; border-bottom: 1px solid $border; border-right: 1px solid $track;
}
QHeaderView::section:hover { color: $text; }
QTableCornerButton::section { background: $base; border: none; }
QAbstractScrollArea { border: none; }
QTableView, QTreeView, QListView { border: 1px solid $base; outline: none; }
QTableView, QTreeWidget { show-decoration-selected: 1; }  /* under the padding of cells, too */
QTableView:focus, QTreeView:focus, QListView:focus { border-color: $accent; }

QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox {
  background: $base; color: $text; border: 1px solid $outline; border-radius: 5px;
  padding: 2px 6px; selection-background-color: $highlight; selection-color: $text;
}
QPlainTextEdit { padding: 2px; }
QLineEdit, QPlainTextEdit { placeholder-text-color: $muted; }
QLineEdit:focus, QPlainTextEdit:focus, QComboBox:focus, QAbstractSpinBox:focus {
  border-color: $accent;
}
QLineEdit:disabled, QPlainTextEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled {
  color: $faded; border-color: $border;
}
QComboBox QLineEdit { border: none; padding: 0; background: transparent; }
QAbstractSpinBox QLineEdit { border: none; padding: 0 4px; background: transparent; }
QComboBox::drop-down {
  subcontrol-origin: border; subcontrol-position: center right; width: 26px; border: none;
}
QComboBox::down-arrow {
  image: url("$controls/down-$kind.svg"); width: 14px; height: 14px;
}
QComboBox QAbstractItemView {
  background: $base; border: 1px solid $border; selection-background-color: $highlight;
  selection-color: $text; padding: 4px;
}
QAbstractSpinBox { padding-right: 22px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
  subcontrol-origin: border; width: 22px; border: none; background: transparent;
}
QAbstractSpinBox::up-button { subcontrol-position: top right; margin-top: 2px; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin-bottom: 2px; }
QAbstractSpinBox::up-arrow { image: url("$controls/up-$kind.svg"); width: 12px; height: 12px; }
QAbstractSpinBox::down-arrow {
  image: url("$controls/down-$kind.svg"); width: 12px; height: 12px;
}
QAbstractSpinBox::up-arrow:off, QAbstractSpinBox::down-arrow:off { image: none; }
QCheckBox { min-height: 24px; }
QCheckBox::indicator, QListWidget::indicator {
  width: 15px; height: 15px; border: 1px solid $outline; border-radius: 4px; background: $base;
}
QCheckBox::indicator:checked, QListWidget::indicator:checked {
  background: $accent; border-color: $accent; image: url("$controls/check-$kind.svg");
}
QCheckBox::indicator:checked:disabled { background: $outline; border-color: $outline; }
QCheckBox::indicator:focus { border-color: $accent; }
QRadioButton { min-height: 24px; }
QRadioButton::indicator {
  width: 15px; height: 15px; border: 1px solid $outline; border-radius: 8px; background: $base;
}
QRadioButton::indicator:checked {
  width: 7px; height: 7px; border: 5px solid $accent; border-radius: 8px; background: $on_accent;
}
QRadioButton::indicator:checked:disabled { border-color: $outline; }
QRadioButton::indicator:focus { border-color: $accent; }

QPushButton, QToolButton[raised="true"] {
  background: $button; color: $text; border: 1px solid $border; border-radius: 5px;
  padding: 5px 12px; min-height: ${label}px; outline: none;
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

QToolButton[raised="true"]::menu-indicator {
  image: url("$controls/down-$kind.svg"); width: 12px; height: 12px;
  subcontrol-origin: padding; subcontrol-position: center right; right: 8px;
}
QToolButton[raised="true"][menu="true"] { padding-right: 28px; }
QToolButton[raised="true"][command="true"] { padding: 5px 7px 5px 6px; }
QToolButton[split="true"] { padding: 5px 30px 5px 8px; min-height: ${label}px; font-weight: 600; }
QToolButton[split="true"]::menu-button {
  width: 22px; border: none; border-left: 1px solid $on_accent; margin: 4px 0;
}
QToolButton[split="true"]::menu-button:disabled { border-left-color: $border; }
QToolButton[split="true"]::menu-arrow {
  image: url("$controls/more-$kind.svg"); width: 10px; height: 10px;
}
QToolButton[split="true"]::menu-arrow:disabled { image: url("$controls/down-$kind.svg"); }
QToolButton[quiet="true"] {
  background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 4px;
}
QToolButton[quiet="true"]:hover { background: $track; }
QToolButton[quiet="true"]:focus { border-color: $accent; }

QFrame#root-switch { background: $track; border: none; border-radius: 5px; }
QToolButton[segment="true"] {
  background: transparent; color: $muted; border: 1px solid transparent; border-radius: 4px;
  padding: 2px 9px;
}
QToolButton[segment="true"]:hover { color: $text; }
QToolButton[segment="true"]:checked {
  background: $base; color: $text; border-color: $border;
}
QToolButton[segment="true"]:focus { border-color: $accent; }

QToolButton[fold="true"] {
  background: transparent; color: $muted; border: 1px solid transparent; border-radius: 5px;
  padding: 3px 2px; text-align: left;
}
QToolButton[fold="true"]:hover { color: $text; }
QToolButton[fold="true"]:focus { border-color: $accent; }
QToolButton[quiet="true"]:checked { background: $highlight; }
QToolButton[quiet="true"]::menu-indicator { image: none; }
QFrame[chip="true"] { background: $highlight; border: none; border-radius: 5px; }
QFrame[chip="true"] QToolButton, QToolButton#clear-filters { padding: 1px 4px; }
QLineEdit[wrong="true"] { border-color: $error; }
QLabel[wrong="true"] { color: $error; }

QProgressBar { background: $track; border: none; border-radius: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 4px; }
QProgressBar[role="ok"]::chunk { background: $ok; }
QProgressBar[role="warning"]::chunk { background: $warning; }
QProgressBar[role="error"]::chunk { background: $error; }
QProgressBar[role="muted"]::chunk { background: $muted; }
QToolButton[counter="true"] {
  background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 0;
}
QToolButton[counter="true"]:hover { text-decoration: underline; }
QToolButton[counter="true"]:focus { border-color: $accent; }
*[role="accent"] { color: $accent; }
*[role="ok"] { color: $ok; }
*[role="redirect"] { color: $redirect; }
*[role="warning"] { color: $warning; }
*[role="error"] { color: $error; }
*[role="muted"] { color: $muted; }

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
QMainWindow#docks > QTabBar::tab { padding: 9px 12px 8px 12px; }

QToolTip { background: $base; color: $text; border: 1px solid $border; padding: 4px; }
QFrame#snippet { background: $base; border: 1px solid $border; border-radius: 8px; }
*[role="text"] { color: $text; }
QLabel[muted="true"] { color: $muted; }
QLabel[wrong="true"] { color: $error; }
QLabel[heading="true"] { font-weight: 600; }
QListWidget#settings-sections {
  background: transparent; border-color: transparent; padding: 4px;
}
QListWidget#settings-sections::item { border-radius: 5px; padding-left: 5px; }
QListWidget#settings-sections::item:selected { background: $highlight; color: $text; }
QListWidget#settings-sections:focus { border-color: $accent; }
QFrame[bar="true"] { background: $base; border: none; border-bottom: 1px solid $border; }
QFrame#command-bar { background: $base; border: 1px solid $outline; border-radius: 8px; }
QFrame[rule="true"] { background: $border; border: none; max-height: 1px; min-height: 1px; }
""")
