"""A session: one project and its crawl, as the window and the command line use them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gossamer.model.crawl_progress import at_standstill, progress_of
from gossamer.model.crawl_state import LIVE, PAUSES, CrawlState
from gossamer.model.errors import KnownError, ProjectError, UsageError
from gossamer.model.messages.crawl_messages import (
    STARTING_KINDS,
    BulkAction,
    BulkActionKind,
    Cancel,
    ChangeSettings,
    Close,
    Pause,
    Progress,
    Resume,
    SetWorkers,
    Start,
    Trouble,
    UrlSelection,
)
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.session.crawl_host_connection import END_TIMEOUT_S
from gossamer.session.crawl_host_pool import HostSource
from gossamer.session.crawl_secrets import SecretKeeper, split_off_new_secrets
from gossamer.session.default_paths import crawl_log
from gossamer.session.interruptions import IsWanted
from gossamer.session.live_settings import AT_ONCE, differing_settings, with_changes
from gossamer.session.observed_project import ObservedProject
from gossamer.session.risky_link_scan import examine_for_secrets, examine_for_settings
from gossamer.session.session_timings import USUAL_TIMINGS, SessionTimings
from gossamer.store import project
from gossamer.store.project import ensure_text
from gossamer.urls.url_filters import settings_after
from gossamer.urls.url_parsing import server_url

if TYPE_CHECKING:
    from gossamer.model.cluster_address import ClusterChoice
    from gossamer.model.ignored_issues import IgnoredIssue
    from gossamer.model.messages.process_messages import ProcessStep
    from gossamer.session.page_inspection import PageInspector

_NOT_SAVED: Final[Sentence] = (
    "The crawl was cancelled, but its process could not record that in the project and was "
    "killed; its earlier results are safe. Check the project's disk."
)
_NOT_CHECKED: Final[Sentence] = (
    "The crawl was cancelled while its known links were checked for the login, so its settings and "
    "login are as before; change them again."
)
_CANCELS = frozenset({CrawlState.CANCELLING, CrawlState.CANCELLED})


class CrawlSession(SecretKeeper, ObservedProject):
    """A project file and, while it is crawled, the host process that crawls it.

    Commands return when they have taken effect. A command that makes no sense in the current state
    does nothing. Use it on one loop; `updates` may be iterated by several.
    """

    def __init__(
        self,
        path: Path,
        summary: ProjectSummary,
        hosts: HostSource,
        timings: SessionTimings = USUAL_TIMINGS,
    ) -> None:
        """Open an existing project; made by `SessionFactory`."""
        SecretKeeper.__init__(self, summary.settings)
        ObservedProject.__init__(self, path, progress_of(summary), hosts, timings)
        self._inspection: PageInspector | None = None
        self._actions_sent = 0
        """How many actions were sent to the current host."""
        self._own_access = asyncio.Lock()
        """Held while this process itself reads or writes the project, which is not for long."""
        self._actions_for_start: tuple[BulkAction, ...] = ()
        """Actions requested while no crawl ran, to be done as soon as one does."""

    @property
    def inspection(self) -> "PageInspector":
        """Inspects pages as this session fetches them."""
        if self._inspection is None:
            from gossamer.session.page_inspection import PageInspector  # noqa: PLC0415 - few sessions inspect

            self._inspection = PageInspector(self, self._timings.rule_s)
        return self._inspection

    async def audit(self, on_step: Callable[["ProcessStep"], None]) -> None:
        """Bring the results of the site audit up to date; see `audit_project`."""
        from gossamer.session.audit_process import audit_project  # noqa: PLC0415 - a crawl does without

        await audit_project(self.path, on_step, self.settings)

    async def ignore(self, ignored: Sequence["IgnoredIssue"]) -> None:
        """Ignore these issues from now on, whoever crawls the project; see `ignore_issues`."""
        from gossamer.session.ignore_commands import ignore  # noqa: PLC0415 - a crawl does without

        await asyncio.to_thread(ignore, self.path, ignored)

    async def stop_ignoring(self, ignored: Sequence["IgnoredIssue"]) -> None:
        """Stop ignoring these issues."""
        from gossamer.session.ignore_commands import take_back  # noqa: PLC0415 - a crawl does without

        await asyncio.to_thread(take_back, self.path, ignored)

    def choose_cluster(self, choice: "ClusterChoice") -> None:
        """Crawl there from the next start on; no project stores this."""
        self.settings = self.settings.on_cluster(choice)

    async def updates(self) -> AsyncIterator[Progress | Trouble]:
        """The current progress, then each newer one and each trouble; ends with `close`.

        Slow readers miss intermediate progress, never trouble.
        """
        with self._updates.subscribed(self.progress) as queue:
            while not self._closed:
                for report in await queue.get():
                    yield report

    # ---------------------------------------------------------------- commands

    async def start(
        self, workers: int | None = None, actions: tuple[BulkAction | ChangeSettings, ...] = ()
    ) -> None:
        """Start or resume the crawl, and do `actions` first. Returns when the crawl runs.

        Raises ProjectError or CrawlHostError with the reason if it cannot, UsageError if neither
        the user nor the keyring has given a secret that it needs.
        """
        is_wanted = self._interruptions.until_next()
        if self.state in PAUSES and self._host is not None:
            await self.resume()
        if self._host is not None and self.state not in LIVE:
            await self._end_host(END_TIMEOUT_S)  # that of a crawl that is over
        async with self._starting:
            if self._host is not None:
                return
            await self._ensure_writable()
            if is_wanted() and await self._has_secrets() and await self._is_examined(is_wanted):
                await self._start_host_with((*actions, *self._actions_for_start), workers)
                if is_wanted():
                    self._actions_for_start = ()

    async def renew_login(self) -> bool:
        """Log in again with the form after the login expired, and resume; False if it cannot."""
        is_wanted = self._interruptions.until_next()
        if login := await self._interruptions.unless_next(self.renewed_login(self.progress.pages)):
            await self.change({}, login)
            if is_wanted():
                await self.start()
        return bool(login)

    async def _ensure_writable(self) -> None:
        await self._wait_for_release()
        await asyncio.to_thread(self.ensure_free)
        self._holder = None
        ensure_text(self.path)

    async def _has_secrets(self) -> bool:
        """Complete the secrets; False if the crawl is interrupted meanwhile, which ends a login."""
        return await self._interruptions.unless_next(self._completed_secrets()) is not None

    async def _completed_secrets(self) -> Secrets:
        await self.recall_secrets()
        is_sent = self.is_login_due and not self.missing_secrets
        with self._waiting(said("Logging in…") if is_sent else None):
            return await self.complete_secrets()

    async def _is_examined(self, is_wanted: IsWanted) -> bool:
        """Whether the project can be crawled with the secrets, and still is to be."""
        secrets = self._secrets.for_requests()
        async with self._own_access:
            is_examined = await examine_for_secrets(
                self.path, self.settings, secrets, self._show_starting, is_wanted
            )
        return is_examined and is_wanted()

    async def _start_host_with(
        self,
        actions: tuple[BulkAction | ChangeSettings, ...],
        workers: int | None = None,
        *,
        crawl: bool = True,
    ) -> None:
        self._actions_sent = len(actions)
        path, log = str(self.path.absolute()), crawl_log(self.path)
        secrets, cluster = self._secrets.for_requests(), self.settings.cluster_choice
        start = Start(path, workers, secrets, str(log), actions, cluster, crawl)
        await self._start_host(start, self.settings.local_page_workers, log)

    async def pause(self, *, now: bool = False) -> None:
        """Start no new fetch; those in flight finish after the return.

        With `now`, those in flight are requeued, and on return no connection is open.
        """
        before = self.progress
        if now and self.state is CrawlState.PAUSED:
            await self._command(Pause(now), lambda: self.progress is not before)
        elif now:
            await self._command(Pause(now), lambda: self.state is CrawlState.PAUSED)
        elif self.state is CrawlState.RUNNING:
            await self._command(Pause(now), lambda: self.state is not CrawlState.RUNNING)

    async def resume(self) -> None:
        """Resume after a pause, or report again what still prevents it."""
        before = self.progress

        def tried() -> bool:
            is_told = self.progress is not before and bool(self.progress.notice)
            return self.state is CrawlState.RUNNING or is_told

        await self._command(Resume(), tried)

    async def cancel(self) -> None:
        """End the crawl. When this returns, no byte leaves the machine any more.

        If no process is crawling, as after opening a paused project, only its state changes. Raises
        ProjectError if the file cannot be written.
        """
        self.interrupt()
        if self._host is not None:
            await self._command(Cancel(), lambda: self.state in _CANCELS)
            await self._end_host(END_TIMEOUT_S)
            if self.was_forced and self.state is CrawlState.CANCELLED:
                await self._note_cancelled()
        if self.state is CrawlState.PAUSED:
            async with self._own_access:
                await self._wait_for_release()
                await asyncio.to_thread(project.mark_cancelled, self.path)
            ended = at_standstill(self.progress, CrawlState.CANCELLED, starting=None, waits=False)
            self._publish(ended)

    async def _note_cancelled(self) -> None:
        """Record the cancellation in the file, in case its process did not; report a failure."""
        try:
            async with asyncio.timeout(END_TIMEOUT_S):
                await asyncio.to_thread(project.mark_cancelled, self.path)
        except (TimeoutError, ProjectError):
            self._publish(Trouble(Translatable(_NOT_SAVED), ProjectError.exit_code))

    async def change(self, changes: Mapping[str, object], secrets: Secrets = NO_SECRETS) -> None:
        """Do what `_change` does; the series takes over changed segments."""
        segments = self.settings.segments
        await self._change(changes, secrets)
        if self.settings.segments != segments:
            self._recorder.keep_segments(self.settings.segments)

    async def _change(self, changes: Mapping[str, object], secrets: Secrets) -> None:
        """Continue with changed settings, by name, and additional `secrets`.

        They hold on return: for secrets, and settings not in AT_ONCE, a process that crawls is
        ended and another one started. What failed at a server whose certificate is not checked any
        more is asked again, by the next start if nothing crawls now. UsageError with the reason if
        they cannot be used or changed any more, or if the crawl is cancelled before its known links
        are checked for a login, ProjectError if the file cannot be written: then it continues as it
        was, unless it is cancelled meanwhile.
        """
        is_wanted = self._interruptions.until_next()
        settings = with_changes(self.settings, changes)
        settings, found = split_off_new_secrets(self.settings, settings, secrets)
        names = differing_settings(self.settings, settings)
        added = set(settings.insecure_hosts).difference(self.settings.insecure_hosts)
        if self._host is not None and self.state in LIVE and names <= AT_ONCE and not secrets:
            if "workers" in names:
                self._send(SetWorkers(settings.workers))
            await self._perform(ChangeSettings(settings))
            return
        goes_on = self.state is CrawlState.RUNNING
        if self.state in LIVE and self.state is not CrawlState.PAUSED:
            await self.pause(now=True)
        await self.let_go()
        try:
            async with self._starting:
                if self._host is not None:  # somebody resumed it meanwhile
                    goes_on = True
                    await self.let_go()
                await self._save_settings(settings, names, found, is_wanted)
        except KnownError:
            if goes_on and is_wanted():
                await self.start()
            raise
        self._actions_for_start += tuple(
            BulkAction(BulkActionKind.RECRAWL, UrlSelection(folder=server_url(server), failed=True))
            for server in sorted(added)
        )
        if goes_on and is_wanted():
            await self.start()

    async def _save_settings(
        self, settings: CrawlSettings, names: Collection[str], secrets: Secrets, is_wanted: IsWanted
    ) -> None:
        """Store other settings, which differ in `names`, while nobody crawls; keep `secrets`.

        Nobody may start the crawl meanwhile.
        """
        await self._wait_for_release()
        await asyncio.to_thread(self.ensure_free)
        async with self._own_access:
            show = self._show_starting
            if not await examine_for_settings(self.path, self.settings, settings, show, is_wanted):
                raise UsageError(_NOT_CHECKED)
            if names and "exclude" not in names:
                await asyncio.to_thread(project.store_settings, self.path, settings)
        if "exclude" in names:
            await self._ensure_writable()
            await self._apply(ChangeSettings(settings))
        if names:
            self.settings = settings
        self.add_secrets(secrets)

    async def perform(self, kind: BulkActionKind, selection: UrlSelection) -> None:
        """Perform a bulk action on some URLs. Returns when it is done, and their rows say so.

        Recrawling, releasing or including again starts a finished crawl. Everything else is noted
        in the file of a project that nobody crawls. Raises as `start` does.
        """
        await self._perform(BulkAction(kind, selection))

    async def _perform(self, action: BulkAction | ChangeSettings) -> None:
        if self._host is None or self.state not in LIVE:
            is_done = await self._is_performed_at_rest(action)
        elif not (is_done := await self._performed_by_host(action)):
            if self.state is not CrawlState.FINISHED:
                return
            is_done = await self._is_performed_at_rest(action)  # it came to its end just before
        if is_done:
            was = self.settings
            self.settings = (
                action.settings
                if isinstance(action, ChangeSettings)
                else settings_after(was, action)
            )

    async def _performed_by_host(self, action: BulkAction | ChangeSettings) -> bool:
        """Whether that was done before the crawl ended."""
        host = self._host
        self._actions_sent += 1
        number = self._actions_sent
        self._send(action)
        await self._updates.until(
            lambda: self.progress.actions_done >= number or self._host is not host
        )
        return self.progress.actions_done >= number

    async def _is_performed_at_rest(self, action: BulkAction | ChangeSettings) -> bool:
        """Perform it on a project that nobody crawls; whether it was not cancelled before."""
        is_wanted = self._interruptions.until_next()
        kind = action.kind if isinstance(action, BulkAction) else None
        if kind in STARTING_KINDS and self.state is CrawlState.FINISHED:
            await self.start(actions=(action,))
            return is_wanted()
        if self._host is not None:
            await self._end_host(END_TIMEOUT_S)  # that of a crawl that is over
        async with self._starting:
            if self._host is not None:  # that of a crawl that was about to start
                return await self._performed_by_host(action)
            await self._ensure_writable()
            if not await self._is_examined(is_wanted):
                return False
            await self._apply(action)
        if isinstance(action, BulkAction) and kind is BulkActionKind.FIRST:
            self._actions_for_start = (*self._actions_for_start, action)
        return True

    async def _apply(self, action: BulkAction | ChangeSettings) -> None:
        """Have a process apply it to the project and end, while nobody else may start one."""
        try:
            await self._start_host_with((action,), crawl=False)
        finally:
            await self._end_host(END_TIMEOUT_S)

    async def set_workers(self, workers: int) -> None:
        """Change how many URLs are in flight at once. Returns at once."""
        self._send(SetWorkers(workers))

    async def close(self, timeout_s: float = END_TIMEOUT_S) -> None:
        """Pause now, commit, end the process; the project is kept.

        It takes as long as necessary: the process is killed after a silence of `timeout_s`.
        """
        self.interrupt()
        self._send(Close())
        if self._inspection is not None:
            await self._inspection.close()
        await self._end_host(timeout_s)
        async with self._own_access:
            await self._recorder.wait()
        self._closed = True
        self._updates.check()
        self._updates.wake_readers()
