"""The reports on chains: of redirects, of canonicals, and of both."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from gossamer.export.export_columns import boolean_cell
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.link_sheets import inlinks_of
from gossamer.export.sheet import Cell, Row, Sheet
from gossamer.export.url_cells import CELLS
from gossamer.export.url_views import size_of
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import INLINK_KINDS
from gossamer.model.outcome_counts import LEADING_ON
from gossamer.model.project_queries import View
from gossamer.model.redirect_types import PERMANENT_STATUSES, RedirectKind
from gossamer.store.reading.reader import Reader

_STEPS: Final = 10
"""URLs of a chain that have columns of their own."""
_LONGEST: Final = 100
"""URLs of a chain that are followed at all; then the last of them is its end."""
_CANONICAL: Final = "Canonical"
CHAIN_HEADINGS: Final = (
    *("Chain Type", "Number of Redirects", "Loop", "Source", "Temp Redirect in Chain", "Address"),
    *("Final Address", "Final Indexability", "Final Indexability Status", "Final Content"),
    *("Final Status Code", "Final Status", "Alt Text", "Anchor Text", "Link Path"),
    "Link Position",
    *(
        f"{heading} {step}"
        for step in range(1, _STEPS + 1)
        for heading in ("Content", "Status Code", "Status", "Redirect Type", "Redirect URL")
    ),
)


_RESPONSE: Final = tuple(CELLS[each] for each in ("Content Type", "Status Code", "Status"))


class _Hop(NamedTuple):
    """A URL of a chain, and where it leads by what means; None at the end."""

    record: UrlRecord
    by: str | None = None


Onward = Callable[[UrlRecord], tuple[str, str] | None]
"""Says by what means a URL leads on, and to which address."""


def _by_redirect(record: UrlRecord) -> tuple[str, str] | None:
    if record.outcome not in LEADING_ON or record.redirect is None:
        return None
    return record.redirect_type or "HTTP Redirect", record.redirect


def _by_canonical(record: UrlRecord) -> tuple[str, str] | None:
    for canonical in (record.canonical, record.canonical_header):
        address = (canonical or "").partition("#")[0]
        if address and address != record.url:
            return _CANONICAL, address
    return None


def _by_either(record: UrlRecord) -> tuple[str, str] | None:
    return _by_redirect(record) or _by_canonical(record)


def _chains(reader: Reader, onward: Onward, views: Iterable[View], check: Check) -> "_Chains":
    leads: dict[int, int] = {}
    linked: set[int] = set()
    for view in views:
        for record in reader.iterate(view):
            check()
            if (found := onward(record)) and (target := reader.lookup(found[1])):
                leads[record.id] = target
                if record.inlinks:
                    linked.add(record.id)
    return _Chains(reader, onward, leads, linked)


class _Chains:
    """The chains of URLs that lead on: from each that pages link to, or that nothing leads to.

    Costs about 100 bytes for each URL that leads on. A loop that nothing leads into or links to
    starts at its lowest id.
    """

    def __init__(
        self, reader: Reader, onward: Onward, leads: dict[int, int], linked: set[int]
    ) -> None:
        self._reader = reader
        self._onward = onward
        self._leads = leads
        self._linked = linked

    def __iter__(self) -> Iterator[list[_Hop]]:
        inner = set(self._leads.values())
        seen: set[int] = set()
        for start in self._leads:
            if start not in inner or start in self._linked:
                yield self._from(start, seen)
        for start in sorted(inner.intersection(self._leads) - seen):
            if start not in seen:
                yield self._from(start, seen)

    def _from(self, start: int, seen: set[int]) -> list[_Hop]:
        """The chain from a URL to its end, or to the URL that repeats."""
        ids = [start]
        while (following := self._leads.get(ids[-1])) and len(ids) < _LONGEST:
            is_loop = following in ids
            ids.append(following)
            if is_loop:
                break
        seen.update(ids)
        found = {record.id: record for record in self._reader.records(ids)}
        records = [found[each] for each in ids if each in found]
        means = [self._onward(each) for each in records[:-1]]
        return [
            *(_Hop(*pair) for pair in zip(records, map(_first, means), strict=False)),
            _Hop(records[-1]),
        ]


def _first(found: tuple[str, str] | None) -> str | None:
    return found and found[0]


def _report(
    onward: Onward,
    views: Sequence[View],
    reader: Reader,
    _selection: ExportSelection,
    check: Check,
    *,
    fewest: int = 2,
) -> Sheet:
    """The chains of at least `fewest` hops, and loops."""

    def rows() -> Iterator[Row]:
        for chain in _chains(reader, onward, views, check):
            if len(chain) > fewest or _is_loop(chain):
                check()
                yield from _rows(reader, chain)

    return Sheet(CHAIN_HEADINGS, rows(), sum(size_of(reader, view) for view in views))


def _rows(reader: Reader, chain: Sequence[_Hop]) -> Iterator[Row]:
    """A row for each link to the first URL; a URL without links has one."""
    start = chain[0].record
    links = (link for link in inlinks_of(reader, start.id) if link.kind in INLINK_KINDS)
    first = next(links, None)
    yield _row(chain, first)
    for link in links:
        yield _row(chain, link)


def _row(chain: Sequence[_Hop], link: LinkRecord | None) -> Row:
    means = [hop.by for hop in chain[:-1] if hop.by]
    end = chain[-1].record
    cells: list[Cell] = [
        " & ".join(dict.fromkeys(means)),
        len(means),
        boolean_cell(_is_loop(chain)),
        link.source_url if link else None,
        boolean_cell(any(map(_is_temporary, chain[:-1]))),
        chain[0].record.url,
        end.url,
        end.indexability,
        end.indexability_status,
        *(cell(end) for cell in _RESPONSE),
        (link.alt_text or None) if link else None,
        (link.anchor or None) if link else None,
        link.path if link else None,
        link.place if link else None,
    ]
    for place, hop in enumerate(chain[:_STEPS]):
        record, leads_on = hop.record, place + 1 < len(chain)
        following = chain[place + 1].record.url if leads_on else None
        cells += (*(cell(record) for cell in _RESPONSE), hop.by, following)
    cells += [None] * (len(CHAIN_HEADINGS) - len(cells))
    return tuple(cells)


def _is_loop(chain: Sequence[_Hop]) -> bool:
    return any(hop.record.id == chain[-1].record.id for hop in chain[:-1])


def _is_temporary(hop: _Hop) -> bool:
    kind = hop.record.redirect_kind
    return kind is RedirectKind.HTTP and hop.record.status not in PERMANENT_STATUSES


REDIRECT_CHAINS: Final = ExportView(
    "redirect_chains", "Redirect chains", partial(_report, _by_redirect, (View.REDIRECTS,))
)
ALL_REDIRECTS: Final = ExportView(
    "all_redirects", "All redirects", partial(_report, _by_redirect, (View.REDIRECTS,), fewest=1)
)
REDIRECT_AND_CANONICAL_CHAINS: Final = ExportView(
    "redirect_and_canonical_chains",
    "Redirect and canonical chains",
    partial(_report, _by_either, (View.REDIRECTS, View.PAGES, View.RESOURCES)),
)
CANONICAL_CHAINS: Final = ExportView(
    "canonical_chains",
    "Canonical chains",
    partial(_report, _by_canonical, (View.PAGES, View.RESOURCES)),
)
