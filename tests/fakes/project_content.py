"""All that a project says of a site, by URL: two crawls of the same site say the same.

Ids, times, attempts, and how the answers of a recrawl compare are left out.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from gossamer.store.field_sql import LINK_TEXTS, VISIT_COLUMNS
from gossamer.store.header_texts import HeaderTexts

_TIMES = frozenset({"ttfb_ms", "elapsed_ms", "fetched_at", "tries", "freshness", "unchanged_since"})
_CHANGING = frozenset({"date", "age", "expires"})
"""Headers of each answer alone."""
_VISIT = ", ".join(f"{each.sql} AS {each.name}" for each in VISIT_COLUMNS)
_VISIT_JOINS = "".join(each.join for each in VISIT_COLUMNS if each.storage.pooled)
_LINK = ", ".join(f"{each.sql} AS {each.name}" for each in LINK_TEXTS)
_LINK_JOINS = "".join(each.join for each in LINK_TEXTS)
_URLS = """
    SELECT u.url AS address, u.state, u.outcome, u.depth, u.hops, u.as_file, u.listed,
        p.url AS parent, d.value AS detail
    FROM url u LEFT JOIN url p ON p.id = u.parent LEFT JOIN text d ON d.id = u.detail
"""
_VISITS = f"""
    SELECT u.url AS address, {_VISIT}, hn.value AS header_names, v.header_values
    FROM visit v JOIN url u ON u.id = v.id LEFT JOIN text hn ON hn.id = v.header_names{_VISIT_JOINS}
"""  # noqa: S608 - our own words
_LINKS = f"""
    SELECT s.url AS source, l.position, t.url AS target, l.kind, l.action, l.traits, {_LINK}
    FROM link l JOIN url s ON s.id = l.source JOIN url t ON t.id = l.target{_LINK_JOINS}
    ORDER BY 1, 2
"""  # noqa: S608 - our own words
_ISSUES = "SELECT i.rule, u.url FROM issue i JOIN url u ON u.id = i.id ORDER BY 1, 2"
_CUSTOM = """
    SELECT c.definition, u.url, c.position, c.value, c.failure
    FROM custom_value c JOIN url u ON u.id = c.id ORDER BY 1, 2, 3
"""
_INLINKS = """
    SELECT u.url, n.links, n.sources, n.others FROM inlink_count n JOIN url u ON u.id = n.id
    ORDER BY 1
"""
_REST = {
    "url_count": "SELECT outcome, depth, urls FROM url_count WHERE urls ORDER BY 1, 2",
    "status_count": "SELECT status, urls FROM status_count WHERE urls ORDER BY 1",
    "issue_count": "SELECT rule, urls FROM issue_count WHERE urls ORDER BY 1",
    "robots": "SELECT origin, status, text, detail FROM robots ORDER BY 1",
    "budget": "SELECT key, spent FROM budget ORDER BY 1",
    "links": _LINKS,
    "issues": _ISSUES,
    "custom": _CUSTOM,
    "inlinks": _INLINKS,
}


def content_of(path: Path, *, with_parents: bool = True) -> dict[str, Any]:
    """What a project says; of two that differ, pytest shows where."""
    with closing(sqlite3.connect(path)) as connection:
        content: dict[str, Any] = {
            name: connection.execute(sql).fetchall() for name, sql in _REST.items()
        }
        connection.row_factory = sqlite3.Row
        urls = [dict(row) for row in connection.execute(_URLS)]
        visits = [_visit(dict(row)) for row in connection.execute(_VISITS)]
    for row in urls:
        if not with_parents:
            del row["parent"]
    content["urls"] = {row.pop("address"): row for row in urls}
    content["visits"] = {row.pop("address"): row for row in visits}
    return content


def _visit(row: dict[str, Any]) -> dict[str, Any]:
    headers = HeaderTexts(row.pop("header_names") or "", row.pop("header_values")).headers
    kept = [pair for pair in headers if pair[0].lower() not in _CHANGING]
    stays = {name: value for name, value in row.items() if name not in _TIMES}
    return {**stays, "headers": kept}
