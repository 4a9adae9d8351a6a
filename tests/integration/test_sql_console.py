"""The SQL console on a crawl of the demo site: it tells what the exports tell."""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gossamer.audit.rule_catalogue import name_key
from gossamer.audit.site_audit import run_site_audit
from gossamer.demo.server import serve
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.view_catalogue import VIEWS
from gossamer.export.view_sheets import whole_sheet
from gossamer.model.errors import UsageError
from gossamer.model.messages.query_messages import StartQuery
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.session.demo_process import demo_settings
from gossamer.sql_console.live_views import ADDRESS, URL_ID, column_names, live_view
from gossamer.sql_console.query_execution import executed_query
from gossamer.sql_console.query_templates import TEMPLATES
from gossamer.store.reading.reader import Reader
from gossamer.store.reading.sql_functions import QUERY_FUNCTIONS
from tests.cases import each_case
from tests.integration.crawling import crawl_all

TEXTS = {"true": 1, "false": 0, "": None}
"""Whether something holds is a number in the console, and nothing is empty."""
TABLES = [view for view in VIEWS.values() if view.build is not None]
NOTHING_OF_THE_KIND = {"new-and-changed", "heavy-images"}
"""Templates that a first crawl of the demo site may answer with no row."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.gossamer"
    with serve() as origin:
        crawl_all(path, origin, use_sitemaps=demo_settings(DEFAULTS, origin).use_sitemaps)
    run_site_audit(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        # The end of a second, which SQLite takes for the beginning of the next one.
        connection.execute("UPDATE visit SET fetched_at = CAST(fetched_at AS INTEGER) + 0.9997")
    return path


@pytest.fixture(scope="module")
def reader(project: Path) -> Iterator[Reader]:
    with Reader(project) as reader:
        yield reader


def asked(project: Path, sql: str) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    with executed_query(StartQuery(str(project), sql)) as result:
        return result.columns, list(result.rows)


def plain(cell: object) -> object:
    """A cell as the console has it."""
    if isinstance(cell, str):
        return TEXTS.get(cell, cell)
    return round(cell, 2) if isinstance(cell, float) else cell


@pytest.mark.parametrize("view", TABLES, ids=lambda view: view.name)
def test_a_view_has_the_columns_and_cells_of_the_export(
    view: ExportView, project: Path, reader: Reader
) -> None:
    sheet = whole_sheet(reader, ExportSelection(view), lambda: None)
    exported = Counter(tuple(map(plain, row)) for row in sheet.rows)
    columns = column_names(sheet.columns)
    names, rows = asked(project, f'SELECT * FROM "{name_key(view.name)}"')  # noqa: S608 - our names
    assert set(columns) <= set(names)
    if live_view(view.name) is None:
        assert names == (*columns, *((URL_ID,) if columns[0] == ADDRESS else ()))
    places = [names.index(column) for column in columns]
    told = Counter(tuple(plain(row[place]) for place in places) for row in rows)
    assert (told - exported, exported - told) == (Counter(), Counter())


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_answered(name: str, project: Path) -> None:
    columns, rows = asked(project, TEMPLATES[name].sql)
    assert len(set(columns)) == len(columns)
    assert rows or name in NOTHING_OF_THE_KIND


def test_there_are_two_dozen_templates() -> None:
    assert len(TEMPLATES) >= 24
    assert len({each.sql for each in TEMPLATES.values()}) == len(TEMPLATES)


def test_columns_can_be_called_as_in_exported_files(project: Path) -> None:
    by_heading = (
        'SELECT "Address", "Status Code" FROM internal WHERE "Status Code" = 404 ORDER BY 1'
    )
    by_name = "SELECT address, status_code FROM internal WHERE status_code = 404 ORDER BY 1"
    assert asked(project, by_heading) == asked(project, by_name)
    assert asked(project, by_name)[1]


@each_case(
    ("call", "value"),
    [
        ("casefold('ÄRGER Groß')", "ärger gross"),
        ("casefold(NULL)", None),
        ("url_part('path', 'https://example.com/A?b')", "/a"),
        ("url_part('length', 'https://example.com/')", 20),
        ("url_part('colour', 'https://example.com/')", None),
    ],
)
def test_a_function_of_ours_can_be_called(call: str, value: object, project: Path) -> None:
    assert asked(project, f"SELECT {call}")[1] == [(value,)]


def test_all_functions_of_ours_can_be_called(project: Path) -> None:
    for name, each in QUERY_FUNCTIONS.items():
        asked(project, f"SELECT {name}({', '.join(['NULL'] * len(each.takes))})")
    with pytest.raises(UsageError):
        asked(project, "SELECT header_text('a', 'b', 'c')")


def test_issues_are_views_by_their_names(project: Path) -> None:
    _, rows = asked(project, "SELECT address, url_id FROM h1_missing ORDER BY 1")
    _, same = asked(
        project, "SELECT address, url_id FROM issues WHERE issue_name = 'H1: Missing' ORDER BY 1"
    )
    assert rows == same != []


def test_links_of_a_crawl_that_runs_are_found_by_where_they_lead(
    project: Path, tmp_path: Path
) -> None:
    """Some are not in the index yet, and some of these are in it all the same."""
    running = tmp_path / "running.gossamer"
    shutil.copy(project, running)
    sources = "SELECT DISTINCT source FROM link WHERE source % {} = 0"
    with closing(sqlite3.connect(running)) as connection, connection:
        for divisor in (3, 6):
            connection.execute(f"INSERT INTO unindexed_source (source) {sources.format(divisor)}")
        connection.execute("DELETE FROM inlink WHERE source % 3 = 0 AND source % 2 = 1")
    for sql in (
        "SELECT source, destination, link_path FROM inlinks ORDER BY 1, 2, 3",
        "SELECT source, destination FROM broken_links ORDER BY 1, 2",
        (
            "SELECT i.address, l.source FROM internal i JOIN inlinks l"
            " ON l.destination_id = i.url_id WHERE i.status_code = 404 ORDER BY 1, 2"
        ),
    ):
        assert asked(running, sql) == asked(project, sql)


def plan(project: Path, sql: str) -> str:
    with executed_query(StartQuery(str(project), sql, plan=True)) as result:
        return "\n".join(str(detail) for *_, detail in result.rows)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT source FROM inlinks WHERE destination_id = 5",
        "SELECT destination FROM outlinks WHERE source_id = 5",
        "SELECT anchor FROM links WHERE source_id = 5",
        "SELECT title_1 FROM internal WHERE url_id = 5",
        (
            "SELECT l.source FROM internal i JOIN inlinks l ON l.destination_id = i.url_id"
            " WHERE i.url_id = 7"
        ),
        "SELECT address FROM issues WHERE url_id = 3 AND issue_name = 'H1: Missing'",
    ],
)
def test_what_is_found_by_number_reads_no_table_of_urls_or_links_whole(
    sql: str, project: Path
) -> None:
    steps = plan(project, sql)
    assert "SEARCH" in steps
    assert not {"SCAN u", "SCAN l", "SCAN i", "SCAN s", "SCAN issue"}.intersection(
        steps.splitlines()
    ), steps


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT address, title_1 FROM internal WHERE address = '{}'",
        "SELECT i.address FROM internal AS i WHERE i.status_code = 200 AND i.address = '{}'",
        "SELECT destination FROM outlinks WHERE source = '{}'",
        "SELECT source FROM inlinks WHERE destination = '{}'",
        "SELECT issue_name FROM issues WHERE address = '{}' ORDER BY 1",
    ],
)
def test_an_address_is_found_at_once_and_the_rows_are_the_same(sql: str, project: Path) -> None:
    """With one that nobody has, too, and where the number cannot be taken instead."""
    for address in (asked(project, "SELECT max(destination) FROM links")[0][0], "x:/none"):
        wanted = sql.format(address)
        steps = plan(project, wanted).splitlines()
        assert not {"SCAN u", "SCAN l", "SCAN i", "SCAN s"}.intersection(steps), steps
        slowly = wanted.replace(f"= '{address}'", f"= '{address}' || ''")
        assert asked(project, wanted) == asked(project, slowly)


def test_the_heading_of_an_expression_is_its_text(project: Path) -> None:
    """Also where the number of an address is asked for in its place."""
    expressions = ("count(*) FILTER (WHERE address = 'x')", "max((address = 'y'))")
    sql = f"SELECT {', '.join(expressions)} FROM internal"  # noqa: S608 - our own words
    assert asked(project, sql)[0] == expressions


@pytest.mark.parametrize("name", ["ISSUES", "Issues", '"Issues"', "temp.issues", "Internal"])
def test_views_are_known_by_their_names_in_any_case(name: str, project: Path) -> None:
    same = "internal" if name == "Internal" else "issues"
    wanted = "SELECT count(*) FROM {}"
    assert asked(project, wanted.format(name)) == asked(project, wanted.format(same))


def test_a_view_is_no_table_of_the_file(project: Path) -> None:
    with pytest.raises(UsageError, match=r"no table or view main.issues; similar names: issues"):
        asked(project, "SELECT 1 FROM main.issues")


def test_what_is_not_asked_for_is_not_joined(project: Path) -> None:
    steps = plan(project, "SELECT address FROM internal")
    assert "rendering" not in steps
    assert "step" not in steps  # of redirect chains
    assert len(steps.splitlines()) < 12


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT Title FROM internal", "no column Title; similar names: title_1"),
        ("SELECT x.zzzz FROM issues_overview x", "no column zzzz in what the query reads"),
        ("SELECT u.stat FROM url AS u", "similar names: state"),
        ("WITH a AS (SELECT address FROM `internal`) SELECT adress FROM a", "similar names: ad"),
        ("SELECT header_value FROM visit", "no column header_value; similar names: header_names"),
        ("SELECT 1 AS a ORDER BY b", "no column b in what the query reads"),
        ("SELECT o.url_id FROM issues_overview o, internal", "column url_id; similar names: urls,"),
    ],
)
def test_a_column_that_is_not_there_is_told_with_those_like_it(
    project: Path, sql: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        asked(project, sql)
    assert "header_values" not in str(caught.value)
