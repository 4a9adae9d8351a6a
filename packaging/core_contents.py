"""Puts into gossamer-core what is made, not kept with the code: hatchling calls this.

That are the window's translations (messages are translated, too), axe-core from npm and, where
there is a C compiler, what Gossamer has in C. A source distribution holds the first two, so that a
wheel of it needs neither Qt nor a network.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RESOURCES = ("axe", "demo", "report", "translations")
"""The folders of `resources` that are used without a window; the others are gossamer's."""
_LEFT_OUT = {".ts", ".md"}
"""Suffixes of what only those read who work on Gossamer."""


class CoreContents(BuildHookInterface[Any]):
    """Makes the files before those of a distribution are collected."""

    def dependencies(self) -> list[str]:
        """What has Qt's lrelease, if there is something to translate."""
        texts = (Path(self.root) / "resources" / "translations").glob("*.ts")
        compiled = all(source.with_suffix(".qm").exists() for source in texts)
        return [] if compiled else ["PySide6-Essentials>=6.10.3,<6.12"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make those that are missing or old; an editable install is left to dev.py."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(__file__).parent))
        from axe_core import prepare_axe  # noqa: PLC0415 - found only now
        from translations import build_translations  # noqa: PLC0415 - found only now

        build_translations(Path(sys.executable))
        prepare_axe(Path(sys.executable), retry=True)
        if self.target_name == "wheel":
            build_data["force_include"] |= self._resources()
            self._add_library(build_data)

    def _resources(self) -> dict[str, str]:
        """Where each file of ours is, and where it lies in a wheel."""
        home = Path(self.root) / "resources"
        return {
            str(path): f"gossamer/resources/{path.relative_to(home).as_posix()}"
            for folder in RESOURCES
            for path in sorted((home / folder).rglob("*"))
            if path.is_file() and path.suffix not in _LEFT_OUT
        }

    def _add_library(self, build_data: dict[str, Any]) -> None:
        """Add what is in C, unless there is no compiler or $GOSSAMER_PURE is set."""
        from native_library import LIBRARY, build_native_library  # noqa: PLC0415 - found only now

        if os.environ.get("GOSSAMER_PURE") or not build_native_library():
            return
        # A library is for one system, and for every Python there.
        system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][str(LIBRARY)] = f"gossamer/extract/native/{LIBRARY.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{system}"
