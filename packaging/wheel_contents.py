"""Puts into a wheel what is made, not kept with the code: hatchling calls this when it builds one.

That are the window's translations, axe-core from npm, what desktops look for and, where there
is a C compiler, what Gossamer has in C.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ContentsHook(BuildHookInterface[Any]):
    """Makes the files before those of a wheel are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make those that are missing or old; an editable install is left to dev.py."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(__file__).parent))
        from axe_core import prepare_axe  # noqa: PLC0415 - found only now
        from desktop_files import write_desktop_files  # noqa: PLC0415 - found only now
        from native_library import LIBRARY, build_native_library  # noqa: PLC0415 - found only now
        from translations import build_translations  # noqa: PLC0415 - found only now

        build_translations(Path(sys.executable))
        prepare_axe(Path(sys.executable), retry=True)
        prefix = Path(self.root) / "build" / "desktop"
        for path in write_desktop_files(prefix):
            build_data.setdefault("shared_data", {})[str(path)] = path.relative_to(
                prefix
            ).as_posix()
        if not build_native_library():
            return
        # A library is for one system, and for every Python there.
        system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        inside = LIBRARY.relative_to(self.root).as_posix()
        build_data["force_include"][str(LIBRARY)] = inside
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{system}"
