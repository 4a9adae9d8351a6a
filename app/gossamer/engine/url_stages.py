"""The stages of a URL between its discovery and the commit of what came of it."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from gossamer.model.errors import BugError


class UrlStage(IntEnum):
    """Where a URL stands between its discovery and the commit of what came of it."""

    ON_FILE = 0
    """Memory has nothing to add to the project file; or the URL is new."""
    WAITING = 1
    """In the queue of its host."""
    POSTPONED = 2
    """In no host's queue until its time comes: it is tried again."""
    IN_FLIGHT = 3
    """Taken from the queue; a task asks for it."""
    ANSWERED = 4
    """Its visit is final and waits in the result queue."""
    DECIDED = 5
    """The next batch has its outcome, without a visit."""
    VISITED = 6
    """The next batch has its visit."""


MOVES: Final[Mapping[UrlStage, frozenset[UrlStage]]] = MappingProxyType(
    {
        UrlStage.ON_FILE: frozenset({UrlStage.WAITING, UrlStage.DECIDED}),
        UrlStage.WAITING: frozenset({UrlStage.IN_FLIGHT, UrlStage.DECIDED}),
        UrlStage.POSTPONED: frozenset({UrlStage.WAITING, UrlStage.DECIDED}),
        UrlStage.IN_FLIGHT: frozenset(
            {UrlStage.WAITING, UrlStage.POSTPONED, UrlStage.ANSWERED, UrlStage.DECIDED}
        ),
        # ON_FILE: to be asked again, by an entry that memory may have no room for.
        UrlStage.ANSWERED: frozenset({UrlStage.ON_FILE, UrlStage.DECIDED, UrlStage.VISITED}),
        UrlStage.DECIDED: frozenset({UrlStage.ON_FILE, UrlStage.WAITING, UrlStage.DECIDED}),
        UrlStage.VISITED: frozenset({UrlStage.ON_FILE}),
    }
)
"""Where a URL may go from each stage.

A commit takes it from DECIDED and VISITED to ON_FILE, and so does a visit that is taken back.
"""

ALLOWED: Final = tuple(sum(1 << to for to in MOVES[stage]) for stage in UrlStage)
"""The same, compiled: by stage, a bit for each stage that may follow."""


def illegal_move(old: UrlStage, new: UrlStage) -> BugError:
    """What to raise where a URL may not go from one stage to the other."""
    return BugError(f"a URL cannot go from {old.name} to {new.name}")
