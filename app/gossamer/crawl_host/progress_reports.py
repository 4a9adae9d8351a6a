"""Reports the progress of a crawl from its host to the shell."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import structs

from gossamer.crawl_host.bulk_action_queue import BulkActionQueue
from gossamer.crawl_host.node_watch import NodePool
from gossamer.engine.crawl import Crawl
from gossamer.engine.pause_reasons import PauseReason, Pauses
from gossamer.ipc.channel import Channel
from gossamer.model.crawl_progress import at_standstill
from gossamer.model.crawl_state import LIVE, PAUSES, CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.translatable import Translatable

REPORT_EVERY_S: Final = 0.1
FIRST_REPORTS_S: Final = (0.02,) * 25
"""The first waits between reports: somebody waits for the first rows."""


class ProgressReports:
    """Reports the progress of a crawl, including one that a disk outage interrupts."""

    def __init__(
        self,
        channel: Channel[Any],
        pauses: Pauses,
        actions: BulkActionQueue,
        nodes: NodePool,
        archive_trouble: Callable[[], Translatable | None] = lambda: None,
    ) -> None:
        """Report to the shell behind `channel`: pauses, pending actions and nodes included.

        `archive_trouble` says what is missing from the archive.
        """
        self._archive_trouble = archive_trouble
        self._nodes = nodes
        self._channel = channel
        self._pauses = pauses
        self._actions = actions
        self._crawl: Crawl | None = None
        self._broken_off: Progress | None = None
        self._last: Progress | None = None

    def follow(self, crawl: Crawl) -> None:
        """Report this run from now on."""
        self._crawl, self._broken_off = crawl, None

    def send(self, *, final: bool = False) -> None:
        """Report to the shell; a shell that reads slowly misses all but the final report."""
        if self._crawl is not None and (final or not self._channel.congested):
            progress = self._broken_off or self._crawl.progress()
            if PauseReason.DISK_STALLED in self._pauses:
                progress = _while_stalled(progress)
            nodes = self._nodes.nodes if progress.state in LIVE else []  # they go with the crawl
            is_silent = progress.state in {CrawlState.PAUSED, CrawlState.CANCELLED}
            self._last = structs.replace(
                progress,
                actions_done=self._actions.done,
                archive_trouble=self._archive_trouble(),
                nodes=nodes,
                starting=self._nodes.starting if self._is_waiting(progress) else None,
                silent_after_ms=self._nodes.silent_after_ms if is_silent else None,
            )
            self._channel.send(self._last)

    @staticmethod
    def _is_waiting(progress: Progress) -> bool:
        """Whether nothing has come yet, and somebody waits for it."""
        return progress.state is CrawlState.RUNNING and not progress.fetched

    def send_changes(self, crawl: Crawl) -> None:
        """Report a crawl that runs; one that is paused only if something has changed."""
        if crawl.state is not CrawlState.PAUSED or self._has_changed(crawl):
            self.send()

    def _has_changed(self, crawl: Crawl) -> bool:
        last = self._last
        return last is None or (
            last.revision,
            last.state,
            last.notice,
            last.waits,
            last.actions_done,
            last.nodes,
            last.silent_after_ms,
        ) != (
            crawl.revision,
            crawl.state,
            self._pauses.sentence,
            self._pauses.end_by_themselves,
            self._actions.done,
            self._nodes.nodes,
            self._nodes.silent_after_ms,
        )

    def break_off(self, state: CrawlState = CrawlState.PAUSED) -> None:
        """From now on, report the crawl as interrupted by its disk, in `state`."""
        if self._crawl is not None:
            self._broken_off = at_standstill(
                self._broken_off or self._crawl.progress(),
                state,
                notice=self._pauses.sentence,
                waits=self._pauses.end_by_themselves,
            )


def _while_stalled(progress: Progress) -> Progress:
    """With a stalled disk, nothing is written: the crawl is paused once nothing is in flight."""
    if progress.state not in PAUSES:
        return progress
    state = CrawlState.PAUSING if progress.active else CrawlState.PAUSED
    return structs.replace(progress, state=state)
