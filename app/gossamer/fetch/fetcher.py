"""The fetcher: one hop at a time for each task that asks, any number of tasks at once."""

import asyncio
import logging
import ssl
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Protocol, Self, TypeVar

from aiohttp import InvalidURL
from aiohttp.abc import AbstractResolver
from msgspec import Struct
from msgspec.structs import replace

from gossamer.fetch.body_memory import BodyMemory
from gossamer.fetch.content_decoding import DecodingError
from gossamer.fetch.deadline import GRACE_S, Deadline
from gossamer.fetch.fetch_failures import Failure, failure_of
from gossamer.fetch.hop import Hop, visit_of
from gossamer.fetch.http_client import HttpClient
from gossamer.fetch.http_request import Request, Requests
from gossamer.fetch.http_response import ReadAs, ResponseReader
from gossamer.fetch.response_body import BodyEnd, ResponseBody
from gossamer.fetch.response_head import (
    BodyHandling,
    ResponseHead,
    checked_reading_of,
    reading_of,
    text_reading_of,
    whole_reading_of,
)
from gossamer.fetch.response_timing import ServerTime
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.fetch.thread_offload import SerialThread
from gossamer.model.outcome import FILES, Outcome
from gossamer.model.outcome_details import Detail, DetailCode, unforeseen
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.text_cleaning import clean_text
from gossamer.model.visit import Extract, FetchMode, PageLinks, Visit
from gossamer.urls.url_parsing import without_userinfo

CONNECT_S = 10.0
"""For look-up, connecting and TLS, within the time for the hop."""
ROBOTS_BYTES = 500 * 1024
PARSE_S = 20.0
LARGE_BYTES = 512 * 1024
"""Bodies from this size on are read aside. Below, reading takes some ten milliseconds at most,
and a thread would cost more than it is worth."""
MEDIUM_BYTES = 64 * 1024
"""Bodies from this size on are read one in each turn of the loop. Many that came together would
keep it from its connections for as long as all of them take."""
SITEMAP_BYTES = 50 * 1024 * 1024
"""What the sitemap protocol allows, uncompressed."""
_FIRST_ERROR = 400
_NO_SECOND_OPINION = frozenset({401, 407, 410, 429, 451, 999})
"""Statuses that mean the client or the address, not the method. Of the others, 404 and 403
included, all are met where HEAD is not foreseen."""
_LOST_ON_HEAD = frozenset({Outcome.CONNECTION_LOST, Outcome.MALFORMED_RESPONSE})

Headers = Sequence[tuple[str, str]]
"""Names and values."""


class ExtractPage(Protocol):
    """Makes facts and links of pages."""

    def __call__(
        self, body: bytes, url: str, charset: str | None, /, *, headers: Headers
    ) -> Extract:
        """Those of `body`, at `url`; `charset` is what its Content-Type names, if anything."""


HeaderLinks = Callable[[Headers, str], tuple[list[str], PageLinks]]
"""The targets and links in the headers of an answer that is no page, and its URL."""


class SitemapContents(Protocol):
    """What a sitemap lists: targets and links as in `Extract`, and why it is not all, if so."""

    @property
    def targets(self) -> list[str]:
        """URLs, each once."""

    @property
    def links(self) -> PageLinks:
        """Links to them, in order."""

    @property
    def damage(self) -> Detail | None:
        """What keeps the rest from being read."""


ReadSitemap = Callable[[bytes, str], SitemapContents]
"""A sitemap's bytes and its URL."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Patience(Struct, frozen=True):
    """How long a body may be too slow, and how long reading a large one may take."""

    grace_s: float = GRACE_S
    parse_s: float = PARSE_S


class HttpFetcher:
    """Fetches URLs over its own pool of kept connections. Use with `async with`, on one loop.

    The world's faults end in the visit's outcome, never in an exception. Cancelling a fetch
    closes its connection at once. `cookies` take in what servers set: nothing of them is
    kept here.
    """

    def __init__(  # noqa: PLR0913 - what a crawl is, and what tests replace
        self,
        settings: CrawlSettings,
        extract: ExtractPage,
        *,
        secrets: Secrets = NO_SECRETS,
        robot: str = "",
        tls: ssl.SSLContext | None = None,
        resolver: AbstractResolver | None = None,
        patience: Patience | None = None,
        header_links: HeaderLinks | None = None,
    ) -> None:
        """`robot` is the crawler's product token, in lower case: X-Robots-Tag may name it.

        `tls` replaces the default trust and `resolver` the system's. Without `header_links`,
        files have no links.
        """
        patience = patience or Patience()
        self._settings = settings
        self._extract = extract
        self._robot = robot
        self._requests = Requests(settings, secrets)
        self._tls = tls
        self._resolver = resolver
        self._grace_s = patience.grace_s
        self._parse_s = patience.parse_s
        self._header_links = header_links
        self._large_bodies = BodyMemory()
        self._medium_bodies = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop
        self._slots: asyncio.Semaphore
        self._thread: SerialThread
        self._client: HttpClient

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._client = HttpClient(
            self._settings,
            connect_s=min(CONNECT_S, self._settings.timeout_s),
            proxy_headers=self._requests.proxy_headers,
            proxy_auth=self._requests.proxy_auth,
            tls=self._tls,
            resolver=self._resolver,
        )
        self._slots = asyncio.Semaphore(self._client.room)
        self._thread = SerialThread(self._parse_s)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._client.close()

    def set_timeout(self, timeout_s: float) -> None:
        """Give a hop so many seconds from now on."""
        self._settings = replace(self._settings, timeout_s=timeout_s)
        self._client.set_patience(min(CONNECT_S, timeout_s))

    async def fetch(
        self, url: str, cookies: CookieHeaders | None = None, mode: FetchMode | None = None
    ) -> Visit:
        """Ask the serialised `url` once, follow nothing, extract what came if it is a page.

        Link headers count among a page's links; a file has no others.

        "Once" is a hop: the request is repeated where a kept connection turns out to be closed,
        and, without compression, where a compressed page is damaged; the latter is left to the
        caller, whom the visit tells of it, if there is a `mode`. A page that refreshes to
        another URL is a REDIRECT with facts and links.
        """
        cap_bytes = self._settings.max_body_bytes
        with await self._hop(url, cookies, reading_of, cap_bytes, mode) as hop:
            visit = visit_of(hop, await self._extracted(hop))
        if visit.outcome is not Outcome.FILE or self._header_links is None:
            return visit
        targets, links = self._header_links(visit.headers, url)
        return replace(visit, targets=targets, links=links) if links else visit

    async def check(
        self, url: str, cookies: CookieHeaders | None = None, mode: FetchMode | None = None
    ) -> Visit:
        """Ask for the headers of `url`: a page is CHECKED, another file a FILE, the rest as ever.

        A server that answers HEAD with an error, or not at all, is asked with GET, or the visit
        tells of it: see `fetch`. The body is left unread.
        """
        method = "GET" if mode is FetchMode.BY_GET else "HEAD"
        with await self._hop(url, cookies, checked_reading_of, 0, mode, method) as hop:
            return visit_of(hop)

    async def fetch_text(
        self, url: str, limit_bytes: int = ROBOTS_BYTES, cookies: CookieHeaders | None = None
    ) -> tuple[Visit, str]:
        """Ask `url` once; with a 2xx answer comes its body of any type, read as UTF-8.

        The text lacks the byte order mark, is clean (see `gossamer.model.text_cleaning`) and cut at
        `limit_bytes`. With any other answer it is "". A 2xx answer is a FILE.
        """
        with await self._hop(url, cookies, whole_reading_of, limit_bytes) as hop:
            visit = visit_of(hop)
            if visit.outcome not in FILES:
                return visit, ""
            text = hop.body.data.decode("utf-8-sig", "replace")
            return visit, clean_text(text, len(text))

    async def fetch_sitemap(
        self,
        url: str,
        read: ReadSitemap,
        cookies: CookieHeaders | None = None,
        mode: FetchMode | None = None,
    ) -> Visit:
        """Ask `url` once, as `fetch` does, have `read` make of a 2xx answer what it can.

        Then it is a FILE with targets and links, truncated if there is damage. If `read` raises, it
        is what `fetch` makes of it where it is served as HTML, and PAGE_NOT_PARSED in other cases.
        The body is decoded and cut at SITEMAP_BYTES.
        """
        with await self._hop(url, cookies, whole_reading_of, SITEMAP_BYTES, mode) as hop:
            if not hop.is_whole:
                return visit_of(hop)
            listing = await self._read(hop, lambda body: read(body, url))
            if listing is None:
                return visit_of(hop, await self._extracted_instead(hop))
            if listing.damage:
                hop.limit(listing.damage, (ResponseWarning.SITEMAP_INCOMPLETE,))
            elif not listing.targets:
                hop.notes = (ResponseWarning.SITEMAP_EMPTY,)
            return replace(visit_of(hop), targets=listing.targets, links=listing.links)

    async def fetch_source(self, url: str, limit_bytes: int) -> tuple[Visit, bytes]:
        """Ask `url` once; with an answer of any status comes its body, decoded, if it is text.

        It is cut at `limit_bytes`. A 2xx answer is a FILE.
        """
        with await self._hop(url, None, text_reading_of, limit_bytes) as hop:
            return visit_of(hop), bytes(hop.body.data) if hop.reading is BodyHandling.WHOLE else b""

    def request_headers(self, url: str) -> list[tuple[str, str]]:
        """The headers of a request for `url`, in order; values that are secret are "…".

        Empty for what cannot be asked.
        """
        try:
            return self._requests.shown(url)
        except InvalidURL:
            return []

    async def drop(self) -> None:
        """Close every connection, idle ones too; returns when all are closed.

        Cancel the fetches first: one that goes on may open another connection.
        """
        await self._client.drop()

    async def _hop(
        self,
        url: str,
        cookies: CookieHeaders | None,
        read_as: ReadAs,
        cap_bytes: int,
        mode: FetchMode | None = None,
        method: str = "GET",
    ) -> Hop:
        """The finished hop, to be used with `with`: whatever comes of it is in it.

        Its time begins when there is room for its connection.
        """
        async with self._slots:
            server_time = ServerTime()
            deadline = Deadline(self._loop, server_time, self._settings.timeout_s, self._grace_s)
            hop = Hop(
                url,
                cookies=cookies,
                body=ResponseBody(reserved=self._large_bodies.reserve()),
                time=server_time,
            )
            answer = ResponseReader(hop, deadline, read_as, cap_bytes, self._robot)
            try:
                request = self._requests.request(url, method, _cookie_header(hop))
                with deadline:
                    if request.is_head:
                        await self._head(answer, request, mode)
                    else:
                        await self._get(answer, request, mode)
            except Exception as problem:  # noqa: BLE001 - whatever it is, it becomes the outcome
                hop.failed(failure_of(problem))
                if hop.failure is not None and hop.failure.outcome is Outcome.UNEXPECTED_ERROR:
                    asked = without_userinfo(url)[0]
                    _log.exception("fetch failed unexpectedly", extra={"url": asked})
            except BaseException:
                hop.release()
                raise
            hop.finish()
            return hop

    async def _get(self, answer: ResponseReader, request: Request, mode: FetchMode | None) -> None:
        if mode is FetchMode.UNCOMPRESSED:
            await answer.read(self._client, request, request.no_encoding)
            return
        try:
            await answer.read(self._client, request, request.any_encoding)
        except DecodingError:
            if answer.hop.reading is BodyHandling.ERROR_PAGE:
                raise
            if mode is not None:
                answer.hop.repeat_mode = FetchMode.UNCOMPRESSED
                raise
            answer.hop.reset()
            await answer.read(self._client, request, request.no_encoding)

    async def _head(self, answer: ResponseReader, request: Request, mode: FetchMode | None) -> None:
        hop = answer.hop
        try:
            await answer.read(self._client, request, request.any_encoding)
        except Exception as problem:
            is_lost = failure_of(problem).outcome in _LOST_ON_HEAD
            if is_lost and mode is not None:
                hop.repeat_mode = FetchMode.BY_GET
            if not is_lost or mode is not None:
                raise
        else:
            if hop.head is None or not _deserves_second_opinion(hop.head):
                return
            if mode is not None:
                hop.repeat_mode = FetchMode.BY_GET
                return
        hop.reset()
        request = self._requests.request(hop.url, cookies=_cookie_header(hop))
        await answer.read(self._client, request, request.any_encoding)

    async def _extracted(self, hop: Hop) -> Extract | None:
        head = hop.head
        is_error_page = hop.reading is BodyHandling.ERROR_PAGE and hop.failure is None
        if head is None or not (hop.is_page or is_error_page):
            return None
        found = await self._read(
            hop, lambda body: self._extract(body, hop.url, head.charset, headers=head.headers)
        )
        if found is not None and found.cut and not is_error_page:
            hop.limit(found.cut, found.limits)
        return found

    async def _extracted_instead(self, hop: Hop) -> Extract | None:
        """What a page yields that was to be something else; None, and all as it was, for a file."""
        if hop.head is None or reading_of(hop.head) is not BodyHandling.PAGE:
            return None
        hop.failure, hop.reading = None, BodyHandling.PAGE
        cap_bytes = self._settings.max_body_bytes
        if len(hop.body.data) > cap_bytes:
            hop.body.data = hop.body.data[:cap_bytes]
            hop.body.end(DetailCode.CUT(size=cap_bytes), BodyEnd.CAP)
        return await self._extracted(hop)

    async def _read(self, hop: Hop, read: Callable[[bytes], T]) -> T | None:
        """What `read` makes of the body; None, with the failure in `hop`, if it raises."""
        body = hop.body.data = bytes(hop.body.data)
        try:
            if len(body) >= LARGE_BYTES:
                return await self._thread.run(partial(read, body))
            if len(body) < MEDIUM_BYTES:
                return read(body)
            async with self._medium_bodies:
                await asyncio.sleep(0)
                return read(body)
        except Exception as problem:  # noqa: BLE001 - one bad page must not end the worker
            _log.exception("extraction failed", extra={"url": without_userinfo(hop.url)[0]})
            hop.failed(Failure(Outcome.PAGE_NOT_PARSED, unforeseen(problem), hop.is_lost))
            return None


def _cookie_header(hop: Hop) -> str:
    return "" if hop.cookies is None else hop.cookies.sent


def _deserves_second_opinion(head: ResponseHead) -> bool:
    """Whether GET may do better than HEAD did; not if the server wants to be left alone."""
    is_error = head.status >= _FIRST_ERROR and head.status not in _NO_SECOND_OPINION
    return is_error and not head.challenge and head.retry_after_s is None
