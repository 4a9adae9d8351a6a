"""Fetches URLs over HTTP, one hop each and any number at a time."""

import asyncio
import ssl
from collections.abc import Callable
from functools import partial
from typing import Self

from aiohttp import InvalidURL
from aiohttp.abc import AbstractResolver
from msgspec import Struct
from msgspec.structs import replace

from gossamer.fetch.archive_interfaces import ResponseArchive
from gossamer.fetch.body_extraction import PARSE_S, BodyExtractor
from gossamer.fetch.body_readers import (
    ExtractPage,
    HeaderLinks,
    PatternApplier,
    ReadSitemap,
    ReadStyleSheet,
)
from gossamer.fetch.file_visits import (
    file_visit,
    sitemap_visit,
    with_header_links,
    with_style_sheets,
)
from gossamer.fetch.http_client import HttpClient, RequestSender
from gossamer.fetch.http_request import BuildRequest, HttpRequest, RequestBuilder
from gossamer.fetch.http_response import HttpResponse, ReadAs, ResponseReader, note_problem
from gossamer.fetch.repeated_requests import (
    read_authenticated,
    repeat_after_failure,
    repeat_after_response,
)
from gossamer.fetch.resource_exchange import NO_RESPONSE, ResourceRequest, ResourceResponse
from gossamer.fetch.response_body import BodyMemory, ResponseBody
from gossamer.fetch.response_head import (
    BodyHandling,
    checked_reading_of,
    reading_of,
    resource_reading_of,
    text_reading_of,
    whole_reading_of,
)
from gossamer.fetch.server_certificates import ServerCertificates
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.fetch.timeouts import GRACE_S, Deadline
from gossamer.fetch.tls_contexts import ClientCertificates
from gossamer.fetch.visit_from_response import visit_of
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.outcome import FILES
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.text_cleaning import clean_text
from gossamer.model.visit import FetchMode, Visit

CONNECT_S = 10.0
"""For look-up, connecting and TLS, within the time for the hop."""
ROBOTS_BYTES = 500 * 1024
SITEMAP_BYTES = 50 * 1024 * 1024
"""What the sitemap protocol allows, uncompressed."""


class BodyTimeLimits(Struct, frozen=True):
    """How long a body may be too slow, and how long parsing a large one may take."""

    grace_s: float = GRACE_S
    parse_s: float = PARSE_S


class HttpFetcher:
    """Fetches URLs over its own pool of kept connections. Use with `async with`, on one loop.

    Failures of network and server become the visit's outcome, never an exception. Cancelling a
    fetch closes its connection at once. `cookies` receive what servers set: nothing is kept here.
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
        patience: BodyTimeLimits | None = None,
        header_links: HeaderLinks | None = None,
        read_style_sheet: ReadStyleSheet | None = None,
        apply_patterns: PatternApplier | None = None,
        make_client: Callable[[], RequestSender] | None = None,
        archive: ResponseArchive | None = None,
    ) -> None:
        """`robot` is the crawler's product token, in lower case: X-Robots-Tag may name it.

        `tls` replaces the default trust and `resolver` the system's. Without `header_links`, files
        have no links but those of style sheets; without `read_style_sheet`, these have none of
        their own; without `apply_patterns`, pages have no custom results. What `make_client` makes
        sends the requests, in place of a client for the network. The `archive` keeps what the crawl
        requests, if there is one.
        """
        patience = patience or BodyTimeLimits()
        self._settings = settings
        self._robot = robot
        self._requests = RequestBuilder(settings, secrets)
        self._tls = tls
        self._shown = ClientCertificates(secrets.certificates())
        self._certificates = ServerCertificates()
        self._resolver = resolver
        self._grace_s = patience.grace_s
        self._bodies = BodyExtractor(extract, settings.max_body_bytes, patience.parse_s)
        self._header_links = header_links
        self._file_visit = partial(file_visit, self._bodies, read_style_sheet, header_links)
        self._page_reading, self._file_reading = (
            read_as if read_style_sheet is None else with_style_sheets(read_as)
            for read_as in (reading_of, checked_reading_of)
        )
        self.apply_patterns = apply_patterns
        self.archive = archive
        self._body_memory = BodyMemory()
        self._loop: asyncio.AbstractEventLoop
        self._slots: asyncio.Semaphore
        self._client: RequestSender
        self._make_client = make_client

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._client = self._make_client() if self._make_client else self._http_client()
        self._slots = asyncio.Semaphore(self._client.room)
        return self

    async def __aexit__(self, *_problem: object) -> None:
        await self._client.close()

    def _http_client(self) -> HttpClient:
        return HttpClient(
            self._settings,
            connect_s=min(CONNECT_S, self._settings.timeout_s),
            proxy_headers=self._requests.proxy_headers,
            proxy_auth=self._requests.proxy_auth,
            tls=self._tls,
            resolver=self._resolver,
            shown=self._shown,
            certificates=self._certificates,
        )

    def set_timeout(self, timeout_s: float) -> None:
        """Limit a hop to so many seconds from now on."""
        self._settings = replace(self._settings, timeout_s=timeout_s)
        self._client.set_patience(min(CONNECT_S, timeout_s))

    async def fetch(
        self,
        url: str,
        cookies: CookieHeaders | None = None,
        mode: FetchMode | None = None,
        conditions: Conditions = NO_CONDITIONS,
    ) -> Visit:
        """Request the serialised `url` once, follow nothing, and extract it if it is a page.

        Link headers count among a page's links; a file has no others.

        "Once" is a hop: the request is repeated where a kept connection turns out to be closed,
        and, without compression, where a compressed page is damaged; the latter is left to the
        caller if there is a `mode`: see `Visit.again`. A page that refreshes to another URL is a
        REDIRECT with facts and links. A visit that is `not_modified` has nothing but its headers:
        by `conditions`, what came of an earlier request holds.
        """
        return (await self._fetch_page(url, cookies, mode, conditions))[0]

    async def fetch_page(
        self,
        url: str,
        cookies: CookieHeaders | None = None,
        mode: FetchMode | None = None,
        conditions: Conditions = NO_CONDITIONS,
    ) -> tuple[Visit, ResourceResponse]:
        """As `fetch`, with the response that the visit is about, and without custom results."""
        return await self._fetch_page(url, cookies, mode, conditions, is_response_kept=True)

    async def _fetch_page(
        self,
        url: str,
        cookies: CookieHeaders | None,
        mode: FetchMode | None,
        conditions: Conditions,
        *,
        is_response_kept: bool = False,
    ) -> tuple[Visit, ResourceResponse]:
        cap_bytes = self._settings.max_body_bytes
        build = self._builder(url, "GET", conditions)
        with await self._fetch(
            url, cookies, self._page_reading, cap_bytes, mode, build
        ) as response:
            resource = ResourceResponse.of(response) if is_response_kept else NO_RESPONSE
            visit = visit_of(response, await self._bodies.extracted(response))
            if self.apply_patterns and visit.is_page_read and not is_response_kept:
                charset = response.head.charset if response.head else None
                found = await self.apply_patterns(response.body.whole(), charset)
                visit = replace(visit, custom=found)
            if response.reading is BodyHandling.STYLE_SHEET:
                visit = await self._file_visit(response)
                return await self._kept(response, visit), resource
            visit = await self._kept(response, visit)
        return with_header_links(visit, url, self._header_links), resource

    async def fetch_resource(
        self, request: ResourceRequest, limit_bytes: int
    ) -> tuple[Visit, ResourceResponse]:
        """Request what a rendered page wants once; returns the response whatever its status.

        It is empty if there is none, or one larger than `limit_bytes`: the visit says why.
        """

        def build(cookies: str) -> HttpRequest:
            return self._requests.of_page(
                *(request.url, request.method, request.headers, request.body, cookies),
                with_secrets=request.with_secrets,
            )

        cookies = CookieHeaders(request.cookies)
        mode = FetchMode.USUAL
        with await self._fetch(
            request.url, cookies, resource_reading_of, limit_bytes, mode, build
        ) as response:
            is_cut = response.body.cut_by is not None
            resource = NO_RESPONSE if is_cut or response.failure else ResourceResponse.of(response)
            return await self._kept_resource(request, response), resource

    async def check(
        self,
        url: str,
        cookies: CookieHeaders | None = None,
        mode: FetchMode | None = None,
        conditions: Conditions = NO_CONDITIONS,
    ) -> Visit:
        """Request the headers of `url`: a page is CHECKED, another file a FILE, the rest as usual.

        If a server responds to HEAD with an error, or not at all, or without the size of what pages
        load, GET follows, or the visit says so: see `fetch`. The body is read only where it is to
        be measured, and not kept. That of a style sheet is read for what it loads.
        """
        method = "GET" if mode is FetchMode.BY_GET else "HEAD"
        build = self._builder(url, method, conditions)
        cap_bytes = self._settings.max_body_bytes
        read_as = self._file_reading
        with await self._fetch(url, cookies, read_as, cap_bytes, mode, build) as response:
            return await self._kept(response, await self._file_visit(response))

    async def fetch_text(
        self,
        url: str,
        limit_bytes: int = ROBOTS_BYTES,
        cookies: CookieHeaders | None = None,
        conditions: Conditions = NO_CONDITIONS,
    ) -> tuple[Visit, str]:
        """Request `url` once; returns the body of a 2xx response, of any type, read as UTF-8.

        The text lacks the byte order mark, is clean (see `gossamer.model.text_cleaning`) and cut at
        `limit_bytes`. With any other response it is "". A 2xx response is a FILE.
        """
        build = self._builder(url, "GET", conditions)
        read_as = whole_reading_of
        with await self._fetch(url, cookies, read_as, limit_bytes, build=build) as response:
            visit = await self._kept(response, visit_of(response))
            if visit.outcome not in FILES:
                return visit, ""
            text = response.body.data.decode("utf-8-sig", "replace")
            return visit, clean_text(text, len(text))

    async def fetch_sitemap(
        self,
        url: str,
        read: ReadSitemap,
        cookies: CookieHeaders | None = None,
        mode: FetchMode | None = None,
        conditions: Conditions = NO_CONDITIONS,
    ) -> Visit:
        """Request `url` once, as `fetch` does, and have `read` read a 2xx response.

        Then it is a FILE with targets and links, truncated if there is damage. If `read` raises, it
        is what `fetch` makes of it where it is served as HTML, and PAGE_NOT_PARSED in other cases.
        The body is decoded and cut at SITEMAP_BYTES.
        """
        build = self._builder(url, "GET", conditions)
        cap_bytes = SITEMAP_BYTES
        with await self._fetch(url, cookies, whole_reading_of, cap_bytes, mode, build) as response:
            visit = await sitemap_visit(response, self._bodies, read)
            return await self._kept(response, visit)

    async def _kept_resource(self, request: ResourceRequest, response: HttpResponse) -> Visit:
        visit, head, archive = visit_of(response), response.head, self.archive
        if (
            archive is None
            or head is None
            or request.method != "GET"
            or not archive.wants_body(head)
        ):
            return visit
        kept = await archive.keep(request.url, response, visit, request.page)
        return replace(kept, archived=[replace(each, url=request.url) for each in kept.archived])

    async def _kept(self, response: HttpResponse, visit: Visit) -> Visit:
        """The visit, with its response in the archive if there is one."""
        archive = self.archive
        return visit if archive is None else await archive.keep(response.url, response, visit)

    async def fetch_source(self, url: str, limit_bytes: int) -> tuple[Visit, bytes]:
        """Request `url` once; returns the decoded body of a response of any status, if it is text.

        It is cut at `limit_bytes`. A 2xx response is a FILE.
        """
        with await self._fetch(url, None, text_reading_of, limit_bytes) as response:
            is_text = response.reading is BodyHandling.WHOLE
            return visit_of(response), response.body.whole() if is_text else b""

    async def fetch_file(self, url: str, limit_bytes: int) -> tuple[Visit, bytes]:
        """Request `url` once; returns the decoded body of a 2xx response, a FILE, of any type.

        It is empty if it is larger than `limit_bytes` or broke off: the visit says which.
        """
        with await self._fetch(url, None, whole_reading_of, limit_bytes) as response:
            is_there = response.is_whole and response.body.cut_by is None
            return visit_of(response), response.body.whole() if is_there else b""

    async def new_certificates(self) -> list[ServerCertificate]:
        """Certificates that servers have shown since; refused ones are read now, once an origin."""
        await self._client.look_at_refused()
        return self._certificates.take()

    def request_headers(self, url: str) -> list[tuple[str, str]]:
        """The headers of a request for `url`, secret values as "…"; none if it is impossible."""
        try:
            return self._requests.shown(url)
        except InvalidURL:
            return []

    def _builder(self, url: str, method: str, conditions: Conditions) -> BuildRequest:
        return lambda cookies: self._requests.request(url, method, cookies, conditions)

    async def drop(self) -> None:
        """Close every connection, idle ones too; returns when all are closed.

        Cancel the fetches first: one that continues may open another connection.
        """
        await self._client.drop()

    async def _fetch(
        self,
        url: str,
        cookies: CookieHeaders | None,
        read_as: ReadAs,
        cap_bytes: int,
        mode: FetchMode | None = None,
        build: BuildRequest | None = None,
    ) -> HttpResponse:
        """The finished response of a hop, failures included, for use with `with`.

        Its time begins when there is room for its connection.
        """
        async with self._slots:
            response = HttpResponse(
                url, cookies=cookies, body=ResponseBody(memory=self._body_memory)
            )
            deadline = Deadline(self._loop, response.time, self._settings.timeout_s, self._grace_s)
            reader = ResponseReader(
                response, deadline, read_as, cap_bytes, self._robot, self.archive
            )
            repeat = FetchMode.USUAL
            try:
                build = build or self._builder(url, "GET", NO_CONDITIONS)
                request = build(response.cookie_header)
                response.conditions = request.conditions
                with deadline:
                    try:
                        await read_authenticated(
                            reader, self._client, self._requests, request, build, mode
                        )
                    except Exception as problem:
                        repeat = repeat_after_failure(request, response, problem, mode)
                        if repeat is FetchMode.USUAL or mode is not None:
                            raise
                    else:
                        repeat = repeat_after_response(request, response, self.archive)
                    if repeat is not FetchMode.USUAL and mode is None:
                        request = self._requests.request(url, cookies=response.cookie_header)
                        await reader.read_again(self._client, request, request.accepting(repeat))
            except Exception as problem:  # noqa: BLE001 - whatever it is, it becomes the outcome
                note_problem(response, problem)
            except BaseException:
                response.release()
                raise
            if mode is not None:
                response.repeat_mode = repeat
            response.finish()
            return response
