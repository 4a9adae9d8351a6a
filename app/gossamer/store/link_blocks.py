"""Reading all links there are, many at a time.

To join both ends and four texts to each of twenty million links takes longer than all else that an
export does: so each URL and each text is read once for many links, in the order of the file.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, TypeAlias

from gossamer.model.link_block import Coded, LinkBlock
from gossamer.model.outcome import Outcome
from gossamer.model.page import LinkAction, LinkKind
from gossamer.store.bulk import chunks, marks

_AT_ONCE: Final = 20_000
_LINKS: Final = """
    SELECT source, position, target, kind, action, text, rel, element, fragment FROM link
    WHERE (source, position) > (?, ?) ORDER BY source, position LIMIT ?
"""
_SOURCES: Final = "SELECT u.id, u.url, v.title FROM url u LEFT JOIN visit v ON v.id = u.id"
_TARGETS: Final = (
    "SELECT u.id, u.url, u.outcome, v.status FROM url u LEFT JOIN visit v ON v.id = u.id"
)
_WORDS: Final = ("text", "rel", "element", "fragment")

_Row: TypeAlias = tuple[Any, ...]


def link_blocks(
    connection: sqlite3.Connection, reading: Callable[[], AbstractContextManager[None]]
) -> Iterator[LinkBlock]:
    """All links, by source and position; `reading` is entered for each block."""
    after = (0, -1)
    while True:
        with reading():
            rows = connection.execute(_LINKS, (*after, _AT_ONCE)).fetchall()
            block = _block(connection, rows)
        if block is not None:
            yield block
        if not rows:
            return
        after = rows[-1][:2]


def _block(connection: sqlite3.Connection, rows: list[_Row]) -> LinkBlock | None:
    """These links with all that is said of them; None for none. ValueError for what is no number.

    Without those whose source or target is not there, as may be in a damaged file.
    """
    sources = _columns_of(connection, f"{_SOURCES} WHERE u.id", {row[0] for row in rows})
    targets = _columns_of(connection, f"{_TARGETS} WHERE u.id", {row[2] for row in rows})
    urls, titles = sources or ({}, {})
    target_urls, outcomes, statuses = targets or ({}, {}, {})
    found = [row for row in rows if row[0] in urls and row[2] in target_urls]
    if not found:
        return None
    of_source, positions, of_target, kinds, actions, *texts = zip(*found, strict=True)
    columns = {
        "source_id": _itself(of_source),
        "source_url": Coded(of_source, urls),
        "target_id": _itself(of_target),
        "target_url": Coded(of_target, target_urls),
        "position": _itself(positions),
        "kind": _coded(kinds, LinkKind),
        "action": _coded(actions, LinkAction),
        "target_outcome": _coded(map(outcomes.__getitem__, of_target), Outcome),
        "target_status": _itself(tuple(map(statuses.__getitem__, of_target))),
        "source_title": Coded(of_source, titles),
    }
    for name, keys in zip(_WORDS, texts, strict=True):
        ids = {key for key in keys if key is not None}
        words = _columns_of(connection, "SELECT id, value FROM text WHERE id", ids)
        columns[name] = Coded(keys, dict.fromkeys(set(keys), "") | (words[0] if words else {}))
    return LinkBlock(columns)


def _columns_of(
    connection: sqlite3.Connection, query: str, ids: set[int]
) -> list[dict[int, Any]] | None:
    """What a query gives beside the id, a dict for each column; None if it finds nothing."""
    rows: list[_Row] = []
    for chunk in chunks(sorted(ids)):
        rows += connection.execute(f"{query} IN ({marks(len(chunk))})", chunk)
    if not rows:
        return None
    keys, *columns = zip(*rows, strict=True)
    return [dict(zip(keys, column, strict=True)) for column in columns]


def _itself(keys: Sequence[int | None]) -> Coded:
    return Coded(keys, {key: key for key in set(keys)})


def _coded(numbers: Iterable[int], meaning: Callable[[int], object]) -> Coded:
    keys = tuple(numbers)
    return Coded(keys, {key: meaning(key) for key in set(keys)})
