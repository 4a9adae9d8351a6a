"""Decides how often and when to retry, and keeps the best partial response meanwhile.

`Visit.transient` says which failures may pass, and so are retried at all.
"""

from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.outcome import INCOMPLETE, UrlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit

_BACKOFF_S = 0.4
_BACKOFF_CAP_S = 30.0
RETRY_AFTER_CAP_S = 120.0
"""The longest wait between two tries that a server may ask for; if it wants more, no other try."""
EXTERNAL_TRIES = 2
"""Tries for external URLs, which are only checked: fewer than on the site's own servers."""
DEATHS_ALLOWED = 2
"""Page workers that may be lost over one URL before it is set aside. What ends processes, for want
of memory say, often ends two: a URL that was in both by chance is not to blame."""
NODE_LOSSES_ALLOWED = 5
"""Nodes that may be lost over one URL. A line that is cut looks like a dead node, and cuts whatever
is on it; from the second loss on a URL is asked alone, so that five more in a row are no chance."""
MAX_PARTIALS = 200
MAX_PARTIAL_LINKS = 50_000
"""Links kept in all. What is forgotten comes again with the next try."""


def max_tries(settings: CrawlSettings, entry: FrontierEntry) -> int:
    """How often a URL may be requested, if all its failures may pass."""
    most = settings.max_tries
    return min(most, EXTERNAL_TRIES) if entry.external else most


def retry_delay_s(
    settings: CrawlSettings, visit: Visit, entry: FrontierEntry, jitter: float
) -> float | None:
    """Seconds until another try after this one; None if there is to be none.

    Exponential, and never sooner than the server asks for; if that is later than anyone waits,
    there is no other try. `jitter` is from [0, 1) and spreads the delay over half to one and a
    half.
    """
    if not visit.transient or entry.tries >= max_tries(settings, entry) or _wants_too_long(visit):
        return None
    delay_s = min(_BACKOFF_S * 2.0 ** (entry.tries - 1), _BACKOFF_CAP_S) * (0.5 + jitter)
    return max(delay_s, back_off_s(visit))


def back_off_s(visit: Visit) -> float:
    """Seconds for which to leave the host of this response alone.

    A server that wants longer than anyone waits gets our longest pause: what it says about one
    address must not hold up all the others.
    """
    return _BACKOFF_CAP_S if _wants_too_long(visit) else visit.retry_after_s or 0.0


def _wants_too_long(visit: Visit) -> bool:
    return (visit.retry_after_s or 0.0) > RETRY_AFTER_CAP_S


class PartialResponses:
    """The longest partial response of each URL, in bounded memory."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: dict[FrontierEntry, Visit] = {}
        self._links = 0

    def best(self, entry: FrontierEntry, visit: Visit) -> Visit:
        """The visit that counts now: `visit`, unless an earlier one got more.

        A response that would not change with another request counts in any case. That the URL could
        not or may not be requested once more undoes nothing received before. Nothing is kept of
        `entry` any more.
        """
        if not self._kept:
            return visit
        kept = self._taken(entry)
        is_final = visit.outcome.state is UrlState.DONE and not visit.transient
        if kept is None or is_final:
            return visit
        is_longer = (visit.size_bytes or 0) >= (kept.size_bytes or 0)
        return visit if is_longer and visit.outcome in INCOMPLETE else kept

    def keep(self, entry: FrontierEntry, best: Visit) -> None:
        """Keep `best` as what there is of `entry` until its next try."""
        if best.outcome not in INCOMPLETE:
            return
        for each in [each for each in self._kept if each.withdrawn]:
            self._taken(each)  # asked again, from the first try on, if it ever is
        self._kept[entry] = best
        self._links += len(best.links)
        while len(self._kept) > MAX_PARTIALS or self._links > MAX_PARTIAL_LINKS:
            self._taken(next(iter(self._kept)))

    def _taken(self, entry: FrontierEntry) -> Visit | None:
        kept = self._kept.pop(entry, None)
        self._links -= 0 if kept is None else len(kept.links)
        return kept
