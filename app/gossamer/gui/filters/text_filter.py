"""The input that filters rows by text, expression or full-text search, and reports errors."""

from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from gossamer.gui.actions.action_declaration import translated
from gossamer.gui.actions.view_actions import FilterAction
from gossamer.gui.filters.search_mode import SearchMode
from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import SPACE_S, SPACE_XS
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import describe
from gossamer.model.errors import UsageError
from gossamer.model.project_queries import Filter
from gossamer.urls.regex_search import check_expression

FILTER_PAUSE_MS: Final = 150
"""Typing has to rest this long before the table is filtered."""

_WIDTH: Final = 310
_SEARCH_WIDTH: Final = 640
_SMALL_ICON: Final = QSize(14, 14)


class TextFilter(QWidget):
    """The input for a search text or regular expression. Emits `changed` when either changes.

    An invalid expression is reported in the label `error`, which the owner places below; the last
    valid one stays in force.
    """

    changed = Signal()
    left_by_escape = Signal()
    """Escape was pressed in the empty field."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said = Filter()
        """The narrowing by this input alone."""
        self._wrong = ""
        self.field = self._make_field()
        self.toggle = self._make_toggle("regex", FilterAction.REGULAR_EXPRESSION)
        self.toggle.setToolTip(self.tr("Use a regular expression (Alt+R)"))
        self.full_text = self._make_toggle("page", FilterAction.FULL_TEXT)
        self.full_text.setToolTip(self.tr("Search in the texts of pages (Ctrl+Shift+F)"))
        self.mode = SearchMode()
        self.error = self._make_error()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(FILTER_PAUSE_MS)
        self._pause.timeout.connect(self._apply)
        self.field.textChanged.connect(lambda _: self._pause.start())
        self.field.returnPressed.connect(self._enter)
        self.mode.changed.connect(self._apply)
        self.mode.edited.connect(self._pause.start)
        self._update_hints()
        escape = QShortcut(QKeySequence(QKeySequence.StandardKey.Cancel), self.field)
        escape.setContext(Qt.ShortcutContext.WidgetShortcut)
        escape.activated.connect(self._escape)
        self.toggle.toggled.connect(lambda on: self._turn(self.full_text, on=on))
        self.full_text.toggled.connect(lambda on: self._turn(self.toggle, on=on))
        self.full_text.clicked.connect(lambda _: self.field.setFocus())
        self._lay_out()

    @property
    def text(self) -> str:
        """The typed text that is in force."""
        return self._said.text if self._said.search is None else self._said.search.words

    def narrowed(self, filter_: Filter) -> Filter:
        """The filter, narrowed by this input."""
        said = self._said
        return replace(filter_, text=said.text, expression=said.expression, search=said.search)

    def show_filter(self, filter_: Filter) -> None:
        """Set the input to the search of a filter."""
        search = filter_.search
        # Not blocked: by that signal the field itself shows the button that clears it, or hides it.
        self.field.setText(filter_.text if search is None else search.words)
        self._pause.stop()
        for part in (self.toggle, self.full_text):
            part.blockSignals(True)
        self.toggle.setChecked(filter_.expression)
        self.full_text.setChecked(search is not None)
        self.mode.show_search(search)
        self._update_hints()
        for part in (self.toggle, self.full_text):
            part.blockSignals(False)
        self._apply()

    def show_error(self, sentence: str) -> None:
        """Show why the search in force has no result; errors in the fields take precedence.

        "" clears it.
        """
        self._show_sentence(self._wrong or sentence)

    def _show_sentence(self, sentence: str) -> None:
        if sentence != self.error.text():
            self.error.setText(sentence)
            self.error.setVisible(bool(sentence))
            describe(self.error, sentence)
            self.field.setAccessibleDescription(sentence)
            self.field.setProperty("wrong", bool(sentence))
            self.field.style().polish(self.field)

    def _turn(self, other: QToolButton, *, on: bool) -> None:
        """One of the toggles was pressed: the `other` goes off."""
        if on:
            other.blockSignals(True)
            other.setChecked(False)
            other.blockSignals(False)
        self._update_hints()
        self._apply()

    def _update_hints(self) -> None:
        """Explain what is searched, as the table may show shortened addresses."""
        self.mode.offer(offered=self.full_text.isChecked())
        self.setMaximumWidth(_SEARCH_WIDTH if self.full_text.isChecked() else _WIDTH)
        words = self.tr("Filter by text")
        tip = self.tr("Show only rows with this text in the URL or title")
        if self.full_text.isChecked():
            words = self.tr("Search in the texts of pages")
            tip = self.tr(
                'Words; "next to each other"; begin*; -without; red OR blue; in:title red; '
                "status:200 language:en segment:Blog folder:/docs/"
            )
        elif self.toggle.isChecked():
            words = self.tr("Regular expression for the whole URL")
            tip = self.tr("Matches the whole URL, such as https://example.com/page, and the title")
        self.field.setPlaceholderText(words)
        self.field.setToolTip(tip)
        self.field.setAccessibleName(words)

    def _escape(self) -> None:
        """Clear the text; if there is none, leave the field."""
        if self.field.text():
            self.field.clear()
            self._apply()
        else:
            self.left_by_escape.emit()

    def _enter(self) -> None:
        """Search; again, if the search in force has no result."""
        said, is_refused = self._said, bool(self.error.text()) and not self._wrong
        self._apply()
        if is_refused and self._said == said and not self._wrong:
            self.changed.emit()

    def _apply(self) -> None:
        self._pause.stop()
        was_wrong = bool(self._wrong)
        try:
            said, self._wrong = self._typed(), ""
        except UsageError as e:
            self._wrong = spoken(e.said)
            self._show_sentence(self._wrong)
            return
        is_new = said != self._said
        self._said = said
        if is_new or was_wrong:
            self._show_sentence("")
        if is_new:
            self.changed.emit()

    def _typed(self) -> Filter:
        """The contents of the fields; UsageError."""
        text = self.field.text().strip()
        if text and self.full_text.isChecked():
            return Filter(search=self.mode.search(text))
        if self.toggle.isChecked():
            check_expression(text)
        return Filter(text=text, expression=bool(text) and self.toggle.isChecked())

    def _make_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setClearButtonEnabled(True)
        self._glass = field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        field.setMinimumWidth(_WIDTH // 3)
        return field

    def _make_toggle(self, picture: str, action: FilterAction) -> QToolButton:
        toggle = QToolButton()
        toggle.setCheckable(True)
        toggle.setIcon(icon(picture))
        toggle.setIconSize(_SMALL_ICON)
        toggle.setProperty("quiet", True)
        toggle.setShortcut(QKeySequence(action.value.shortcut))
        toggle.setAccessibleName(translated(action.value.text))
        return toggle

    @staticmethod
    def _make_error() -> QLabel:
        error = QLabel()
        error.setTextFormat(Qt.TextFormat.PlainText)
        error.setProperty("wrong", True)
        error.setWordWrap(True)
        error.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        error.setContentsMargins(SPACE_S, 0, SPACE_S, SPACE_XS)
        error.hide()
        return error

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_XS)
        row.addWidget(self.mode.button)
        row.addWidget(self.field, 1)
        row.addWidget(self.mode.address, 1)
        row.addWidget(self.toggle)
        row.addWidget(self.full_text)
