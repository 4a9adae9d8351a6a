"""Pauses the crawl when nearly all recent requests fail."""

from collections import Counter, deque
from typing import TypeAlias

from gossamer.model.outcome import FILES, PAGES, Outcome, Verdict, verdict
from gossamer.model.translatable import Translatable, said
from gossamer.model.visit import Visit

WINDOW = 150
FEWEST = 100
"""Responses to have seen before anything is concluded."""
SHARE = 0.95
"""Share of the responses that are failures of whatever kind."""
MAIN_SHARE = 0.6
"""Share that are failures of one kind: an outage or a refusal looks the same for every page."""

Notice: TypeAlias = Translatable | None

_FAILURES = frozenset({Verdict.REFUSED, Verdict.UNVERIFIED})
_READ = PAGES | FILES
"""Received and read as far as possible; all pages of a site may be like that."""


class FailureGuard:
    """Watches the latest responses. Dead links do not count as failures."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._latest: deque[tuple[Outcome, int | None] | None] = deque(maxlen=WINDOW)

    def note(self, visit: Visit) -> Notice:
        """Note a response; returns a sentence for the user if the crawl should pause.

        After a sentence the guard starts over, so that the user can resume in spite of it.
        """
        failed = visit.outcome is Outcome.DNS_FAILURE or (
            visit.outcome not in _READ and verdict(visit.outcome, visit.status) in _FAILURES
        )
        self._latest.append((visit.outcome, visit.status) if failed else None)
        if not failed:  # hardly any is, and one that is not gives no reason to pause
            return None
        failures = [visit for visit in self._latest if visit is not None]
        seen = len(self._latest)
        if seen < FEWEST or len(failures) < SHARE * seen:
            return None
        (outcome, status), count = Counter(failures).most_common(1)[0]
        if count < MAIN_SHARE * seen:
            return None
        self._latest.clear()
        values = {"failed": len(failures), "seen": seen, "reason": Translatable(outcome.sentence)}
        if status is not None:
            return said(
                "Paused: {failed} of the last {seen} requests failed, mostly with status "
                "{status}. {reason} Check the connection or crawl more slowly, then resume.",
                status=status,
                **values,
            )
        return said(
            "Paused: {failed} of the last {seen} requests failed. Mostly: {reason} Check the "
            "connection or crawl more slowly, then resume.",
            **values,
        )
