"""Explains why a crawl found nothing beyond its roots, and suggests settings that help."""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from gossamer.audit.audit_rule import AuditRule, RuleDeclaration, RuleKind, RulePriority
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import OUTLINK_KINDS, LinkAction
from gossamer.model.outcome import PAGES, Outcome, Verdict
from gossamer.model.outcome_counts import got_nothing
from gossamer.model.project_queries import TreeNode
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.limit_settings import MAX_REDIRECTS
from gossamer.model.settings.rendering_settings import RenderMode
from gossamer.model.settings.user_agents import PRESETS
from gossamer.model.translatable import Sentence
from gossamer.urls.url_parsing import parse_root, server_of

_MOST_ROOTS: Final = 200
_BROWSER: Final = "chrome"
_GENTLE_WORKERS: Final = 2
_GENTLE_RATE: Final = 1.0
_BAD_REQUEST: Final = 400
"""What most servers say to plain HTTP at a port where they speak TLS."""
_WITHOUT_HTTP: Final = frozenset({Outcome.MALFORMED_RESPONSE, Outcome.CONNECTION_LOST})
"""What comes of it at the others: an alert of TLS, or nothing."""
RENDERING_ON: Final = {"render": RenderMode.ON}
"""The change of settings that has pages rendered."""
_UNREACHED: Final = frozenset(
    {
        Outcome.CONNECTION_REFUSED,
        Outcome.CONNECTION_FAILED,
        Outcome.CONNECTION_LOST,
        Outcome.TIMEOUT,
        Outcome.TOO_SLOW,
    }
)


class Landing(NamedTuple):
    """The URL that a root leads to, with its first links."""

    page: UrlRecord
    is_root: bool
    """Whether the root itself, not a redirect of it."""
    links: Sequence[LinkRecord]
    """The first links, if it is a page."""
    got_nothing: bool
    """Whether the whole crawl got nothing."""


_Changes = dict[str, Any] | None


class Answer(Enum):
    """What the user can do about a finding."""

    CRAWL = auto()
    """Crawl with other settings, or once more."""
    TRUST = auto()
    """Trust the server for this crawl, which is no setting of another one."""
    EDIT = auto()
    """Mend the address."""
    NONE = auto()


def _no_changes(at: Landing, settings: CrawlSettings) -> _Changes:
    del at, settings
    return None


class HintDeclaration(RuleDeclaration[Landing], frozen=True, kw_only=True):
    """A rule, and the remedies offered when it applies."""

    answer: Answer
    button: Sentence = ""
    """A template with the value `target`, the host that would be crawled."""
    changes: Callable[[Landing, CrawlSettings], _Changes] = _no_changes
    """The settings to crawl with, as far as they differ; None where no crawl would help."""


class CrawlFinding(AuditRule):
    """Why a crawl found nothing beyond a root.

    Texts have the values `host`, `url` and `why`, a sentence on the outcome.
    """

    declaration: HintDeclaration

    REFUSED = (
        "refused",
        HintDeclaration(
            name="Refuses crawlers",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text="{host} blocks crawlers, but may let visitors in.",
            holds=lambda at: at.page.verdict is Verdict.REFUSED,
            answer=Answer.CRAWL,
            button="Retry slowly, as a browser",
            changes=lambda _, settings: {
                "user_agent": PRESETS[_BROWSER],
                "workers": min(settings.workers, _GENTLE_WORKERS),
                "rate": min(settings.rate or _GENTLE_RATE, _GENTLE_RATE),
            },
        ),
    )
    NOFOLLOW = (
        "nofollow",
        HintDeclaration(
            name="Page is nofollow",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text="The page is nofollow: it asks crawlers not to follow its links.",
            holds=lambda at: _has_nofollow_links(at.links),
            answer=Answer.CRAWL,
            button="Follow them",
            changes=lambda *_: {"follow_nofollow": True},
        ),
    )
    NEEDS_SCRIPTS = (
        "needs-scripts",
        HintDeclaration(
            name="Needs JavaScript",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text="The page needs JavaScript to show its content. Without it, no links were found.",
            holds=lambda at: at.page.outcome is Outcome.PAGE_NEEDS_SCRIPTS,
            answer=Answer.CRAWL,
            button="Render pages",
            changes=lambda _, settings: None if settings.renders_pages else RENDERING_ON,
        ),
    )
    MAYBE_HTTPS = (
        "maybe-https",
        HintDeclaration(
            name="May be HTTPS-only",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text="{host} returned no page over http://. It may be HTTPS-only.",
            holds=lambda at: _answers_no_http(at.page),
            answer=Answer.CRAWL,
            button="Try https://",
            changes=lambda at, _: _in_scheme("https", at),
        ),
    )
    BLOCKED_BY_ROBOTS = (
        "blocked-by-robots",
        HintDeclaration(
            name="Blocked by robots.txt",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text="The robots.txt of {host} disallows crawling. Nothing was fetched.",
            holds=lambda at: at.page.outcome is Outcome.BLOCKED_BY_ROBOTS,
            answer=Answer.CRAWL,
            button="Crawl anyway",
            changes=lambda *_: {"obey_robots": False},
        ),
    )
    ROBOTS_UNAVAILABLE = (
        "robots-unavailable",
        HintDeclaration(
            name="robots.txt unavailable",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text="The robots.txt of {host} could not be read, so nothing may be fetched.",
            holds=lambda at: at.page.outcome is Outcome.ROBOTS_UNAVAILABLE,
            answer=Answer.CRAWL,
            button="Crawl anyway",
            changes=lambda *_: {"obey_robots": False},
        ),
    )
    LEADS_ELSEWHERE = (
        "leads-elsewhere",
        HintDeclaration(
            name="Redirects to another site",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text="{host} redirects to another site, which is out of scope.",
            holds=lambda at: at.page.outcome is Outcome.REDIRECT_OUT_OF_SCOPE,
            answer=Answer.CRAWL,
            button="Crawl {target}",
            changes=lambda at, _: {"roots": (at.page.redirect,)} if at.page.redirect else None,
        ),
    )
    BAD_CERTIFICATE = (
        "bad-certificate",
        HintDeclaration(
            name="Invalid certificate",
            kind=RuleKind.ISSUE,
            priority=RulePriority.HIGH,
            text="The certificate of {host} is not valid, so nothing was requested.",
            holds=lambda at: at.page.outcome is Outcome.BAD_CERTIFICATE,
            answer=Answer.TRUST,
            button="Continue anyway",
        ),
    )
    NOT_HTTPS = (
        "not-https",
        HintDeclaration(
            name="Does not speak HTTPS",
            kind=RuleKind.ISSUE,
            priority=RulePriority.HIGH,
            text="{host} does not speak HTTPS.",
            holds=lambda at: at.page.outcome is Outcome.NOT_HTTPS,
            answer=Answer.CRAWL,
            button="Try http://",
            changes=lambda at, _: _in_scheme("http", at),
        ),
    )
    UNKNOWN_HOST = (
        "unknown-host",
        HintDeclaration(
            name="Unknown host",
            kind=RuleKind.ISSUE,
            priority=RulePriority.HIGH,
            text="No host named {host} was found. Check the URL.",
            holds=lambda at: at.page.outcome is Outcome.DNS_FAILURE,
            answer=Answer.EDIT,
            button="Edit the URL",
        ),
    )
    NO_CONNECTION = (
        "no-connection",
        HintDeclaration(
            name="Cannot be reached",
            kind=RuleKind.ISSUE,
            priority=RulePriority.HIGH,
            text="{host}: {why} Check the URL and its port, then try again.",
            holds=lambda at: at.got_nothing and at.page.outcome in _UNREACHED,
            answer=Answer.CRAWL,
            button="Try again",
            changes=lambda *_: {},
        ),
    )
    NO_PROXY = (
        "no-proxy",
        HintDeclaration(
            name="Proxy does not work",
            kind=RuleKind.ISSUE,
            priority=RulePriority.HIGH,
            text=(
                "The proxy does not work, so nothing was requested from {host}. Check the proxy "
                "settings, then try again."
            ),
            holds=lambda at: at.got_nothing and at.page.outcome is Outcome.PROXY_FAILURE,
            answer=Answer.CRAWL,
            button="Try again",
            changes=lambda *_: {},
        ),
    )
    PRIVATE = (
        "private-network",
        HintDeclaration(
            name="Private network",
            kind=RuleKind.ISSUE,
            priority=RulePriority.HIGH,
            text=(
                "{host} resolves to a private IP address, so nothing was requested. To crawl it, "
                "start from its private address."
            ),
            holds=lambda at: at.got_nothing and at.page.outcome is Outcome.FORBIDDEN_ADDRESS,
            answer=Answer.NONE,
        ),
    )
    BROKEN = (
        "broken",
        HintDeclaration(
            name="Does not work",
            kind=RuleKind.ISSUE,
            priority=RulePriority.HIGH,
            text="{url}: {why} Check the URL.",
            holds=lambda at: at.got_nothing and at.page.verdict is Verdict.BROKEN,
            answer=Answer.EDIT,
            button="Edit the URL",
        ),
    )
    TROUBLED = (
        "troubled",
        HintDeclaration(
            name="Does not work now",
            kind=RuleKind.ISSUE,
            priority=RulePriority.HIGH,
            text="{url}: {why} No pages were found. Try again later.",
            holds=lambda at: at.got_nothing,
            answer=Answer.CRAWL,
            button="Try again",
            changes=lambda *_: {},
        ),
    )


_WHERE_SCHEMES_DIFFER: Final = frozenset({CrawlFinding.NOT_HTTPS, CrawlFinding.MAYBE_HTTPS})


class CrawlHint(msgspec.Struct, frozen=True):
    """A finding about `root`, whose outcome is `outcome`.

    `settings` are for another try, None where none would help; `server` is the one to be trusted,
    "" where trust is not what is wanting.
    """

    finding: CrawlFinding
    root: str
    settings: CrawlSettings | None
    outcome: Outcome
    server: str = ""


class HintRows(Protocol):
    """The project queries needed here; `gossamer.store.reading.reader.Reader` implements them."""

    def outcome_counts(self) -> dict[Outcome, int]:
        """How many URLs have each outcome."""

    def children(self, parent: int | None, after: int = 0, limit: int = 200) -> list[TreeNode]:
        """The roots, for None."""

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        """What is known of these URLs."""

    def outlinks(self, url_id: int, after: int = -1, limit: int = 200) -> list[LinkRecord]:
        """The first links of a page."""


def hint_about(rows: HintRows, settings: CrawlSettings) -> CrawlHint | None:
    """Why the crawl with `settings` found no page beyond its roots; None if it found some."""
    nodes = rows.children(None, 0, _MOST_ROOTS)
    roots = rows.records([node.id for node in nodes])
    outcomes = rows.outcome_counts()
    pages = sum(outcomes.get(outcome, 0) for outcome in PAGES)
    if not roots or len(roots) >= _MOST_ROOTS or pages > len(roots):
        return None
    for root in roots:
        if found := _hint_at(_landing(root, rows), settings):
            return found
    if got_nothing({int(outcome): n for outcome, n in outcomes.items()}):
        return _hint_at(_landing(roots[0], rows)._replace(got_nothing=True), settings)
    return None


def _hint_at(at: Landing, settings: CrawlSettings) -> CrawlHint | None:
    """The first finding that holds there, as a hint."""
    for finding in CrawlFinding:
        declaration = finding.declaration
        if declaration.holds(at):
            changes = declaration.changes(at, settings)
            if finding in _WHERE_SCHEMES_DIFFER and not at.is_root:
                changes = None  # the root itself led away from there
            other = None if changes is None else msgspec.structs.replace(settings, **changes)
            server = server_of(at.page.url) if declaration.answer is Answer.TRUST else ""
            return CrawlHint(finding, at.page.url, other, at.page.outcome, server)
    return None


def _landing(root: UrlRecord, rows: HintRows) -> Landing:
    """Where the redirects of a root end, as far as they are this crawl's."""
    at = root
    for _ in range(MAX_REDIRECTS):
        found = rows.children(at.id, 0, 1) if at.outcome is Outcome.REDIRECT else []
        if not found:
            break
        [at] = rows.records([found[0].id])
    links = rows.outlinks(at.id) if at.outcome in PAGES else []
    return Landing(at, at is root, links, got_nothing=False)


def _has_nofollow_links(links: Sequence[LinkRecord]) -> bool:
    return any(link.kind in OUTLINK_KINDS and link.action is LinkAction.NOFOLLOW for link in links)


def _answers_no_http(page: UrlRecord) -> bool:
    is_plain = page.url.startswith("http://")
    return is_plain and (page.status == _BAD_REQUEST or page.outcome in _WITHOUT_HTTP)


def _in_scheme(scheme: str, at: Landing) -> _Changes:
    """The same address with the other of the two schemes; a port that it names stays."""
    return {"roots": (parse_root(f"{scheme}:{at.page.url.partition(':')[2]}"),)}
