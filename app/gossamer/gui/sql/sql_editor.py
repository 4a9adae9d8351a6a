"""The editor for queries: fixed font, coloured words, completion of views and columns."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QStringListModel, Qt, Signal
from PySide6.QtGui import (
    QFontDatabase,
    QKeyEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QCompleter, QListView, QPlainTextEdit, QWidget

from gossamer.gui.look import theme
from gossamer.gui.sql.query_completion import LEAST, completions, qualifier_of, unknown_views
from gossamer.gui.text.qt_positions import from_qt, to_qt
from gossamer.model.sql_tokens import Token, TokenKind, tokens
from gossamer.sql_console.named_views import KEYWORDS

_OPENINGS: Final = ("", "/*", "'", '"', "`", "[")
"""What a line may begin inside of: its index is the state of the block before."""
_ROLES: Final[dict[TokenKind, theme.Role]] = {
    TokenKind.COMMENT: "muted",
    TokenKind.TEXT: "ok",
    TokenKind.NUMBER: "warning",
    TokenKind.QUOTED: "redirect",
}
_UNFINISHED: Final[dict[str, theme.Role]] = {"/*": "muted", "'": "ok"}
_KEYS_OF_LIST: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape)


def opening_of(token: Token) -> str:
    """The beginning of an unfinished text, name or comment."""
    text = token.text.lstrip("xX")
    return "/*" if text.startswith("/*") else text[0]


class SqlHighlighter(QSyntaxHighlighter):
    """Colours a query line by line."""

    def highlightBlock(self, text: str) -> None:
        """Colour a line; texts and comments may begin in lines before."""
        before = _OPENINGS[max(0, self.previousBlockState())]
        state = 0
        for token in tokens(before + text):
            if token.kind is TokenKind.UNFINISHED:
                state = _OPENINGS.index(opening_of(token))
            role = _role(token)
            if role is not None:
                begin = to_qt(text, max(0, token.start - len(before)))
                end = to_qt(text, token.start + len(token.text) - len(before))
                self.setFormat(begin, end - begin, _format(role, bold=role == "accent"))
        self.setCurrentBlockState(state)


def _role(token: Token) -> theme.Role | None:
    if token.kind is TokenKind.NAME:
        return "accent" if token.text.upper() in KEYWORDS else None
    if token.kind is TokenKind.UNFINISHED:
        return _UNFINISHED.get(opening_of(token), "redirect")
    return _ROLES.get(token.kind)


def _format(role: theme.Role, *, bold: bool) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(theme.colour(role))
    if bold:
        made.setFontWeight(600)
    return made


class SqlEditor(QPlainTextEdit):
    """Offers words after two letters or a dot, or at Ctrl+Space.

    `columns_wanted` has the name of a view whose columns only the project knows; see `learn`.
    """

    columns_wanted = Signal(str)
    escaped = Signal()
    """Escape was pressed, and there was no list to close."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._known: dict[str, Sequence[str]] = {}
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Query"))
        self.setPlaceholderText("SELECT address, status_code FROM internal WHERE status_code = 404")
        self.highlighter = SqlHighlighter(self.document())
        self._words = QStringListModel(self)
        self.completer = QCompleter(self._words, self)
        self.completer.setWidget(self)
        self.popup = QListView()
        self.completer.setPopup(self.popup)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.completer.activated.connect(self._complete)

    def query(self) -> str:
        """The selection, or else everything."""
        chosen = self.textCursor().selectedText().replace("\u2029", "\n")
        return chosen if chosen.strip() else self.toPlainText()

    def put(self, sql: str) -> None:
        """Replace the text by a query; that can be undone."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(sql)
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.setFocus()

    def learn(self, view: str, columns: Sequence[str]) -> None:
        """Offer these columns of a view of the project."""
        self._known[view] = columns

    def forget_columns(self) -> None:
        """Another project is queried."""
        self._known.clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type, and offer words."""
        popup = self.popup
        if popup.isVisible() and event.key() in _KEYS_OF_LIST:
            event.ignore()  # it is the list's
            return
        if event.key() == Qt.Key.Key_Escape:  # not the dialog's, which would close
            self.escaped.emit()
            return
        is_asked = (
            event.key() == Qt.Key.Key_Space
            and event.modifiers() == Qt.KeyboardModifier.ControlModifier
        )
        if not is_asked:
            super().keyPressEvent(event)
        typed = event.text()
        if typed and not typed.isspace():
            for view in unknown_views(self.toPlainText(), self._known):
                self._known[view] = ()  # asked for once
                self.columns_wanted.emit(view)
        if is_asked or (typed and (typed.isidentifier() or typed.isdigit() or typed == ".")):
            self._offer(0 if is_asked or qualifier_of(self._line(begun=False)) else LEAST)
        elif typed or popup.isVisible():
            popup.hide()

    def changeEvent(self, event: QEvent) -> None:
        """Colour words again in another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "highlighter"):
            self.highlighter.rehighlight()

    def _line(self, *, begun: bool = True) -> str:
        """The line before the cursor, with the part of a word there or without."""
        cursor = self.textCursor()
        text = cursor.block().text()
        line = text[: from_qt(text, cursor.positionInBlock())]
        return line if begun else line[: len(line) - len(self._begun())]

    def _begun(self) -> str:
        """The part of a word before the cursor."""
        found = tokens(self._line())
        return found[-1].text if found and found[-1].kind is TokenKind.NAME else ""

    def _offer(self, least: int) -> None:
        begun, popup = self._begun(), self.popup
        qualifier = qualifier_of(self._line(begun=False))
        if len(begun) < least:
            popup.hide()
            return
        text = self.toPlainText()
        at = from_qt(text, self.textCursor().position())
        self._words.setStringList(
            completions(text[: at - len(begun)] + text[at:], qualifier, self._known)
        )
        self.completer.setCompletionPrefix(begun)
        if (
            self.completer.completionCount() == 0
            or self.completer.currentCompletion().lower() == begun.lower()
        ):
            popup.hide()
            return
        popup.setCurrentIndex(self.completer.completionModel().index(0, 0))
        rectangle = self.cursorRect()
        rectangle.setWidth(
            popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width()
        )
        self.completer.complete(rectangle)

    def _complete(self, word: str) -> None:
        cursor = self.textCursor()
        for _ in self._begun():
            cursor.deletePreviousChar()
        cursor.insertText(word)
        self.setTextCursor(cursor)
