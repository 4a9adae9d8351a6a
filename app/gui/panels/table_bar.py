"""Above the table: tabs with live counts, the filter field, and what keeps rows out of sight."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.icons import icon
from app.gui.models import display
from app.gui.theme import SPACE_S, SPACE_XS
from app.model.views import Filter, View

FILTER_PAUSE_MS: Final = 150
"""Typing has to rest this long before the table is filtered."""

_FILTER_WIDTH: Final = 240
_SMALL_ICON: Final = QSize(14, 14)


class TableBar(QWidget):
    """Which URLs the table shows. `changed` says that `view` or `filter_` may be others now."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views = list(View)
        self._counts: Mapping[View, int] = {}
        self._shown = 0
        self._folder: int | None = None
        self._folder_name = ""
        self.tabs = self._make_tabs()
        self.field = self._make_field()
        self._narrowed = QLabel()
        self._clear = QToolButton()
        self._narrowing = self._make_narrowing()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(FILTER_PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        self.tabs.currentChanged.connect(self._turn)
        self.field.textChanged.connect(lambda _: self._pause.start())
        self.field.returnPressed.connect(self._now)
        self._lay_out()
        self._tell()

    @property
    def view(self) -> View:
        """The tab."""
        return self._views[self.tabs.currentIndex()]

    @property
    def filter_(self) -> Filter:
        """What the field and the folder say."""
        return Filter(text=self.field.text().strip(), folder=self._folder)

    def set_view(self, view: View) -> None:
        """Turn to a tab."""
        self.tabs.setCurrentIndex(self._views.index(view))

    def set_folder(self, folder_id: int | None, name: str = "") -> None:
        """Only URLs in this folder and below; `name` says which that is."""
        self._folder = folder_id
        self._folder_name = name
        self._now()

    def show_all(self) -> None:
        """Take back text and folder."""
        self.field.clear()
        self.set_folder(None)

    def set_counts(self, counts: Mapping[View, int]) -> None:
        """How many URLs each view has; empty: not known."""
        self._counts = counts
        self._tell()

    def set_shown(self, shown: int) -> None:
        """How many rows the table has."""
        self._shown = shown
        self._tell()

    def focus_field(self) -> None:
        """Put the cursor into the filter field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def changeEvent(self, event: QEvent) -> None:
        """Icons have the colours of the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._glass.setIcon(icon("search"))
            self._clear.setIcon(icon("close"))

    def _turn(self, index: int) -> None:
        del index
        self._now()

    def _now(self) -> None:
        self._pause.stop()
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        """Write counts on the tabs, and what is hidden under them."""
        for i, (view, name) in enumerate(self._names().items()):
            count = self._counts.get(view)
            self.tabs.setTabText(i, name if count is None else f"{name}  {display.number(count)}")
        self._narrowing.setVisible(self.filter_ != Filter())
        total = self._counts.get(self.view)
        words = display.number(self._shown)
        if total is not None:
            words = self.tr("%1 of %2").replace("%1", words)
            words = words.replace("%2", display.number(total))
        if self._folder is not None:
            name = display.clean(self._folder_name)
            words = f"{words} {self.tr('in %1').replace('%1', name)}"
        self._narrowed.setText(words)

    def _names(self) -> dict[View, str]:
        return {
            View.ALL: self.tr("All"),
            View.PAGES: self.tr("Pages"),
            View.FILES: self.tr("Files"),
            View.REDIRECTS: self.tr("Redirects"),
            View.ERRORS: self.tr("Errors"),
            View.SKIPPED: self.tr("Skipped"),
        }

    def _make_tabs(self) -> QTabBar:
        tabs = QTabBar()
        tabs.setExpanding(False)
        tabs.setUsesScrollButtons(True)
        tabs.setElideMode(Qt.TextElideMode.ElideNone)
        tabs.setAccessibleName(self.tr("Which addresses to show"))
        for name in self._names().values():
            tabs.addTab(name)
        return tabs

    def _make_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(self.tr("Filter"))
        field.setToolTip(self.tr("Show only what has this text in its address or title"))
        field.setAccessibleName(self.tr("Filter addresses and titles"))
        field.setClearButtonEnabled(True)
        self._glass = field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        field.setMinimumWidth(_FILTER_WIDTH // 2)
        field.setMaximumWidth(_FILTER_WIDTH)
        return field

    def _make_narrowing(self) -> QFrame:
        bar = QFrame()
        self._narrowed.setTextFormat(Qt.TextFormat.PlainText)
        self._narrowed.setProperty("muted", True)
        # A long folder name must not widen the window.
        self._narrowed.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        button = self._clear
        button.setProperty("quiet", True)
        button.setIcon(icon("close"))
        button.setIconSize(_SMALL_ICON)
        button.setText(self.tr("Show all"))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.clicked.connect(self.show_all)
        row = QHBoxLayout(bar)
        row.setContentsMargins(SPACE_S, 0, SPACE_S, SPACE_XS)
        row.addWidget(self._narrowed, 1)
        row.addWidget(button)
        return bar

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(0, SPACE_XS, SPACE_S, SPACE_XS)
        top.setSpacing(SPACE_S)
        top.addWidget(self.tabs, 5)
        top.addWidget(self.field, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._narrowing)
