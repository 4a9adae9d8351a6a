"""Tracks why a crawl is paused, as a set of reasons; it runs while the set is empty."""

from enum import Enum
from typing import Final

from msgspec import Struct

from gossamer.model.translatable import Translatable


class _PauseKind(Struct, frozen=True):
    name: str
    ends_by_itself: bool
    """Whether its cause is watched, and the pause ends when that has passed."""
    ends_on_resume: bool
    """Whether the user can end it. Otherwise the crawl cannot run while its cause lasts."""


class PauseReason(Enum):
    """Why a crawl starts no fetch. If there are several, the first in this order is shown."""

    DISK_FAILED = _PauseKind("disk failed", ends_by_itself=True, ends_on_resume=False)
    """The disk refuses the project: it is full, read-only or gone."""
    DISK_STALLED = _PauseKind("disk stalled", ends_by_itself=True, ends_on_resume=False)
    """The disk neither responds nor fails."""
    ARCHIVE = _PauseKind("archive", ends_by_itself=True, ends_on_resume=False)
    """The archive to crawl from is still being indexed."""
    NODES = _PauseKind("nodes", ends_by_itself=True, ends_on_resume=False)
    """No node of the cluster can be reached."""
    NETWORK = _PauseKind("network", ends_by_itself=True, ends_on_resume=True)
    """No server responds any more."""
    LOGIN = _PauseKind("login", ends_by_itself=False, ends_on_resume=True)
    """Pages that were fine ask for the login again."""
    FAILURES = _PauseKind("failures", ends_by_itself=False, ends_on_resume=True)
    """Nearly all recent responses were failures."""
    USER = _PauseKind("user", ends_by_itself=False, ends_on_resume=True)

    @property
    def ends_by_itself(self) -> bool:
        """Whether the pause ends when its cause has passed, without the user."""
        return self.value.ends_by_itself


ENDED_BY_RESUME: Final = tuple(reason for reason in PauseReason if reason.value.ends_on_resume)
"""The reasons that the user can overrule."""


class Pauses:
    """The current pause reasons of a crawl, each with its explanation.

    They outlive a run of the engine that its disk has ended.
    """

    def __init__(self) -> None:
        """Start with no reason to pause."""
        self._sentences: dict[PauseReason, Translatable | None] = {}

    def add(self, reason: PauseReason, sentence: Translatable | None = None) -> None:
        """Pause for `reason`; a `sentence` replaces the one that explained it before."""
        self._sentences[reason] = sentence or self._sentences.get(reason)

    def remove(self, *reasons: PauseReason) -> None:
        """Remove reasons to pause. Those that were none do no harm."""
        for reason in reasons:
            self._sentences.pop(reason, None)

    def clear(self) -> None:
        """Remove all reasons: the crawl is over."""
        self._sentences.clear()

    @property
    def any(self) -> bool:
        """Whether there is a reason to pause."""
        return bool(self._sentences)

    def __contains__(self, reason: PauseReason) -> bool:
        return reason in self._sentences

    @property
    def end_by_themselves(self) -> bool:
        """Whether the crawl is paused, and goes on without being asked."""
        return self.any and all(reason.ends_by_itself for reason in self._sentences)

    @property
    def sentence(self) -> Translatable | None:
        """The sentence to show to the user: that of the first reason that has one."""
        said = (self._sentences.get(reason) for reason in PauseReason)
        return next((sentence for sentence in said if sentence is not None), None)
