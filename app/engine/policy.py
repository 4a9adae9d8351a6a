"""Decisions about single URLs, made from values alone."""

from app.engine.ports import ScopePolicy
from app.model.outcome import Outcome
from app.model.page import FOLLOWED_KINDS, Link, LinkKind, Visit
from app.model.rows import Rank
from app.model.settings import CrawlSettings

_BACKOFF_S = 0.4
_BACKOFF_CAP_S = 30.0
DEATHS_ALLOWED = 1
"""Page workers that may be lost over one URL before it is set aside."""

RECONSIDERED = frozenset({Outcome.NOT_FOLLOWED, Outcome.TOO_DEEP, Outcome.BEYOND_REDIRECT_LIMIT})
"""Refusals that a better way to the URL may lift."""


class Policy:
    """The settings and the scope of a crawl, as decisions."""

    def __init__(self, settings: CrawlSettings, scope: ScopePolicy) -> None:
        """Take what the person asked for."""
        self._settings = settings
        self._scope = scope

    def refusal(self, url: str, rank: Rank, *, root: bool = False) -> Outcome | None:
        """Why a URL reached this way is not fetched; None if it is."""
        outcome = self._scope.refusal(url, root=root)
        if outcome is not None:
            return outcome
        if rank.depth is None:
            return Outcome.NOT_FOLLOWED
        if rank.hops > self._settings.max_redirects:
            return Outcome.BEYOND_REDIRECT_LIMIT
        limit = self._settings.max_depth
        if limit is not None and rank.depth > limit:
            return Outcome.TOO_DEEP
        return None

    def redirect(self, location: str, rank: Rank) -> Outcome:
        """The outcome of a URL reached by `rank` that redirects to `location`."""
        if self._scope.refusal(location) is not None:
            return Outcome.REDIRECT_OUT_OF_SCOPE
        return Outcome.REDIRECT if self.may_hop(rank) else Outcome.REDIRECT_LIMIT

    def may_hop(self, rank: Rank) -> bool:
        """Whether a redirect of a URL reached by `rank` is followed."""
        return rank.hops < self._settings.max_redirects

    def retry_delay_s(self, visit: Visit, tries: int, jitter: float) -> float | None:
        """Seconds until another try after `tries` of them; None if there is to be none.

        Exponential; `jitter` is from [0, 1) and spreads the delay over half to one and a half.
        """
        if not visit.transient or tries >= self._settings.max_tries:
            return None
        return min(_BACKOFF_S * 2.0 ** (tries - 1), _BACKOFF_CAP_S) * (0.5 + jitter)


def link_ranks(rank: Rank, visit: Visit) -> list[Rank]:
    """How each of `visit.targets` is reached from a page that is itself reached by `rank`."""
    recorded = Rank(None)
    followed = Rank(0 if rank.depth is None else rank.depth + 1)
    ranks = [recorded] * len(visit.targets)
    for link in visit.links:
        if link.kind in FOLLOWED_KINDS:
            ranks[link.target] = followed
    return ranks


def redirect_rank(rank: Rank) -> Rank:
    """How the target of a redirect is reached: no deeper, one hop further."""
    return Rank(rank.depth, rank.hops + 1)


def redirect_link() -> Link:
    """The link row of a redirect."""
    return Link(target=0, kind=LinkKind.REDIRECT)
