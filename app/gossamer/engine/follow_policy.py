"""Decides from settings, scope and rank whether a URL is fetched, checked or only recorded.

What can be decided by the URL alone, such as its length, is in `urls/scope_and_limits.py`.
"""

from collections.abc import Mapping

from gossamer.engine.interfaces import ScopePolicy
from gossamer.engine.risky_links import NONE_KNOWN, RiskyLinks, without_sent
from gossamer.engine.target_ranks import TargetRanks, positions_of_zeros
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.discovery_rank import (
    FORMER,
    NOFOLLOWED,
    READ_OTHERWISE,
    RECORDED,
    UNLINKED,
    Rank,
    SitemapRole,
)
from gossamer.model.link_kinds import LinkAction, LinkKind, says_nofollow
from gossamer.model.outcome import FORMER_PAGES, PAGES, Outcome, UrlState
from gossamer.model.outcome_details import Detail, DetailCode, free_text
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.folder_priority import QueuePriority, turn_of
from gossamer.model.settings.setting_types import KIND_NAMES
from gossamer.model.shards import ShardIdentity
from gossamer.model.store_batch import UrlRow
from gossamer.model.visit import Link, Visit
from gossamer.urls.meta_robots import directive_words
from gossamer.urls.shard_ownership import Ownership
from gossamer.urls.url_parsing import origin, parse_root

_BYTES = 256
_TO_READ = frozenset({Outcome.PENDING, Outcome.PENDING_SITEMAP})
_TO_CHECK = frozenset({Outcome.PENDING_CHECK, Outcome.PENDING_FORMER})
_STANDING = READ_OTHERWISE | _TO_CHECK
_REFUSED_UNNAMED = frozenset({Outcome.OUT_OF_SCOPE, Outcome.NOT_INCLUDED, Outcome.ENDS_SESSION})
_GONE = frozenset({404, 410})
_BY_RANK = frozenset(
    {
        Outcome.PENDING,
        Outcome.PENDING_CHECK,
        Outcome.PENDING_SITEMAP,
        Outcome.NOFOLLOW,
        Outcome.NOT_FOLLOWED,
        Outcome.BEYOND_REDIRECT_LIMIT,
        Outcome.TOO_DEEP,
    }
)
"""What follows from the rank of a URL, which only the shard that owns the URL knows."""
_NOFOLLOW_DIRECTIVES = frozenset({"nofollow", "none"})


_FOLLOW = int(LinkAction.FOLLOW)
_NOT_FOLLOW = int(LinkAction.NOFOLLOW)
_OF_SITEMAPS = frozenset(map(int, (LinkKind.SITEMAP, LinkKind.SITEMAP_INDEX)))
REDIRECT_LINK = LinkAction.FOLLOW, Link(target=0, kind=LinkKind.REDIRECT)
"""The link that a redirect makes, and what is done about it."""


class Policy:
    """The decisions that follow from a crawl's settings and scope."""

    def __init__(
        self,
        settings: CrawlSettings,
        scope: ScopePolicy,
        shard: ShardIdentity | None = None,
        risky: Mapping[str, str] = NONE_KNOWN,
    ) -> None:
        """Decide by `settings` and `scope`, for a shard of the crawl if this is one.

        `risky` are the URLs on file whose links look like they sign out or delete: see RiskyLinks.
        """
        self._shard = shard
        self._owner = None if shard is None else Ownership(shard.shards).owner
        self.settings = settings
        self.root_origins = frozenset(origin(parse_root(root)) for root in settings.roots)
        self._scope = scope
        self._actions = _actions(settings)
        self.risky = RiskyLinks(settings, risky)
        self.named_sitemaps: set[str] = set()
        """Those that the user or robots.txt names, also if pages link to them."""
        self.reconsidered = frozenset(
            {
                Outcome.NOT_FOLLOWED,
                Outcome.NOFOLLOW,
                Outcome.TOO_DEEP,
                Outcome.BEYOND_REDIRECT_LIMIT,
                Outcome.CHECKED,
                Outcome.PENDING_CHECK,
                Outcome.LOGIN_REQUIRED,
                *FORMER_PAGES,
                *([Outcome.OUT_OF_SCOPE] if settings.check_external else []),
            }
        )
        """Outcomes that a better way to the URL may change."""

    def outcome_for(self, url: str, rank: Rank, *, root: bool = False) -> Outcome:
        """The outcome of a URL reached this way: how it is queued, or why it is not.

        A `root` has no page that leads there: the user or robots.txt names it.
        """
        outcome = self._scope.refusal(url, root=root)
        if outcome is None and self.risky and not root and self.risky.said_of(url):
            return Outcome.ENDS_SESSION
        is_named_sitemap = root and rank.as_sitemap  # which may be on any host
        if outcome is Outcome.OUT_OF_SCOPE and (is_named_sitemap or self.settings.check_external):
            outcome = Outcome.EXCLUDED if self._scope.excluded_by(url) else None
            if rank.level == 0 and not is_named_sitemap:
                rank = Rank(RECORDED, rank.hops, as_file=True)
        return self._outcome_in_scope(rank) if outcome is None else outcome

    def outcome_of(self, row: FrontierEntry | UrlRow) -> Outcome:
        """The outcome of a known URL by its rank."""
        is_root = row.parent is None or row.url in self.named_sitemaps
        return self.outcome_here(row.url, self.outcome_for(row.url, row.rank, root=is_root))

    def outcome_here(self, url: str, outcome: Outcome) -> Outcome:
        """The outcome in this shard of a URL with that outcome in the crawl."""
        if outcome in _BY_RANK and self.is_elsewhere(url):
            return Outcome.OTHER_SHARD
        return outcome

    @property
    def is_sharded(self) -> bool:
        """Whether other shards of the crawl own some of its URLs."""
        return self._owner is not None

    def is_elsewhere(self, url: str) -> bool:
        """Whether another shard of the crawl fetches `url`, a web address."""
        if self._owner is None or self._shard is None:
            return False
        return self._owner(url) != self._shard.number

    def is_others(self, url: str, rank: Rank) -> bool:
        """Whether another shard decides about `url`, reached this way."""
        if self._owner is None:
            return False
        return self.outcome_here(url, self.outcome_for(url, rank)) is Outcome.OTHER_SHARD

    def queued_as(self, row: UrlRow) -> Outcome:
        """What a queued URL waits for by its rank."""
        if row.outcome is Outcome.PENDING_SITEMAP:
            return row.outcome
        # A better way may have been committed before what follows from it.
        outcome = self.outcome_of(row)
        return outcome if outcome.state is UrlState.QUEUED else row.outcome

    def outcomes_for_new(
        self, targets: list[str], paths: TargetRanks, known: list[int]
    ) -> dict[str, Outcome]:
        """The outcomes of the unknown targets of a page: those with 0 in `known`."""
        return {
            targets[place]: self.outcome_for(targets[place], paths.to(place).rank)
            for place in positions_of_zeros(known)
        }

    def better_outcome(self, entry: FrontierEntry) -> Outcome | None:
        """The better outcome that a queued URL should wait for by now; None if there is none.

        What was to be checked may have to be read, and what was to be read may be a sitemap.
        """
        is_check = entry.outcome in _TO_CHECK
        if not is_check and not (entry.outcome is Outcome.PENDING and entry.rank.as_sitemap):
            return None
        outcome = self.outcome_of(entry)
        return outcome if outcome in _TO_READ and outcome is not entry.outcome else None

    def _outcome_in_scope(self, rank: Rank) -> Outcome:
        if rank.depth == FORMER:
            return Outcome.PENDING_FORMER
        is_clicked = rank.level == 0
        if not (is_clicked or rank.as_file):
            return Outcome.NOFOLLOW if rank.depth == NOFOLLOWED else Outcome.NOT_FOLLOWED
        if rank.hops > self.settings.max_redirects:
            return Outcome.BEYOND_REDIRECT_LIMIT
        if is_clicked and not self.too_deep(rank):
            return Outcome.PENDING_SITEMAP if rank.as_sitemap else Outcome.PENDING
        return Outcome.PENDING_CHECK if rank.as_file else Outcome.TOO_DEEP

    def too_deep(self, rank: Rank) -> bool:
        """Whether the depth exceeds the limit; where no clicks lead there, it does."""
        limit = self.settings.max_depth
        return limit is not None and limit < rank.depth and not rank.listed

    def change(self, settings: CrawlSettings) -> None:
        """Decide by other settings from now on."""
        before, after = self.settings.exclude, settings.exclude
        for pattern in before:
            if pattern not in after:
                self._scope.include_again(pattern)
        for pattern in after:
            if pattern not in before:
                self._scope.exclude(pattern)
        self.settings = settings

    def priority(self, url: str) -> QueuePriority:
        """The queue priority of `url`."""
        turns = self.settings.turns
        return turn_of(url, turns) if turns else QueuePriority.USUAL

    def external(self, url: str) -> bool:
        """Whether `url` is on a host outside the crawl."""
        return self._scope.is_external(url)

    def detail(self, url: str, outcome: Outcome) -> Detail | None:
        """The exact cause of a refusal; None if there is nothing to add."""
        if outcome is Outcome.EXCLUDED:
            return DetailCode.EXCLUDE_PATTERN(pattern=self._scope.excluded_by(url))
        if outcome is Outcome.ENDS_SESSION:
            return free_text(self.risky.said_of(url))
        return None

    def risk_met(self, entry: FrontierEntry) -> bool:
        """Whether a link found since `entry` was queued says that it signs out or deletes.

        Links whose script sends another method do not count: another link led there, so it is a
        page.
        """
        if not self.risky.is_said_of(entry.url):
            return False
        return not (entry.parent is None or entry.site_check or entry.asked_again)

    def redirect(self, location: str, rank: Rank) -> Outcome:
        """The outcome of a URL reached by `rank` that redirects to `location`."""
        refusal = self._scope.refusal(location)
        checked = refusal is Outcome.OUT_OF_SCOPE and self.settings.check_external
        if refusal is not None and not checked:
            return Outcome.REDIRECT_OUT_OF_SCOPE
        return Outcome.REDIRECT if self.may_hop(rank) else Outcome.REDIRECT_LIMIT

    def may_hop(self, rank: Rank) -> bool:
        """Whether a redirect of a URL reached by `rank` is followed."""
        return rank.hops < self.settings.max_redirects

    def actions(self, visit: Visit) -> bytes:
        """What is done about each link of a page: a LinkAction in each byte."""
        links = visit.links
        actions = links.kinds.translate(self._actions)
        if self.risky:
            self.risky.note(visit)
            actions = without_sent(visit, actions)
        if self.settings.follow_nofollow:
            return actions
        if _NOFOLLOW_DIRECTIVES.isdisjoint(_directives(visit)):
            said_of = links.rels.where(says_nofollow, len(links))
        else:  # the page says so of all
            said_of = list(range(len(links)))
        if not said_of:
            return actions
        changed = bytearray(actions)
        for number in said_of:
            if actions[number] == _FOLLOW and links.kinds[number] not in _OF_SITEMAPS:
                changed[number] = _NOT_FOLLOW
        return bytes(changed)

    def is_refused_unnamed(self, row: UrlRow) -> bool:
        """Whether a sitemap that is named was refused as what a page links to."""
        return row.url in self.named_sitemaps and row.outcome in _REFUSED_UNNAMED

    @staticmethod
    def stands(outcome: Outcome, new: Outcome) -> bool:
        """Whether an outcome stays: a refused way undoes neither a response nor a check."""
        return outcome in _STANDING and new not in _TO_READ


def is_unread(rank: Rank, outcome: Outcome) -> bool:
    """Whether a sitemap was read as something else, or was looked for and is linked to by now."""
    if outcome is Outcome.NO_SITEMAP:
        return _is_linked(rank)
    return rank.listed == SitemapRole.SITEMAP and outcome in READ_OTHERWISE


def may_count(rank: Rank, outcome: Outcome) -> bool:
    """Whether trap budgets count what is to be fetched so, if the page that leads there says so."""
    is_page = outcome is Outcome.PENDING and not rank.listed  # sitemaps have an end
    return (is_page and not rank.hops) or outcome is Outcome.PENDING_SITEMAP


def is_no_sitemap(url: str, rank: Rank, visit: Visit) -> bool:
    """Whether a sitemap that no page links to was missing from its usual location."""
    if _is_linked(rank):
        return False
    is_nothing = visit.outcome is Outcome.PAGE_NOT_PARSED or visit.outcome in PAGES
    return url == f"{origin(url)}/sitemap.xml" and (is_nothing or visit.status in _GONE)


def _is_linked(rank: Rank) -> bool:
    return rank.depth < UNLINKED or rank.as_file


def _actions(settings: CrawlSettings) -> bytes:
    """What is done about a link, by its kind, nofollow aside; for `bytes.translate`."""
    actions = bytearray([LinkAction.RECORD] * _BYTES)
    if not settings.list_only:
        for name in settings.check_kinds:
            actions[KIND_NAMES[name]] = LinkAction.CHECK
        for name in settings.follow_kinds:
            actions[KIND_NAMES[name]] = LinkAction.FOLLOW
        for kind in LinkKind:
            if not kind.declaration.is_setting:
                actions[kind] = kind.declaration.action
    return bytes(actions)


def _directives(visit: Visit) -> list[str]:
    """The robots directives for a page, in lower case: its own and its header's."""
    own = visit.facts.robots if visit.facts is not None else None
    if not own and not visit.robots_header:
        return []
    return directive_words(f"{own or ''},{visit.robots_header}")
