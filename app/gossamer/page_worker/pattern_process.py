"""Applies custom searches and extractions in a separate process, and kills it when one hangs.

Pages are processed one after the other, with all definitions in one request. If no result comes for
too long, the process is killed, and a new one gets the missing definitions one by one, which shows
which of them hangs. That one has timed out; from then on it comes last, and after MAX_TIMEOUTS
pages it is switched off.
"""

import asyncio
import logging
from collections import Counter
from typing import Final

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.custom_definitions import CustomFailure, CustomResult
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.pattern_messages import (
    ApplyPatterns,
    ConfigurePatterns,
    PatternResults,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.request_settings import Parser

PATTERN_S: Final = 1.0
"""How long one definition may take on one page, besides the time for parsing it."""
PAGE_S: Final = 10.0
"""How long all of them may take together. Those without a result by then have timed out, too."""
MAX_TIMEOUTS: Final = 3
"""On how many pages of a page worker a definition may time out before it is switched off."""
_PARSE_S_PER_MB: Final = {Parser.SELECTOLAX: 0.3, Parser.BEAUTIFULSOUP: 3.0}
_MAX_RESULTS: Final = 1_000
_START_S: Final = 60.0
_END_S: Final = 2.0
_MEGABYTE: Final = 1024 * 1024
_log = logging.getLogger(__name__)


class _GoneError(Exception):
    """The process ended by itself: a pattern made it crash, or somebody killed it."""


class PatternProcess:
    """The definitions of a crawl, applied elsewhere. One page at a time; `close` it at the end."""

    def __init__(self, settings: CrawlSettings, pattern_s: float = PATTERN_S) -> None:
        """The process starts with the first page."""
        self._configure = ConfigurePatterns(
            settings.custom_searches, settings.custom_extractions, settings.parser
        )
        self._names = {each.number: each.name for each in settings.definitions}
        self._pattern_s = pattern_s
        self._timeouts: Counter[int] = Counter()
        self._lock = asyncio.Lock()
        self._child: ChildProcess[PatternResults] | None = None
        self._results: asyncio.Queue[PatternResults | None] = asyncio.Queue()
        self._page = 0
        self.elapsed_ms: dict[int, float] = {}
        """How long each definition took on the last page that it finished on."""

    async def results(self, body: bytes, charset: str | None) -> list[CustomResult]:
        """The results of the definitions for a page, unordered. Takes little over PAGE_S."""
        async with self._lock:
            parse_s = len(body) / _MEGABYTE * _PARSE_S_PER_MB[self._configure.parser]
            try:
                return await self._apply(body, charset, self._pattern_s + parse_s)
            except asyncio.CancelledError:
                self._kill()  # it would continue with this page while the next is requested
                raise

    async def _apply(
        self, body: bytes, charset: str | None, allowed_s: float
    ) -> list[CustomResult]:
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + PAGE_S + allowed_s
        found = {
            each: _failed(each, CustomFailure.SWITCHED_OFF)
            for each in self._names
            if self._timeouts[each] >= MAX_TIMEOUTS
        }
        one_by_one = False
        while missing := [each for each in self._names if each not in found]:
            if loop.time() > ends_at:
                found |= {each: _failed(each, CustomFailure.TIMED_OUT) for each in missing}
                break
            wanted = [each for each in missing if not self._timeouts[each]]
            one_by_one = one_by_one or not wanted
            wanted = wanted or missing
            try:
                job = ApplyPatterns(self._page + 1, body, charset, wanted, one_by_one)
                await self._ask(job, found, allowed_s)
            except CrawlHostError:
                _log.exception("no pattern process")
                found |= {each: _failed(each, CustomFailure.FAILED) for each in missing}
            except (TimeoutError, _GoneError) as e:
                self._kill()
                if one_by_one:
                    first = next(each for each in wanted if each not in found)
                    found[first] = self._blamed(first, e)
                one_by_one = not one_by_one
        return list(found.values())

    def _blamed(self, number: int, reason: Exception) -> CustomResult:
        if not isinstance(reason, TimeoutError):
            return _failed(number, CustomFailure.FAILED)
        self._timeouts[number] += 1
        if self._timeouts[number] == MAX_TIMEOUTS:
            _log.warning("pattern switched off", extra={"definition": self._names[number]})
        return _failed(number, CustomFailure.TIMED_OUT)

    async def _ask(
        self, job: ApplyPatterns, found: dict[int, CustomResult], allowed_s: float
    ) -> None:
        """Put the results into `found`. TimeoutError or _GoneError where none comes for long."""
        child = await self._running_child()
        self._page = job.page
        child.send(job)
        left = len(job.definitions)
        while left > 0:
            async with asyncio.timeout(allowed_s):
                result = await self._results.get()
            if result is None:
                raise _GoneError
            left -= len(result.results)
            found |= {each.number: each for each in result.results}
            numbers = [each.number for each in result.results]
            self.elapsed_ms |= zip(numbers, result.elapsed_ms, strict=True)

    async def _running_child(self) -> ChildProcess[PatternResults]:
        if self._child is None or self._child.closed:
            results: asyncio.Queue[PatternResults | None] = asyncio.Queue(_MAX_RESULTS)

            def receive(messages: list[PatternResults]) -> None:
                for each in messages:
                    results.put_nowait(each)

            self._child = await adopt(
                launch(ChildRole.PATTERNS),
                message_type=PatternResults,
                on_messages=receive,
                on_closed=lambda: results.put_nowait(None),
            )
            self._results = results
            self._child.send(self._configure)
            # What it imports and compiles counts against no definition.
            async with asyncio.timeout(_START_S):
                if await results.get() is None:
                    raise _GoneError
        return self._child

    def _kill(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.reap()

    async def close(self) -> None:
        """End the process."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            await child.end(_END_S)


def _failed(number: int, failure: CustomFailure) -> CustomResult:
    return CustomResult(number, failure=failure)
