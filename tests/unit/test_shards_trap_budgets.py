"""Trap budgets are each shard's own: what that does to mazes over many domains, and to sites."""

import random
from pathlib import Path

import pytest

from gossamer.engine.traps.trap_budgets import EARNED_AT_LARGE, LARGE_BUDGETS
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.scope_settings import HostMatch
from gossamer.store.reading.reader import Reader
from tests.fakes.sharded import ShardedFake, crawl_at_once
from tests.fakes.web import NO_CHECKS, FakeWeb

BUDGET = 10
SHARDS = 3
DOMAINS = 9
HOSTS = 200
LINKS = 3
MAZE = 1500


def settings_of(*roots: str) -> CrawlSettings:
    return CrawlSettings(
        roots=roots,
        host_match=HostMatch.LENIENT,
        max_similar=BUDGET,
        guard=False,
        **NO_CHECKS,  # type: ignore[arg-type]  # field by field
    )


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
    # A shard's first page says something new: its links are free, and it pays for others.
    first = LINKS + EARNED_AT_LARGE
    assert len(one) - DOMAINS <= BUDGET + first
    assert len(many) - DOMAINS <= SHARDS * (BUDGET + first)


@pytest.mark.parametrize("crosses", [False, True])
def test_a_maze_of_made_up_text_over_many_domains_ends_in_shards_too(
    tmp_path: Path, *, crosses: bool
) -> None:
    """Each page says something new and leads to new ones alone, on its own domain or on others."""
    chance = random.Random(3)
    homes = [number % DOMAINS for number in range(MAZE)]
    for number in range(DOMAINS, MAZE):
        homes[number] = chance.randrange(DOMAINS) if crosses else homes[_found_on(number)]
    paths = [_letters(chance, 9) for _ in range(MAZE)]

    def url(number: int) -> str:
        path = f"{paths[number]}/" if number >= DOMAINS else ""
        return f"http://d{homes[number]}.test/{path}"

    web = FakeWeb()
    for number in range(MAZE):
        first_link = DOMAINS + LINKS * number
        linked = range(first_link, min(first_link + LINKS, MAZE))
        says = " ".join(_letters(chance, 6) for _ in range(20))
        web.page(url(number), *map(url, linked), says=says)
    one, many = crawled(tmp_path, settings_of(*map(url, range(DOMAINS))), web)
    assert BUDGET * LARGE_BUDGETS < len(one) < len(many), "else this says nothing"
    assert len(many) <= SHARDS * len(one) < MAZE


def _found_on(number: int) -> int:
    return (number - DOMAINS) // LINKS


def _letters(chance: random.Random, length: int) -> str:
    return "".join(chance.choices("abcdefgh", k=length))


def test_lists_of_pages_of_other_sites_are_followed_in_shards_as_in_one_crawl(
    tmp_path: Path,
) -> None:
    """Whether a site of another shard has said something new is not known where a link is found."""
    chance = random.Random(2)
    roots = [f"http://d{number}.test/" for number in range(DOMAINS)]
    web = FakeWeb()

    def page_with_text(url: str, *links: str) -> str:
        words = ("".join(chance.choices("abcdefgh", k=6)) for _ in range(20))
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
