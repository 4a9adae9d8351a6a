"""Distinguishes a cancelled task from one whose awaited result Dask has given up.

Dask raises CancelledError too: of a task whose scheduler or worker it has lost. To asyncio that
would look like a cancellation of our task, which a task group accepts silently.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


def raise_if_cancelled() -> None:
    """Raise CancelledError if the running task is to end.

    A task group of Python 3.11 forgets that when one of its tasks fails at that moment.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


@contextmanager
def given_up_is_lost() -> Iterator[None]:
    """Within this, what Dask gives up raises OSError; real cancellation still works."""
    try:
        yield
    except asyncio.CancelledError as e:
        raise_if_cancelled()
        raise OSError("Dask has given up a call") from e
