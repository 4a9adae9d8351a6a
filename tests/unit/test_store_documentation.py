"""docs/project-file.md tells the truth: every table, every column, every number, every query."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.outcome import ERROR_OUTCOMES, Outcome
from gossamer.model.outcome_details import DetailCode
from gossamer.model.page_flags import RenderFlag
from gossamer.model.response_warnings import ResponseWarning
from gossamer.store.schema import APPLICATION_ID, TABLES, VERSION
from gossamer.store.series_tables import SERIES_TABLES
from tests.fakes.crawled import SITE, Crawled
from tests.freeze import with_fields, with_flags

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


def test_columns_of_declared_fields_are_described_as_they_are_declared() -> None:
    assert with_flags(with_fields(PAGE)) == PAGE, "run `python -m tests.freeze`"


def test_outcomes_are_documented() -> None:
    documented = re.findall(r"^\| (\d+) \| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE)
    assert documented == [(str(int(o)), o.name, o.sentence) for o in Outcome]


def test_outcomes_that_count_as_errors_are_documented() -> None:
    [said] = re.findall(r"with an error: outcomes (.*) \|$", SECTIONS["folder"], re.MULTILINE)
    ranges = re.findall(r"(\d+)(?: to (\d+))?", said)
    numbers = {n for first, last in ranges for n in range(int(first), int(last or first) + 1)}
    assert {outcome for outcome in Outcome if outcome in numbers} == ERROR_OUTCOMES


def test_warnings_are_documented() -> None:
    text = PAGE.partition("\n## Warnings\n")[2].partition("\n## ")[0]
    documented = re.findall(r"^\| `([\w-]+)` \| (.*) \|$", text, re.MULTILINE)
    assert documented == [(each.value, each.label) for each in ResponseWarning]


def test_flags_of_rendered_pages_are_documented() -> None:
    text = PAGE.partition("\n## JavaScript\n")[2].partition("\n## ")[0]
    assert [int(bit) for bit in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)] == [*RenderFlag]


def test_details_are_documented() -> None:
    text = PAGE.partition("\n## Details\n")[2].partition("\n## ")[0]
    documented = re.findall(r"^\| `([\w-]+)` \| (.*) \|$", text, re.MULTILINE)
    assert documented == [(code.value, code.template) for code in DetailCode]


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
