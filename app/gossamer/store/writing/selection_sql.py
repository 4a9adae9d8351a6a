"""Translates URL selections into SQL, and selects URLs over budget."""

import sqlite3
from collections.abc import Collection, Iterable
from typing import Final

from msgspec.structs import replace

from gossamer.model.discovery_rank import READ_OTHERWISE, RECORDED, Rank, SitemapRole
from gossamer.model.link_kinds import LinkKind
from gossamer.model.messages.crawl_messages import UrlSelection
from gossamer.model.outcome import ERROR_OUTCOMES, Outcome, UrlState
from gossamer.model.outcome_details import detail_of
from gossamer.model.store_batch import UrlRow
from gossamer.store.bulk_insert import listed, marks
from gossamer.store.writing.rank_propagation import url_rows
from gossamer.urls.url_parsing import host_of, is_http

_ERRORS = listed(ERROR_OUTCOMES)
_OTHERWISE = listed(READ_OTHERWISE)
_UNREAD_SITEMAP = f"listed = {SitemapRole.SITEMAP} AND outcome IN ({_OTHERWISE})"
_BELOW = "id IN (SELECT id FROM temp.below WHERE root = ?)"
_TREE = """
    WITH RECURSIVE tree (id) AS (
        SELECT :root UNION SELECT url.id FROM url JOIN tree ON url.parent = tree.id
    )
    INSERT INTO temp.below (root, id) SELECT :root, id FROM tree
"""


def selected(
    connection: sqlite3.Connection, selection: UrlSelection, after: int, limit: int
) -> list[UrlRow]:
    """Up to `limit` URLs of `selection` with an id above `after`, by id.

    Whoever begins with 0 and goes on after the last id given has passed through all of them when
    fewer than `limit` come. What is below a URL is looked up once in such a pass.
    """
    conditions = ["id > ?"]
    values: list[int | str] = [after]
    if selection.ids:
        conditions.append("id IN (SELECT value FROM json_each(?))")
        values.append(str(list(selection.ids)))
    if selection.folder:
        conditions.append("substr(url, 1, ?) = ?")
        values += [len(selection.folder), selection.folder]
        if selection.queued and is_http(selection.folder):  # the index of what is queued helps
            conditions.append("host = ?")
            values.append(host_of(selection.folder))
    if selection.below is not None:
        _note_tree(connection, selection.below)
        conditions.append(_BELOW)
        values.append(selection.below)
    if selection.failed:
        conditions.append(f"outcome IN ({_ERRORS})")
    if selection.queued:
        conditions.append(f"state = {int(UrlState.QUEUED)}")
    condition = f"{' AND '.join(conditions)} ORDER BY id LIMIT ?"
    rows = list(url_rows(connection, condition, (*values, limit)))
    if selection.below is not None and len(rows) < limit:
        connection.execute("DELETE FROM temp.below WHERE root = ?", (selection.below,))
    return rows


def _note_tree(connection: sqlite3.Connection, root: int) -> None:
    """Have `temp.below` hold what was first found on `root`, on that, and so on."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS temp.below"
        " (root INTEGER, id INTEGER, PRIMARY KEY (root, id)) WITHOUT ROWID"
    )
    known = "SELECT 1 FROM temp.below WHERE root = ? LIMIT 1"
    if connection.execute(known, (root,)).fetchone() is None:
        connection.execute(_TREE, {"root": root})


_OVER_BUDGET = int(Outcome.OVER_BUDGET)
_WHERE = "outcome = ? AND id < ? ORDER BY id DESC LIMIT ?"
_DETAILS = """
    SELECT u.id, v.value FROM url u JOIN text v ON v.id = u.detail
    WHERE u.outcome = ? AND u.id < ? ORDER BY u.id DESC LIMIT ?
"""
_NOTE_REFUSED = f"""
    INSERT INTO over_budget (id, depth)
    SELECT id, ? FROM url WHERE id = ? AND outcome = {_OVER_BUDGET}
    ON CONFLICT (id) DO UPDATE SET depth = min(depth, excluded.depth)
"""  # noqa: S608 - a number of our own
_DEPTHS = """
    SELECT u.id, o.depth FROM url u JOIN over_budget o ON o.id = u.id
    WHERE u.outcome = ? AND u.id < ? ORDER BY u.id DESC LIMIT ?
"""


def note_refused(connection: sqlite3.Connection, refused: Iterable[tuple[int, int]]) -> None:
    """Note how deep URLs over budget are, by links of other shards: the least of each."""
    connection.executemany(_NOTE_REFUSED, [(depth, url_id) for url_id, depth in refused])


def refused(
    connection: sqlite3.Connection, outcomes: Collection[Outcome], after: int, limit: int
) -> list[UrlRow]:
    """Up to `limit` URLs to reconsider, with an id above `after`: see `Writer.refused`."""
    numbers = [int(outcome) for outcome in outcomes]
    condition = f"outcome IN ({marks(len(numbers))}) AND (depth < {RECORDED} OR as_file)"
    condition = f"({condition} OR {_UNREAD_SITEMAP}) AND id > ? ORDER BY id LIMIT ?"
    return list(url_rows(connection, condition, (*numbers, after, limit)))


def left_out(connection: sqlite3.Connection, before: int, limit: int) -> list[UrlRow]:
    """Up to `limit` URLs left out, with an id below `before`, the last first.

    Their details name the budget. Those that another shard leads to have the depth of that.
    """
    rows = list(url_rows(connection, _WHERE, (_OVER_BUDGET, before, limit)))
    details = dict(connection.execute(_DETAILS, (_OVER_BUDGET, before, limit)).fetchall())
    depths = dict(connection.execute(_DEPTHS, (_OVER_BUDGET, before, limit)).fetchall())
    return [
        replace(
            row,
            rank=Rank(depths[row.id]) if row.id in depths else row.rank,
            detail=detail_of(details.get(row.id)),
        )
        for row in rows
    ]


def listed_dates(
    connection: sqlite3.Connection, after: int, limit: int
) -> list[tuple[int, str, str]]:
    """Queued URLs above an id that sitemaps date: id, URL, dates. A pass over the URLs in all."""
    return [
        (int(url_id), str(url), str(texts))
        for url_id, url, texts in connection.execute(_LISTED_DATES, (after, limit))
    ]


_LISTED_DATES: Final = (
    "SELECT u.id, u.url, (SELECT group_concat(t.value, ' ')"  # noqa: S608 - our own numbers
    " FROM link l JOIN text t ON t.id = l.text"
    f" WHERE l.target = u.id AND l.kind = {int(LinkKind.SITEMAP)}) AS dates"
    f" FROM url u WHERE u.id > ? AND u.state = {int(UrlState.QUEUED)}"
    f" AND u.listed = {int(SitemapRole.LISTED)} AND dates IS NOT NULL ORDER BY u.id LIMIT ?"
)


_QUEUED: Final = f"state = {int(UrlState.QUEUED)}"
_FIRST_OF_HOSTS: Final = f"""
    WITH RECURSIVE waiting (host) AS (
        SELECT min(host) FROM url WHERE {_QUEUED} AND host > ?
        UNION ALL
        SELECT (SELECT min(host) FROM url WHERE {_QUEUED} AND host > waiting.host)
        FROM waiting WHERE host IS NOT NULL
    )
    SELECT (SELECT min(id) FROM url WHERE {_QUEUED} AND host = waiting.host)
    FROM waiting WHERE host IS NOT NULL LIMIT ?
"""  # noqa: S608 - a number


def queued_hosts(connection: sqlite3.Connection, after: str, limit: int) -> list[UrlRow]:
    """The first queued URL of each of up to `limit` hosts after `after`: a search for each."""
    firsts = connection.execute(_FIRST_OF_HOSTS, (after, limit)).fetchall()
    return [row for first in firsts for row in url_rows(connection, "id = ?", first)]
