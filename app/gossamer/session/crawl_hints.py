"""A crawl that found nothing beyond its roots: why, and the settings that may find more."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

import msgspec

from gossamer.model.counts import got_nothing
from gossamer.model.link_kinds import OUTLINK_KINDS, LinkAction
from gossamer.model.link_record import LinkRecord
from gossamer.model.outcome import PAGES, Outcome, Verdict
from gossamer.model.project_queries import TreeNode
from gossamer.model.settings import CrawlSettings
from gossamer.model.settings_limits import MAX_REDIRECTS
from gossamer.model.url_record import UrlRecord
from gossamer.model.user_agents import PRESETS
from gossamer.urls.parse import parse_root, server_of

_MOST_ROOTS: Final = 200
_BROWSER: Final = "chrome"
_GENTLE_WORKERS: Final = 2
_GENTLE_RATE: Final = 1.0
_BAD_REQUEST: Final = 400
"""What most servers say to plain HTTP at a port where they speak TLS."""
_WITHOUT_HTTP: Final = frozenset({Outcome.MALFORMED_RESPONSE, Outcome.CONNECTION_LOST})
"""What comes of it at the others: an alert of TLS, or nothing."""


_UNREACHED: Final = frozenset(
    {
        Outcome.CONNECTION_REFUSED,
        Outcome.CONNECTION_FAILED,
        Outcome.CONNECTION_LOST,
        Outcome.TIMEOUT,
        Outcome.TOO_SLOW,
    }
)


class Finding(StrEnum):
    """Why there is nothing beyond a root."""

    BLOCKED_BY_ROBOTS = "blocked by robots.txt"
    ROBOTS_UNAVAILABLE = "has a robots.txt that could not be read"
    LEADS_ELSEWHERE = "redirects to another site"
    REFUSED = "refuses crawlers"
    NEEDS_SCRIPTS = "is drawn by scripts"
    NOFOLLOW = "asks not to follow its links"
    BAD_CERTIFICATE = "has a bad certificate"
    NOT_HTTPS = "does not speak https"
    MAYBE_HTTPS = "may speak https alone"
    UNKNOWN_HOST = "has a host nobody knows"
    NO_CONNECTION = "cannot be reached"
    NO_PROXY = "is behind a proxy that does not work"
    PRIVATE = "is in a private network"
    BROKEN = "does not work"
    TROUBLED = "does not work now"


_OTHER_SCHEME: Final = frozenset({Finding.NOT_HTTPS, Finding.MAYBE_HTTPS})


@dataclass(frozen=True, slots=True)
class Hint:
    """What was found at `root`, and the settings for another try.

    There are none (None) where only another address can help, or trust in the server `server`,
    which is no setting of another crawl but of this one. `outcome` is that of the
    root, where the finding alone does not say enough.
    """

    finding: Finding
    root: str
    remedy: CrawlSettings | None
    server: str = ""
    outcome: Outcome = Outcome.PAGE


class HintRows(Protocol):
    """What is read of a project; `gossamer.store.reader.Reader` is one."""

    def outcome_counts(self) -> dict[Outcome, int]:
        """How many URLs have each outcome."""

    def children(self, parent: int | None, after: int = 0, limit: int = 200) -> list[TreeNode]:
        """The roots, for None."""

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        """What is known of these URLs."""

    def outlinks(self, url_id: int, after: int = -1, limit: int = 200) -> list[LinkRecord]:
        """The first links of a page."""


def hint_about(rows: HintRows, settings: CrawlSettings) -> Hint | None:
    """Why the crawl with `settings` found no page beyond its roots; None if it found some."""
    nodes = rows.children(None, 0, _MOST_ROOTS)
    roots = rows.records([node.id for node in nodes])
    if (
        not roots
        or len(roots) >= _MOST_ROOTS
        or sum(rows.outcome_counts().get(outcome, 0) for outcome in PAGES) > len(roots)
    ):
        return None
    for root in roots:
        at = _landing(root, rows)
        finding = _finding(at, rows)
        if finding is not None:
            server = server_of(at.url) if finding is Finding.BAD_CERTIFICATE else ""
            remedy = _remedy(finding, at, settings)
            if finding in _OTHER_SCHEME and at is not root:
                remedy = None  # the root itself led away from there
            return Hint(finding, at.url, remedy, server)
    if got_nothing({int(outcome): n for outcome, n in rows.outcome_counts().items()}):
        at = _landing(roots[0], rows)
        finding = _failure(at)
        remedy = None if finding in {Finding.BROKEN, Finding.PRIVATE} else settings
        return Hint(finding, at.url, remedy, outcome=at.outcome)
    return None


def _failure(root: UrlRecord) -> Finding:
    """Why there was nothing to be got at a root, where that is all that is known."""
    if root.outcome in _UNREACHED:
        return Finding.NO_CONNECTION
    if root.outcome is Outcome.PROXY_FAILURE:
        return Finding.NO_PROXY
    if root.outcome is Outcome.FORBIDDEN_ADDRESS:
        return Finding.PRIVATE
    return Finding.BROKEN if root.verdict is Verdict.BROKEN else Finding.TROUBLED


def _landing(root: UrlRecord, rows: HintRows) -> UrlRecord:
    """Where the redirects of a root end, as far as they are this crawl's."""
    at = root
    for _ in range(MAX_REDIRECTS):
        found = rows.children(at.id, 0, 1) if at.outcome is Outcome.REDIRECT else []
        if not found:
            break
        [at] = rows.records([found[0].id])
    return at


def _finding(root: UrlRecord, rows: HintRows) -> Finding | None:
    by_outcome = {
        Outcome.BLOCKED_BY_ROBOTS: Finding.BLOCKED_BY_ROBOTS,
        Outcome.ROBOTS_UNAVAILABLE: Finding.ROBOTS_UNAVAILABLE,
        Outcome.REDIRECT_OUT_OF_SCOPE: Finding.LEADS_ELSEWHERE,
        Outcome.BAD_CERTIFICATE: Finding.BAD_CERTIFICATE,
        Outcome.NOT_HTTPS: Finding.NOT_HTTPS,
        Outcome.DNS_FAILURE: Finding.UNKNOWN_HOST,
    }
    if root.verdict is Verdict.REFUSED:
        return Finding.REFUSED
    if root.outcome in PAGES:
        return _finding_on_page(root, rows.outlinks(root.id))
    if root.url.startswith("http://") and (
        root.status == _BAD_REQUEST or root.outcome in _WITHOUT_HTTP
    ):
        return Finding.MAYBE_HTTPS
    return by_outcome.get(root.outcome)


def _finding_on_page(root: UrlRecord, links: list[LinkRecord]) -> Finding | None:
    """Why a page that was read leads nowhere, as far as it tells."""
    to_readers = [link for link in links if link.kind in OUTLINK_KINDS]
    if any(link.action is LinkAction.NOFOLLOW for link in to_readers):
        return Finding.NOFOLLOW
    return Finding.NEEDS_SCRIPTS if root.outcome is Outcome.PAGE_NEEDS_SCRIPTS else None


def _remedy(finding: Finding, root: UrlRecord, settings: CrawlSettings) -> CrawlSettings | None:
    changes = {
        Finding.BLOCKED_BY_ROBOTS: {"obey_robots": False},
        Finding.ROBOTS_UNAVAILABLE: {"obey_robots": False},
        Finding.LEADS_ELSEWHERE: {"roots": (root.redirect,)} if root.redirect else None,
        Finding.REFUSED: {
            "user_agent": PRESETS[_BROWSER],
            "workers": min(settings.workers, _GENTLE_WORKERS),
            "rate": min(settings.rate or _GENTLE_RATE, _GENTLE_RATE),
        },
        Finding.NEEDS_SCRIPTS: None if settings.use_sitemaps else {"use_sitemaps": True},
        Finding.NOFOLLOW: {"follow_nofollow": True},
        Finding.BAD_CERTIFICATE: None,
        Finding.NOT_HTTPS: {"roots": (_in_scheme("http", root.url),)},
        Finding.MAYBE_HTTPS: {"roots": (_in_scheme("https", root.url),)},
        Finding.UNKNOWN_HOST: None,
    }[finding]
    return None if changes is None else msgspec.structs.replace(settings, **changes)


def _in_scheme(scheme: str, url: str) -> str:
    """The same address with the other of the two schemes; a port that it names stays."""
    return parse_root(f"{scheme}:{url.partition(':')[2]}")
