"""A dialog to paste, type or load a list of URLs, and to choose how to crawl it."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.start.root_field import Roots
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import listed, spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.translatable import Translatable

NAME: Final = "list-dialog"
MAX_SHOWN: Final = 3_000_000
"""Characters that the text field takes without freezing. Longer texts are shown in part."""
REST_MS: Final = 250
"""Typing has to rest this long before the list is read."""

_SIZE: Final = (680, 560)
_MARKED: Final = 200
"""Lines without an address that are marked; one is as good as another to find them by."""
_NAMED: Final = 5
_TINT: Final = 40


class UrlListDialog(QDialog):
    """The modeless editor of a URL list; changes apply to `roots` at once.

    `start_wanted` asks for a crawl of the list, `file_wanted` for the text of the file at a path:
    `show_text` takes it.
    """

    start_wanted = Signal()
    file_wanted = Signal(object)

    def __init__(self, roots: Roots, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        explain(self, "window/list")
        self.setWindowTitle(self.tr("URL list"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._roots = roots
        self._next_wrong = 0
        self.message = InlineMessage()
        self.edit = self._editor()
        self.paste = self._button(self.tr("&Paste"), self._paste)
        self.file = self._button(self.tr("From &file…"), self._choose_file)
        self.clear = self._button(self.tr("C&lear"), lambda: self.show_text(""))
        self.count = QLabel()
        self.wrong = QLabel()
        self.wrong.setProperty("wrong", True)
        self.next = self._button(self.tr("&Show"), self._show_wrong)
        self.only = QRadioButton(self.tr("&Only these URLs"))
        self.only.setToolTip(self.tr("Follows redirects but not links."))
        self.follow = QRadioButton(self.tr("&Crawl from these URLs"))
        self.follow.setToolTip(self.tr("Follows links according to the settings."))
        self.start = self._button(self.tr("Start"), self._start)
        self.start.setProperty("primary", True)
        self.start.setDefault(True)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._lay_out()
        self._show_part(roots.text)
        self._connect()
        self._show()
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))
        self.edit.setFocus()

    def show_text(self, text: str) -> None:
        """Replace the list by this text."""
        self._show_part(text)
        self._roots.take(text)

    def refuse(self, sentence: Translatable) -> None:
        """Say why something was not possible."""
        self.message.show_text("error", spoken(sentence))

    def done(self, result: int) -> None:
        """Use what was typed last."""
        if self._rest.isActive():
            self._take()
        super().done(result)

    def _show_part(self, text: str) -> None:
        """Show all of the list, or as much of it as keeps the window responsive."""
        whole = len(text) <= MAX_SHOWN
        blocked = self.edit.blockSignals(True)
        self.edit.setReadOnly(not whole)
        self.edit.setPlainText(text if whole else _beginning(text))
        self.edit.blockSignals(blocked)
        self._rest.stop()
        self.message.hide()
        if not whole:
            self.message.show_text(
                "info",
                self.tr(
                    "The list is too long to edit here. Only the beginning is shown; edit the "
                    "file to change it."
                ),
            )

    def _take(self) -> None:
        self._rest.stop()
        self._roots.take(self.edit.toPlainText())

    def _show(self) -> None:
        roots, found = self._roots, self._roots.found
        (self.only if roots.only else self.follow).setChecked(True)
        words = [self.tr("%Ln URL(s)", "", len(found.addresses))]
        if found.repeated:
            words.append(self.tr("%Ln duplicate(s)", "", found.repeated))
        self.count.setText(self.tr("Reading…") if roots.reading else " · ".join(words))
        self.wrong.setVisible(bool(found.wrong))
        self.next.setVisible(bool(found.wrong))
        if found.wrong:
            told = listed(number(each.number) for each in islice(found.wrong, _NAMED))
            sentence = self.tr("%Ln invalid line(s): {numbers}", "", len(found.wrong))
            more = "…" if len(found.wrong) > _NAMED else ""
            self.wrong.setText(sentence.format(numbers=told + more))
        self.start.setEnabled(bool(found.addresses) and not roots.reading)
        self._next_wrong = 0
        self._mark()

    def _mark(self) -> None:
        """Tint the lines without an address."""
        marks = []
        tint = QColor(theme.colour("error"))
        tint.setAlpha(_TINT)
        for wrong in islice(self._roots.found.wrong, _MARKED):
            mark = QTextEdit.ExtraSelection()
            form = QTextCharFormat()
            form.setBackground(tint)
            form.setProperty(QTextFormat.Property.FullWidthSelection, True)
            mark.format = form
            mark.cursor = self._cursor_at(wrong.number)
            marks.append(mark)
        self.edit.setExtraSelections(marks)

    def _cursor_at(self, line: int) -> QTextCursor:
        return QTextCursor(self.edit.document().findBlockByNumber(line - 1))

    def _show_wrong(self) -> None:
        """Go to the next line without an address, and show what is wrong with it."""
        wrong = self._roots.found.wrong
        if not wrong:
            return
        line = wrong[self._next_wrong % len(wrong)]
        self._next_wrong += 1
        cursor = self._cursor_at(line.number)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        self.edit.setTextCursor(cursor)
        self.edit.centerCursor()
        self.edit.setFocus()
        words = self.tr("Line {number}: {why}")
        self.message.show_text(
            "warning", words.format(number=number(line.number), why=spoken(line.error.said))
        )

    def _paste(self) -> None:
        """Append the contents of the clipboard."""
        if self._rest.isActive():
            self._take()
        text, there = QGuiApplication.clipboard().text(), self._roots.text.rstrip()
        if text.strip():
            self.show_text(f"{there}\n{text}" if there else text)
        else:
            words = self.tr("The clipboard has no text. Copy the URLs first.")
            self.message.show_text("info", words)

    def _choose_file(self) -> None:
        kinds = self.tr("URL lists (*.txt *.csv *.tsv);;All files (*)")
        dialog = QFileDialog(self, self.tr("Open a URL list"), "", kinds)
        dialog.setObjectName("open-list")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.file_wanted.emit(Path(name)))
        dialog.open()

    def _start(self) -> None:
        if self._rest.isActive():
            self._take()
        self.start_wanted.emit()

    def _editor(self) -> QPlainTextEdit:
        edit = QPlainTextEdit()
        edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        edit.setTabChangesFocus(True)
        edit.setAccessibleName(self.tr("URLs, one per line"))
        edit.setPlaceholderText("https://example.com/\nhttps://example.com/about\n…")
        return edit

    def _button(self, text: str, slot: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(slot)
        return button

    def _connect(self) -> None:
        self._roots.changed.connect(self._show)
        self._rest.timeout.connect(self._take)
        self.edit.textChanged.connect(self._rest.start)
        self.follow.toggled.connect(lambda on: self._roots.follow_links(follow=on))

    def _lay_out(self) -> None:
        ways = QHBoxLayout()
        ways.setSpacing(theme.SPACE_S)
        for button in (self.paste, self.file, self.clear):
            ways.addWidget(button)
        ways.addStretch(1)
        ways.addWidget(self.count)
        trouble = QHBoxLayout()
        trouble.addWidget(self.wrong, 1)
        trouble.addWidget(self.next)
        ends = QHBoxLayout()
        ends.setSpacing(theme.SPACE_M)
        ends.addWidget(self.only)
        ends.addWidget(self.follow)
        ends.addStretch(1)
        ends.addWidget(self._button(self.tr("Close"), self.accept))
        ends.addWidget(self.start)
        body = QVBoxLayout()
        body.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        body.setSpacing(theme.SPACE_S)
        body.addLayout(ways)
        body.addWidget(self.edit, 1)
        body.addLayout(trouble)
        body.addLayout(ends)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.message)
        column.addLayout(body)


def _beginning(text: str) -> str:
    """Some lines of a long list; of a single long line, its beginning."""
    beginning = text[: MAX_SHOWN // 10]
    return beginning.rpartition("\n")[0] or beginning
