"""The processes that the program has started, as the tests see them."""

import psutil

from tests.fakes.preloaded import PRELOADED

_SERVERS = frozenset({"nginx", "Xvfb", PRELOADED})
"""Started by fixtures, and kept for several tests."""


def child_processes() -> list[psutil.Process]:
    """The living descendants of this process; zombies count, servers of fixtures do not."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if _name_of(child) not in _SERVERS]


def _name_of(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.NoSuchProcess:
        return ""
