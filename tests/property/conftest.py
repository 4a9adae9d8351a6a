"""What holds for all properties."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_MEMORY = Path("/dev/shm")  # noqa: S108 - folders in it are made by `tempfile`


@pytest.fixture(scope="session", autouse=True)
def _files_in_memory() -> Iterator[None]:
    """Make temporary projects where no commit waits for a disk, if there is such a place.

    Each example has a project of its own and commits to it dozens of times.
    """
    with pytest.MonkeyPatch.context() as patch:
        if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK):
            patch.setattr(tempfile, "tempdir", str(_MEMORY))
        yield
