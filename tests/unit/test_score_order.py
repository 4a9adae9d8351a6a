"""Pages are chosen by Link Score, sorted for one search, or once for all while nothing changes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.store.reading.score_order import ScoreOrder
from gossamer.store.reading.search_ranking import RANKING_TABLES

PROJECT = """
    CREATE TABLE page_text (id INTEGER PRIMARY KEY, place INTEGER);
    CREATE TABLE url_audit (id INTEGER PRIMARY KEY, link_score INTEGER);
    INSERT INTO page_text VALUES (1, 40), (2, 30), (3, 20), (4, 10);
    INSERT INTO url_audit VALUES (1, 5), (2, 90), (4, 5);
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.executescript(PROJECT)
        yield connection


def test_the_order_follows_the_project(project: sqlite3.Connection, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as reading:
        for table in RANKING_TABLES:
            reading.execute(table)
        reading.executemany("INSERT INTO temp.search_hit VALUES (?)", [(1,), (3,), (4,)])
        order = ScoreOrder(reading)

        def chosen() -> list[tuple[int, int]]:
            reading.execute("DELETE FROM temp.search_to_rank")
            order.choose(2)
            rows = reading.execute("SELECT place, id FROM temp.search_to_rank").fetchall()
            return [(place, url_id) for place, url_id in rows]

        assert [chosen() for _ in range(3)] == [[(10, 4), (40, 1)]] * 3
        project.execute("INSERT INTO url_audit VALUES (3, 70)")
        project.commit()
        assert [chosen() for _ in range(3)] == [[(20, 3), (40, 1)]] * 3


def test_without_scores_those_discovered_first_are_chosen(
    project: sqlite3.Connection, tmp_path: Path
) -> None:
    project.execute("UPDATE url_audit SET link_score = NULL")
    project.commit()
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as reading:
        for table in RANKING_TABLES:
            reading.execute(table)
        reading.executemany("INSERT INTO temp.search_hit VALUES (?)", [(4,), (3,), (2,)])
        ScoreOrder(reading).choose(2)
        rows = reading.execute("SELECT place, id FROM temp.search_to_rank").fetchall()
    assert rows == [(20, 3), (30, 2)]
