"""Sites crawled again whose servers answer conditional requests in other ways, or move."""

import asyncio
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.freshness import Freshness
from gossamer.session.recrawl import start_recrawl
from tests.fakes.project_content import content_of
from tests.fakes.recount import miscounts
from tests.integration.crawling import (
    closing,
    crawl_again,
    crawl_all,
    records,
    resume_all,
    run,
    sessions,
    until_rest,
)
from tests.patience import PATIENCE_S
from tests.sites import Site
from tests.sites.ledger import Request
from tests.sites.responses import Response
from tests.sites.versions import VersionedSite

PATHS = ("/", "/a", "/b", "/moved", "/picture.png", "/robots.txt")


@pytest.fixture
def versions(site: Site) -> VersionedSite:
    """Pages, a redirect, a picture and a robots.txt, all with validators."""
    versions = VersionedSite(site)
    versions.page("/", "/a", "/moved", body="<img src=/picture.png>")
    versions.page("/a", "/", "/b")
    versions.page("/b", "/a")
    versions.redirect("/moved", "/b")
    versions.put("/picture.png", b"picture", "image/png")
    versions.put("/robots.txt", b"User-agent: *", "text/plain")
    return versions


def crawled(versions: VersionedSite, path: Path, **changes: Any) -> Path:
    """With one worker, so that it is no chance on which page another is found first."""
    alone: dict[str, Any] = {"workers": 1, "soft_404_probe": False, "llms_txt": False}
    crawl_all(path, versions.site.url("/"), **{**alone, **changes})
    return path


def freshness(path: Path) -> Counter[Freshness]:
    return Counter(each.freshness for each in records(path).values() if each.freshness is not None)


def answering(versions: VersionedSite, *, strips: tuple[str, ...] = (), **more: str) -> None:
    """Have the server leave out some headers of its answers, and send others besides."""
    answer = versions.answer

    def changed(request: Request) -> Response:
        response = answer(request)
        kept = [pair for pair in response.headers if pair[0] not in strips]
        return Response(
            response.status, response.body, response.content_type, (*kept, *more.items())
        )

    for path in versions.bodies:
        versions.site.answer(path, changed)


def test_a_304_may_come_without_any_validator(versions: VersionedSite, tmp_path: Path) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    body_of = versions.answer

    def bare(request: Request) -> Response:
        response = body_of(request)
        return Response(304, b"", None, ()) if response.status == 304 else response

    for path in PATHS:
        versions.site.answer(path, bare)
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer")
    third = crawl_again(new, tmp_path / "third.gossamer")
    assert versions.statuses == {304: 2 * len(PATHS)}
    assert content_of(third) == content_of(base)


def test_weak_etags_are_enough(versions: VersionedSite, tmp_path: Path) -> None:
    versions.has_dates = False
    versions.etag_of = lambda body: f'W/"{len(body)}-{body[:1].hex()}"'
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert versions.statuses == {304: len(PATHS)}
    assert content_of(new) == content_of(base)


def test_etags_that_change_each_time_cost_what_a_crawl_costs_and_no_more(
    versions: VersionedSite, tmp_path: Path
) -> None:
    numbers = count()
    versions.has_dates = False
    versions.etag_of = lambda _: f'"{next(numbers)}"'
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.forget()
    new = crawl_again(base, tmp_path / "new.gossamer")
    assert versions.statuses == {200: len(PATHS) - 1, 301: 1}
    assert freshness(new) == {Freshness.SAME: 5}


def test_a_server_that_varies_its_answers_says_the_same_to_the_same_crawler(
    versions: VersionedSite, tmp_path: Path
) -> None:
    answering(versions, Vary="User-Agent, Accept-Encoding, Cookie")
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.forget()
    crawl_again(base, tmp_path / "new.gossamer")
    assert versions.statuses == {304: len(PATHS)}
    versions.forget()
    crawl_again(base, tmp_path / "other.gossamer", user_agent="Other/1.0")
    assert 304 not in versions.statuses, "another crawler may be told something else"


def test_a_server_that_knows_no_conditions_any_more_is_asked_without_in_the_end(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    versions.matches = lambda _etag, _asked: False
    answering(versions, strips=("ETag", "Last-Modified"))
    second = crawl_again(base, tmp_path / "second.gossamer")
    assert freshness(second) == {Freshness.SAME: 5}
    before = len(versions.site.requests)
    third = crawl_again(second, tmp_path / "third.gossamer")
    asked = versions.site.requests[before:]
    assert not [each for each in asked if each.header("If-None-Match")]
    assert freshness(third) == {Freshness.SAME: 5}


def test_a_site_that_has_moved_is_crawled_where_it_is_now(
    versions: VersionedSite, tmp_path: Path
) -> None:
    base = crawled(versions, tmp_path / "base.gossamer")
    with Site() as elsewhere:
        moved = VersionedSite(elsewhere)
        for path in ("/", "/a", "/b"):
            versions.redirect(path, elsewhere.url(path))
        moved.page("/", "/a")
        moved.page("/a", "/b")
        moved.page("/b")
        new = crawl_again(base, tmp_path / "new.gossamer")
        anew = crawled(versions, tmp_path / "anew.gossamer")
        assert set(records(anew)) <= set(records(new))
        assert records(new)[versions.site.url("/")].freshness is Freshness.CHANGED
        assert miscounts(new) == []


@pytest.mark.parametrize("is_cancelled", [True, False])
def test_a_recrawl_that_is_ended_in_the_middle_goes_on_with_conditions(
    versions: VersionedSite, tmp_path: Path, *, is_cancelled: bool
) -> None:
    base, new = crawled(versions, tmp_path / "base.gossamer"), tmp_path / "new.gossamer"
    gate = versions.site.slow("/b", title="Page /b")
    before = len(versions.site.requests)

    def reached() -> bool:
        return any(each.path == "/b" for each in versions.site.ledger.requests[before:])

    async def main() -> None:
        async with closing(start_recrawl(base, new, sessions=sessions())) as session:
            await session.start()
            reaching = versions.site.ledger.when(reached)
            await asyncio.to_thread(reaching.result, PATIENCE_S)
            if is_cancelled:
                await session.cancel()
                assert await until_rest(session) is CrawlState.CANCELLED

    run(main())
    gate.open()
    versions.site.answer("/b", versions.answer)
    versions.forget()
    resume_all(new)
    assert 200 not in versions.statuses
    assert content_of(new) == content_of(base)
    assert miscounts(new) == []
