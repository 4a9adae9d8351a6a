"""The cells of the table of URLs, by role, but for the text, which is told by the columns."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.gui.icons import icon
from app.gui.models import display
from app.gui.models.appearance import icon_name, role, sentence
from app.gui.models.columns import INDEX, SPECS
from app.gui.models.roles import ACCESSIBLE, DECORATION, FOREGROUND, TOOLTIP
from app.gui.theme import colour
from app.model.outcome import Verdict
from app.model.views import Column, UrlRecord

_STATUS: Final = INDEX[Column.STATUS]
_OUTCOME: Final = INDEX[Column.OUTCOME]


def _decoration(record: UrlRecord, column: int) -> object:
    return icon(icon_name(record.outcome, record.status)) if column == _STATUS else None


def _foreground(record: UrlRecord, column: int) -> object:
    if column == _STATUS or (column == _OUTCOME and record.verdict is not Verdict.OK):
        return colour(role(record.outcome, record.status))
    return None


def _tooltip(record: UrlRecord, column: int) -> object:
    if column in {_STATUS, _OUTCOME}:
        return display.tooltip(sentence(record.outcome), record.reason, record.detail)
    return display.tooltip(SPECS[column].text(record))


def _accessible(record: UrlRecord, column: int) -> object:
    if column == _STATUS:
        return f"{SPECS[column].text(record)}, {sentence(record.outcome)}"
    # An empty cell has to say what it is the lack of.
    return SPECS[column].text(record) or QCoreApplication.translate("Column", "none")


CELLS: Final[dict[int, Callable[[UrlRecord, int], object]]] = {
    DECORATION: _decoration,
    FOREGROUND: _foreground,
    TOOLTIP: _tooltip,
    ACCESSIBLE: _accessible,
}
