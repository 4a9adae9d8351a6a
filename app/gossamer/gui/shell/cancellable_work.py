"""Does long work on a thread, and shows in a message how far it is, with a button to cancel it."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from gossamer.gui.text.local_formatting import translator
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn

_T = TypeVar("_T")
ThreadWork: TypeAlias = Callable[[Callable[[int, int], None], Callable[[], bool]], _T]
"""Is called on the thread with whom to tell how far it is, and what says that it is cancelled."""
_tr = translator("ThreadWork")


async def run_with_message(
    messages: MessageColumn, subject: str, shown: Callable[[int], str], work: ThreadWork[_T]
) -> _T:
    """What `work` returns; a message about `subject`, `shown` for a percentage, ends with it.

    Raises what the work raises, such as its exception for being cancelled. Whoever cancels this
    task cancels the work.
    """
    given_up = threading.Event()
    loop = asyncio.get_running_loop()
    last = -1

    def show(percent: int) -> None:
        if not given_up.is_set():
            cancel = MessageButton(_tr("Cancel"), given_up.set)
            messages.tell(subject, "info", shown(percent), cancel)

    def progress(done: int, of: int) -> None:
        nonlocal last
        percent = done * 100 // max(of, 1)
        if percent != last:
            last = percent
            loop.call_soon_threadsafe(show, percent)

    show(0)
    try:
        return await asyncio.to_thread(work, progress, given_up.is_set)
    finally:
        given_up.set()
        messages.withdraw(subject)
