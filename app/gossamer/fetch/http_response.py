"""The answer to one request, read as far as it is of use."""

import sys
import time
from collections.abc import Callable

from aiohttp import StreamReader
from aiohttp.http import RawResponseMessage
from msgspec.structs import replace

from gossamer.fetch.content_decoding import Decoder, decoder_for
from gossamer.fetch.deadline import Deadline
from gossamer.fetch.hop import Hop
from gossamer.fetch.http_client import HttpClient
from gossamer.fetch.http_request import Request
from gossamer.fetch.mime_sniffing import ENOUGH_BYTES, HTML, SNIFFED_BYTES, sniffed_type
from gossamer.fetch.response_body import read_body, read_chunk
from gossamer.fetch.response_head import SMALL_BODY_BYTES, BodyHandling, ResponseHead, head_of
from gossamer.fetch.set_cookie_header import cookies_set

DRAIN_S = 2.0
"""For a body that is read only to keep the connection."""

ReadAs = Callable[[ResponseHead], BodyHandling]
_UNREAD = (BodyHandling.NONE, BodyHandling.UNREAD_PAGE)


class ResponseReader:
    """The answer to one request being read into its hop."""

    def __init__(
        self, hop: Hop, deadline: Deadline, read_as: ReadAs, cap_bytes: int, robot: str
    ) -> None:
        """`read_as` says by the head what to do with the body; `robot` is as for `head_of`."""
        self.hop = hop
        self._deadline = deadline
        self._read_as = read_as
        self._cap_bytes = cap_bytes
        self._robot = robot

    async def read(self, client: HttpClient, request: Request, message: bytes) -> None:
        """Send `message`, the bytes of `request`, read the answer, free the connection."""
        exchange = await client.ask(request, message, self.hop.time)
        try:
            head = head_of(exchange.message, self._robot)
            self.hop.flaw = exchange.flaw
            self._collect_cookies(exchange.message)
            self.hop.answered(head, self._read_as(head))
            await self._read_body(head, exchange.payload)
        finally:
            self.hop.malformed = exchange.malformed
            exchange.end()

    def _collect_cookies(self, message: RawResponseMessage) -> None:
        cookies = self.hop.cookies
        if cookies is not None and "Set-Cookie" in message.headers:
            cookies.received += cookies_set(self.hop.url, message.raw_headers, time.time())

    async def _read_body(self, head: ResponseHead, payload: StreamReader) -> None:
        hop = self.hop
        if hop.reading in _UNREAD:
            await self._drain(head, payload)
            return
        cap_bytes = SMALL_BODY_BYTES if hop.reading is BodyHandling.ERROR_PAGE else self._cap_bytes
        decoder = decoder_for(head.codings) if head.codings else None
        if hop.reading is BodyHandling.SNIFFED and not await self._sniff(head, payload, decoder):
            return
        await read_body(hop.body, payload, decoder, cap_bytes, self._deadline.pace)

    async def _sniff(
        self, head: ResponseHead, payload: StreamReader, decoder: Decoder | None
    ) -> bool:
        """Read the first bytes and find out what they are; whether to read on."""
        body = self.hop.body
        more = True
        while more and len(body.data) < ENOUGH_BYTES:
            more = await read_chunk(body, payload, decoder, self._cap_bytes, self._deadline.pace)
        content_type = sniffed_type(bytes(body.data[:SNIFFED_BYTES]), head.sniff)
        self.hop.head = replace(head, content_type=content_type)
        if content_type == HTML:
            self.hop.reading = BodyHandling.PAGE
            return more
        self.hop.reading = BodyHandling.NONE
        return more and head.length is not None and head.length <= SMALL_BODY_BYTES

    async def _drain(self, head: ResponseHead, payload: StreamReader) -> None:
        if not payload.is_eof():
            if head.length is None or head.length > SMALL_BODY_BYTES:
                return
            self._deadline.hurry(DRAIN_S)
        await read_body(self.hop.body, payload, None, sys.maxsize, _at_any_pace)


def _at_any_pace(_received_bytes: int) -> None:
    """For a body whose deadline is set otherwise."""
