"""Links that differ between two projects: outlinks of pages, and links to what is broken."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from gossamer.comparison.outlink_differences import MOST_TOLD
from gossamer.comparison.project_comparison import ComparisonOptions, compare
from gossamer.export.comparison_links import outlink_cells
from gossamer.export.comparison_sheets import COMPARISON_TABLES
from gossamer.model.comparison_results import (
    BrokenLinkFilter,
    ComparedPage,
    ComparisonFilter,
    ComparisonOrder,
    FilterCounts,
    FilterMove,
)
from gossamer.model.errors import ProjectError
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Link
from gossamer.store.comparing.comparison_reader import ComparisonReader
from gossamer.urls.url_mapping import UrlMapping
from tests.fakes.crawled import SITE, Crawled

MakeCrawl: TypeAlias = Callable[..., Crawled]
_OUTLINKS: Final = ComparisonOptions(fields=("outlinks",))
_BROKEN: Final = ("view", "broken-links")
Row = tuple[object, ...]


@pytest.fixture
def crawl(tmp_path: Path, request: pytest.FixtureRequest) -> MakeCrawl:
    def make(name: str) -> Crawled:
        crawled = Crawled(tmp_path / f"{name}.gossamer")
        request.addfinalizer(crawled.writer.close)
        return crawled

    return make


def result_of(before: Crawled, after: Crawled, options: ComparisonOptions = _OUTLINKS) -> Path:
    result = after.path.with_suffix(".comparison")
    compare(before.path, after.path, result, options)
    return result


def pages_of(result: Path) -> dict[str, ComparedPage]:
    with ComparisonReader(result) as reader:
        wanted = ComparisonFilter(field="outlinks")
        return {each.url.removeprefix(SITE): each for each in reader.iterate(wanted)}


def links_of(page: ComparedPage) -> tuple[list[str], list[str]]:
    """Lost and gained."""
    lost, gained = (
        [each.url.removeprefix(SITE) for each in page.links if each.is_gained is is_gained]
        for is_gained in (False, True)
    )
    return lost, gained


def broken_links(result: Path) -> list[Row]:
    with ComparisonReader(result) as reader:
        sheet = COMPARISON_TABLES["broken-links"](reader)
        rows = list(sheet.rows)
        assert len(rows) == sheet.expected
    return [(str(a).removeprefix(SITE), str(b).removeprefix(SITE), *rest) for a, b, *rest in rows]


def link_counts(result: Path) -> dict[tuple[str, object], FilterCounts]:
    with ComparisonReader(result) as reader:
        return {(each.section, each.value): each for each in reader.filters(("view",))}


def test_targets_that_came_and_went_are_told_whatever_their_order_and_number(
    crawl: MakeCrawl,
) -> None:
    before, after = crawl("before"), crawl("after")
    image = ("/i.png", Link(0, LinkKind.IMAGE))
    before.page("/", "/a", "/b", "/a", "/same")
    before.page("/same", "/a", "/b", "/b")
    after.page("/same", "/b", "/a", image)
    after.page("/", "/same", "/c", "/d", "/b")
    result = result_of(before, after)
    pages = pages_of(result)
    assert pages.keys() == {"/"}
    assert links_of(pages["/"]) == (["/a"], ["/c", "/d"])
    assert [tuple(each) for each in pages["/"].fields] == [("outlinks", 1, 2)]
    # Each target of a page once.
    assert link_counts(result)["view", "links"] == FilterCounts(
        "view", "links", 5, 6, added=2, removed=1
    )


def test_of_many_links_the_first_are_told_those_that_are_broken_before_others(
    crawl: MakeCrawl,
) -> None:
    before, after = crawl("before"), crawl("after")
    paths = [f"/{number:03}" for number in range(MOST_TOLD + 9)]
    for crawled, links in ((before, ()), (after, paths)):
        crawled.page("/", *links)
    after.failed(paths[-1], Outcome.CLIENT_ERROR, status=404)
    page = pages_of(result_of(before, after))["/"]
    _, gained = links_of(page)
    assert len(gained) == MOST_TOLD
    assert paths[-1] in gained
    lost, came = outlink_cells(page, page.fields[0])
    assert lost is None
    assert came is not None
    assert came.endswith(f" and {len(paths) - 10} more")


def test_links_of_copies_are_compared_by_mapped_addresses(crawl: MakeCrawl) -> None:
    plain, staging = SITE.replace("https", "http"), "https://staging.example"
    before, after = crawl("before"), crawl("after")
    # Two addresses before that are one after: either is the same target.
    before.page(f"{staging}/", f"{plain}/a", f"{staging}/gone", f"{SITE}/far")
    before.page(f"{staging}/b", f"{staging}/a")
    before.page(f"{staging}/a")
    before.page(f"{plain}/a")
    after.page("/", "/a", "/far", "/new")
    after.page("/b", "/a")
    after.page("/a")
    mapping = UrlMapping.parsed([f"{staging}/={SITE}/", f"{plain}/={SITE}/"])
    pages = pages_of(result_of(before, after, ComparisonOptions(mapping, ("outlinks",))))
    assert {path: links_of(page) for path, page in pages.items()} == {"/": (["/gone"], ["/new"])}


def test_a_copy_may_lead_to_its_own_pages_or_to_those_of_the_other(crawl: MakeCrawl) -> None:
    staging = "https://staging.example"
    before, after = crawl("before"), crawl("after")
    before.page("/", "/a", "/b", "/unknown", "/dead")
    before.page("/a")
    before.failed("/dead", Outcome.CLIENT_ERROR, status=404)
    # The copy leads to the public site, of which some has no page here.
    after.page(f"{staging}/", f"{SITE}/a", f"{staging}/b", f"{SITE}/unknown", f"{SITE}/dead")
    after.page(f"{staging}/a")
    after.failed(f"{SITE}/dead", Outcome.CLIENT_ERROR, status=404)
    mapping = UrlMapping.parsed([f"{SITE}/={staging}/"])
    result = result_of(before, after, ComparisonOptions(mapping, ("outlinks",)))
    assert pages_of(result) == {}
    assert broken_links(result) == []


def test_a_page_that_broke_has_not_lost_its_links(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled in (before, after):
        crawled.page("/", "/a")
    before.page("/a", "/x", "/y")
    after.failed("/a", Outcome.CLIENT_ERROR, status=404)
    result = result_of(before, after)
    assert pages_of(result) == {}
    assert link_counts(result)["view", "links"] == FilterCounts("view", "links", 3, 1, removed=2)


def site(crawled: Crawled, pages: dict[str, tuple[str, ...]], broken: tuple[str, ...]) -> None:
    for path, links in pages.items():
        crawled.page(path, *links)
    for path in broken:
        crawled.failed(path, Outcome.CLIENT_ERROR, status=404)


def test_links_that_broke_and_that_were_mended(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    kept = {"/": ("/dies", "/revives", "/dead"), "/dies": (), "/old": ("/dead",)}
    site(before, kept | {"/other": ("/dead",), "/dies": ("/dead",)}, ("/dead", "/revives"))
    now = {"/": ("/dies", "/revives", "/dead"), "/revives": ()}
    site(after, now | {"/other": ("/dies",), "/new": ("/dead", "/dead")}, ("/dead", "/dies"))
    result = result_of(before, after)
    assert broken_links(result) == [
        ("/", "/dies", "Added", 200, 404),
        ("/other", "/dies", "Added", 200, 404),
        ("/new", "/dead", "New", 404, 404),
        ("/", "/revives", "Removed", 404, 200),
        ("/dies", "/dead", "Removed", 404, 404),
        ("/other", "/dead", "Removed", 404, 404),
        ("/old", "/dead", "Missing", 404, 404),
    ]
    counts = FilterCounts(*_BROKEN, 5, 4, added=2, new=1, removed=3, missing=1)
    assert link_counts(result)[_BROKEN] == counts
    with ComparisonReader(result) as reader:
        mended = BrokenLinkFilter(frozenset({FilterMove.REMOVED}), text="OTHER")
        assert [each.target for each in reader.iterate_broken_links(mended)] == [f"{SITE}/dead"]
        order = ComparisonOrder("source", descending=True)
        first = reader.broken_links(reader.broken_link_ids(order=order)[:1])
        assert [each.source for each in first] == [f"{SITE}/other"]


def test_a_broken_target_that_only_one_crawl_knows_has_no_status_in_the_other(
    crawl: MakeCrawl,
) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", "/typo")
    before.failed("/typo", Outcome.DNS_FAILURE)
    after.page("/", "/new-typo", "/waiting")
    after.failed("/new-typo", Outcome.CLIENT_ERROR, status=410)
    assert broken_links(result_of(before, after)) == [
        ("/", "/new-typo", "Added", None, 410),
        ("/", "/typo", "Removed", "The host name could not be found.", None),
    ]


def test_what_one_crawl_has_yet_to_request_is_not_broken(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", "/a")
    before.failed("/a", Outcome.CLIENT_ERROR, status=404)
    after.page("/", "/a")
    result = result_of(before, after)
    assert broken_links(result) == []
    # That the page leads there is known of both.
    assert pages_of(result) == {}


def test_crawls_without_any_link_differ_in_none(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    assert broken_links(result_of(before, after)) == []
    after.page("/")
    assert link_counts(result_of(before, after))["view", "links"] == FilterCounts("view", "links")


@pytest.mark.parametrize("target", [-1, 10_000_000, 2**40])
def test_links_to_no_url_are_told_as_damage(crawl: MakeCrawl, target: int) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled in (before, after):
        crawled.page("/", "/a")
        crawled.writer.close()
    with closing(sqlite3.connect(after.path)) as connection, connection:
        connection.execute("UPDATE link SET target = ?", (target,))
    with pytest.raises(ProjectError, match=r"after\.gossamer is damaged"):
        result_of(before, after)
