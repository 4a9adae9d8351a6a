"""Has notifications decided and delivered by a process of their own, for the window.

The process goes on when the window is closed: it has its own time limits.
"""

import asyncio
import logging
import subprocess
from pathlib import Path
from typing import Final

from gossamer.ipc.process_start import program_command
from gossamer.model.errors import KnownError
from gossamer.notifying.conditions import EndKind
from gossamer.notifying.crawl_notification import rules_about
from gossamer.notifying.deliveries import default_outbox
from gossamer.store.outbox_file import DeliveryState

_LOOK_EVERY_S: Final = 0.5
_log = logging.getLogger(__name__)


async def notify_in_background(project: Path, ending: EndKind) -> None:
    """Tell of a crawl that has ended, if there are rules for it; returns when that is done."""
    if await asyncio.to_thread(_has_rules, project):
        await _run("about", str(project), "--ending", ending)


async def deliver_in_background() -> None:
    """Deliver what is due, if anything waits."""
    if await asyncio.to_thread(_has_waiting):
        await _run("deliver")


def _has_rules(project: Path) -> bool:
    try:
        return bool(rules_about(project)[1])
    except KnownError as e:  # the window has told what is wrong with the project, or will
        _log.warning("no notification: %s", e)
        return False


def _has_waiting() -> bool:
    try:
        return bool(default_outbox().messages(DeliveryState.WAITING))
    except KnownError as e:
        _log.warning("nothing delivered: %s", e)
        return False


async def _run(*words: str) -> None:
    try:
        process = subprocess.Popen(  # noqa: ASYNC220, S603 - Qt's loop starts no processes; it is ours
            [*program_command(), "notify", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as e:
        _log.warning("no notification: %s", e)
        return
    try:
        while process.poll() is None:  # noqa: ASYNC110 - no event tells when it ends
            await asyncio.sleep(_LOOK_EVERY_S)
    finally:
        if process.returncode is None:  # it goes on without us
            process.returncode = 0
