"""The sentences that say why a disk or its file cannot be used."""

import errno
from pathlib import Path
from typing import Final

from gossamer.model.errors import DiskError
from gossamer.model.translatable import Sentence

DISK_FULL: Final[Sentence] = "The disk with {path} is full; free some space."
READ_ONLY: Final[Sentence] = "{path} cannot be written; check its permissions or copy it."
UNREADABLE: Final[Sentence] = "{path} cannot be read or written; check its disk."
MISSING: Final[Sentence] = "{path} is missing; put it back, or reconnect its disk."
_SENTENCES: Final[dict[int, Sentence]] = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.ENOENT: MISSING,
}


def disk_error(path: Path, problem: OSError) -> DiskError:
    """What to say of a file or folder that the disk refuses."""
    sentence = _SENTENCES.get(problem.errno or 0, UNREADABLE)
    return DiskError(sentence, path=path)
