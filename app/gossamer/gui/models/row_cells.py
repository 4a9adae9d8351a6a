"""The cells of a table, by role, but for the text, which is told by the columns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from gossamer.gui.foreign_words import detail_words
from gossamer.gui.icons import icon
from gossamer.gui.models import display
from gossamer.gui.models.appearance import icon_name, role, sentence
from gossamer.gui.models.columns import ColumnSpec
from gossamer.gui.models.roles import ACCESSIBLE, DECORATION, FOREGROUND, TOOLTIP
from gossamer.gui.theme import colour
from gossamer.gui.words import listed
from gossamer.model.outcome import Outcome, Verdict, verdict
from gossamer.model.views import Column


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of the URL a row stands for."""

    outcome: Outcome
    status: int | None
    reason: str | None = None
    detail: str | None = None


class Cells:
    """The cells in some columns. `fate` tells what became of the URL that a record stands for.

    `roles` has a function of record and column for each role.
    """

    def __init__(self, specs: tuple[ColumnSpec, ...], fate: Callable[[Any], Fate]) -> None:
        self._specs = specs
        self._fate = fate
        self._status = next(i for i, spec in enumerate(specs) if spec.column is Column.STATUS)
        self._outcome = next(i for i, spec in enumerate(specs) if spec.column is Column.OUTCOME)
        self.roles: dict[int, Callable[[Any, int], object]] = {
            DECORATION: self._decoration,
            FOREGROUND: self._foreground,
            TOOLTIP: self._tooltip,
            ACCESSIBLE: self._accessible,
        }

    def look_alike(self, one: object, other: object) -> bool:
        """Whether the cells of two records differ in their texts at most."""
        return self._fate(one) == self._fate(other)

    def _decoration(self, record: object, column: int) -> object:
        if column != self._status:
            return None
        fate = self._fate(record)
        return icon(icon_name(fate.outcome, fate.status))

    def _foreground(self, record: object, column: int) -> object:
        if column not in {self._status, self._outcome}:
            return None
        fate = self._fate(record)
        if column == self._outcome and verdict(fate.outcome, fate.status) is Verdict.OK:
            return None
        return colour(role(fate.outcome, fate.status))

    def _tooltip(self, record: object, column: int) -> object:
        if column not in {self._status, self._outcome}:
            return display.tooltip(self._specs[column].text(record))
        fate = self._fate(record)
        return display.tooltip(
            sentence(fate.outcome, fate.status), fate.reason, detail_words(fate.detail or "")
        )

    def _accessible(self, record: object, column: int) -> object:
        text = self._specs[column].text(record)
        if column == self._status:
            fate = self._fate(record)
            return listed((text, sentence(fate.outcome, fate.status)))
        # An empty cell has to say what it is the lack of.
        return text or QCoreApplication.translate("Column", "none")
