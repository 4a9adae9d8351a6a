"""Webs made by chance, and what a crawl of one must come to, whatever happens first."""

import random
from dataclasses import dataclass, field

from msgspec.structs import replace

from gossamer.model.discovery_rank import (
    AS_FILE,
    JUST_NOFOLLOWED,
    JUST_RECORDED,
    LISTED,
    NOFOLLOWED,
    READ_OTHERWISE,
    UNLINKED,
    Rank,
    SitemapRole,
)
from gossamer.model.discovery_rank import SITEMAP as AS_SITEMAP
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.fakes.web import LOST, ROOT, FakeWeb, absolute

SITEMAP = "/sitemap.xml"
SECOND = "/second.xml"
"""A sitemap that the other one may name, and pages link to."""
ELSEWHERE = "http://elsewhere.test/"
LEFT = 2
"""The level of what is only recorded."""
DELAYS_S = (0.001, 0.01, 0.1, 0.3, 1.0, 8.0)


@dataclass(frozen=True)
class Expected:
    """A URL when the crawl is over."""

    outcome: Outcome
    rank: Rank


@dataclass
class RandomWeb:
    """Pages and redirects by path; a page that refreshes is both. It is sparse, so that ways are
    long and differ.
    """

    links: dict[str, list[str]] = field(default_factory=dict)
    images: dict[str, list[str]] = field(default_factory=dict)
    nofollow: dict[str, list[str]] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)
    """What the sitemap names, if there is one."""
    indexed: list[str] = field(default_factory=list)
    """What it names as sitemaps, be it one or not."""
    listed_second: list[str] = field(default_factory=list)
    """What the second sitemap names, if there is one; whether anything leads there or not."""
    looked_for: bool = False
    """Whether a sitemap is looked for at its usual place, where there is none."""
    lost: dict[str, int] = field(default_factory=dict)
    """How often a path fails, before it answers."""
    disallowed: tuple[str, ...] = ()
    killer: str | None = None
    """A path that ends the page worker."""

    @classmethod
    def made_by(cls, chance: random.Random) -> "RandomWeb":
        """Up to 30 paths; the root is "/"."""
        web = cls()
        paths = ["/", *(f"/{n}" for n in range(chance.randint(0, 29)))]
        redirects = chance.choice([0.2, 0.4, 0.6])
        for path in paths:
            kind = chance.random()
            if kind < redirects:
                web.redirects[path] = ELSEWHERE if chance.random() < 0.05 else chance.choice(paths)
            if redirects - 0.05 < kind < 0.92:
                web.links[path] = chance.choices(paths, k=chance.randint(0, 4))
                web.images[path] = chance.choices(paths, k=chance.randint(0, 1))
                web.nofollow[path] = chance.choices(paths, k=chance.randint(0, 1))
            if chance.random() < 0.1:
                web.lost[path] = chance.randint(1, 3)
        web._add_sitemaps(chance, paths)
        if chance.random() < 0.2:
            web.disallowed = ("/1",)
        if chance.random() < 0.1:
            web.killer = chance.choice(paths)
        return web

    def _add_sitemaps(self, chance: random.Random, paths: list[str]) -> None:
        if chance.random() > 0.3:
            self.looked_for = chance.random() < 0.2
            if self.looked_for:
                self._lead_to(chance, [SITEMAP])
            return
        self.listed = chance.sample(paths, k=min(3, len(paths)))
        self.listed_second = chance.sample(paths, k=min(2, len(paths)))
        self.indexed = chance.sample([SECOND, SECOND, SITEMAP, *paths], k=2)
        self._lead_to(chance, [SECOND, SECOND, SITEMAP])

    def _lead_to(self, chance: random.Random, sitemaps: list[str]) -> None:
        for ways in (self.links, self.images, self.nofollow):
            for targets in ways.values():
                if chance.random() < 0.1:
                    targets.append(chance.choice(sitemaps))
        for path in self.redirects:
            if chance.random() < 0.1:
                self.redirects[path] = chance.choice(sitemaps)

    @property
    def has_sitemaps(self) -> bool:
        """Whether a crawl is to ask for sitemaps."""
        return bool(self.listed) or self.looked_for

    def served(self, chance: random.Random) -> FakeWeb:
        """The web as a fetcher, each path as slow as it happens to be."""
        delays = {path: chance.choice(DELAYS_S) for path in [*self.links, *self.redirects]}
        web = FakeWeb(delay_s=lambda path: delays.get(path, 0.05))
        for path, targets in self.links.items():
            images, nofollow = tuple(self.images[path]), tuple(self.nofollow[path])
            web.page(path, *targets, images=images, nofollow=nofollow)
        for path, target in self.redirects.items():
            if path in self.links:
                web.refresh(path, target)
            else:
                web.redirect(path, target)
        for path, times in self.lost.items():
            web.fails(path, *[LOST] * times)
        if self.killer is not None:
            web.killers.add(self.killer)
        robots = [f"Disallow: {prefix}" for prefix in self.disallowed]
        if self.listed:
            web.sitemap(SITEMAP, *self.listed, sitemaps=tuple(self.indexed))
            web.sitemap(SECOND, *self.listed_second)
            robots.append(f"Sitemap: {SITEMAP}")
        web.robots = "\n".join(robots) or None
        return web

    def crawled(
        self,
        settings: CrawlSettings,
        cancelled: frozenset[str] = frozenset(),
        read_before: frozenset[str] = frozenset(),
        *,
        knows_robots: bool = True,
    ) -> dict[str, Expected]:
        """What a crawl from the root ends with, by URL, if a user took out `cancelled`.

        Some of them were `read_before`, and taken out when they were to be read as sitemaps.
        `knows_robots` is whether robots.txt was asked for, which names the sitemap.

        Depth and redirects in a row are each the least over all ways there: what falls below a
        limit by another way than the other is fetched.
        """
        ranks = {absolute("/"): Rank(0)}
        if self.has_sitemaps and knows_robots:
            ranks[absolute(SITEMAP)] = AS_SITEMAP
        before: dict[str, Rank] = {}
        while ranks != before:
            before = dict(ranks)
            for url in before:
                outcome = self._outcome(url, ranks[url], settings, cancelled - read_before)
                if outcome is Outcome.FILE and url in cancelled:
                    continue
                for target, rank in self._ways(url, outcome, ranks[url], settings):
                    ranks[target] = ranks.get(target, rank).merged(rank)
        ends = {url: self._outcome(url, rank, settings, cancelled) for url, rank in ranks.items()}
        onward = {
            url: absolute(self.redirects[url.removeprefix(ROOT)])
            for url, end in ends.items()
            if end.is_redirect
        }
        loops = {url for url in onward if _never_ends(url, onward)}
        ends |= dict.fromkeys(loops, Outcome.REDIRECT_LOOP)
        return {url: Expected(end, _read(ranks[url], end)) for url, end in ends.items()}

    def _ways(
        self, url: str, outcome: Outcome, rank: Rank, settings: CrawlSettings
    ) -> list[tuple[str, Rank]]:
        path = url.removeprefix(ROOT)
        if outcome is Outcome.FILE and rank.as_sitemap:
            if path == SECOND:
                return [(absolute(target), LISTED) for target in self.listed_second]
            named = [(absolute(target), LISTED) for target in self.listed]
            return [*named, *((absolute(target), AS_SITEMAP) for target in self.indexed)]
        if outcome is not Outcome.PAGE and not outcome.is_redirect:
            return []
        image = AS_FILE if "image" in settings.check_kinds else JUST_RECORDED
        followed = [(absolute(target), rank.clicked()) for target in self.links.get(path, ())]
        others = [(absolute(target), image) for target in self.images.get(path, ())]
        others += [(absolute(target), JUST_NOFOLLOWED) for target in self.nofollow.get(path, ())]
        if outcome.is_redirect:
            others.append((absolute(self.redirects[path]), rank.redirected()))
        return [*followed, *others]

    def _outcome(
        self,
        url: str,
        rank: Rank,
        settings: CrawlSettings,
        cancelled: frozenset[str],
    ) -> Outcome:
        depth, hops = rank.depth, rank.hops
        too_deep = _too_deep(rank, settings)
        path = url.removeprefix(ROOT)
        refused = (
            (Outcome.OUT_OF_SCOPE, url == ELSEWHERE),
            (Outcome.NOFOLLOW, rank.level == LEFT and depth == NOFOLLOWED),
            (Outcome.NOT_FOLLOWED, rank.level == LEFT),
            (Outcome.BEYOND_REDIRECT_LIMIT, hops > settings.max_redirects),
            (Outcome.TOO_DEEP, too_deep and not rank.as_file),
            (Outcome.CANCELLED, url in cancelled),
            (Outcome.BLOCKED_BY_ROBOTS, bool(self.disallowed) and path.startswith(self.disallowed)),
            (Outcome.WORKER_DIED, path == self.killer),
            (Outcome.NO_SITEMAP, self._is_no_sitemap(path, rank)),
            (Outcome.FILE, path in {SITEMAP, SECOND} and bool(self.listed)),
            (Outcome.CHECKED, path in self.links and (rank.level > 0 or too_deep)),
            (Outcome.REDIRECT_OUT_OF_SCOPE, self.redirects.get(path) == ELSEWHERE),
            (Outcome.REDIRECT_LIMIT, path in self.redirects and hops >= settings.max_redirects),
            (Outcome.REDIRECT, path in self.redirects),
            (Outcome.PAGE, path in self.links),
        )
        return next((outcome for outcome, holds in refused if holds), Outcome.CLIENT_ERROR)

    def _is_no_sitemap(self, path: str, rank: Rank) -> bool:
        is_linked = rank.depth < UNLINKED or rank.as_file
        return self.looked_for and path == SITEMAP and rank.as_sitemap and not is_linked


def _never_ends(url: str, onward: dict[str, str]) -> bool:
    seen = set()
    while url in onward and url not in seen:
        seen.add(url)
        url = onward[url]
    return url in seen


def _read(rank: Rank, outcome: Outcome) -> Rank:
    """The rank of what was read: as a sitemap, if that is what it was wanted as."""
    if rank.as_sitemap and outcome in READ_OTHERWISE:
        return replace(rank, listed=SitemapRole.READ)
    return rank


def _too_deep(rank: Rank, settings: CrawlSettings) -> bool:
    is_deep = settings.max_depth is not None and rank.depth > settings.max_depth
    return is_deep and rank.level == 0 and not rank.listed
