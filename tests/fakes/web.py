"""A web in memory: the engine's Fetcher, with every timing under the test's control."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from gossamer.engine.interfaces import WorkerDiedError
from gossamer.extract.phrase_hashes import phrase_hashes_in
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.link_kinds import LinkKind
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import free_text
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, Link, PageLinks, Visit

ROOT = "http://site.test"
NO_CHECKS = {"soft_404_probe": False, "llms_txt": False}
"""Settings of a crawl that asks for nothing but its URLs."""


@dataclass
class FakeWeb:
    """Pages, redirects and troubles by path; paths that are not there answer 404.

    `delay_s` tells how long a path takes, on the loop's clock.
    """

    visits: dict[str, Visit] = field(default_factory=dict)
    makers: dict[str, Callable[[], None]] = field(default_factory=dict)
    """By URL, what adds a page when it is first asked for: of large sites, most never are."""
    failing: dict[str, list[Visit | BaseException]] = field(default_factory=dict)
    """What the first requests of a path get, before its visit."""
    delay_s: Callable[[str], float] = lambda _: 0.01
    robots: str | None = None
    unreachable: dict[str, tuple[float, Visit]] = field(default_factory=dict)
    """Origins that do not answer: after how many seconds that is known, and as what."""
    asked: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    """Whose answers were given in full: asked, less cancelled and failed."""
    checked_well: list[str] = field(default_factory=list)
    """Checks that got an answer."""
    checked: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    doubtful: dict[str, FetchMode] = field(default_factory=dict)
    """URLs whose first answer does not count."""
    checks_asked: list[str] = field(default_factory=list)
    """What was asked about the host alone: see `is_site_check`."""
    made_up: Visit = field(default_factory=lambda: Visit(Outcome.CLIENT_ERROR, status=404))
    """What a made-up URL is answered."""
    llms_txt: str | None = None
    kinds: dict[str, set[str]] = field(default_factory=dict)
    """What was wanted of each URL."""
    paths: dict[str, CrawlPath | None] = field(default_factory=dict)
    """How each URL was reached, as far as somebody wants to know."""
    certificates: list[ServerCertificate] = field(default_factory=list)
    not_modified: list[str] = field(default_factory=list)
    """What was answered with status 304."""
    open: int = 0
    most_open: int = 0
    dropped: int = 0
    killers: set[str] = field(default_factory=set)
    """Paths that end the page worker, and with it everything in flight."""
    timeout_s: float = 0.0
    """What the crawl asked for while it ran."""
    drop_s: float = 0.0
    """How long it takes to close the connections."""
    _death: asyncio.Future[None] | None = None

    def page(
        self,
        path: str,
        *links: str,
        images: tuple[str, ...] = (),
        nofollow: tuple[str, ...] = (),
        title: str = "",
        says: str | None = None,
    ) -> None:
        """Have a page at `path`; it `says` its title unless told otherwise."""
        title = title or f"The page {path}"
        targets, numbers = _numbered((*links, *images, *nofollow))
        found = [Link(numbers[p], LinkKind.ANCHOR) for p in links]
        found += [Link(numbers[p], LinkKind.IMAGE) for p in images]
        found += [Link(numbers[p], LinkKind.ANCHOR, rel="nofollow") for p in nofollow]
        self.visits[absolute(path)] = Visit(
            Outcome.PAGE,
            status=200,
            facts=PageFacts(
                title=title, phrases=phrase_hashes_in([title if says is None else says])
            ),
            targets=targets,
            links=PageLinks.of(found),
        )

    def sitemap(
        self, path: str, *named: str, sitemaps: tuple[str, ...] = (), modified: str = ""
    ) -> None:
        """Have `path` be a sitemap of the pages `named`, last `modified` then, and `sitemaps`."""
        targets, numbers = _numbered((*named, *sitemaps))
        found = [Link(numbers[p], LinkKind.SITEMAP, text=modified) for p in named]
        found += [Link(numbers[p], LinkKind.SITEMAP_INDEX) for p in sitemaps]
        links = PageLinks.of(found)
        self.visits[absolute(path)] = Visit(Outcome.FILE, status=200, targets=targets, links=links)

    def redirect(self, path: str, location: str, status: int = 302) -> None:
        self.visits[absolute(path)] = Visit(
            Outcome.REDIRECT, status=status, location=absolute(location)
        )

    def refresh(self, path: str, location: str) -> None:
        """Have the page at `path` send its readers on, as `<meta http-equiv=refresh>` does."""
        page = self.visits[absolute(path)]
        self.visits[absolute(path)] = msgspec.structs.replace(
            page, outcome=Outcome.REDIRECT, location=absolute(location)
        )

    def fails(self, path: str, *failures: Visit | BaseException) -> None:
        self.failing[absolute(path)] = list(failures)

    def paths_asked(self) -> list[str]:
        return [url.removeprefix(ROOT) for url in self.asked]

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,
        mode: FetchMode = FetchMode.USUAL,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,
    ) -> Visit:
        self.paths[url] = path
        if is_site_check(url):
            return await self._checked(url)
        visit = await self._fetched(url, kind, mode)
        etag = dict(visit.headers).get("ETag", "")
        if etag and etag in conditions.etags.split(", "):
            headers = [("ETag", etag)]
            self.not_modified.append(url)
            return Visit(Outcome.UNEXPECTED_STATUS, status=304, headers=headers, not_modified=True)
        return visit

    async def _fetched(self, url: str, kind: FetchKind, mode: FetchMode) -> Visit:
        self.kinds.setdefault(url, set()).add(kind.name)
        if kind is FetchKind.CHECK:
            self.checked.append(url)
        else:
            self.asked.append(url)
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            await self._answered(url.removeprefix(ROOT))
        except asyncio.CancelledError:
            self.cancelled.append(url)
            raise
        finally:
            self.open -= 1
        failures = self.failing.get(url)
        if failures:
            failure = failures.pop(0)
            if isinstance(failure, BaseException):
                raise failure
            return failure
        if url in self.doubtful and not mode:
            return Visit(Outcome.CLIENT_ERROR, status=405, again=self.doubtful[url])
        (self.checked_well if kind is FetchKind.CHECK else self.answered).append(url)
        self.makers.pop(url, _nothing)()
        visit = self.visits.get(url, Visit(Outcome.CLIENT_ERROR, status=404))
        if kind is FetchKind.CHECK and visit.facts is not None:
            return Visit(Outcome.CHECKED, status=visit.status)
        if kind is not FetchKind.SITEMAP and visit.outcome is Outcome.FILE:
            return Visit(Outcome.FILE, status=visit.status)
        return visit

    async def _checked(self, url: str) -> Visit:
        self.checks_asked.append(url)
        self.open += 1
        try:
            await self._answered(url.removeprefix(ROOT))
        finally:
            self.open -= 1
        failures = self.failing.get(url)
        if failures:
            failure = failures.pop(0)
            if isinstance(failure, BaseException):
                raise failure
            return failure
        if url.endswith("/llms.txt"):
            return Visit(Outcome.CLIENT_ERROR, status=404)
        return self.made_up

    async def _answered(self, path: str) -> None:
        """Wait as long as the path takes, if the worker lives that long."""
        if self._death is None:
            self._death = asyncio.get_running_loop().create_future()
        dead, _ = await asyncio.wait({self._death}, timeout=self.delay_s(path))
        if path in self.killers and not dead:
            death, self._death = self._death, None
            death.set_result(None)
            dead = {death}
        if dead:
            raise died()

    async def fetch_text(
        self,
        url: str,
        conditions: Conditions = NO_CONDITIONS,  # noqa: ARG002 - what it has is always new
    ) -> tuple[Visit, str]:
        if is_site_check(url):
            visit = await self._checked(url)
            if self.llms_txt is None:
                return visit, ""
            return Visit(Outcome.FILE, status=200), self.llms_txt
        origin = url.removesuffix("/robots.txt")
        if origin in self.unreachable:
            delay_s, visit = self.unreachable[origin]
            await asyncio.sleep(delay_s)
            return visit, ""
        await asyncio.sleep(0.01)
        failures = self.failing.get(url)
        if failures:
            failure = failures.pop(0)
            if isinstance(failure, BaseException):
                raise failure
            return failure, ""
        if self.robots is None:
            return Visit(Outcome.CLIENT_ERROR, status=404), ""
        return Visit(Outcome.FILE, status=200), self.robots

    def change_settings(self, settings: CrawlSettings) -> None:
        self.timeout_s = settings.timeout_s

    async def drop(self) -> None:
        await asyncio.sleep(self.drop_s)
        assert self.open == 0, "drop is for when nothing is in flight"
        self.dropped += 1


def _nothing() -> None:
    """What is to be made where there is a page already, or none."""


def is_site_check(url: str) -> bool:
    """Whether this is a made-up URL, or an llms.txt."""
    return "/gossamer-made-up-" in url or url.endswith("/llms.txt")


def _numbered(paths: Iterable[str]) -> tuple[list[str], dict[str, int]]:
    """The URLs of some paths, each once, and by path, which of them it is."""
    urls: dict[str, int] = {}
    numbers = {path: urls.setdefault(absolute(path), len(urls)) for path in paths}
    return list(urls), numbers


def absolute(path: str) -> str:
    """The URL of a path on the fake site; URLs stay as they are."""
    return path if ":" in path else ROOT + path


def died() -> WorkerDiedError:
    """A page worker that ends."""
    return WorkerDiedError(free_text("killed"))


LOST = Visit(Outcome.CONNECTION_LOST, detail=free_text("reset by peer"), transient=True)
"""A failure that may pass."""


@dataclass(frozen=True)
class FakeRules:
    """robots.txt with nothing but Disallow prefixes."""

    disallowed: tuple[str, ...]
    crawl_delay_s: float | None = None
    sitemaps: tuple[str, ...] = ()

    def allowed(self, url: str) -> bool:
        return not url.removeprefix(ROOT).startswith(self.disallowed)

    def blocking_line(self, url: str) -> tuple[int, str] | None:
        path = url.removeprefix(ROOT)
        lines = enumerate(self.disallowed, start=2)
        return next((n, f"Disallow: {p}") for n, p in lines if path.startswith(p))


def fake_rules(status: int | None, text: str, user_agent: str) -> FakeRules:
    """The rules for a robots.txt of Disallow lines; everything is allowed without one."""
    assert user_agent
    lines = text.splitlines() if status == 200 else []

    def values(name: str) -> tuple[str, ...]:
        return tuple(line.partition(": ")[2] for line in lines if line.startswith(name))

    return FakeRules(values("Disallow"), sitemaps=values("Sitemap"))
