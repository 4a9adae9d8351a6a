"""What is read of spelling and grammar: by page, of the whole site, what was not checked."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.audit.proofreading_gaps import proofreading_gaps
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.view_names import view_named
from gossamer.model.project_queries import Column, Filter, Order, View, facet_values
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.text_errors import ErrorKind, TextError, encode_errors
from gossamer.session.settings_warnings import cautions, missing_dictionaries
from gossamer.store.reading.reader import Reader
from gossamer.store.reading.text_error_reader import MAX_LOCATIONS
from tests.fakes.crawled import SITE, Crawled
from tests.fakes.dictionaries import write_dictionary

TEH = TextError(ErrorKind.SPELLING, "teh", 2, "this is teh text")
PERCENT = TextError(ErrorKind.SPELLING, 'a"b%_\\c', 1, "odd")
AN = TextError(ErrorKind.GRAMMAR, "an", 1, "an test", "EN_A_VS_AN", "Use 'a'.", ["a", "the"])


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page(
            "/",
            dictionary="en_US",
            grammar_language="en-US",
            text_errors=encode_errors([TEH, AN]),
        )
        crawled.page(
            "/b", dictionary="en_US", text_errors=encode_errors([PERCENT, TEH]), language="en"
        )
        crawled.page("/c", dictionary="en_US", language="en", language_found="de")
        crawled.page("/d", dictionary="", language="PL-pl")
        crawled.page("/e", dictionary="", language="ja")
        crawled.page("/f", dictionary="")
        yield crawled


def rows(crawled: Crawled, name: str) -> list[dict[str, str]]:
    out = crawled.path.with_suffix(".csv")
    export(crawled.path, ExportSelection(view_named(name)), out)
    with out.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, strict=True))


def test_each_error_of_a_page_is_a_row(crawled: Crawled) -> None:
    found = rows(crawled, "spelling_and_grammar")
    assert found[1] == {
        "Address": f"{SITE}/",
        "Language": "en-US",
        "Error": "an",
        "Type": "Grammar",
        "Suggestions": "a, the",
        "Count": "1",
        "Context": "an test",
        "Rule": "EN_A_VS_AN",
        "Message": "Use 'a'.",
        "Indexability": "Indexable",
        "Indexability Status": "",
    }
    assert [(row["Address"], row["Error"], row["Language"]) for row in found] == [
        (f"{SITE}/", "teh", "en_US"),
        (f"{SITE}/", "an", "en-US"),
        (f"{SITE}/b", 'a"b%_\\c', "en_US"),
        (f"{SITE}/b", "teh", "en_US"),
    ]


def with_dictionaries(folder: Path) -> CrawlSettings:
    return CrawlSettings(roots=(SITE,), dictionary_folder=str(folder))


@pytest.mark.parametrize("name", ["spelling_and_grammar", "spelling_and_grammar_summary"])
def test_near_words_of_the_dictionary_are_suggested(
    crawled: Crawled, tmp_path: Path, name: str
) -> None:
    write_dictionary(tmp_path / "words", "en_US", "the this text eh teeth")
    crawled.writer.change_settings(with_dictionaries(tmp_path / "words"))
    found = {row["Error"]: row["Suggestions"] for row in rows(crawled, name)}
    assert found == {"teh": "the, eh", "an": "a, the", PERCENT.text: ""}


def test_without_its_dictionary_an_error_has_no_suggestions(
    crawled: Crawled, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    crawled.writer.change_settings(with_dictionaries(tmp_path / "empty"))
    crawled.page("/g", dictionary="xx", text_errors=encode_errors([TEH]))
    found = [row for row in rows(crawled, "spelling_and_grammar") if row["Language"] == "xx"]
    assert [(row["Error"], row["Suggestions"]) for row in found] == [("teh", "")]


def test_errors_of_the_site_are_counted_together_the_most_frequent_first(crawled: Crawled) -> None:
    found = rows(crawled, "Content:Spelling & Grammar Errors")
    assert len(found) == 4
    found = rows(crawled, "spelling_and_grammar_summary")
    assert [(row["Error"], row["Pages"], row["Count"], row["Language"]) for row in found] == [
        ("teh", "2", "4", "en_US"),
        ('a"b%_\\c', "1", "1", "en_US"),
        ("an", "1", "1", "en-US"),
    ]


def test_internal_all_has_the_counts_under_the_headings_people_know(crawled: Crawled) -> None:
    counts = {
        row["Address"].removeprefix(SITE): (row["Spelling Errors"], row["Grammar Errors"])
        for row in rows(crawled, "internal_all")
    }
    assert counts == {
        "/": ("2", "1"),
        "/b": ("3", ""),
        "/c": ("0", ""),
        "/d": ("", ""),
        "/e": ("", ""),
        "/f": ("", ""),
    }


@pytest.mark.parametrize("error", [TEH, PERCENT, AN])
def test_the_pages_of_an_error_are_found(crawled: Crawled, error: TextError) -> None:
    expected = {TEH.text: ["/", "/b"], PERCENT.text: ["/b"], AN.text: ["/"]}[error.text]
    with Reader(crawled.path) as reader:
        places = reader.error_locations(error)
    assert [each.url.removeprefix(SITE) for each in places] == expected
    assert all(each.error == error for each in places)


def test_pages_with_the_same_letters_in_another_case_hide_no_page(crawled: Crawled) -> None:
    acme = TextError(ErrorKind.SPELLING, "Acme", 1, "at Acme")
    with crawled.together():
        for number in range(MAX_LOCATIONS + 1):
            crawled.page(f"/{number}", text_errors=encode_errors([replace(acme, text="acme")]))
        crawled.page("/last", text_errors=encode_errors([acme]))
    with Reader(crawled.path) as reader:
        assert [each.url for each in reader.error_locations(acme)] == [f"{SITE}/last"]
        assert len(reader.error_locations(replace(acme, text="acme"))) == MAX_LOCATIONS


def test_tables_sort_and_filter_by_what_was_found(crawled: Crawled) -> None:
    column: Column = "spelling_errors"
    with Reader(crawled.path) as reader:
        by_errors = reader.ids(View.PAGES, Filter(), Order(column, descending=True))
        assert list(by_errors)[:3] == [crawled.id("/b"), crawled.id("/"), crawled.id("/c")]
        for facet, value, paths in (
            ("language_match", "Different", ["/c"]),
            ("language_found", "de", ["/c"]),
            ("dictionary", "en_US", ["/", "/b", "/c"]),
        ):
            filter_ = Filter(facets=facet_values(**{facet: [value]}))
            assert list(reader.ids(View.PAGES, filter_)) == [crawled.id(path) for path in paths]
        assert {each.value for each in reader.facet(View.PAGES, Filter(), "language_match")} >= {
            "Different"
        }


def test_what_was_not_checked_is_said_with_what_to_do(crawled: Crawled) -> None:
    settings = CrawlSettings(roots=(SITE,), check_spelling=True, languagetool="http://127.0.0.1:1")
    with Reader(crawled.path) as reader:
        found = [str(each) for each in proofreading_gaps(reader, settings)]
        assert proofreading_gaps(reader, CrawlSettings(roots=(SITE,))) == []
    assert len(found) == 4
    assert any("language is not known" in each for each in found)
    assert any("language ja" in each and "without spaces" in each for each in found)
    assert any(
        "no dictionary for the language pl" in each and "--dictionaries" in each for each in found
    )
    assert any(
        "grammar was not checked: 5." in each and "http://127.0.0.1:1" in each for each in found
    )


def test_a_dictionary_that_is_missing_is_said_before_the_crawl(tmp_path: Path) -> None:
    write_dictionary(tmp_path, "en_XX")
    settings = {"dictionary_folder": str(tmp_path), "check_spelling": True}

    def said(**changes: object) -> list[str]:
        wanted = CrawlSettings(roots=(SITE,), **(settings | changes))  # type: ignore[arg-type]  # field by field
        return [str(each) for each in missing_dictionaries(wanted)]

    assert said() == []
    assert said(spelling_languages=("en_XX",)) == []
    assert said(check_spelling=False, spelling_languages=("xx",)) == []
    (sentence,) = said(spelling_languages=("en", "xx"))
    assert "xx" in sentence


def test_whoever_goes_on_with_a_crawl_is_told_that_texts_are_sent_away() -> None:
    settings = CrawlSettings(roots=(SITE,), languagetool="https://lt.example")
    assert "https://lt.example" in str(cautions(settings)["languagetool"])
