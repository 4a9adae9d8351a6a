"""The form that edits a segment: its name, its colour and its condition."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QColorDialog, QLabel, QToolButton, QWidget

from gossamer.gui.custom_definitions.definition_dialog import FormDialog
from gossamer.gui.issues.segment_choice import segment_icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.settings.condition_form import ConditionForm, rows_or_new
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.model.errors import UsageError
from gossamer.model.segments import COLOURS, SegmentText
from gossamer.model.url_conditions import ConditionRows, condition_rows, parse_condition

_WIDTH = 620
_TYPING_MS = 300


class SegmentDialog(FormDialog):
    """Edits a segment; its condition as rows or as text."""

    def __init__(
        self, definition: SegmentText, others: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(definition.name, others, parent)
        explain(self, "window/settings")
        self.setWindowTitle(self.tr("Segment"))
        self.setMinimumWidth(_WIDTH)
        self._colour = definition.colour
        self._count: Callable[[Sequence[str], Callable[[Mapping[str, int]], None]], None] | None = (
            None
        )
        self.colour = QToolButton()
        self.colour.setMinimumHeight(CONTROL_HEIGHT)
        self.colour.setProperty("raised", True)
        self.colour.setIconSize(QSize(16, 16))
        self.colour.clicked.connect(self._ask_colour)
        self.add(self.tr("C&olour"), self.colour)
        rows = _rows_of(definition.condition)
        self.rows = ConditionForm(rows_or_new(rows))
        self.text = self._line(definition.condition)
        self.text.setPlaceholderText("address contains /blog/ and words < 300")
        self.as_text = self.add_check(self.tr("Condition as &text"), checked=False)
        self.add(self.tr("Con&ditions"), self.rows)
        self.add(self.tr("&Condition"), self.text)
        self.matches = QLabel()
        self.matches.setTextFormat(Qt.TextFormat.PlainText)
        self.matches.setProperty("muted", True)
        self.matches.setWordWrap(True)
        self.form.addRow("", self.matches)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self._request_count)
        self.as_text.setChecked(bool(definition.condition) and rows is None)
        self.as_text.toggled.connect(self._turn)
        for signal in (self.rows.changed, self.text.textChanged):
            signal.connect(self._typing.start)
        self._show_colour()
        self.show_fields()

    def definition(self) -> SegmentText:
        """The segment in the form."""
        return SegmentText(self.name.text().strip(), self._condition(), self._colour)

    def check(self) -> None:
        """Raise UsageError about the first error."""
        segment = self.definition()
        if not segment.name:
            raise UsageError("A segment has no name; give it one.")
        if SegmentText.parse(str(segment)) != segment:
            raise UsageError(
                "{name!r} cannot be the name of a segment; leave out = and the colour at its end.",
                name=segment.name,
            )
        segment.segment(COLOURS[0])

    def offer_count(
        self, count: Callable[[Sequence[str], Callable[[Mapping[str, int]], None]], None]
    ) -> None:
        """Show how many URLs meet the condition, as counted by `count`."""
        self._count = count
        self._request_count()

    def show_fields(self) -> None:
        """Show the rows or the text."""
        is_text = self.as_text.isChecked()
        self.form.setRowVisible(self.rows, not is_text)
        self.form.setRowVisible(self.text, is_text)

    def _condition(self) -> str:
        return self.text.text().strip() if self.as_text.isChecked() else self.rows.text()

    def _turn(self, is_text: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Switch between rows and text; a text that rows cannot express stays."""
        if is_text:
            self.text.setText(self.rows.text())
        else:
            rows = _rows_of(self.text.text())
            if rows is None and self.text.text().strip():
                self.message.show_text(
                    "info", self.tr("This condition cannot be shown as a list; it stays text.")
                )
                self.as_text.blockSignals(True)
                self.as_text.setChecked(True)
                self.as_text.blockSignals(False)
                return
            self.rows.set_rows(rows_or_new(rows))
        self.show_fields()
        self._request_count()

    def _request_count(self) -> None:
        """Count the URLs that meet the condition, regardless of other segments."""
        if self._count is None:
            return
        proposed = SegmentText("?", self._condition())
        try:
            proposed.segment(COLOURS[0])
        except UsageError as e:
            self.matches.setText(spoken(e.said))
            return
        self._count((str(proposed),), lambda counts: self._show_count(proposed, counts))

    def _show_count(self, counted: SegmentText, counts: Mapping[str, int]) -> None:
        if counted.condition == self._condition():
            words = self.tr("%Ln URL(s) of this crawl meet the condition.", "", counts.get("?", 0))
            self.matches.setText(words)

    def _ask_colour(self) -> None:
        dialog = QColorDialog(QColor(self._colour or COLOURS[0]), self)
        dialog.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
        dialog.setWindowTitle(self.tr("Colour of the segment"))
        dialog.colorSelected.connect(lambda chosen: self._use_colour(chosen.name()))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _use_colour(self, colour: str) -> None:
        self._colour = colour
        self._show_colour()

    def _show_colour(self) -> None:
        self.colour.setIcon(segment_icon(self._colour or COLOURS[0]))
        self.colour.setText(self._colour or self.tr("Automatic"))
        self.colour.setToolButtonStyle(
            self.colour.toolButtonStyle().ToolButtonTextBesideIcon
            if self._colour
            else self.colour.toolButtonStyle().ToolButtonTextOnly
        )


def _rows_of(text: str) -> ConditionRows | None:
    """The rows of a condition; None if rows cannot express it or it is invalid."""
    try:
        return condition_rows(parse_condition(text))
    except UsageError:
        return None
