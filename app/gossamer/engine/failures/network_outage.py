"""Tells a local network outage from servers that fail."""

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
"""So long the answer of another URL is waited for, before one is asked for."""
TRUST_S: Final = 5.0
"""So long failures are believed after somebody was asked and answered: a list of dead hosts is no
reason to bother a living one without end."""
FIRST_PROBE_S: Final = 2.0
LONGEST_PAUSE_S: Final = 60.0
_WITNESSES: Final = 3

AskForText = Callable[[str], Awaitable[tuple[Visit, str]]]


class OutageWatch:
    """Holds back failures until it is known whether the network caused them.

    Who answered before bears witness: if an answer comes from anywhere, failures count. If none
    comes, the robots.txt of the origins that answered last is asked for. If that fails too, the
    network is lost, or the only server there was.
    """

    def __init__(
        self,
        ask_for_text: AskForText,
        in_flight: Callable[[], int],
        on_lost: Callable[[Translatable], None],
    ) -> None:
        """Take how to ask for a robots.txt, and how many URLs are in flight.

        `on_lost` gets a sentence, once for each loss.
        """
        self._ask_for_text = ask_for_text
        self._in_flight = in_flight
        self._on_lost = on_lost
        self._witnesses: dict[str, None] = {}
        """The origins that answered last, the latest last."""
        self._latest = ""
        self._answer = asyncio.Event()
        self._answered_at = -1.0
        self._trusted_until = -1.0
        self._doubting = 0
        self._probing = asyncio.Lock()
        self._lost = False
        self._waiting: asyncio.Task[None] | None = None

    def note_response(self, host: str, url: str) -> None:
        """Note that `url` on this host was answered."""
        self._answered_at = asyncio.get_running_loop().time()
        self._answer.set()
        if host == self._latest:
            return
        self._latest = host
        site = origin(url)
        self._witnesses.pop(site, None)
        self._witnesses[site] = None
        if len(self._witnesses) > _WITNESSES:
            del self._witnesses[next(iter(self._witnesses))]

    async def is_to_blame(self, visit: Visit) -> bool:
        """Whether the network, not its server, is the reason for a visit without an answer."""
        return (
            visit.outcome in _SUSPECT and bool(self._witnesses) and not await self._network_works()
        )

    def wait(
        self,
        group: asyncio.TaskGroup,
        stop: Callable[[], Awaitable[None]],
        go_on: Callable[[], None],
    ) -> None:
        """Begin to wait, in a task of `group`: `stop`, and `go_on` when somebody answers again."""
        self._waiting = group.create_task(self._wait(stop, go_on), name="network")

    def stop_waiting(self) -> None:
        """Wait no more, if it does: failures are looked into anew."""
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
        """Whether the network works, for a failure that has just been seen."""
        now = asyncio.get_running_loop().time
        seen_at = now()
        if seen_at < self._trusted_until:
            return True
        self._doubting += 1
        try:
            if self._doubting < self._in_flight():
                await self._somebody_answers()
            async with self._probing:
                if self._answered_at >= seen_at:
                    return True
                return not self._lost and await self._probe_and_tell()
        finally:
            self._doubting -= 1

    async def _somebody_answers(self) -> None:
        self._answer.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await self._answer.wait()

    async def _probe_and_tell(self) -> bool:
        if await self._probe():
            self._trusted_until = self._answered_at + TRUST_S
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
        """Whether any of the origins that answered last answers now."""
        asked = [self._ask_for_text(f"{site}/robots.txt") for site in self._witnesses]
        found = await asyncio.gather(*asked, return_exceptions=True)
        if all(isinstance(one, BaseException) or one[0].status is None for one in found):
            return False
        self._answered_at = asyncio.get_running_loop().time()
        return True
