"""Handles Ctrl+C and other interrupts: SIGINT, SIGTERM, SIGHUP, Ctrl+Break on Windows."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

BOUNCE_S: Final = 0.5
"""Interrupts within this many seconds count as one: `timeout` signals both the program and its
process group, and keys bounce.
"""

Clock = Callable[[], float]


def _interrupting() -> list[signal.Signals]:
    """The signals that request an orderly end.

    SIGINT counts even if it was ignored at start, as for background jobs of a script: it is always
    sent on purpose. An ignored SIGHUP does not: `nohup` wants the program to continue.
    """
    found = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGBREAK"):
        found.append(signal.SIGBREAK)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        found.append(signal.SIGHUP)
    return found


@contextmanager
def calling_on_interrupt(act: Callable[[], None], clock: Clock = time.monotonic) -> Iterator[None]:
    """While the block runs, each interrupt calls `act` on the running loop, in the main thread."""
    loop = asyncio.get_running_loop()
    act = _once_a_while(act, clock)
    signals = _interrupting()
    try:
        for number in signals:
            loop.add_signal_handler(number, act)
    except NotImplementedError:  # Windows
        with _handled(lambda _number, _frame: loop.call_soon_threadsafe(act)):
            yield
        return
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


@contextmanager
def noting_interrupt(clock: Clock = time.monotonic) -> Iterator[Callable[[], bool]]:
    """While the block runs, an interrupt is noted; yields a function that reports it.

    For code without a loop, in the main thread. A second interrupt raises KeyboardInterrupt.
    """
    noted = False

    def note() -> None:
        nonlocal noted
        if noted:
            raise KeyboardInterrupt
        noted = True

    noting = _once_a_while(note, clock)
    with _handled(lambda _number, _frame: noting()):
        yield lambda: noted


@contextmanager
def raising_on_interrupt() -> Iterator[None]:
    """While the block runs, Ctrl+C raises KeyboardInterrupt there, in the main thread.

    For a coroutine that asks the user something, for which its loop waits: otherwise `asyncio`
    cancels the coroutine, which learns of it once the user has answered.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _once_a_while(act: Callable[[], None], clock: Clock) -> Callable[[], None]:
    """`act`, called at most once per BOUNCE_S."""
    last_s: float | None = None

    def act_unless_bounced() -> None:
        nonlocal last_s
        now_s = clock()
        if last_s is None or now_s - last_s >= BOUNCE_S:
            last_s = now_s
            act()

    return act_unless_bounced


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in _interrupting()}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, signal.SIG_DFL if previous is None else previous)
