"""The screen on which a page is shown: that of its device, or one as high as the page."""

from collections.abc import Awaitable
from typing import Any, Final, Protocol

from gossamer.render.devtools_connection import Params
from gossamer.render.rendered_page import RenderLimits

MOST_HIGH: Final = 8_192
"""How many CSS pixels of a page are shown at once. Search engines show some 9,000 to 12,000."""
FLUSH_MS: Final = 1_000
"""The extra time that a page gets after its scripts have had theirs."""
ROUNDS: Final = 4
"""A page that waits to be scrolled gets that time in this many parts, and is painted before each.

The first part is before the screen grows: so scripts are told in two calls what was in view until
then, and what is now; many read only the first entry of a call. In the others they paint, wait and
fetch."""
_SCROLL: Final = "window.scrollTo(0, {place})"


class _Call(Protocol):
    def __call__(self, method: str, params: Params | None = None) -> Awaitable[Params]: ...


class _Look(Protocol):
    def __call__(self, script: str) -> Awaitable[Any]: ...


class EmulatedScreen:
    """The screen of one page."""

    def __init__(self, call: _Call, look: _Look, limits: RenderLimits) -> None:
        """`look` runs a script of ours in the page."""
        self._call = call
        self._look = look
        self._limits = limits
        self._is_grown = False

    @property
    def usual(self) -> Params:
        """The screen of the device, as `Emulation.setDeviceMetricsOverride` takes it."""
        return self._of_height(self._limits.height)

    async def scroll(self) -> None:
        """Scroll the page to its end, as on the device."""
        await self._look(_SCROLL.format(place=10**6))

    async def grow(self) -> None:
        """Show much of the page at once, as search engines do.

        Scripts then show what they defer until somebody scrolls there. The page is scrolled to its
        end, too: it may begin with something as high as the screen.
        """
        self._is_grown = True
        await self._show(self._of_height(MOST_HIGH))
        await self.scroll()

    async def shrink(self) -> None:
        """Show it as on the device again, for its screenshots and its layout."""
        if self._is_grown:
            self._is_grown = False
            await self._show(self.usual)
            await self._look(_SCROLL.format(place=0))

    def _of_height(self, height: int) -> Params:
        return {
            "width": self._limits.width,
            "height": height,
            "screenWidth": self._limits.width,
            "screenHeight": self._limits.height,
            "deviceScaleFactor": 1,
            "mobile": self._limits.is_mobile,
        }

    async def _show(self, screen: Params) -> None:
        await self._call("Emulation.setDeviceMetricsOverride", screen)
