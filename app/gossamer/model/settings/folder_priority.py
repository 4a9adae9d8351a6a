"""The crawl priority of folders: as found, held, or first."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct


class QueuePriority(StrEnum):
    """When the URLs of a folder get their turn."""

    USUAL = "usual"
    """In the order in which they are found: for a folder within one that is held back."""
    HELD = "held"
    """Not before the user says so."""
    FIRST = "first"
    """Before all others."""


class FolderPriority(Struct, frozen=True):
    """What the user decided about a folder, and all folders in it."""

    folder: str
    """The start of a serialised URL, up to a slash; "" for all of them."""
    turn: QueuePriority

    def __str__(self) -> str:
        return f"{self.folder} {self.turn}"


def turn_of(url: str, turns: Sequence[FolderPriority]) -> QueuePriority:
    """When `url` gets its turn: decided by the innermost folder that has a priority."""
    around = [one for one in turns if url.startswith(one.folder)]
    return max(around, key=lambda one: len(one.folder)).turn if around else QueuePriority.USUAL


def decided(
    turns: Sequence[FolderPriority], folder: str, turn: QueuePriority
) -> tuple[FolderPriority, ...]:
    """The priorities after `turn` is set for `folder`, which replaces those within it.

    But what is first stays first when an enclosing folder, held back until now, gets its usual
    turn.
    """
    kept = tuple(
        one
        for one in turns
        if not one.folder.startswith(folder)
        or (turn, one.turn) == (QueuePriority.USUAL, QueuePriority.FIRST)
    )
    known = turn_of(folder, kept)
    is_as_before = known is turn or (turn is QueuePriority.USUAL and known is QueuePriority.FIRST)
    return kept if is_as_before else (*kept, FolderPriority(folder, turn))
