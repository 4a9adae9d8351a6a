"""The response to one request: what has been received so far, and how it is read."""

import logging
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Self

from aiohttp import StreamReader
from aiohttp.http import RawResponseMessage
from msgspec import Struct, field
from msgspec.structs import replace

from gossamer.fetch.content_decoding import Decoder, decoder_for
from gossamer.fetch.fetch_failures import FetchFailure, failure_of
from gossamer.fetch.http_client import Exchange, RequestSender
from gossamer.fetch.http_request import HttpRequest
from gossamer.fetch.mime_sniffing import ENOUGH_BYTES, HTML, SNIFFED_BYTES, sniffed_type
from gossamer.fetch.response_body import BodyTruncation, ResponseBody, read_chunk
from gossamer.fetch.response_head import SMALL_BODY_BYTES, BodyHandling, ResponseHead, head_of
from gossamer.fetch.set_cookie_header import CookieHeaders, cookies_set
from gossamer.fetch.timeouts import Deadline, ServerTime
from gossamer.fetch.wire_exchange import ArchivePolicy, WireExchange
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail, joined
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.visit import FetchMode
from gossamer.urls.url_parsing import without_userinfo

DRAIN_S = 2.0
"""For a body that is read only to keep the connection."""

_log = logging.getLogger(__name__)

ReadAs = Callable[[ResponseHead], BodyHandling]
_UNREAD = (BodyHandling.NONE, BodyHandling.UNREAD_PAGE)
_STANDING = (
    *_UNREAD,
    BodyHandling.ERROR_PAGE,
    BodyHandling.ARCHIVED,
    BodyHandling.STYLE_SHEET,
)


class HttpResponse(Struct):
    """What has been received of a response. It remains readable when the fetch is aborted.

    In a `with` block it reserves memory for a large body, and releases it at the end. `failure` is
    why there is no usable response, or why it could not be read. `flaw` is what is wrong with the
    server's certificate, `malformed` how the response violates the standard, `limits` what cut its
    reading short, `notes` what else a user should know. `cookies` is None where cookies are not
    wanted.
    """

    url: str
    fetched_at: float = field(default_factory=CLOCK.now)
    head: ResponseHead | None = None
    raw_headers: Sequence[tuple[bytes, bytes]] = ()
    """As received, with cookies: only for the browser that renders the page."""
    reading: BodyHandling = BodyHandling.NONE
    body: ResponseBody = field(default_factory=ResponseBody)
    failure: FetchFailure | None = None
    flaw: Detail | None = None
    malformed: Collection[ResponseWarning] = ()
    limits: Collection[ResponseWarning] = ()
    notes: Collection[ResponseWarning] = ()
    cookies: CookieHeaders | None = None
    conditions: Conditions = NO_CONDITIONS
    """The conditions on which the server may respond that nothing is modified."""
    repeat_mode: FetchMode = FetchMode.USUAL
    """How to repeat the request, if it is to be repeated."""
    ttfb_ms: int = 0
    elapsed_ms: int = 0
    time: ServerTime = field(default_factory=ServerTime)
    wire: WireExchange | None = None
    """The exchange as it went over the wire, if there is an archive to keep it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    @property
    def cookie_header(self) -> str:
        """The cookies sent to the server; "" for none."""
        return "" if self.cookies is None else self.cookies.sent

    def has_status(self, status: int) -> bool:
        """Whether the response has this status."""
        return self.head is not None and self.head.status == status

    def header_values(self, name: bytes) -> list[str]:
        """The values of the headers of that name, which is in lower case, as received."""
        return [value.decode("latin-1") for each, value in self.raw_headers if each.lower() == name]

    def release(self) -> None:
        """Release the memory of a large body."""
        if self.body.reserved is not None:
            self.body.reserved.end()

    def finish(self) -> None:
        """Note the end: the last byte is there, or no more will be read."""
        has_response = self.head is not None and self.failure is None
        self.elapsed_ms = self.time.last_byte_ms if has_response else self.time.waiting_ms

    def reset(self) -> None:
        """Forget the response: the same request is repeated."""
        self.fetched_at = CLOCK.now()
        self.head = None
        self.reading = BodyHandling.NONE
        self.body = ResponseBody(
            memory=self.body.memory,
            reserved=self.body.reserved,
            wire=None if self.wire is None else [],
        )
        self.malformed = self.limits = self.notes = ()
        self.time.start_over()
        if self.wire is not None:
            self.wire = WireExchange()

    def failed(self, failure: FetchFailure) -> None:
        """Note what went wrong.

        A response whose status says everything remains valid: its body is only cut.
        """
        stands = self.reading in _STANDING and self.head is not None
        if stands and failure.outcome is not Outcome.UNEXPECTED_ERROR:
            self.body.end(failure.detail, self.body.cut_by or BodyTruncation.FAILURE)
        else:
            self.failure = failure

    def limit(self, cut: Detail, limits: Collection[ResponseWarning]) -> None:
        """Note that the body was not read to its end: `cut` says why."""
        self.body.cut = joined(self.body.cut, cut)
        self.limits = limits

    @property
    def is_page(self) -> bool:
        """Whether a page was received, complete or cut."""
        return self.failure is None and self.reading is BodyHandling.PAGE

    @property
    def is_whole(self) -> bool:
        """Whether a body was received that was to be read whatever it is."""
        return self.failure is None and self.reading is BodyHandling.WHOLE

    @property
    def is_lost(self) -> bool:
        """Whether the body broke off, and may be complete another time."""
        return self.body.cut_by is BodyTruncation.LOSS


class ResponseReader:
    """Reads the response to one request."""

    def __init__(
        self,
        response: HttpResponse,
        deadline: Deadline,
        read_as: ReadAs,
        cap_bytes: int,
        robot: str,
        archive: ArchivePolicy | None = None,
    ) -> None:
        """`read_as` decides by the head what to do with the body; `robot` is as for `head_of`.

        The `archive` may want bodies that are not read otherwise.
        """
        self.response = response
        self._deadline = deadline
        self._read_as = read_as
        self._cap_bytes = cap_bytes
        self._robot = robot
        self._archive = archive
        if archive is not None:
            response.wire, response.body.wire = WireExchange(), []

    async def read(self, client: RequestSender, request: HttpRequest, message: bytes) -> None:
        """Send `message`, the bytes of `request`, read the response, free the connection."""
        response = self.response
        exchange = await client.send(request, message, response.time)
        try:
            head = head_of(exchange.message, self._robot)
            response.head = head
            response.raw_headers = exchange.message.raw_headers
            response.flaw = exchange.endpoint.flaw
            self._collect_cookies(exchange.message)
            response.reading = self._handling(head, self._read_as(head))
            response.ttfb_ms = response.time.first_byte_ms
            await self._read_body(head, exchange.payload)
        finally:
            response.malformed = exchange.connection.malformed
            if response.wire is not None:
                response.wire = _wire_of(exchange, request, message)
            exchange.release()

    async def read_again(self, client: RequestSender, request: HttpRequest, message: bytes) -> None:
        """Forget the response, and read that to another request."""
        self.response.reset()
        self._deadline.begin_again()
        await self.read(client, request, message)

    def _collect_cookies(self, message: RawResponseMessage) -> None:
        cookies = self.response.cookies
        if cookies is not None and "Set-Cookie" in message.headers:
            cookies.received += cookies_set(self.response.url, message.raw_headers, CLOCK.now())

    async def _read_body(self, head: ResponseHead, payload: StreamReader) -> None:
        response = self.response
        if response.reading in _UNREAD:
            await self._drain(head, payload)
            return
        cap_bytes = (
            SMALL_BODY_BYTES if response.reading is BodyHandling.ERROR_PAGE else self._cap_bytes
        )
        if response.reading is BodyHandling.ARCHIVED:
            await self._read_for_archive(payload)
            return
        decoder = decoder_for(head.codings) if head.codings else None
        if response.reading is BodyHandling.SNIFFED and not await self._sniff(
            head, payload, decoder
        ):
            return
        pace = self._deadline.pace
        while await read_chunk(response.body, payload, decoder, cap_bytes, pace):
            pass

    def _handling(self, head: ResponseHead, handling: BodyHandling) -> BodyHandling:
        return handling if self._archive is None else self._archive.handling(head, handling)

    async def _sniff(
        self, head: ResponseHead, payload: StreamReader, decoder: Decoder | None
    ) -> bool:
        """Read the first bytes and detect their type; whether to read on."""
        body = self.response.body
        more = True
        while more and len(body.data) < ENOUGH_BYTES:
            more = await read_chunk(body, payload, decoder, self._cap_bytes, self._deadline.pace)
        content_type = sniffed_type(bytes(body.data[:SNIFFED_BYTES]), head.sniff)
        self.response.head = head = replace(head, content_type=content_type)
        if content_type == HTML:
            self.response.reading = BodyHandling.PAGE
            return more
        self.response.reading = reading = self._handling(head, BodyHandling.NONE)
        if reading is BodyHandling.ARCHIVED:
            if more:
                await self._read_for_archive(payload)
            return False
        if head.is_of_unknown_size:
            await self._count(payload)
            return False
        if head.length is None:
            if len(body.data) >= ENOUGH_BYTES:
                body.data = b""  # how much of it came with that depends on how fast it was
            return False
        return more and head.length <= SMALL_BODY_BYTES

    async def _drain(self, head: ResponseHead, payload: StreamReader) -> None:
        """Read a small unwanted body, so that its connection can be reused.

        A large one stays unread even if it has arrived, and one without a length does not count:
        what a crawl reports must not depend on how fast that was.
        """
        if head.is_of_unknown_size:
            await self._count(payload)
            return
        if head.length is None:
            while payload.is_eof() and not payload.at_eof() and self.response.wire is None:
                await payload.readany()
            return
        if head.length > SMALL_BODY_BYTES:
            return
        if not payload.is_eof():
            self._deadline.shorten(DRAIN_S)
        body = self.response.body
        while await read_chunk(body, payload, None, sys.maxsize, _at_any_pace):
            pass

    async def _read_for_archive(self, payload: StreamReader) -> None:
        """Read a body that only the archive wants; its cap is not reported."""
        body = self.response.body
        cap_bytes = 0 if self._archive is None else self._archive.max_bytes
        while await read_chunk(body, payload, None, cap_bytes, self._deadline.pace):
            if body.raw_bytes > SMALL_BODY_BYTES:
                body.data = b""
        if body.raw_bytes > SMALL_BODY_BYTES:
            body.data = b""
        if body.cut_by is BodyTruncation.CAP:
            body.cut = body.cut_by = None

    async def _count(self, payload: StreamReader) -> None:
        """Read a body for its size, and keep nothing of it."""
        body = self.response.body
        while await read_chunk(body, payload, None, self._cap_bytes, self._deadline.pace):
            body.data = b""
        body.data = b""


def note_problem(response: HttpResponse, problem: Exception) -> None:
    """Record in the response what went wrong; unforeseen errors are logged, too."""
    failure = failure_of(problem)
    response.failed(failure)
    if failure.outcome is Outcome.UNEXPECTED_ERROR:
        asked = without_userinfo(response.url)[0]
        _log.error("fetch failed unexpectedly", exc_info=problem, extra={"url": asked})


def _wire_of(exchange: Exchange, request: HttpRequest, message: bytes) -> WireExchange:
    """The exchange as it went over the wire; the body may be incomplete."""
    payload = exchange.payload
    return WireExchange(
        request=message,
        secret_headers=request.secret_headers,
        is_body_secret=request.is_body_secret,
        message=exchange.message,
        address=exchange.address,
        is_whole=payload.exception() is None and payload.at_eof(),
    )


def _at_any_pace(_received_bytes: int) -> None:
    """For a body whose deadline is set otherwise."""
