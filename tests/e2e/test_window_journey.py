"""A user's way through the real window: on a display, with keyboard and mouse.

What came of it is read from the project file, by another process than the window's.
"""

import csv
import random
from pathlib import Path

from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.reading.reader import Reader
from tests.e2e.desktop import Desktop, opened, until
from tests.e2e.person import (
    begin,
    comes_to,
    counts,
    fate,
    leave,
    pages,
    project,
    remember,
    state,
)
from tests.fakes.contents import contents
from tests.integration.crawled_sites import mixed_site
from tests.integration.crawling import crawl_all
from tests.sites import Site

ENOUGH = 40
"""Pages that are there when the crawl is interrupted."""


def test_a_site_is_crawled_completely_across_a_pause(
    desk: Desktop, site: Site, tmp_path: Path
) -> None:
    mixed_site(site, random.Random(3), 3 * ENOUGH // 2)
    crawl_all(tmp_path / "truth.gossamer", site.url())
    before = len(site.paths)
    places = desk.places()
    # At full speed the crawl may be over before the mouse comes to the button.
    remember(desk, CrawlSettings(roots=(), rate=50))
    with opened(desk) as program:
        begin(desk, site.url())
        until(lambda: pages(desk) >= ENOUGH)
        desk.click_until(places["pause"], lambda: state(desk) is CrawlState.PAUSED)
        at_pause = counts(desk)
        assert at_pause[Outcome.PENDING] > 0, "the crawl was over before the pause"
        desk.click_until(places["resume"], lambda: state(desk) is not CrawlState.PAUSED)
        comes_to(desk, CrawlState.FINISHED)
        leave(desk, program)
    assert counts(desk)[Outcome.PAGE] > at_pause[Outcome.PAGE]
    assert contents(project(desk), parents=False) == contents(
        tmp_path / "truth.gossamer", parents=False
    )
    asked = site.paths[before:]
    assert len(asked) == len(set(asked)), "each address is asked once"


def test_a_crawl_is_resumed_after_quitting_and_its_sitemap_exported(
    desk: Desktop, site: Site, tmp_path: Path
) -> None:
    names = [f"/page/{number}" for number in range(ENOUGH)]
    site.page("/", links=[*names, "/held"], title="Start")
    for name in names:
        site.page(name, links=["/"], title=f"Page {name}")
    gate = site.slow("/held", title="At last", links=["/after"])
    site.page("/after", title="After")

    with opened(desk) as program:
        begin(desk, site.url())
        until(lambda: "/held" in site.paths and pages(desk) == len(names) + 1)
        leave(desk, program)
    assert state(desk) is CrawlState.PAUSED
    assert counts(desk)[Outcome.PENDING] == 1
    asked = set(site.paths)

    gate.open()
    places = desk.places()
    before = len(site.paths)
    with opened(desk) as program:
        desk.click_until(places["continue"], lambda: state(desk) is not CrawlState.PAUSED)
        comes_to(desk, CrawlState.FINISHED)
        again = set(site.paths[before:]) & asked
        assert again <= {"/held", "/robots.txt"}, "what is known is not asked again"
        out = tmp_path / "out" / "sitemap.csv"
        out.parent.mkdir()
        export_sitemap(desk, out)
        leave(desk, program)
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    found = {row["URL"]: (row["Title"], row["Status Code"], row["Crawl Depth"]) for row in rows}
    assert len(found) == len(rows) == len(names) + 3
    assert found[site.url("/after")] == ("After", "200", "2")
    assert list(out.parent.iterdir()) == [out]


def test_keys_pause_and_resume_and_cancel_aborts_fetches_in_flight(
    desk: Desktop, site: Site
) -> None:
    places = desk.places()
    site.page("/", links=["/a", "/held"])
    site.page("/a")
    site.hang("/held")
    with opened(desk) as program:
        begin(desk, site.url())
        site.block_until(lambda: "/held" in site.paths)
        until(lambda: fate(desk, site.url("/a")) is UrlState.DONE)
        desk.click(places["table"])
        desk.press_until("ctrl+space", lambda: site.in_flight == 0)
        desk.press_until("space", lambda: site.in_flight == 1)
        desk.click_until(places["cancel"], lambda: site.in_flight == 0)
        comes_to(desk, CrawlState.CANCELLED)
        leave(desk, program)
    with Reader(project(desk)) as reader:
        found = {record.url: record.state for record in reader.iterate(View.ALL)}
    assert found[site.url("/a")] is UrlState.DONE
    assert found[site.url("/held")] is not UrlState.DONE


def export_sitemap(desk: Desktop, out: Path) -> None:
    """Through the dialog, without the mouse."""
    desk.focus("Gossamer$")
    desk.press_until("ctrl+shift+e", lambda: desk.sees("^Export$"))
    desk.focus("^Export$")
    desk.write("Sitemap")
    desk.press("Down", "alt+f", "ctrl+a")  # behind its check
    desk.write(str(out))
    desk.press("Return")
    until(out.exists)
    desk.press("Escape")
