"""How far a search index has come."""

from typing import NamedTuple


class IndexProgress(NamedTuple):
    """How many blocks of texts are entered, of how many; `is_remade` as the index was damaged."""

    done: int
    total: int
    is_remade: bool = False

    @property
    def percent(self) -> int:
        """How much is entered."""
        return 100 * self.done // max(self.total, 1)
