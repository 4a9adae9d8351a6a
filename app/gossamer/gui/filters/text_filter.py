"""The input that filters rows by text or regular expression, and reports invalid expressions."""

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from gossamer.gui.actions.action_spec import translated
from gossamer.gui.actions.view_actions import FilterAction
from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import SPACE_XS
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import describe
from gossamer.model.errors import UsageError
from gossamer.urls.search_expression import check_expression

FILTER_PAUSE_MS: Final = 150
"""Typing has to rest this long before the table is filtered."""

_WIDTH: Final = 310
_SMALL_ICON: Final = QSize(14, 14)


class TextFilter(QWidget):
    """The input for a search text or regular expression. Emits `changed` when either changes.

    A wrong expression is told in the label `error`, which whoever lays this out puts beside it; the
    last good one stays in force.
    """

    changed = Signal()
    left_by_escape = Signal()
    """Escape was pressed in the empty field."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = ""
        self.is_expression = False
        self.field = self._make_field()
        self.toggle = self._make_toggle()
        self.error = QLabel()
        self.error.setTextFormat(Qt.TextFormat.PlainText)
        self.error.setProperty("wrong", True)
        self.error.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(FILTER_PAUSE_MS)
        self._pause.timeout.connect(self._apply)
        self.field.textChanged.connect(lambda _: self._pause.start())
        self.field.returnPressed.connect(self._apply)
        self._update_hints(self.is_expression)
        escape = QShortcut(QKeySequence(QKeySequence.StandardKey.Cancel), self.field)
        escape.setContext(Qt.ShortcutContext.WidgetShortcut)
        escape.activated.connect(self._escape)
        self.toggle.toggled.connect(self._update_hints)
        self.toggle.toggled.connect(lambda _: self._apply())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_XS)
        row.addWidget(self.field, 1)
        row.addWidget(self.toggle)
        self.setMaximumWidth(_WIDTH)

    def show_text(self, text: str, *, expression: bool) -> None:
        """Set the text to search for."""
        for part in (self.field, self.toggle):
            part.blockSignals(True)
        self.field.setText(text)
        self.toggle.setChecked(expression)
        self._update_hints(expression)
        for part in (self.field, self.toggle):
            part.blockSignals(False)
        self._apply()

    def show_error(self, sentence: str) -> None:
        """Show what is wrong with the text; "" clears it."""
        if sentence != self.error.text():
            self.error.setText(sentence)
            describe(self.error, sentence)
            self.field.setAccessibleDescription(sentence)
            self.field.setProperty("wrong", bool(sentence))
            self.field.style().polish(self.field)

    def _update_hints(self, is_expression: bool) -> None:  # noqa: FBT001 - a signal passes it
        """Explain what is searched, as the table may show shortened addresses."""
        words = self.tr("Filter by text")
        tip = self.tr("Show only rows with this text in the URL or title")
        if is_expression:
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

    def _apply(self) -> None:
        self._pause.stop()
        text, is_expression = self.field.text().strip(), self.toggle.isChecked()
        try:
            if is_expression:
                check_expression(text)
        except UsageError as e:
            self.show_error(spoken(e.said))
            return
        self.show_error("")
        before = (self.text, bool(self.text) and self.is_expression)
        self.text, self.is_expression = text, bool(text) and is_expression
        if (self.text, self.is_expression) != before:
            self.changed.emit()

    def _make_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setClearButtonEnabled(True)
        self._glass = field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        field.setMinimumWidth(_WIDTH // 3)
        return field

    def _make_toggle(self) -> QToolButton:
        toggle = QToolButton()
        toggle.setCheckable(True)
        toggle.setIcon(icon("regex"))
        toggle.setIconSize(_SMALL_ICON)
        toggle.setProperty("quiet", True)
        toggle.setShortcut(QKeySequence(FilterAction.REGULAR_EXPRESSION.value.shortcut))
        toggle.setToolTip(self.tr("Use a regular expression (Alt+R)"))
        toggle.setAccessibleName(translated(FilterAction.REGULAR_EXPRESSION.value.text))
        return toggle
