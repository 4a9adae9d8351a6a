"""Finds the version of a browser, and how to install one on this computer."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from gossamer.model.translatable import Sentence, Translatable
from gossamer.render.browser_discovery import BrowserProgram

_ROOT: Final = 0
_VERSION_S: Final = 10.0
_VERSION: Final = re.compile(r"[A-Z][A-Za-z ]*\d+(?:\.\d+){1,3}")

NO_BROWSER: Final[Sentence] = "No browser was found that can render pages."
INSTALL_YOURSELF: Final[Sentence] = (
    "Install Chrome, Chromium or Edge; Gossamer will find it by itself."
)
_PACKAGE: Final[Sentence] = "Package {package} (BSD licence)."
_PACKAGE_WITH_SIZE: Final[Sentence] = (
    "Package {package}: {download} MB to download, {installed} MB on disk (BSD licence)."
)


class BrowserPackage(Struct, frozen=True):
    """A package of the operating system that brings a browser; sizes in MB, 0 if not known."""

    name: str
    command: tuple[str, ...]
    """The command that installs it, run by root."""
    download_mb: int = 0
    installed_mb: int = 0

    @property
    def command_line(self) -> str:
        """The command as a user types it."""
        return " ".join(("sudo", *self.command))

    @property
    def said(self) -> Translatable:
        """The package with its size and licence."""
        if not self.download_mb:
            return Translatable(_PACKAGE, {"package": self.name})
        values = {"download": self.download_mb, "installed": self.installed_mb}
        return Translatable(_PACKAGE_WITH_SIZE, {"package": self.name, **values})


_APT: Final = ("apt-get", "install", "--yes")
_SHELL: Final = "chromium-headless-shell"
_UBUNTU: Final = "chromium-browser"
_PACKAGES: Final = {
    "ubuntu": BrowserPackage(_UBUNTU, (*_APT, _UBUNTU)),
    "debian": BrowserPackage(_SHELL, (*_APT, _SHELL), 96, 290),
}
"""By the family of systems. Sizes are of Debian 12, with what the package depends on."""


def os_release() -> Mapping[str, str]:
    """The os-release of a Linux system; empty if it has none."""
    try:
        return platform.freedesktop_os_release()
    except OSError:
        return {}


def browser_package(
    *,
    system: str = sys.platform,
    release: Callable[[], Mapping[str, str]] = os_release,
    which: Callable[[str], str | None] = shutil.which,
) -> BrowserPackage | None:
    """The package that provides a browser; None if none is known."""
    if system != "linux" or which(_APT[0]) is None:
        return None
    said = release()
    families = {said.get("ID", ""), *said.get("ID_LIKE", "").split()}
    return next((package for name, package in _PACKAGES.items() if name in families), None)


def graphical_command(
    package: BrowserPackage, *, which: Callable[[str], str | None] = shutil.which
) -> tuple[str, ...] | None:
    """The command that installs a package from a window, asking for a password; else None."""
    if hasattr(os, "geteuid") and os.geteuid() == _ROOT:
        return package.command
    asks = which("pkexec")
    return None if asks is None else (asks, *package.command)


def version_of(program: BrowserProgram) -> str:
    """Such as "Chromium 156.0.8078.79"; "" if the program does not say within ten seconds."""
    try:
        told = subprocess.run(  # noqa: S603 - a browser that was found, or that a user named
            [program.path, "--version"],
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=_VERSION_S,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = _VERSION.search(told.decode("utf-8", "replace"))
    return found[0] if found else ""
