"""Batches with text that SQLite cannot store, made storable.

Page workers clean what they send, so this is the second net: without it one lone surrogate would
end a crawl.
"""

import sys
from dataclasses import replace

from msgspec import structs

from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.store_batch import RobotsRow, StoreBatch, UrlRow, VisitRow
from gossamer.model.text_cleaning import clean_text, one_line
from gossamer.model.visit import PageLinks, SparseColumn, Visit


def clean_url(url: str) -> str:
    """`url` as it is stored and looked up; serialised URLs stay as they are."""
    return url if url.isascii() else clean_text(url, sys.maxsize)


def header_lines(headers: list[tuple[str, str]]) -> str:
    """Headers as they are stored: a line `Name: value` each."""
    lines = "".join([f"{name}: {value}\n" for name, value in headers])
    if lines.count("\n") == len(headers) and "\r" not in lines:
        return lines
    return "".join([f"{one_line(name)}: {one_line(value)}\n" for name, value in headers])


def cleaned(batch: StoreBatch) -> StoreBatch:
    """A copy of `batch` whose every text can be stored."""
    return replace(
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
        visit,
        reason=clean_text(visit.reason),
        headers=[(clean_text(name), clean_text(value)) for name, value in visit.headers],
        location=None if visit.location is None else clean_url(visit.location),
        content_type=clean_text(visit.content_type),
        charset=clean_text(visit.charset),
        robots_header=clean_text(visit.robots_header),
        facts=None if visit.facts is None else _facts(visit.facts),
    )


def _facts(facts: PageFacts) -> PageFacts:
    texts = {
        name: clean_text(value)
        for name, value in structs.asdict(facts).items()
        if isinstance(value, str)
    }
    return structs.replace(facts, **texts)


def _links(links: PageLinks) -> PageLinks:
    return structs.replace(
        links,
        texts=list(map(clean_text, links.texts)),
        rels=_mostly(links.rels),
        elements=_mostly(links.elements),
        fragments=_mostly(links.fragments),
    )


def _mostly(column: SparseColumn) -> SparseColumn:
    return SparseColumn(
        clean_text(column.usual), column.positions, list(map(clean_text, column.others))
    )


def _robots_row(row: RobotsRow) -> RobotsRow:
    return structs.replace(
        row,
        origin=clean_text(row.origin),
        text=clean_text(row.text, len(row.text) + 1),
    )
