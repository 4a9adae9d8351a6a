"""Cookies that servers set, in whole crawls with several page workers."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import Outcome
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import new_session, records, resume_all, run, until
from tests.sites import Site
from tests.sites.cookie_sites import members, told, walled
from tests.sites.ledger import Request
from tests.sites.responses import Response


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return tmp_path / "a.gossamer"


def outcomes(project: Path, site: Site) -> dict[str, Outcome]:
    start = site.url("").rstrip("/")
    return {url.removeprefix(start): row.outcome for url, row in records(project).items()}


def crawled(project: Path, site: Site, **changes: object) -> None:
    """Crawl to the end; what was counted while crawling is what is in the file then."""

    async def main() -> Progress:
        async with new_session(project, site.url(), obey_robots=False, **changes) as session:
            await session.start()
            return await until(session, lambda progress: progress.state is CrawlState.FINISHED)

    progress = run(main())
    rows = records(project).values()
    assert progress.statuses == Counter(row.status for row in rows if row.status is not None)
    assert progress.outcomes == Counter(int(row.outcome) for row in rows)
    assert progress.received_bytes == sum(row.raw_bytes or 0 for row in rows)


def test_a_cookie_session_is_kept_across_workers(site: Site, project: Path) -> None:
    pages = [f"/members/{n}" for n in range(20)]
    site.page("/", links=["/login"])
    members(site, pages)
    crawled(project, site, processes=2)
    found = outcomes(project, site)
    assert {found[path] for path in pages} == {Outcome.PAGE}
    assert "/denied" not in found
    assert b"s3cret-session" not in project.read_bytes()


def test_without_cookies_there_is_no_session(site: Site, project: Path) -> None:
    site.page("/", links=["/login"])
    members(site, ["/members/1"])
    crawled(project, site, keep_cookies=False)
    assert outcomes(project, site)["/members/1"] is Outcome.REDIRECT
    assert [each for each in site.requests if told(each)] == []


def test_a_cookie_wall_that_redirects_to_itself(site: Site, project: Path) -> None:
    walled(site, "/", links=["/a", "/b"])
    for path in ("/a", "/b"):
        walled(site, path)
    crawled(project, site, processes=2)
    assert outcomes(project, site) == dict.fromkeys(("/", "/a", "/b"), Outcome.PAGE)
    assert sorted(site.paths) == ["/", "/", "/a", "/b"]
    row = records(project)[site.url()]
    assert (row.status, row.title) == (200, "within")
    assert "requested again with the cookies" in str(row.detail)


def test_a_cookie_wall_around_every_page_of_a_url_list(site: Site, project: Path) -> None:
    """All are turned away at once: the cookie of one opens the others too."""
    paths = [f"/{n}" for n in range(12)]
    for path in paths:
        walled(site, path)
    roots = tuple(map(site.url, paths))
    crawled(project, site, roots=roots, list_only=True, processes=2, workers=12)
    assert set(outcomes(project, site).values()) == {Outcome.PAGE}


def test_a_cookie_wall_with_a_page_of_its_own(site: Site, project: Path) -> None:
    walled(site, "/", links=["/a"], by="/welcome?back=/")
    site.page("/a")
    crawled(project, site)
    assert outcomes(project, site) == {
        "/": Outcome.PAGE,
        "/welcome?back=/": Outcome.REDIRECT,
        "/a": Outcome.PAGE,
    }
    assert site.paths == ["/", "/welcome?back=/", "/", "/a"]
    with Reader(project) as reader:
        [chain] = list(reader.chains())
    assert [hop.url for hop in chain] == [site.url("/welcome?back=/"), site.url("/")]


def test_a_cookie_wall_beyond_the_redirect_limit(site: Site, project: Path) -> None:
    site.page("/", links=["/a", "/welcome?back=/a"])
    walled(site, "/a", by="/welcome?back=/a")
    crawled(project, site, max_redirects=0, workers=1)
    assert outcomes(project, site) == {
        "/": Outcome.PAGE,
        "/a": Outcome.PAGE,
        "/welcome?back=/a": Outcome.REDIRECT_LIMIT,
    }


def test_a_loop_stays_a_loop_whatever_cookies_it_sets(site: Site, project: Path) -> None:
    """Each round another cookie: asked again once, then it is what it is."""
    rounds = iter(range(1_000))
    site.page("/", links=["/self", "/one"])
    for path, target in (("/self", "/self"), ("/one", "/two"), ("/two", "/one")):
        site.answer(path, turning(target, rounds))
    crawled(project, site)
    found = outcomes(project, site)
    assert {found[path] for path in ("/self", "/one", "/two")} == {Outcome.REDIRECT_LOOP}
    assert {row.detail for row in records(project).values()} == {None}
    assert max(site.paths.count(path) for path in ("/self", "/one", "/two")) == 2


def test_cookies_stay_with_their_origin(site: Site, project: Path) -> None:
    with Site() as other:
        site.page("/", links=["/a", other.url("/x")], headers=[("Set-Cookie", "id=1; Path=/")])
        site.redirect("/a", other.url("/y"))
        for path in ("/x", "/y"):
            other.page(path)
        crawled(project, site, check_external=True, external_rate=100.0)
        assert [told(each) for each in site.requests if each.path == "/a"] == [{"id": "1"}]
        assert sorted(set(other.paths) & {"/x", "/y"}) == ["/x", "/y"]
        assert [each for each in other.requests if told(each)] == []


def test_a_resumed_crawl_starts_without_cookies(site: Site, project: Path) -> None:
    site.page("/", links=["/a"], headers=[("Set-Cookie", "id=s3cret; Path=/")])
    site.page("/a")
    crawled(project, site, max_pages=1)
    resume_all(project)
    assert b"s3cret" not in project.read_bytes()
    assert [told(each) for each in site.requests] == [{}]


def turning(target: str, rounds: Iterator[int]) -> Callable[[Request], Response]:
    def answer(_: Request) -> Response:
        cookie = ("Set-Cookie", f"round={next(rounds)}; Path=/")
        return Response(302, b"", None, (("Location", target), cookie))

    return answer
