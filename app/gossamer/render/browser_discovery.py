"""Finds a browser that can render pages: a Chromium of any make that the system has."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Final

from msgspec import Struct

from gossamer.model.errors import UsageError


class BrowserKind(Enum):
    """What a program can do besides rendering."""

    HEADLESS_SHELL = "headless shell"
    """Has no window, starts quickly, makes no requests of its own."""
    FULL = "browser"
    """A browser for people, which can also run without a window."""


class BrowserProgram(Struct, frozen=True):
    """An installed browser."""

    path: str
    kind: BrowserKind

    @property
    def has_window(self) -> bool:
        """Whether a user can log in with it."""
        return self.kind is BrowserKind.FULL


_SHELLS: Final = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
_FULL: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "brave-browser",
)
_MAC_APPLICATIONS: Final = (
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)


def find_browsers(
    chosen: str = "",
    *,
    system: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
    which: Callable[[str], str | None] = shutil.which,
    exists: Callable[[Path], bool] = Path.is_file,
) -> list[BrowserProgram]:
    """The browsers that this computer has, the best for rendering first.

    `chosen` is the path or the name of a program that a user chose: then there is no other.
    UsageError if there is no such program, or no browser can be started on this system.
    """
    if system == "win32":
        raise UsageError(
            "On Windows, Gossamer cannot start a browser yet; it does so on Linux and macOS."
        )
    if chosen:
        path = which(chosen)
        if path is None:
            raise UsageError(
                "There is no browser {path}. Name the program of a Chromium, Chrome or Edge, or"
                " nothing to use the one of this computer.",
                path=chosen,
            )
        return [BrowserProgram(path, _kind_of(path))]
    named = (
        BrowserProgram(path, _kind_of(path)) for path in filter(None, map(which, _SHELLS + _FULL))
    )
    placed = (
        BrowserProgram(str(place), BrowserKind.FULL)
        for place in _locations(system, environment)
        if exists(place)
    )
    return list(dict.fromkeys([*named, *placed]))


def _kind_of(path: str) -> BrowserKind:
    """What a program is, by its name."""
    name = Path(path).name.lower()
    return BrowserKind.HEADLESS_SHELL if "headless" in name else BrowserKind.FULL


def _locations(system: str, environment: Mapping[str, str]) -> Iterator[Path]:
    """Where browsers outside PATH are installed."""
    if system == "darwin":
        for folder in (Path("/Applications"), Path(environment.get("HOME", "/")) / "Applications"):
            yield from (folder / application for application in _MAC_APPLICATIONS)
