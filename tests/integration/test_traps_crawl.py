"""Sites without end, mixed with a real one: each trap stops by itself, every real page is found."""

import random
import re
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest

from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from tests.integration.crawling import crawl_all, records
from tests.sites import Response, Site, html_page

Trap = Callable[[str], list[str] | None]
"""The links of the page at a path, None if it is not part of the trap."""

SECTIONS = ("guide", "news", "shop", "team", "help")
BUDGET = 16
"""How many pages a crawl here fetches of a kind before it looks whether they say anything new."""
PAGES_EACH = BUDGET // 2
LIST_PAGES = BUDGET
FACETS = {
    name: [f"{name}{n}" for n in range(5)]
    for name in ("colour", "size", "brand", "price", "stock", "sort")
}
WORDS = ["amber", "birch", "cedar", "delta", "ember", "frost", "grove", "haven", "iris", "jade"]


def real_pages() -> dict[str, list[str]]:
    """The paths of an ordinary site with their links."""
    pages = {"/": [f"/{section}/" for section in SECTIONS] + ["/archive"]}
    for section in SECTIONS:
        articles = [f"/{section}/{WORDS[n % 10]}-{WORDS[n // 10]}-{n}" for n in range(PAGES_EACH)]
        pages[f"/{section}/"] = articles
        for n, article in enumerate(articles):
            pages[article] = ["/", articles[n - 1], articles[(n + 1) % PAGES_EACH]]
    pages["/archive"] = ["/archive?page=2"]
    for n in range(2, LIST_PAGES + 1):
        before = f"/archive?page={n - 1}" if n > 2 else "/archive"
        after = [f"/archive?page={n + 1}"] if n < LIST_PAGES else []
        pages[f"/archive?page={n}"] = [before, *after, f"/old/story-{n}"]
        pages[f"/old/story-{n}"] = ["/", "/archive"]
    return pages


def calendar(path: str) -> list[str] | None:
    """Months that lead to months."""
    found = re.fullmatch(r"/calendar/(\d+)/(\d+)/", path)
    if not found:
        return None
    month = int(found[1]) * 12 + int(found[2]) - 1
    return [f"/calendar/{m // 12}/{m % 12 + 1}/" for m in (month - 1, month + 1, month + 12)]


def facets(path: str) -> list[str] | None:
    """A catalogue in which each filter can be put on top of all others, in any order."""
    if path.partition("?")[0] != "/catalogue":
        return None
    chosen = parse_qsl(path.partition("?")[2])
    names = {name for name, _ in chosen}
    return [
        f"/catalogue?{urlencode([*chosen, (name, value)])}"
        for name, values in FACETS.items()
        if name not in names
        for value in values
    ]


def growing(path: str) -> list[str] | None:
    """A relative link that makes the path longer each time."""
    return ["a/", "b/"] if path.startswith("/growing/") else None


def sessions(path: str) -> list[str] | None:
    """A new session id in each link of each page."""
    found = re.fullmatch(r"/forum/([a-z]+)\?sid=(\w+)", path)
    if not found:
        return None
    return [f"/forum/{word}?sid={hash((path, word)) & 0xFFFFFFFFFF:010x}" for word in WORDS]


def pagination(path: str) -> list[str] | None:
    """Lists that always have a next page."""
    found = re.fullmatch(r"/search\?q=all&page=(\d+)", path)
    return [f"/search?q=all&page={int(found[1]) + 1}"] if found else None


def words(path: str) -> list[str] | None:
    """A tree of plausible folders without end."""
    if not path.startswith("/woods/"):
        return None
    n = sum(path.encode())
    return [f"{WORDS[(n + step) % 10]}-{WORDS[(n * 7 + step) % 10]}/" for step in range(3)]


TRAPS: dict[Trap, str] = {
    calendar: "/calendar/2026/11/",
    facets: "/catalogue",
    growing: "/growing/",
    sessions: "/forum/amber?sid=0123456789",
    pagination: "/search?q=all&page=1",
    words: "/woods/",
}


def days(path: str) -> list[str] | None:
    """Months that lead to days, days that lead to the next month."""
    found = re.fullmatch(r"/diary/(\d+)(/day-\d+)?", path)
    if not found:
        return None
    month = int(found[1])
    return [f"/diary/{month + 1}"] if found[2] else [f"/diary/{month}/day-{day}" for day in (1, 15)]


def session_folders(path: str) -> list[str] | None:
    """A new session in each link of each page, as a folder."""
    found = re.fullmatch(r"/asp/(\(S\(\w+\)\)/)?[a-z]*", path)
    if not found:
        return None
    return [
        f"/asp/(S({blake2b((path + word).encode()).hexdigest()[:24]}))/{word}" for word in WORDS
    ]


def filters(path: str) -> list[str] | None:
    """A catalogue whose filters are folders, in any order."""
    if not path.startswith("/filters/"):
        return None
    return [f"{path}{name}/" for name in WORDS[:7] if f"/{name}/" not in path]


MACHINES: dict[Trap, str] = {days: "/diary/1", session_folders: "/asp/", filters: "/filters/"}
"""Traps whose pages are of several kinds, and all have titles of their own."""


def maze(path: str, links: int) -> list[str]:
    """Words in any number, made up for this path."""
    made_up = random.Random(path)
    return ["-".join(made_up.choices(WORDS, k=7)) for _ in range(links)]


def spread(path: str) -> list[str] | None:
    """Folders at the top, each with relative links to folders without end."""
    if not path.startswith("/area-"):
        return None
    *below, beside = maze(path, 6)
    return [*[f"{name}/" for name in below], f"../{beside}/"]


def anywhere(path: str) -> list[str] | None:
    """A new folder at the top in each link."""
    return [f"/any-{name}/" for name in maze(path, 8)] if path.startswith("/any-") else None


def broad(path: str) -> list[str] | None:
    """Many links on each page."""
    if not path.startswith("/broad/"):
        return None
    return [f"/broad/{name.replace('-', '/', 2)}" for name in maze(path, BUDGET)]


def redirected(path: str) -> list[str] | None:
    """Links that are redirects, all of them."""
    return [f"/go-{name}" for name in maze(path, BUDGET)] if path.startswith("/at-") else None


def made_up(path: str) -> list[str] | None:
    """Pages with a text of their own."""
    return [f"/wiki/{name}" for name in maze(path, 8)] if path.startswith("/wiki/") else None


def made_up_anywhere(path: str) -> list[str] | None:
    """Likewise, each in a folder of its own."""
    return [f"/mad-{name}/" for name in maze(path, 8)] if path.startswith("/mad-") else None


MAZES: dict[Trap, tuple[str, ...]] = {
    spread: tuple(f"/area-{word}/" for word in WORDS),
    anywhere: ("/any-one/",),
    broad: ("/broad/",),
    redirected: ("/at-first",),
    made_up: ("/wiki/start",),
    made_up_anywhere: ("/mad-start/",),
}
"""Random words without end, each alone beside the real pages."""


def put_up(site: Site, traps: dict[Trap, str]) -> None:
    pages = real_pages()
    for path, links in pages.items():
        site.page(path, links=[*links, *(traps.values() if path == "/" else [])])

    def generated(path: str) -> Response | None:
        for trap in traps:
            links = trap(path)
            if links is not None:
                title = "again" if trap in TRAPS else f"all about {path}"
                return Response(body=html_page(title, links))
        return None

    site.generate(generated)


def first_segment(url: str) -> str:
    return "/" + re.split(r"[/?]", url.partition("://")[2].partition("/")[2])[0]


def crawled_with_real_pages(site: Site, folder: Path) -> dict[str, UrlRecord]:
    """The rows of a crawl of `site`, by URL, in which no real page is missing."""
    path = folder / "traps.gossamer"
    crawl_all(path, site.url(), workers=20, max_similar=BUDGET)
    rows = records(path)
    missing = [page for page in real_pages() if rows[site.url(page)].outcome is not Outcome.PAGE]
    assert missing == []
    return rows


def counts(rows: dict[str, UrlRecord]) -> tuple[Counter[str], Counter[str]]:
    """How many URLs below each first segment were fetched, and how many refused for a budget."""
    fetched = Counter(first_segment(row.url) for row in rows.values() if row.status == 200)
    refused = Counter(
        first_segment(row.url) for row in rows.values() if row.outcome is Outcome.OVER_BUDGET
    )
    return fetched, refused


def test_every_trap_stops_and_every_real_page_is_found(site: Site, tmp_path: Path) -> None:
    put_up(site, TRAPS)
    rows = crawled_with_real_pages(site, tmp_path)
    fetched, refused = counts(rows)
    for entry in TRAPS.values():
        segment = first_segment(site.url(entry))
        assert fetched[segment] > 0, (segment, fetched)
        assert refused[segment] > 0, (segment, refused)
    # Five budgets for all folders, five for the one of the archive, two for each real page.
    traps = sum(fetched[first_segment(site.url(entry))] for entry in TRAPS.values())
    assert traps <= 5 * BUDGET + 5 * BUDGET + 2 * len(real_pages()), fetched
    assert {row.outcome for row in rows.values()} == {Outcome.PAGE, Outcome.OVER_BUDGET}


def test_traps_of_several_kinds_of_pages_stop(site: Site, tmp_path: Path) -> None:
    put_up(site, MACHINES)
    fetched, refused = counts(crawled_with_real_pages(site, tmp_path))
    # Thirty clicks, then ten budgets; each page in so many sessions; choices in a few orders.
    bounds = {"/diary": 50 + 10 * BUDGET * 2, "/asp": 25 * len(WORDS) + 1, "/filters": 4 * 2**7}
    for segment, bound in bounds.items():
        assert 20 < fetched[segment] <= bound, (segment, fetched)
        assert refused[segment] > 0, (segment, refused)


@pytest.mark.parametrize("trap", MAZES)
def test_a_word_maze_is_bounded_and_real_pages_are_fetched_early(
    site: Site, tmp_path: Path, trap: Trap
) -> None:
    pages = real_pages()
    for path, links in pages.items():
        site.page(path, links=[*links, *(MAZES[trap] if path == "/" else [])])

    def generated(path: str) -> Response | None:
        if path.startswith("/go-"):
            return Response(302, b"", headers=(("Location", f"/at-{path[4:]}"),))
        links = trap(path)
        text = f"<p>{' '.join(maze(f'{path} says', 20))}</p>" if "made_up" in trap.__name__ else ""
        return None if links is None else Response(body=html_page("Found", links, text))

    site.generate(generated)
    rows = crawled_with_real_pages(site, tmp_path)
    maze_rows = [row for row in rows.values() if row.url.removeprefix(site.url("")) not in pages]
    outcomes = Counter(row.outcome for row in maze_rows)
    # Five budgets for all folders, five for one in which real pages are, two for each of these.
    most = 5 * BUDGET + 5 * BUDGET + 2 * len(pages)
    for outcome in (Outcome.PAGE, Outcome.REDIRECT):
        assert outcomes[outcome] <= most, outcomes
    assert outcomes[Outcome.OVER_BUDGET] > 0


@pytest.mark.parametrize("trap", [calendar])
def test_a_trap_stops_with_the_usual_budget(site: Site, tmp_path: Path, trap: Trap) -> None:
    put_up(site, {trap: TRAPS[trap]})
    path = tmp_path / "traps.gossamer"
    crawl_all(path, site.url(), workers=20)
    rows = records(path)
    assert all(rows[site.url(page)].outcome is Outcome.PAGE for page in real_pages())
    fetched = sum("/calendar/" in row.url and row.status == 200 for row in rows.values())
    assert fetched == 1001 + 3, "the links of the first month are free: what it says is new"
