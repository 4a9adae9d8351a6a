"""Reads received bodies: pages for their facts and links, others as the caller wants."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from gossamer.fetch.body_readers import ExtractPage
from gossamer.fetch.fetch_failures import FetchFailure
from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.parser_thread import SerialThread
from gossamer.fetch.response_body import BodyTruncation
from gossamer.fetch.response_head import BodyHandling, reading_of
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailCode, unforeseen
from gossamer.model.visit import Extract
from gossamer.urls.url_parsing import without_userinfo

PARSE_S = 20.0
LARGE_BYTES = 512 * 1024
"""Bodies from this size on are read in a thread. Smaller ones take some ten milliseconds at most,
and a thread would cost more than it is worth."""
MEDIUM_BYTES = 64 * 1024
"""Of bodies from this size on, one is read in each turn of the loop. Many at once would keep the
loop from its connections for as long as all of them take."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


class BodyExtractor:
    """Reads bodies, large ones in a thread, each as long as it may take."""

    def __init__(self, extract: ExtractPage, cap_bytes: int, parse_s: float) -> None:
        """`extract` reads up to `cap_bytes` of a page within `parse_s`."""
        self._extract = extract
        self._cap_bytes = cap_bytes
        self._parse_s = parse_s
        self._medium_bodies = asyncio.Lock()
        self._thread: SerialThread | None = None

    async def extracted(self, response: HttpResponse) -> Extract | None:
        """The extract of a page or error page; None for anything else, or if it cannot be read."""
        head = response.head
        is_error_page = response.reading is BodyHandling.ERROR_PAGE and response.failure is None
        if head is None or not (response.is_page or is_error_page):
            return None
        found = await self.read(
            response,
            lambda body: self._extract(body, response.url, head.charset, headers=head.headers),
        )
        if found is not None and found.cut and not is_error_page:
            response.limit(found.cut, found.limits)
        return found

    async def extracted_instead(self, response: HttpResponse) -> Extract | None:
        """The extract of a page where something else was expected; None for a file."""
        if response.head is None or reading_of(response.head) is not BodyHandling.PAGE:
            return None
        response.failure, response.reading = None, BodyHandling.PAGE
        if len(response.body.data) > self._cap_bytes:
            response.body.data = response.body.data[: self._cap_bytes]
            response.body.end(DetailCode.CUT(size=self._cap_bytes), BodyTruncation.CAP)
        return await self.extracted(response)

    async def read(self, response: HttpResponse, read: Callable[[bytes], T]) -> T | None:
        """What `read` returns for the body; None, with a failure in the response, if it raises."""
        body = response.body.whole()
        try:
            if len(body) >= LARGE_BYTES:
                self._thread = self._thread or SerialThread(self._parse_s)
                return await self._thread.run(partial(read, body))
            if len(body) < MEDIUM_BYTES:
                return read(body)
            async with self._medium_bodies:
                await asyncio.sleep(0)
                return read(body)
        except Exception as problem:  # noqa: BLE001 - one bad page must not end the worker
            _log.exception("extraction failed", extra={"url": without_userinfo(response.url)[0]})
            response.failed(
                FetchFailure(Outcome.PAGE_NOT_PARSED, unforeseen(problem), response.is_lost)
            )
            return None
