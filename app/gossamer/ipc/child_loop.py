"""Runs the asyncio event loop of crawl hosts and page workers."""

import asyncio
import faulthandler
import gc
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from gossamer.ipc.child_connection import ParentGoneError
from gossamer.ipc.child_log import log_as_json

if sys.platform == "win32":
    import winloop as fast_loop
else:
    import uvloop as fast_loop


_COLLECT_AFTER: Final = 10_000
"""New objects of a child, until Python looks for garbage."""
HOST_COLLECTS_AFTER: Final = 30_000
"""Those of a crawl host. The results that wait for a commit are a third of them. With fewer, all
their texts and links are looked at every 400 pages, and in a crawl of 4,400 none was garbage."""


def run_child(
    main: Callable[[], Coroutine[Any, Any, int]], *, collect_after: int = _COLLECT_AFTER
) -> int:
    """Run a child's main coroutine on the fastest available loop; returns its exit code.

    Garbage is looked for after so many new objects.

    The log goes to standard error. A child that its parent abandons ends quietly. The process must
    then leave by `os._exit`.
    """
    faulthandler.enable()
    log_as_json()
    _collect_seldom(collect_after)
    runner = asyncio.Runner(loop_factory=_loop_factory())
    code = 0
    try:
        try:
            code = runner.run(main())
        except* ParentGoneError:  # a task group of `main` may have wrapped it
            pass
        # The loop stays open: closing it would wait for names that are being looked up, which
        # takes as long as a name server is silent.
        loop = runner.get_loop()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    except BaseException:
        runner.close()
        raise
    return code


@contextmanager
def ending_within(limit_s: float) -> Iterator[None]:
    """End the process if the block takes longer, with a traceback on standard error.

    The block keeps the loop from noticing that the shell is gone; and a regular expression at work
    blocks every thread.
    """
    faulthandler.dump_traceback_later(limit_s, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _collect_seldom(objects: int) -> None:
    """Collect garbage less often than after every 700 objects, and not among the imports.

    A batch of results is thousands of objects with hardly a cycle: with the usual threshold the
    crawl host spent a tenth of its time collecting.
    """
    gc.freeze()
    gc.set_threshold(objects)
    gc.enable()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    factory: Callable[[], asyncio.AbstractEventLoop] = fast_loop.new_event_loop
    return factory
