"""Issues that somebody ignores: they do not count, are found apart, and can be taken back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.facets import FacetCount
from gossamer.model.ignored_issues import MAX_PATTERNS, IgnoredIssue
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.store.issue_ignoring import ignore_issues, stop_ignoring
from gossamer.store.reading.reader import Reader
from gossamer.store.rescue.project_rescue import rescue
from tests.fakes.crawled import SITE, Crawled

_MISSING, _TOO_LONG = 400, 402


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", issues=[_MISSING])
        crawled.page("/blog/1", issues=[_MISSING, _TOO_LONG])
        crawled.page("/blog/2?a=[1]", issues=[_MISSING])
        crawled.page("/shop", issues=[_MISSING])
        yield crawled


@pytest.fixture
def reader(crawled: Crawled) -> Iterator[Reader]:
    with Reader(crawled.path) as reader:
        yield reader


def of_rule(rule: int, facet: str = "issue") -> Filter:
    return Filter(facets=facet_values(**{facet: [rule]}))


def paths(reader: Reader, filter_: Filter) -> list[str]:
    return [each.url.removeprefix(SITE) for each in reader.iterate(View.ALL, filter_)]


def ignore(crawled: Crawled, rule: int, *patterns: str) -> None:
    ignore_issues(crawled.path, [IgnoredIssue(rule, each, reason="by design") for each in patterns])


def test_an_issue_ignored_everywhere_counts_for_nothing_and_has_no_urls(
    crawled: Crawled, reader: Reader
) -> None:
    ignore(crawled, _MISSING, "*")
    assert reader.issue_counts() == {_TOO_LONG: 1}
    assert reader.issue_counts(with_ignored=True) == {_MISSING: 4, _TOO_LONG: 1}
    assert reader.ignored_counts() == {_MISSING: 4}
    assert paths(reader, of_rule(_MISSING)) == []
    assert len(paths(reader, of_rule(_MISSING, "ignored"))) == 4
    assert reader.issues_of(crawled.id("/blog/1")) == {_TOO_LONG: None}


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        ([f"{SITE}/blog/*"], ["/", "/shop"]),
        (["*/shop"], ["/", "/blog/1", "/blog/2?a=[1]"]),
        ([f"{SITE}/blog/2?a=[1]"], ["/", "/blog/1", "/shop"]),
        (["*?a=[1]"], ["/", "/blog/1", "/shop"]),
        ([f"{SITE}/blog/?"], ["/", "/blog/1", "/blog/2?a=[1]", "/shop"]),
        ([f"{SITE}/blog"], ["/", "/blog/1", "/blog/2?a=[1]", "/shop"]),
        (["*/blog/*", f"{SITE}/blog/1"], ["/", "/shop"]),
    ],
)
def test_an_issue_is_ignored_for_the_urls_that_match_a_pattern(
    crawled: Crawled, reader: Reader, patterns: list[str], left: list[str]
) -> None:
    ignore(crawled, _MISSING, *patterns)
    assert paths(reader, of_rule(_MISSING)) == left
    assert reader.issue_counts() == {_MISSING: len(left), _TOO_LONG: 1}
    assert len(paths(reader, of_rule(_MISSING, "ignored"))) == 4 - len(left)


def test_a_pattern_holds_for_urls_that_are_found_later(crawled: Crawled, reader: Reader) -> None:
    ignore(crawled, _MISSING, f"{SITE}/blog/*", f"{SITE}/later")
    crawled.page("/blog/3", issues=[_MISSING])
    crawled.page("/later", issues=[_MISSING])
    crawled.page("/later/2", issues=[_MISSING])
    assert paths(reader, of_rule(_MISSING)) == ["/", "/shop", "/later/2"]


def test_other_rules_of_an_ignored_url_still_count(crawled: Crawled, reader: Reader) -> None:
    ignore(crawled, _MISSING, f"{SITE}/blog/1")
    both = Filter(facets=facet_values(issue=[_MISSING, _TOO_LONG]))
    assert paths(reader, both) == ["/", "/blog/1", "/blog/2?a=[1]", "/shop"]
    assert reader.issues_of(crawled.id("/blog/1")) == {_TOO_LONG: None}


@pytest.mark.parametrize("filter_", [Filter(), Filter(text="example")], ids=["all", "filtered"])
def test_counts_of_issues_leave_out_what_is_ignored_under_any_filter(
    crawled: Crawled, reader: Reader, filter_: Filter
) -> None:
    ignore(crawled, _MISSING, f"{SITE}/blog/*", f"{SITE}/blog/1")
    assert reader.facet(View.ALL, filter_, "issue") == [
        FacetCount(_MISSING, 2),
        FacetCount(_TOO_LONG, 1),
    ]
    assert reader.facet(View.ALL, filter_, "ignored") == [FacetCount(_MISSING, 2)]


def test_what_is_ignored_tells_why_who_when_and_for_how_many_urls(
    crawled: Crawled, reader: Reader
) -> None:
    entry = IgnoredIssue(
        _MISSING, f"{SITE}/shop", reason="  sold\n out ", author="ada", ignored_at=7
    )
    ignore_issues(crawled.path, [entry, IgnoredIssue(_MISSING, "*/blog/*"), IgnoredIssue(407)])
    assert reader.ignored_issues() == [
        IgnoredIssue(_MISSING, "*/blog/*", urls=2),
        IgnoredIssue(_MISSING, f"{SITE}/shop", crawled.id("/shop"), "sold out", "ada", 7, 1),
        IgnoredIssue(407, "*", urls=0),
    ]


def test_taking_back_gives_all_results_back(crawled: Crawled, reader: Reader) -> None:
    before = reader.issue_counts()
    ignore(crawled, _MISSING, "*", f"{SITE}/shop")
    first, second = reader.ignored_issues()
    assert stop_ignoring(crawled.path, [first, second]) == 2
    assert stop_ignoring(crawled.path, [first]) == 0
    assert (reader.issue_counts(), reader.ignored_issues()) == (before, [])


def test_ignoring_again_changes_the_reason(crawled: Crawled, reader: Reader) -> None:
    ignore(crawled, _MISSING, "*")
    ignore_issues(crawled.path, [IgnoredIssue(_MISSING, reason="another")])
    assert [each.reason for each in reader.ignored_issues()] == ["another"]


def test_all_are_ignored_or_none(crawled: Crawled, reader: Reader) -> None:
    with pytest.raises(UsageError, match="stands for all"):
        ignore(crawled, _MISSING, f"{SITE}/shop", " ")
    with pytest.raises(UsageError, match=f"at most {MAX_PATTERNS} patterns"):
        ignore(crawled, _MISSING, *(f"*/{number}" for number in range(MAX_PATTERNS + 1)))
    assert reader.ignored_issues() == []


def test_addresses_of_known_urls_are_no_patterns_to_be_compared(
    crawled: Crawled, reader: Reader
) -> None:
    for number in range(MAX_PATTERNS + 1):
        crawled.page(f"/{number}", issues=[_MISSING])
    ignore(crawled, _MISSING, *(f"{SITE}/{number}" for number in range(MAX_PATTERNS + 1)))
    assert reader.issue_counts()[_MISSING] == 4


def test_addresses_of_urls_that_are_gone_do_not_count_as_patterns(
    crawled: Crawled, reader: Reader, tmp_path: Path
) -> None:
    gone = [f"{SITE}/gone/{number}" for number in range(MAX_PATTERNS + 1)]
    ignore(crawled, _MISSING, *gone, f"{SITE}/shop")
    ignore(crawled, _TOO_LONG, "*/blog/*")
    crawled.page("/gone/7", issues=[_MISSING])
    assert reader.issue_counts() == {_MISSING: 3}
    assert paths(reader, of_rule(_MISSING, "ignored")) == ["/shop", "/gone/7"]
    assert [each.pattern for each in reader.ignored_issues() if each.urls] == [
        *(f"{SITE}/gone/7", f"{SITE}/shop", "*/blog/*")
    ]
    crawled.writer.close()
    rescue(crawled.path, tmp_path / "b.gossamer")
    with Reader(tmp_path / "b.gossamer") as rescued:
        assert len(rescued.ignored_issues()) == len(gone) + 2


def test_a_rescue_keeps_what_is_ignored(crawled: Crawled, tmp_path: Path) -> None:
    ignore(crawled, _MISSING, f"{SITE}/shop", "*/blog/*")
    crawled.writer.close()
    rescue(crawled.path, tmp_path / "b.gossamer")
    with Reader(crawled.path) as before, Reader(tmp_path / "b.gossamer") as after:
        kept = [(each.pattern, each.url_id, each.reason) for each in after.ignored_issues()]
        assert kept == [
            (each.pattern, each.url_id, each.reason) for each in before.ignored_issues()
        ]


def test_rows_of_others_are_told_as_damage(crawled: Crawled, reader: Reader) -> None:
    with closing(sqlite3.connect(crawled.path)) as connection, connection:
        connection.execute("INSERT INTO ignored_issue VALUES ('x', '*', NULL, '', '', 0)")
    with pytest.raises(ProjectError):
        reader.ignored_issues()
