"""Finds the files that can be rebuilt at any time and have not been used for long."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

KEPT_S: Final = 14 * 86_400.0
"""How long such a file stays. Whoever uses one sets its time (os.utime)."""


def stale_files(folder: Path, pattern: str) -> Iterator[Path]:
    """Those of the files of a folder that match `pattern`, and are to be removed."""
    before = time.time() - KEPT_S
    for each in folder.glob(pattern):
        with suppress(OSError):
            if each.stat().st_mtime < before:
                yield each
