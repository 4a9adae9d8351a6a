"""Writes and reads which URLs have links that look like they sign out or delete something.

What such a link says is met once, on a page: a crawl that is resumed has to know it again.
"""

import sqlite3
from collections.abc import Iterable


def write_risky_urls(connection: sqlite3.Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Write ids with what a link says; what the first one said stays."""
    connection.executemany("INSERT OR IGNORE INTO risky_url (id, words) VALUES (?, ?)", rows)


def read_risky_urls(connection: sqlite3.Connection) -> dict[str, str]:
    """What links say of each, by URL, in the order in which they were found."""
    query = "SELECT url, words FROM risky_url JOIN url USING (id) ORDER BY id"
    return dict(connection.execute(query).fetchall())


def risky_rows(connection: sqlite3.Connection) -> list[tuple[int, str]]:
    """The same by id, of the URLs that the file has."""
    query = "SELECT id, words FROM risky_url WHERE id IN (SELECT id FROM url) ORDER BY id"
    return connection.execute(query).fetchall()
