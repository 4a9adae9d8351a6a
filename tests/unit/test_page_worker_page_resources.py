"""How requests of rendered pages are answered, without a browser and without a server."""

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from gossamer.engine.robots_cache import RobotsCache
from gossamer.fetch.resource_exchange import NO_RESPONSE, ResourceRequest, ResourceResponse
from gossamer.model.messages.worker_messages import ConfigureWorker
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.page_worker.page_resources import PageResources, ResourceCache, ResourcesOfPage
from gossamer.page_worker.rendering_fetcher import RenderingFetcher
from gossamer.page_worker.resource_politeness import ResourcePoliteness
from gossamer.page_worker.robots_texts import RobotsTexts
from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_requests import PageRequest, PageResponse, ResourceResult
from gossamer.robots.robots_txt import rules_for
from tests.cases import each_case
from tests.fakes.virtual_loop import run_virtual

SITE = "http://site.test"


class Server:
    """Answers each request after a second."""

    def __init__(self, *headers: tuple[str, str]) -> None:
        self.asked: list[ResourceRequest] = []
        self.most_at_once = 0
        self._headers = headers
        self._at_once = 0

    async def fetch_resource(
        self, resource_request: ResourceRequest, _limit_bytes: int
    ) -> tuple[Visit, ResourceResponse]:
        self.asked.append(resource_request)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            await asyncio.sleep(1)
        finally:
            self._at_once -= 1
        if "private" in resource_request.url:
            return Visit(Outcome.FORBIDDEN_ADDRESS), NO_RESPONSE
        return Visit(Outcome.FILE, 200, raw_bytes=4), ResourceResponse(200, self._headers, b"body")

    async def fetch_text(self, _url: str) -> tuple[Visit, str]:
        return Visit(Outcome.FILE, 200), "User-agent: *\nDisallow: /secret/"


def resources(
    server: Server,
    *,
    robots: bool = False,
    ends_session: Callable[[str], bool] = lambda _: False,
    **settings: object,
) -> PageResources:
    gate = RobotsCache(server, rules_for, "Gossamer", lambda *_: None) if robots else None
    return PageResources(
        server,
        robots=gate,
        excluded_by=lambda url: "x" if "excluded" in url else "",
        pace=ResourcePoliteness(
            ConfigureWorker(
                CrawlSettings(**{"roots": (SITE,), "external_rate": 1000.0, **settings})  # type: ignore[arg-type]  # field by field
            ),
            lambda url: url.startswith(SITE),
            lambda url: 4.0 if "slow" in url else 0.0,
        ),
        ends_session=ends_session,
    )


def wanted(
    path: str, resource_type: ResourceType = ResourceType.SCRIPT, **headers: str
) -> PageRequest:
    return PageRequest(f"{SITE}/{path}", "GET", resource_type, headers)


async def answer(
    of: PageResources | ResourcesOfPage, request: PageRequest, most_s: float = 60
) -> ResourceResult:
    """What a page gets that may take so long."""
    async with PageDeadline(most_s) as deadline:
        return await of.respond(request, deadline)


def answers(of: PageResources, *requests: PageRequest) -> list[ResourceResult]:
    async def main() -> list[ResourceResult]:
        return await asyncio.gather(*(answer(of, each) for each in requests))

    return run_virtual(main())


def test_pages_that_want_a_script_at_the_same_time_share_one_request() -> None:
    server = Server()
    first, second = answers(resources(server), wanted("a.js"), wanted("a.js"))
    assert len(server.asked) == 1
    assert first.response == second.response == PageResponse(200, [], b"body", 4)
    assert [first.from_cache, second.from_cache] == [False, True]


def test_what_a_frame_of_another_site_wants_is_asked_without_secrets_and_shared_with_nobody() -> (
    None
):
    server = Server()
    own = wanted("a.js")
    answers(resources(server), own, replace(own, is_own=False))
    assert [resource_request.with_secrets for resource_request in server.asked] == [True, False]


def test_a_script_is_asked_for_once_in_a_crawl_and_data_each_time() -> None:
    server = Server()
    both = resources(server)
    for _ in range(2):
        answers(both, wanted("a.js"))
        answers(both, wanted("data", ResourceType.FETCH))
    assert [resource_request.url[-4:] for resource_request in server.asked] == [
        "a.js",
        "data",
        "data",
    ]


@each_case(
    "header",
    [
        ("Cache-Control", "No-Store"),
        ("Cache-Control", "private, max-age=9"),
        ("Set-Cookie", "a=1"),
        ("Vary", "Accept, Cookie"),
        ("Vary", "*"),
    ],
)
def test_an_answer_for_one_visitor_is_not_kept_for_others(header: tuple[str, str]) -> None:
    server = Server(header)
    both = resources(server)
    answers(both, wanted("a.js"))
    answers(both, wanted("a.js"))
    assert len(server.asked) == 2
    at_once = answers(both, wanted("a.js"), wanted("a.js"), wanted("a.js"))
    assert len(server.asked) == 5
    assert [each.from_cache for each in at_once] == [False, False, False]


def test_an_answer_that_one_origin_may_read_is_not_given_to_another() -> None:
    server = Server()
    shared = resources(server)
    one, other = wanted("a.js", Origin="http://a.test"), wanted("a.js", Origin="http://b.test")
    answers(shared, one, other, wanted("a.js"))
    answers(shared, one, other, wanted("a.js"))
    assert [dict(resource_request.headers).get("Origin") for resource_request in server.asked] == [
        "http://a.test",
        "http://b.test",
        None,
    ]


def test_a_page_that_is_cancelled_leaves_the_others_to_ask_themselves() -> None:
    server = Server()
    both = resources(server)

    async def main() -> ResourceResult:
        async with asyncio.TaskGroup() as group:
            first = group.create_task(answer(both, wanted("a.js")))
            await asyncio.sleep(0.5)
            second = group.create_task(answer(both, wanted("a.js")))
            await asyncio.sleep(0)
            first.cancel()
        return second.result()

    assert run_virtual(main()).response is not None
    assert len(server.asked) == 2


def test_what_robots_txt_forbids_and_what_is_excluded_is_not_asked_for() -> None:
    server = Server()
    found = answers(
        resources(server, robots=True), wanted("secret/a.js"), wanted("excluded.js"), wanted("b.js")
    )
    assert [each.blocked_by for each in found] == [BlockedBy.ROBOTS, BlockedBy.EXCLUDED, None]
    assert [resource_request.url for resource_request in server.asked] == [f"{SITE}/b.js"]


def test_what_would_end_a_login_is_not_asked_for() -> None:
    server = Server()
    found = answers(
        resources(server, ends_session=lambda url: "logout" in url), wanted("logout"), wanted("b")
    )
    assert [each.blocked_by for each in found] == [BlockedBy.ENDS_SESSION, None]
    assert [resource_request.url for resource_request in server.asked] == [f"{SITE}/b"]


def test_a_private_address_is_told_as_such() -> None:
    (found,) = answers(resources(Server()), wanted("private"))
    assert found.blocked_by is BlockedBy.ADDRESS


def test_no_more_requests_run_at_once_than_an_origin_may_have() -> None:
    server = Server()
    answers(resources(server, max_per_host=2), *(wanted(f"{n}.js") for n in range(7)))
    assert server.most_at_once == 2
    assert len(server.asked) == 7


def test_cookies_go_apart_from_the_other_headers() -> None:
    server = Server()
    answers(resources(server), wanted("a", ResourceType.XHR, Cookie="a=1", Accept="x/y"))
    (resource_request,) = server.asked
    assert resource_request.cookies == "a=1"
    assert resource_request.headers == [("Accept", "x/y")]


def test_a_full_cache_forgets_what_was_used_longest_ago() -> None:
    cache = ResourceCache(limit_bytes=8_100)
    for name in "abcd":
        cache.add(name, PageResponse(200, [], b"x" * 1_000))
    cache.get("a")
    cache.add("e", PageResponse(200, [], b"x" * 1_000))
    assert [name for name in "abcde" if cache.get(name)] == ["a", "c", "d", "e"]


def test_what_would_fill_the_cache_alone_is_not_kept() -> None:
    cache = ResourceCache(limit_bytes=8_000)
    cache.add("a", PageResponse(200, [], b"x" * 1_001))
    assert cache.get("a") is None


class BusyServer(Server):
    """Has too much to do for the first requests."""

    def __init__(self, refusals: int, retry_after_s: float | None) -> None:
        super().__init__()
        self._refusals = refusals
        self._retry_after_s = retry_after_s
        self.asked_at_s: list[float] = []

    async def fetch_resource(
        self, resource_request: ResourceRequest, _limit_bytes: int
    ) -> tuple[Visit, ResourceResponse]:
        self.asked_at_s.append(asyncio.get_running_loop().time())
        self.asked.append(resource_request)
        status = 503 if len(self.asked) <= self._refusals else 200
        wait_s = self._retry_after_s if status == 503 else None
        visit = Visit(Outcome.FILE, status, raw_bytes=4, retry_after_s=wait_s)
        return visit, ResourceResponse(status, (), b"body")


def test_a_server_that_has_too_much_to_do_is_left_alone_for_as_long_as_it_says() -> None:
    server = BusyServer(refusals=1, retry_after_s=7.0)
    (found,) = answers(resources(server), wanted("a.js"))
    assert found.response is not None
    assert found.response.status == 200
    first, second = server.asked_at_s
    assert second - first == pytest.approx(7.0)


def test_a_server_that_never_has_time_is_asked_twice() -> None:
    server = BusyServer(refusals=9, retry_after_s=None)
    (found,) = answers(resources(server), wanted("a.js"))
    assert found.response is not None
    assert found.response.status == 503
    assert len(server.asked) == 2


def test_what_a_page_receives_is_counted_in_vain_too_but_not_from_the_cache() -> None:
    both = resources(BusyServer(refusals=1, retry_after_s=1.0))

    def received(*page_requests: PageRequest) -> int | None:
        page = ResourcesOfPage(both, "http://site.test/")

        async def main() -> None:
            await asyncio.gather(*(answer(page, each) for each in page_requests))

        run_virtual(main())
        return page.received_bytes

    script, data = wanted("a.js"), wanted("data", ResourceType.FETCH)
    assert received(script, script, data) == 4 + 4 + 4
    assert received(script, data) == 4
    assert received(script) == 0
    assert received() is None


def test_a_server_that_wants_hours_is_not_waited_for() -> None:
    server = BusyServer(refusals=9, retry_after_s=7_200.0)
    answers(resources(server), wanted("a.js"))
    assert len(server.asked) == 1


@each_case(
    ("url", "retry_after_s", "waits_s"),
    [
        ("http://other.test/a.js", 120.0, None),  # longer than the minute of the page
        ("http://other.test/a.js", 45.0, 45.0),
        (f"{SITE}/a.js", 120.0, 120.0),  # as its own pages do
    ],
)
def test_pages_do_not_wait_for_servers_of_others_that_want_a_longer_pause_than_a_page_may_take(
    url: str, retry_after_s: float, waits_s: float | None
) -> None:
    server = BusyServer(refusals=1, retry_after_s=retry_after_s)
    asked = resources(server)
    first = replace(wanted("b.js"), url=url.replace("a.js", "b.js"))

    async def main() -> ResourceResult:
        await answer(asked, first)
        return await answer(asked, replace(first, url=url))

    found = run_virtual(main())
    if waits_s is None:
        assert (found.response, found.failure) == (
            None,
            "the server wants no requests for longer than a page may take",
        )
        assert len(server.asked) == 1
    else:
        assert found.response is not None
        assert server.asked_at_s[-1] - server.asked_at_s[0] == pytest.approx(waits_s)


def test_a_refusal_is_kept_where_the_server_is_not_waited_for_to_be_asked_again() -> None:
    server = BusyServer(refusals=1, retry_after_s=25.0)
    request = replace(wanted("a.js"), url="http://other.test/a.js")
    found = run_virtual(answer(resources(server), request, most_s=20))
    assert found.response is not None
    assert (found.response.status, found.received_bytes) == (503, 4)
    assert len(server.asked) == 1


def test_those_that_wait_already_are_told_that_a_server_wants_a_long_pause() -> None:
    server = BusyServer(refusals=9, retry_after_s=120.0)
    asked = resources(server, external_rate=1.0)
    page_requests = [replace(wanted("a.js"), url=f"http://other.test/{n}.js") for n in range(3)]
    found = answers(asked, *page_requests)
    assert [each.response and each.response.status for each in found] == [503, None, None]


def test_what_is_excluded_in_mid_crawl_is_not_asked_for_from_then_on() -> None:
    server = Server()
    settings = CrawlSettings(roots=(SITE,))
    asked = resources(server)
    configured = ConfigureWorker(settings)
    pace = ResourcePoliteness(configured, lambda _url: True, lambda _url: 0.0)
    pages = RenderingFetcher(server, None, None, asked, pace, RobotsTexts(server), configured)  # type: ignore[arg-type]  # it fetches no page here
    answers(asked, wanted("tracker.js"))
    pages.reconfigure(ConfigureWorker(replace(settings, exclude=("tracker",))))
    (found,) = answers(asked, wanted("tracker.js?2"))
    assert found.blocked_by is BlockedBy.EXCLUDED
    assert len(server.asked) == 1
