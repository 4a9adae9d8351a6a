"""One project and its crawl, as a shell sees it."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from app.ipc.silence import SilenceAlarm
from app.model.errors import CrawlHostError, UsageError
from app.model.holder import Holder
from app.model.messages import (
    Act,
    Action,
    Alive,
    Cancel,
    CancelUrl,
    Close,
    Command,
    Pause,
    Progress,
    Report,
    Resume,
    Selection,
    SetWorkers,
    Start,
    Trouble,
)
from app.model.rows import Summary
from app.model.said import Said
from app.model.secrets import NO_SECRETS, NOTHING_SECRET, OriginSecrets, SecretNames, Secrets
from app.model.settings import CrawlSettings
from app.model.state import LIVE, CrawlState
from app.model.user_agents import user_agent_of
from app.session.changes import changed
from app.session.counting import failed, progress_of
from app.session.host_start import started_host
from app.session.hosts import Hosts
from app.session.inspection import Inspection
from app.session.keyring import forget, recalled, remember
from app.session.mailbox import News
from app.session.places import crawl_log, new_project_path
from app.session.sentences import DIED, error_of, hung, missing
from app.session.separation import for_project, separated, separated_anew
from app.store import project
from app.store.lock import holder_of, taken
from app.store.reader import Reader
from app.urls.parse import parse_root
from app.urls.patterns import folder_pattern
from app.urls.scope import Scope

if TYPE_CHECKING:
    from app.ipc.child import Child

SILENCE_S = 30.0
"""So long a crawl process may say nothing, not even that it is alive, before it is replaced."""
_COMMAND_TIMEOUT_S = 10.0
_END_TIMEOUT_S = 5.0


class CrawlSession:
    """A project file and, while it is crawled, the process that does it.

    Commands return when they have taken effect. A command that makes no sense in the present
    state does nothing. Use it on one loop; `updates` may be iterated by several.
    """

    def __init__(self, path: Path, summary: Summary, hosts: Hosts) -> None:
        """Take an existing project. Use `create` or `open`."""
        self.path = path
        self._hosts = hosts
        self.settings, self._secrets = separated(summary.settings)
        self.inspection = Inspection(self, lambda: self._secrets)
        self.progress = progress_of(summary)
        self._host: Child[Report] | None = None
        self._reaping: asyncio.Future[int] | None = None
        self._news = News()
        self._trouble: Trouble | None = None
        self._alarm = SilenceAlarm(self._hang)
        self._hung = False
        self._hung_at: int | None = None
        """How far the crawl had come when its process hung the last time."""
        self._heard = False
        """Whether the present process has told any progress: until then it opens the project."""
        self._starting = False
        self._closed = False

    @classmethod
    def create(
        cls,
        settings: CrawlSettings,
        path: Path | None = None,
        secrets: OriginSecrets = NOTHING_SECRET,
        hosts: Hosts | None = None,
        *,
        bound: Secrets = NO_SECRETS,
    ) -> Self:
        """Make a new project file, by default in the data folder.

        `secrets`, and what is secret in the settings, are for the one origin that the roots have,
        what is `bound` for the origins that it names. They are kept in memory (see
        `app.session.separation`); the file names them, no more. `hosts` may have a crawl host
        ready. Raises UsageError for settings that cannot be used, ProjectError where
        the file cannot be made or exists already.
        """
        typed = msgspec.structs.replace(
            settings.checked(), needs_secrets=(), user_agent=user_agent_of(settings.user_agent)
        )
        settings, kept = separated(typed, secrets.checked(), bound)
        Scope(settings)
        path = path or new_project_path(parse_root(settings.roots[0]))
        project.create(path, settings)
        session = cls.open(path, hosts)
        session.tell(kept)
        return session

    @classmethod
    def open(cls, path: Path, hosts: Hosts | None = None) -> Self:
        """Open an existing project; ProjectError with the reason if that cannot be."""
        project.check(path)
        with Reader(path) as reader:
            return cls(path, reader.summary(), hosts or Hosts())

    @property
    def state(self) -> CrawlState:
        """Where the crawl stands."""
        return self.progress.state

    @property
    def host_pid(self) -> int | None:
        """The process id of the crawl host while there is one."""
        return None if self._host is None else self._host.pid

    @property
    def held_by(self) -> Holder | None:
        """Who else has the project open to crawl it: then it can be read here, no more."""
        return None if self._host is not None else holder_of(self.path)

    def ensure_free(self) -> None:
        """Raise ProjectError, which says who has it, if the project can only be read here."""
        if (holder := self.held_by) is not None:
            raise taken(self.path, holder)

    @property
    def missing_secrets(self) -> tuple[SecretNames, ...]:
        """The secrets that the crawl was begun with and that nobody has given again."""
        return self._secrets.missing(self.settings.needs_secrets)

    def give(self, secrets: OriginSecrets) -> None:
        """Take secrets, for the next start: for the origin that needs some, else that of the roots.

        UsageError if they cannot be used, or if there are several such origins.
        """
        self.tell(for_project(self.settings, secrets.checked()))

    def tell(self, secrets: Secrets) -> None:
        """Take secrets that are bound to origins already."""
        self._secrets = secrets.over(self._secrets)

    @staticmethod
    async def forget_secrets(origins: Iterable[str]) -> tuple[str, ...]:
        """Take out of the system's keyring what it has for `origins`; those it had any for.

        UsageError if it cannot be opened.
        """
        return await asyncio.to_thread(forget, origins)

    async def recall_secrets(self) -> None:
        """Take from the system's keyring what is missing."""
        if origins := [names.origin for names in self.missing_secrets]:
            found = await asyncio.to_thread(recalled, origins)
            self._secrets = self._secrets.over(found)

    async def remember_secrets(self) -> None:
        """Keep the secrets in the system's keyring; UsageError if it does not take them."""
        await asyncio.to_thread(remember, self._secrets)

    async def updates(self) -> AsyncIterator[Progress | Trouble]:
        """The present progress, then each newer one and each trouble; ends with `close`.

        Who is slow misses intermediate progress, never trouble.
        """
        with self._news.subscribed(self.progress) as mailbox:
            while not self._closed:
                for report in await mailbox.take():
                    yield report

    # ---------------------------------------------------------------- commands

    async def start(self, workers: int | None = None, acts: tuple[Act, ...] = ()) -> None:
        """Crawl, or go on crawling, and do `acts` first. Returns when the crawl runs.

        Raises ProjectError or CrawlHostError with the reason if it cannot, UsageError where
        neither the person nor the keyring has given a secret that it needs.
        """
        if self.state is CrawlState.PAUSED and self._host is not None:
            await self.resume()
        if self._host is not None and self.state not in LIVE:
            await self._end_host(_END_TIMEOUT_S)  # that of a crawl that is over
        if self._host is not None or self._starting:
            return
        self._starting = True
        try:
            if self._reaping is not None:  # the process that was ended may still have the project
                await asyncio.shield(self._reaping)
            self.ensure_free()
            await self._start(workers, acts)
        finally:
            self._starting = False

    async def _start(self, workers: int | None, acts: tuple[Act, ...]) -> None:
        await self.recall_secrets()
        if self.missing_secrets:
            raise missing(self.missing_secrets)
        self._trouble, self._hung, self._heard = None, False, False
        log = crawl_log(self.path)
        number = self.settings.processes or os.cpu_count() or 1
        host = await started_host(self._hosts, number, log, self._receive, self._host_gone)
        if self._closed or host.closed:
            await host.end(_END_TIMEOUT_S)
            raise CrawlHostError(DIED)
        self._host = host
        self._alarm.expect(SILENCE_S)
        before = self.progress
        host.send(Start(str(self.path.absolute()), workers, self._secrets, str(log), acts))
        await self._news.until(lambda: self.progress is not before or self._host is None)
        if self._trouble is not None:
            raise error_of(self._trouble)
        if self.progress is before:
            raise CrawlHostError(DIED)

    async def pause(self, *, now: bool = False) -> None:
        """Start no new fetch; those in flight finish after the return.

        With `now`, they are put back, and on return no connection is open.
        """
        before = self.progress
        if now and self.state is CrawlState.PAUSED:
            await self._command(Pause(now), lambda: self.progress is not before)
        elif now:
            await self._command(Pause(now), lambda: self.state is CrawlState.PAUSED)
        elif self.state is CrawlState.RUNNING:
            await self._command(Pause(now), lambda: self.state is not CrawlState.RUNNING)

    async def resume(self) -> None:
        """Go on after a pause, or hear again what still keeps it from that."""
        before = self.progress

        def tried() -> bool:
            held = self.progress is not before and bool(self.progress.notice)
            return self.state is CrawlState.RUNNING or held

        await self._command(Resume(), tried)

    async def cancel(self) -> None:
        """End the crawl. When this returns, no byte leaves the machine any more.

        Where no process is at work on it, as after opening a paused project, only its state
        changes. Raises ProjectError if the file cannot be written.
        """
        if self._host is None and self.state is CrawlState.PAUSED:
            await asyncio.to_thread(project.give_up, self.path)
            self._publish(msgspec.structs.replace(self.progress, state=CrawlState.CANCELLED))
        elif self._host is not None:
            await self._command(Cancel(), lambda: self.state is CrawlState.CANCELLED)
            await self._end_host(_END_TIMEOUT_S)

    async def change(self, changes: Mapping[str, object]) -> None:
        """Go on with other settings, by name, from the next start on; a pause ends its process.

        UsageError with the reason if they cannot be used or cannot change any more, ProjectError
        if the file cannot be written.
        """
        settings, secrets = separated_anew(self.settings, changed(self.settings, changes))
        if self.state in LIVE and self.state is not CrawlState.PAUSED:
            raise UsageError("Pause the crawl before you change its settings.")
        if self._host is not None:
            self._send(Close())
            await self._end_host(_END_TIMEOUT_S)
        self.ensure_free()
        self.tell(secrets)
        if settings != self.settings:
            await asyncio.to_thread(project.store_settings, self.path, settings)
            self.settings = settings

    async def cancel_url(self, url_id: int) -> None:
        """Cancel one URL, in flight or queued. Returns at once; its row will say so."""
        self._send(CancelUrl(url_id))

    async def act(self, action: Action, selection: Selection) -> None:
        """Do something to some of the URLs; their rows will say so.

        Returns at once where a crawl is live. Otherwise what is to be crawled again starts it;
        UsageError for the rest.
        """
        act = Act(action, selection)
        if self._host is not None and self.state in LIVE:
            self._send(act)
            if action is Action.EXCLUDE:
                exclude = dict.fromkeys((*self.settings.exclude, folder_pattern(selection.folder)))
                self.settings = msgspec.structs.replace(self.settings, exclude=tuple(exclude))
        elif action is Action.RECRAWL:
            await self.start(acts=(act,))
        else:
            raise UsageError("Start or resume the crawl first: nothing is queued for it now.")

    async def set_workers(self, workers: int) -> None:
        """Change how many URLs are in flight at once. Returns at once."""
        self._send(SetWorkers(workers))

    async def close(self, timeout_s: float = _END_TIMEOUT_S) -> None:
        """Pause now, commit, end the process; killed after `timeout_s`. The project is kept."""
        self._send(Close())
        await self.inspection.close()
        await self._end_host(timeout_s)
        self._closed = True
        self._news.ring()

    def force(self) -> None:
        """End the process at once. What was committed is kept."""
        if self._host is not None:
            self._host.kill()

    # ---------------------------------------------------------------- the host

    def _send(self, command: Command) -> None:
        if self._host is not None:
            self._host.send(command)

    async def _command(self, command: Command, done: Callable[[], bool]) -> None:
        """Send, unless it is done already; wait until it is, or the crawl is over.

        A host that does not react is killed: the person's word counts. While it opens the
        project, which takes long if that is huge, it need not react.
        """
        if self._host is None or done():
            return
        self._host.send(command)
        await self._news.until(lambda: self._heard or self._host is None)
        try:
            async with asyncio.timeout(_COMMAND_TIMEOUT_S):
                await self._news.until(
                    lambda: done() or self._host is None or self.state not in LIVE
                )
        except TimeoutError:
            self.force()
            await self._news.until(lambda: self._host is None)

    async def _end_host(self, timeout_s: float) -> None:
        """Wait until the process has ended; kill it after `timeout_s`."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._news.until(lambda: self._host is None)
        except TimeoutError:
            self.force()
            await self._news.until(lambda: self._host is None)
        if self._reaping is not None:
            await asyncio.shield(self._reaping)

    def _receive(self, reports: list[Report]) -> None:
        self._alarm.heard()
        for report in reports:
            if not isinstance(report, Alive):
                self._publish(report)

    def _publish(self, report: Progress | Trouble) -> None:
        if isinstance(report, Progress):
            self.progress = report
            self._heard = True
        else:
            self._trouble = report
            self.progress = failed(self.progress)
        self._news.tell(report, self.progress)

    def _hang(self) -> None:
        self._hung = True
        self.force()  # `_host_gone` follows

    def _host_gone(self) -> None:
        host, self._host = self._host, None
        self._alarm.end()
        if host is not None:
            self._reaping = host.reap()
        at_work = self.state in LIVE and (
            self.state is not CrawlState.PAUSED or self.progress.waits
        )
        if at_work and self._trouble is None:
            self._publish(self._end_of_host())
        else:
            self._publish(self.progress)

    def _end_of_host(self) -> Trouble:
        """What is told of a process that has ended in the middle of its crawl."""
        if not self._hung:
            return Trouble(Said(DIED), CrawlHostError.exit_code)
        got_on = self._hung_at is None or self.progress.fetched > self._hung_at
        self._hung_at = self.progress.fetched
        return hung(again=got_on)
