"""Finds URLs by what the links that lead to them say, in all that a project has read."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from gossamer.model.link_kinds import OUTLINK_KINDS
from gossamer.model.outcome import UrlState
from gossamer.store.bulk_insert import listed
from gossamer.store.database import open_for_reading, translated_reading

SaysSo = Callable[[str], object]
"""Whether the text of a link means what is looked for."""
OnProgress = Callable[[int, int], None]
"""Gets how many texts and pages have been looked at, and how many there are."""

_STEP: Final = 5_000
_LAST: Final = (
    "SELECT coalesce((SELECT max(id) FROM text), 0), coalesce((SELECT max(id) FROM url), 0)"
)
_TEXTS: Final = "SELECT id, value FROM text WHERE id BETWEEN ? AND ? AND length(value) <= ?"
_LINKS: Final = f"""
    SELECT target, min(text) FROM link WHERE source BETWEEN ? AND ?
    AND text IN (SELECT value FROM json_each(?)) AND fragment IS NULL
    AND kind IN ({listed(OUTLINK_KINDS)}) GROUP BY target
"""  # noqa: S608 - our own words
_TARGETS: Final = f"""
    SELECT u.id, u.url FROM json_each(?) t JOIN url u ON u.id = t.value
    ORDER BY u.state <> {int(UrlState.QUEUED)}, u.id
"""  # noqa: S608 - our own words


def targets_by_text(
    path: Path, says_so: SaysSo, longest: int, on_progress: OnProgress = lambda _done, _of: None
) -> list[tuple[int, str, str]]:
    """Id, URL and text of each target of such a link; those that are queued come first.

    Links to a part of a page do not count, nor do alternative texts of images that a page loads,
    nor texts longer than `longest` characters.
    """
    with translated_reading(path), closing(open_for_reading(path)) as connection:
        ((last_text, last_url),) = connection.execute(_LAST)
        of = last_text + last_url
        texts: dict[int, str] = {}
        for first, last in _steps(last_text):
            on_progress(first - 1, of)
            rows = connection.execute(_TEXTS, (first, last, longest))
            texts |= {text_id: text for text_id, text in rows if says_so(text)}
        if not texts:
            return []
        first_text = _first_texts(
            connection, list(texts), last_url, lambda done: on_progress(last_text + done, of)
        )
        found = connection.execute(_TARGETS, (json.dumps(list(first_text)),))
        return [(url_id, url, texts[first_text[url_id]]) for url_id, url in found]


def _first_texts(
    connection: sqlite3.Connection,
    texts: list[int],
    last_url: int,
    on_progress: Callable[[int], None],
) -> dict[int, int]:
    """The targets of links with one of these texts; of several, the text that was stored first."""
    wanted = json.dumps(texts)
    found: dict[int, int] = {}
    for first, last in _steps(last_url):
        on_progress(first - 1)
        for target, text in connection.execute(_LINKS, (first, last, wanted)):
            found[target] = min(found.get(target, text), text)
    return found


def _steps(last: int) -> Iterator[tuple[int, int]]:
    """The ids up to `last` in parts: the first and the last one of each."""
    for first in range(1, last + 1, _STEP):
        yield first, first + _STEP - 1
