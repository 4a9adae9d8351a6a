"""A pytest plugin: a test that hangs shows where it does, and ends its process.

pytest's own `faulthandler_timeout` starts a thread for each test and waits for its end, which takes
ten milliseconds on a busy machine: minutes for a suite of many thousand tests. A timer of the
system costs a microsecond. Where there is none, nothing watches.
"""

import faulthandler
import signal
import sys
from collections.abc import Iterator
from typing import Final

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

LIMIT_S: Final = 300.0
"""For one test."""


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have SIGALRM show what each thread does, and then end the process, as it does by itself."""
    if sys.platform != "win32":
        stderr = config.stash[fault_handler_stderr_fd_key]
        faulthandler.register(signal.SIGALRM, file=stderr, all_threads=True, chain=True)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Let go of what pytest is about to close."""
    if sys.platform != "win32":
        faulthandler.unregister(signal.SIGALRM)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Set the timer for one test. Processes that it forks do not inherit it."""
    if sys.platform == "win32":
        return (yield)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
