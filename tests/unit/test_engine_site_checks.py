"""Each host is asked once for a made-up URL and for its llms.txt, beside the URLs of the crawl."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest

from gossamer.engine.crawl import Crawl
from gossamer.engine.site_check_requests import made_up_url
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome import Outcome
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.model.visit import Visit
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_crawl import crawl, settings_of
from tests.fakes.web import LOST, ROOT, FakeWeb

FIRST = made_up_url(f"{ROOT}/", SiteCheck.MADE_UP_URL)
SECOND = made_up_url(f"{ROOT}/", SiteCheck.SECOND_MADE_UP_URL)
LLMS = f"{ROOT}/llms.txt"
ON = {"soft_404_probe": True, "llms_txt": True}
FOUND_ALL = Visit(
    Outcome.PAGE,
    status=200,
    facts=PageFacts(title="Nothing", word_count=3, content_hash=b"h" * 16, sketch=b"s" * 128),
)


def a_site() -> FakeWeb:
    web = FakeWeb()
    web.page("/", "/a", "/b")
    web.page("/a", "/")
    web.page("/b")
    return web


def check(store: MemoryStore, kind: SiteCheck) -> SiteCheckRow:
    return store.site_checks[ROOT, kind]


def test_a_host_is_asked_once_for_a_made_up_url_and_for_llms_txt() -> None:
    web = a_site()
    store = crawl(web, settings_of(**ON)).store
    assert web.checks_asked == [FIRST, LLMS]
    assert check(store, SiteCheck.MADE_UP_URL).status == 404
    assert set(web.paths_asked()) == {"/", "/a", "/b"}


def test_checks_are_no_urls_of_the_crawl() -> None:
    store = crawl(a_site(), settings_of(**ON)).store
    assert {row.url.removeprefix(ROOT) for row in store.urls.values()} == {"/", "/a", "/b"}
    assert len(store.visits) == 3


@pytest.mark.parametrize(
    ("off", "asked"), [("soft_404_probe", [LLMS]), ("llms_txt", [FIRST])], ids=["probe", "llms"]
)
def test_each_check_can_be_turned_off(off: str, asked: list[str]) -> None:
    web = a_site()
    crawl(web, settings_of(**{**ON, off: False}))
    assert web.checks_asked == asked


def test_a_host_without_a_page_is_not_asked() -> None:
    web = FakeWeb()
    crawl(web, settings_of(**ON))
    assert web.checks_asked == []


def test_llms_txt_is_asked_for_also_where_another_page_of_the_host_comes_first() -> None:
    web = a_site()
    web.sitemap("/sitemap.xml", "/b")
    web.delay_s = lambda path: 1.0 if path == "/" else 0.01
    crawl(web, settings_of(**ON, sitemaps=(f"{ROOT}/sitemap.xml",)))
    assert web.checks_asked == [FIRST, LLMS]


def test_a_host_that_answers_with_a_page_is_asked_for_a_second_made_up_url() -> None:
    web = a_site()
    web.made_up = FOUND_ALL
    store = crawl(web, settings_of(**ON)).store
    assert sorted(web.checks_asked) == sorted([FIRST, SECOND, LLMS])
    row = check(store, SiteCheck.SECOND_MADE_UP_URL)
    assert (row.title, row.word_count, row.sketch) == ("Nothing", 3, b"s" * 128)


def test_redirects_are_followed_to_where_they_lead() -> None:
    web = a_site()
    web.made_up = Visit(Outcome.REDIRECT, status=302, location=f"{ROOT}/a")
    store = crawl(web, settings_of(**ON)).store
    row = check(store, SiteCheck.MADE_UP_URL)
    assert (row.status, row.final_url, row.url) == (200, f"{ROOT}/a", FIRST)
    assert SECOND not in web.checks_asked, "where it leads is known"


def test_redirects_without_end_are_given_up() -> None:
    web = a_site()
    web.made_up = Visit(Outcome.REDIRECT, status=302, location=FIRST)
    store = crawl(web, settings_of(**ON)).store
    assert web.checks_asked.count(FIRST) == 6
    assert check(store, SiteCheck.MADE_UP_URL).status == 302


def test_a_redirect_to_another_site_is_noted_and_not_followed() -> None:
    web = a_site()
    web.made_up = Visit(Outcome.REDIRECT, status=302, location="https://other.test/login")
    store = crawl(web, settings_of(**ON)).store
    row = check(store, SiteCheck.MADE_UP_URL)
    assert (row.outcome, row.final_url) == (Outcome.REDIRECT, "https://other.test/login")
    assert not any("other.test" in url for url in web.asked)


def test_robots_txt_keeps_the_host_from_being_asked() -> None:
    web = a_site()
    web.robots = "Disallow: /gossamer\nDisallow: /llms"
    store = crawl(web, settings_of(**ON, obey_robots=True)).store
    assert web.checks_asked == []
    assert check(store, SiteCheck.MADE_UP_URL).outcome is Outcome.BLOCKED_BY_ROBOTS
    assert check(store, SiteCheck.LLMS_TXT).outcome is Outcome.BLOCKED_BY_ROBOTS


def test_failures_that_may_pass_are_tried_again() -> None:
    web = a_site()
    web.fails(FIRST, LOST, LOST)
    store = crawl(web, settings_of(**ON, max_tries=3)).store
    assert web.checks_asked.count(FIRST) == 3
    assert check(store, SiteCheck.MADE_UP_URL).status == 404


def test_a_host_that_fails_for_good_is_not_asked_again() -> None:
    web = a_site()
    web.made_up = Visit(Outcome.SERVER_ERROR, status=503, transient=True)
    store = crawl(web, settings_of(soft_404_probe=True, max_tries=2)).store
    assert check(store, SiteCheck.MADE_UP_URL).status == 503
    again = FakeWeb(visits=web.visits)
    crawl(again, store=store)
    assert again.checks_asked == []


def test_what_was_not_answered_before_a_crash_is_asked_when_the_crawl_goes_on() -> None:
    store = MemoryStore(settings_of(**ON))
    crawl(a_site(), store=store)
    pending = SiteCheckRow(ROOT, SiteCheck.MADE_UP_URL, FIRST)
    store.site_checks[ROOT, SiteCheck.MADE_UP_URL] = pending
    again = a_site()
    crawl(again, store=store)
    assert again.checks_asked == [FIRST]
    assert check(store, SiteCheck.MADE_UP_URL).status == 404


def test_a_pause_puts_a_check_back_into_the_queue() -> None:
    web = a_site()
    web.delay_s = lambda path: 60.0 if "made-up" in path else 0.01

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(5)
        await subject.pause_now()
        web.delay_s = lambda _: 0.01
        subject.resume()

    store = crawl(web, settings_of(**ON), person).store
    assert web.checks_asked.count(FIRST) == 2
    assert check(store, SiteCheck.MADE_UP_URL).status == 404


def test_a_crawl_that_is_cancelled_leaves_its_checks_to_be_asked() -> None:
    web = a_site()
    web.delay_s = lambda path: 60.0 if "made-up" in path else 0.01

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(5)
        await subject.cancel()

    store = crawl(web, settings_of(**ON), person).store
    assert check(store, SiteCheck.MADE_UP_URL).outcome is None


def test_a_made_up_url_stands_beside_the_first_page() -> None:
    assert made_up_url(f"{ROOT}/docs/a?x=/y/", SiteCheck.MADE_UP_URL).startswith(
        f"{ROOT}/docs/gossamer-made-up-"
    )
    assert FIRST != SECOND


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ({}, "/"),
        ({"roots": (f"{ROOT}/b/c", f"{ROOT}/a/")}, "/a/"),
        ({"roots": ("http://other.test/", f"{ROOT}/a/"), "exclude": ("/a/",)}, "/"),
    ],
    ids=["root", "smallest root", "root left out"],
)
def test_whichever_page_comes_first_the_same_made_up_url_is_asked_for(
    settings: dict[str, Any], folder: str
) -> None:
    asked = set()
    for slow in ("/", "/a/", "/b/c"):
        web = FakeWeb(delay_s=lambda path, slow=slow: 1.0 if path == slow else 0.01)  # type: ignore[misc]  # the default binds it now
        web.page("/", "/a/", "/b/c")
        web.page("/a/", "/")
        web.page("/b/c", "/")
        web.sitemap("/sitemap.xml", "/", "/b/c")
        sitemaps = (f"{ROOT}/sitemap.xml",)
        crawl(web, settings_of(soft_404_probe=True, sitemaps=sitemaps, **settings))
        asked.update(web.checks_asked)
    assert asked == {made_up_url(f"{ROOT}{folder}", SiteCheck.MADE_UP_URL)}


def test_a_made_up_url_is_asked_for_in_the_outermost_folder_of_the_scope() -> None:
    web = FakeWeb()
    web.page("/b/c/d", "/")
    exclude = ("^http://[^/]+/(b/c/)?gossamer",)
    crawl(web, settings_of(soft_404_probe=True, roots=(f"{ROOT}/b/c/d",), exclude=exclude))
    assert web.checks_asked == [made_up_url(f"{ROOT}/b/", SiteCheck.MADE_UP_URL)]


def test_the_pace_of_the_host_holds_for_checks() -> None:
    web = a_site()
    times: list[float] = []

    def delay_s(_: str) -> float:
        times.append(asyncio.get_running_loop().time())
        return 0.01

    web.delay_s = delay_s
    crawl(web, settings_of(**ON, rate=1.0))
    assert len(times) == 5
    assert all(later - earlier >= 1.0 - 1e-6 for earlier, later in pairwise(times))


def test_llms_txt_is_kept_with_its_text() -> None:
    web = a_site()
    web.llms_txt = "# Site\n"
    row = check(crawl(web, settings_of(**ON)).store, SiteCheck.LLMS_TXT)
    assert (row.text, row.status) == ("# Site\n", 200)
