"""A CSS selector, tried on a page: how many elements it matches, and which."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.text import formatting
from gossamer.gui.text.formatting import number
from gossamer.model.inspection import RuleResult

_LINE: Final = int(Qt.ItemDataRole.UserRole)


class RuleTester(QWidget):
    """Enter tries the rule. `wanted` has the selector, `line_wanted` the line of an element."""

    wanted = Signal(str)
    line_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("CSS selector, such as a[rel~=nofollow]"))
        self.field.setAccessibleName(self.tr("CSS selector to try on this page"))
        self.field.setClearButtonEnabled(True)
        self.said = QLabel()
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self.found = QListWidget()
        self.found.setAccessibleName(self.tr("Elements that the rule matches"))
        self.found.setUniformItemSizes(True)
        self.found.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_S, 0, theme.SPACE_S, theme.SPACE_XS)
        column.setSpacing(theme.SPACE_XS)
        for part in (self.field, self.said):
            column.addWidget(part)
        column.addWidget(self.found, 1)
        self.setMinimumWidth(160)
        self.field.returnPressed.connect(self._try)
        self.found.itemClicked.connect(self._go)
        self.found.itemActivated.connect(self._go)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.found)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self._copy)
        self.clear()

    def clear(self) -> None:
        """Forget what was found; the rule stays, to be tried on the next page."""
        self.found.clear()
        self._say(self.tr("Press Enter to see which elements it matches."))

    def show_result(self, result: RuleResult) -> None:
        """Show what the rule matches."""
        self.found.clear()
        if result.error:
            self._say(formatting.clean(result.error), wrong=True)
            return
        for match in result.matches:
            text = formatting.clean(f"{match.text or match.tag}")
            place = f"{number(match.line)}  " if match.line else ""
            item = QListWidgetItem(f"{place}{text}")
            item.setToolTip(formatting.tooltip(match.tag, match.text))
            item.setData(_LINE, match.line)
            self.found.addItem(item)
        words = self.tr("Elements: {n}").format(n=number(result.count))
        listed = len(result.matches)
        if listed < result.count:
            words += self.tr(", the first {n} listed").format(n=number(listed))
        self._say(words)

    def show_trouble(self, text: str) -> None:
        """Say why it could not be tried."""
        self._say(text, wrong=True)

    def _say(self, text: str, *, wrong: bool = False) -> None:
        for widget in (self.field, self.said):
            if widget.property("wrong") is not wrong:
                widget.setProperty("wrong", wrong)
                widget.style().unpolish(widget)
                widget.style().polish(widget)
        self.said.setText(text)

    def _try(self) -> None:
        selector = self.field.text().strip()
        if selector:
            self._say(self.tr("Trying…"))
            self.wanted.emit(selector)
        else:
            self.clear()

    def _go(self, item: QListWidgetItem) -> None:
        line = item.data(_LINE)
        if line:
            self.line_wanted.emit(line)

    def _copy(self) -> None:
        rows = self.found.selectedItems()
        QGuiApplication.clipboard().setText("\n".join(row.text() for row in rows))
