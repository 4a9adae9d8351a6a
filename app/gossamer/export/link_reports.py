"""The reports whose rows are links, with what is known of their targets."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from operator import attrgetter
from typing import Any, Final, NamedTuple

from gossamer.export.export_columns import boolean_cell
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Block, Cell, Encode, Row, Sheet
from gossamer.export.url_cells import MADE_CELLS
from gossamer.export.view_rows import INSECURE_TARGETS, ViewLinks
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.fields.derived_fields import STATUS_TEXT
from gossamer.model.fields.indexability import Indexability, why_not_indexable
from gossamer.model.fields.link_record import (
    IS_ALT_TEXT_SQL,
    LINK_FIELDS,
    LinkRecord,
    is_alt_text,
)
from gossamer.model.fields.url_record import URL_FIELDS, UrlRecord
from gossamer.model.link_kinds import INLINK_KINDS, LinkKind
from gossamer.model.project_queries import Filter, View
from gossamer.store.field_sql import read_sql
from gossamer.store.reading.link_blocks import OF_TARGET, LinkField
from gossamer.store.reading.reader import Reader

_AT_ONCE: Final = 2000
_TARGETS: Final = 50_000
"""Targets that are kept for the following links."""


class TargetedLink(NamedTuple):
    """A link, and what is known of its target."""

    link: LinkRecord
    target: UrlRecord


class _Targets:
    """Returns links with their targets, each of which is seldom read more than once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[int, UrlRecord] = {}

    def of(self, links: Iterable[LinkRecord]) -> Iterator[TargetedLink]:
        rest = iter(links)
        while some := list(islice(rest, _AT_ONCE)):
            self._look_up({link.target_id for link in some})
            known = self._known
            yield from (
                TargetedLink(link, known[link.target_id])
                for link in some
                if link.target_id in known
            )

    def _look_up(self, wanted: set[int]) -> None:
        while len(self._known) > _TARGETS:
            drop_oldest(self._known)
        missing = sorted(wanted.difference(self._known))
        self._known.update((each.id, each) for each in self._reader.records(missing))


class ReportCell(NamedTuple):
    """The sources of a cell: fields of a link and, after OF_TARGET, those of its target.

    Links of other than these `kinds` have the cell `otherwise`. `sql` is the equivalent of `make`,
    if there is one.
    """

    fields: tuple[str, ...]
    make: Callable[..., Cell]
    kinds: Collection[LinkKind] = frozenset(LinkKind)
    otherwise: Cell = None
    sql: str = ""


def as_stored(value: Cell) -> Cell:
    """A cell that is the field itself."""
    return value


def _or_zero(number: int | None) -> int:
    return number or 0


def _or_nothing(text: str) -> str | None:
    return text or None


_MADE: Final = {each.name: each.made for each in LINK_FIELDS if each.made}
_URLS: Final = {each.name: each for each in URL_FIELDS}
_MADE_OF_URLS: Final = {each.name: each.made for each in URL_FIELDS if each.made}


def _derived(name: str) -> ReportCell:
    """The cell of a field of links that is derived from another."""
    made = _MADE[name]
    return ReportCell(made.of, made.make)


def _status(status: int | None, reason: str | None, indexability: Indexability) -> str | None:
    """As in reports on URLs: without a response, why there is none."""
    if status is None:
        return why_not_indexable(indexability)
    return STATUS_TEXT.make(status, reason)


_STATUS: Final = MADE_CELLS["Status"]
_STATUS_SQL: Final = _STATUS.sql.format(*(read_sql(_URLS[name]) for name in _STATUS.fields))


def _of_target(name: str) -> ReportCell:
    """The cell of a field of the target that is derived from others."""
    made = _MADE_OF_URLS[name]
    fields = tuple(f"{OF_TARGET}{each}" for each in made.of)
    return ReportCell(fields, made.make, sql=made.field.sql)


def _alt_text(text: str, kind: LinkKind, traits: int) -> str | None:
    return text if is_alt_text(kind, traits) else None


def _anchor(text: str, kind: LinkKind, traits: int) -> str | None:
    has_none = kind is LinkKind.ALTERNATE or is_alt_text(kind, traits)
    return None if has_none else text


_TEXT: Final = ("text", "kind", "traits")
_LANGUAGE: Final = frozenset({LinkKind.ALTERNATE})
_TEXT_SQL: Final = "coalesce(link_text.value, '')"
REPORT_LINK_CELLS: Final[dict[str, ReportCell]] = {
    "Type": ReportCell(("kind",), lambda kind: kind.declaration.export_name),
    "Source": ReportCell(("source_url",), as_stored),
    "Destination": ReportCell(("target_url",), as_stored),
    "Form Action Link": ReportCell(("kind",), lambda kind: boolean_cell(kind is LinkKind.FORM)),
    "Indexability": _of_target("indexability"),
    "Indexability Status": _of_target("indexability_status"),
    "hreflang": ReportCell(("text",), _or_nothing, _LANGUAGE),
    "Size (Bytes)": ReportCell((f"{OF_TARGET}size_bytes",), as_stored),
    "Alt Text": ReportCell(
        _TEXT, _alt_text, sql=f"CASE WHEN {IS_ALT_TEXT_SQL} THEN {_TEXT_SQL} END"
    ),
    "Length": ReportCell(("text",), len, frozenset(LinkKind) - _LANGUAGE, 0),
    "Anchor": ReportCell(
        _TEXT,
        _anchor,
        sql=f"CASE WHEN NOT (l.kind = {int(LinkKind.ALTERNATE)} OR {IS_ALT_TEXT_SQL})"
        f" THEN {_TEXT_SQL} END",
    ),
    "Status Code": ReportCell(("target_status",), _or_zero, sql="coalesce(v.status, 0)"),
    "Status": ReportCell(
        tuple(f"{OF_TARGET}{each}" for each in ("status", "reason", "indexability_reason")),
        _status,
        sql=_STATUS_SQL,
    ),
    "Follow": _derived("follow"),
    "Target": ReportCell(("window",), as_stored),
    "Rel": ReportCell(("rel",), as_stored),
    "Path Type": _derived("path_type"),
    # Nothing takes visitors to the target, which other links name.
    "Unlinked": ReportCell(
        (f"{OF_TARGET}inlinks",),
        lambda inlinks: boolean_cell(not inlinks),
        frozenset(LinkKind) - INLINK_KINDS,
        boolean_cell(holds=False),
    ),
    "Link Path": ReportCell(("path",), as_stored),
    "Link Position": _derived("place"),
    "Link Origin": _derived("origin"),
}
REPORT_LINK_HEADINGS: Final = tuple(REPORT_LINK_CELLS)


def link_report_rows(reader: Reader, links: Iterable[LinkRecord]) -> Iterator[Row]:
    """A row for each link, under REPORT_LINK_HEADINGS."""
    cells = list(map(_cell_of_row, REPORT_LINK_CELLS.values()))
    return (tuple([cell(row) for cell in cells]) for row in _Targets(reader).of(links))


def _cell_of_row(cell: ReportCell) -> Callable[[TargetedLink], Cell]:
    get = [
        attrgetter(name if name.startswith(OF_TARGET) else f"link.{name}") for name in cell.fields
    ]

    def made(row: TargetedLink) -> Cell:
        if row.link.kind not in cell.kinds:
            return cell.otherwise
        return cell.make(*[each(row) for each in get])

    return made


def all_link_blocks(
    cells: Sequence[ReportCell], reader: Reader, wanted: Sequence[tuple[int, Encode]]
) -> Iterator[Block]:
    """All links in blocks, with columns of encoded cells: those of these that are wanted."""
    asked: list[LinkField] = []
    columns = [_column_of_block(cells[place], encode, asked) for place, encode in wanted]
    for block in reader.link_blocks(asked):
        yield [column(block) for column in columns]


def _column_of_block(
    cell: ReportCell, encode: Encode, asked: list[LinkField]
) -> Callable[[Block], Sequence[Any]]:
    """The function for a column of cells of a block of the fields `asked`, which it extends."""
    first = len(asked)
    if len(cell.fields) > 1:
        made = lru_cache(1000)(lambda *values: encode(cell.make(*values)))
        asked += [(name, as_stored) for name in cell.fields]
        return lambda block: list(map(made, *block[first : first + len(cell.fields)]))
    asked.append((cell.fields[0], lambda value: encode(cell.make(value))))
    if len(cell.kinds) == len(LinkKind):
        return lambda block: block[first]
    asked.append(("kind", cell.kinds.__contains__))
    otherwise = encode(cell.otherwise)
    return lambda block: [
        value if holds else otherwise
        for value, holds in zip(block[first], block[first + 1], strict=True)
    ]


def _links(reader: Reader, selection: ExportSelection) -> Iterator[LinkRecord]:
    if selection.filter_ == Filter():
        return reader.links()
    return reader.matching_links(View.LINKS, selection.filter_)


def _all(reader: Reader, selection: ExportSelection, _check: Check) -> Sheet:
    """All links: millions, and therefore as columns."""
    if selection.filter_ != Filter():
        rows = link_report_rows(reader, _links(reader, selection))
        return Sheet(REPORT_LINK_HEADINGS, rows, reader.link_count())
    blocks = partial(all_link_blocks, [*REPORT_LINK_CELLS.values()], reader)
    as_they_are = [(place, as_stored) for place in range(len(REPORT_LINK_HEADINGS))]
    return Sheet(
        REPORT_LINK_HEADINGS,
        (row for block in blocks(as_they_are) for row in zip(*block, strict=True)),
        reader.link_count(),
        blocks=blocks,
        is_exact=True,
    )


def _insecure_content(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    """What HTTPS pages link to or load over plain HTTP."""

    def links() -> Iterator[LinkRecord]:
        for link in _links(reader, selection):
            check()
            if link.target_url.startswith("http://") and link.source_url.startswith("https://"):
                yield link

    return Sheet(REPORT_LINK_HEADINGS, link_report_rows(reader, links()), reader.link_count())


_view = partial(ExportView, has_facets=True, is_of_links=True)

ALL_INLINKS: Final = _view(
    "all_inlinks", "All inlinks", _all, rows=ViewLinks(is_report=True, by_target=True)
)
ALL_OUTLINKS: Final = _view("all_outlinks", "All outlinks", _all, rows=ViewLinks(is_report=True))
INSECURE_CONTENT: Final = _view(
    "insecure_content",
    "Insecure content",
    _insecure_content,
    rows=ViewLinks(INSECURE_TARGETS, is_report=True),
)
