"""Inserting many rows with few statements."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from gossamer.store.bulk_insert import BulkInsert


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        yield connection


@pytest.mark.parametrize("columns", ["a", "a, b", "a, b, c, d, e, f, g, h, i, j, k"])
@pytest.mark.parametrize("number", [0, 1, 2, 7, 8, 80, 82, 449, 450, 451, 2_000])
def test_any_number_of_rows_is_inserted_in_order(
    connection: sqlite3.Connection, columns: str, number: int
) -> None:
    connection.execute(f"CREATE TABLE t ({columns})")
    width = columns.count(",") + 1
    rows = [tuple(range(row, row + width)) for row in range(number)]
    BulkInsert("t", columns).run(connection, [value for row in rows for value in row])
    assert connection.execute("SELECT * FROM t ORDER BY rowid").fetchall() == rows


def test_a_row_that_is_there_already_is_dealt_with_in_every_statement(
    connection: sqlite3.Connection,
) -> None:
    connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, number INTEGER)")
    add = BulkInsert(
        "t", "id, number", "ON CONFLICT (id) DO UPDATE SET number = number + excluded.number"
    )
    for _ in range(3):
        add.run(connection, [value for row in range(600) for value in (row, 1)])
    assert set(connection.execute("SELECT number FROM t")) == {(3,)}
