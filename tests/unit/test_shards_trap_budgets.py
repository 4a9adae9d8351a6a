"""Each shard counts what it fetches against budgets of its own: mazes over domains, and sites."""

import random
from functools import partial
from pathlib import Path

import pytest

from gossamer.engine.traps.trap_budgets import EARNED_AT_LARGE, LARGE_BUDGETS
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.scope_settings import HostMatch
from gossamer.store.reading.reader import Reader
from gossamer.urls.shard_ownership import Ownership
from tests.fakes.sharded import ShardedFake, crawl_at_once
from tests.fakes.web import NO_CHECKS, FakeWeb

BUDGET = 10
SHARDS = 3
DOMAINS = 9
HOSTS = 200
LINKS = 3
MAZE = 12_000
"""So many that the ends of the maze are out of reach."""
LETTERS = str.maketrans("01234567", "abcdefgh")


def settings_of(*roots: str) -> CrawlSettings:
    return CrawlSettings(
        roots=roots,
        host_match=HostMatch.LENIENT,
        max_similar=BUDGET,
        guard=False,
        **NO_CHECKS,  # type: ignore[arg-type]  # field by field
    )


def roots_of_two_shards() -> tuple[str, str]:
    """Roots that different shards own."""
    there = "http://d1.test/"
    owner = Ownership(SHARDS).owner
    others = (f"http://d{number}.test/" for number in range(2, DOMAINS))
    return next(root for root in others if owner(root) != owner(there)), there


def pages_of(*paths: Path) -> set[str]:
    """The pages that these projects have between them."""
    found = set()
    for path in paths:
        with Reader(path) as reader:
            found |= {row.url for row in reader.iterate(View.ALL) if row.outcome is Outcome.PAGE}
    return found


def crawled(folder: Path, settings: CrawlSettings, web: FakeWeb) -> tuple[set[str], set[str]]:
    """The pages of one project, and those of shards."""
    crawl_at_once(folder / "one.gossamer", settings, web)
    shards = ShardedFake(folder, settings, web, SHARDS, random.Random(1))
    shards.run()
    return pages_of(folder / "one.gossamer"), pages_of(*shards.paths)


@pytest.mark.parametrize("says", ["the same as all others have said before", None])
def test_of_a_maze_over_many_domains_each_shard_takes_no_more_than_one_crawl(
    tmp_path: Path, says: str | None
) -> None:
    def url(number: int) -> str:
        made_up = f"m{number}." if number >= DOMAINS else ""
        return f"http://{made_up}d{number % DOMAINS}.test/"

    web = FakeWeb()
    for number in range(HOSTS):
        first_link = LINKS * number + 1
        linked = range(first_link, min(first_link + LINKS, HOSTS))
        web.page(url(number), *map(url, linked), says=says)
    one, many = crawled(tmp_path, settings_of(*map(url, range(DOMAINS))), web)
    assert DOMAINS < len(one) < len(many), "else this says nothing"
    # The first page of its kind says something new: its links are free, and it pays for others.
    first = LINKS + EARNED_AT_LARGE
    assert len(one) - DOMAINS <= BUDGET + first
    # In each shard, that is a root and another page.
    assert len(many) - DOMAINS <= SHARDS * (BUDGET + 2 * first)


@pytest.mark.parametrize(
    ("back", "crosses"),
    [("nowhere", False), ("to its parent", True), ("to all above it", True)],
)
def test_a_maze_of_made_up_text_over_many_domains_ends_in_shards_too(
    tmp_path: Path, back: str, *, crosses: bool
) -> None:
    """Each page says something new and leads to new ones and back, on its domain or on others."""
    chance = random.Random(3)
    homes = [number % DOMAINS for number in range(MAZE)]
    for number in range(DOMAINS, MAZE):
        homes[number] = chance.randrange(DOMAINS) if crosses else homes[_found_on(number)]
    paths = [_letters(chance, 9) for _ in range(MAZE)]

    def url(number: int) -> str:
        path = f"{paths[number]}/" if number >= DOMAINS else ""
        return f"http://d{homes[number]}.test/{path}"

    web = FakeWeb()

    def make(number: int) -> None:
        first_link = DOMAINS + LINKS * number
        linked = range(first_link, min(first_link + LINKS, MAZE))
        above = [] if back == "nowhere" else _above(number)
        linked_back = above[:1] if back == "to its parent" else above
        words = random.Random(number)
        says = " ".join(_letters(words, 6) for _ in range(20))
        web.page(url(number), *map(url, [*linked, *linked_back]), says=says)

    web.makers = {url(number): partial(make, number) for number in range(MAZE)}
    one, many = crawled(tmp_path, settings_of(*map(url, range(DOMAINS))), web)
    assert BUDGET * LARGE_BUDGETS < len(one) < len(many), "else this says nothing"
    assert len(many) <= SHARDS * len(one) < MAZE


def test_of_sites_that_link_to_each_other_shards_leave_out_no_page(tmp_path: Path) -> None:
    """What is doubtful where it is found, and pays back where it leads to, is counted there."""
    chance = random.Random(4)
    sites, pages = 14, 40
    names = [[_letters(chance, 7) for _ in range(pages)] for _ in range(sites)]

    def url(site: int, page: int) -> str:
        return f"http://d{site}.test/" + (f"{names[site][page]}/" if page else "")

    web = FakeWeb()
    for site in range(sites):
        for page in range(pages):
            below = range(LINKS * page + 1, min(LINKS * (page + 1) + 1, pages))
            other = (site + chance.randrange(1, sites)) % sites
            elsewhere = url(other, chance.randrange(pages))
            says = " ".join(_letters(chance, 6) for _ in range(20))
            web.page(url(site, page), *(url(site, each) for each in below), elsewhere, says=says)
    one, many = crawled(tmp_path, settings_of(*(url(site, 0) for site in range(sites))), web)
    assert many == one == set(web.visits)


def test_what_another_shard_has_left_out_is_fetched_when_a_free_link_leads_there(
    tmp_path: Path,
) -> None:
    """The first page that leads there repeats what others say, the second says something new."""
    here, there = roots_of_two_shards()
    hosts = [f"http://m{number}.d1.test/" for number in range(3 * BUDGET)]
    web = FakeWeb()
    for url, *links in (
        (there,),
        *((host,) for host in hosts),
        (here, f"{here}list", f"{here}a"),
        (f"{here}list", *hosts),
        (f"{here}a", f"{here}b"),
        (f"{here}b", f"{here}c"),
    ):
        web.page(url, *links, says="Welcome to all of this")
    web.page(f"{here}c", hosts[-1], says="What this one says is said nowhere else")
    one, many = crawled(tmp_path, settings_of(there, here), web)
    assert hosts[-1] in one & many
    assert max(len(one), len(many)) < len(web.visits), "else this says nothing"


def _found_on(number: int) -> int:
    return (number - DOMAINS) // LINKS


def _above(number: int) -> list[int]:
    """The pages that lead to that one, the nearest first."""
    found = []
    while number >= DOMAINS:
        number = _found_on(number)
        found.append(number)
    return found


def _letters(chance: random.Random, length: int) -> str:
    return f"{chance.getrandbits(3 * length):0{length}o}".translate(LETTERS)


def test_lists_of_pages_of_other_sites_are_followed_in_shards_as_in_one_crawl(
    tmp_path: Path,
) -> None:
    """Whether a site of another shard has said something new is not known where a link is found."""
    chance = random.Random(2)
    roots = [f"http://d{number}.test/" for number in range(DOMAINS)]
    web = FakeWeb()

    def page_with_text(url: str, *links: str) -> str:
        words = (_letters(chance, 6) for _ in range(20))
        web.page(url, *links, says=" ".join(words))
        return url

    for number, root in enumerate(roots):
        page_with_text(root, *(f"{root}list/{listed}" for listed in range(5)))
        for listed in range(5):
            others = [roots[(number + more) % DOMAINS] for more in range(1, 8)]
            found = [page_with_text(f"{other}of{number}x{listed}") for other in others]
            web.page(f"{root}list/{listed}", *found, says="Others")
    one, many = crawled(tmp_path, settings_of(*roots), web)
    assert many == one == set(web.visits)


@pytest.mark.parametrize("way", ["redirect", "redirect to a new host", "refresh"])
def test_what_counts_against_no_budget_where_it_is_found_is_refused_by_none(
    tmp_path: Path, way: str
) -> None:
    """Pages that spread lead to more than there is room for, and to a redirect to one of these.

    What a redirect leads to is found on a page that spreads, but the redirect itself does not.
    """
    chance = random.Random(5)
    here, there = roots_of_two_shards()
    web = FakeWeb()

    def new_url(site: str) -> str:
        return f"{site}{_letters(chance, 8)}/"

    def page(url: str, *links: str) -> None:
        web.page(url, *links, says=" ".join(_letters(chance, 6) for _ in range(20)))

    spreading = [here, *(new_url(here) for _ in range(4))]
    redirect, last = new_url(here), new_url(here)
    doubtful = [new_url(there) for _ in range(2 * BUDGET * LARGE_BUDGETS)]
    if way == "redirect to a new host":
        doubtful[-1] = "http://m1.d1.test/"
    for url, following in zip(spreading, [*spreading[1:], last], strict=True):
        page(url, following, new_url(here), new_url(here))
    page(last, redirect, *doubtful)
    for url in doubtful:
        page(url, *(new_url(there) for _ in range(LINKS)))
    if way == "refresh":
        page(redirect, doubtful[-1], here)
        web.refresh(redirect, here)
    else:
        web.redirect(redirect, doubtful[-1])
    page(there)
    web.delay_s = lambda url: 3.0 if url == redirect else 0.01
    one, many = crawled(tmp_path, settings_of(here, there), web)
    assert doubtful[-1] in one
    assert len(many & set(doubtful)) < len(doubtful), "else this says nothing"
    assert doubtful[-1] in many


@pytest.mark.parametrize("link", ["to a new host", "not to follow", "to an image"])
def test_a_list_without_end_pays_for_no_more_by_what_another_shard_may_not_fetch(
    tmp_path: Path, link: str
) -> None:
    """Each list leads to others, and to something of another shard that no page led to before."""
    chance = random.Random(5)
    here, there = roots_of_two_shards()
    words = [_letters(chance, 6) for _ in range(40)]
    says, lists = " ".join(words), 300
    web = FakeWeb()
    web.page(here, f"{here}list/1", there, says=says)
    web.page(there, says="What the other site says")
    for number in range(1, lists):
        below = range(LINKS * number - 1, LINKS * number + LINKS - 1)
        beside = (number - 1, number + 1)
        linked = [f"{here}list/{each}" for each in (*below, *beside) if 0 < each < lists]
        host, image = f"http://m{number}.d1.test/", f"{there}image?{number}"
        web.page(
            f"{here}list/{number}",
            *linked,
            *([host] if link == "to a new host" else []),
            nofollow=(image,) if link == "not to follow" else (),
            images=(image,) if link == "to an image" else (),
            title=" ".join(chance.sample(words, 6)),
            says=says,
        )
        web.page(host, title="A host", says=says)
    one, many = (
        {url for url in found if url.startswith(f"{here}list/")}
        for found in crawled(tmp_path, settings_of(here, there), web)
    )
    assert BUDGET < len(one) < lists - 1, "else this says nothing"
    assert len(many) <= len(one)


def test_what_another_shard_has_left_out_is_fetched_once_its_host_says_something_new(
    tmp_path: Path,
) -> None:
    """A second list of the same kind leads there, too: its link is not handed over again."""
    chance = random.Random(5)
    here, there = roots_of_two_shards()
    hosts = [f"http://m{number}.d1.test/" for number in range(3 * BUDGET)]
    left_out, informative = f"{hosts[-1]}left-out", f"{hosts[-1]}informative"
    says = " ".join(_letters(chance, 6) for _ in range(40))
    web = FakeWeb(delay_s=lambda url: {f"{here}list/2": 20.0, f"{there}slow": 3.0}.get(url, 0.01))
    web.page(here, f"{here}list/1", says=says)
    linked = [*hosts[: 2 * BUDGET], left_out, *hosts[2 * BUDGET :]]
    web.page(f"{here}list/1", *linked, f"{here}list/2", title="One", says=says)
    web.page(f"{here}list/2", left_out, here, title="Another one", says=says)
    for host in hosts:
        web.page(host, title="A host", says=says)
    web.page(there, f"{there}slow", says="What the other site says")
    web.page(f"{there}slow", informative, says="Slowly it says another thing")
    web.page(informative, says="A person and a garden")
    web.page(left_out, says="At last all of this")
    one, many = crawled(tmp_path, settings_of(here, there), web)
    assert left_out in one
    assert max(len(one), len(many)) < len(web.visits), "else this says nothing"
    assert left_out in many
