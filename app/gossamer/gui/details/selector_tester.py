"""Tests CSS selectors on the source of a page."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import number
from gossamer.model.messages.inspection_messages import SelectorResult

_LINE: Final = int(Qt.ItemDataRole.UserRole)


class SelectorTester(QWidget):
    """Tests a CSS selector on Enter. `wanted` carries it, `line_wanted` the line of an element."""

    wanted = Signal(str)
    line_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_waiting = False
        """Whether the elements of the page shown are being looked for."""
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("CSS selector, e.g. a[rel~=nofollow]"))
        self.field.setAccessibleName(self.tr("CSS selector to try on this page"))
        self.field.setClearButtonEnabled(True)
        self.status = QLabel()
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setWordWrap(True)
        self.matches_list = QListWidget()
        self.matches_list.setAccessibleName(self.tr("Elements that match the selector"))
        self.matches_list.setUniformItemSizes(True)
        self.matches_list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.matches_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_S, 0, theme.SPACE_S, theme.SPACE_XS)
        column.setSpacing(theme.SPACE_XS)
        for part in (self.field, self.status):
            column.addWidget(part)
        column.addWidget(self.matches_list, 1)
        self.setMinimumWidth(160)
        self.field.returnPressed.connect(self._request_test)
        self.matches_list.itemClicked.connect(self._go)
        self.matches_list.itemActivated.connect(self._go)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.matches_list)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self._copy)
        self.clear()

    def stop_waiting(self) -> None:
        """Stop waiting for a result."""
        self.clear()

    def clear(self) -> None:
        """Clear the matches; the selector stays, to be tried on the next page."""
        self.matches_list.clear()
        self.is_waiting = False
        self._show_status(self.tr("Press Enter to find matching elements."))

    def show_result(self, result: SelectorResult) -> None:
        """Show the elements that the selector matches."""
        self.is_waiting = False
        self.matches_list.clear()
        if result.error:
            self._show_status(formatting.clean(result.error), wrong=True)
            return
        for match in result.matches:
            text = formatting.clean(f"{match.text or match.tag}")
            line = f"{number(match.line)}  " if match.line else ""
            item = QListWidgetItem(f"{line}{text}")
            item.setToolTip(formatting.tooltip(match.tag, match.text))
            item.setData(_LINE, match.line)
            self.matches_list.addItem(item)
        words = self.tr("Elements: {n}").format(n=number(result.count))
        listed = len(result.matches)
        if listed < result.count:
            words += self.tr(", showing the first {n}").format(n=number(listed))
        self._show_status(words)

    def show_error(self, text: str) -> None:
        """Show why the selector could not be tested."""
        self.is_waiting = False
        self._show_status(text, wrong=True)

    def _show_status(self, text: str, *, wrong: bool = False) -> None:
        for widget in (self.field, self.status):
            if widget.property("wrong") is not wrong:
                widget.setProperty("wrong", wrong)
                widget.style().unpolish(widget)
                widget.style().polish(widget)
        self.status.setText(text)

    def _request_test(self) -> None:
        selector = self.field.text().strip()
        if selector:
            self.is_waiting = True
            self._show_status(self.tr("Matching…"))
            self.wanted.emit(selector)
        else:
            self.clear()

    def _go(self, item: QListWidgetItem) -> None:
        line = item.data(_LINE)
        if line:
            self.line_wanted.emit(line)

    def _copy(self) -> None:
        rows = self.matches_list.selectedItems()
        QGuiApplication.clipboard().setText("\n".join(row.text() for row in rows))
