"""Projects crawled again from servers that answer conditional requests, well or badly."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.fields.freshness_columns import FreshnessStatus
from gossamer.model.freshness import Freshness
from gossamer.session.recrawl import start_recrawl
from tests.fakes.project_content import content_of
from tests.fakes.recount import miscounts
from tests.integration.crawling import closing, crawl_all, records, run, sessions, until_rest
from tests.sites import Site
from tests.sites.ledger import Request
from tests.sites.responses import Response
from tests.sites.versions import VersionedSite

WORDS = "<p>" + "Something to read about roses and their many thorns. " * 30 + "</p>"


@pytest.fixture
def versions(site: Site) -> VersionedSite:
    """Three pages that link to each other."""
    versions = VersionedSite(site)
    versions.page("/", "/a", "/b#top", body=WORDS + "<img src=/picture.png alt='A picture'>")
    versions.page("/a", "/", "/b", "https://elsewhere.test/", title="The page A")
    versions.page("/b", "/a", body="<script type=application/ld+json>{</script>")
    return versions


def crawl_again(base: Path, new: Path, **changes: Any) -> Path:
    """Crawl a project again to the end."""

    async def main() -> None:
        session = start_recrawl(base, new, changes, sessions=sessions())
        async with closing(session):
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    return new


def crawled(versions: VersionedSite, path: Path, **changes: Any) -> Path:
    crawl_all(
        path, versions.site.url("/"), **{"soft_404_probe": False, "llms_txt": False, **changes}
    )
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
