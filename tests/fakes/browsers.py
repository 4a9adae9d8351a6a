"""The real browsers of this computer, for tests that render pages."""

from typing import Final

import pytest

from gossamer.render.browser_discovery import BrowserKind, BrowserProgram, find_browsers

_FOUND: Final = find_browsers()

NEEDS_BROWSER: Final = pytest.mark.skipif(
    not _FOUND,
    reason="needs a Chromium, Chrome or Edge (the Debian package chromium-headless-shell)",
)
"""Skips a test where there is none."""
NEEDS_FULL_BROWSER: Final = pytest.mark.skipif(
    not any(each.kind is BrowserKind.FULL for each in _FOUND),
    reason="needs a Chromium, Chrome or Edge with windows (the Debian package chromium)",
)
"""Skips a test where there is at most a headless shell."""


def browser() -> BrowserProgram:
    """The browser that pages are rendered with."""
    return _FOUND[0]


def full_browser() -> BrowserProgram:
    """A browser for people."""
    return next(each for each in _FOUND if each.kind is BrowserKind.FULL)
