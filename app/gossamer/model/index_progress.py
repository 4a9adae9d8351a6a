"""How far a search index has come, and who is to build it."""

import enum
from typing import NamedTuple


class Indexing(enum.Enum):
    """What a search does if very many texts are not in the index yet."""

    ITSELF = enum.auto()
    """It enters them, which may take minutes."""
    ELSEWHERE = enum.auto()
    """It ends with IndexBehindError: another process is to enter them."""
    REFUSED = enum.auto()
    """It ends with a UsageError: that was cancelled."""


class IndexBehindError(Exception):
    """A search has to wait until another process has entered the texts that the index lacks."""


class IndexProgress(NamedTuple):
    """How many blocks of texts are entered, of how many; `is_remade` if the index was damaged."""

    done: int
    total: int
    is_remade: bool = False

    @property
    def percent(self) -> int:
        """How much is entered."""
        return 100 * self.done // max(self.total, 1)
