"""The reports whose rows are links, with what is known of their targets."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from gossamer.export.export_columns import boolean_cell
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Cell, Row, Sheet
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import INLINK_KINDS, LinkKind
from gossamer.model.project_queries import Filter, View
from gossamer.store.reading.reader import Reader

_AT_ONCE: Final = 2000
_TARGETS: Final = 50_000
"""Targets that are kept for the links that come next."""


class TargetedLink(NamedTuple):
    """A link, and what is known of its target."""

    link: LinkRecord
    target: UrlRecord


class _Targets:
    """Gives links with their targets, each of which is read once or once in a long while."""

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


def _alt_text(row: TargetedLink) -> str | None:
    return row.link.text if row.link.kind is LinkKind.IMAGE else None


def _anchor(row: TargetedLink) -> str | None:
    return None if row.link.kind in {LinkKind.IMAGE, LinkKind.ALTERNATE} else row.link.text


def _language(row: TargetedLink) -> str | None:
    return row.link.text or None if row.link.kind is LinkKind.ALTERNATE else None


def _is_unlinked(row: TargetedLink) -> str:
    """Whether nothing takes visitors to the target, which other links name."""
    is_unlinked = row.link.kind not in INLINK_KINDS and not row.target.inlinks
    return boolean_cell(is_unlinked)


_CELLS: Final[dict[str, Callable[[TargetedLink], Cell]]] = {
    "Type": lambda row: row.link.kind.declaration.export_name,
    "Source": lambda row: row.link.source_url,
    "Destination": lambda row: row.link.target_url,
    "Form Action Link": lambda row: boolean_cell(row.link.kind is LinkKind.FORM),
    "Indexability": lambda row: row.target.indexability,
    "Indexability Status": lambda row: row.target.indexability_status,
    "hreflang": _language,
    "Size (Bytes)": lambda row: row.target.size_bytes,
    "Alt Text": _alt_text,
    "Length": lambda row: len(_alt_text(row) or _anchor(row) or ""),
    "Anchor": _anchor,
    "Status Code": lambda row: row.link.target_status,
    "Status": lambda row: row.target.status_text,
    "Follow": lambda row: row.link.follow,
    "Target": lambda row: row.link.window,
    "Rel": lambda row: row.link.rel,
    "Path Type": lambda row: row.link.path_type,
    "Unlinked": _is_unlinked,
    "Link Path": lambda row: row.link.path,
    "Link Position": lambda row: row.link.place,
    "Link Origin": lambda row: row.link.origin,
}
REPORT_LINK_HEADINGS: Final = tuple(_CELLS)


def link_report_rows(reader: Reader, links: Iterable[LinkRecord]) -> Iterator[Row]:
    """A row for each link, under REPORT_LINK_HEADINGS."""
    cells = tuple(_CELLS.values())
    return (tuple([cell(row) for cell in cells]) for row in _Targets(reader).of(links))


def _links(reader: Reader, selection: ExportSelection) -> Iterator[LinkRecord]:
    if selection.filter_ == Filter():
        return reader.links()
    return reader.matching_links(View.LINKS, selection.filter_)


def _all(reader: Reader, selection: ExportSelection, _check: Check) -> Sheet:
    rows = link_report_rows(reader, _links(reader, selection))
    is_exact = selection.filter_ == Filter()
    return Sheet(REPORT_LINK_HEADINGS, rows, reader.link_count(), is_exact=is_exact)


def _insecure_content(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    """What HTTPS pages link to or load over plain HTTP."""

    def links() -> Iterator[LinkRecord]:
        for link in _links(reader, selection):
            check()
            if link.target_url.startswith("http://") and link.source_url.startswith("https://"):
                yield link

    return Sheet(REPORT_LINK_HEADINGS, link_report_rows(reader, links()), reader.link_count())


_view = partial(ExportView, has_facets=True)

ALL_INLINKS: Final = _view("all_inlinks", "All inlinks", _all)
ALL_OUTLINKS: Final = _view("all_outlinks", "All outlinks", _all)
INSECURE_CONTENT: Final = _view("insecure_content", "Insecure content", _insecure_content)
