"""Reads which issues are ignored, and finds the rows of issues that this hides.

Nothing is taken out of `issue` or `issue_count`: readers subtract what is ignored. So a pattern
holds for URLs that are found later, and whoever stops ignoring has all results back at once.
"""

import sqlite3
from typing import Final

from msgspec import convert

from gossamer.model.ignored_issues import EVERY_URL, IgnoredIssue

# In a GLOB, `?` and `[` have a meaning, too, which they have not in our patterns.
_PATTERNS: Final = (
    "SELECT rule, pattern, replace(replace(pattern, '[', '[[]'), '?', '[?]') AS glob"  # noqa: S608 - our own words
    f" FROM ignored_issue WHERE id IS NULL AND instr(pattern, '*') AND pattern <> '{EVERY_URL}'"
)
_BY_ENTRY: Final = f"""
    SELECT i.rule AS rule, i.id AS id, g.pattern AS pattern
    FROM ignored_issue g CROSS JOIN issue i ON i.rule = g.rule AND i.id = g.id
    UNION ALL SELECT i.rule, i.id, g.pattern FROM ({_PATTERNS}) g
    CROSS JOIN issue i ON i.rule = g.rule CROSS JOIN url u ON u.id = i.id AND u.url GLOB g.glob
    UNION ALL SELECT i.rule, i.id, g.pattern
    FROM (SELECT DISTINCT rule FROM ignored_issue WHERE id IS NULL AND NOT instr(pattern, '*')) r
    CROSS JOIN issue i ON i.rule = r.rule CROSS JOIN url u ON u.id = i.id
    CROSS JOIN ignored_issue g ON g.rule = i.rule AND g.pattern = u.url AND g.id IS NULL
        AND NOT instr(g.pattern, '*')
"""  # noqa: S608 - our own words
"""The rows of issues that are ignored for some URLs, by what ignores them; maybe several times."""
IS_OPEN: Final = f"""
    NOT EXISTS (SELECT 1 FROM ignored_issue g WHERE g.rule = i.rule AND g.id = i.id)
    AND NOT EXISTS (
        SELECT 1 FROM ignored_issue g WHERE g.rule = i.rule AND g.id IS NULL
        AND instr(g.pattern, '*')
        AND (g.pattern = '{EVERY_URL}' OR (SELECT o.url FROM url o WHERE o.id = i.id)
            GLOB replace(replace(g.pattern, '[', '[[]'), '?', '[?]'))
    )
    AND NOT EXISTS (
        SELECT 1 FROM ignored_issue g WHERE g.rule = i.rule
        AND g.pattern = (SELECT o.url FROM url o WHERE o.id = i.id)
    )
"""  # noqa: S608 - our own words
"""That row `i` of issues is not ignored. Of a rule that nobody ignores, that is three looks into
empty indexes. Addresses are looked up: of those whose URLs are gone, there may be any number.
"""
OPEN_ROWS: Final = f"SELECT i.rule AS rule, i.id AS id FROM issue i WHERE {IS_OPEN}"  # noqa: S608 - our own words
"""The rows of issues that are not ignored."""
IGNORED_ROWS: Final = (
    "SELECT i.rule AS rule, i.id AS id FROM issue i"  # noqa: S608 - our own words
    f" WHERE i.rule IN (SELECT rule FROM ignored_issue) AND NOT ({IS_OPEN})"
)
"""Those that are."""
_IGNORED_COUNTS: Final = f"""
    SELECT c.rule, c.urls FROM issue_count c
    WHERE EXISTS (SELECT 1 FROM ignored_issue g WHERE g.rule = c.rule AND g.pattern = '{EVERY_URL}')
    UNION ALL SELECT rule, count(DISTINCT id) FROM ({_BY_ENTRY}) b
    WHERE NOT EXISTS
        (SELECT 1 FROM ignored_issue g WHERE g.rule = b.rule AND g.pattern = '{EVERY_URL}')
    GROUP BY rule
"""  # noqa: S608 - our own words
_OPEN_COUNTS: Final = f"""
    WITH ignored (rule, urls) AS ({_IGNORED_COUNTS})
    SELECT c.rule, c.urls, coalesce(g.urls, 0)
    FROM issue_count c LEFT JOIN ignored g ON g.rule = c.rule WHERE c.urls > 0 ORDER BY c.rule
"""  # noqa: S608 - our own words
_ENTRIES: Final = f"""
    SELECT g.rule, g.pattern, g.id, g.reason, g.author, g.ignored_at,
        CASE WHEN g.pattern = '{EVERY_URL}' THEN coalesce(c.urls, 0) ELSE coalesce(b.urls, 0) END
    FROM ignored_issue g LEFT JOIN issue_count c ON c.rule = g.rule
    LEFT JOIN (SELECT rule, pattern, count(*) AS urls FROM ({_BY_ENTRY}) GROUP BY rule, pattern) b
        ON b.rule = g.rule AND b.pattern = g.pattern
    ORDER BY g.rule, g.ignored_at, g.pattern
"""  # noqa: S608 - our own words


def count_open_issues(connection: sqlite3.Connection) -> dict[int, int]:
    """Number of a rule → URLs for which it is not ignored. ValueError for what is no number."""
    rows = connection.execute(_OPEN_COUNTS)
    return {rule: left for rule, urls, ignored in rows if (left := int(urls) - ignored) > 0}


def count_ignored_issues(connection: sqlite3.Connection) -> dict[int, int]:
    """Number of a rule → URLs for which it is ignored. ValueError for what is no number."""
    return {rule: int(urls) for rule, urls in connection.execute(_IGNORED_COUNTS) if urls}


def read_ignored_issues(connection: sqlite3.Connection) -> list[IgnoredIssue]:
    """What is ignored, rule by rule, the earliest first. ValueError for what is none of ours."""
    return [convert(row, IgnoredIssue) for row in connection.execute(_ENTRIES)]
