"""The event loop of the host and the page workers, and how they write their log."""

import asyncio
import faulthandler
import logging
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import structlog


def run_child(main: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Run a child's main coroutine on the fastest loop there is; its exit code.

    The log goes to standard error, one JSON object a line; the session points that at a file.
    """
    faulthandler.enable()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(main())


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    if sys.platform == "win32":
        import winloop  # noqa: PLC0415  # there is only the one of this platform

        factory: Callable[[], asyncio.AbstractEventLoop] = winloop.new_event_loop
        return factory
    import uvloop  # noqa: PLC0415  # there is only the one of this platform

    return uvloop.new_event_loop
