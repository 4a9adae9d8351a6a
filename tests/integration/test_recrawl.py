"""Projects crawled again from servers that answer conditional requests, well or badly."""

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing as closing_connection
from pathlib import Path
from typing import Any

import pytest

from gossamer.audit.site_audit import run_site_audit
from gossamer.model.crawl_state import CrawlState
from gossamer.model.custom_definitions import CustomSearch
from gossamer.model.discovery_rank import FORMER
from gossamer.model.errors import ProjectError
from gossamer.model.fields.derived_freshness_fields import FreshnessStatus
from gossamer.model.freshness import Freshness
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.outcome import Outcome, UrlState
from gossamer.session.recrawl import start_recrawl
from tests.fakes.project_content import content_of
from tests.fakes.recount import miscounts
from tests.integration.crawling import (
    closing,
    crawl_again,
    crawl_all,
    records,
    run,
    sessions,
    until_rest,
)
from tests.sites import Site
from tests.sites.ledger import Request
from tests.sites.responses import Response
from tests.sites.versions import VersionedSite

DAY_S = 86_400
WORDS = "<p>" + "Something to read about roses and their many thorns. " * 30 + "</p>"


@pytest.fixture
def versions(site: Site) -> VersionedSite:
    """Three pages that link to each other."""
    versions = VersionedSite(site)
    versions.page("/", "/a", "/b#top", body=WORDS + "<img src=/picture.png alt='A picture'>")
    versions.page("/a", "/", "/b", "https://elsewhere.test/", title="The page A")
    versions.page("/b", "/a", body="<script type=application/ld+json>{</script>")
    return versions


def crawled(versions: VersionedSite, path: Path, **changes: Any) -> Path:
    """With one worker, so that it is no chance which of several links to a page is found first."""
    alone: dict[str, Any] = {"workers": 1, "soft_404_probe": False, "llms_txt": False}
    crawl_all(path, versions.site.url("/"), **{**alone, **changes})
    return path


def freshness(path: Path) -> Counter[Freshness]:
    found = Counter(each.freshness for each in records(path).values() if each.freshness)
    return Counter({each: n for each, n in found.items() if each is not None})


def assert_as_crawled_anew(
    versions: VersionedSite, recrawled: Path, tmp_path: Path, **changes: Any
) -> None:
    """The recrawl says what an ordinary crawl of the site says."""
    anew = crawled(versions, tmp_path / "anew.gossamer", **changes)
    assert content_of(recrawled) == content_of(anew)
    assert miscounts(recrawled) == []


def test_a_recrawl_of_an_unchanged_site_transfers_no_page(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert not versions.sent
    assert versions.statuses == {304: 3}
    assert freshness(new)[Freshness.NOT_MODIFIED] == 3
    page = records(new)[versions.site.url("/a")]
    assert page.since_last_crawl is FreshnessStatus.NOT_MODIFIED
    assert page.status == 200
    assert page.unchanged_since == records(base)[page.url].fetched_at
    assert_as_crawled_anew(versions, new, tmp_path)


def test_a_changed_page_is_fetched_and_its_new_links_are_followed(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.page("/a", "/", "/c", title="The page A, changed")
    versions.page("/c", "/b", title="A page that is new")
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert set(versions.sent) == {"/a", "/c"}
    said = {url.removeprefix(versions.site.url("")): each for url, each in records(new).items()}
    assert said["/a"].freshness is Freshness.CHANGED
    assert said["/c"].freshness is Freshness.NEW
    assert said["/b"].freshness is Freshness.NOT_MODIFIED
    assert_as_crawled_anew(versions, new, tmp_path)


def test_unchanged_pages_stay_so_from_base_to_base(versions: VersionedSite, tmp_path: Path) -> None:
    first = crawled(versions, tmp_path / "1.gossamer")
    second = crawl_again(first, tmp_path / "2.gossamer")
    versions.page("/b", "/a")
    third = crawl_again(second, tmp_path / "3.gossamer")
    since = {url: each.unchanged_since for url, each in records(third).items()}
    assert since[versions.site.url("/a")] == records(first)[versions.site.url("/a")].fetched_at
    assert since[versions.site.url("/b")] is None
    assert records(third)[versions.site.url("/a")].freshness is Freshness.NOT_MODIFIED


def gzip_suffix(body: bytes) -> str:
    return f'"{len(body)}-gzip"'


def test_an_etag_with_the_suffix_of_a_coding_is_recognised(
    versions: VersionedSite, tmp_path: Path
) -> None:
    versions.etag_of = gzip_suffix
    versions.matches = lambda etag, asked: etag.replace("-gzip", "") in asked.split(", ")
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert versions.statuses == {304: 3}
    assert_as_crawled_anew(versions, new, tmp_path)


def test_dates_alone_are_enough_exactly_as_sent(versions: VersionedSite, tmp_path: Path) -> None:
    versions.etag_of = lambda _: ""
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert versions.statuses == {304: 3}
    assert_as_crawled_anew(versions, new, tmp_path)


def test_a_server_that_ignores_conditions_sends_pages_that_are_the_same(
    versions: VersionedSite, tmp_path: Path
) -> None:
    versions.matches = lambda _etag, _asked: False
    base = crawled(versions, tmp_path / "base.gossamer")
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert freshness(new)[Freshness.SAME] >= 3
    assert records(new)[versions.site.url("/b")].unchanged_since is not None
    assert_as_crawled_anew(versions, new, tmp_path)


@pytest.mark.parametrize(
    "told", [("X-Robots-Tag", "noindex"), ("ETag", '"another"'), ("Link", '</c>; rel="next"')]
)
def test_a_304_that_says_something_new_is_not_believed(
    versions: VersionedSite, tmp_path: Path, told: tuple[str, str]
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.not_modified_headers = (told,)
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert versions.statuses == {304: 3, 200: 3}
    assert freshness(new)[Freshness.SAME] >= 3


@pytest.mark.parametrize("status", [400, 412])
def test_a_server_that_chokes_on_conditions_is_asked_without(
    versions: VersionedSite, tmp_path: Path, status: int
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    answer = versions.answer

    def choking(request: Request) -> Response:
        return Response(status) if request.header("If-None-Match") else answer(request)

    for path in versions.bodies:
        versions.site.answer(path, choking)
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert records(new)[versions.site.url("/a")].status == 200
    assert_as_crawled_anew(versions, new, tmp_path)


def test_a_304_that_nobody_asked_for_stays_an_unexpected_status(
    versions: VersionedSite, tmp_path: Path
) -> None:
    versions.site.status("/b", 304)
    base = crawled(versions, tmp_path / "base.gossamer")
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert records(new)[versions.site.url("/b")].status == 304
    assert content_of(new) == content_of(base)


@pytest.mark.parametrize(
    "changes", [{"content_exclude": ("nav",)}, {"max_links": 7}, {"user_agent": "Other/1.0"}]
)
def test_other_reading_settings_have_every_page_read_anew(
    versions: VersionedSite, tmp_path: Path, changes: dict[str, Any]
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer", **changes)
    assert versions.statuses == {200: 3}
    assert_as_crawled_anew(versions, new, tmp_path, **changes)


def test_other_thresholds_are_applied_to_unchanged_pages(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer", title_max_length=4, content_min_words=3)
    assert versions.statuses == {304: 3}
    assert_as_crawled_anew(versions, new, tmp_path, title_max_length=4, content_min_words=3)


def test_without_its_base_a_recrawl_fetches_everything(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base, new = crawled(versions, tmp_path / "base.gossamer"), tmp_path / "new.gossamer"
    versions.forget()

    async def main() -> None:
        session = start_recrawl(base, new, sessions=sessions())
        base.unlink()
        async with closing(session):
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert versions.statuses == {200: 3}
    assert_as_crawled_anew(versions, new, tmp_path)


def test_another_project_in_the_place_of_the_base_is_not_asked(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base, new = crawled(versions, tmp_path / "base.gossamer"), tmp_path / "new.gossamer"

    async def main() -> None:
        session = start_recrawl(base, new, sessions=sessions())
        base.unlink()
        await asyncio.to_thread(crawled_beside, versions, base)
        versions.forget()
        async with closing(session):
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert versions.statuses == {200: 3}


def crawled_beside(versions: VersionedSite, path: Path) -> None:
    crawled(versions, path)


def sitemap_of(versions: VersionedSite, **dates: str) -> None:
    entries = "".join(
        f"<url><loc>{versions.site.url('/' + name)}</loc><lastmod>{date}</lastmod></url>"
        for name, date in dates.items()
    )
    text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    versions.put("/sitemap.xml", text.encode(), "application/xml")


def set_back(path: Path, days: float, unchanged_days: float) -> None:
    """Have all of a project have been fetched so long ago, and been unchanged so long by then."""
    with closing_connection(sqlite3.connect(path)) as connection:
        connection.execute(
            "UPDATE visit SET fetched_at = fetched_at - ?, unchanged_since = fetched_at - ?",
            (days * DAY_S, (days + unchanged_days) * DAY_S),
        )
        connection.commit()


def outcomes(versions: VersionedSite, path: Path) -> dict[str, Outcome]:
    root = versions.site.url("")
    return {url.removeprefix(root): each.outcome for url, each in records(path).items()}


def test_pages_that_are_gone_are_told_from_pages_no_longer_linked(
    versions: VersionedSite, tmp_path: Path
) -> None:
    versions.page("/", "/a", "/old", "/kept", "/moved")
    versions.page("/old", "/old/deep")
    versions.page("/old/deep")
    versions.page("/kept")
    versions.page("/moved")
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.page("/", "/a")
    versions.remove("/old")
    versions.site.status("/old/deep", 410)
    versions.site.redirect("/moved", "/a")
    new = crawl_again(base, tmp_path / "new.gossamer")
    found = outcomes(versions, new)
    assert found["/old"] is found["/old/deep"] is Outcome.GONE
    assert found["/kept"] is found["/moved"] is Outcome.NO_LONGER_LINKED
    row = records(new)[versions.site.url("/old")]
    assert (row.status, row.depth, str(row.detail)) == (None, None, "status 404")
    parents = {
        url.removeprefix(versions.site.url("")): each.parent for url, each in records(new).items()
    }
    assert parents["/kept"] == records(new)[versions.site.url("/")].id
    assert miscounts(new) == []
    anew = content_of(crawled(versions, tmp_path / "anew.gossamer"))
    content = content_of(new)
    for url in [url for url, row in content["urls"].items() if row["depth"] == FORMER]:
        del content["urls"][url]
    content["url_count"] = [row for row in content["url_count"] if row[1] != FORMER]
    assert content == anew, "nothing else is different: no issue, no count, no link"


def test_the_site_audit_makes_no_issue_of_pages_that_nothing_leads_to(
    versions: VersionedSite, tmp_path: Path
) -> None:
    versions.page("/", "/a", "/old", "/Kept_Page")
    versions.page("/old")
    versions.page("/Kept_Page")
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.page("/", "/a")
    versions.remove("/old")
    new = crawl_again(base, tmp_path / "new.gossamer")
    anew = crawled(versions, tmp_path / "anew.gossamer")
    for path in (new, anew):
        run_site_audit(path)
    assert content_of(new)["issues"] == content_of(anew)["issues"]
    assert content_of(new)["issue_count"] == content_of(anew)["issue_count"]


def test_former_pages_are_not_asked_for_where_nobody_wants_to_know(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.page("/", "/a")
    versions.page("/a")
    new = crawl_again(base, tmp_path / "new.gossamer", check_former_pages=False)
    assert set(outcomes(versions, new)) == {"/", "/a"}
    excluded = crawl_again(base, tmp_path / "other.gossamer", exclude=("/b",))
    assert "/b" not in outcomes(versions, excluded)


def test_former_pages_are_asked_for_once(versions: VersionedSite, tmp_path: Path) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.page("/", "/a")
    versions.page("/a")
    second = crawl_again(base, tmp_path / "2.gossamer")
    assert outcomes(versions, second)["/b"] is Outcome.NO_LONGER_LINKED
    third = crawl_again(second, tmp_path / "3.gossamer")
    assert "/b" not in outcomes(versions, third)


def test_a_former_page_that_is_linked_again_is_a_page_again(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.page("/", "/a")
    versions.page("/a")
    new = crawl_again(base, tmp_path / "new.gossamer")
    versions.page("/a", "/b")
    page = records(new)[versions.site.url("/a")]
    fetch_again(new, page.id)
    found = records(new)[versions.site.url("/b")]
    assert (found.outcome, found.depth) == (Outcome.PAGE, 2)
    assert miscounts(new) == []


def test_a_url_that_is_fetched_again_by_hand_is_asked_for_without_conditions(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    new = crawl_again(base, tmp_path / "new.gossamer")
    versions.forget()
    fetch_again(new, records(new)[versions.site.url("/a")].id)
    assert versions.statuses == {200: 1}


def fetch_again(path: Path, url_id: int) -> None:
    async def main() -> None:
        async with closing(sessions().open(path)) as session:
            await session.perform(BulkActionKind.RECRAWL, UrlSelection(ids=(url_id,)))
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())


def test_pages_that_are_not_due_are_taken_over_without_a_request(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    set_back(base, days=2, unchanged_days=10)
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer", adaptive_interval=True)
    assert versions.statuses == {304: 1}, "the start page alone"
    assert freshness(new)[Freshness.NOT_DUE] == 2
    before = records(base)[versions.site.url("/a")]
    page = records(new)[versions.site.url("/a")]
    assert (page.fetched_at, page.unchanged_since) == (before.fetched_at, before.unchanged_since)
    assert_as_crawled_anew(versions, new, tmp_path)


def test_pages_are_due_after_half_the_time_that_they_were_unchanged(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    set_back(base, days=6, unchanged_days=10)
    versions.forget()
    crawl_again(base, tmp_path / "new.gossamer", adaptive_interval=True)
    assert versions.statuses == {304: 3}


def test_what_a_sitemap_says_is_modified_is_due(versions: VersionedSite, tmp_path: Path) -> None:
    sitemap_of(versions, a="2020-01-01", b="2020-01-01")
    changes: dict[str, Any] = {"sitemaps": (versions.site.url("/sitemap.xml"),)}
    base = crawled(versions, tmp_path / "base.gossamer", **changes)
    set_back(base, days=2, unchanged_days=10)
    sitemap_of(versions, a="2020-01-01", b="2999-01-01T10:00:00Z")
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer", adaptive_interval=True, **changes)
    found = {url.removeprefix(versions.site.url("")): each for url, each in records(new).items()}
    assert found["/b"].freshness is Freshness.NOT_MODIFIED
    assert found["/a"].freshness is Freshness.NOT_DUE


def test_what_a_sitemap_says_is_modified_comes_first(
    versions: VersionedSite, tmp_path: Path
) -> None:
    names = [f"p{number}" for number in range(20)]
    for name in names:
        versions.page(f"/{name}")
    sitemap_of(versions, **dict.fromkeys(names, "2020-01-01"))
    versions.page("/")
    changes: dict[str, Any] = {"sitemaps": (versions.site.url("/sitemap.xml"),)}
    base = crawled(versions, tmp_path / "base.gossamer", **changes)
    sitemap_of(versions, **dict.fromkeys(names, "2020-01-01") | {"p17": "2999-01-01"})
    seen = len(versions.site.requests)
    crawl_again(base, tmp_path / "new.gossamer", lastmod_first=True, **changes)
    asked = [each.path for each in versions.site.requests[seen:] if each.path.startswith("/p")]
    assert asked.index("/p17") <= 1


def test_unchanged_sitemaps_are_not_transferred_and_still_lead_to_their_urls(
    versions: VersionedSite, tmp_path: Path
) -> None:
    sitemap_of(versions, a="2020-01-01", only="2020-01-01")
    versions.page("/only")
    changes: dict[str, Any] = {"sitemaps": (versions.site.url("/sitemap.xml"),)}
    base = crawled(versions, tmp_path / "base.gossamer", **changes)
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer", **changes)
    assert not versions.sent
    assert outcomes(versions, new)["/only"] is Outcome.PAGE
    assert_as_crawled_anew(versions, new, tmp_path, **changes)


def test_custom_searches_and_proofreading_are_taken_over(
    versions: VersionedSite, tmp_path: Path
) -> None:
    search = CustomSearch("roses", "roses")
    changes: dict[str, Any] = {"custom_searches": (search,)}
    base = crawled(versions, tmp_path / "base.gossamer", **changes)
    versions.forget()
    renamed = {"custom_searches": (CustomSearch("flowers", "roses"),)}
    new = crawl_again(base, tmp_path / "new.gossamer", **renamed)
    assert not versions.sent
    assert_as_crawled_anew(versions, new, tmp_path, **renamed)
    versions.forget()
    other = {"custom_searches": (CustomSearch("thorns", "thorns"),)}
    crawl_again(base, tmp_path / "other.gossamer", **other)
    assert versions.statuses == {200: 3}


def test_a_base_that_is_damaged_is_left_alone_in_the_middle(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    with closing_connection(sqlite3.connect(base)) as connection:
        connection.execute("UPDATE visit SET warnings = 1, header_values = x'ff'")
        connection.execute("UPDATE link SET kind = 99")
        connection.commit()
    versions.forget()
    new = tmp_path / "new.gossamer"
    with pytest.raises(ProjectError, match="damaged"):
        crawl_again(base, new)
    assert not new.exists()
    with closing_connection(sqlite3.connect(base)) as connection:
        connection.execute("UPDATE visit SET warnings = NULL")
    damaged_later(versions, tmp_path)


def damaged_later(versions: VersionedSite, tmp_path: Path) -> None:
    base, new = crawled(versions, tmp_path / "later.gossamer"), tmp_path / "after.gossamer"
    session = start_recrawl(base, new, sessions=sessions())
    with closing_connection(sqlite3.connect(base)) as connection:
        connection.execute("UPDATE link SET kind = 99")
        connection.commit()

    async def main() -> None:
        async with closing(session):
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert_as_crawled_anew(versions, new, tmp_path)


def test_the_trap_limit_leaves_out_the_same_pages_again(
    versions: VersionedSite, tmp_path: Path
) -> None:
    versions.page("/", "/month/0", "/a", "/b")
    for number in range(60):
        versions.page(f"/month/{number}", f"/month/{number + 1}", title="Month", body="No events")
    base = crawled(versions, tmp_path / "base.gossamer", max_similar=10)
    left_out = sum(each is Outcome.OVER_BUDGET for each in outcomes(versions, base).values())
    assert left_out
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert not versions.sent
    assert outcomes(versions, new) == outcomes(versions, base)
    assert content_of(new)["budget"] == content_of(base)["budget"]


@pytest.mark.parametrize("every", [2, 7])
def test_pages_of_a_trap_that_changed_say_nothing_new_beside_those_that_did_not(
    versions: VersionedSite, tmp_path: Path, every: int
) -> None:
    events = [f"No events for {who}. " * 9 for who in ("children", "singers", "painters", "cooks")]

    def month(number: int, end: str = "") -> None:
        following = (f"/month/{number + 1}", f"/month/{number + 2}")
        versions.page(f"/month/{number}", *following, title="Month", body=events[number % 4] + end)

    versions.page("/", "/month/0", "/a", "/b")
    for number in range(100):
        month(number)
    base = crawled(versions, tmp_path / "base.gossamer", max_similar=10)
    for number in range(0, 100, every):
        month(number, "<!-- changed -->")
    new = crawl_again(base, tmp_path / "new.gossamer")
    anew = crawled(versions, tmp_path / "anew.gossamer", max_similar=10)
    # Where answers overtake each other, more pages are found before the budget is used up.
    assert outcomes(versions, new) == outcomes(versions, anew)
    assert freshness(new)[Freshness.CHANGED]
    assert freshness(new)[Freshness.NOT_MODIFIED]


def test_what_was_decided_about_folders_holds_when_crawled_again(
    versions: VersionedSite, tmp_path: Path
) -> None:
    versions.page("/", "/a", "/b", "/held/1", "/dropped/1")
    for path in ("/held/1", "/dropped/1"):
        versions.page(path, "/")
    base = crawled(versions, tmp_path / "base.gossamer")

    async def main() -> None:
        async with closing(sessions().open(base)) as session:
            for kind, folder in (("hold", "/held/"), ("exclude", "/dropped/")):
                selection = UrlSelection(folder=versions.site.url(folder))
                await session.perform(BulkActionKind(kind), selection)

    run(main())
    new = crawl_again(base, tmp_path / "new.gossamer")
    found = outcomes(versions, new)
    assert found["/held/1"] is Outcome.HELD
    assert found["/dropped/1"].state is UrlState.SKIPPED


def test_everything_that_has_validators_is_asked_for_on_conditions(
    versions: VersionedSite, tmp_path: Path
) -> None:
    root = versions.site.url("")
    versions.page("/", "/moved", "/paper.pdf", body=WORDS + "<img src=/picture.png>")
    versions.redirect("/moved", "/a")
    versions.put("/paper.pdf", b"%PDF-1.4" + bytes(100_000), "application/pdf")
    versions.put("/picture.png", b"picture", "image/png")
    versions.put("/llms.txt", b"# The site", "text/plain")
    versions.put("/robots.txt", f"Sitemap: {root}/sitemap.xml".encode(), "text/plain")
    sitemap_of(versions, a="2020-01-01")
    changes: dict[str, Any] = {"use_sitemaps": True, "llms_txt": True}
    base = crawled(versions, tmp_path / "base.gossamer", **changes)
    before = len(versions.site.requests)
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer", **changes)
    asked = Counter(each.path for each in versions.site.requests[before:])
    assert {*asked, "/llms.txt"} == set(versions.bodies)  # which the ledger leaves out
    assert set(asked.values()) == {1}
    assert versions.statuses == {304: len(versions.bodies)}
    found = records(new)
    assert found[f"{root}/moved"].status == 301
    answered = {each.freshness for each in found.values() if each.status}
    assert answered == {Freshness.NOT_MODIFIED}
    versions.forget()
    third = crawl_again(new, tmp_path / "third.gossamer", **changes)
    assert versions.statuses == {304: len(versions.bodies)}, "it goes on from base to base"
    assert_as_crawled_anew(versions, third, tmp_path, **changes)


def test_files_that_changed_are_read_anew(versions: VersionedSite, tmp_path: Path) -> None:
    versions.redirect("/b", "/a")
    versions.put("/robots.txt", b"User-agent: *\nDisallow: /b", "text/plain")
    versions.put("/llms.txt", b"# The site", "text/plain")
    base = crawled(versions, tmp_path / "base.gossamer", llms_txt=True)
    assert outcomes(versions, base)["/b"] is Outcome.BLOCKED_BY_ROBOTS
    versions.put("/robots.txt", b"User-agent: *\nDisallow: /a", "text/plain")
    versions.put("/llms.txt", b"# The new site", "text/plain")
    new = crawl_again(base, tmp_path / "new.gossamer", llms_txt=True)
    assert outcomes(versions, new)["/a"] is Outcome.BLOCKED_BY_ROBOTS
    assert outcomes(versions, new)["/b"] is Outcome.REDIRECT
    assert_as_crawled_anew(versions, new, tmp_path, llms_txt=True)


@pytest.mark.parametrize("changes", [{"conditional_requests": False}, {"user_agent": "Other/1.0"}])
def test_robots_txt_too_is_asked_for_in_full_where_that_is_wanted(
    versions: VersionedSite, tmp_path: Path, changes: dict[str, Any]
) -> None:
    versions.put("/robots.txt", b"User-agent: *", "text/plain")
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.forget()
    crawl_again(base, tmp_path / "new.gossamer", **changes)
    assert versions.sent["/robots.txt"]


@pytest.mark.parametrize("told", [("ETag", '"another"'), None])
def test_a_useless_answer_about_robots_txt_is_not_believed(
    versions: VersionedSite, tmp_path: Path, told: tuple[str, str] | None
) -> None:
    versions.put("/robots.txt", b"User-agent: *\nDisallow: /b", "text/plain")
    versions.put("/llms.txt", b"# The site", "text/plain")
    base = crawled(versions, tmp_path / "base.gossamer", llms_txt=True)
    answer = versions.answer

    def choking(request: Request) -> Response:
        if not request.header("If-None-Match"):
            return answer(request)
        return Response(412) if told is None else Response(304, b"", None, (told,))

    for path in ("/robots.txt", "/llms.txt"):
        versions.site.answer(path, choking)
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer", llms_txt=True)
    assert versions.sent["/robots.txt"]
    assert versions.sent["/llms.txt"]
    assert_as_crawled_anew(versions, new, tmp_path, llms_txt=True)


def test_a_redirect_that_leads_elsewhere_is_followed(
    versions: VersionedSite, tmp_path: Path
) -> None:
    versions.page("/", "/moved")
    versions.redirect("/moved", "/a")
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.redirect("/moved", "/b")
    new = crawl_again(base, tmp_path / "new.gossamer")
    moved = records(new)[versions.site.url("/moved")]
    assert moved.freshness is Freshness.CHANGED
    assert_as_crawled_anew(versions, new, tmp_path)
