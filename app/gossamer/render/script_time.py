"""The time that the scripts of a page have once it has loaded, virtual or real."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from gossamer.render.devtools_connection import Params
from gossamer.render.emulated_screen import FLUSH_MS, ROUNDS, EmulatedScreen
from gossamer.render.page_network import PageNetwork
from gossamer.render.page_scripts import PAINT
from gossamer.render.rendered_page import RenderLimits
from gossamer.render.used_browser_features import UsedBrowserFeatures

_ANIMATED_ROUNDS: Final = 3
"""How often a page gets extra time again because animations have ended, which others may follow."""
_REAL_ROUNDS: Final = 6
_REAL_S: Final = 0.05
"""How often virtual time pauses for so long on a page that uses a worker, or a storage such as
IndexedDB.

Another thread or process of the browser answers. That takes some milliseconds of real time, in
which all the virtual time would pass. What a worker has requested takes longer: virtual time stops
for requests of the page alone."""
_QUIET_S: Final = 0.1
"""A worker that has requested nothing for so long has what it wanted."""


class _Call(Protocol):
    def __call__(self, method: str, params: Params | None = None) -> Awaitable[Params]: ...


def _waits_to_be_scrolled(interfaces: UsedBrowserFeatures) -> bool:
    return interfaces.has_observer or interfaces.listens_to_scrolling


class ScriptTime:
    """The time of one page."""

    def __init__(
        self,
        call: _Call,
        evaluate: Callable[[str], Awaitable[Any]],
        screen: EmulatedScreen,
        limits: RenderLimits,
    ) -> None:
        """`evaluate` runs a script of ours in the page and waits for what it promises."""
        self._call = call
        self._evaluate = evaluate
        self._screen = screen
        self._limits = limits
        self._budget_spent = asyncio.Event()
        self.over = asyncio.Event()
        """Set when the renderer has crashed, or the page has left: nothing more will come."""

    def end(self) -> None:
        """End it: nothing more will come."""
        self.over.set()
        self.stop_waiting()

    def stop_waiting(self) -> None:
        """End the wait for virtual time: it has passed, or the page is loaded again."""
        self._budget_spent.set()

    async def pass_by(self, network: PageNetwork) -> None:
        """Wait until scripts have done their work, with what they use and request by then."""
        if self.over.is_set():
            return
        interfaces = network.interfaces
        if not self._limits.virtual_time:
            await self._paint(most_ms=0)
            await self.over_within(self._limits.ajax_s)
            if _waits_to_be_scrolled(interfaces) and await self._grow(interfaces):
                await self.over_within(FLUSH_MS / 1000)
            return
        await self._spend_all(_REAL_ROUNDS if interfaces.works_in_real_time else 1, network)
        rounds = ROUNDS if _waits_to_be_scrolled(interfaces) else 1
        for each in range(rounds):
            if each == 1:
                await self._grow(interfaces)
            is_animated = await self._paint_and_spend(FLUSH_MS / rounds)
        for _ in range(_ANIMATED_ROUNDS):
            if is_animated:
                is_animated = await self._paint_and_spend(FLUSH_MS)

    async def _spend_all(self, parts: int, network: PageNetwork) -> None:
        """Let all the virtual time of the scripts pass, with real time between its parts.

        Between them, the requests of workers are waited for, at most as long as scripts have.
        """
        left_s = self._limits.ajax_s
        for each in range(parts):
            if each > 0:
                await self.over_within(_REAL_S)
            while each > 0 and left_s > 0 and network.quiet_s() < _QUIET_S:
                await self.over_within(_REAL_S)
                left_s -= _REAL_S
            await self._spend(self._limits.ajax_s * 1000 / parts)

    async def over_within(self, seconds: float) -> None:
        """Wait so long in real time, at most until it is over."""
        try:
            async with asyncio.timeout(seconds):
                await self.over.wait()
        except TimeoutError:
            return

    async def _grow(self, interfaces: UsedBrowserFeatures) -> bool:
        """Show the page at full height; False if it is over.

        Before, it is scrolled as a user would: at full height, many pages have nowhere to scroll.
        """
        if self.over.is_set():
            return False
        if interfaces.listens_to_scrolling:
            await self._screen.scroll()
            await self._paint(most_ms=0)
        await self._screen.grow()
        await self._paint(most_ms=0)
        return True

    async def _paint_and_spend(self, budget_ms: float) -> bool:
        """Paint the page, then let time pass; whether animations ended, or are still to end."""
        if self.over.is_set():
            return False
        is_animated = await self._paint(most_ms=self._limits.ajax_s * 1000)
        await self._spend(budget_ms)
        return is_animated

    async def _paint(self, most_ms: float) -> bool:
        """Paint the page, with the end of animations of that length; whether there are any."""
        options: dict[str, object] = {"most": most_ms, "frames": self._limits.flatten_frames}
        return bool(await self._evaluate(PAINT.call(options)))

    async def _spend(self, budget_ms: float) -> None:
        """Let that much virtual time pass; it stops while the page awaits a response, and after.

        Timers that fire only after minutes, such as those that sign out, do not run.
        """
        self._budget_spent.clear()
        if self.over.is_set():
            return
        await self._call(
            "Emulation.setVirtualTimePolicy",
            {
                "policy": "pauseIfNetworkFetchesPending",
                "budget": budget_ms,
                "maxVirtualTimeTaskStarvationCount": 10_000,
            },
        )
        await self._budget_spent.wait()
