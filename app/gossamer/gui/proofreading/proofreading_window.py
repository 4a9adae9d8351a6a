"""The window with all spelling and grammar errors of a site."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.proofreading.error_tables import ErrorLocationTable, ErrorTable, error_kind_name
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import listed
from gossamer.gui.widgets.help_context import explain
from gossamer.model.text_errors import ErrorKind, ErrorLocation, ErrorSummary, TextError

NAME: Final = "proofreading"
_SIZE: Final = (820, 620)
_SHARES: Final = [3, 2]


class ProofreadingWindow(QDialog):
    """Lists errors, and for the chosen one its pages and suggested corrections.

    `error_chosen` carries an ErrorSummary to be given pages and suggestions, `ignore_wanted` the
    TextError to ignore, `page_wanted` the id of a page.
    """

    error_chosen = Signal(object)
    ignore_wanted = Signal(object)
    page_wanted = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Spelling and grammar"))
        explain(self, "window/spelling")
        self.resize(*_SIZE)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Filter errors"))
        self.filter.setClearButtonEnabled(True)
        self.kinds = QComboBox()
        self.kinds.addItem(self.tr("All types"), None)
        for kind in ErrorKind:
            self.kinds.addItem(error_kind_name(kind), kind)
        self.kinds.setAccessibleName(self.tr("Type"))
        self.errors = ErrorTable()
        self.locations = ErrorLocationTable()
        self.heading = QLabel()
        self.advice = QLabel()
        self.gaps = QLabel()
        for label in (self.heading, self.advice, self.gaps):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.gaps.setProperty("muted", True)
        self.gaps.hide()
        self.ignore = QPushButton()
        self.ignore.setAutoDefault(False)
        self._lay_out()
        self._connect()
        self._show_chosen(None)

    def show_errors(self, errors: list[ErrorSummary], empty: str) -> None:
        """List these errors; `empty` is shown if there are none."""
        self.errors.note.show_text(empty)
        self.errors.show_errors(errors)
        self.errors.note.update_visibility()

    def show_gaps(self, words: str) -> None:
        """Show what was not checked, and why; "" for nothing."""
        self.gaps.setText(words)
        self.gaps.setVisible(bool(words))

    def show_locations(self, locations: list[ErrorLocation]) -> None:
        """List the pages with the chosen error."""
        self.locations.rows.show(locations)

    def show_suggestions(self, error: TextError, words: list[str]) -> None:
        """Show the suggestions for an error, if it is still chosen."""
        chosen = self.errors.current
        if chosen is None or chosen.error != error:
            return
        if words:
            text = self.tr("Suggestions: {words}").format(words=listed(words))
        else:
            text = self.tr("No suggestions.")
        self.advice.setText(formatting.clean(text))

    def show_problem(self, sentence: str) -> None:
        """Show why there are no suggestions."""
        self.advice.setText(sentence)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.filter, 1)
        top.addWidget(self.kinds)
        about = QHBoxLayout()
        texts = QVBoxLayout()
        texts.setSpacing(theme.SPACE_XS)
        texts.addWidget(self.heading)
        texts.addWidget(self.advice)
        about.addLayout(texts, 1)
        about.addWidget(self.ignore, 0, Qt.AlignmentFlag.AlignTop)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, theme.SPACE_S, 0, 0)
        column.addLayout(about)
        column.addWidget(self.locations, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.errors)
        split.addWidget(below)
        split.setChildrenCollapsible(False)
        for index, share in enumerate(_SHARES):
            split.setStretchFactor(index, share)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.SPACE_M, theme.SPACE_M, theme.SPACE_M, theme.SPACE_M)
        layout.addLayout(top)
        layout.addWidget(split, 1)
        layout.addWidget(self.gaps)

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._filter)
        self.kinds.currentIndexChanged.connect(self._filter)
        self.errors.chosen.connect(self._show_chosen)
        self.ignore.clicked.connect(self._ignore)
        self.locations.page_wanted.connect(self.page_wanted)

    def _filter(self) -> None:
        self.errors.set_filter(self.filter.text(), self.kinds.currentData())

    def _show_chosen(self, chosen: ErrorSummary | None) -> None:
        self.ignore.setVisible(chosen is not None)
        self.locations.rows.show([])
        if chosen is None:
            self.heading.clear()
            self.advice.clear()
            return
        error = chosen.error
        is_grammar = error.kind is ErrorKind.GRAMMAR
        self.ignore.setText(
            self.tr("Ignore this rule") if is_grammar else self.tr("Ignore this word")
        )
        words = [error.text, error.message, error.rule] if is_grammar else [error.text]
        self.heading.setText(formatting.clean(" · ".join(filter(None, words))))
        if is_grammar:
            self.show_suggestions(error, error.suggestions)
        else:
            self.advice.setText(self.tr("Looking for suggestions…"))
        self.error_chosen.emit(chosen)

    def _ignore(self) -> None:
        if (chosen := self.errors.current) is not None:
            self.ignore_wanted.emit(chosen.error)
