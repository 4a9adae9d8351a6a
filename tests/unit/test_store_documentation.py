"""docs/project-file.md tells the truth: every table, every column, every number, every query."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.fields.page_flags import RenderFlag
from gossamer.model.outcome import ERROR_OUTCOMES, Outcome
from gossamer.model.response_warnings import ResponseWarning
from gossamer.store.schema import APPLICATION_ID, TABLES, VERSION
from gossamer.store.series_tables import SERIES_TABLES
from tests.fakes.crawled import SITE, Crawled
from tests.freeze import with_declarations

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS.joinpath("project-file.md").read_text(encoding="utf-8")
SERIES = DOCS.joinpath("series.md").read_text(encoding="utf-8")
_SECTION = re.compile(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
SECTIONS = dict(_SECTION.findall(PAGE))
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("sql", "page"), [(TABLES, PAGE), (SERIES_TABLES, SERIES)])
def test_every_table_and_column_is_documented(sql: str, page: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(sql)
        names = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        tables = {
            name: [column[1] for column in connection.execute(f"PRAGMA table_info({name})")]
            for (name,) in names.fetchall()
        }
    documented = {
        name: re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
        for name, text in _SECTION.findall(page)
    }
    assert documented == tables


def test_what_is_declared_is_described_as_it_is_declared() -> None:
    assert with_declarations(PAGE) == PAGE, "run packaging/dev.py generate"


def test_a_description_that_is_lost_or_old_is_made_again() -> None:
    declared = (
        "| 47 | `URL_TOO_LONG` |",
        "| `size-limit` |",
        "| `both` |",
        "| 1 | MULTIPLE_TITLES |",
    )
    places = [PAGE.index(each) for each in declared]
    old = PAGE
    for place in sorted(places, reverse=True):
        old = old[:place] + old[old.index("\n", place) + 1 :]
    old = old.replace("1 anchor; ", "1 harbour; 99 more; ")
    assert old != PAGE
    assert with_declarations(old) == PAGE


def test_outcomes_that_count_as_errors_are_documented() -> None:
    [said] = re.findall(r"with an error: outcomes (.*) \|$", SECTIONS["folder"], re.MULTILINE)
    ranges = re.findall(r"(\d+)(?: to (\d+))?", said)
    numbers = {n for first, last in ranges for n in range(int(first), int(last or first) + 1)}
    assert {outcome for outcome in Outcome if outcome in numbers} == ERROR_OUTCOMES


def test_flags_of_rendered_pages_are_documented() -> None:
    text = PAGE.partition("\n## JavaScript\n")[2].partition("\n## ")[0]
    assert [int(bit) for bit in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)] == [*RenderFlag]


def test_versions_are_documented() -> None:
    assert f"0x{APPLICATION_ID:08X}" in PAGE
    assert f"the version of the tables: **{VERSION}**" in PAGE


@pytest.mark.parametrize("query", QUERIES)
def test_example_queries_find_something(tmp_path: Path, query: str) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", "/docs/", "/gone")
        crawled.page("/docs/", "/", text_errors='[[0,"teh",2,"","","",[]]]')
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        crawled.failed("/long", Outcome.PAGE, warnings=(ResponseWarning.SIZE_LIMIT,))
        with closing(sqlite3.connect(crawled.path)) as connection:
            rows = connection.execute(query.replace("https://example.com", SITE)).fetchall()
    assert rows
