"""Random sites, and an engine that crawls them in any order into any store of rows."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from gossamer.model.discovery_rank import JUST_RECORDED, RECORDED, Rank
from gossamer.model.link_kinds import OUTLINK_KINDS, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import REACH, LinkRows, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import Link, Visit
from tests.fakes.actions import usual_action

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
        return rank.redirected()
    return rank.clicked() if kind in OUTLINK_KINDS else JUST_RECORDED


@dataclass
class Crawl:
    """An engine that visits in any order, batches at will, and believes only the file's ranks."""

    site: Site
    commit_to: Callable[[StoreBatch], list[UrlRow]]
    chance: random.Random
    batch: StoreBatch = field(default_factory=StoreBatch)
    ids: dict[int, int] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)
    ranks: dict[int, Rank] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)
    owing: bool = False

    def run(self) -> None:
        self.reach(0, Rank(0), None)
        while self.waiting or self.batch or self.owing:
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
        links = LinkRows.of(
            (self.ids[target], usual_action(kind), Link(0, kind, str(target)))
            for target, kind in ways
        )
        row = VisitRow(self.ids[number], Visit(outcome, 200), outcome, 1, links)
        self.batch.visits.append(row)

    def reach(self, number: int, rank: Rank, parent: int | None) -> None:
        if number not in self.ids:
            self.ids[number] = len(self.ids) + 1
            self.numbers[self.ids[number]] = number
            self.ranks[number] = rank
            outcome = Outcome.NOT_FOLLOWED if rank.depth == RECORDED else Outcome.PENDING
            self.batch.new.append(UrlRow(self.ids[number], url(number), rank, outcome, parent))
            if outcome is Outcome.PENDING:
                self.waiting.append(number)
        else:
            self.batch.improved.append((self.ids[number], rank))

    def commit(self) -> None:
        batch, self.batch = self.batch, StoreBatch()
        batch.reach = self.chance.choice([0, 1, 5, REACH])
        improved = self.commit_to(batch)
        self.owing = batch.owing
        for row in improved:
            number = self.numbers[row.id]
            assert row.rank != self.ranks[number]
            assert row.url == url(number)
            self.ranks[number] = row.rank
            if row.outcome is Outcome.NOT_FOLLOWED and row.rank.depth < RECORDED:
                self.batch.decided.append((row.id, Outcome.PENDING, None))
                self.waiting.append(number)
