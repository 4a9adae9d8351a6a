"""What is shown with a URL as the reason why a rule holds: another page, a link, a header etc.

A rule declares an Evidence, which both the window and exports read.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.issue_columns import IssueMeasure, header_column, part_column
from gossamer.model.messages.page_contents_messages import FaultKind
from gossamer.model.response_cookies import header_text
from gossamer.model.structured_faults import faults_said
from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.urls.url_parts import UrlPart

if TYPE_CHECKING:
    from gossamer.model.fields.url_record import UrlRecord

Cell: TypeAlias = str | int | float | None
AnyValue: TypeAlias = int | float | str | bytes | None


class EvidenceRows(Protocol):
    """The reader, as far as it is needed here."""

    def issue_values(self, rule: int, ids: Sequence[int]) -> Mapping[int, AnyValue]:
        """What a rule measured of these URLs."""

    def records(self, ids: Sequence[int]) -> "Sequence[UrlRecord]":
        """The URLs with these ids."""

    def tested_links(self, rule: int, ids: Sequence[int], test: LinkTest) -> Mapping[int, str]:
        """Links of these URLs that pass a test, as text."""

    def violation_nodes(self, rule: int, ids: Sequence[int]) -> Mapping[int, tuple[int, str]]:
        """How many nodes of these pages break an accessibility rule, and the first of them."""

    def headers(self, url_id: int) -> Sequence[tuple[str, str]]:
        """The headers of the response of a URL."""


class EvidenceColumn(NamedTuple):
    """The heading of a column of evidence, how its cells are shown, and what sorts them, if any."""

    heading: Translatable
    kind: FieldKind = FieldKind.TEXT
    measure: IssueMeasure | None = None
    sorts: str = ""
    """The column that queries sort by instead, without a measure."""


class Evidence(Protocol):
    """What is shown in `columns`, one cell per column for each URL."""

    @property
    def columns(self) -> tuple[EvidenceColumn, ...]:
        """The columns, from left to right."""

    def read(
        self, rows: EvidenceRows, rule: int, records: "Sequence[UrlRecord]"
    ) -> Mapping[int, tuple[Cell, ...]]:
        """The cells by the id of the URL; URLs without any are left out."""


class MeasuredNumber(Struct, frozen=True):
    """The number that a stage of the audit measured."""

    heading: Sentence
    kind: FieldKind = FieldKind.NUMBER

    @property
    def columns(self) -> tuple[EvidenceColumn, ...]:
        """One column."""
        name = Translatable(self.heading)
        return (EvidenceColumn(name, self.kind, IssueMeasure.VALUE),)

    def read(
        self, rows: EvidenceRows, rule: int, records: "Sequence[UrlRecord]"
    ) -> Mapping[int, tuple[Cell, ...]]:
        """See Evidence."""
        values = rows.issue_values(rule, [each.id for each in records])
        return {
            url_id: (value,)
            for url_id, value in values.items()
            if value is not None and not isinstance(value, bytes)
        }


class OtherUrl(Struct, frozen=True):
    """The URL whose id a stage measured, with its status and why it may not be indexed."""

    heading: Sentence

    @property
    def columns(self) -> tuple[EvidenceColumn, ...]:
        """Its address, and what became of it."""
        name = Translatable(self.heading)
        return (
            EvidenceColumn(name, FieldKind.ADDRESS, IssueMeasure.ADDRESS),
            EvidenceColumn(
                said("{url} Status Code", url=name), FieldKind.STATUS, IssueMeasure.STATUS
            ),
            EvidenceColumn(
                said("{url} Indexability Status", url=name), FieldKind.NAMED, IssueMeasure.REASON
            ),
        )

    def read(
        self, rows: EvidenceRows, rule: int, records: "Sequence[UrlRecord]"
    ) -> Mapping[int, tuple[Cell, ...]]:
        """See Evidence."""
        values = rows.issue_values(rule, [each.id for each in records])
        wanted = sorted({value for value in values.values() if isinstance(value, int)})
        known = {each.id: each for each in rows.records(wanted)}
        return {
            url_id: (other.url, other.status, other.indexability_status)
            for url_id, value in values.items()
            if isinstance(value, int) and (other := known.get(value)) is not None
        }


class MatchingLinks(Struct, frozen=True):
    """The first links of the URL that pass a test."""

    heading: Sentence
    test: LinkTest

    @property
    def columns(self) -> tuple[EvidenceColumn, ...]:
        """One column."""
        return (EvidenceColumn(Translatable(self.heading)),)

    def read(
        self, rows: EvidenceRows, rule: int, records: "Sequence[UrlRecord]"
    ) -> Mapping[int, tuple[Cell, ...]]:
        """See Evidence."""
        found = rows.tested_links(rule, [each.id for each in records], self.test)
        return {url_id: (text,) for url_id, text in found.items()}


class ViolationNodes(Struct, frozen=True):
    """How many nodes of the page break an accessibility rule, and the selector of the first."""

    @property
    def columns(self) -> tuple[EvidenceColumn, ...]:
        """Two columns."""
        return (
            EvidenceColumn(said("Nodes"), FieldKind.NUMBER),
            EvidenceColumn(said("First Node")),
        )

    def read(
        self, rows: EvidenceRows, rule: int, records: "Sequence[UrlRecord]"
    ) -> Mapping[int, tuple[Cell, ...]]:
        """See Evidence."""
        return rows.violation_nodes(rule, [each.id for each in records])


class ResponseHeader(Struct, frozen=True):
    """The values of the response headers with a name: for cookies, the insecure ones."""

    heading: Sentence
    header: str

    @property
    def columns(self) -> tuple[EvidenceColumn, ...]:
        """One column."""
        return (EvidenceColumn(Translatable(self.heading), sorts=header_column(self.header)),)

    def read(
        self, rows: EvidenceRows, rule: int, records: "Sequence[UrlRecord]"
    ) -> Mapping[int, tuple[Cell, ...]]:
        """See Evidence."""
        del rule
        found = {each.id: header_text(self.header, rows.headers(each.id)) for each in records}
        return {url_id: (text,) for url_id, text in found.items() if text is not None}


class StructuredFaults(Struct, frozen=True):
    """The faults of some kinds in the page's structured data: mostly the properties."""

    heading: Sentence
    kinds: frozenset[FaultKind]

    @property
    def columns(self) -> tuple[EvidenceColumn, ...]:
        """One column."""
        return (EvidenceColumn(Translatable(self.heading)),)

    def read(
        self, rows: EvidenceRows, rule: int, records: "Sequence[UrlRecord]"
    ) -> Mapping[int, tuple[Cell, ...]]:
        """See Evidence."""
        del rows, rule
        found = {each.id: faults_said(each.structured_faults, self.kinds) for each in records}
        return {url_id: (text,) for url_id, text in found.items() if text}


class PartOfUrl(Struct, frozen=True):
    """The part of the address that a rule is about."""

    heading: Sentence
    part: UrlPart

    @property
    def columns(self) -> tuple[EvidenceColumn, ...]:
        """One column."""
        return (EvidenceColumn(Translatable(self.heading), sorts=part_column(self.part)),)

    def read(
        self, rows: EvidenceRows, rule: int, records: "Sequence[UrlRecord]"
    ) -> Mapping[int, tuple[Cell, ...]]:
        """See Evidence."""
        del rows, rule
        return {each.id: (self.part.of(each.url),) for each in records}
