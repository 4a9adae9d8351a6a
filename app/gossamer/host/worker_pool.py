"""The engine's Fetcher, spread over workers of one or more kinds."""

import asyncio
from collections.abc import Sequence
from typing import Final
from zlib import crc32

from msgspec.structs import replace

from gossamer.host.cookie_jar import CookieJar
from gossamer.host.worker_supervisor import WorkerKind, WorkerSupervisor
from gossamer.model.errors import BugError
from gossamer.model.messages.worker_messages import Configure, Fetched, FetchKind
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, Visit

SILENCE_S: Final = 45.0
"""A worker with jobs says every second that it lives, but not while C code that reads a page does
not let go of the interpreter. Reading has 20 s, which such code does not keep to the second."""


class WorkerPool:
    """The workers of a crawl. Each job goes to a worker of the kind that takes such jobs."""

    def __init__(self, kinds: Sequence[WorkerKind], *, silence_s: float = SILENCE_S) -> None:
        """Take the kinds of workers, and how long a worker that has jobs may be silent.

        BugError if several kinds take the same jobs.
        """
        self._kinds = kinds
        self._silence_s = silence_s
        self._configure: Configure | None = None
        self._cookies: CookieJar | None = None
        self._teams: list[WorkerSupervisor] = []
        self._team_for: dict[FetchKind, WorkerSupervisor] = {}
        taken = [job for kind in kinds for job in kind.takes]
        if len(taken) != len(set(taken)):
            raise BugError("several kinds of workers take the same jobs")

    def start(
        self, group: asyncio.TaskGroup, settings: CrawlSettings, secrets: Secrets = NO_SECRETS
    ) -> None:
        """Begin to start the workers; jobs wait for the first of their kind to come up.

        `group` owns the tasks that start and replace them.
        """
        self._configure = configure = Configure(settings, secrets)
        self._cookies = CookieJar() if settings.keep_cookies else None
        for kind in self._kinds:
            team = WorkerSupervisor(kind, group, configure, self._cookies_for, self._silence_s)
            self._teams.append(team)
            self._team_for |= dict.fromkeys(kind.takes, team)

    @property
    def failed_starts(self) -> int:
        """How many workers could not be started, or did not speak our protocol."""
        return sum(team.failed_starts for team in self._teams)

    def set_timeout(self, timeout_s: float) -> None:
        """Give a hop so much time from now on."""
        if self._configure is None or self._configure.settings.timeout_s == timeout_s:
            return
        settings = replace(self._configure.settings, timeout_s=timeout_s)
        self._configure = replace(self._configure, settings=settings)
        for team in self._teams:
            team.configure(self._configure)

    async def fetch(
        self, url: str, kind: FetchKind = FetchKind.PAGE, mode: FetchMode = FetchMode.USUAL
    ) -> Visit:
        """Ask `url` once. WorkerDiedError when its worker ended."""
        visit, _ = await self._run(url, kind, mode)
        return visit

    async def fetch_text(self, url: str) -> tuple[Visit, str]:
        """Ask `url` once and return its body as text."""
        return await self._run(url, FetchKind.TEXT)

    async def drop(self) -> None:
        """Return when no connection is open; a worker that does not answer is ended."""
        await asyncio.gather(*(team.drop() for team in self._teams))

    async def close(self) -> None:
        """End all workers, those too that were started ahead and not used."""
        for kind in self._kinds:
            kind.end_spares(0)
        await asyncio.gather(*(team.close() for team in self._teams))

    async def _run(
        self, url: str, kind: FetchKind, mode: FetchMode = FetchMode.USUAL
    ) -> tuple[Visit, str]:
        fetched, sent = await self._team_for[kind].run(url, kind, mode)
        return self._with_cookies(fetched, sent), fetched.text

    def _cookies_for(self, url: str) -> str:
        return "" if self._cookies is None else self._cookies.header(url)

    def _with_cookies(self, fetched: Fetched, sent: str) -> Visit:
        """Keep the cookies of an answer; the visit, with what they mean for a redirect."""
        visit = fetched.visit
        if self._cookies is None or not (sent or fetched.cookies):
            return visit
        self._cookies.store(fetched.cookies)
        if visit.location is None:
            return visit
        ahead = self._cookies.header(visit.location)
        signs = {"cookies_told": _hash_of(sent), "cookies_ahead": _hash_of(ahead)}
        traded: Visit = replace(visit, **signs)
        return traded


def _hash_of(cookies: str) -> int:
    """A number for the cookies of a request, 0 for none: they themselves go no further."""
    return crc32(cookies.encode()) if cookies else 0
