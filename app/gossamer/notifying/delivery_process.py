"""Has notifications decided and delivered by a separate process, for the window.

The process continues when the window is closed: it has its own time limits. The window shows
notifications for the desktop, if it can: see `window_delivery`.
"""

import asyncio
import logging
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Final, TypeAlias

import msgspec

from gossamer.ipc.process_start import program_command
from gossamer.model.errors import KnownError, ProjectError, UsageError
from gossamer.notifying.channels import DesktopChannel
from gossamer.notifying.conditions import EndKind
from gossamer.notifying.crawl_notification import rules_about
from gossamer.notifying.outbox_delivery import default_outbox
from gossamer.notifying.rule_store import EnabledRules
from gossamer.notifying.window_delivery import WindowNotification
from gossamer.store.notification_outbox import DeliveryState

_LOOK_EVERY_S: Final = 0.5
_log = logging.getLogger(__name__)


Show: TypeAlias = Callable[[str, str], None]
"""Shows a notification: title and text."""


async def notify_in_background(project: Path, ending: EndKind, show: Show | None = None) -> None:
    """Notify about a crawl that has ended, if there are rules for it; returns when done.

    UsageError if rules are invalid, or cannot be read; the valid ones have notified all the same.
    """
    enabled = await asyncio.to_thread(_rules, project)
    if enabled.rules:
        await _run(show, "about", str(project), "--ending", ending)
    for problem in enabled.problems:  # the list of rules has the others
        raise UsageError(problem)


async def tells_desktop(project: Path) -> bool:
    """Whether some rule for a crawl may show a notification on the desktop."""
    try:
        enabled = await asyncio.to_thread(_rules, project)
    except UsageError:  # `notify_in_background` raises it, too
        return False
    return any(isinstance(each, DesktopChannel) for rule in enabled.rules for each in rule.channels)


async def deliver_in_background(show: Show | None = None) -> None:
    """Deliver what is due, if anything waits."""
    if await asyncio.to_thread(_has_waiting):
        await _run(show, "deliver")


def _rules(project: Path) -> EnabledRules:
    """UsageError if the rules cannot be read."""
    try:
        return rules_about(project)[1]
    except ProjectError as e:  # the window has reported what is wrong with the project, or will
        _log.warning("no notification: %s", e)
        return EnabledRules(())


def _has_waiting() -> bool:
    try:
        return bool(default_outbox().messages(DeliveryState.WAITING))
    except KnownError as e:
        _log.warning("nothing delivered: %s", e)
        return False


async def _run(show: Show | None, *words: str) -> None:
    more = () if show is None else ("--in-window",)
    try:
        process = subprocess.Popen(  # noqa: ASYNC220, S603 - it outlives the loop; the command is ours
            [*program_command(), "notify", *words, *more],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if show is None else subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as e:
        _log.warning("no notification: %s", e)
        return
    reader: threading.Thread | None = None
    if show is not None and process.stdout is not None:
        reading = partial(_read, process.stdout, asyncio.get_running_loop(), show)
        # A daemon: closing the window waits for nothing.
        reader = threading.Thread(target=reading, name="notifications to show", daemon=True)
        reader.start()
    try:
        while process.poll() is None:  # noqa: ASYNC110 - no event tells when it ends
            await asyncio.sleep(_LOOK_EVERY_S)
        if reader is not None:  # whatever follows knows what was shown
            await asyncio.to_thread(reader.join)
    finally:
        if process.returncode is None:  # it continues without us
            process.returncode = 0


def _read(lines: IO[bytes], loop: asyncio.AbstractEventLoop, show: Show) -> None:
    """Have each notification shown in the loop, until the process ends or the loop is over."""
    with lines, suppress(RuntimeError):  # the loop is closed
        for line in lines:
            try:
                shown = msgspec.json.decode(line, type=WindowNotification)
            except msgspec.MsgspecError as e:
                _log.warning("no notification: %s", e)
                continue
            loop.call_soon_threadsafe(show, shown.title, shown.text)
