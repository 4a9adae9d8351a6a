"""Answers that break off: asked again as after a lost connection, and the best of them kept."""

import pytest

from gossamer.engine.frontier import Entry
from gossamer.engine.guard import FEWEST
from gossamer.engine.partials import MAX_PARTIAL_LINKS, MAX_PARTIALS, Partials
from gossamer.model.outcome import Outcome, Verdict, verdict
from gossamer.model.page import LinkKind, PageLinks, Visit
from gossamer.model.rows import Rank
from gossamer.model.state import CrawlState
from tests.fakes.web import LOST, FakeWeb, absolute
from tests.unit.test_engine_crawl import crawl, settings_of

BUSY = Visit(Outcome.SERVER_ERROR, status=503, transient=True)


def part(size_bytes: int, *links: str, outcome: Outcome = Outcome.PAGE_INCOMPLETE) -> Visit:
    """What came of a page that broke off."""
    kind = LinkKind.ANCHOR if outcome is Outcome.PAGE_INCOMPLETE else LinkKind.SITEMAP
    return Visit(
        outcome,
        status=200,
        size_bytes=size_bytes,
        transient=True,
        truncated=True,
        targets=[absolute(link) for link in links],
        links=PageLinks.of((number, kind, "", "", "", "") for number in range(len(links))),
    )


def test_a_page_that_breaks_off_is_asked_again_and_the_whole_counts() -> None:
    web = FakeWeb()
    web.page("/", "/a", "/b")
    for path in ("/a", "/b"):
        web.page(path)
    web.fails("/", part(50, "/gone"), part(90, "/a"))
    result = crawl(web, settings_of(max_tries=4))
    assert result.outcome("/") is Outcome.PAGE
    assert web.paths_asked().count("/") == 3
    assert sorted(set(web.paths_asked())) == ["/", "/a", "/b"]


@pytest.mark.parametrize(
    "tries",
    [
        [part(50, "/a"), part(90, "/a", "/b"), part(70, "/a")],
        [part(90, "/a", "/b"), part(90, "/a", "/b"), LOST],
        [LOST, part(90, "/a", "/b"), BUSY],
    ],
)
def test_of_a_page_that_always_breaks_off_the_longest_part_counts(tries: list[Visit]) -> None:
    web = FakeWeb()
    web.fails("/", *tries)
    for path in ("/a", "/b"):
        web.page(path)
    result = crawl(web, settings_of(max_tries=3))
    row = result.store.visits[result.row("/").id]
    assert (row.outcome, row.visit.size_bytes, row.tries) == (Outcome.PAGE_INCOMPLETE, 90, 3)
    assert row.visit.truncated
    assert sorted(set(web.paths_asked())) == ["/", "/a", "/b"]


def test_an_answer_for_good_counts_though_a_part_came_before() -> None:
    web = FakeWeb()
    web.fails("/", part(50, "/a"))
    result = crawl(web, settings_of(max_tries=3))
    assert result.outcome("/") is Outcome.CLIENT_ERROR
    assert web.paths_asked() == ["/", "/"]


def test_a_sitemap_that_breaks_off_is_asked_again() -> None:
    web = FakeWeb()
    web.page("/")
    web.sitemap("/s.xml", "/a", "/b")
    web.page("/a")
    web.page("/b")
    web.fails("/s.xml", part(50, "/a", outcome=Outcome.FILE_INCOMPLETE))
    result = crawl(web, settings_of(sitemaps=(absolute("/s.xml"),)))
    assert result.outcome("/s.xml") is Outcome.FILE
    assert web.paths_asked().count("/s.xml") == 2
    assert result.outcome("/b") is Outcome.PAGE


def test_a_site_whose_pages_all_break_off_is_crawled_to_its_end() -> None:
    web = FakeWeb()
    paths = [f"/{number}" for number in range(2 * FEWEST)]
    web.page("/", *paths)
    for path in paths:
        web.visits[absolute(path)] = part(9)
    result = crawl(web, settings_of(max_tries=2))
    assert result.state is CrawlState.FINISHED
    assert {result.outcome(path) for path in paths} == {Outcome.PAGE_INCOMPLETE}


@pytest.mark.parametrize("outcome", [Outcome.PAGE_INCOMPLETE, Outcome.FILE_INCOMPLETE])
def test_what_broke_off_is_uncertain(outcome: Outcome) -> None:
    assert verdict(outcome, 200) is Verdict.UNVERIFIED


def entry(number: int) -> Entry:
    return Entry(number, f"http://site.test/{number}", Rank(0), None, "site.test")


def test_memory_for_parts_is_bounded() -> None:
    partials = Partials()
    entries = [entry(number) for number in range(MAX_PARTIALS + 2)]
    for each in entries:
        partials.keep(each, part(9))
    kept = [each for each in entries if partials.best(each, part(1)).size_bytes == 9]
    assert kept == entries[2:]
    links = [f"/{number}" for number in range(MAX_PARTIAL_LINKS // 4)]
    for each in entries[:6]:
        partials.keep(each, part(9, *links))
    kept = [each for each in entries[:6] if partials.best(each, part(1)).size_bytes == 9]
    assert kept == entries[2:6]
