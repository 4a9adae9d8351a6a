"""All that a project file counts as it goes, counted anew from the rows themselves.

Indexes may follow behind the rows; what is in them must be right, and what they lack noted.
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from gossamer.model.link_kinds import INLINK_KINDS
from gossamer.model.outcome import ERROR_OUTCOMES
from gossamer.model.overview_data import rounded_ms
from gossamer.store.count_tables import NO_STATUS
from gossamer.urls.url_parsing import url_key

_ERRORS = frozenset(map(int, ERROR_OUTCOMES))
_KINDS = ", ".join(str(int(kind)) for kind in sorted(INLINK_KINDS))
_STATUSES = (
    f"SELECT coalesce(status, {NO_STATUS}), count(*),"  # noqa: S608 - a number
    " sum(iif(coalesce(freshness, 0) IN (1, 2), 0, raw_bytes) + coalesce(resource_bytes, 0)),"
    " sum(coalesce(freshness, 0) IN (1, 2))"
    " FROM visit GROUP BY 1 ORDER BY 1"
)
_TYPES = (
    "SELECT content_type, count(*) FROM visit WHERE content_type IS NOT NULL GROUP BY 1 ORDER BY 1"
)
_IS_COUNTED = f"kind IN ({_KINDS})"
_INLINKS = (
    f"SELECT target, sum({_IS_COUNTED}),"  # noqa: S608 - numbers
    f" count(DISTINCT iif({_IS_COUNTED}, source, NULL)), sum(NOT {_IS_COUNTED})"
    " FROM link JOIN inlink USING (target, source) GROUP BY 1 ORDER BY 1"
)
_LINKED = """
    SELECT DISTINCT target, source FROM link l
    WHERE source NOT IN (SELECT source FROM unindexed_source)
        OR EXISTS (SELECT 1 FROM inlink i WHERE i.target = l.target AND i.source = l.source)
    ORDER BY 1, 2
"""
_CUSTOM = """
    SELECT definition, total(failure IS NULL AND value IS NOT NULL AND value <> 0),
        total(failure IS NULL AND (value IS NULL OR value = 0)), total(failure IS NOT NULL)
    FROM custom_value WHERE position = 0 GROUP BY 1 ORDER BY 1
"""
_KEYS = """
    FROM url u WHERE id <= (SELECT indexed FROM project)
        OR EXISTS (SELECT 1 FROM url_key k WHERE k.id = u.id)
"""
_FOLDERS = """
    FROM url u WHERE folder IS NOT NULL AND (id <= (SELECT indexed FROM project)
        OR EXISTS (SELECT 1 FROM folder_url f WHERE f.folder = u.folder AND f.id = u.id))
    ORDER BY id
"""


def miscounts(path: Path) -> list[str]:
    """What is not as the rows of `url`, `visit` and `link` have it, as lines to read."""
    with closing(sqlite3.connect(path)) as connection:

        def rows(sql: str) -> list[Any]:
            return connection.execute(sql).fetchall()

        pairs: dict[str, tuple[object, object]] = {
            "custom_count": (
                rows("SELECT * FROM custom_count WHERE found OR missing OR failed ORDER BY 1"),
                rows(_CUSTOM),
            ),
            "url_count": (
                rows("SELECT outcome, depth, urls FROM url_count WHERE urls ORDER BY 1, 2"),
                rows("SELECT outcome, depth, count(*) FROM url GROUP BY 1, 2 ORDER BY 1, 2"),
            ),
            "status_count": (
                rows("SELECT * FROM status_count WHERE urls OR received_bytes ORDER BY 1"),
                rows(_STATUSES),
            ),
            "time_count": (
                dict(rows("SELECT elapsed_ms, urls FROM time_count WHERE urls")),
                Counter(
                    rounded_ms(ms)
                    for (ms,) in rows("SELECT elapsed_ms FROM visit WHERE elapsed_ms IS NOT NULL")
                ),
            ),
            "type_count": (
                rows("SELECT content_type, urls FROM type_count WHERE urls ORDER BY 1"),
                rows(_TYPES),
            ),
            "issue_count": (
                rows("SELECT rule, urls FROM issue_count WHERE urls ORDER BY 1"),
                rows("SELECT rule, count(*) FROM issue GROUP BY 1 ORDER BY 1"),
            ),
            "inlink": (
                rows("SELECT target, source FROM inlink ORDER BY 1, 2"),
                rows(_LINKED),
            ),
            "inlink_count": (
                rows("SELECT * FROM inlink_count WHERE links OR sources OR others"),
                rows(_INLINKS),
            ),
            "url_key": (
                rows("SELECT id, key FROM url_key ORDER BY 1"),
                [(url_id, url_key(url)) for url_id, url in rows(f"SELECT id, url {_KEYS}")],
            ),
            "folder_url": (
                rows("SELECT id, folder FROM folder_url ORDER BY 1"),
                rows(f"SELECT id, folder {_FOLDERS}"),
            ),
            "folder": (
                {each[0]: each[1:] for each in rows("SELECT id, urls, errors, direct FROM folder")},
                _folders(
                    rows("SELECT folder, outcome FROM url WHERE folder IS NOT NULL"),
                    dict(rows("SELECT id, parent FROM folder")),
                ),
            ),
        }
    return [
        f"{name}: {kept}, not {counted}"
        for name, (kept, counted) in pairs.items()
        if kept != counted
    ]


def _folders(
    urls: list[tuple[int, int]], parents: Mapping[int, int | None]
) -> dict[int, tuple[int, int, int]]:
    """URLs and errors in each folder and below, and URLs right in it."""
    below: Counter[int] = Counter()
    errors: Counter[int] = Counter()
    for folder, outcome in urls:
        at: int | None = folder
        while at is not None:
            below[at] += 1
            errors[at] += outcome in _ERRORS
            at = parents[at]
    direct = Counter(folder for folder, _ in urls)
    return {folder: (below[folder], errors[folder], direct[folder]) for folder in parents}
