"""Fetches what rendered pages load: by the rules of the crawl, from a cache or over HTTP."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Final, Protocol

from msgspec.structs import replace

from gossamer.engine.robots_cache import RobotsCache, RobotsUnreachableError
from gossamer.fetch.http_statuses import WITH_RETRY_AFTER
from gossamer.fetch.resource_exchange import ResourceRequest, ResourceResponse
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.model.visit import Visit
from gossamer.page_worker.resource_politeness import HostRestsError, ResourcePoliteness
from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_requests import PageRequest, PageResponse, ResourceResult

if TYPE_CHECKING:
    from gossamer.model.archive_record import ArchiveRecord

MAX_RESOURCE_BYTES: Final = 10_000_000
CACHE_BYTES: Final = 64 * 1024 * 1024
_SHARED: Final = frozenset(
    {ResourceType.SCRIPT, ResourceType.STYLESHEET, ResourceType.FONT, ResourceType.IMAGE}
)
"""Types of resources that all pages of a site share, unless the server says otherwise."""
_TRIES: Final = 2
"""Requests for one response, if the server says that it is overloaded."""
_MAX_WAIT_S: Final = 30.0
"""The longest that a page waits for such a server, if it may take that long."""
_ENTRY_BYTES: Final = 1_000
"""The memory that a response takes besides its texts."""
_OK: Final = 200
_RESTS: Final = "the server wants no requests for longer than a page may take"
_GUARDED: Final = frozenset({Outcome.FORBIDDEN_ADDRESS})


class ResourceFetcher(Protocol):
    """Makes the requests of pages."""

    async def fetch_resource(
        self, resource_request: ResourceRequest, limit_bytes: int
    ) -> tuple[Visit, ResourceResponse]:
        """As `HttpFetcher.fetch_resource`."""


class ResourceCache:
    """Caches responses that several pages want, the last used longest; `limit_bytes` of bodies.

    The key of each is the `key_of` its request.
    """

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._size_bytes = 0
        self._kept: OrderedDict[str, PageResponse] = OrderedDict()

    def get(self, key: str) -> PageResponse | None:
        """The response for `key`, if it is kept."""
        response = self._kept.get(key)
        if response is not None:
            self._kept.move_to_end(key)
        return response

    def add(self, key: str, response: PageResponse) -> None:
        """Keep a response, if that is permitted and it is not too large."""
        size_bytes = _size_bytes(key, response)
        is_for_all = response.status == _OK and not _is_for_one(response)
        if key in self._kept or size_bytes > self._limit_bytes // 4 or not is_for_all:
            return
        self._kept[key] = response
        self._size_bytes += size_bytes
        while self._size_bytes > self._limit_bytes:
            self._size_bytes -= _size_bytes(*self._kept.popitem(last=False))


def _size_bytes(key: str, response: PageResponse) -> int:
    headers = sum(len(name) + len(value) for name, value in response.headers)
    return len(key) + headers + len(response.body) + _ENTRY_BYTES


def _is_for_one(response: PageResponse) -> bool:
    """Whether a response to one page must not be given to others."""
    headers = {name.lower(): value.lower() for name, value in response.headers}
    control = headers.get("cache-control", "")
    is_private = "no-store" in control or "private" in control or "set-cookie" in headers
    return is_private or "cookie" in headers.get("vary", "") or headers.get("vary") == "*"


class PageResources:
    """Serves the requests of all pages that one worker renders."""

    def __init__(
        self,
        fetcher: ResourceFetcher,
        *,
        robots: RobotsCache | None,
        excluded_by: Callable[[str], str],
        pace: ResourcePoliteness,
        ends_session: Callable[[str], bool] = lambda _url: False,
    ) -> None:
        """Without `robots`, robots.txt is not obeyed. What `ends_session` is not requested."""
        self._fetcher = fetcher
        self._robots = robots
        self.excluded_by = excluded_by
        """The exclude pattern that matches a URL; "" if none does."""
        self._ends_session = ends_session
        self._pace = pace
        self._cache = ResourceCache()
        self._asking: dict[str, asyncio.Future[ResourceResult]] = {}

    async def respond(self, request: PageRequest, deadline: PageDeadline) -> ResourceResult:
        """The result of a request. Pages that want the same at the same time share one request."""
        if not _is_shareable(request):
            return await self._asked(request, deadline)
        key = key_of(request)
        kept = self._cache.get(key)
        if kept is not None:
            return ResourceResult(kept, from_cache=True)
        asking = self._asking.get(key)
        if asking is not None:
            with deadline.paused():
                shared = await asyncio.shield(asking)
            if shared is not _NOT_SHARED:
                return ResourceResult(
                    shared.response, shared.blocked_by, shared.failure, from_cache=True
                )
        return await self._asked_for_all(key, request, deadline)

    async def _asked_for_all(
        self, key: str, request: PageRequest, deadline: PageDeadline
    ) -> ResourceResult:
        asking: asyncio.Future[ResourceResult] = asyncio.get_running_loop().create_future()
        self._asking[key] = asking
        shared = _NOT_SHARED
        try:
            result = await self._asked(request, deadline)
            if result.response is None or not _is_for_one(result.response):
                shared = result
        finally:
            if self._asking.get(key) is asking:
                del self._asking[key]
            asking.set_result(shared)
        if result.response is not None:
            self._cache.add(key, result.response)
        return result

    async def _asked(self, request: PageRequest, deadline: PageDeadline) -> ResourceResult:
        if self.excluded_by(request.url):
            return ResourceResult(blocked_by=BlockedBy.EXCLUDED)
        if self._ends_session(request.url):
            return ResourceResult(blocked_by=BlockedBy.ENDS_SESSION)
        if self._robots is not None:
            try:
                await self._robots.learn(request.url)
            except RobotsUnreachableError as e:
                return _without_response(e.visit)
            if self._robots.refusal(request.url) is not None:
                return ResourceResult(blocked_by=BlockedBy.ROBOTS)
        cookies = next((v for n, v in request.headers.items() if n.lower() == "cookie"), "")
        headers = [pair for pair in request.headers.items() if pair[0].lower() != "cookie"]
        resource_request = ResourceRequest(
            *(request.url, request.method, headers, request.body, cookies),
            with_secrets=request.is_own,
            page=request.page,
        )
        return await self._responded(resource_request, deadline)

    async def _responded(
        self, resource_request: ResourceRequest, deadline: PageDeadline
    ) -> ResourceResult:
        try:
            visit, resource, received_bytes = await self._asked_politely(resource_request, deadline)
        except HostRestsError:
            return ResourceResult(failure=_RESTS)
        if resource.status is None:
            return _without_response(visit, received_bytes)
        response = PageResponse(
            resource.status, list(resource.headers), resource.body, visit.raw_bytes
        )
        return ResourceResult(
            response,
            received_bytes=received_bytes,
            archived=visit.archived,
            archive_errno=visit.archive_errno,
        )

    async def _asked_politely(
        self, resource_request: ResourceRequest, deadline: PageDeadline
    ) -> tuple[Visit, ResourceResponse, int]:
        """Request in turn; retry if the server is overloaded, but not for long.

        The last value is how many bytes all its responses had. HostRestsError if there was none.
        """
        tries = _TRIES if resource_request.method == "GET" else 1
        last: tuple[Visit, ResourceResponse, int] | None = None
        while True:
            async with AsyncExitStack() as leave:
                try:
                    with deadline.paused():
                        turn = self._pace.leave(resource_request.url, deadline.timeout_s)
                        await leave.enter_async_context(turn)
                except HostRestsError:
                    if last is None:
                        raise
                    return last
                visit, resource = await self._fetcher.fetch_resource(
                    resource_request, MAX_RESOURCE_BYTES
                )
                self._pace.note(resource_request.url, visit)
            last = visit, resource, visit.raw_bytes + (last[2] if last else 0)
            tries -= 1
            is_busy = visit.status in WITH_RETRY_AFTER
            if not (is_busy and tries) or (visit.retry_after_s or 0.0) > _MAX_WAIT_S:
                return last


_NOT_SHARED: Final = ResourceResult(failure="cancelled")


def key_of(request: PageRequest) -> str:
    """A key that is equal for requests whose responses are the same.

    Servers may permit only the requesting origin to read a response, and none if no origin is sent.
    And they may respond otherwise to logged-in users.
    """
    asks = next((value for name, value in request.headers.items() if name.lower() == "origin"), "")
    return f"{request.url} {asks} {request.is_own:d}"


def _is_shareable(request: PageRequest) -> bool:
    return request.method == "GET" and request.type in _SHARED


def _without_response(visit: Visit, received_bytes: int = 0) -> ResourceResult:
    if visit.outcome in _GUARDED:
        return ResourceResult(blocked_by=BlockedBy.ADDRESS)
    failure = str(visit.detail or visit.outcome)
    return ResourceResult(failure=failure, received_bytes=received_bytes)


class ResourcesOfPage:
    """Serves the requests of one page, and counts what is received for them."""

    def __init__(self, resources: PageResources, url: str) -> None:
        self._resources = resources
        self._url = url
        self.received_bytes: int | None = None
        """Bytes of bodies, as they were sent; None if it requested nothing."""
        self.archived: list[ArchiveRecord] = []
        self.archive_errno = 0

    async def respond(self, request: PageRequest, deadline: PageDeadline) -> ResourceResult:
        """As `PageResources.respond`."""
        result = await self._resources.respond(replace(request, page=self._url), deadline)
        self.received_bytes = (self.received_bytes or 0) + result.received_bytes
        self.archived += result.archived
        self.archive_errno = self.archive_errno or result.archive_errno
        return result
