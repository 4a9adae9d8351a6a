"""The real browser of this computer, for tests that render pages."""

from typing import Final

import pytest

from gossamer.render.browser_discovery import find_browsers

NEEDS_BROWSER: Final = pytest.mark.skipif(
    not find_browsers(),
    reason="needs a Chromium, Chrome or Edge (the Debian package chromium-headless-shell)",
)
"""Skips a test where there is none."""
