"""The views whose rows are links, and the sheets of the links of some URLs."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from gossamer.export.export_columns import LINK_CELLS, LINK_HEADINGS, link_rows
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.link_reports import ReportCell, all_link_blocks, as_stored
from gossamer.export.sheet import Sheet
from gossamer.export.view_rows import BROKEN_TARGETS, ViewLinks
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.project_queries import Filter, LinkEnd, LinksOf, View
from gossamer.store.reading.reader import Reader

_AT_ONCE = 2000


def _links(reader: Reader, selection: ExportSelection, _check: Check) -> Sheet:
    """All links: millions, and therefore as columns."""
    if selection.filter_ != Filter():
        return sheet_of_links(
            reader.matching_links(View.LINKS, selection.filter_), reader.link_count()
        )
    blocks = partial(all_link_blocks, [ReportCell(*each) for each in LINK_CELLS], reader)
    as_they_are = [(place, as_stored) for place in range(len(LINK_HEADINGS))]
    return Sheet(
        LINK_HEADINGS,
        (row for block in blocks(as_they_are) for row in zip(*block, strict=True)),
        reader.link_count(),
        blocks=blocks,
        is_exact=True,
    )


def sheet_of_links(links: Iterable[LinkRecord], expected: int, *, is_exact: bool = False) -> Sheet:
    """A row for each link."""
    return Sheet(LINK_HEADINGS, link_rows(links), expected, is_exact=is_exact)


def links_sheet(reader: Reader, wanted: LinksOf) -> Sheet:
    """The links to some URLs, or on them, in constant memory."""
    is_to = wanted.end is LinkEnd.INLINKS
    read = inlinks_of if is_to else outlinks_of
    counts = map(reader.link_counts, wanted.urls)
    return sheet_of_links(
        (link for url_id in wanted.urls for link in read(reader, url_id)),
        sum(
            count.inlinks + count.other_inlinks if is_to else count.outlinks + count.other_outlinks
            for count in counts
        ),
        is_exact=True,
    )


def _broken_links(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    """Links to what does not work, by outcome, in constant memory."""

    def links() -> Iterator[LinkRecord]:
        if selection.filter_ != Filter():
            yield from reader.matching_links(View.BROKEN_LINKS, selection.filter_)
            return
        for record in reader.iterate(View.ERRORS):
            check()
            yield from inlinks_of(reader, record.id)

    expected = reader.view_counts()[View.BROKEN_LINKS]
    return sheet_of_links(links(), expected)


def inlinks_of(reader: Reader, url_id: int) -> Iterator[LinkRecord]:
    """The links to a URL, in constant memory."""
    after = (0, -1)
    while found := reader.inlinks(url_id, after, _AT_ONCE):
        yield from found
        after = (found[-1].source_id, found[-1].position)


def outlinks_of(reader: Reader, url_id: int) -> Iterator[LinkRecord]:
    """The links on a URL, likewise."""
    after = -1
    while found := reader.outlinks(url_id, after, _AT_ONCE):
        yield from found
        after = found[-1].position


LINKS: Final = ExportView(
    "links", "Links", _links, has_facets=True, is_of_links=True, rows=ViewLinks()
)
BROKEN_LINKS: Final = ExportView(
    "broken-links",
    "Broken links",
    _broken_links,
    has_facets=True,
    is_of_links=True,
    rows=ViewLinks(BROKEN_TARGETS, by_target=True),
)
