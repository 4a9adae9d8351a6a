"""Custom results in a project file: rows, counts, filters, orders, exports, rescue."""

import csv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from gossamer.export.custom_columns import CUSTOM_EXTRACTION, CUSTOM_SEARCH, INTERNAL_ALL
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.exporter import export
from gossamer.export.group_views import INTERNAL_VIEWS
from gossamer.export.view_sheets import sheet
from gossamer.model.custom_definitions import (
    CustomCells,
    CustomCounts,
    CustomExtraction,
    CustomFailure,
    CustomOutcome,
    CustomResult,
    CustomSearch,
    column_of,
)
from gossamer.model.facets import CUSTOM
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, Order, Table, View, facet_values
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.reading.reader import Reader
from gossamer.store.rescue.project_rescue import rescue
from tests.fakes.crawled import SITE, Crawled
from tests.fakes.recount import miscounts

TERMS = CustomSearch("=1+1, /", "terms")
PRICE = CustomExtraction("Price", "span.price", all_matches=True)
SETTINGS = CrawlSettings(roots=(SITE,), custom_searches=(TERMS,), custom_extractions=(PRICE,))


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    """Two pages with results, one where nothing was found, one that timed out, and no page."""
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", "/file", custom=[terms(2), price("12", "=9")])
        crawled.page("/a", custom=[terms(1), price("7")])
        crawled.page("/none", custom=[terms(0), price()])
        crawled.page("/slow", custom=[failed(TERMS.number), failed(PRICE.number)])
        crawled.failed("/file", Outcome.CLIENT_ERROR, status=404)
        yield crawled


@pytest.fixture
def reader(crawled: Crawled) -> Iterator[Reader]:
    with Reader(crawled.path) as reader:
        yield reader


def terms(count: int) -> CustomResult:
    return CustomResult(TERMS.number, [count])


def price(*values: str) -> CustomResult:
    return CustomResult(PRICE.number, list(values))


def failed(number: int) -> CustomResult:
    return CustomResult(number, failure=CustomFailure.TIMED_OUT)


def paths(reader: Reader, filter_: Filter | None = None, order: Order | None = None) -> list[str]:
    ids = reader.ids(View.ALL, filter_ or Filter(), order or Order())
    return [record.url.removeprefix(SITE) for record in reader.records(ids)]


def came_of(number: int, outcome: CustomOutcome) -> Filter:
    return Filter(facets=facet_values(custom={outcome.facet_value(number)}))


def test_a_record_has_the_results_of_its_page(reader: Reader) -> None:
    first, file = reader.records([1, reader.lookup(f"{SITE}/file") or 0])
    assert first.custom == CustomCells({TERMS.number: terms(2), PRICE.number: price("12", "=9")})
    assert file.custom is None


def test_pages_are_counted_by_what_came_of_each_definition(reader: Reader) -> None:
    assert reader.custom_counts() == {
        TERMS.number: CustomCounts(found=2, missing=1, failed=1),
        PRICE.number: CustomCounts(found=2, missing=1, failed=1),
    }
    assert reader.most_custom_values() == {TERMS.number: 1, PRICE.number: 2}


def test_pages_of_some_segments_are_counted_alone(reader: Reader) -> None:
    assert reader.custom_counts([""]) == reader.custom_counts(), "there are no segments"
    assert reader.custom_counts(["Blog"]) == {}


@pytest.mark.parametrize("number", [TERMS.number, PRICE.number])
def test_rows_are_those_with_an_outcome(reader: Reader, number: int) -> None:
    assert paths(reader, came_of(number, CustomOutcome.FOUND)) == ["/", "/a"]
    assert paths(reader, came_of(number, CustomOutcome.MISSING)) == ["/none"]
    assert paths(reader, came_of(number, CustomOutcome.FAILED)) == ["/slow"]


def test_outcomes_are_counted_among_the_rows_of_a_filter(reader: Reader) -> None:
    counts = {each.value: each.count for each in reader.facet(View.ALL, Filter(), CUSTOM)}
    assert counts[CustomOutcome.FOUND.facet_value(TERMS.number)] == 2
    some = reader.facet(View.ALL, Filter(text="none"), CUSTOM)
    assert {each.value for each in some} == {
        CustomOutcome.MISSING.facet_value(TERMS.number),
        CustomOutcome.MISSING.facet_value(PRICE.number),
    }
    assert reader.facet(View.LINKS, Filter(), CUSTOM) == []


def test_the_text_filter_finds_extracted_values_by_text_and_expression(reader: Reader) -> None:
    assert paths(reader, Filter(text="=9")) == ["/"]
    assert paths(reader, Filter(text=r"^\d$", expression=True)) == ["/a"]


def test_rows_are_sorted_by_results_with_those_that_have_none_last(reader: Reader) -> None:
    ordered = paths(reader, order=Order(column_of(TERMS), descending=True))
    assert ordered[:3] == ["/", "/a", "/none"]
    assert paths(reader, order=Order(column_of(PRICE)))[:2] == ["/", "/a"]


def test_a_page_that_is_read_again_keeps_no_result_of_before(
    crawled: Crawled, reader: Reader
) -> None:
    crawled.page("/", custom=[terms(0)])
    assert reader.custom_counts()[TERMS.number] == CustomCounts(1, 2, 1)
    assert reader.custom_counts()[PRICE.number] == CustomCounts(1, 1, 1)
    assert reader.records([1])[0].custom == CustomCells({TERMS.number: terms(0)})
    crawled.failed("/", Outcome.CLIENT_ERROR, status=404)
    assert reader.records([1])[0].custom is None
    assert miscounts(crawled.path) == []


def test_a_rescue_keeps_results_and_counts(crawled: Crawled, tmp_path: Path) -> None:
    before = crawled.path
    crawled.writer.close()
    target = tmp_path / "b.gossamer"
    assert rescue(before, target).whole
    with Reader(before) as old, Reader(target) as new:
        assert new.records([1, 2, 3, 4]) == old.records([1, 2, 3, 4])
        assert new.custom_counts() == old.custom_counts()
    assert miscounts(target) == []


def test_extractions_are_exported_with_a_column_for_each_value(reader: Reader) -> None:
    made = sheet(reader, ExportSelection(CUSTOM_EXTRACTION), lambda: None)
    assert made.columns[-2:] == ("Price 1", "Price 2")
    assert [(row[0], *row[-2:]) for row in made.rows] == [
        (f"{SITE}/", "12", "=9"),
        (f"{SITE}/a", "7", None),
        (f"{SITE}/none", None, None),
        (f"{SITE}/slow", "Timed out", None),
    ]


def test_searches_are_exported_with_their_counts(reader: Reader) -> None:
    made = sheet(reader, ExportSelection(CUSTOM_SEARCH), lambda: None)
    assert made.columns[-1] == TERMS.name
    assert [row[-1] for row in made.rows] == [2, 1, 0, "Timed out"]


@pytest.mark.parametrize("view", [INTERNAL_ALL, *INTERNAL_VIEWS], ids=lambda view: view.name)
def test_all_internal_urls_have_custom_columns_after_the_http_version(
    view: ExportView, reader: Reader
) -> None:
    made = sheet(reader, ExportSelection(view), lambda: None)
    place = made.columns.index("HTTP Version") + 1
    assert made.columns[place : place + 4] == (
        TERMS.name,
        "Price 1",
        "Price 2",
        "Mobile Alternate Link",
    )


def test_a_table_is_exported_with_all_values_in_one_cell(reader: Reader) -> None:
    columns = ("address", column_of(PRICE), column_of(TERMS))
    made = sheet(reader, ExportSelection(Table(View.PAGES, columns=columns)), lambda: None)
    assert made.columns == ("Address", "Price", TERMS.name)
    assert list(made.rows)[:2] == [(f"{SITE}/", "12 | =9", 2), (f"{SITE}/a", "7", 1)]


def test_names_and_values_that_look_like_formulas_are_harmless_in_files(
    crawled: Crawled, tmp_path: Path
) -> None:
    for view in (CUSTOM_SEARCH, CUSTOM_EXTRACTION):
        out = tmp_path / f"{view.name}.csv"
        export(crawled.path, ExportSelection(view), out)
        with out.open(newline="", encoding="utf-8-sig") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell.startswith("=")]
        assert [cell for cell in cells if cell in {"'=1+1, /", "'=9"}]
    book = tmp_path / "a.xlsx"
    export(crawled.path, ExportSelection(CUSTOM_SEARCH), book)
    with ZipFile(book) as parts:
        assert b"<f>" not in parts.read("xl/worksheets/sheet1.xml")


def test_a_name_that_is_a_heading_already_gets_a_number(tmp_path: Path) -> None:
    twice = replace(SETTINGS, custom_searches=(replace(TERMS, name="title 1"),))
    with Crawled(tmp_path / "b.gossamer", twice) as crawled:
        crawled.page("/", custom=[terms(1)])
        with Reader(crawled.path) as reader:
            made = sheet(reader, ExportSelection(INTERNAL_ALL), lambda: None)
    assert "title 1 (2)" in made.columns
    assert len({name.lower() for name in made.columns}) == len(made.columns)
