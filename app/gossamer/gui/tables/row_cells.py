"""The cells of a table, by role; what the columns say of a record, and what is so just now."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from gossamer.gui.look.icons import icon
from gossamer.gui.look.outcome_style import (
    icon_name,
    in_flight_label,
    in_flight_sentence,
    role,
    sentence,
)
from gossamer.gui.look.theme import colour
from gossamer.gui.tables.item_roles import ACCESSIBLE, DECORATION, FOREGROUND, TOOLTIP
from gossamer.gui.tables.url_columns import ColumnSpec
from gossamer.gui.text import formatting
from gossamer.gui.text.detail_translation import detail_words
from gossamer.gui.text.sentences import listed
from gossamer.model.outcome import Outcome, UrlState, Verdict, verdict
from gossamer.model.project_queries import Column


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of the URL a row stands for."""

    url_id: int
    outcome: Outcome
    status: int | None
    reason: str | None = None
    detail: str | None = None


class Cells:
    """The cells in some columns. `fate` tells what became of the URL that a record stands for.

    `roles` has a function of record and column for each role. URLs `in_flight` are being fetched.
    """

    def __init__(self, specs: tuple[ColumnSpec, ...], fate: Callable[[Any], Fate]) -> None:
        self.specs = specs
        self._fate = fate
        self.in_flight: frozenset[int] = frozenset()
        self._status = next(i for i, spec in enumerate(specs) if spec.column is Column.STATUS)
        self._outcome = next(i for i, spec in enumerate(specs) if spec.column is Column.OUTCOME)
        self.roles: dict[int, Callable[[Any, int], object]] = {
            DECORATION: self._decoration,
            FOREGROUND: self._foreground,
            TOOLTIP: self._tooltip,
            ACCESSIBLE: self._accessible,
        }

    def text(self, record: object, column: int) -> str | None:
        """What a cell says at present; None: what its column says of the record."""
        flies = column == self._outcome and self._flies(self._fate(record))
        return in_flight_label() if flies else None

    def _flies(self, fate: Fate) -> bool:
        return fate.url_id in self.in_flight and fate.outcome.state is UrlState.QUEUED

    def _sentence(self, fate: Fate) -> str:
        """What became of it, or is happening to it."""
        return in_flight_sentence() if self._flies(fate) else sentence(fate.outcome, fate.status)

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
            return formatting.tooltip(self.specs[column].text(record))
        fate = self._fate(record)
        return formatting.tooltip(
            self._sentence(fate), fate.reason, detail_words(fate.detail or "")
        )

    def _accessible(self, record: object, column: int) -> object:
        text = self.text(record, column) or self.specs[column].text(record)
        if column == self._status:
            fate = self._fate(record)
            return listed((text, self._sentence(fate)))
        # An empty cell has to say what it is the lack of.
        return text or QCoreApplication.translate("Column", "none")
