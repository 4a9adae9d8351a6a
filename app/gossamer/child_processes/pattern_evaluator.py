"""The pattern process: applies custom searches and extractions to pages, for one page worker.

It is separate from the worker so that it can be killed: no regular expression, XPath or CSS
selector can be interrupted, and some take longer than a lifetime, or all memory.
"""

import asyncio
import sys
import time
from typing import Final

from gossamer.extract.custom_markup import PageMarkup
from gossamer.extract.custom_patterns import Apply, PageValues, compiled
from gossamer.ipc.channel import Channel
from gossamer.ipc.child_loop import ending_within
from gossamer.ipc.child_process_server import serve_parent
from gossamer.model.custom_definitions import CustomFailure, CustomResult, all_definitions
from gossamer.model.messages.pattern_messages import (
    READY,
    ApplyPatterns,
    ConfigurePatterns,
    PatternJob,
    PatternResults,
)
from gossamer.model.settings.request_settings import Parser

_MEMORY_BYTES: Final = 2 * 1024**3
"""Limit of address space: a pattern that needs more fails, rather than the machine."""
_ORPHAN_S: Final = 120.0
"""After this time on one page, its worker must be gone, and can no longer end this process."""
_SOON_S: Final = 0.1
"""Results are sent to the worker at least this often, so that it knows what has finished."""
_MAX_PAGES: Final = 100


class PatternEvaluator:
    """Applies definitions to pages, one page at a time."""

    def __init__(self) -> None:
        """Wait for `ConfigurePatterns`."""
        self._jobs: asyncio.Queue[PatternJob] = asyncio.Queue(_MAX_PAGES)
        self._patterns: dict[int, Apply] = {}
        self._parser = Parser.SELECTOLAX
        self.abandoned = asyncio.Event()
        """Set when the worker has gone."""

    def receive(self, jobs: list[PatternJob]) -> None:
        """Receive messages; a worker sends no page before the results of the last."""
        for job in jobs:
            self._jobs.put_nowait(job)

    async def serve(self, channel: Channel[PatternJob]) -> None:
        """Work until cancelled."""
        while True:
            job = await self._jobs.get()
            if isinstance(job, ConfigurePatterns):
                with ending_within(_ORPHAN_S):
                    self._configure(job)
                channel.send(PatternResults(READY, [], []))
            else:
                with ending_within(_ORPHAN_S):
                    await self._apply(job, channel)

    def _configure(self, job: ConfigurePatterns) -> None:
        """Compile the definitions, and apply them to nothing: no page is to pay for imports."""
        self._parser = job.parser
        nothing = PageMarkup(b"", None, job.parser)
        for each in all_definitions(job.searches, job.extractions):
            try:
                self._patterns[each.number] = compiled(each)
                PageValues().result(each.number, self._patterns[each.number], nothing)
            except Exception:  # noqa: BLE001, S112 - it was checked, and fails on each page
                continue

    async def _apply(self, job: ApplyPatterns, channel: Channel[PatternJob]) -> None:
        page = PageMarkup(job.body, job.charset, self._parser)
        kept = PageValues()
        results: list[CustomResult] = []
        elapsed: list[float] = []
        sent_at = began = time.perf_counter()
        for number in job.definitions:
            apply = self._patterns.get(number)
            results.append(
                CustomResult(number, failure=CustomFailure.FAILED)
                if apply is None
                else kept.result(number, apply, page)
            )
            now = time.perf_counter()
            elapsed.append(round((now - began) * 1000, 3))
            began = now
            if job.one_by_one or now - sent_at > _SOON_S or len(elapsed) == len(job.definitions):
                channel.send(PatternResults(job.page, results, elapsed))
                await asyncio.sleep(0)  # so that it leaves before the next one begins
                results, elapsed, sent_at = [], [], now


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - there is none on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))


async def main() -> int:
    """Serve the worker that started this process until it goes."""
    _limit_memory()
    return await serve_parent(PatternEvaluator(), PatternJob, "patterns")
