"""Takes screenshots of a page: of its first screen, or from top to end."""

from base64 import b64decode
from collections.abc import Awaitable
from typing import Any, Final, Protocol

from gossamer.model.messages.stored_page_messages import FullPageScreenshot, ScreenshotLink
from gossamer.render.devtools_connection import Params
from gossamer.render.page_scripts import PIXELS, PageScript, returned

_SCREENSHOT_QUALITY: Final = 70
_FULL_PAGE_QUALITY: Final = 85
_STRIP_HEIGHT: Final = 1_000
"""CSS pixels: a strip is decoded in some milliseconds."""
_MOST_HEIGHT: Final = 20_000
_MOST_BYTES: Final = 24 * 1024 * 1024
_MOST_LINKS: Final = 3_000

_LINKS: Final = PageScript(
    """
function (options) {
  const pixels = """
    + PIXELS
    + """, found = [], here = location.href.split('#')[0];
  const below = window.scrollY, beside = window.scrollX;
  for (const link of document.querySelectorAll('a[href], area[href]')) {
    const url = String(link.href);
    if (!/^https?:/.test(url) || url.length > 4000) continue;
    let place = -1;
    if (link.hash && url.split('#')[0] === here) {
      let name = link.hash.slice(1);
      try { name = decodeURIComponent(name); } catch {}
      const target = document.getElementById(name) || document.getElementsByName(name)[0];
      if (target) place = Math.max(0, pixels(target.getBoundingClientRect().top + below));
    }
    for (const box of link.getClientRects()) {
      if (found.length >= options.most) return found;
      const width = pixels(box.width), height = pixels(box.height);
      if (width < 1 || height < 1) continue;
      found.push([pixels(box.left + beside), pixels(box.top + below), width, height, url, place]);
    }
  }
  return found;
}
"""
)
"""The visible links, with their boxes. Options: `most`."""


class _Call(Protocol):
    def __call__(self, method: str, params: Params | None = None) -> Awaitable[Params]: ...


class _Evaluate(Protocol):
    def __call__(self, script: str) -> Awaitable[Any]: ...


async def screenshot(call: _Call) -> bytes:
    """The first screen of the page, as a JPEG file. Raises DevtoolsError."""
    return await _captured(call, {"quality": _SCREENSHOT_QUALITY})


async def whole_page(
    call: _Call, evaluate: _Evaluate, width: int, scale: float
) -> FullPageScreenshot:
    """The page from top to end, `width` CSS pixels across. Raises DevtoolsError.

    The height of the screen stays the same, so that elements sized by it do not become as high as
    the page.
    """
    size = (await call("Page.getLayoutMetrics"))["cssContentSize"]
    height = max(1, round(size["height"]))
    links = returned(await evaluate(_LINKS.call({"most": _MOST_LINKS})), list[ScreenshotLink])
    strips: list[bytes] = []
    shown, room = 0, _MOST_BYTES
    while shown < min(height, _MOST_HEIGHT) and room > 0:
        high = min(_STRIP_HEIGHT, height - shown, _MOST_HEIGHT - shown)
        clip = {"x": 0, "y": shown, "width": width, "height": high, "scale": scale}
        beyond = {"quality": _FULL_PAGE_QUALITY, "captureBeyondViewport": True, "clip": clip}
        strips.append(await _captured(call, beyond))
        shown, room = shown + high, room - len(strips[-1])
    return FullPageScreenshot(width, shown, _STRIP_HEIGHT, strips, links, is_cut=shown < height)


async def _captured(call: _Call, request: Params) -> bytes:
    taken = await call(
        "Page.captureScreenshot", {"format": "jpeg", "optimizeForSpeed": True, **request}
    )
    return b64decode(taken["data"])
