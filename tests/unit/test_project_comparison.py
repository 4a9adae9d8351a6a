"""What differs between two projects: pages, fields, filters, issues, folders."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rules.h1 import MISSING as H1_MISSING
from gossamer.audit.rules.page_titles import MISSING as TITLE_MISSING
from gossamer.comparison.project_comparison import (
    PAGES,
    ComparisonOptions,
    ComparisonProgress,
    compare,
)
from gossamer.export.comparison_issues import IssueTrend, by_trend, compared_issues
from gossamer.export.comparison_sheets import changes_sheet
from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.comparison_notes import comparison_notes
from gossamer.model.comparison_results import (
    ComparisonFilter,
    ComparisonOrder,
    FilterCounts,
    FilterMove,
    PageChange,
)
from gossamer.model.errors import ProjectError
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import Directive
from gossamer.model.freshness import UNCHANGED, Freshness
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, facet_values
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.store.comparing.compared_project import ComparisonCancelled
from gossamer.store.comparing.comparison_reader import ComparisonReader
from gossamer.store.issue_ignoring import ignore_issues
from gossamer.urls.url_mapping import UrlMapping
from tests.fakes.compared import compared, counts, differences
from tests.fakes.crawled import SITE, Crawled

MakeCrawl: TypeAlias = Callable[..., Crawled]
TITLE, H1 = TITLE_MISSING.number, H1_MISSING.number
_TITLE, _H1 = "Page Titles: Missing", "H1: Missing"


@pytest.fixture
def crawl(tmp_path: Path, request: pytest.FixtureRequest) -> MakeCrawl:
    def make(name: str, settings: CrawlSettings | None = None) -> Crawled:
        crawled = Crawled(tmp_path / f"{name}.gossamer", settings)
        request.addfinalizer(crawled.writer.close)
        return crawled

    return make


def test_new_missing_and_changed_pages_with_their_fields_and_issues(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", "/a", "/b", "/gone", title="Home")
    before.page("/a", title="A", word_count=10, issues=[H1])
    before.page("/b", title="B", issues=[H1])
    before.page("/gone", title="Gone", issues=[H1])
    after.page("/", "/b", "/a", "/new", title="Home")
    after.page("/b", title="B", issues=[H1])
    after.page("/a", title="Other", word_count=12, issues=[TITLE])
    after.page("/new", title="New", issues=[TITLE])
    assert compared(before.path, after.path) == {
        ("/a", "Changed", "Title 1", "A", "Other"),
        ("/a", "Changed", "Word Count", 10, 12),
        ("/a", "Changed", _H1, True, False),
        ("/a", "Changed", _TITLE, False, True),
        ("/", "Changed", "Outlinks", 1, 1),
        ("/gone", "Missing", "", None, None),
        ("/new", "New", "", None, None),
    }
    found = counts(after.path.with_suffix(".comparison"))
    assert found["issue", _H1] == FilterCounts("issue", H1, 3, 1, removed=1, missing=1)
    assert found["issue", _TITLE] == FilterCounts("issue", TITLE, 0, 2, added=1, new=1)
    assert found["view", "pages"] == FilterCounts("view", "pages", 4, 4, new=1, missing=1)


def test_a_page_that_became_a_redirect_or_an_error_moves_between_filters(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled in (before, after):
        crawled.page("/", "/a", "/b", "/c")
    before.page("/a", title="A")
    before.page("/b")
    before.redirect("/c", "/a")
    after.redirect("/a", "/b")
    after.failed("/b", Outcome.CLIENT_ERROR, status=404)
    after.redirect("/c", "/b")
    found = compared(before.path, after.path)
    assert found >= {
        ("/a", "Changed", "Status Code", 200, 301),
        ("/a", "Changed", "Redirect URL", None, f"{SITE}/b"),
        ("/a", "Changed", "Title 1", "A", None),
        ("/b", "Changed", "Status Code", 200, 404),
        ("/c", "Changed", "Redirect URL", f"{SITE}/a", f"{SITE}/b"),
    }
    result = after.path.with_suffix(".comparison")
    moved = counts(result)
    assert moved["status_class", 2].removed == 2
    assert moved["status_class", 3] == FilterCounts("status_class", 3, 1, 2, added=1)
    assert moved["view", "errors"].added == 1
    with ComparisonReader(result) as reader:
        for move, paths in ((FilterMove.REMOVED, ["/a", "/b"]), (FilterMove.ADDED, [])):
            wanted = ComparisonFilter(moved=("status", 200, move))
            assert [each.url for each in reader.iterate(wanted)] == [SITE + each for each in paths]


def test_an_issue_of_a_page_that_died_did_not_get_better(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    paths = ("/404", "/301", "/noindex", "/mended")
    for crawled in (before, after):
        crawled.page("/", *paths)
    for path in paths:
        before.page(path, issues=[H1] if path == "/mended" else [TITLE])
    # An error that is HTML is read like a page, but is none.
    error = Visit(Outcome.CLIENT_ERROR, 404, fetched_at=1e9, facts=PageFacts(word_count=4))
    after.visited("/404", error, [])
    after.redirect("/301", "/")
    after.page("/noindex", directives=int(Directive.NOINDEX))
    after.page("/mended")
    compared(before.path, after.path)
    result = after.path.with_suffix(".comparison")
    found = counts(result)
    assert found["issue", _TITLE] == FilterCounts("issue", TITLE, 3, 0, ended=3)
    with ComparisonReader(result) as reader:
        side = reader.summary().after
        assert side.pages == found["view", "pages"].after == 3
    with ComparisonReader(result) as reader:
        trends = {each.name: each.trend for each in compared_issues(reader)}
        assert trends == {_TITLE: IssueTrend.ELSEWHERE, _H1: IssueTrend.BETTER}
        ended = ComparisonFilter(moved=("issue", TITLE, FilterMove.ENDED))
        assert {each.url for each in reader.iterate(ended)} == {SITE + each for each in paths[:3]}
        assert reader.count(replace(ended, moved=("status", 200, FilterMove.ENDED))) == 0


def test_the_gravest_issue_comes_first_then_what_pages_got_that_were_there(
    crawl: MakeCrawl,
) -> None:
    other = next(
        each
        for each in RULES.values()
        if each.priority == H1_MISSING.priority and each is not H1_MISSING
    )
    before, after = crawl("before"), crawl("after")
    before.page("/", "/a")
    before.page("/a")
    after.page("/", "/a", "/b")
    after.page("/a", issues=[H1])
    for path in ("/b", "/c"):
        after.page(path, issues=[TITLE, other.number])
    compared(before.path, after.path)
    with ComparisonReader(after.path.with_suffix(".comparison")) as reader:
        worse = by_trend(compared_issues(reader))[IssueTrend.WORSE]
    assert [each.rule.number for each in worse] == [TITLE, H1, other.number]


def test_what_nobody_sees_is_no_change(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", title=None, h1="", description="a", content_hash=b"1" * 16)
    after.page("/", title="", h1=None, description="a", content_hash=b"2" * 16)
    assert compared(before.path, after.path) == set()


def test_text_is_compared_in_percent_by_sketches(crawl: MakeCrawl) -> None:
    count = (450).to_bytes(2, "little")
    sketch = bytes(range(126)) + count
    near = bytes([1, *range(1, 126)]) + count
    before, after = crawl("before"), crawl("after")
    paths = ("/same", "/near", "/none", "/file")
    for crawled, texts in (
        (before, (sketch, sketch, sketch)),
        (after, (sketch, near, None)),
    ):
        crawled.page("/", *paths)
        for path, each in zip(paths, texts, strict=False):
            crawled.page(path, sketch=each)
    found = {path: left for path, _, _, _, left in compared(before.path, after.path)}
    assert found.keys() == {"/near", "/none"}
    assert 90 < found["/near"] < 100
    assert found["/none"] == 0


def test_addresses_that_differ_in_case_or_slash_or_encoding_are_others(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", "/a", "/b", "/%C3%BC")
    after.page("/", "/A", "/b/", "/%c3%bc")
    for path in ("/a", "/b", "/%C3%BC"):
        before.page(path)
    for path in ("/A", "/b/", "/%c3%bc"):
        after.page(path)
    fields = ComparisonOptions(fields=("title",))
    found = {(path, change) for path, change, *_ in compared(before.path, after.path, fields)}
    assert found == {
        *((path, "Missing") for path in ("/a", "/b", "/%C3%BC")),
        *((path, "New") for path in ("/A", "/b/", "/%c3%bc")),
    }


def test_keys_that_two_addresses_share_are_told_apart_by_text(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled, paths in ((before, ("/a", "/b", "/c", "/x")), (after, ("/b", "/a", "/c", "/y"))):
        crawled.page("/", *paths)
        for path in paths:
            crawled.page(path, title=path)
        crawled.writer.close()
        with closing(sqlite3.connect(crawled.path)) as connection, connection:
            ids = {path: crawled.id(path) for path in paths}
            connection.executemany(
                "UPDATE url_key SET key = ? WHERE id = ?",
                # Of a side two with one key, and on both sides one with the key of another.
                [(7, ids["/a"]), (7, ids["/b"]), (9, ids[paths[-1]])],
            )
    assert compared(before.path, after.path) == {
        ("/x", "Missing", "", None, None),
        ("/y", "New", "", None, None),
    }


def test_a_staging_copy_is_compared_by_mapped_addresses(crawl: MakeCrawl) -> None:
    staging = "https://staging.example/site"
    before, after = crawl("before", CrawlSettings(roots=(f"{staging}/",))), crawl("after")
    before.page(f"{staging}/", f"{staging}/a", f"{staging}/old", canonical=f"{staging}/")
    before.page(f"{staging}/a", f"{SITE}/a", canonical=f"{staging}/", title="A")
    before.redirect(f"{staging}/old", f"{staging}/a")
    before.known(f"{SITE}/a", Outcome.OUT_OF_SCOPE)
    after.page("/", "/a", "/old", canonical=f"{SITE}/")
    after.page("/a", "/a", canonical=f"{SITE}/b", title="A")
    after.redirect("/old", "/a")
    options = ComparisonOptions(UrlMapping.parsed([f"{staging}={SITE}"]), ("canonical", "redirect"))
    expected = {("/a", "Changed", "Canonical Link Element 1", f"{SITE}/", f"{SITE}/b")}
    assert compared(before.path, after.path, options) == expected
    # The other way round, with the same mapping: addresses are those of the copy then.
    turned = compared(after.path, before.path, options)
    assert turned == {
        (f"{staging}/a", "Changed", "Canonical Link Element 1", f"{staging}/b", f"{staging}/")
    }


def test_canonicals_that_lead_to_the_other_copy_are_no_difference_but_are_told(
    crawl: MakeCrawl,
) -> None:
    staging = "https://staging.example"
    live, copy = crawl("live"), crawl("copy", CrawlSettings(roots=(f"{staging}/",)))
    for crawled, root in ((live, SITE), (copy, staging)):
        crawled.page(f"{root}/", f"{root}/a", canonical=f"{SITE}/")
        crawled.page(f"{root}/a", canonical=f"{SITE}/")
    options = ComparisonOptions(UrlMapping.parsed([f"{staging}={SITE}"]))
    for before, after in ((live, copy), (copy, live)):
        assert compared(before.path, after.path, options) == set()
        with ComparisonReader(after.path.with_suffix(".comparison")) as reader:
            summary = reader.summary()
        # The copy's front page; the other page is canonicalised on both.
        assert summary.name_other_copy == 1
        assert any("other copy" in str(note) for note in comparison_notes(summary))


def test_of_what_robots_txt_forbids_only_what_is_known_is_compared(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled in (before, after):
        crawled.page("/", "/a")
    before.page("/a", title="A", h1="A", word_count=5)
    after.failed("/a", Outcome.BLOCKED_BY_ROBOTS)
    assert compared(before.path, after.path) == {
        ("/a", "Changed", "Status Code", 200, None),
        ("/a", "Changed", "Indexability", "Indexable", "Non-Indexable"),
        ("/a", "Changed", "Indexability Status", None, "Blocked by Robots.txt"),
    }


def test_an_issue_begins_with_a_page_that_has_become_indexable(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled in (before, after):
        crawled.page("/", "/a", "/b")
    before.page("/a", directives=int(Directive.NOINDEX))
    before.page("/b")
    for path in ("/a", "/b"):
        after.page(path, issues=[TITLE])
    compared(before.path, after.path)
    result = after.path.with_suffix(".comparison")
    assert counts(result)["issue", _TITLE] == FilterCounts("issue", TITLE, 0, 2, added=1, began=1)
    with ComparisonReader(result) as reader:
        began = ComparisonFilter(moved=("issue", TITLE, FilterMove.BEGAN))
        assert [each.url for each in reader.iterate(began)] == [f"{SITE}/a"]
        gained = {each for each in FilterMove if each.is_in}
        assert reader.count_moved([TITLE], gained) == 2


def test_what_one_side_has_yet_to_request_is_not_compared(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", "/a", "/b")
    before.page("/a")
    before.page("/b")
    after.page("/", "/a", "/c")
    after.known("/b", Outcome.TOO_DEEP)
    assert compared(before.path, after.path) == {
        ("/b", "Missing", "", None, None),
        ("/", "Changed", "Outlinks", 1, 1),
    }
    with ComparisonReader(after.path.with_suffix(".comparison")) as reader:
        (page,) = reader.iterate(ComparisonFilter(frozenset({PageChange.MISSING})))
        assert page.fate is Outcome.TOO_DEEP
        assert reader.summary().after.pending == 2


def test_an_issue_does_not_count_on_the_side_where_it_is_ignored(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled in (before, after):
        crawled.page("/", "/a", "/b")
        crawled.page("/a", issues=[TITLE])
    after.page("/b", issues=[TITLE])
    before.page("/b")
    ignore_issues(after.path, [IgnoredIssue(TITLE, f"{SITE}/a")])
    assert compared(before.path, after.path) == {
        ("/a", "Changed", _TITLE, True, False),
        ("/b", "Changed", _TITLE, False, True),
    }


def test_the_same_project_twice_differs_in_nothing(crawl: MakeCrawl) -> None:
    crawled = crawl("same")
    crawled.page("/", "/a", issues=[TITLE], title="é" * 100_000)
    crawled.redirect("/a", "/")
    options = ComparisonOptions(fields=tuple(COMPARABLE))
    assert compared(crawled.path, crawled.path, options) == set()
    assert not any(
        each.is_changed for each in counts(crawled.path.with_suffix(".comparison")).values()
    )


def test_empty_crawls_are_compared(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    assert compared(before.path, after.path) == set()
    after.page("/")
    assert compared(before.path, after.path) == {("/", "New", "", None, None)}
    assert compared(after.path, before.path) == {("/", "Missing", "", None, None)}


def test_pages_are_filtered_and_sorted(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled, titles in ((before, ("x", "y", "50%")), (after, ("b", "a", "c"))):
        crawled.page("/", "/1", "/2", "/3")
        for number, title in enumerate(titles, 1):
            crawled.page(f"/{number}", title=title)
    compare(before.path, after.path, result := after.path.with_suffix(".result"))
    with ComparisonReader(result) as reader:
        by_title = ComparisonFilter(field="title")
        order = ComparisonOrder("after", descending=True)
        paths = [each.url[-1] for each in reader.iterate(by_title, order)]
        assert paths == ["3", "1", "2"]
        assert [each.url[-1] for each in reader.iterate(ComparisonFilter(text="0%"))] == ["3"]
        assert reader.count(ComparisonFilter(field="h1")) == 0
        assert reader.count(ComparisonFilter(changes=frozenset({PageChange.NEW}))) == 0
        assert reader.summary().fields["title"] == 3


def test_folders_are_counted_with_what_is_below(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled, paths in (
        (before, ("/", "/a/b/1", "/a/2", "/a//3")),
        (after, ("/", "/a/b/1", "/c/4")),
    ):
        for path in paths:
            crawled.page(path)
    after.known("/c/skipped", Outcome.TOO_DEEP)
    after.known("/d/waiting", Outcome.PENDING)
    result = after.path.with_suffix(".result")
    compare(before.path, after.path, result)
    with ComparisonReader(result) as reader:
        found = {each.address.removeprefix(SITE): each for each in reader.folders()}
        assert {name: (each.before, each.after) for name, each in found.items()} == {
            "/": (4, 3),
            "/a/": (3, 1),
            "/a//": (1, 0),
            "/a/b/": (1, 1),
            "/c/": (0, 1),
        }
        assert [each.address for each in reader.folders("")] == [f"{SITE}/"]


def test_settings_that_differ_are_told_but_for_those_that_change_no_results(
    crawl: MakeCrawl,
) -> None:
    before = crawl("before", CrawlSettings(roots=(SITE,), max_depth=2, workers=2))
    changed = CrawlSettings(
        roots=(SITE,), max_depth=3, workers=3, archive=True, full_text_search=True
    )
    after = crawl("after", changed)
    before.page("/")
    after.page("/")
    compare(before.path, after.path, result := after.path.with_suffix(".result"))
    with ComparisonReader(result) as reader:
        assert list(map(tuple, reader.summary().settings)) == [("max_depth", 2, 3)]


def test_a_cancelled_comparison_leaves_nothing(crawl: MakeCrawl, tmp_path: Path) -> None:
    crawled = crawl("before")
    crawled.page("/")
    with pytest.raises(ComparisonCancelled):
        compare(crawled.path, crawled.path, tmp_path / "r", is_cancelled=lambda: True)
    assert [each.name for each in tmp_path.iterdir() if "gossamer" not in each.name] == []


def test_what_is_no_comparison_is_refused(crawl: MakeCrawl, tmp_path: Path) -> None:
    crawled = crawl("before")
    text = tmp_path / "text"
    text.write_text("no database, but long enough to look like one" * 10)
    for path in (crawled.path, tmp_path / "none", text):
        with pytest.raises(ProjectError):
            ComparisonReader(path)


def test_an_older_comparison_is_replaced_at_the_end(crawl: MakeCrawl, tmp_path: Path) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", title="A")
    after.page("/", title="B")
    result = tmp_path / "result"
    compare(before.path, before.path, result)
    compare(before.path, after.path, result)
    assert {(each[2], each[3]) for each in differences(result)} == {("Title 1", "A")}


def test_every_value_of_every_field_goes_into_the_file_and_comes_back(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    facts: dict[str, Any] = {"word_count": 1, "content": 8, "language": "en", "text_length": 5}
    before.page("/", "/r", title="A", **facts)
    after.page("/", "/r", title="B", sentence_count=2, structured_types="A", markup=1, robots="x")
    before.redirect("/r", "/")
    after.failed("/r", Outcome.TIMEOUT, warnings=())
    found = compared(before.path, after.path, ComparisonOptions(fields=tuple(COMPARABLE)))
    fields = {(path, field) for path, _, field, *_ in found}
    assert fields >= {("/", "JSON-LD"), ("/", "Sentence Count"), ("/r", "Outcome")}
    assert ("/r", "Changed", "Outcome", Outcome.REDIRECT, Outcome.TIMEOUT) in found


def test_what_became_of_a_missing_page_is_told_with_its_status(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", "/a", "/b")
    before.page("/a")
    before.page("/b")
    after.page("/", "/a")
    after.failed("/a", Outcome.NOFOLLOW, status=404)
    summary = compare(before.path, after.path, result := after.path.with_suffix(".result"))
    with ComparisonReader(result) as reader:
        missing = reader.iterate(ComparisonFilter(frozenset({PageChange.MISSING})))
        fates = [(page.url[-1], page.fate, page.fate_status) for page in missing]
    assert fates == [("a", Outcome.NOFOLLOW, 404), ("b", None, None)]
    assert summary.fates == {Outcome.NOFOLLOW: 1}


@pytest.mark.parametrize("taken_over", sorted(UNCHANGED))
def test_the_time_of_a_page_that_was_not_transferred_is_not_compared(
    crawl: MakeCrawl, taken_over: Freshness
) -> None:
    def fill(crawled: Crawled, elapsed_ms: int, of: dict[str, Freshness | None]) -> None:
        for path, freshness in of.items():
            facts = PageFacts(title=str(elapsed_ms))
            visit = Visit(Outcome.PAGE, 200, elapsed_ms=elapsed_ms, facts=facts)
            crawled.visited(path, replace(visit, freshness=freshness))

    before, after = crawl("before"), crawl("after")
    fill(before, 3_000, {"/": None, "/a": None})
    fill(after, 20, {"/": Freshness.CHANGED, "/a": taken_over})
    options = ComparisonOptions(fields=("title", "elapsed_ms"))
    title, time = (COMPARABLE[name].field.export for name in options.fields)
    for sides in ((before.path, after.path), (after.path, before.path)):
        found = {(path, field) for path, _, field, *_ in compared(*sides, options)}
        assert found == {("/", title), ("/", time), ("/a", title)}


@pytest.mark.parametrize("column", ["visit.status", "visit.word_count", "url.outcome"])
def test_values_that_no_crawl_writes_are_told_as_damage(crawl: MakeCrawl, column: str) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled in (before, after):
        crawled.page("/", "/a")
        crawled.page("/a")
        crawled.writer.close()
    table, name = column.split(".")
    with closing(sqlite3.connect(before.path)) as connection, connection:
        connection.execute(f"UPDATE {table} SET {name} = 'many' WHERE id = 2")  # noqa: S608 - from above
    with pytest.raises(ProjectError, match=r"before\.gossamer is damaged"):
        compare(before.path, after.path, after.path.with_suffix(".result"))


@pytest.mark.parametrize("url_id", [-7, 5_000_000])
def test_an_issue_of_no_url_is_told_as_damage(crawl: MakeCrawl, url_id: int) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", issues=[H1])
    after.page("/")
    for crawled in (before, after):
        crawled.writer.close()
    with closing(sqlite3.connect(before.path)) as connection, connection:
        connection.execute("UPDATE issue SET id = ?", (url_id,))
    with pytest.raises(ProjectError, match=r"before\.gossamer is damaged"):
        compare(before.path, after.path, after.path.with_suffix(".result"))


def test_a_project_is_compared_as_it_was_when_the_comparison_began(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled in (before, after):
        crawled.page("/", "/a", title="Home")
        crawled.page("/a", title="A")
    stages: list[str] = []

    def crawl_on(progress: ComparisonProgress) -> None:
        if progress.stage == PAGES and not stages:
            stages.append(progress.stage)
            after.page("/a", title="Other", issues=[TITLE])
            after.page("/late")

    result = after.path.with_suffix(".result")
    compare(before.path, after.path, result, progress=crawl_on)
    assert stages
    assert differences(result) == set()
    assert {each[2] for each in compared(before.path, after.path)} == {"Title 1", _TITLE, ""}


def test_issues_of_rules_that_this_program_does_not_know_do_no_harm(
    crawl: MakeCrawl, tmp_path: Path
) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", "/a", title="Home", issues=[99_999])
    after.page("/", "/a", title="Home")
    result = tmp_path / "result"
    compare(before.path, after.path, result)
    with ComparisonReader(result) as reader:
        assert reader.issues()[99_999].removed == 1
        assert list(changes_sheet(reader).rows) == []
        assert compared_issues(reader) == []


def test_what_is_no_page_is_compared_too(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled, size in ((before, 10), (after, 20)):
        crawled.page("/", "/map.xml")
        crawled.sitemap("/map.xml", size_bytes=size)
    options = ComparisonOptions(fields=("size_bytes", "content_similarity", "word_count"))
    assert compared(before.path, after.path, options) == {
        ("/map.xml", "Changed", "Size (bytes)", 10, 20)
    }


def test_of_addresses_that_become_one_the_page_counts(crawl: MakeCrawl) -> None:
    plain = SITE.replace("https", "http")
    before, after = crawl("before"), crawl("after")
    before.redirect(f"{plain}/a", "/a")
    before.page("/a", title="Secure")
    before.page(f"{plain}/b", title="Plain")
    after.page("/a", title="Secure")
    after.page("/b", title="Secure now")
    mapping = UrlMapping.parsed([f"{plain}/={SITE}/"])
    options = ComparisonOptions(mapping, ("title", "status", "redirect"))
    assert compared(before.path, after.path, options) == {
        ("/b", "Changed", "Title 1", "Plain", "Secure now"),
    }


def test_only_what_passes_a_filter_is_compared(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled, title in ((before, "A"), (after, "B")):
        crawled.page("/", "/broken", title=title, issues=[H1])
    before.page("/broken", issues=[TITLE])
    before.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    before.page("/left")
    after.failed("/broken", Outcome.CLIENT_ERROR, status=404)
    after.failed("/new", Outcome.CLIENT_ERROR, status=410)
    after.page("/fine")
    wanted = Filter(facets=facet_values(status_class=[4]))
    options = ComparisonOptions(fields=("status", "title"), filter_=wanted)
    assert compared(before.path, after.path, options) == {
        ("/broken", "Changed", "Status Code", 200, 404),
        ("/broken", "Changed", _TITLE, True, False),
        ("/new", "New", "", None, None),
        ("/gone", "Missing", "", None, None),
    }
    found = counts(after.path.with_suffix(".comparison"))
    assert found["view", "all"] == FilterCounts("view", "all", 2, 2, new=1, missing=1)
    assert ("issue", _H1) not in found or not found["issue", _H1].is_changed
    # Links to what passes.
    assert found["view", "broken-links"].added == 1
