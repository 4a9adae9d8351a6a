"""Distinguishes a local network outage from failing servers."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from gossamer.model.outcome import Outcome
from gossamer.model.translatable import Translatable, said
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import origin

_SUSPECT: Final = frozenset(
    {
        Outcome.DNS_FAILURE,
        Outcome.CONNECTION_REFUSED,
        Outcome.CONNECTION_FAILED,
        Outcome.CONNECTION_LOST,
        Outcome.PROXY_FAILURE,
        Outcome.TIMEOUT,
    }
)
PATIENCE_S: Final = 2.0
"""How long to wait for the response of another URL before requesting one."""
TRUST_S: Final = 5.0
"""How long failures are believed after a probe got a response: a list of dead hosts is no reason to
bother a living one without end."""
FIRST_PROBE_S: Final = 2.0
LONGEST_PAUSE_S: Final = 60.0
_WITNESSES: Final = 3

AskForText = Callable[[str], Awaitable[tuple[Visit, str]]]


class OutageWatch:
    """Holds back failures until it is known whether the network caused them.

    If a response comes from anywhere, failures count. If none comes, the robots.txt of the origins
    that responded last is requested. If that fails too, the network is lost, or the only server
    there was.
    """

    def __init__(
        self,
        ask_for_text: AskForText,
        in_flight: Callable[[], int],
        on_lost: Callable[[Translatable], None],
    ) -> None:
        """The arguments fetch a robots.txt and count the URLs in flight.

        `on_lost` gets a sentence, once for each loss.
        """
        self._ask_for_text = ask_for_text
        self._in_flight = in_flight
        self._on_lost = on_lost
        self._witnesses: dict[str, None] = {}
        """The origins that responded last, the latest last."""
        self._latest = ""
        self._response = asyncio.Event()
        self._responded_at = -1.0
        self._trusted_until = -1.0
        self._doubting = 0
        self._probing = asyncio.Lock()
        self._lost = False
        self._waiting: asyncio.Task[None] | None = None

    def note_response(self, host: str, url: str) -> None:
        """Note a response for `url` on this host."""
        self._responded_at = asyncio.get_running_loop().time()
        self._response.set()
        if host == self._latest:
            return
        self._latest = host
        site = origin(url)
        self._witnesses.pop(site, None)
        self._witnesses[site] = None
        if len(self._witnesses) > _WITNESSES:
            del self._witnesses[next(iter(self._witnesses))]

    async def is_to_blame(self, visit: Visit) -> bool:
        """Whether the network, not the server, is the reason for a visit without a response."""
        return (
            visit.outcome in _SUSPECT and bool(self._witnesses) and not await self._network_works()
        )

    def wait(
        self,
        group: asyncio.TaskGroup,
        stop: Callable[[], Awaitable[None]],
        go_on: Callable[[], None],
    ) -> None:
        """Call `stop`, and wait in a task of `group`: call `go_on` once a server responds again."""
        self._waiting = group.create_task(self._wait(stop, go_on), name="network")

    def stop_waiting(self) -> None:
        """Stop waiting, if it does: failures are examined again."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.cancel()
        self._lost = False

    async def _wait(self, stop: Callable[[], Awaitable[None]], go_on: Callable[[], None]) -> None:
        await stop()
        pause_s = FIRST_PROBE_S
        while True:
            await asyncio.sleep(pause_s)
            if await self._probe():
                break
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        self._waiting = None
        go_on()

    async def _network_works(self) -> bool:
        """Whether the network works, to judge a failure that has just occurred."""
        now = asyncio.get_running_loop().time
        seen_at = now()
        if seen_at < self._trusted_until:
            return True
        self._doubting += 1
        try:
            if self._doubting < self._in_flight():
                await self._wait_for_response()
            async with self._probing:
                if self._responded_at >= seen_at:
                    return True
                return not self._lost and await self._probe_and_tell()
        finally:
            self._doubting -= 1

    async def _wait_for_response(self) -> None:
        self._response.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await self._response.wait()

    async def _probe_and_tell(self) -> bool:
        if await self._probe():
            self._trusted_until = self._responded_at + TRUST_S
            return True
        self._lost = True
        self._on_lost(
            said(
                "Paused: no host responds any more, not even {site}. Check the connection.",
                site=next(reversed(self._witnesses)),
            )
        )
        return False

    async def _probe(self) -> bool:
        """Whether any of the origins that responded last responds now."""
        asked = [self._ask_for_text(f"{site}/robots.txt") for site in self._witnesses]
        found = await asyncio.gather(*asked, return_exceptions=True)
        if all(isinstance(one, BaseException) or one[0].status is None for one in found):
            return False
        self._responded_at = asyncio.get_running_loop().time()
        return True
