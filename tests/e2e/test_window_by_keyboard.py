"""Journeys through the real window with nothing but the keyboard."""

from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import UrlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.e2e.desktop import Desktop, opened, until
from tests.e2e.person import begin, comes_to, fate, fates, leave, remember, state
from tests.sites import Site

BLOG = [f"/blog/{n}" for n in range(9)]
SHOP = [f"/shop/{n}" for n in range(40)]


def test_finding_inlinks_of_a_missing_page_and_the_target_of_a_redirect(
    desk: Desktop, site: Site
) -> None:
    site.page("/", links=["/news", "/old"])
    site.page("/news", links=["/gone"])
    site.redirect("/old", "/older")
    site.redirect("/older", "/new")
    site.page("/new")
    with opened(desk) as program:
        begin(desk, site.url())
        comes_to(desk, CrawlState.FINISHED)
        desk.command("errors")
        goes_to(desk, site.url("/gone"))
        desk.press("ctrl+i", "F6")
        goes_to(desk, site.url("/news"))
        desk.command("redirects")
        goes_to(desk, site.url("/old"))
        desk.press("ctrl+j")
        goes_to(desk, site.url("/older"), by=())
        leave(desk, program)


def test_one_stuck_page_is_cancelled_and_the_crawl_ends(desk: Desktop, site: Site) -> None:
    site.page("/", links=["/a", "/stuck"])
    site.page("/a")
    site.hang("/stuck")
    with opened(desk) as program:
        begin(desk, site.url())
        site.block_until(lambda: "/stuck" in site.paths)
        desk.press("ctrl+3", "shift+F6", "shift+F6", "shift+F6")

        def cancelled() -> bool:
            desk.press("Home", "Delete")  # once its row is there
            return fate(desk, site.url("/stuck")) is UrlState.CANCELLED

        until(cancelled)
        comes_to(desk, CrawlState.FINISHED)
        leave(desk, program)
    assert fate(desk, site.url("/stuck")) is UrlState.CANCELLED


def test_a_folder_is_excluded_and_workers_are_added_while_it_runs(
    desk: Desktop, site: Site
) -> None:
    site.page("/", links=["/blog/", "/shop/"])
    site.page("/blog/", links=BLOG)
    site.page("/shop/", links=SHOP)
    gates = [site.slow(path) for path in (*BLOG, *SHOP)]

    def asked() -> set[str]:
        return {*BLOG, *SHOP} & set(site.paths)

    remember(desk, CrawlSettings(roots=(), workers=2))
    with opened(desk) as program:
        begin(desk, site.url())
        site.block_until(lambda: len(asked()) == 2)
        desk.press("alt+w")
        desk.write("5")
        site.block_until(lambda: len(asked()) == 5)
        in_flight = asked()
        queued = [site.url(path) for path in SHOP if path not in in_flight]
        desk.press("F6")
        goes_to(desk, site.url("/shop/"), by=("Home", "Right", "Down", "Down"))
        desk.command("exclude this")
        until(lambda: fates(desk, queued) == {UrlState.SKIPPED})
        for gate in gates:
            gate.open()
        comes_to(desk, CrawlState.FINISHED)
        leave(desk, program)
    assert asked() == in_flight | set(BLOG)


def test_an_earlier_crawl_is_opened_from_the_start_page(desk: Desktop, site: Site) -> None:
    site.page("/", links=["/a"])
    site.page("/a")
    with opened(desk) as program:
        begin(desk, site.url())
        comes_to(desk, CrawlState.FINISHED)
        leave(desk, program)
    with opened(desk) as program:
        desk.press("shift+Tab", "shift+Tab", "space")
        desk.focus("127.0.0.1:.* Gossamer$")
        goes_to(desk, site.url("/a"), by=("End",))
        leave(desk, program)
    assert state(desk) is CrawlState.FINISHED


def goes_to(desk: Desktop, address: str, by: tuple[str, ...] = ("Home",)) -> None:
    """Press keys until the address that is selected can be copied."""

    def copied() -> bool:
        desk.press(*by, "ctrl+c")
        return desk.copied() == address

    until(copied, lambda: f"copied: {desk.copied()}, not {address}")
