"""The words that the editor of queries colours and completes."""

from typing import Final

from gossamer.model.sql_tokens import TokenKind, words
from gossamer.sql_console.live_views import live_view, view_names

_KEYWORDS: Final = """
ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS CURRENT DESC DISTINCT ELSE END ESCAPE
EXCEPT EXISTS FILTER FIRST FOLLOWING FROM FULL GLOB GROUP GROUPS HAVING IN INNER INTERSECT
IS ISNULL JOIN LAST LEFT LIKE LIMIT MATERIALIZED NATURAL NOT NOTNULL NULL NULLS OFFSET ON
OR ORDER OUTER OVER PARTITION PRECEDING RANGE RECURSIVE REGEXP RIGHT ROWS SELECT THEN
UNBOUNDED UNION USING VALUES WHEN WHERE WINDOW WITH
"""
KEYWORDS: Final = frozenset(_KEYWORDS.split())
"""Keywords of queries that only read: https://www.sqlite.org/lang_keywords.html."""
LEAST: Final = 2
"""Letters after which words are offered."""


def completions(sql: str) -> list[str]:
    """What may be typed in a query: its views' columns, or all views' if it names none; views."""
    names = {each.text.lower() for each in words(sql) if each.kind is TokenKind.NAME}
    views = view_names()
    named = [view for view in views if view in names]
    columns = {column for view in named or views for column in _columns(view)}
    return sorted(columns.union(views, KEYWORDS), key=str.lower)


def _columns(view: str) -> tuple[str, ...]:
    live = live_view(view)
    return () if live is None else live.columns
