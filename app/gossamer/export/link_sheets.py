"""Links as rows: those to some URLs or on them, and those to what does not work."""

from collections.abc import Callable, Iterable, Iterator

from gossamer.export.columns import LINK_COLUMNS
from gossamer.export.selection import ExportView
from gossamer.export.sheet import Sheet
from gossamer.model.views import LinkEnd, LinkRecord, LinksOf, View
from gossamer.store.reader import Reader

_AT_ONCE = 2000


def sheet_of_links(name: str, links: Iterable[LinkRecord], expected: int) -> Sheet:
    """A row for each link."""
    rows = (tuple([value(link) for _, value in LINK_COLUMNS]) for link in links)
    return Sheet(name, tuple(column for column, _ in LINK_COLUMNS), rows, expected)


def links_sheet(reader: Reader, wanted: LinksOf) -> Sheet:
    """The links to some URLs, or on them, in constant memory."""
    is_to = wanted.end is LinkEnd.INLINKS
    read = _inlinks if is_to else _outlinks
    counts = map(reader.link_counts, wanted.urls)
    return sheet_of_links(
        wanted.end.value,
        (link for url_id in wanted.urls for link in read(reader, url_id)),
        sum(count.inlinks if is_to else count.outlinks for count in counts),
    )


def broken_links_sheet(reader: Reader, check: Callable[[], None]) -> Sheet:
    """Links to what does not work, by what that is, in constant memory."""

    def links() -> Iterator[LinkRecord]:
        for record in reader.iterate(View.ERRORS):
            check()
            yield from _inlinks(reader, record.id)

    expected = reader.view_counts()[View.BROKEN_LINKS]
    return sheet_of_links(ExportView.BROKEN_LINKS, links(), expected)


def _inlinks(reader: Reader, url_id: int) -> Iterator[LinkRecord]:
    after = (0, -1)
    while found := reader.inlinks(url_id, after, _AT_ONCE):
        yield from found
        after = (found[-1].source_id, found[-1].position)


def _outlinks(reader: Reader, url_id: int) -> Iterator[LinkRecord]:
    after = -1
    while found := reader.outlinks(url_id, after, _AT_ONCE):
        yield from found
        after = found[-1].position
