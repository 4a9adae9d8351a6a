"""Measures of pages: the same in exports, where Python makes them, and in SQL, which sorts."""

import random
from pathlib import Path

import pytest

from gossamer.model.fields.derived_measures import (
    RedirectType,
    carbon_rating,
    co2_mg,
    flesch_score,
    folder_depth,
    readability,
    redirect_type,
    text_ratio,
    words_per_sentence,
)
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.url_record import URL_COLUMNS, URL_EXPORTS
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Order, View
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.visit import Visit
from gossamer.store.reading.reader import Reader
from tests.cases import each_case
from tests.fakes.crawled import Crawled

# The columns of the export internal_all that are made of what is known of a URL, by their headings.
INTERNAL_ALL = """
Address|Status Code|Status|Indexability|Indexability Status|Title 1|Title 1 Length
Title 1 Pixel Width|Meta Description 1|Meta Description 1 Length|Meta Description 1 Pixel Width
Meta Keywords 1|Meta Keywords 1 Length|H1-1|H1-1 Length|H1-2|H1-2 Length|H2-1|H2-1 Length|H2-2
H2-2 Length|Meta Robots 1|X-Robots-Tag 1|Meta Refresh 1|Canonical Link Element 1|rel="next" 1
rel="prev" 1|HTTP rel="next" 1|HTTP rel="prev" 1|amphtml Link Element|Size (bytes)
Transferred (bytes)|Total Transferred (bytes)|CO2 (mg)|Carbon Rating|Word Count|Sentence Count
Average Words Per Sentence|Flesch Reading Ease Score|Readability|Text Ratio|Crawl Depth|Folder Depth
Link Score|Inlinks|Unique Inlinks|% of Total|Unique Outlinks|External Outlinks
Unique External Outlinks|Closest Near Duplicate Match|No. Near Duplicates|Hash|Response Time
Last Modified|Redirect URL|Redirect Type|Cookies|Language|HTTP Version|Mobile Alternate Link
URL Encoded Address|Crawl Timestamp|Since Last Crawl|Unchanged Since
"""


def test_every_heading_of_internal_all_is_that_of_a_field() -> None:
    wanted = {
        heading for line in INTERNAL_ALL.split("\n") for heading in line.split("|") if heading
    }
    assert wanted - {each.field.export for each in URL_EXPORTS} == set()


def test_reading_ease_is_told_as_a_score_and_in_words() -> None:
    assert words_per_sentence(40, 3) == pytest.approx(13.333)
    assert flesch_score(100, 8, 150, "en-GB") == pytest.approx(67.248)
    assert readability(100, 8, 150, None) == "Standard"
    assert readability(100, 2, 240, "EN") == "Very Difficult"
    assert readability(10, 5, 10, "") == "Very Easy"


def test_what_is_not_english_or_no_text_has_no_reading_ease() -> None:
    assert words_per_sentence(5, 0) is None
    for counts in ((100, 8, 150, "de"), (0, 0, 0, "en"), (None, None, None, None)):
        assert (flesch_score(*counts), readability(*counts)) == (None, None)


def test_emissions_follow_the_sustainable_web_design_model() -> None:
    """1 GB takes 0.3 kWh, and a kWh emits 494 g: a page of the middle has 2.4 MB and an F."""
    assert co2_mg(1_000_000_000) == pytest.approx(148_200)
    ratings = [carbon_rating(kilobytes * 1000) for kilobytes in (0, 269, 300, 900, 2_422, 2_423)]
    assert ratings == ["A+", "A+", "A", "B", "E", "F"]
    assert (co2_mg(None), carbon_rating(None)) == (None, None)


@each_case(
    ("url", "depth"),
    [
        ("https://a.test/", 0),
        ("https://a.test/a", 0),
        ("https://a.test/a/b", 1),
        ("https://a.test/a/b/", 2),
        ("https://a.test/a?b=/c/d/", 0),
        ("mailto:me@a.test", 0),
    ],
)
def test_folder_depth_counts_the_slashes_of_the_path_but_the_first(url: str, depth: int) -> None:
    assert folder_depth(url) == depth


def test_the_share_of_text_is_that_of_the_whole_page() -> None:
    assert text_ratio(300, 1200) == 25
    assert text_ratio(300, 0) is None


def test_tables_sort_measures_as_exports_have_them(tmp_path: Path) -> None:
    chance = random.Random(7)
    with Crawled(tmp_path / "a.gossamer") as crawled:
        for number in range(60):
            facts = PageFacts(
                title=chance.choice([None, "", "Title", "Ünïcödé 标题"]),
                word_count=chance.choice([None, 0, chance.randrange(1, 900)]),
                sentence_count=chance.choice([None, 0, chance.randrange(1, 90)]),
                syllable_count=chance.choice([None, chance.randrange(900, 2_000)]),
                language=chance.choice([None, "", "en", "EN-us", "de"]),
                text_length=chance.choice([None, chance.randrange(9_000)]),
            )
            crawled.visited(
                chance.choice(["/", "/a/", "/a/b?c=/", "/a/b/c"]) + str(number),
                Visit(
                    Outcome.PAGE,
                    200,
                    raw_bytes=chance.randrange(3_000_000),
                    size_bytes=chance.choice([0, chance.randrange(1, 9_000)]),
                    facts=facts,
                ),
            )
        crawled.redirect("/old", "/")
        crawled.known("/later", Outcome.PENDING)
        with Reader(crawled.path) as reader:
            for column in (each for each in URL_COLUMNS if each.made is not None):
                order = Order(column.column)
                values = [column.of(each) for each in reader.iterate(View.ALL, order=order)]
                known = [value for value in values if value is not None]
                assert known == sorted(known), column.name
                assert values[len(known) :] == [None] * (len(values) - len(known)), column.name


def test_each_kind_of_redirect_has_a_type_of_its_own_in_exports() -> None:
    types = {kind: redirect_type(kind) for kind in RedirectKind}
    assert types == {
        RedirectKind.HTTP: RedirectType.HTTP,
        RedirectKind.REFRESH_HEADER: RedirectType.REFRESH_HEADER,
        RedirectKind.META_REFRESH: RedirectType.META_REFRESH,
        RedirectKind.JAVASCRIPT: RedirectType.JAVASCRIPT,
    }
    assert RedirectType.JAVASCRIPT.value == "JavaScript Redirect"
    assert redirect_type(None) is None
