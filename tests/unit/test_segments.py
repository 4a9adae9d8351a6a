"""Segments: conditions on columns, the first that holds, in tables, filters and exports."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.facets import FacetCount
from gossamer.model.fields.url_record import URL_COLUMNS
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.model.segments import SegmentText, parse_segments, segment_names
from gossamer.model.settings.crawl_settings import THRESHOLDS, CrawlSettings
from gossamer.model.url_conditions import (
    ColumnTest,
    Comparison,
    ConditionRow,
    ConditionRows,
    condition_rows,
    parse_condition,
    words_of,
)
from gossamer.store.project import store_settings
from gossamer.store.reading.reader import Reader
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", "/Blog/1", title='Home\'s "best"', issues=[400])
        crawled.page("/Blog/1", title="", word_count=500, issues=[400, 402])
        crawled.page("/blog/2", title="Two", word_count=20)
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        crawled.writer.close()
        yield crawled


@pytest.fixture
def reader(crawled: Crawled) -> Iterator[Reader]:
    with Reader(crawled.path) as reader:
        yield reader


def define(crawled: Crawled, *segments: str) -> None:
    settings = CrawlSettings(roots=(SITE,), segments=segments).checked()
    store_settings(crawled.path, settings)


def paths(reader: Reader, segment: str) -> list[str]:
    filter_ = Filter(facets=facet_values(segment=[segment]))
    return [each.url.removeprefix(SITE) for each in reader.iterate(View.ALL, filter_)]


@each_case(
    ("condition", "found"),
    [
        ("address contains /blog/", ["/Blog/1", "/blog/2"]),
        ("Address starts with https://example.com/b", ["/Blog/1", "/blog/2"]),
        ("address ends with 1", ["/Blog/1"]),
        ("Word Count >= 500", ["/Blog/1"]),
        ("words<21 and words > 3", ["/blog/2"]),
        ("Status Code = 404", ["/gone"]),
        ("status != 404 and not address contains /blog/", ["/"]),
        ("outcome = client-error", ["/gone"]),
        ("title = 'home\\'s \"best\"'", ["/"]),
        ('title contains "home\'s"', ["/"]),
        ("title is empty", ["/Blog/1", "/gone"]),
        ("title is not empty", ["/", "/blog/2"]),
        ("title = two or (status = 404 and depth >= 0)", ["/blog/2", "/gone"]),
        ("title = two or status = 404 and depth = 99", ["/blog/2"]),
        ("Indexability = indexable", ["/", "/Blog/1", "/blog/2"]),
        ("indexability_status = 'Client Error'", ["/gone"]),
        ("inlinks > 0", ["/Blog/1"]),
        ("title contains '%'", []),
    ],
)
def test_a_condition_tells_the_urls_of_a_segment(
    crawled: Crawled, reader: Reader, condition: str, found: list[str]
) -> None:
    define(crawled, f"S={condition}")
    assert sorted(paths(reader, "S")) == sorted(found)


@pytest.mark.parametrize(
    "condition",
    [
        "title = 'ÜBER ÜNS'",
        "title starts with Über",
        "title starts with üB",
        "title ends with ÜNS",
        "title contains 'ü'",
        "not title != 'über üns'",
        "title contains 'r ü' and title < 'überall'",
    ],
)
def test_case_does_not_matter_in_any_language(tmp_path: Path, condition: str) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/about", title="Über ÜNS")
        crawled.page("/contact", title="Kontakt")
        crawled.writer.close()
        define(crawled, f"S={condition}")
        with Reader(crawled.path) as reader:
            assert paths(reader, "S") == ["/about"]


@each_case(
    ("condition", "sentence"),
    [
        ("", "empty"),
        ("colour = red", "'colour' is not a column"),
        ("status about 404", "'about' is not a comparison"),
        ("status = many", "is a number, not 'many'"),
        ("words < inf", "is a number, not 'inf'"),
        ("words < nan", "is a number, not 'nan'"),
        ("words > 1e999", "is a number, not '1e999'"),
        ("outcome = broken", "it is one of"),
        ("title =", "cannot be read"),
        ("(title = a", "cannot be read"),
        ("title = a b", 'at "b"'),
        ("title = a and", "is not a column"),
        ('title = "a', "cannot be read"),
        ("(" * 60 + "title = a" + ")" * 60, "too many parentheses"),
        (" or ".join(["title = a"] * 201), "at most 200 tests"),
    ],
)
def test_what_is_no_condition_is_refused_in_one_sentence(condition: str, sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_condition(condition)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["Blog"], "is not a segment"),
        (["=title = a"], "is not a segment"),
        (["A=title = a", "a=title = b"], "two segments"),
        ([f"{n}=title = a" for n in range(101)], "at most 100 segments"),
    ],
)
def test_what_is_no_segment_is_refused(texts: list[str], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        parse_segments(texts)


def test_segments_have_colours_of_their_own_or_those_named() -> None:
    first, second = parse_segments(["Blog #FF0000 = title = a", "Shop=title = b"])
    assert (first.name, first.colour) == ("Blog", "#ff0000")
    assert second.colour != first.colour
    assert segment_names(["Blog #FF0000 = title = a", "Shop=title = b"]) == ("Blog", "Shop")


def test_of_several_segments_the_first_that_holds_counts(crawled: Crawled, reader: Reader) -> None:
    define(crawled, "Deep=address contains /blog/1", "Blog=address contains /blog/")
    assert paths(reader, "Deep") == ["/Blog/1"]
    assert paths(reader, "Blog") == ["/blog/2"]
    assert paths(reader, "") == ["/", "/gone"]
    assert [each.segment for each in reader.iterate(View.ALL)] == [None, "Deep", "Blog", None]
    assert sorted(reader.facet(View.ALL, Filter(), "segment"), key=lambda each: each.value) == [
        FacetCount("", 2),
        FacetCount("Blog", 1),
        FacetCount("Deep", 1),
    ]


def test_changed_segments_hold_at_once_in_a_reader_that_is_open(
    crawled: Crawled, reader: Reader
) -> None:
    assert {each.segment for each in reader.iterate(View.ALL)} == {None}
    define(crawled, "Blog=address contains /blog/")
    assert len(paths(reader, "Blog")) == 2
    define(crawled, "Gone=status = 404")
    assert (paths(reader, "Blog"), paths(reader, "Gone")) == ([], ["/gone"])


def test_issues_are_counted_by_segment(crawled: Crawled, reader: Reader) -> None:
    define(crawled, "Blog=address contains /blog/")
    assert reader.issues_by_segment() == {400: {None: 1, "Blog": 1}, 402: {"Blog": 1}}
    of_blog = Filter(facets=facet_values(segment=["Blog"]))
    assert reader.facet(View.ALL, of_blog, "issue") == [FacetCount(400, 1), FacetCount(402, 1)]


def test_issues_and_what_shares_are_of_are_counted_in_some_segments(
    crawled: Crawled, reader: Reader
) -> None:
    define(crawled, "Blog=address contains /blog/")

    def of(*segments: str) -> Filter:
        return Filter(facets=facet_values(segment=segments))

    assert reader.issue_counts(among=of("Blog")) == {400: 1, 402: 1}
    assert reader.issue_counts(among=of("")) == {400: 1}
    assert reader.issue_counts(among=of("Blog", "")) == reader.issue_counts()
    assert reader.issue_counts(among=of("Unknown")) == {}
    assert reader.audit_totals(of("Blog")).urls == 2
    assert reader.audit_totals(of("", "Blog")) == reader.audit_totals()
    assert reader.audit_totals(of("x'; DROP TABLE url")).urls == 0


def test_issues_are_counted_among_urls_with_another_issue(reader: Reader) -> None:
    with_other = Filter(facets=facet_values(issue=[402]))
    assert reader.issue_counts(among=with_other) == {400: 1, 402: 1}
    assert reader.audit_totals(with_other).urls == 1


def test_proposed_segments_are_counted_before_anybody_defines_them(reader: Reader) -> None:
    proposed = ["Blog=address contains /blog/", "Deep=address contains 1", "None=depth > 99"]
    assert reader.count_segments(proposed) == {"Blog": 2}
    assert reader.count_segments(["All=status > 0", "Blog=address contains /blog/"]) == {"All": 4}
    assert reader.count_segments([]) == {}
    with pytest.raises(UsageError):
        reader.count_segments(["Wrong"])


def test_segments_are_no_threshold_of_the_audit(crawled: Crawled, reader: Reader) -> None:
    assert "segments" not in THRESHOLDS
    before = reader.audit_state()
    define(crawled, "Blog=address contains /blog/")
    assert reader.audit_state() == before


def test_a_segment_cannot_ask_for_a_segment() -> None:
    for condition in ("segment = Blog", "depth > 2 and (not Segments is empty or status = 404)"):
        with pytest.raises(UsageError, match="use other columns"):
            parse_segments([f"Deep={condition}"])


@each_case(
    ("text", "written"),
    [
        ("address contains /blog/", "address contains /blog/"),
        ("Word Count >= 500 and not title = 'a b'", 'words >= 500 and not title = "a b"'),
        (r"title = 'say \"\\x'", r'title = "say \"\\x"'),
        ('title = "and" or title is empty', 'title = "and" or title is empty'),
        ("outcome = client-error", "outcome = client-error"),
        ("text ratio < 1.5", "text_ratio < 1.5"),
        ("title = ''", 'title = ""'),
    ],
)
def test_a_list_of_tests_is_written_as_it_is_read(text: str, written: str) -> None:
    condition = parse_condition(text)
    rows = condition_rows(condition)
    assert str(rows) == written
    assert parse_condition(written) == condition


def test_every_column_can_be_written_in_a_condition() -> None:
    for each in URL_COLUMNS:
        value = next(iter(words_of(each)), "1")
        condition = ColumnTest(each.name, Comparison.EQUAL, value)
        text = str(ConditionRows((ConditionRow(condition),)))
        assert str(condition_rows(parse_condition(text))) == text


def test_a_condition_with_lists_in_it_has_no_rows() -> None:
    for text in ("depth > 1 and (status = 200 or status = 301)", "not (depth > 1 and words = 3)"):
        assert condition_rows(parse_condition(text)) is None


def test_a_segment_text_keeps_its_parts() -> None:
    for text in ("Blog=address contains /blog/", "A b #12abef=depth > 1", "Half", "=x"):
        assert str(SegmentText.parse(text)) == text


def test_segments_of_a_stranger_that_say_nothing_leave_the_project_readable(
    crawled: Crawled, reader: Reader
) -> None:
    settings = replace(CrawlSettings(roots=(SITE,)), segments=("x'; DROP TABLE url",))
    store_settings(crawled.path, settings)
    assert {each.segment for each in reader.iterate(View.ALL)} == {None}
