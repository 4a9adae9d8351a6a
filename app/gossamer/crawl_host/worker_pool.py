"""Implements the engine's Fetcher with workers of one or more kinds."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from logging import getLogger
from typing import Final
from zlib import crc32

from msgspec.structs import replace

from gossamer.crawl_host.worker_kinds import WorkerKind
from gossamer.crawl_host.worker_supervisor import WorkerSupervisor
from gossamer.engine.cookie_jar import CookieJar
from gossamer.model.archive_record import ArchiveLocation
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.errors import BugError
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.messages.crawl_messages import NodeState
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetched, FetchKind
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.settings.crawl_settings import THRESHOLDS, CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.model.visit import FetchMode, Visit
from gossamer.urls.url_parsing import origin, parse_root

SILENCE_S: Final = 45.0
"""A worker with jobs sends a heartbeat every second, but not while C code that reads a page holds
the interpreter. Reading is limited to 20 s, but such code does not stop on the second."""

MAX_CERTIFICATES: Final = 20_000
"""Origins of one crawl whose certificates are kept."""

_LIVE: Final = (
    *("timeout_s", "rate", "external_rate", "max_per_host", "exclude"),
    *THRESHOLDS,
)
"""The settings that workers apply at once when they change. Rates and exclude patterns apply to
what rendered pages load."""
_log = getLogger(__name__)
_PACE: Final = ("rate", "external_rate", "max_per_host")


class WorkerPool:
    """The workers of a crawl. Each job goes to a worker of the kind that takes such jobs."""

    def __init__(self, kinds: Sequence[WorkerKind], *, silence_s: float = SILENCE_S) -> None:
        """A worker that has jobs may be silent for `silence_s`."""
        self._kinds = kinds
        self._silence_s = silence_s
        self._configure: ConfigureWorker | None = None
        self._cookies: CookieJar | None = None
        self.silent_after_ms: int | None = None
        """How long `drop` took, if nothing was requested since."""
        self._supervisors: list[WorkerSupervisor] = []
        self._supervisor_for: dict[FetchKind, WorkerSupervisor] = {}
        self._certificates = _FirstToEnd()
        self._crawl_workers = 1

    def start(
        self,
        group: asyncio.TaskGroup,
        settings: CrawlSettings,
        secrets: Secrets = NO_SECRETS,
        archive: ArchiveLocation | None = None,
    ) -> None:
        """Begin to start the workers; jobs wait for the first of their kind to come up.

        What they fetch is kept at `archive`, None for nowhere. `group` owns the tasks that
        start and replace them. BugError if several kinds take the same jobs.
        """
        taken = [job for kind in self._kinds for job in kind.takes(settings)]
        if len(taken) != len(set(taken)):
            raise BugError("several kinds of workers take the same jobs")
        self._configure = configure = ConfigureWorker(
            settings, secrets, archive=archive, clock_ahead_s=CLOCK.ahead_s
        )
        self._cookies = _jar_for(settings) if settings.keep_cookies else None
        wanted = [kind for kind in self._kinds if kind.takes(settings)]
        size = sum(kind.workers(settings) for kind in wanted)
        for kind in self._kinds:
            kind.end_spares(size)
        for kind in wanted:
            supervisor = WorkerSupervisor(kind, group, configure, self._cookies, self._silence_s)
            supervisor.set_slots(self._crawl_workers)
            self._supervisors.append(supervisor)
            self._supervisor_for |= dict.fromkeys(kind.takes(settings), supervisor)

    @property
    def ahead(self) -> int:
        """How many more jobs than simultaneous requests may be given out now."""
        return sum(each.ahead for each in self._supervisors)

    def set_workers(self, workers: int) -> None:
        """Make at most this many requests at once, over all workers that prefetch jobs."""
        self._crawl_workers = workers
        for each in self._supervisors:
            each.set_slots(workers)

    def give_back(self, urls: Collection[str] | None = None) -> None:
        """Make jobs that have not begun raise NotBegunError: those for `urls`, or all."""
        for each in self._supervisors:
            each.give_back(urls)

    @property
    def failed_starts(self) -> int:
        """How many workers could not be started, or did not speak our protocol."""
        return sum(each.failed_starts for each in self._supervisors)

    @property
    def trouble(self) -> Translatable | None:
        """Why no job can be done now, if that passes by itself."""
        return self._first_of(lambda kind: kind.trouble())

    @property
    def starting(self) -> Translatable | None:
        """What the pool waits for, while no job can be done yet."""
        return self._first_of(lambda kind: kind.starting())

    def _first_of(self, ask: Callable[[WorkerKind], Translatable | None]) -> Translatable | None:
        if self._configure is None:
            return None
        settings = self._configure.settings
        found = (ask(kind) for kind in self._kinds if kind.takes(settings))
        return next(filter(None, found), None)

    @property
    def nodes(self) -> list[NodeState]:
        """What the nodes of the crawl's cluster do."""
        return [state for kind in self._kinds for state in kind.nodes()]

    @property
    def certificates(self) -> Sequence[ServerCertificate]:
        """The certificates of servers: of an origin with several, those that expire earlier."""
        return self._certificates.seen

    def change_settings(self, settings: CrawlSettings) -> None:
        """Apply these settings to the workers, as far as they may change during a crawl."""
        if self._configure is None:
            return
        before = self._configure.settings
        changed = replace(before, **{name: getattr(settings, name) for name in _LIVE})
        if changed == before:
            return
        self._configure = replace(self._configure, settings=changed)
        for each in self._supervisors:
            each.configure(self._configure)
        if any(getattr(before, name) != getattr(changed, name) for name in _PACE):
            self.give_back()  # prefetched jobs were taken at another pace

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,
        mode: FetchMode = FetchMode.USUAL,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,
    ) -> Visit:
        """Request `url` once. WorkerDiedError if its worker ended."""
        self.silent_after_ms = None
        fetched, sent = await self._supervisor_for[kind].run(url, kind, mode, conditions, path)
        if fetched.certificates:
            self._certificates.add(fetched.certificates)
        if self._cookies is None:
            return fetched.visit
        return _with_cookies(fetched, sent, self._cookies)

    async def fetch_text(
        self, url: str, conditions: Conditions = NO_CONDITIONS
    ) -> tuple[Visit, str]:
        """Request `url` once and return its body as text."""
        kind, mode = FetchKind.TEXT, FetchMode.USUAL
        fetched, sent = await self._supervisor_for[kind].run(url, kind, mode, conditions)
        if fetched.certificates:
            self._certificates.add(fetched.certificates)
        if self._cookies is None:
            return fetched.visit, fetched.text
        return _with_cookies(fetched, sent, self._cookies), fetched.text

    async def drop(self) -> None:
        """Return when no connection is open; a worker that does not reply is killed."""
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        await asyncio.gather(*(each.drop() for each in self._supervisors))
        took_ms = self.silent_after_ms = round(1_000 * (loop.time() - began_s))
        _log.info("no worker has a connection open any more", extra={"took_ms": took_ms})

    async def close(self) -> None:
        """End all workers, including unused ones that were started in advance."""
        for kind in self._kinds:
            kind.end_spares(0)
        await asyncio.gather(*(each.close() for each in self._supervisors))


def _jar_for(settings: CrawlSettings) -> CookieJar:
    return CookieJar(sites=[origin(parse_root(root)) for root in settings.roots])


class _FirstToEnd:
    """The certificates of servers in order of arrival, of each origin those that expire earlier.

    A name may stand for many machines, one of which was forgotten at a renewal.
    """

    def __init__(self) -> None:
        self.seen: list[ServerCertificate] = []
        self._ends: dict[str, float] = {}

    def add(self, certificates: Iterable[ServerCertificate]) -> None:
        for each in certificates:
            known = each.origin in self._ends
            if known and each.not_after >= self._ends[each.origin]:
                continue
            if known or len(self._ends) < MAX_CERTIFICATES:
                self._ends[each.origin] = each.not_after
                self.seen.append(each)


def _with_cookies(fetched: Fetched, sent: str, jar: CookieJar) -> Visit:
    """Keep the cookies of a response; returns the visit, with what they mean for a redirect."""
    visit = fetched.visit
    if not (sent or fetched.cookies):
        return visit
    jar.store(fetched.cookies)
    if visit.location is None:
        return visit
    ahead = jar.header(visit.location)
    signs = {"cookies_told": _hash_of(sent), "cookies_ahead": _hash_of(ahead)}
    traded: Visit = replace(visit, **signs)
    return traded


def _hash_of(cookies: str) -> int:
    """A number for the cookies of a request, 0 for none: they themselves go no further."""
    return crc32(cookies.encode()) if cookies else 0
