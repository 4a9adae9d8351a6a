"""Puts the window's translations into a wheel: hatchling calls this when it builds one.

The .qm files are not kept with the code, and a fresh checkout has none.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TranslationsHook(BuildHookInterface[Any]):
    """Makes the .qm files before the files of a wheel are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make those that are missing or old; an editable install is left to dev.py."""
        del build_data
        if version == "editable":
            return
        sys.path.insert(0, str(Path(__file__).parent))
        from translations import build_translations  # noqa: PLC0415 - found only now

        build_translations(Path(sys.executable))
