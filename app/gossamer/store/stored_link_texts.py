"""Finds URLs by what the links that lead to them say, in all that a project has read."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from gossamer.model.outcome import UrlState
from gossamer.store.database import open_for_reading, translated_reading

SaysSo = Callable[[str], object]
"""Whether the text of a link means what is looked for."""

_TEXTS = "SELECT id, value FROM text WHERE length(value) <= ?"
_TARGETS = f"""
    SELECT u.id, u.url, l.text FROM url u JOIN (
        SELECT target, min(text) AS text FROM link
        WHERE text IN (SELECT value FROM json_each(?)) AND fragment IS NULL GROUP BY target
    ) l ON l.target = u.id ORDER BY u.state <> {int(UrlState.QUEUED)}, u.id
"""  # noqa: S608 - our own words


def targets_by_text(path: Path, says_so: SaysSo, longest: int) -> list[tuple[int, str, str]]:
    """Id, URL and text of each target of such a link; those that are queued come first.

    Links to a part of a page do not count, nor do texts longer than `longest` characters.
    """
    with translated_reading(path), closing(open_for_reading(path)) as connection:
        rows = connection.execute(_TEXTS, (longest,))
        texts = {text_id: text for text_id, text in rows if says_so(text)}
        if not texts:
            return []
        found = connection.execute(_TARGETS, (json.dumps(list(texts)),))
        return [(url_id, url, texts[text_id]) for url_id, url, text_id in found]
