"""When a server may be requested for what pages load: these requests keep the crawl's pace, too."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from gossamer.engine.failures.url_retries import back_off_s
from gossamer.engine.queue.host_queues import HostRate
from gossamer.fetch.http_statuses import WITH_RETRY_AFTER
from gossamer.model.messages.worker_messages import ConfigureWorker
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import host_of

MAX_HOSTS: Final = 1_000
MAX_AT_ONCE: Final = 32
"""Requests to all hosts together: each may be as large as a response may be."""
_PER_HOST: Final = 6
"""As many as browsers make at once over HTTP/1.1."""
_BACK_OFF_S: Final = 5.0
"""For an overloaded server that does not say how long to wait."""


class HostRestsError(Exception):
    """A host is to be left alone for longer than a page may wait for it."""


class _Host:
    """When one host may be requested next, and how many requests it may have."""

    def __init__(self, slots: int) -> None:
        self.slots = asyncio.Semaphore(slots)
        self.turn = asyncio.Lock()
        self.next_at_s = 0.0
        self.rests_until_s = 0.0
        self.users = 0


class ResourcePoliteness:
    """Permits requests to a host, no more often than the crawl makes them.

    The requests for pages themselves count too: announce them with `page_turn`.
    """

    def __init__(
        self,
        configure: ConfigureWorker,
        is_internal: Callable[[str], bool],
        crawl_delay_s: Callable[[str], float],
    ) -> None:
        """`is_internal` and `crawl_delay_s`, which robots.txt asks for, are of a URL.

        If several workers share the pace, each waits as many times as long between two requests to
        a host, and makes its share of simultaneous ones.
        """
        self._is_internal = is_internal
        self._crawl_delay_s = crawl_delay_s
        self._rate = HostRate.of(configure.settings)
        self._sharers = configure.sharers
        self._at_once = asyncio.Semaphore(MAX_AT_ONCE)
        self._hosts: dict[str, _Host] = {}

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """Apply another rate; waits that have begun last as long as planned."""
        before = self._slots()
        self._rate, self._sharers = HostRate.of(configure.settings), configure.sharers
        if self._slots() != before:
            for host in self._hosts.values():
                host.slots = asyncio.Semaphore(self._slots())

    def _slots(self) -> int:
        return max(1, (self._rate.slots or _PER_HOST) // self._sharers)

    async def page_turn(self, url: str) -> None:
        """Return when a page may be requested; the crawl decides how many are."""
        host = self._host(url)
        host.users += 1
        try:
            async with host.turn:
                await self._wait(host)
                self._note_turn(host, url)
        finally:
            host.users -= 1

    @asynccontextmanager
    async def leave(self, url: str, most_rest_s: float = math.inf) -> AsyncIterator[None]:
        """Enter when the host of `url` may be requested; make the request within.

        HostRestsError if a host of others is to be left alone for longer than `most_rest_s`: pages
        would wait for what is not theirs. For those of the crawl, its pages wait, too.
        """
        host = self._host(url)
        if self._is_internal(url):
            most_rest_s = math.inf
        host.users += 1
        try:
            async with host.slots, AsyncExitStack() as entered:
                async with host.turn:
                    await self._wait(host, most_rest_s)
                    # Not before: slow hosts would delay all others.
                    await entered.enter_async_context(self._at_once)
                    self._note_turn(host, url)
                yield
        finally:
            host.users -= 1

    def note(self, url: str, visit: Visit) -> None:
        """Leave a host alone for as long as its response asks for, or as it seems to need."""
        if visit.status not in WITH_RETRY_AFTER:
            return
        host = self._host(url)
        until_s = asyncio.get_running_loop().time() + (back_off_s(visit) or _BACK_OFF_S)
        host.rests_until_s = max(host.rests_until_s, until_s)

    @staticmethod
    async def _wait(host: _Host, most_rest_s: float = math.inf) -> None:
        loop = asyncio.get_running_loop()
        if host.rests_until_s - loop.time() > most_rest_s:
            raise HostRestsError
        while (wait_s := max(host.next_at_s, host.rests_until_s) - loop.time()) > 0:
            await asyncio.sleep(wait_s)
            if host.rests_until_s - loop.time() > most_rest_s:  # it has said so meanwhile
                raise HostRestsError

    def _note_turn(self, host: _Host, url: str) -> None:
        rate = self._rate
        delay_s = rate.delay_s if self._is_internal(url) else rate.external_delay_s
        now_s = asyncio.get_running_loop().time()
        host.next_at_s = now_s + self._sharers * max(delay_s, self._crawl_delay_s(url))

    def _host(self, url: str) -> _Host:
        name = host_of(url)
        host = self._hosts.get(name)
        if host is None:
            if len(self._hosts) >= MAX_HOSTS:
                self._forget_idle()
            host = self._hosts[name] = _Host(self._slots())
        return host

    def _forget_idle(self) -> None:
        """Make room: forget hosts that nobody waits for and that may be requested at once."""
        now_s = asyncio.get_running_loop().time()
        self._hosts = {
            name: host
            for name, host in self._hosts.items()
            if host.users or max(host.next_at_s, host.rests_until_s) > now_s
        }
