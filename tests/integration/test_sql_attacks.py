"""Queries that try to write, to read what is not theirs, and to take all memory or time."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.errors import KnownError, QueryLimitError, UsageError
from gossamer.model.messages.query_messages import StartQuery
from gossamer.model.query_limits import QueryLimits
from gossamer.sql_console.query_execution import executed_query
from gossamer.store.sql_console.query_connection import QueryCancelled
from tests.fakes.finished_crawl import finished_crawl

LIMITS = QueryLimits(time_s=20.0, memory_bytes=64 * 1024 * 1024)
MOST_ROWS = 1_000

NOT_A_QUERY = {
    "nothing": "",
    "white space": " \n\t ",
    "a comment alone": "-- nothing",
    "a semicolon alone": ";",
    "insert": "INSERT INTO url (url) VALUES ('x')",
    "update": "UPDATE project SET state = 'new'",
    "delete": "DELETE FROM url",
    "replace": "REPLACE INTO text VALUES (1, 'x')",
    "drop": "DROP TABLE url",
    "create table": "CREATE TABLE x (y)",
    "create temp table": "CREATE TEMP TABLE x AS SELECT 1",
    "create trigger": "CREATE TEMP TRIGGER t AFTER INSERT ON url BEGIN SELECT 1; END",
    "create virtual table": "CREATE VIRTUAL TABLE x USING fts5(y)",
    "alter": "ALTER TABLE url RENAME TO x",
    "attach": "ATTACH ':memory:' AS x",
    "attach a file": "ATTACH '/etc/passwd' AS x",
    "detach": "DETACH main",
    "vacuum": "VACUUM",
    "vacuum into": "VACUUM INTO '/tmp/copy'",
    "reindex": "REINDEX",
    "analyze": "ANALYZE",
    "begin": "BEGIN EXCLUSIVE",
    "savepoint": "SAVEPOINT x",
    "commit": "COMMIT",
    "pragma": "PRAGMA journal_mode=DELETE",
    "pragma writable_schema": "PRAGMA writable_schema=ON",
    "pragma query_only": "PRAGMA query_only=OFF",
    "pragma temp_store_directory": "PRAGMA temp_store_directory='/tmp'",
    "pragma hard_heap_limit": "PRAGMA hard_heap_limit=0",
    "explain": "EXPLAIN DELETE FROM url",
    "two statements": "SELECT 1; DROP TABLE url",
    "two statements around a comment": "SELECT 1; /* ; */ SELECT 2",
    "a second one after a text": "SELECT ';'; DELETE FROM url",
    "an unfinished text": "SELECT 'abc",
    "an unfinished name": 'SELECT "abc',
    "an unfinished bracket": "SELECT [abc",
    "an unfinished comment": "SELECT 1 /* and so on",
    "a NUL": "SELECT 1\0; DROP TABLE url",
    "a parameter": "SELECT ?1",
    "a named parameter": "SELECT :secret",
    "a megabyte": "SELECT '" + "x" * 1_000_000 + "'",
    "with and delete": "WITH x AS (SELECT 1) DELETE FROM url",
    "with and insert": "WITH x AS (SELECT 1) INSERT INTO text SELECT 9, 'x'",
    "returning": "WITH x AS (SELECT 1) UPDATE project SET state = 'x' RETURNING *",
    "load_extension": "SELECT load_extension('/lib/x.so')",
    "fts3_tokenizer": "SELECT fts3_tokenizer('simple')",
    "readfile": "SELECT readfile('/etc/passwd')",
    "writefile": "SELECT writefile('/tmp/x', 'y')",
    "edit": "SELECT edit('x', 'sh')",
    "a table-valued pragma": "SELECT * FROM pragma_database_list",
    "a pragma that writes": "SELECT * FROM pragma_journal_mode('delete')",
    "dbstat": "SELECT * FROM dbstat",
    "pages of the file": "SELECT * FROM sqlite_dbpage",
    "the statements that run": "SELECT * FROM sqlite_stmt",
    "the schema": "SELECT sql FROM sqlite_schema",
    "the old name of the schema": "SELECT sql FROM main.sqlite_master",
    "the temporary schema": "SELECT sql FROM sqlite_temp_master",
    "settings": "SELECT settings FROM project",
    "settings among all": "SELECT * FROM project",
    "settings by a quoted name": 'SELECT "SETTINGS" FROM "PROJECT"',
    "settings in a subquery": "SELECT x FROM (SELECT settings AS x FROM project)",
    "settings in a condition": "SELECT 1 WHERE EXISTS (SELECT 1 FROM project WHERE settings > 'a')",
    "settings by a join": "WITH g (settings) AS (SELECT 'x') SELECT 1 FROM project NATURAL JOIN g",
    "cookies": "SELECT header_values FROM visit",
    "an unknown table": "SELECT * FROM passwords",
    "an unknown column": 'SELECT "no such column" FROM internal',
    "an unknown function": "SELECT system('id')",
    "deep parentheses": "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
    "deep negations": "SELECT " + "-" * 1 + " - " * 20_000 + "1",
    "deep functions": "SELECT " + "abs(" * 3_000 + "1" + ")" * 3_000,
    "many compounds": " UNION ALL ".join(["SELECT 1"] * 600),
    "many columns": "SELECT " + ", ".join(["1"] * 3_000),
    "a loop of its own": "WITH a AS (SELECT * FROM b), b AS (SELECT * FROM a) SELECT * FROM a",
    "a pattern of 50,000": "SELECT * FROM url WHERE url LIKE '" + "%a" * 25_000 + "'",
    "a regular expression": "SELECT 'aaaaab' REGEXP '(a+)+$'",
    "a full-text match": "SELECT * FROM url WHERE url MATCH 'x'",
    "a column with a quote": 'SELECT "a""b" FROM internal',
    "a series": "SELECT count(*) FROM generate_series(1, 1e12)",
    "settings by using": "SELECT * FROM project p JOIN project q USING (settings)",
    "deep subqueries": "SELECT " + "(SELECT " * 60 + "1" + ")" * 60,
    "a lone surrogate": "SELECT '\ud800'",
    "the file behind a view": "SELECT settings FROM main.project",
    "settings behind a name": "WITH project AS (SELECT 1) SELECT settings FROM main.project",
    "settings in a group": "SELECT count(*) FROM project GROUP BY settings",
    "settings in a window": "SELECT first_value(settings) OVER () FROM project",
    "settings in an order": "SELECT 1 FROM project ORDER BY settings",
    "settings in a row value": "SELECT 1 FROM project WHERE (settings, 1) > ('a', 0)",
    "settings as JSON": 'SELECT json_group_array(PROJECT."Settings") FROM Project',
    "a write in FROM": "SELECT * FROM (INSERT INTO text VALUES (1, 'x') RETURNING *)",
    "a function of fts5": "SELECT fts5(x'00')",
    "a place in the file": "SELECT sqlite_offset(url) FROM url",
    "the log of SQLite": "SELECT sqlite_log(1, 'x')",
    "a hexadecimal number too large": "SELECT 0xFFFFFFFFFFFFFFFFF",
    "a name of a hundred thousand": "SELECT 1 AS " + "a" * 100_000,
    "two marks of byte order": "\ufeff\ufeffSELECT 1",
    "raise": "SELECT RAISE(ABORT, 'x')",
}
TOO_MUCH = {
    "zeroblob": "SELECT length(zeroblob(1000000000))",
    "a text of spaces": "SELECT replace(hex(zeroblob(4000000)), '00', 'xxxxxxxxxxxxxxxx')",
    "zeroblob hidden": "SELECT hex(zeroblob(900000000))",
    "randomblob": "SELECT randomblob(1000000000)",
    "a hundred megabytes of JSON": (
        "SELECT count(*) FROM"
        " json_each('[' || replace(hex(zeroblob(50000000)), '00', '1,') || '1]')"
    ),
    "group_concat": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000)"
        " SELECT length(group_concat(printf('%.100c', 'x'))) FROM n"
    ),
    "recursion": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"
    ),
    "recursion that returns": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n"
    ),
    "cross joins": (
        "SELECT count(*) FROM url a, url b, url c, url d, url e, url f, url g, url h,"
        " url i, url j, url k, url l, url m, url n, url o, url p"
    ),
    "json": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000)"
        " SELECT json_array_length(json_group_array(printf('%.20c', 'x'))) FROM n"
    ),
    "a sort in memory": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i FROM n ORDER BY random()"
    ),
    "an aggregate": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT count(DISTINCT printf('%.200c', 'x') || i) FROM n"
    ),
}
HARMLESS = {
    "many rows": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n"
    ),
    "a keyword in a text": "SELECT 'DROP TABLE url; --'",
    "a semicolon at the end": "SELECT 1 ; -- that is all\n;",
    "a comment first": "/* why */ SELECT 1",
    "infinity": "SELECT 9e999, -9e999",
    "a width of a thousand million": "SELECT format('%1000000000d', 1)",
    "a blob": "SELECT x'00ff'",
    "a NUL in a text": "SELECT char(0, 65)",
    "broken UTF-8": "SELECT CAST(x'ff41' AS TEXT)",
    "json": "SELECT value FROM json_each('[1, 2]')",
    "a column twice": "SELECT 1 AS a, 2 AS a",
    "no rows": "SELECT * FROM internal WHERE 0",
    "values": "VALUES (1), (2)",
    "the largest number": "SELECT 9223372036854775807",
    "a return ends no comment": "SELECT 1 --x\rDROP TABLE url",
    "a line separator in a comment": "SELECT 1 --\u2028; DROP TABLE url\n",
    "a name of a view": "WITH internal AS (SELECT 1 AS a) SELECT a FROM internal",
    "numbers beyond all rows": "SELECT 1 LIMIT 9223372036854775807 OFFSET 9223372036854775807",
    "patterns with many stars": f"SELECT printf('%.100000c', 'a') GLOB '{'*a' * 400}*b'",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finished_crawl(tmp_path_factory.mktemp("attacked") / "a.gossamer", pages=30)


def content(project: Path) -> tuple[str, list[str]]:
    """The bytes of the project, and what lies beside it."""
    beside = sorted(each.name for each in project.parent.iterdir())
    return hashlib.sha256(project.read_bytes()).hexdigest(), beside


def ask(project: Path, sql: str, limits: QueryLimits = LIMITS) -> list[tuple[object, ...]]:
    with executed_query(StartQuery(str(project), sql, limits)) as result:
        return [row for _, row in zip(range(MOST_ROWS), result.rows, strict=False)]


@pytest.mark.parametrize("sql", NOT_A_QUERY.values(), ids=NOT_A_QUERY)
def test_what_is_no_query_or_does_more_than_read_is_refused(sql: str, project: Path) -> None:
    before = content(project)
    with pytest.raises(UsageError) as refused:
        ask(project, sql)
    assert refused.value.exit_code == 2
    assert_is_sentence(str(refused.value))
    assert content(project) == before


@pytest.mark.parametrize("sql", TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_takes_too_much_ends(sql: str, project: Path) -> None:
    before = content(project)
    with pytest.raises(QueryLimitError) as refused:
        ask(project, sql, QueryLimits(time_s=0.5, memory_bytes=LIMITS.memory_bytes))
    assert refused.value.exit_code == 9
    assert_is_sentence(str(refused.value))
    assert content(project) == before


def assert_is_sentence(text: str) -> None:
    assert text[0].isupper()
    assert text.endswith(".")
    assert "\n" not in text
    assert len(text) < 700


@pytest.mark.parametrize("sql", HARMLESS.values(), ids=HARMLESS)
def test_what_looks_odd_and_is_harmless_is_answered(sql: str, project: Path) -> None:
    before = content(project)
    ask(project, sql)
    assert content(project) == before


def test_there_are_sixty_attacks() -> None:
    assert len(NOT_A_QUERY) + len(TOO_MUCH) >= 60


def test_cells_are_what_files_can_hold(project: Path) -> None:
    cells = {
        "char(65)": "A",
        "-9e999": "-Infinity",
        "x'00ff'": "00ff",
        "CAST(x'ff41' AS TEXT)": "\ufffdA",
    }
    assert {cell: ask(project, f"SELECT {cell}")[0][0] for cell in cells} == cells
    assert ask(project, f"SELECT {', '.join(cells)}") == [tuple(cells.values())]


def test_a_name_that_nothing_has_is_no_text(project: Path) -> None:
    """SQLite would take it for one, and find nothing without a word."""
    with pytest.raises(UsageError, match="There is no column no_such"):
        ask(project, 'SELECT address FROM internal WHERE "no_such" = 1')


def test_a_foreign_table_is_not_read(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(UsageError, match="The table mine cannot be read"):
        ask(path, "SELECT * FROM mine")


def test_a_file_that_is_no_project_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(KnownError, match="is not a Gossamer project"):
        ask(path, "SELECT 1")


def test_a_query_that_nobody_waits_for_ends(project: Path) -> None:
    start = StartQuery(str(project), TOO_MUCH["recursion"], LIMITS)
    with pytest.raises(QueryCancelled), executed_query(start, lambda: True) as result:
        list(result.rows)
