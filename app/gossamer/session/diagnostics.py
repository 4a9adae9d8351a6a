"""Collects diagnostics for bug reports as one text without secrets."""

import json
import os
import platform
import shutil
import sys
from collections import deque
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

from gossamer import __version__
from gossamer.ipc.log_file import kept_logs
from gossamer.model.errors import KnownError
from gossamer.model.settings.limit_settings import MIB
from gossamer.session.default_paths import log_path
from gossamer.session.settings_file import settings_text
from gossamer.store.database import sqlite_version
from gossamer.store.project import stored_settings
from gossamer.store.reading.project_listing import glance

PACKAGES: Final = ("aiohttp", "uvloop", "winloop", "selectolax", "lxml", "PySide6-Essentials")
_LAST: Final = 20
_LONGEST: Final = 4000
_TAIL_BYTES: Final = 1_000_000


def diagnostics(project: Path | None = None) -> str:
    """Versions and system; of a project also its state, settings and the last errors of its log.

    Never raises for a faulty project: the text describes the fault.
    """
    sections = [_program()]
    if project is not None:
        sections += [_state(project), _settings(project), _errors(project)]
    return "\n".join(sections)


def _program() -> str:
    lines = [
        f"Gossamer {__version__}",
        f"Python {platform.python_version()}, SQLite {sqlite_version()}",
        f"{platform.platform()}, {os.cpu_count()} cores, {sys.getfilesystemencoding()}",
        *(f"{name} {version}" for name, version in _packages()),
        f"Reading pages in C: {_reading_in_c()}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _packages() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def _reading_in_c() -> str:
    try:
        from gossamer.extract.native_dom_walk import STATE  # noqa: PLC0415 - the window needs no parser
    except ImportError as e:
        return f"off ({e})"
    return STATE


def _state(project: Path) -> str:
    seen = glance(project)
    try:
        free = f"{shutil.disk_usage(project.parent).free // MIB:,} MiB free there"
    except OSError as e:
        free = f"{e.strerror}"
    if seen.trouble:
        return f"{seen.trouble}\n{free}\n"
    return (
        f"Project {project.name}: {seen.state}, {seen.known} URLs, {seen.queued} to do,"
        f" {seen.size_bytes} bytes, {free}\nHeld by {seen.held_by or 'nobody'}\n"
    )


def _settings(project: Path) -> str:
    try:
        return settings_text(stored_settings(project))
    except KnownError as e:  # such as a stored login that no longer fits the site
        return f"{e}\n"


def _errors(project: Path) -> str:
    """The last warnings and errors, and foreign lines, such as those of a crash."""
    try:
        log = log_path(project)
    except OSError as e:
        return f"There is no log ({e.strerror}).\n"
    last: deque[str] = deque(maxlen=_LAST)
    for file in reversed(kept_logs(log)):
        last.extend(line for line in _tail(file) if _is_trouble(line))
    found = "".join(f"{line[:_LONGEST]}\n" for line in last) or "nothing\n"
    return f"Last errors in {log}:\n{found}"


def _tail(file: Path) -> list[str]:
    try:
        with file.open("rb") as log:
            log.seek(max(0, file.stat().st_size - _TAIL_BYTES))
            return log.read().decode(errors="replace").splitlines()
    except OSError:
        return []


def _is_trouble(line: str) -> bool:
    try:
        level = json.loads(line).get("level")
    except (ValueError, AttributeError):
        return bool(line.strip())
    return level in {"warning", "error", "critical"}
