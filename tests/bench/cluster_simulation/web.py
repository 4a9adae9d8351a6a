"""Makes the sites of a simulated crawl, with sizes and speeds as they are found on the web.

Sources of the numbers:

- Pages per site: a power law whose density falls with an exponent of 1.7 to 1.9. B. A. Huberman and
  L. A. Adamic, "Growth dynamics of the World-Wide Web", Nature 401 (1999).
- 62.5 links a page (394 billion links on 6.3 billion pages), 6.5 new URLs a page (41 billion), 54
  pages a host (117 million hosts): H.-T. Lee, D. Leonard, X. Wang and D. Loguinov, "IRLbot: Scaling
  to 6 Billion Pages and Beyond", WWW 2008.
- Time to the first byte: 55 % of origins under 0.8 s and 12 % over 1.8 s, on desktops, as 75th
  percentiles of their visitors: HTTP Archive, Web Almanac 2025, "Performance". A log-normal
  distribution with a median of 0.73 s and a sigma of 0.77 has these two values.
- HTML of a median page: 18 kB on the wire: HTTP Archive, Web Almanac 2024, "Page Weight".

Not from a source, and so to be varied: the links that leave the host, the share of sites
that ask for a crawl delay, the share of answers that fail for a moment.
"""

import math
import random
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

_MASK: Final = (1 << 64) - 1
_TABLE: Final = 1024
_CLICK: Final = 0x9E3779B97F4A7C15
_ROOT: Final = 0


@dataclass(frozen=True, slots=True)
class WebModel:
    """What the sites are like. Sizes are numbers of pages, times seconds.

    A host's size is Pareto distributed from `pages_least` on; `pages_exponent` is the exponent of
    the distribution's density, and no host has more than `pages_most`. `seeds` hosts are roots; a
    page of another host leads to each other one.
    """

    hosts: int = 1_000
    seeds: int = 100
    pages_least: int = 12
    pages_exponent: float = 1.8
    pages_most: int = 20_000
    answer_median_s: float = 0.36
    """Half of what visitors see: a crawler keeps its connections, and need not find the address."""
    answer_sigma: float = 0.77
    answer_spread: float = 0.3
    """The sigma of a host's answers around its own median."""
    links: float = 62.5
    new_links: int = 6
    leaving: float = 4.0
    """Links of a page to other hosts that none of its shard's pages had before: a quarter of those
    that leave the host, if a quarter of all do. Each is handed over once."""
    delay_share: float = 0.05
    delay_s: float = 10.0
    """The crawl delay in the robots.txt of so many hosts."""
    failing: float = 0.01
    """The share of pages that fail at first and may be asked again."""


@dataclass(frozen=True, slots=True)
class Host:
    """One site."""

    number: int
    pages: int
    answer_s: float
    delay_s: float


@dataclass(frozen=True)
class Web:
    """All sites, and what is found where. Everything follows from model and seed.

    A host's pages are numbered by discovery: each leads to the next `new_links` nobody knows.
    """

    model: WebModel
    seed: int
    hosts: tuple[Host, ...]
    entrances: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """The hosts that are found on a page, by host and page."""

    @cached_property
    def pages(self) -> int:
        """Of all hosts."""
        return sum(host.pages for host in self.hosts)

    @cached_property
    def mean_answer_s(self) -> float:
        """Until a server has answered, on average over all pages."""
        return sum(host.answer_s * host.pages for host in self.hosts) / self.pages

    def found_on(self, host: Host, page: int) -> range:
        """The pages of the same host that this page is the first to lead to."""
        first = page * self.model.new_links + 1
        return range(min(first, host.pages), min(first + self.model.new_links, host.pages))

    def failures(self, host: int, page: int) -> int:
        """How often this page fails before it answers."""
        return int(self._number(host, page, 1) < self.model.failing)

    def answer_s(self, host: Host, page: int) -> float:
        """Until the server has answered."""
        place = int(self._number(host.number, page, 2) * _TABLE)
        return host.answer_s * self._spread[place]

    @cached_property
    def _spread(self) -> list[float]:
        chance = random.Random(self.seed)
        sigma = self.model.answer_spread
        return [chance.lognormvariate(0.0, sigma) for _ in range(_TABLE)]

    def _number(self, host: int, page: int, kind: int) -> float:
        """From 0 up to 1, the same whenever it is asked for (SplitMix64)."""
        mixed = (self.seed * 31 + kind) * _CLICK + (host << 32 | page) & _MASK
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
        return (mixed ^ mixed >> 31) / 2**64


def made(model: WebModel, seed: int) -> Web:
    """The sites of a model."""
    chance = random.Random(seed)
    hosts = tuple(_host(model, number, chance) for number in range(model.hosts))
    entrances: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number in range(max(1, model.seeds), model.hosts):
        source = hosts[chance.randrange(number)]
        entrances[source.number, chance.randrange(source.pages)].append(number)
    return Web(model, seed, hosts, dict(entrances))


def uniform(hosts: int, pages: int, answer_s: float, **more: float) -> Web:
    """Hosts that are all alike and all roots: what closed formulas and measured runs have."""
    kept = {"delay_share": 0.0, "failing": 0.0, "answer_spread": 0.0, **more}
    model = WebModel(hosts=hosts, seeds=hosts, **kept)  # type: ignore[arg-type]  # a field each
    alike = tuple(Host(number, pages, answer_s, 0.0) for number in range(hosts))
    return Web(model, 0, alike)


def _host(model: WebModel, number: int, chance: random.Random) -> Host:
    pages = model.pages_least * (1.0 - chance.random()) ** (-1.0 / (model.pages_exponent - 1.0))
    answer_s = chance.lognormvariate(math.log(model.answer_median_s), model.answer_sigma)
    delayed = chance.random() < model.delay_share
    return Host(
        number,
        max(1, min(round(pages), model.pages_most)),
        answer_s,
        model.delay_s if delayed else 0.0,
    )
