"""Answers what rendered pages ask for: by the rules of the crawl, from a cache or over HTTP."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

from gossamer.engine.robots_gate import RobotsGate, RobotsUnreachableError
from gossamer.fetch.whole_answer import ResourceRequest, WholeAnswer
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.model.visit import Visit
from gossamer.render.page_requests import PageRequest, PageResponse, ResourceResult
from gossamer.urls.url_parsing import origin

MAX_RESOURCE_BYTES: Final = 10_000_000
CACHE_BYTES: Final = 64 * 1024 * 1024
_SHARED: Final = frozenset(
    {ResourceType.SCRIPT, ResourceType.STYLESHEET, ResourceType.FONT, ResourceType.IMAGE}
)
"""What is the same for all pages of a site, unless its server says otherwise."""
_MAX_ORIGINS: Final = 1_000
_OK: Final = 200
_GUARDED: Final = frozenset({Outcome.FORBIDDEN_ADDRESS})


class ResourceFetcher(Protocol):
    """Makes the requests of pages."""

    async def fetch_resource(
        self, wish: ResourceRequest, limit_bytes: int
    ) -> tuple[Visit, WholeAnswer]:
        """As `HttpFetcher.fetch_resource`."""


class ResourceCache:
    """Answers that several pages want, the last used first to stay; `limit_bytes` of bodies."""

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._size_bytes = 0
        self._kept: OrderedDict[str, PageResponse] = OrderedDict()

    def get(self, url: str) -> PageResponse | None:
        """The answer for `url`, if it is kept."""
        response = self._kept.get(url)
        if response is not None:
            self._kept.move_to_end(url)
        return response

    def add(self, url: str, response: PageResponse) -> None:
        """Keep an answer, if it may be and is not too large for that."""
        size_bytes = len(response.body)
        if url in self._kept or size_bytes > self._limit_bytes // 4 or not _is_for_all(response):
            return
        self._kept[url] = response
        self._size_bytes += size_bytes
        while self._size_bytes > self._limit_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._size_bytes -= len(oldest.body)


def _is_for_all(response: PageResponse) -> bool:
    """Whether the answer to one page is the answer to all."""
    if response.status != _OK:
        return False
    headers = {name.lower(): value.lower() for name, value in response.headers}
    control = headers.get("cache-control", "")
    is_private = "no-store" in control or "private" in control or "set-cookie" in headers
    return not (is_private or "cookie" in headers.get("vary", "") or headers.get("vary") == "*")


class PageResources:
    """Answers the requests of all pages that one worker renders."""

    def __init__(
        self,
        fetcher: ResourceFetcher,
        *,
        robots: RobotsGate | None,
        excluded_by: Callable[[str], str],
        per_origin: int,
    ) -> None:
        """Without `robots`, robots.txt is not obeyed. `per_origin` requests run at once."""
        self._fetcher = fetcher
        self._robots = robots
        self._excluded_by = excluded_by
        self._per_origin = per_origin
        self._cache = ResourceCache()
        self._asking: dict[str, asyncio.Future[ResourceResult]] = {}
        self._slots: dict[str, asyncio.Semaphore] = {}

    async def answer(self, request: PageRequest) -> ResourceResult:
        """What comes of a request. Pages that want the same at the same time share one request."""
        if not _is_shareable(request):
            return await self._asked(request)
        kept = self._cache.get(request.url)
        if kept is not None:
            return ResourceResult(kept, from_cache=True)
        asking = self._asking.get(request.url)
        if asking is not None:
            shared = await asyncio.shield(asking)
            if shared is not _NOT_SHARED:
                return ResourceResult(
                    shared.response, shared.blocked_by, shared.failure, from_cache=True
                )
        return await self._asked_for_all(request)

    async def _asked_for_all(self, request: PageRequest) -> ResourceResult:
        asking: asyncio.Future[ResourceResult] = asyncio.get_running_loop().create_future()
        self._asking[request.url] = asking
        result = _NOT_SHARED
        try:
            result = await self._asked(request)
        finally:
            if self._asking.get(request.url) is asking:
                del self._asking[request.url]
            asking.set_result(result)
        if result.response is not None:
            self._cache.add(request.url, result.response)
        return result

    async def _asked(self, request: PageRequest) -> ResourceResult:
        if self._excluded_by(request.url):
            return ResourceResult(blocked_by=BlockedBy.EXCLUDED)
        async with self._slot(request.url):
            if self._robots is not None:
                try:
                    await self._robots.learn(request.url)
                except RobotsUnreachableError as e:
                    return _without_answer(e.visit)
                if self._robots.refusal(request.url) is not None:
                    return ResourceResult(blocked_by=BlockedBy.ROBOTS)
            wish = ResourceRequest(
                request.url,
                request.method,
                [pair for pair in request.headers.items() if pair[0].lower() != "cookie"],
                request.body,
                next((v for n, v in request.headers.items() if n.lower() == "cookie"), ""),
            )
            visit, answer = await self._fetcher.fetch_resource(wish, MAX_RESOURCE_BYTES)
        if answer.status is None:
            return _without_answer(visit)
        return ResourceResult(PageResponse(answer.status, list(answer.headers), answer.body))

    def _slot(self, url: str) -> asyncio.Semaphore:
        site = origin(url)
        slot = self._slots.get(site)
        if slot is None:
            if len(self._slots) >= _MAX_ORIGINS:
                self._slots.clear()
            slot = self._slots[site] = asyncio.Semaphore(self._per_origin)
        return slot


_NOT_SHARED: Final = ResourceResult(failure="cancelled")


def _is_shareable(request: PageRequest) -> bool:
    return request.method == "GET" and request.type in _SHARED


def _without_answer(visit: Visit) -> ResourceResult:
    if visit.outcome in _GUARDED:
        return ResourceResult(blocked_by=BlockedBy.ADDRESS)
    return ResourceResult(failure=str(visit.detail or visit.outcome))
