"""The find bar below a tree: goes from one matching URL to the next."""

from bisect import bisect_right
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import SPACE_S, SPACE_XS, tabular
from gossamer.gui.project.reader_interfaces import Ids
from gossamer.gui.text import local_formatting as formatting

_PAUSE_MS: Final = 150
_NEXT: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3, Qt.Key.Key_Down})


class FindBar(QFrame):
    """Hidden until the user types. `search_requested` asks for the ids of URLs with a text."""

    search_requested = Signal(str)
    match_selected = Signal(int)
    """The URL to go to."""
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ids: Ids | None = None
        self._position = -1
        self._current = 0
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find in tree"))
        self.field.setAccessibleName(self.tr("Find in tree"))
        self.field.setToolTip(self.tr("Enter: next match; Shift+Enter: previous match"))
        self.result_label = QLabel()
        self.result_label.setFont(tabular(self.result_label.font()))
        self.result_label.setProperty("muted", True)
        self._close = QToolButton()
        self._close.setProperty("quiet", True)
        self._close.setIcon(icon("close"))
        self._close.setAccessibleName(self.tr("Close the search"))
        self._close.setToolTip(self.tr("Close the search (Escape)"))
        self._close.clicked.connect(self.close_search)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._search_now)
        self.field.textChanged.connect(lambda _: self._pause.start())
        self.field.installEventFilter(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)
        row.setSpacing(SPACE_XS)
        row.addWidget(self.field, 1)
        row.addWidget(self.result_label)
        row.addWidget(self._close)
        self.hide()

    def open(self, text: str, current: int) -> None:
        """Search for `text` from the URL `current` on; with "", wait for input."""
        self._current = current
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.setText(text)
        self._pause.start()  # also for the text of the last search, which is forgotten

    def show_matches(self, ids: Ids) -> None:
        """The ids of the URLs with the text, ascending: go to the first from the current one on."""
        self._ids = ids
        self._position = bisect_right(ids, self._current - 1) - 1
        self.step(1)

    def step(self, by: int) -> None:
        """Go to the next URL (1) or the previous one (-1); wraps around at the ends."""
        if not self._ids:
            self.result_label.setText(self.tr("No matches") if self.field.text().strip() else "")
            return
        self._position = (self._position + by) % len(self._ids)
        self._current = self._ids[self._position]
        text = self.tr("{n} of {total}")
        self.result_label.setText(
            text.format(
                n=formatting.number(self._position + 1), total=formatting.number(len(self._ids))
            )
        )
        self.match_selected.emit(self._current)

    def close_search(self) -> None:
        """Close the search; what was found stays selected."""
        self.forget()
        self.closed.emit()

    def forget(self) -> None:
        """Close the search without a signal, and forget what was found."""
        self._pause.stop()
        self._ids = None
        self._position = -1
        self.result_label.clear()
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the field that are about the search."""
        if watched is not self.field or not isinstance(event, QKeyEvent):
            return False
        if event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.close_search()
            return True
        if event.key() in _NEXT or event.key() == Qt.Key.Key_Up:
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._go_by_key(-1 if back or event.key() == Qt.Key.Key_Up else 1)
            return True
        return False

    def _go_by_key(self, by: int) -> None:
        if self._pause.isActive():
            self._search_now()
        else:
            self.step(by)

    def _search_now(self) -> None:
        self._pause.stop()
        text = self.field.text().strip()
        self._ids = None
        if text:
            self.search_requested.emit(text)
        else:
            self.result_label.setText("")
