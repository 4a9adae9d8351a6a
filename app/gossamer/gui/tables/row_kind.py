"""Declares the kinds of table rows (URLs, links, hops, headers) and what their cells show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
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
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.tables.item_roles import ACCESSIBLE, DECORATION, FOREGROUND, MARKED, TOOLTIP
from gossamer.gui.tables.table_columns import LINK_SPECS, SPECS, ColumnSpec
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import detail_words, listed
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome, UrlState, Verdict, verdict
from gossamer.model.outcome_details import Detail
from gossamer.model.project_queries import Column
from gossamer.model.search_excerpts import Excerpt

T = TypeVar("T")


class UrlOutcome(Struct, frozen=True):
    """The outcome of the URL that a row stands for."""

    url_id: int
    outcome: Outcome
    status: int | None
    reason: str | None = None
    detail: Detail | None = None


@dataclass(frozen=True, kw_only=True)
class RowKind(Generic[T]):
    """A kind of record, and the columns that show it.

    `url_id` is the URL that a row leads to; `outcome` that of the URL whose status and outcome the
    columns of those names show; `filling` the column that takes the remaining width.
    """

    columns: tuple[ColumnSpec, ...]
    url_id: Callable[[T], int | None] = lambda _: None
    outcome: Callable[[T], UrlOutcome | None] = lambda _: None
    filling: int = 0
    noted: Callable[[T], str | None] = lambda _: None
    """The notes about the URL in the column of addresses."""

    def index(self, column: Column) -> int:
        """The position of a column."""
        return next(i for i, spec in enumerate(self.columns) if spec.column == column)

    def only(
        self, first: Column, *others: Column, width: int, url_id: Callable[[T], int]
    ) -> "RowKind[T]":
        """The same records with only these columns, the first this wide, leading elsewhere."""
        columns = [self.columns[self.index(column)] for column in (first, *others)]
        columns[0] = replace(columns[0], width=width)
        return RowKind(columns=tuple(columns), url_id=url_id, outcome=self.outcome)


@dataclass(frozen=True, kw_only=True)
class QueryRowKind(RowKind[T]):
    """A kind of record that queries return, read by its `id`.

    `read` runs on the reader thread; `address` is that of the URL that a row leads to.
    """

    read: Callable[[Any, Sequence[int]], Sequence[T]]
    address: Callable[[T], str]
    is_of_urls: bool = False
    """Whether the id of a row is that of the URL that it leads to."""

    def urls(self, rows: ProjectRows, ids: Sequence[int]) -> list[int]:
        """The ids of the URLs that these rows lead to; on the reader thread."""
        found = (self.url_id(record) for record in self.read(rows, ids))
        return [url_id for url_id in found if url_id is not None]

    def addresses(self, rows: ProjectRows, ids: Sequence[int]) -> list[str]:
        """Their addresses; on the reader thread."""
        return [self.address(record) for record in self.read(rows, ids)]


URLS: Final = QueryRowKind[UrlRecord](
    columns=SPECS,
    url_id=lambda record: record.id,
    outcome=lambda record: UrlOutcome(
        record.id, record.outcome, record.status, record.reason, record.detail
    ),
    read=lambda rows, ids: rows.records(ids),
    address=lambda record: record.url,
    is_of_urls=True,
    noted=lambda record: record.notes,
)
LINKS: Final = QueryRowKind[LinkRecord](
    columns=LINK_SPECS,
    url_id=lambda link: link.target_id,
    outcome=lambda link: UrlOutcome(link.target_id, link.target_outcome, link.target_status),
    read=lambda rows, ids: rows.link_records(ids),
    address=lambda link: link.target_url,
)


class Cells(Generic[T]):
    """The cell data of one table. URLs in `in_flight` are being fetched now.

    `roles` has, for each column, what each role but the text is made by of record and column.
    """

    def __init__(self, kind: RowKind[T]) -> None:
        self._columns = kind.columns
        self._outcome_of = kind.outcome
        self._noted = kind.noted
        self.in_flight: frozenset[int] = frozenset()
        places = {spec.column: i for i, spec in enumerate(kind.columns)}
        self._status = places.get("status", -1)
        self._outcome = places.get("outcome", -1)
        self._address = places.get("address", -1)
        self.roles = tuple(self._roles_of(column) for column in range(len(kind.columns)))

    def _roles_of(self, column: int) -> dict[int, Callable[[T, int], object]]:
        roles: dict[int, Callable[[T, int], object]] = {
            TOOLTIP: self._tooltip,
            ACCESSIBLE: self._accessible,
        }
        if column == self._status:
            roles[DECORATION] = self._decoration
        if column == self._address:
            roles[DECORATION] = self._note_mark
        if self._columns[column].marks is not None:
            roles[MARKED] = self._marked
        if column in {self._status, self._outcome}:
            roles[FOREGROUND] = self._foreground
        return roles

    def current_text(self, record: T, column: int) -> str | None:
        """The temporary text of a cell; None: that of its column for the record."""
        is_flying = column == self._outcome and self._is_in_flight(self._outcome_of(record))
        return in_flight_label() if is_flying else None

    def text(self, record: T, column: int) -> str:
        """The current text of a cell."""
        return self.current_text(record, column) or self._columns[column].text(record)

    def differ_in_text_only(self, one: T, other: T) -> bool:
        """Whether icons, colours and tooltips of two records are the same."""
        return (self._outcome_of(one), self._noted(one)) == (
            self._outcome_of(other),
            self._noted(other),
        )

    def _is_in_flight(self, url: UrlOutcome | None) -> bool:
        return (
            url is not None
            and url.url_id in self.in_flight
            and url.outcome.state is UrlState.QUEUED
        )

    def _sentence(self, url: UrlOutcome) -> str:
        if self._is_in_flight(url):
            return in_flight_sentence()
        return sentence(url.outcome, url.status)

    def _decoration(self, record: T, _column: int) -> object:
        url = self._outcome_of(record)
        return icon(icon_name(url.outcome, url.status)) if url else None

    def _note_mark(self, record: T, _column: int) -> object:
        return icon("note") if self._noted(record) else None

    def _marked(self, record: T, column: int) -> object:
        marks = self._columns[column].marks
        return None if marks is None else Excerpt(self._columns[column].text(record), marks(record))

    def _foreground(self, record: T, column: int) -> object:
        url = self._outcome_of(record)
        if url is None:
            return None
        if column == self._outcome and verdict(url.outcome, url.status) is Verdict.OK:
            return None
        return colour(role(url.outcome, url.status))

    def _tooltip(self, record: T, column: int) -> object:
        url = self._outcome_of(record) if column in {self._status, self._outcome} else None
        if url is None:
            noted = self._noted(record) if column == self._address else None
            return formatting.tooltip(self._columns[column].text(record), noted)
        return formatting.tooltip(self._sentence(url), url.reason, detail_words(url.detail))

    def _accessible(self, record: T, column: int) -> object:
        spec = self._columns[column]
        text = spec.accessible(record) if spec.accessible else self.text(record, column)
        url = self._outcome_of(record) if column == self._status else None
        if url is not None:
            return listed((text, self._sentence(url)))
        if column == self._address and (noted := self._noted(record)):
            return listed((text, formatting.clean(noted)))
        # An empty cell must say what is missing.
        return text or QCoreApplication.translate("Column", "none")
