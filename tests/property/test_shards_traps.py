"""What trap budgets do to a crawl in shards, compared with one project, whatever is killed when."""

import os
import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.scope_settings import HostMatch
from gossamer.shards.shard_merging import merge_shards
from gossamer.store.project import store_settings
from gossamer.store.reading.reader import Reader
from tests.fakes.contents import contents
from tests.fakes.recount import miscounts
from tests.fakes.sharded import ShardedFake, crawl_at_once
from tests.fakes.web import NO_CHECKS, FakeWeb

EXAMPLES = int(os.environ.get("GOSSAMER_SHARD_STORIES", "12"))
"""The long form has thousands."""
DOMAINS = 5
AMPLE = 1_000
"""More than these sites can use up, so that everything is counted, and nothing is refused."""
TIGHT = 10
"""The least there is: something is refused on many of these sites, if they are large."""
FEW, MANY = 100, 200
"""URLs besides the roots, at most."""
LETTERS = str.maketrans("01234567", "abcdefgh")

Rows = dict[str, tuple[Outcome, int | None]]


def suspicious_sites(chance: random.Random, most: int) -> FakeWeb:
    """Sites whose pages often say the same, have hosts without end, and link to each other."""
    delays: dict[str, float] = {}
    web = FakeWeb(delay_s=lambda url: delays.get(url, 0.05))
    roots = [f"http://d{number}.test/" for number in range(DOMAINS)]
    urls = [*roots, *(_random_url(chance, number) for number in range(chance.randint(0, most)))]
    repeats = chance.choice([0.0, 0.5, 0.9])
    nearby = chance.random() < 0.5
    for number, url in enumerate(urls):
        delays[url] = chance.choice((0.001, 0.05, 0.3, 2.0))
        kind = chance.random()
        if number >= DOMAINS and kind < 0.1:
            web.redirect(url, chance.choice(urls))
            continue
        new = urls[number + 1 : number + 6] if nearby else urls
        links = chance.choices(new or urls, k=chance.randint(2, 6))
        says = "Welcome to all of this" if chance.random() < repeats else _text(chance)
        web.page(
            url,
            *(links if number >= DOMAINS else [*links, *urls[DOMAINS : DOMAINS + 3]]),
            images=tuple(chance.choices(urls, k=chance.randint(0, 1))),
            nofollow=tuple(chance.choices(urls, k=chance.randint(0, 1))),
            says=says,
        )
    return web


def _random_url(chance: random.Random, number: int) -> str:
    host = f"{chance.choice(['', f'm{number}.', f'm{number}.'])}d{chance.randrange(DOMAINS)}.test"
    return f"http://{host}/{chance.choice(['', 'a/', 'b/'])}{_letters(chance, 7)}/"


def _letters(chance: random.Random, length: int) -> str:
    return f"{chance.getrandbits(3 * length):0{length}o}".translate(LETTERS)


def _text(chance: random.Random) -> str:
    return " ".join(_letters(chance, 6) for _ in range(20))


def settings_by(chance: random.Random, budget: int) -> CrawlSettings:
    return CrawlSettings(
        roots=tuple(f"http://d{number}.test/" for number in range(DOMAINS)),
        host_match=HostMatch.LENIENT,
        workers=chance.choice([1, 3, 20]),
        max_redirects=chance.choice([0, 1, 3]),
        max_depth=chance.choice([None, None, None, 3]),
        max_similar=budget,
        guard=False,
        **NO_CHECKS,  # type: ignore[arg-type]  # field by field
    )


def rows_of(path: Path) -> Rows:
    with Reader(path) as reader:
        return {row.url: (row.outcome, row.depth) for row in reader.iterate(View.ALL)}


def in_shards(
    folder: Path, wanted: CrawlSettings, web: FakeWeb, shards: int, chance: random.Random
) -> Path:
    """The merged project of a crawl in shards that are killed at random moments."""
    crawls = ShardedFake(folder, wanted, web, shards, chance)
    crawls.run(chance.choices(range(shards), k=chance.randint(0, 6)))
    merge_shards(chance.sample(crawls.paths, k=shards), folder / "merged.gossamer")
    assert miscounts(folder / "merged.gossamer") == []
    return folder / "merged.gossamer"


@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**64), shards=st.integers(1, 4))
def test_links_that_budgets_count_lead_shards_where_they_lead_one_crawl(
    seed: int, shards: int
) -> None:
    chance = random.Random(seed)
    web, wanted = suspicious_sites(chance, FEW), settings_by(chance, AMPLE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crawl_at_once(folder / "truth.gossamer", wanted, web)
        merged = in_shards(folder, wanted, web, shards, chance)
        assert contents(merged, parents=False) == contents(folder / "truth.gossamer", parents=False)


@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**64), shards=st.integers(1, 4))
def test_what_shards_leave_out_is_linked_by_no_page_whose_links_are_free(
    seed: int, shards: int
) -> None:
    chance = random.Random(seed)
    web, wanted = suspicious_sites(chance, MANY), settings_by(chance, TIGHT)
    with tempfile.TemporaryDirectory() as name:
        rows = rows_of(in_shards(Path(name), wanted, web, shards, chance))
    _ensure_no_lost_page(web, rows)
    _ensure_true_depths(web, wanted, rows)


def _ensure_no_lost_page(web: FakeWeb, rows: Rows) -> None:
    """Pages that nobody repeats, too near to be in a maze, are free: all they lead to is tried."""
    texts = [tuple(visit.facts.phrases) for visit in web.visits.values() if visit.facts]
    for url, (outcome, depth) in rows.items():
        visit = web.visits.get(url)
        if outcome is not Outcome.PAGE or visit is None or visit.facts is None:
            continue
        if depth is not None and depth <= 1 and texts.count(tuple(visit.facts.phrases)) == 1:
            lost = [
                visit.targets[link.target]
                for link in visit.links
                if link.kind.name == "ANCHOR"
                and not link.rel
                and rows[visit.targets[link.target]][0] is Outcome.OVER_BUDGET
            ]
            assert lost == [], url


def _ensure_true_depths(web: FakeWeb, wanted: CrawlSettings, rows: Rows) -> None:
    """Each page is one click below a page that leads to it."""
    reached: dict[str, set[int | None]] = {root: {0} for root in wanted.roots}
    for url, (outcome, depth) in rows.items():
        visit = web.visits.get(url)
        if visit is None or not (outcome is Outcome.PAGE or outcome.is_redirect):
            continue
        if visit.location is not None:
            reached.setdefault(visit.location, set()).add(depth)
        for link in visit.links:
            if depth is not None and link.kind.name == "ANCHOR" and not link.rel:
                reached.setdefault(visit.targets[link.target], set()).add(depth + 1)
    for url, (outcome, depth) in rows.items():
        if outcome is Outcome.PAGE and depth is not None:
            assert depth in reached[url], url


@settings(deadline=None, max_examples=EXAMPLES // 2)
@given(seed=st.integers(0, 2**64), shards=st.integers(1, 4), ends=st.booleans())
def test_with_a_higher_budget_the_merged_project_goes_on_to_what_one_crawl_has(
    seed: int, shards: int, *, ends: bool
) -> None:
    chance = random.Random(seed)
    web = suspicious_sites(chance, MANY)
    # What was left out is as deep as the page on which it was found first: see ADR 64.
    wanted = replace(settings_by(chance, TIGHT), max_depth=None)
    ample = replace(wanted, max_similar=AMPLE)
    with tempfile.TemporaryDirectory() as name:
        folder, merged = Path(name), Path(name) / "merged.gossamer"
        crawl_at_once(folder / "truth.gossamer", ample, web)
        crawls = ShardedFake(folder, wanted, web, shards, chance)
        stop_after_s = None if ends else chance.choice([0.0, 0.1, 0.5, 1.0, 3.0])
        crawls.run(chance.choices(range(shards), k=chance.randint(0, 2)), stop_after_s)
        merge_shards(crawls.paths, merged)
        store_settings(merged, ample)
        crawl_at_once(merged, ample, web)
        rows = rows_of(merged)
        missing = pages_in(folder / "truth.gossamer") - pages_in(merged)
    # What is known otherwise than as a page is not looked at again when it is refused as one.
    assert {rows[url][0] for url in missing if url in rows} <= {Outcome.CHECKED, Outcome.NOFOLLOW}


def pages_in(path: Path) -> set[str]:
    return {url for url, (outcome, _) in rows_of(path).items() if outcome is Outcome.PAGE}
