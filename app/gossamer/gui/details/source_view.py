"""Shows the HTML source of a page as the server sends it."""

from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QFontDatabase,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QSplitter,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.details.selector_tester import SelectorTester
from gossamer.gui.look import theme
from gossamer.gui.look.outcome_style import sentence
from gossamer.gui.tables.empty_state import EmptyStateText
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.qt_positions import to_qt
from gossamer.gui.text.translated_sentences import detail_words
from gossamer.gui.widgets.labels import describe
from gossamer.model.messages.inspection_messages import PageSource, SelectorResult
from gossamer.urls.url_folders import display_url

_SIZES: Final = (640, 260)


class SourceView(QWidget):
    """Requests the source on demand, and shows it as plain text.

    `wanted` carries an address, the target of the links to mark ("" for none), and whether to
    request the page even if it is cached; `rule_requested` a selector; `stopped` cancels.
    """

    wanted = Signal(str, str, bool)
    rule_requested = Signal(str)
    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._url = ""
        self._target = ""
        self._line = 0
        self._source: PageSource | None = None
        self._shown = ""
        self._is_waiting = False
        self._spans: list[tuple[int, int]] = []
        self._at = 0
        self.text = source_text(self.tr("Page source"))
        self.note = EmptyStateText(self.text)
        self.bar = QWidget()
        self.state = QLabel()
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.position = QLabel()
        self.position.setFont(theme.tabular(self.position.font()))
        self.fetch = _button(self.tr("Fetch"))
        self.next = _button(self.tr("Next link"))
        self.heads = _button(self.tr("Headers"))
        self.heads.setCheckable(True)
        self.heads.setToolTip(self.tr("Request and response headers"))
        self.rules = SelectorTester()
        self._lay_out()
        self.fetch.clicked.connect(self._fetch_or_stop)
        self.next.clicked.connect(lambda: self._go(self._at + 1))
        self.heads.toggled.connect(self._show)
        self.rules.wanted.connect(self.rule_requested)
        self.rules.line_wanted.connect(self._go_to_line)
        self._show()

    # ------------------------------------------------------------ for others

    def show_url(self, url: str) -> None:
        """Set the address, "" for none; its source is fetched on request only."""
        if url != self._url:
            self._go_to_match(url, "")

    def ask(self, url: str, target: str = "", *, line: int = 0, again: bool = False) -> None:
        """Fetch the source of an address, and mark its links to `target`, or a line from 1."""
        if url != self._url or again:
            self._go_to_match(url, target)
        self._target, self._line = target, line
        self._is_waiting = True
        self._show()
        self.wanted.emit(url, target, again)

    def show_source(self, source: PageSource) -> None:
        """Show the source, if it is still wanted."""
        if source.url != self._url:
            return
        self._is_waiting = False
        self._source = source
        spans = _of_line(source.text, self._line) if self._line else source.spans
        self._spans = [(to_qt(source.text, start), to_qt(source.text, end)) for start, end in spans]
        self.heads.setChecked(False)
        self._show()
        self._go(0)

    def show_rule(self, result: SelectorResult) -> None:
        """Show the elements that a selector matches."""
        self.rules.show_result(result)

    def show_error(self, text: str) -> None:
        """Show why there is no source."""
        self.stop_waiting()
        self.note.setText(text)

    def stop_waiting(self) -> None:
        """Stop waiting for a result."""
        self._is_waiting = False
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._highlight()

    # ------------------------------------------------------------ what is shown

    def _go_to_match(self, url: str, target: str) -> None:
        if self._is_waiting or self.rules.is_waiting:
            self.stopped.emit()
        self._url, self._target, self._line = url, target, 0
        self._source, self._is_waiting, self._spans = None, False, []
        self.rules.clear()
        self._show()

    def _fetch_or_stop(self) -> None:
        if self._is_waiting:
            self.stopped.emit()
            self._is_waiting = False
            self._show()
        else:
            self.ask(self._url, self._target, line=self._line, again=True)

    def _show(self) -> None:
        source = self._source
        shown = "" if source is None else _heads(source) if self.heads.isChecked() else source.text
        if shown != self._shown:  # not what Qt has: there a no-break space is a space
            self._shown = shown
            self.text.setPlainText(shown)
        self.fetch.setEnabled(bool(self._url))
        again = self.tr("Fetch again") if source is not None else self.tr("Fetch")
        self.fetch.setText(self.tr("Stop") if self._is_waiting else again)
        self.heads.setEnabled(source is not None)
        self.rules.setEnabled(source is not None and bool(source.text))
        self.state.setText(self._state())
        describe(self.state, display_url(self._url))
        self.note.setVisible(not shown)
        self.note.setText(self._why_empty())
        self._highlight()

    def _state(self) -> str:
        source = self._source
        address = formatting.clean(display_url(self._url))
        if source is None:
            return address
        parts = [f"{source.status or ''} {source.reason}".strip(), source.content_type]
        parts += [source.charset, self.tr("cut off") if source.truncated else "", address]
        return " · ".join(formatting.clean(part) for part in parts if part)

    def _why_empty(self) -> str:
        if self._is_waiting:
            return self.tr("Fetching…")
        if not self._url:
            return self.tr("Select a URL to see its page source.")
        if self._source is None:
            return self.tr("Press Fetch to request this page again, as the crawl does.")
        if not self._source.is_text:
            only = self.tr("The content type is {type}; only text can be shown.")
            return only.format(type=formatting.clean(self._source.content_type))
        if self._source.status is None:
            detail = formatting.clean(detail_words(self._source.detail))
            return f"{sentence(self._source.outcome)}\n{detail}"
        return self.tr("The response is empty.")

    # ------------------------------------------------------------ positions in the text

    def _highlight(self) -> None:
        is_text = not self.heads.isChecked()
        marked = []
        for start, end in self._spans if is_text else []:
            selection = QTextEdit.ExtraSelection()
            cursor = self.text.textCursor()
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            selection.cursor = cursor
            selection.format.setBackground(theme.scheme().highlight)
            selection.format.setForeground(theme.colour("accent"))
            selection.format.setFontUnderline(True)
            marked.append(selection)
        self.text.setExtraSelections(marked)
        self.next.setVisible(len(self._spans) > 1)
        self._update_position()

    def _go(self, number: int) -> None:
        """Scroll to the next marked link; the first follows the last."""
        if self._spans:
            self._at = number % len(self._spans)
            self._show_place(self._spans[self._at][0])
        self._update_position()

    def _update_position(self) -> None:
        text = ""
        if self._line and self._source is not None and self._source.text:
            beyond = self.tr("Line {n} is not in the part shown")
            words = self.tr("Line {n}") if self._spans else beyond
            text = words.format(n=number(self._line))
        elif self._spans:
            text = self.tr("Link {n} of {count}").format(n=self._at + 1, count=len(self._spans))
        elif self._target and self._source is not None and self._source.text:
            text = self.tr("The link is not in this page source")
        self.position.setText(text)

    def _go_to_line(self, line: int) -> None:
        self.heads.setChecked(False)
        block = self.text.document().findBlockByNumber(line - 1)
        if block.isValid():
            self._show_place(block.position())

    def _show_place(self, position: int) -> None:
        cursor = self.text.textCursor()
        cursor.setPosition(position)
        self.text.setTextCursor(cursor)
        self.text.centerCursor()

    # ------------------------------------------------------------ assembly

    def _lay_out(self) -> None:
        bar = QHBoxLayout(self.bar)
        bar.setContentsMargins(theme.SPACE_S, theme.SPACE_XS, theme.SPACE_S, theme.SPACE_XS)
        bar.setSpacing(theme.SPACE_S)
        bar.addWidget(self.fetch)
        bar.addWidget(self.state, 1)
        for part in (self.position, self.next, self.heads):
            bar.addWidget(part)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setObjectName("source")
        halves.setHandleWidth(1)
        halves.addWidget(self.text)
        halves.addWidget(self.rules)
        halves.setStretchFactor(0, 1)
        halves.setSizes(list(_SIZES))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(halves, 1)


def source_text(name: str) -> QPlainTextEdit:
    """A read-only field for source text; `name` is for screen readers."""
    field = QPlainTextEdit()
    field.setReadOnly(True)
    field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    field.setWordWrapMode(QTextOption.WrapMode.NoWrap)
    field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    field.setAccessibleName(name)
    # The cursor is visible, so that the keyboard can select and copy.
    field.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return field


def _button(text: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setProperty("raised", True)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


def _heads(source: PageSource) -> str:
    """The heads of request and response."""
    sent = [f"> {name}: {value}" for name, value in source.request]
    came = [f"< {name}: {value}" for name, value in source.headers]
    return "\n".join([*sent, "", *came])


def _of_line(text: str, line: int) -> list[tuple[int, int]]:
    from gossamer.extract.page_source import span_of_line  # noqa: PLC0415 - the start does without

    span = span_of_line(text, line)
    return [] if span is None else [span]
