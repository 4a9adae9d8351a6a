"""The event loop of the host and the page workers."""

import asyncio
import faulthandler
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from app.host.log import log_as_json


def run_child(main: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Run a child's main coroutine on the fastest loop there is; its exit code.

    The log goes to standard error; the session points that at a file.
    """
    faulthandler.enable()
    log_as_json()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(main())


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    if sys.platform == "win32":
        import winloop  # noqa: PLC0415  # there is only the one of this platform

        factory: Callable[[], asyncio.AbstractEventLoop] = winloop.new_event_loop
        return factory
    import uvloop  # noqa: PLC0415  # there is only the one of this platform

    return uvloop.new_event_loop
