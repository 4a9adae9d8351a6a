"""Whether axe-core is there, for tests that need it."""

from typing import Final

import pytest

from gossamer.render.accessibility_check import axe_source


def _is_there() -> bool:
    try:
        axe_source()
    except FileNotFoundError:
        return False
    return True


NEEDS_AXE: Final = pytest.mark.skipif(
    not _is_there(), reason="needs axe-core, which `packaging/dev.py setup` takes from npm"
)
"""Skips a test where it is not."""
