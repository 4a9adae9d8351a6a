"""Replaces text in batches that SQLite cannot store.

Page workers clean what they send, so this is the second net: without it one lone surrogate would
end a crawl.
"""

import sys
from typing import TypeVar

from msgspec import Struct, structs

from gossamer.model.store_batch import RobotsRow, StoreBatch, UrlRow, VisitRow
from gossamer.model.text_cleaning import clean_text
from gossamer.model.visit import IndexedColumn, PageLinks, SparseColumn, Visit

_T = TypeVar("_T", bound=Struct)


def clean_url(url: str) -> str:
    """`url` as it is stored and looked up; serialised URLs stay as they are."""
    return url if url.isascii() else clean_text(url, sys.maxsize)


def cleaned(batch: StoreBatch) -> StoreBatch:
    """A copy of `batch` whose every text can be stored."""
    return structs.replace(
        batch,
        new=[_url_row(row) for row in batch.new],
        visits=[_visit_row(row) for row in batch.visits],
        robots=[_robots_row(row) for row in batch.robots],
    )


def _url_row(row: UrlRow) -> UrlRow:
    return structs.replace(row, url=clean_url(row.url))


def _visit_row(row: VisitRow) -> VisitRow:
    return structs.replace(
        row,
        visit=_visit(row.visit),
        links=structs.replace(row.links, links=_links(row.links.links)),
    )


def _visit(visit: Visit) -> Visit:
    return structs.replace(
        _cleaned(visit),
        headers=[(clean_text(name), clean_text(value)) for name, value in visit.headers],
        location=None if visit.location is None else clean_url(visit.location),
        facts=None if visit.facts is None else _cleaned(visit.facts),
        rendering=None if visit.rendering is None else _cleaned(visit.rendering),
    )


def _cleaned(values: _T) -> _T:
    """The same with clean texts, in the columns of links too."""
    fields = structs.asdict(values).items()
    texts = {name: clean_text(value) for name, value in fields if isinstance(value, str)}
    columns = {name: _mostly(value) for name, value in fields if isinstance(value, SparseColumn)}
    indexed = {
        name: IndexedColumn(list(map(clean_text, value.texts)), value.indexes)
        for name, value in fields
        if isinstance(value, IndexedColumn)
    }
    return structs.replace(values, **texts, **columns, **indexed)


def _links(links: PageLinks) -> PageLinks:
    return structs.replace(_cleaned(links), texts=list(map(clean_text, links.texts)))


def _mostly(column: SparseColumn) -> SparseColumn:
    return SparseColumn(
        clean_text(column.usual), column.positions, list(map(clean_text, column.others))
    )


def _robots_row(row: RobotsRow) -> RobotsRow:
    return structs.replace(
        row,
        origin=clean_text(row.origin),
        text=clean_text(row.text, len(row.text) + 1),
        etag=clean_text(row.etag),
        last_modified=clean_text(row.last_modified),
    )
