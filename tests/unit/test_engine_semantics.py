"""What a crawl makes of checks, nofollow, sitemaps, traps, busy servers and failing ones."""

import asyncio
from collections.abc import Callable

import pytest

from gossamer.engine.crawl import Crawl
from gossamer.engine.failures.failure_guard import FEWEST
from gossamer.engine.traps.trap_budgets import FAR_BUDGETS, FAR_CLICKS
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank, SitemapRole
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import free_text
from gossamer.model.visit import FetchMode, Link, PageLinks, Visit
from tests.cases import each_case
from tests.fakes.virtual_crawl import crawl, settings_of
from tests.fakes.web import LOST, ROOT, FakeWeb, absolute

IMAGES = ("image",)
ELSEWHERE = "http://elsewhere.test/x"


def test_resources_are_checked_not_read() -> None:
    web = FakeWeb()
    web.page("/", "/a", images=("/i.png", "/gone.png"))
    web.page("/a")
    web.visits[absolute("/i.png")] = Visit(Outcome.FILE, status=200)
    result = crawl(web, settings_of(check_kinds=IMAGES))
    assert result.outcome("/i.png") is Outcome.FILE
    assert result.outcome("/gone.png") is Outcome.CLIENT_ERROR
    assert result.depth("/i.png") is None
    assert sorted(web.checked) == [absolute("/gone.png"), absolute("/i.png")]
    root = result.store.visits[result.row("/").id]
    assert list(root.links.actions) == [
        LinkAction.FOLLOW,
        LinkAction.CHECK,
        LinkAction.CHECK,
    ]


def test_a_checked_page_is_read_once_a_link_leads_there() -> None:
    for slow in ("/b", "/page"):
        web = FakeWeb(delay_s=lambda path, slow=slow: 3.0 if path == slow else 0.01)  # type: ignore[misc]  # slow is bound on purpose
        web.page("/", "/b", images=("/page",))
        web.page("/b", "/page")
        web.page("/page", "/deeper")
        web.page("/deeper")
        result = crawl(web, settings_of(check_kinds=IMAGES))
        assert result.outcome("/page") is Outcome.PAGE
        assert result.depth("/page") == 2
        assert result.depth("/deeper") == 3
        assert web.paths_asked().count("/page") == 1
        assert sum(result.store.urls[i].outcome is Outcome.PAGE for i in result.store.urls) == 4


def slow_at(path: str) -> Callable[[str], float]:
    """Every path answers at once but this one."""
    return lambda asked: 3.0 if asked == path else 0.01


@pytest.mark.parametrize("last", ["/i", "/a"])
def test_a_file_beyond_the_redirect_limit_is_checked_when_a_link_leads_there(last: str) -> None:
    """Too deep for its clicks alone, and too far for its redirects alone."""
    web = FakeWeb(delay_s=slow_at(last))
    web.page("/", "/a", images=("/i",))
    web.redirect("/i", "/j")
    web.redirect("/j", "/file")
    web.page("/a", "/file")
    web.page("/file", "/deeper")
    checked = {"check_kinds": IMAGES, "max_depth": 1}
    assert crawl(web, settings_of(**checked, max_redirects=1)).outcome("/file") is Outcome.CHECKED
    result = crawl(web, settings_of(**checked, max_redirects=2))
    assert result.row("/file").rank == Rank(2, as_file=True)
    web.page("/a")
    result = crawl(web, settings_of(**checked, max_redirects=1))
    assert result.outcome("/file") is Outcome.BEYOND_REDIRECT_LIMIT


@pytest.mark.parametrize("last", ["/sitemap.xml", "/a"])
def test_what_a_sitemap_names_is_read_however_deep_it_lies(last: str) -> None:
    """But not what it leads to, be that known from elsewhere or not."""
    web = FakeWeb(delay_s=slow_at(last), robots="Sitemap: /sitemap.xml")
    web.page("/", "/a")
    web.page("/a", "/b")
    web.page("/b", "/c")
    web.page("/alone", "/c", "/deeper")
    web.sitemap("/sitemap.xml", "/b", "/alone")
    result = crawl(web, settings_of(max_depth=1, use_sitemaps=True, obey_robots=True))
    assert result.outcome("/b") is Outcome.PAGE
    assert result.row("/b").rank == Rank(2, listed=SitemapRole.LISTED)
    assert result.outcome("/alone") is Outcome.PAGE
    assert result.depth("/alone") is None
    assert result.outcome("/c") is Outcome.TOO_DEEP
    assert result.outcome("/deeper") is Outcome.TOO_DEEP


@pytest.mark.parametrize("last", ["/a", "/b"])
def test_what_links_ask_not_to_follow_is_told_whichever_link_is_found_first(last: str) -> None:
    web = FakeWeb(delay_s=slow_at(last))
    web.page("/", "/a", "/b")
    web.page("/a", nofollow=("/quiet",))
    web.page("/b", images=("/quiet",))
    result = crawl(web)
    assert result.outcome("/quiet") is Outcome.NOFOLLOW


def test_links_out_of_the_crawl_are_checked_on_demand_and_slowly() -> None:
    web = FakeWeb()
    web.page("/", *[f"{ELSEWHERE}{n}" for n in range(5)])
    unasked = crawl(web)
    assert unasked.outcome(ELSEWHERE + "0") is Outcome.OUT_OF_SCOPE
    result = crawl(web, settings_of(check_external=True, external_rate=0.5))
    assert result.outcome(ELSEWHERE + "0") is Outcome.CLIENT_ERROR
    assert len(web.checked) == 5
    assert result.store.seconds >= 8.0


@pytest.mark.parametrize(("max_tries", "asked"), [(4, 2), (20, 2), (1, 1)])
def test_dead_links_out_of_the_crawl_are_asked_twice_at_most(max_tries: int, asked: int) -> None:
    web = FakeWeb()
    web.page("/", ELSEWHERE, "/dead")
    web.fails(ELSEWHERE, *[LOST] * 30)
    web.fails("/dead", *[LOST] * 30)
    changes = {"external_rate": 100.0, "guard": False, "max_tries": max_tries}
    result = crawl(web, settings_of(check_external=True, **changes))
    assert result.outcome(ELSEWHERE) is Outcome.CONNECTION_LOST
    assert web.checked.count(ELSEWHERE) == asked
    assert web.asked.count(absolute("/dead")) == max_tries


def test_a_second_opinion_counts_as_no_try() -> None:
    web = FakeWeb()
    web.page("/", ELSEWHERE)
    web.doubtful[ELSEWHERE] = FetchMode.BY_GET
    result = crawl(web, settings_of(check_external=True, external_rate=100.0))
    assert result.outcome(ELSEWHERE) is Outcome.CLIENT_ERROR
    assert web.checked.count(ELSEWHERE) == 2


def test_excluded_addresses_are_not_even_checked() -> None:
    web = FakeWeb()
    web.page("/", ELSEWHERE, "/private")
    result = crawl(web, settings_of(check_external=True, exclude=("elsewhere", "priv.te")))
    assert result.outcome(ELSEWHERE) is Outcome.EXCLUDED
    assert str(result.row("/private").detail) == "exclude pattern priv.te"
    assert not web.checked


def test_nofollow_is_respected_until_another_link_leads_there() -> None:
    web = FakeWeb()
    web.page("/", "/a", "/quiet", "/both", "/hidden")
    page = web.visits[absolute("/")]
    rels = {"/quiet": "nofollow", "/both": "ugc nofollow"}
    paths = [url.removeprefix(ROOT) for url in page.targets]
    links = PageLinks.of(Link(n, LinkKind.ANCHOR, rel=rels.get(p, "")) for n, p in enumerate(paths))
    web.visits[absolute("/")] = Visit(
        Outcome.PAGE, status=200, facts=PageFacts(), targets=page.targets, links=links
    )
    web.page("/a", "/both")
    web.page("/both")
    web.page("/quiet")
    web.visits[absolute("/hidden")] = Visit(
        Outcome.PAGE,
        status=200,
        facts=PageFacts(robots="NOINDEX, NoFollow"),
        targets=[absolute("/c")],
        links=PageLinks.of([Link(0, LinkKind.ANCHOR)]),
    )
    result = crawl(web)
    assert result.outcome("/quiet") is Outcome.NOFOLLOW
    assert result.outcome("/both") is Outcome.PAGE
    assert result.depth("/both") == 2
    assert result.outcome("/c") is Outcome.NOFOLLOW
    followed = crawl(web, settings_of(follow_nofollow=True))
    assert followed.outcome("/quiet") is Outcome.PAGE


def test_a_robots_header_says_nofollow_too() -> None:
    web = FakeWeb()
    web.visits[absolute("/")] = Visit(
        Outcome.PAGE,
        status=200,
        robots_header="none",
        targets=[absolute("/a")],
        links=PageLinks.of([Link(0, LinkKind.ANCHOR)]),
    )
    assert crawl(web).outcome("/a") is Outcome.NOFOLLOW


def test_a_refresh_is_a_redirect_that_comes_with_a_page() -> None:
    web = FakeWeb()
    web.page("/", "/old")
    web.visits[absolute("/old")] = Visit(
        Outcome.REDIRECT,
        status=200,
        location=absolute("/new"),
        facts=PageFacts(title="Moved"),
        targets=[absolute("/else")],
        links=PageLinks.of([Link(0, LinkKind.ANCHOR)]),
    )
    web.page("/new")
    web.page("/else")
    result = crawl(web)
    assert result.outcome("/old") is Outcome.REDIRECT
    assert [result.depth(p) for p in ("/new", "/else")] == [1, 2]


def sitemap(*paths: str, kind: LinkKind = LinkKind.SITEMAP) -> Visit:
    targets = [absolute(path) for path in paths]
    links = PageLinks.of(Link(n, kind, "2026-01-01") for n in range(len(paths)))
    return Visit(Outcome.FILE, status=200, targets=targets, links=links)


def test_sitemaps_that_robots_name_are_read_and_crawled() -> None:
    web = FakeWeb(robots="Sitemap: /maps/index.xml")
    web.page("/", "/a")
    web.page("/a")
    web.visits[absolute("/maps/index.xml")] = sitemap(
        "/maps/1.xml", "/maps/index.xml", kind=LinkKind.SITEMAP_INDEX
    )
    web.visits[absolute("/maps/1.xml")] = sitemap("/a", "/orphan")
    web.page("/orphan", "/child")
    web.page("/child")
    result = crawl(web, settings_of(obey_robots=True, use_sitemaps=True))
    assert result.outcome("/orphan") is Outcome.PAGE
    assert result.depth("/orphan") is None
    assert result.outcome("/child") is Outcome.PAGE
    assert result.depth("/a") == 1, "a sitemap brings nothing nearer"
    assert result.outcome("/maps/1.xml") is Outcome.FILE
    assert web.paths_asked().count("/maps/index.xml") == 1


def test_a_sitemap_that_was_only_looked_for_is_no_dead_link() -> None:
    for robots in (None, "User-agent: *"):
        web = FakeWeb(robots=robots)
        web.page("/")
        result = crawl(web, settings_of(obey_robots=robots is not None, use_sitemaps=True))
        assert result.outcome("/sitemap.xml") is Outcome.NO_SITEMAP


@each_case("last", ["/map.xml", "/s.xml", "/a", "/none"])
@each_case("linked", ["page", "image", "redirect"])
def test_a_sitemap_is_read_whether_or_not_a_page_links_to_it_first(last: str, linked: str) -> None:
    web = FakeWeb(delay_s=slow_at(last), robots="Sitemap: /s.xml")
    web.page("/", "/a")
    images = ("/map.xml",) if linked == "image" else ()
    web.page("/a", *(["/map.xml"] if linked == "page" else ["/r"]), images=images)
    if linked == "redirect":
        web.redirect("/r", "/map.xml")
    web.sitemap("/s.xml", sitemaps=("/map.xml",))
    web.sitemap("/map.xml", "/orphan")
    web.page("/orphan")
    settings = settings_of(obey_robots=True, use_sitemaps=True, check_kinds=IMAGES)
    result = crawl(web, settings)
    assert result.outcome("/orphan") is Outcome.PAGE
    assert result.row("/map.xml").rank.listed == SitemapRole.READ
    assert web.asked.count(absolute("/map.xml")) <= 2


def test_a_page_that_is_named_as_a_sitemap_stays_a_page() -> None:
    web = FakeWeb(robots="Sitemap: /\nSitemap: /a")
    web.page("/", "/a")
    web.page("/a", "/b")
    web.page("/b")
    result = crawl(web, settings_of(obey_robots=True, use_sitemaps=True))
    assert result.fetched() == {"/", "/a", "/b"}


@pytest.mark.parametrize("last", ["/", "/sitemap.xml"])
def test_a_link_to_a_sitemap_that_is_not_there_is_a_dead_link(last: str) -> None:
    web = FakeWeb(delay_s=slow_at(last), robots="User-agent: *")
    web.page("/", "/sitemap.xml")
    result = crawl(web, settings_of(obey_robots=True, use_sitemaps=True))
    assert result.outcome("/sitemap.xml") is Outcome.CLIENT_ERROR


def test_sitemaps_are_left_alone_unless_asked_for() -> None:
    web = FakeWeb(robots="Sitemap: /maps/index.xml")
    web.page("/")
    crawl(web, settings_of(obey_robots=True))
    assert web.paths_asked() == ["/"]


def test_a_list_is_fetched_and_nothing_else() -> None:
    web = FakeWeb()
    web.page("/", "/a")
    web.redirect("/r", "/target")
    web.page("/target", "/b")
    result = crawl(web, settings_of(roots=(absolute("/"), absolute("/r")), list_only=True))
    assert result.fetched() == {"/", "/r", "/target"}
    assert result.outcome("/a") is Outcome.NOT_FOLLOWED


def test_a_calendar_stops_by_itself_and_the_pages_are_found() -> None:
    web = FakeWeb()
    web.page("/", "/calendar?month=0", *[f"/page/{n}" for n in range(60)])
    for n in range(60):
        web.page(f"/page/{n}", "/calendar?month=0")
    for n in range(500):
        web.page(f"/calendar?month={n}", f"/calendar?month={n + 1}", says="A month")
    result = crawl(web, settings_of(max_similar=20))
    calendar = [path for path in result.fetched() if path.startswith("/calendar")]
    assert len(calendar) == 22, "the first says something new"
    assert sum(path.startswith("/page/") for path in result.fetched()) == 60
    assert result.outcome("/calendar?month=22") is Outcome.OVER_BUDGET
    assert str(result.row("/calendar?month=22").detail) == f"{ROOT}/calendar?"


def test_a_calendar_with_empty_days_stops_too() -> None:
    web = FakeWeb()
    web.page("/", "/month/0")
    for n in range(900):
        days = [f"/month/{n}/day-{day}" for day in range(1, 4)]
        web.page(f"/month/{n}", f"/month/{n + 1}", *days, says="A month")
        for day in days:
            web.page(day, f"/month/{n}", says="Nothing today")
    result = crawl(web, settings_of(max_similar=20))
    near, far, last = 4 * FAR_CLICKS, FAR_BUDGETS * 20, 4 * 20
    assert far <= len(result.fetched()) <= 1 + near + far + last
    assert Outcome.OVER_BUDGET in {row.outcome for row in result.store.urls.values()}


def letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


ARCHIVE_PAGES = 120
"""Six times as many as pages may be alike."""


@each_case("says", ["Older posts", ""])
@each_case("address", ["/archive?page={}", "/page/{}", "/2019/{}/", "/list?after=ab{}f9", "/{}"])
def test_an_archive_is_found_whole_however_long_it_is(address: str, says: str) -> None:
    web = FakeWeb()
    web.page("/", address.format(0), says="Welcome")
    for n in range(ARCHIVE_PAGES):
        posts = [f"/post/{2 * n}", f"/post/{2 * n + 1}"]
        older = (address.format(n + 1),) if n < ARCHIVE_PAGES - 1 else ()
        web.page(address.format(n), *older, *posts, title="Archive", says=says)
        for post in posts:
            web.page(post, "/", says=f"What {letters(int(post[6:]))} said of {letters(n)}")
    result = crawl(web, settings_of(max_similar=20, workers=5))
    assert len(result.fetched()) == 1 + 3 * ARCHIVE_PAGES
    assert Outcome.OVER_BUDGET not in {row.outcome for row in result.store.urls.values()}


def test_pages_that_lead_to_each_other_and_differ_in_what_they_say_are_found_whole() -> None:
    web = FakeWeb()
    web.page("/", "/wiki?title=0", says="Welcome")
    for n in range(800):
        others = [f"/wiki?title={(n * k + 1) % 800}" for k in (1, 3, 7)]
        web.page(f"/wiki?title={n}", *others, title="Wiki", says=f"All about {letters(n)}")
    result = crawl(web, settings_of(max_similar=20))
    assert len(result.fetched()) == 801


def test_what_was_left_out_before_anything_new_was_found_is_asked_in_the_end() -> None:
    web = FakeWeb(delay_s=lambda path: 30.0 if "item" in path and path != "/item/0" else 0.01)
    web.page("/", "/item/0", "/item/1", says="Items")
    web.page("/item/0", *[f"/item/{n}" for n in range(2, 300)], says="Items")
    for n in range(1, 300):
        web.page(f"/item/{n}", "/", says=f"An item called {letters(n)}")
    result = crawl(web, settings_of(max_similar=20))
    assert len(result.fetched()) == 301
    assert result.depth("/item/299") == 2


def test_a_sitemap_is_read_to_its_end_whatever_its_addresses_have_in_common() -> None:
    web = FakeWeb()
    web.page("/", says="Welcome")
    web.sitemap("/sitemap.xml", *[f"/p/{n}" for n in range(500)])
    for n in range(500):
        web.page(f"/p/{n}", "/", says="A product")
    web.robots = "Sitemap: /sitemap.xml"
    result = crawl(web, settings_of(max_similar=10, use_sitemaps=True, obey_robots=True))
    assert len([path for path in result.fetched() if path.startswith("/p/")]) == 500


def test_what_is_over_budget_is_fetched_when_another_page_links_to_it() -> None:
    web = FakeWeb(delay_s=lambda path: 60.0 if path == "/late" else 0.01)
    web.page("/", "/p/0", "/late")
    for n in range(40):
        web.page(f"/p/{n}", f"/p/{n + 1}", says="A page")
    web.page("/late", "/p/12")
    result = crawl(web, settings_of(max_similar=10))
    assert result.outcome("/p/11") is Outcome.PAGE
    assert result.outcome("/p/12") is Outcome.PAGE
    assert result.outcome("/p/13") is Outcome.OVER_BUDGET


def test_a_busy_server_is_left_alone_for_as_long_as_it_says() -> None:
    web = FakeWeb()
    web.page("/", *[f"/{n}" for n in range(5)])
    busy = Visit(Outcome.CLIENT_ERROR, status=429, transient=True, retry_after_s=30.0)
    web.fails("/0", busy)
    for n in range(5):
        web.page(f"/{n}")
    times: list[float] = []

    async def person(_crawl: Crawl) -> None:
        for _ in range(40):
            times.append(len(web.asked))
            await asyncio.sleep(1.0)

    result = crawl(web, settings_of(workers=1), person)
    assert result.outcome("/0") is Outcome.PAGE
    assert times[5:25] == [times[5]] * 20, "nothing is asked meanwhile"


def test_a_server_cannot_make_us_wait_for_years() -> None:
    web = FakeWeb()
    web.page("/", "/later", "/a")
    later = Visit(Outcome.SERVER_ERROR, status=503, transient=True, retry_after_s=3.2e8)
    web.fails("/later", *[later] * 9)
    web.page("/a")
    result = crawl(web, settings_of(workers=1))
    assert result.outcome("/later") is Outcome.SERVER_ERROR
    assert result.outcome("/a") is Outcome.PAGE
    assert web.paths_asked().count("/later") == 1, "it said that another try is of no use"
    assert result.store.seconds < 40


def test_a_host_gets_no_more_than_its_slots() -> None:
    web = FakeWeb()
    web.page("/", *[f"/{n}" for n in range(30)])
    crawl(web, settings_of(workers=20, max_per_host=3))
    assert web.most_open == 3


def test_when_nearly_everything_fails_the_crawl_pauses_and_says_why() -> None:
    web = FakeWeb()
    web.page("/", *[f"/{n}" for n in range(200)])
    for n in range(200):
        web.fails(f"/{n}", *[LOST] * 9)
    notices: list[str] = []

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(60)  # on the virtual clock
        assert subject.state is CrawlState.PAUSED
        notices.append(str(subject.progress().notice))
        assert FEWEST <= len(web.asked) < 2 * FEWEST
        await subject.cancel()

    result = crawl(web, settings_of(max_tries=1), person)
    assert Outcome.CONNECTION_LOST.sentence in notices[0]
    assert result.state is CrawlState.CANCELLED


def test_the_guard_can_be_sent_home() -> None:
    web = FakeWeb()
    web.page("/", *[f"/{n}" for n in range(200)])
    for n in range(200):
        web.fails(f"/{n}", *[LOST] * 9)
    result = crawl(web, settings_of(max_tries=1, guard=False))
    assert result.state is CrawlState.FINISHED
    assert len(web.asked) == 201


def test_raising_a_limit_lifts_what_it_refused() -> None:
    web = FakeWeb()
    web.page("/", "/1", ELSEWHERE)
    web.page("/1", "/2")
    web.page("/2")
    first = crawl(web, settings_of(max_depth=1))
    assert first.outcome("/2") is Outcome.TOO_DEEP
    first.store.settings = settings_of(check_external=True)
    second = crawl(web, store=first.store)
    assert second.outcome("/2") is Outcome.PAGE
    assert second.outcome(ELSEWHERE) is Outcome.CLIENT_ERROR


def test_what_robots_forbid_names_the_line() -> None:
    web = FakeWeb(robots="User-agent: *\nDisallow: /private")
    web.page("/", "/private/x", "/private/y")
    result = crawl(web, settings_of(obey_robots=True))
    assert str(result.row("/private/x").detail) == f"{ROOT}/robots.txt, line 2: Disallow: /private"
    assert result.row("/private/y").detail == result.row("/private/x").detail


def test_sitemaps_that_lead_on_for_ever_end() -> None:
    for kind in ("redirect", "index"):
        web = FakeWeb(robots="Sitemap: /s0.xml")
        web.page("/")
        for n in range(400):
            if kind == "redirect":
                web.redirect(f"/s{n}.xml", f"/s{n + 1}.xml")
            else:
                web.visits[absolute(f"/s{n}.xml")] = sitemap(
                    f"/s{n + 1}.xml", kind=LinkKind.SITEMAP_INDEX
                )
        settings = settings_of(obey_robots=True, use_sitemaps=True, max_redirects=5, max_similar=10)
        crawl(web, settings)
        assert len(web.asked) < 15, kind


def test_a_sitemap_does_not_redirect_out_of_the_crawl() -> None:
    web = FakeWeb(robots="Sitemap: /s.xml")
    web.page("/")
    web.redirect("/s.xml", ELSEWHERE)
    result = crawl(web, settings_of(obey_robots=True, use_sitemaps=True))
    assert result.outcome("/s.xml") is Outcome.REDIRECT_OUT_OF_SCOPE
    assert ELSEWHERE not in web.asked


def test_what_robots_forbid_costs_no_time() -> None:
    web = FakeWeb(robots="User-agent: *\nDisallow: /private")
    web.page("/", *[f"/private/{n}" for n in range(1200)], "/open")
    web.page("/open")
    result = crawl(web, settings_of(obey_robots=True, rate=1.0))
    assert result.outcome("/private/999") is Outcome.BLOCKED_BY_ROBOTS
    assert result.outcome("/open") is Outcome.PAGE
    assert result.store.seconds < 10


def test_a_dead_host_does_not_hold_up_the_others() -> None:
    web = FakeWeb()
    pages = [f"/{n}" for n in range(100)]
    web.page("/", *pages)
    for n, path in enumerate(pages):
        web.page(path, f"http://dead.test/{n}")
    dead = Visit(Outcome.TIMEOUT, detail=free_text("no answer"), transient=True)
    web.unreachable["http://dead.test"] = (10.0, dead)
    fetched: list[tuple[float, int]] = []

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(60)
        fetched.append((subject.progress().seconds, subject.progress().pages))

    result = crawl(web, settings_of(obey_robots=True, check_external=True, workers=5), person)
    assert fetched[0][1] == 101, "the site itself is done within a minute"
    assert result.outcome("http://dead.test/7") is Outcome.TIMEOUT
