"""A lock on a folder of ours: changing its files waits while one of them is replaced.

SQLite has those wait for each other who write one file. It knows nothing of somebody who puts
another file in its place: what is written into the old one meanwhile would be lost.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gossamer.store.locking.lock_file import NO_LOCKS_HERE, open_lock_file, try_lock

LOCK_NAME: Final = ".lock"
_WAIT_S: Final = 10.0
_TRY_EVERY_S: Final = 0.01


@contextmanager
def locked_folder(folder: Path, *, shared: bool = False, name: str = LOCK_NAME) -> Iterator[None]:
    """Inside, hold the lock of a folder: alone, or with others for whom it is `shared`.

    Another `name` is another lock: for some of its files.

    Waits for others; TimeoutError after 10 seconds, OSError if the lock file cannot be made. Where
    the file system knows no locks, nothing is locked. The lock file stays, empty: nobody could tell
    for sure that nobody waits for it.
    """
    descriptor = open_lock_file(folder / name)
    try:
        _wait_for(descriptor, shared=shared)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, *, shared: bool) -> None:
    until_s = time.monotonic() + _WAIT_S
    while True:
        try:
            try_lock(descriptor, shared=shared)
        except (BlockingIOError, PermissionError) as e:  # which Windows says of a locked file
            if time.monotonic() > until_s:
                raise TimeoutError(e.errno, "another program uses it") from e
            time.sleep(_TRY_EVERY_S)
            continue
        except OSError as e:
            if e.errno not in NO_LOCKS_HERE:
                raise
        return
