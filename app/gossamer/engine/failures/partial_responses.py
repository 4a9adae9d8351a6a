"""Answers that broke off, kept while their URLs wait to be asked again."""

from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.outcome import INCOMPLETE, UrlState
from gossamer.model.visit import Visit

MAX_PARTIALS = 200
MAX_PARTIAL_LINKS = 50_000
"""Together. Where a whole site breaks off, what is forgotten comes again with the next try."""


class PartialAnswers:
    """The longest part of each answer that broke off, in bounded memory."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: dict[FrontierEntry, Visit] = {}
        self._links = 0

    def best(self, entry: FrontierEntry, visit: Visit) -> Visit:
        """What counts as the answer now: `visit`, unless more came another time.

        An answer of the server that would not change if it were asked again counts in any case.
        That the URL could or might not be asked once more undoes nothing of what has come. Nothing
        is kept of `entry` any more.
        """
        if not self._kept:
            return visit
        kept = self._taken(entry)
        is_answered = visit.outcome.state is UrlState.DONE and not visit.transient
        if kept is None or is_answered:
            return visit
        is_longer = visit.outcome in INCOMPLETE and visit.size_bytes >= kept.size_bytes
        return visit if is_longer else kept

    def keep(self, entry: FrontierEntry, best: Visit) -> None:
        """`entry` is asked again; until then this is what there is of it."""
        if best.outcome not in INCOMPLETE:
            return
        for each in [each for each in self._kept if each.withdrawn]:
            self._taken(each)  # asked anew, from the first try on, if it ever is
        self._kept[entry] = best
        self._links += len(best.links)
        while len(self._kept) > MAX_PARTIALS or self._links > MAX_PARTIAL_LINKS:
            self._taken(next(iter(self._kept)))

    def _taken(self, entry: FrontierEntry) -> Visit | None:
        kept = self._kept.pop(entry, None)
        self._links -= 0 if kept is None else len(kept.links)
        return kept
