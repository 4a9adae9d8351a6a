"""Plans link queries: starts from the ends of links if the filter leaves few URLs."""

import sqlite3
from typing import Final

from msgspec import Struct

from gossamer.model.project_queries import Filter, View
from gossamer.store.bulk_insert import Value
from gossamer.store.reading.filter_conditions import (
    FAR,
    LinkSelectivity,
    condition,
    joined,
    of_targets,
    text_condition,
)

_FEW_LINKS: Final = 300_000
"""To go to so many from their ends takes no longer than to look at twenty million."""
_FEW_URLS: Final = 50_000


class _Urls(Struct, frozen=True):
    """FROM and WHERE of some URLs."""

    sql: str
    values: tuple[Value, ...]


def link_reach(connection: sqlite3.Connection, view: View, filter_: Filter) -> LinkSelectivity:
    """Which parts of a filter leave few links; looks at each URL once at most."""
    if not view.is_of_links:
        return FAR
    targets = condition(view.targets, of_targets(filter_))
    urls = _Urls(
        f"{joined(view.targets, targets.joins | {'n'})} WHERE {targets.sql}", targets.values
    )
    return LinkSelectivity(
        targets=bool(targets.joins) and _few(connection, urls),
        text=bool(filter_.text) and not filter_.expression and _few_texts(connection, filter_),
    )


def _few_texts(connection: sqlite3.Connection, filter_: Filter) -> bool:
    """Whether the text is in few addresses and in no anchor: of anchors there is no index."""
    anchor, values = text_condition(("value",), filter_)
    found = f"SELECT 1 FROM text WHERE {anchor} LIMIT 1"  # noqa: S608 - our own words
    if connection.execute(found, values).fetchone() is not None:
        return False
    url, in_url = text_condition(("u.url",), filter_)
    return _few(connection, _Urls(f"{joined(View.ALL, {'n'})} WHERE {url}", in_url))


def _few(connection: sqlite3.Connection, urls: _Urls) -> bool:
    count, links = connection.execute(
        "SELECT count(*), total(links) FROM (SELECT coalesce(n.links, 0) + coalesce(n.others, 0)"  # noqa: S608 - our own words
        f" AS links FROM {urls.sql} LIMIT {_FEW_URLS})",
        urls.values,
    ).fetchone()
    return bool(count < _FEW_URLS and links < _FEW_LINKS)
