"""The processes that the program has started, as the tests see them."""

import psutil

from tests.fakes.preloaded import PRELOADED

_SERVERS = frozenset({"nginx", "Xvfb", PRELOADED})
"""Started by fixtures, and kept for several tests."""


def child_processes(*, recursive: bool = True) -> list[psutil.Process]:
    """The descendants of this process, or its children alone, without servers of fixtures.

    Zombies count.
    """
    children = psutil.Process().children(recursive=recursive)
    return [child for child in children if _name_of(child) not in _SERVERS]


def _name_of(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.NoSuchProcess:
        return ""
