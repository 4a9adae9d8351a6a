"""Selections by what was found below a URL: the tree is looked up once in a pass through it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.discovery_rank import Rank
from gossamer.model.messages.crawl_messages import UrlSelection
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.store import project
from gossamer.store.database import open_for_writing
from gossamer.store.writing.selection_sql import selected
from gossamer.store.writing.writer import Writer

BELOW = UrlSelection(below=1)


def commit(path: Path, *parents: tuple[int, int | None]) -> None:
    """Commit URLs, each with the URL it was first found on."""
    rows = [
        UrlRow(number, f"http://a.test/{number}", Rank(0), Outcome.PENDING, parent)
        for number, parent in parents
    ]
    with Writer(path) as writer:
        writer.commit(StoreBatch(new=rows))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.gossamer"
    project.create(path, CrawlSettings(roots=("http://a.test/",)))
    commit(path, (1, None), (2, None), (3, 1), (4, 2), *((n, n - 2) for n in range(5, 30)))
    return path


@pytest.fixture
def connection(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_for_writing(path)) as connection:
        yield connection


def passed_through(connection: sqlite3.Connection, limit: int) -> tuple[list[int], int]:
    """The ids of a pass in parts of `limit`, and how often the tree was looked up for it."""
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    ids: list[int] = []
    while part := selected(connection, BELOW, ids[-1] if ids else 0, limit):
        ids += [row.id for row in part]
        if len(part) < limit:
            break
    connection.set_trace_callback(None)
    return ids, sum("WITH RECURSIVE" in statement for statement in statements)


def test_the_tree_is_looked_up_once_in_a_pass(connection: sqlite3.Connection) -> None:
    assert passed_through(connection, 4) == (list(range(1, 30, 2)), 1)


def test_the_next_pass_sees_what_was_found_since(
    connection: sqlite3.Connection, path: Path
) -> None:
    assert 30 not in passed_through(connection, 4)[0]
    commit(path, (30, 29), (31, 4))
    assert passed_through(connection, 4) == ([*range(1, 30, 2), 30], 1)
