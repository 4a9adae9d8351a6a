"""Runs `gossamer browser`: which browsers can render pages, and how to install one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from gossamer.cli import EXIT_NO_BROWSER
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.parsed_commands import BrowserCommand
from gossamer.cli.terminal import complain, printable, remark, write_out
from gossamer.render.browser_discovery import BrowserProgram, find_browsers
from gossamer.render.browser_installation import (
    INSTALL_YOURSELF,
    NO_BROWSER,
    BrowserPackage,
    browser_package,
    version_of,
)

_ROOT: Final = 0
_RENDERS: Final = "renders pages"
_LOGS_IN: Final = "can log in"


def _run(command: Sequence[str]) -> int:
    return subprocess.run(command, check=False).returncode  # noqa: S603 - told before


def _as_root() -> tuple[str, ...] | None:
    """The prefix by which root runs a command; None if nobody may."""
    if hasattr(os, "geteuid") and os.geteuid() == _ROOT:
        return ()
    has_sudo = shutil.which("sudo") is not None and sys.stdin.isatty()
    return ("sudo",) if has_sudo else None


class Installer(Struct, frozen=True):
    """Finds browsers, and installs one."""

    find: Callable[[], list[BrowserProgram]] = find_browsers
    package: Callable[[], BrowserPackage | None] = browser_package
    version: Callable[[BrowserProgram], str] = version_of
    as_root: Callable[[], tuple[str, ...] | None] = _as_root
    run: Callable[[Sequence[str]], int] = _run


def show_browsers(command: BrowserCommand, installer: Installer | None = None) -> int:
    """Run `gossamer browser` and return the exit code."""
    installer = installer or Installer()
    found = installer.find()
    package = installer.package()
    if not found and command.install and package is not None:
        _install(package, installer)
        found = installer.find()
    if command.json:
        write_out(as_json(_report(found, package, installer)))
    elif found:
        write_out(_listing(found, installer))
    else:
        _advise(package)
    return 0 if found else EXIT_NO_BROWSER


def _install(package: BrowserPackage, installer: Installer) -> None:
    begins = installer.as_root()
    if begins is None:
        return
    remark(str(package.said))
    command = (*begins, *package.command)
    remark(" ".join(command))
    if installer.run(command):
        complain(
            "The package was not installed; what is above says why. If a file was not found, run "
            "'apt-get update' as root, then try again."
        )


def _advise(package: BrowserPackage | None) -> None:
    complain(NO_BROWSER)
    if package is None:
        remark(INSTALL_YOURSELF)
    else:
        remark(str(package.said))
        remark(f"    {package.command_line}")


def _uses(found: Sequence[BrowserProgram]) -> list[list[str]]:
    """What each browser is used for: the first renders, the first with a window logs in."""
    logs_in = next((program for program in found if program.has_window), None)
    return [
        [_RENDERS] * (program is found[0]) + [_LOGS_IN] * (program is logs_in) for program in found
    ]


def _listing(found: Sequence[BrowserProgram], installer: Installer) -> str:
    lines = [
        (program.path, installer.version(program) or "version unknown", ", ".join(uses))
        for program, uses in zip(found, _uses(found), strict=True)
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(2)]
    text = ""
    for path, version, uses in lines:
        line = f"{path:<{widths[0]}}  {version:<{widths[1]}}  {uses}"
        text += f"{printable(line.rstrip())}\n"
    if not any(program.has_window for program in found):
        text += "None of them has a window to log in with: install Chrome, Chromium or Edge.\n"
    return text


def _report(
    found: Sequence[BrowserProgram], package: BrowserPackage | None, installer: Installer
) -> dict[str, object]:
    browsers = [
        {
            "path": program.path,
            "kind": program.kind.value,
            "version": installer.version(program),
            "renders": _RENDERS in uses,
            "logs_in": _LOGS_IN in uses,
        }
        for program, uses in zip(found, _uses(found), strict=True)
    ]
    install = None if package is None else list(package.command)
    return {"browsers": browsers, "install_command": install}
