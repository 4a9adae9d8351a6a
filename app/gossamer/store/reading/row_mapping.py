"""Maps rows of SQLite to records and other values.

SQLite keeps any value in any column: what has not the type that we write raises ValueError here.
"""

from typing import Any, TypeAlias

from msgspec import convert, structs

from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import URL_FIELDS, UrlRecord
from gossamer.model.project_queries import ChainHop, FolderNode, LinkCounts, TreeNode
from gossamer.store.field_sql import LINK_TEXTS, storage_of
from gossamer.store.header_texts import HeaderTexts
from gossamer.store.reading.worst_errors import errors_and_worst

Row: TypeAlias = tuple[Any, ...]

_DECLARED = {each.name: storage_of(each) for each in URL_FIELDS}
_DECODED = [
    (place, storage.decode)
    for place, name in enumerate(UrlRecord.__struct_fields__)
    if (storage := _DECLARED[name]).decode is not None
]
_TEXTS = [
    place
    for place, name in enumerate(LinkRecord.__struct_fields__)
    if name in {each.name for each in LINK_TEXTS}
]
_HOP = ("id", "url", "outcome", "status", "elapsed_ms", "redirect_kind", "sources")


def record(row: Row) -> UrlRecord:
    """A row of `RECORD_SELECTED`."""
    values = list(row)
    for place, decode in _DECODED:
        values[place] = decode(values[place])
    return convert(values, UrlRecord)


def node(row: Row) -> TreeNode:
    """A row of `NODE_COLUMNS`."""
    *values, trouble = row
    return convert([*values, *errors_and_worst(trouble)], TreeNode)


def folder(row: Row) -> FolderNode:
    """A row of `NODES` of folders."""
    return convert(row, FolderNode)


def hop(row: Row) -> ChainHop:
    """A URL of a chain: id, url, outcome, status, elapsed_ms, redirect_kind, sources."""
    return convert(dict(zip(_HOP, row, strict=True)), ChainHop)


def closed(chain: list[ChainHop]) -> list[ChainHop]:
    """A chain that says where it closes, if it does."""
    ids = [each.id for each in chain]
    first = ids.index(ids[-1]) + 1 if ids else 0
    return chain if first == len(ids) else [*chain[:-1], structs.replace(chain[-1], repeats=first)]


def headers_of(row: Row) -> list[tuple[str, str]]:
    """Headers from their `HeaderTexts`."""
    return HeaderTexts(*convert(row, tuple[str, str])).headers


def robots_of(row: Row) -> tuple[int | None, str]:
    """Status and text of a robots.txt."""
    return convert(row, tuple[int | None, str])


def headers_by_id(row: Row) -> tuple[int, list[tuple[str, str]]]:
    """The id of a URL and its headers."""
    url_id, *texts = row
    return convert(url_id, int), headers_of(tuple(texts))


def counts_of(row: Row) -> LinkCounts:
    """What LINK_COUNTS gives."""
    return convert(row, LinkCounts)


def link(row: Row) -> LinkRecord:
    """A row of `LINK_SELECTED`. A link that has no text has NULL for it."""
    values = list(row)
    for place in _TEXTS:
        values[place] = values[place] or ""
    return convert(values, LinkRecord)
