"""The fetcher: one hop at a time for each task that asks, any number of tasks at once."""

import re
import ssl
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Self

import structlog
from aiohttp import StreamReader

from app.fetch.body import read_body, read_chunk
from app.fetch.connections import Connections
from app.fetch.deadline import GRACE_S, Deadline
from app.fetch.decoding import DamagedError, decoder_for
from app.fetch.failures import Failure, failure_of
from app.fetch.head import (
    SMALL_BODY_BYTES,
    Head,
    Reading,
    head_of,
    looks_like_html,
    reading_of,
)
from app.fetch.hop import Hop, visit_of
from app.fetch.requests import Request, Requests
from app.model.outcome import Outcome
from app.model.page import Extract, Visit
from app.model.settings import CrawlSettings
from app.model.text import clean_text, one_line

CONNECT_S = 10.0
"""For look-up, connecting and TLS, within the time for the hop."""
DRAIN_S = 2.0
"""For a body that is read only to keep the connection."""
ROBOTS_BYTES = 500 * 1024
_SNIFFED_BYTES = 512
_USERINFO = re.compile("//[^/@]*@")
"""Not for the log."""

ExtractPage = Callable[[bytes, str, str | None], Extract]
"""A page's bytes, its URL, and the charset its Content-Type names, if any."""

_log = structlog.get_logger(__name__)


class Fetcher:
    """Fetches URLs over its own pool of kept connections. Use with `async with`, on one loop.

    The world's faults end in the visit's outcome, never in an exception. Cancelling a fetch
    closes its connection at once.
    """

    def __init__(
        self,
        settings: CrawlSettings,
        extract: ExtractPage,
        *,
        tls: ssl.SSLContext | None = None,
        grace_s: float = GRACE_S,
    ) -> None:
        """`tls` replaces the default trust; `grace_s` is how long a body may be too slow."""
        self._extract = extract
        self._requests = Requests(settings)
        self._timeout_s = settings.timeout_s
        self._cap_bytes = settings.max_body_bytes
        self._tls = tls
        self._grace_s = grace_s
        self._connections: Connections

    async def __aenter__(self) -> Self:
        connect_s = min(CONNECT_S, self._timeout_s)
        self._connections = Connections(connect_s=connect_s, tls=self._tls)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._connections.close()

    async def fetch(self, url: str) -> Visit:
        """Ask the serialised `url` once, follow nothing, extract what came if it is a page.

        "Once" is a hop: the request is repeated where a kept connection turns out to be closed,
        and, without compression, where a compressed page is damaged.
        """
        hop = await self._hop(url, reading_of, self._cap_bytes)
        return visit_of(hop, self._extracted(hop))

    async def fetch_text(self, url: str, limit_bytes: int = ROBOTS_BYTES) -> tuple[Visit, str]:
        """Ask `url` once; with a 2xx answer comes its body of any type, read as UTF-8.

        The text lacks the byte order mark, is clean (see `app.model.text`) and cut at
        `limit_bytes`. With any other answer it is "". A 2xx answer is a FILE.
        """
        hop = await self._hop(url, _text_reading, limit_bytes)
        if not hop.is_page:
            return visit_of(hop), ""
        hop.reading = Reading.NONE
        text = hop.body.data.decode("utf-8-sig", "replace")
        return visit_of(hop), clean_text(text, len(text))

    async def drop(self) -> None:
        """Close every connection, idle ones too; returns when all are closed.

        Cancel the fetches first: one that goes on may open another connection.
        """
        await self._connections.drop()

    async def _hop(self, url: str, read_as: Callable[[Head], Reading], cap_bytes: int) -> Hop:
        hop = Hop(url)
        try:
            request = self._requests.request(url)
            async with Deadline(self._timeout_s, self._grace_s) as deadline:
                answer = _Answer(hop, deadline, read_as, cap_bytes)
                await self._ask(answer, request)
        except Exception as problem:  # noqa: BLE001 - whatever it is, it becomes the outcome
            hop.failed(failure_of(problem))
            if hop.failure is not None and hop.failure.outcome is Outcome.UNEXPECTED_ERROR:
                _log.exception("fetch failed unexpectedly", url=_USERINFO.sub("//", url))
        hop.ended()
        return hop

    async def _ask(self, answer: "_Answer", request: Request) -> None:
        try:
            await answer.read(self._connections, request.origin, request.any_encoding)
        except DamagedError:
            if answer.hop.reading is Reading.ERROR_PAGE:
                raise
            answer.hop.again()
            await answer.read(self._connections, request.origin, request.no_encoding)

    def _extracted(self, hop: Hop) -> Extract | None:
        head = hop.head
        is_error_page = hop.reading is Reading.ERROR_PAGE and hop.failure is None
        if head is None or not (hop.is_page or is_error_page):
            return None
        try:
            return self._extract(bytes(hop.body.data), hop.url, head.charset)
        except Exception as problem:  # noqa: BLE001 - one bad page must not end the worker
            _log.exception("extraction failed", url=_USERINFO.sub("//", hop.url))
            detail = one_line(f"{type(problem).__name__}: {problem}", 500)
            hop.failed(Failure(Outcome.PAGE_NOT_PARSED, detail))
            return None


class _Answer:
    """The answer to one request being read into its hop."""

    def __init__(
        self, hop: Hop, deadline: Deadline, read_as: Callable[[Head], Reading], cap_bytes: int
    ) -> None:
        self.hop = hop
        self._deadline = deadline
        self._read_as = read_as
        self._cap_bytes = cap_bytes

    async def read(self, connections: Connections, origin: str, request: bytes) -> None:
        """Send `request`, read the answer as far as it is of use, free the connection."""
        exchange = await connections.ask(origin, request)
        try:
            head = head_of(exchange.message)
            self.hop.answered(head, self._read_as(head))
            await self._read_body(head, exchange.payload)
        finally:
            exchange.end()

    async def _read_body(self, head: Head, payload: StreamReader) -> None:
        hop = self.hop
        if hop.reading is Reading.NONE:
            await self._drain(head, payload)
            return
        cap_bytes = SMALL_BODY_BYTES if hop.reading is Reading.ERROR_PAGE else self._cap_bytes
        decoder = decoder_for(head.content_encoding) if head.content_encoding else None
        pace = self._deadline.pace
        while hop.reading is Reading.SNIFFED:
            more = await read_chunk(hop.body, payload, decoder, cap_bytes, pace)
            if not more or len(hop.body.data) >= _SNIFFED_BYTES:
                is_html = looks_like_html(hop.body.data)
                hop.reading = Reading.PAGE if is_html else Reading.NONE
                if not more or not is_html:
                    return
        await read_body(hop.body, payload, decoder, cap_bytes, pace)

    async def _drain(self, head: Head, payload: StreamReader) -> None:
        if not payload.is_eof():
            if head.length is None or head.length > SMALL_BODY_BYTES:
                return
            self._deadline.hurry(DRAIN_S)
        await read_body(self.hop.body, payload, None, sys.maxsize, _at_any_pace)


def _text_reading(head: Head) -> Reading:
    return Reading.PAGE if head.status // 100 == 2 else Reading.NONE  # noqa: PLR2004 - 2xx


def _at_any_pace(_received_bytes: int) -> None:
    """For a body whose deadline is set otherwise."""
