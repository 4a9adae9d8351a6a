"""However the commits are ordered and batched, what a project file says in the end is the truth."""

import random
import tempfile
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.outcome import Outcome, is_error
from app.model.page import FOLLOWED_KINDS, Link, LinkKind, Visit
from app.model.rows import Batch, Rank, UrlRow, VisitRow
from app.model.settings import CrawlSettings
from app.model.views import View
from app.store.project import create
from app.store.reader import Reader
from app.store.visits import COUNTED_KINDS
from app.store.writer import Writer
from app.urls.tree import folders

KINDS = [LinkKind.ANCHOR, LinkKind.ANCHOR, LinkKind.FRAME, LinkKind.IMAGE, LinkKind.CANONICAL]


@dataclass(frozen=True)
class Site:
    """URLs are numbers; 0 is the root. What a number has is its links, or one redirect."""

    links: dict[int, list[tuple[int, LinkKind]]]
    redirects: dict[int, int]

    def ways(self, number: int) -> list[tuple[int, LinkKind]]:
        if number in self.redirects:
            return [(self.redirects[number], LinkKind.REDIRECT)]
        return self.links.get(number, [])


def random_site(chance: random.Random) -> Site:
    """Sparse, so that ways are long and differ, and with chains of redirects."""
    numbers = range(chance.randint(1, 30))
    redirects = {n: chance.choice(numbers) for n in numbers if chance.random() < 0.4}
    links = {
        n: [(chance.choice(numbers), chance.choice(KINDS)) for _ in range(chance.randint(0, 4))]
        for n in numbers
    }
    return Site(links, redirects)


def url(number: int) -> str:
    return f"http://site.test/{number % 3}/{number % 2}/{number}"


def beyond(rank: Rank, kind: LinkKind) -> Rank:
    """How the target of a link is reached from a URL that is reached by `rank`."""
    if kind is LinkKind.REDIRECT:
        return Rank(rank.depth, rank.hops + 1)
    if kind in FOLLOWED_KINDS and rank.depth is not None:
        return Rank(rank.depth + 1)
    return Rank(None)


def true_depths(site: Site) -> dict[int, int]:
    """Clicks from the root: breadth first, redirects for nothing."""
    depths: dict[int, int] = {}
    queue = deque([(0, 0)])
    while queue:
        number, depth = queue.popleft()
        if number in depths:
            continue
        depths[number] = depth
        for target, kind in site.ways(number):
            if kind is LinkKind.REDIRECT:
                queue.appendleft((target, depth))
            elif kind in FOLLOWED_KINDS:
                queue.append((target, depth + 1))
    return depths


def true_hops(site: Site, depths: dict[int, int]) -> dict[int, int]:
    """The fewest redirects since a followed link or the root, over all ways there are."""
    hops: dict[int, int] = {0: 0}
    hops |= {t: 0 for n in depths for t, kind in site.ways(n) if kind in FOLLOWED_KINDS}
    queue = deque(hops)
    while queue:
        number = queue.popleft()
        for target, kind in site.ways(number):
            if kind is LinkKind.REDIRECT and hops[number] + 1 < hops.get(target, 999):
                hops[target] = hops[number] + 1
                queue.append(target)
    return hops


@dataclass
class Crawl:
    """An engine that visits in any order, batches at will, and believes only the file's ranks."""

    site: Site
    writer: Writer
    chance: random.Random
    batch: Batch = field(default_factory=Batch)
    ids: dict[int, int] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)
    ranks: dict[int, Rank] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)

    def run(self) -> None:
        self.reach(0, Rank(0), None)
        while self.waiting or self.batch:
            if self.waiting:
                place = self.chance.randrange(len(self.waiting))
                self.visit(self.waiting.pop(place))
            if not self.waiting or self.chance.random() < 0.4:
                self.commit()

    def visit(self, number: int) -> None:
        ways = self.site.ways(number)
        for target, kind in ways:
            self.reach(target, beyond(self.ranks[number], kind), self.ids[number])
        outcome = Outcome.REDIRECT if number in self.site.redirects else Outcome.PAGE
        if not ways and number % 2:
            outcome = Outcome.CLIENT_ERROR
        links = [(self.ids[target], Link(0, kind, str(target))) for target, kind in ways]
        row = VisitRow(self.ids[number], Visit(outcome, 200), outcome, 1, links)
        self.batch.visits.append(row)

    def reach(self, number: int, rank: Rank, parent: int | None) -> None:
        if number not in self.ids:
            self.ids[number] = len(self.ids) + 1
            self.numbers[self.ids[number]] = number
            self.ranks[number] = rank
            outcome = Outcome.NOT_FOLLOWED if rank.depth is None else Outcome.PENDING
            self.batch.new.append(UrlRow(self.ids[number], url(number), rank, outcome, parent))
            if outcome is Outcome.PENDING:
                self.waiting.append(number)
        else:
            self.batch.improved.append((self.ids[number], rank))

    def commit(self) -> None:
        batch, self.batch = self.batch, Batch()
        for row in self.writer.commit(batch):
            number = self.numbers[row.id]
            assert row.rank != self.ranks[number]
            assert row.url == url(number)
            self.ranks[number] = row.rank
            if row.outcome is Outcome.NOT_FOLLOWED and row.rank.depth is not None:
                self.batch.decided.append((row.id, Outcome.PENDING))
                self.waiting.append(number)


@settings(deadline=None, max_examples=200)
@given(seed=st.integers(0, 2**64))
def test_any_order_of_commits_ends_with_the_truth(seed: int) -> None:
    chance = random.Random(seed)
    site = random_site(chance)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.gossamer")
        create(path, CrawlSettings(roots=(url(0),)))
        with Writer(path) as writer:
            crawl = Crawl(site, writer, chance)
            crawl.run()
        with Reader(path) as reader:
            check_ranks(reader, site, crawl)
            check_inlinks(reader, site, crawl)
            check_folders(reader)


def check_ranks(reader: Reader, site: Site, crawl: Crawl) -> None:
    depths = true_depths(site)
    hops = true_hops(site, depths)
    for record in reader.iterate(View.ALL):
        number = crawl.numbers[record.id]
        assert record.depth == depths.get(number)
        assert record.depth is None or record.hops == hops[number]
        assert (record.outcome is Outcome.NOT_FOLLOWED) == (number not in depths)
        assert record.parent is None or record.parent < record.id


def check_inlinks(reader: Reader, site: Site, crawl: Crawl) -> None:
    counted = [
        (number, target)
        for number in true_depths(site)
        for target, kind in site.ways(number)
        if kind in COUNTED_KINDS
    ]
    links = Counter(target for _, target in counted)
    sources = Counter(target for _, target in set(counted))
    for record in reader.iterate(View.ALL):
        number = crawl.numbers[record.id]
        assert (record.inlinks, record.unique_inlinks) == (links[number], sources[number])
        ways = [(crawl.numbers[link.target_id], link.kind) for link in reader.outlinks(record.id)]
        assert ways == (site.ways(number) if number in true_depths(site) else [])


def check_folders(reader: Reader) -> None:
    urls: Counter[tuple[str, ...]] = Counter()
    errors: Counter[tuple[str, ...]] = Counter()
    for record in reader.iterate(View.ALL):
        path = () if record.outcome is Outcome.NOT_FOLLOWED else folders(record.url)
        for level in range(1, len(path) + 1):
            urls[path[:level]] += 1
            errors[path[:level]] += is_error(record.outcome)
    found = {}
    waiting: deque[tuple[tuple[str, ...], int | None]] = deque([((), None)])
    while waiting:
        above, parent = waiting.popleft()
        for node in reader.folders(parent):
            found[(*above, node.name)] = (node.urls, node.errors)
            waiting.append(((*above, node.name), node.id))
    assert found == {path: (urls[path], errors[path]) for path in urls}
