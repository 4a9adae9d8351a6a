"""Makes one attempt at a URL: robots.txt first, then one hop; failures are returned as values."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from gossamer.engine.crawl_paths import CrawlPaths
from gossamer.engine.failures.network_outage import OutageWatch
from gossamer.engine.failures.url_retries import DEATHS_ALLOWED, NODE_LOSSES_ALLOWED
from gossamer.engine.follow_policy import Policy
from gossamer.engine.interfaces import Fetcher, NodeGivenUpError, NodeLostError, WorkerDiedError
from gossamer.engine.job_prefetch import NotBegunError
from gossamer.engine.revisits import Revisits
from gossamer.engine.robots_cache import RobotsCache, RobotsUnreachableError
from gossamer.engine.url_tracker import FrontierEntry, RobotsCheck
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.freshness import Freshness
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import unforeseen
from gossamer.model.site_checks import SiteCheck
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import without_fragment, without_userinfo

_WANTED = {
    Outcome.PENDING: FetchKind.PAGE,
    Outcome.PENDING_CHECK: FetchKind.CHECK,
    Outcome.PENDING_FORMER: FetchKind.CHECK,
    Outcome.PENDING_SITEMAP: FetchKind.SITEMAP,
}
UNREACHABLE_S = 5.0
_log = logging.getLogger(__name__)


class Attempt(Struct, frozen=True):
    """The result of one try at a URL.

    Without a visit the entry is to take its turn again, at the pace and in the mode that are known
    by now. `counts` is whether the attempt uses up one of the URL's tries. `text` is that of an
    llms.txt. `is_begun` is whether a worker did anything for it.
    """

    visit: Visit | None
    counts: bool = True
    text: str = ""
    is_begun: bool = True

    @property
    def is_asked(self) -> bool:
        """Whether a server got a request, rather than the previous crawl or an archive telling."""
        visit = self.visit
        if visit is None:
            return self.is_begun
        is_archived = visit.outcome is Outcome.NOT_IN_ARCHIVE
        return visit.freshness is not Freshness.NOT_DUE and not is_archived


REPEAT: Final = Attempt(None, counts=False)
"""Nothing was learnt about the URL: it is requested again, and has lost no try."""
_NOT_BEGUN: Final = Attempt(None, counts=False, is_begun=False)


class AttemptRunner:
    """Makes attempts. Raises nothing but cancellation."""

    def __init__(  # noqa: PLR0913, PLR0917 - the ports
        self,
        fetcher: Fetcher,
        robots: RobotsCache | None,
        policy: Policy,
        network: OutageWatch,
        back_off: Callable[[str, float], None],
        revisits: Revisits | None = None,
        paths: CrawlPaths | None = None,
    ) -> None:
        """Take the ports; without `robots`, robots.txt is not obeyed; a recrawl has `revisits`.

        With an archive, `paths` records how URLs were reached.

        `back_off` gets each host that does not respond at all, and until when to leave it alone.
        """
        self._fetcher = fetcher
        self._robots = robots
        self._policy = policy
        self._network = network
        self._back_off = back_off
        self._revisits = revisits
        self._paths = paths
        # Of the URLs that were in a worker when it died, one is to blame. Requested together again,
        # it would take the others with it for good. Those of a lost node are more, and a node is
        # seldom lost by a page: they are suspects only when it happens again.
        self._suspects = asyncio.Lock()

    def refusal(self, entry: FrontierEntry) -> Visit | None:
        """The visit of an entry that a known robots.txt forbids; None if none does."""
        if self._robots is None:
            return None
        rules = self._robots.rules(entry.url)
        if rules is not None and rules.allowed(without_fragment(entry.url)):
            entry.robots = RobotsCheck.ALLOWED
            return None
        if entry.robots is RobotsCheck.ALLOWED:
            entry.robots = RobotsCheck.UNKNOWN
        return None if rules is None else self._robots.refusal(entry.url)

    async def make(self, entry: FrontierEntry) -> Attempt:
        """Make one attempt. A worker lost over the entry is counted in its `deaths`."""
        try:
            if entry.deaths or entry.node_losses > 1:
                async with self._suspects:
                    attempt = await self._ask(entry)
            else:
                attempt = await self._ask(entry)
        except Exception as e:  # noqa: BLE001 - one URL's failure is never the crawl's
            attempt = self._failed(entry, e)
        visit = attempt.visit
        if visit is None or not self._policy.settings.guard or not attempt.is_asked:
            return attempt
        if visit.status is not None:
            self._network.note_response(entry.host, entry.url)
        elif await self._network.is_to_blame(visit):
            return REPEAT
        return attempt

    def _failed(self, entry: FrontierEntry, error: Exception) -> Attempt:
        if isinstance(error, NotBegunError):
            return _NOT_BEGUN
        if isinstance(error, NodeGivenUpError):
            return REPEAT
        if isinstance(error, RobotsUnreachableError):
            # Left alone for a while, or those who wait for it would hold every slot.
            self._back_off(entry.host, asyncio.get_running_loop().time() + UNREACHABLE_S)
            return Attempt(error.visit)
        url = without_userinfo(entry.url)[0]
        if isinstance(error, WorkerDiedError):
            # Whose fault it was is unknown: the others in that worker get their try back.
            if isinstance(error, NodeLostError):
                entry.node_losses += 1
            else:
                entry.deaths += 1
            counts = {"deaths": entry.deaths, "node_losses": entry.node_losses}
            _log.warning("page worker died", extra={"url": url, **counts})
            again = entry.deaths <= DEATHS_ALLOWED and entry.node_losses <= NODE_LOSSES_ALLOWED
            visit = Visit(Outcome.WORKER_DIED, detail=error.detail, transient=again)
            return Attempt(visit, counts=False)
        _log.error("unexpected error", extra={"url": url}, exc_info=error)
        return Attempt(Visit(Outcome.UNEXPECTED_ERROR, detail=unforeseen(error)))

    async def _ask(self, entry: FrontierEntry) -> Attempt:
        if self._robots is not None and entry.robots is not RobotsCheck.ALLOWED:
            had_to_wait = await self._robots.learn(entry.url)
            refusal = self._robots.refusal(entry.url)
            if refusal is not None:
                return Attempt(refusal, counts=False)
            if had_to_wait and entry.robots is RobotsCheck.UNKNOWN:
                entry.robots = RobotsCheck.WAITED
                return REPEAT
        if entry.site_check is SiteCheck.LLMS_TXT:
            return await self._ask_for_text(entry)
        kind = _WANTED[entry.outcome]
        path = await self._path_of(entry)
        if self._revisits is None or entry.site_check is not None:
            visit = await self._fetcher.fetch(entry.url, kind, entry.mode, path=path)
        elif (known := await self._revisits.fetch(entry, kind, path)) is not None:
            visit = known
        else:
            return REPEAT
        if visit.again and not entry.mode:
            entry.mode = visit.again
            return REPEAT
        return self._with_path_noted(entry, visit)

    async def _path_of(self, entry: FrontierEntry) -> CrawlPath | None:
        return None if self._paths is None else await self._paths.of(entry)

    def _with_path_noted(self, entry: FrontierEntry, visit: Visit) -> Attempt:
        if self._paths is not None:
            self._paths.visited(entry, visit)
        return Attempt(visit, counts=visit.freshness is not Freshness.NOT_DUE)

    async def _ask_for_text(self, entry: FrontierEntry) -> Attempt:
        if self._revisits is None or entry.asked_again:
            found = await self._fetcher.fetch_text(entry.url)
        elif (known := await self._revisits.text(entry.url)) is not None:
            found = known
        else:
            entry.asked_again = True
            return REPEAT
        return Attempt(found[0], text=found[1])


class FetchTasks:
    """Owns one task for each URL in flight."""

    def __init__(self, fetcher: Fetcher, attempts: AttemptRunner) -> None:
        """`fetcher`'s connections are closed when all tasks are cancelled."""
        self._fetcher = fetcher
        self.attempts = attempts
        self._tasks: dict[int, asyncio.Task[Attempt]] = {}
        self.stopping = 0
        """How many `stop` calls are running: meanwhile nothing starts, and no state is final."""

    def __len__(self) -> int:
        """How many URLs are in flight."""
        return len(self._tasks)

    def start(
        self,
        group: asyncio.TaskGroup,
        entry: FrontierEntry,
        ended: Callable[[FrontierEntry, Attempt | None], None],
    ) -> None:
        """Start a task for an entry. `ended` gets its attempt, or None if it was cancelled."""

        def done(task: asyncio.Task[Attempt]) -> None:
            del self._tasks[entry.id]
            ended(entry, None if task.cancelled() else task.result())

        task = group.create_task(self.attempts.make(entry), name=entry.url)
        self._tasks[entry.id] = task
        # A callback, because a task that is cancelled before its first step never runs.
        task.add_done_callback(done)

    def cancel(self, url_id: int) -> bool:
        """Cancel the task of this URL; False if it is not in flight."""
        task = self._tasks.get(url_id)
        if task is not None:
            task.cancel()
        return task is not None

    def cancel_all(self) -> list[asyncio.Task[Attempt]]:
        """Cancel every task, and return them."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        return tasks

    async def stop(self) -> None:
        """Cancel every task; on return no connection is open."""
        self.stopping += 1
        try:
            tasks = self.cancel_all()
            if tasks:
                await asyncio.wait(tasks)
            await self._fetcher.drop()
        finally:
            self.stopping -= 1
