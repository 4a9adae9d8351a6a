"""Keeps the SQL queries about a site in its series, from crawl to crawl."""

from pathlib import Path

from gossamer.model.query_list import MAX_QUERIES, with_query
from gossamer.session.series import series_of
from gossamer.store.series_file import QUERIES


def query_history(project: Path) -> list[str]:
    """The queries of the site of a project, newest first, at most MAX_QUERIES; ProjectError."""
    return (series_of(project, gather=False).setting(QUERIES, list[str]) or [])[:MAX_QUERIES]


def remember_query(project: Path, sql: str) -> None:
    """Put a query first among those of the site of a project; ProjectError."""
    series_of(project, gather=False).change_setting(
        QUERIES, list[str], lambda queries: with_query(queries or [], sql)
    )
