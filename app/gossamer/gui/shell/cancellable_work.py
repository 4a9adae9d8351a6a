"""Does long work on a thread, and shows its progress in a message, with a button to cancel it."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from gossamer.gui.text.local_formatting import translator
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn

_T = TypeVar("_T")
ThreadWork: TypeAlias = Callable[[Callable[[int, int], None], Callable[[], bool]], _T]
"""Called on the thread with a callback for progress, and one that reports cancellation."""
_tr = translator("ThreadWork")


async def run_with_message(
    messages: MessageColumn, subject: str, shown: Callable[[int], str], work: ThreadWork[_T]
) -> _T:
    """The result of `work`; a message about `subject`, `shown` for a percentage, ends with it.

    Raises what the work raises, such as its exception for being cancelled. Cancelling this task
    cancels the work.
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
