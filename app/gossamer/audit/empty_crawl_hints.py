"""Explains why a crawl found nothing beyond its roots, and suggests settings that help."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final

import msgspec

from gossamer.audit.audit_rule import AuditRule, RuleDeclaration, RuleKind, RulePriority
from gossamer.audit.root_landing import HintRows, Landing, landing_of
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import PAGES, Outcome, Verdict
from gossamer.model.outcome_counts import got_nothing
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.settings.user_agents import PRESETS
from gossamer.model.translatable import Sentence
from gossamer.urls.url_parsing import origin, parse_root, server_of

_MOST_ROOTS: Final = 200
_MOST_BESIDE_LOGIN: Final = 10
"""Pages that a login page may link to, such as that for a new password and the imprint."""
UNAUTHORIZED: Final = 401
_BROWSER: Final = "chrome"
_GENTLE_WORKERS: Final = 2
_GENTLE_RATE: Final = 1.0
RENDERING_ON: Final = {"render": RenderMode.ON}
"""The change of settings that turns rendering on."""
_UNREACHED: Final = frozenset(
    {
        Outcome.CONNECTION_REFUSED,
        Outcome.CONNECTION_FAILED,
        Outcome.CONNECTION_LOST,
        Outcome.TIMEOUT,
        Outcome.TOO_SLOW,
    }
)


_Changes = dict[str, Any] | None


class HintAction(Enum):
    """What the user can do about a finding."""

    CRAWL = auto()
    """Crawl with other settings, or again."""
    TRUST = auto()
    """Trust the server for this crawl, which is not a setting for others."""
    EDIT = auto()
    """Correct the address."""
    LOG_IN = auto()
    """Log in to the site, and crawl it again."""
    GIVE_CREDENTIALS = auto()
    """Enter a password, or log in in another way, and crawl it again."""
    NONE = auto()


def _no_changes(at: Landing, settings: CrawlSettings) -> _Changes:
    del at, settings
    return None


class HintDeclaration(RuleDeclaration[Landing], frozen=True, kw_only=True):
    """A rule, and the remedies offered when it applies."""

    action: HintAction
    button: Sentence = ""
    """A template with the value `target`, the host that would be crawled."""
    changes: Callable[[Landing, CrawlSettings], _Changes] = _no_changes
    """The settings to crawl with, as far as they differ; None if no crawl would help."""


class CrawlFinding(AuditRule):
    """Why a crawl found nothing beyond a root.

    Texts have the values `host`, `url` and `why`, a sentence on the outcome.
    """

    declaration: HintDeclaration

    ASKS_FOR_LOGIN = (
        "asks-for-login",
        HintDeclaration(
            name="Asks for a login",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text="{host} asks for a login. To crawl what is behind it, log in and crawl again.",
            holds=lambda at: at.asks_for_login,
            action=HintAction.LOG_IN,
            button="Log in…",
        ),
    )
    ASKS_FOR_PASSWORD = (
        "asks-for-password",
        HintDeclaration(
            name="Asks for a password",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text=(
                "{host} asks for a user and a password (status 401). Enter them, or log in, and "
                "crawl again."
            ),
            holds=lambda at: at.page.status == UNAUTHORIZED and not at.has_login,
            action=HintAction.GIVE_CREDENTIALS,
            button="Enter them…",
        ),
    )
    LOGIN_REFUSED = (
        "login-refused",
        HintDeclaration(
            name="Does not accept the login",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text=(
                "{host} does not accept the login of this crawl (status 401). Enter another, or "
                "log in again, and crawl again."
            ),
            holds=lambda at: at.page.status == UNAUTHORIZED and at.has_login,
            action=HintAction.GIVE_CREDENTIALS,
            button="Enter another…",
        ),
    )
    REFUSED = (
        "refused",
        HintDeclaration(
            name="Refuses crawlers",
            kind=RuleKind.WARNING,
            priority=RulePriority.HIGH,
            text="{host} blocks crawlers, but may let visitors in.",
            holds=lambda at: at.page.verdict is Verdict.REFUSED and not at.is_of_proxy,
            action=HintAction.CRAWL,
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
            holds=lambda at: at.has_nofollow_links,
            action=HintAction.CRAWL,
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
            action=HintAction.CRAWL,
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
            holds=lambda at: at.speaks_only_tls,
            action=HintAction.CRAWL,
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
            action=HintAction.CRAWL,
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
            action=HintAction.CRAWL,
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
            action=HintAction.CRAWL,
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
            action=HintAction.TRUST,
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
            action=HintAction.CRAWL,
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
            action=HintAction.EDIT,
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
            action=HintAction.CRAWL,
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
            holds=lambda at: (
                at.is_of_proxy or (at.got_nothing and at.page.outcome is Outcome.PROXY_FAILURE)
            ),
            action=HintAction.CRAWL,
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
            action=HintAction.NONE,
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
            action=HintAction.EDIT,
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
            action=HintAction.CRAWL,
            button="Try again",
            changes=lambda *_: {},
        ),
    )


_WHERE_SCHEMES_DIFFER: Final = frozenset({CrawlFinding.NOT_HTTPS, CrawlFinding.MAYBE_HTTPS})


class CrawlHint(msgspec.Struct, frozen=True):
    """A finding about `root`, whose outcome is `outcome`.

    `settings` are for another try, None if none would help; `server` is the one to trust, "" if
    trust is not the problem.
    """

    finding: CrawlFinding
    root: str
    settings: CrawlSettings | None
    outcome: Outcome
    server: str = ""


def hint_about(rows: HintRows, settings: CrawlSettings) -> CrawlHint | None:
    """Why the crawl with `settings` found no page beyond its roots; None if it found some."""
    nodes = rows.children(None, 0, _MOST_ROOTS)
    roots = rows.records([node.id for node in nodes])
    outcomes = rows.outcome_counts()
    others = sum(outcomes.get(outcome, 0) for outcome in PAGES) - len(roots)
    if not roots or len(roots) >= _MOST_ROOTS or others > _MOST_BESIDE_LOGIN:
        return None
    has_login = _has_login(roots[0], settings)
    landings = [landing_of(root, rows)._replace(has_login=has_login) for root in roots]
    is_alone = others <= 0
    leads_to_login = (at.leads_to_login(is_alone=is_alone) for at in landings)
    if not has_login and all(leads_to_login):
        return _hint_at(landings[0]._replace(asks_for_login=True), settings)
    if not is_alone:
        return None
    if found := next(filter(None, (_hint_at(at, settings) for at in landings)), None):
        return found
    if got_nothing({int(outcome): n for outcome, n in outcomes.items()}):
        return _hint_at(landings[0]._replace(got_nothing=True), settings)
    return None


def _has_login(root: UrlRecord, settings: CrawlSettings) -> bool:
    is_secret = any(names.origin == origin(root.url) for names in settings.needs_secrets)
    return is_secret or settings.login_form is not None


def _hint_at(at: Landing, settings: CrawlSettings) -> CrawlHint | None:
    """The first finding that holds there, as a hint."""
    for finding in CrawlFinding:
        declaration = finding.declaration
        if declaration.holds(at):
            changes = declaration.changes(at, settings)
            if finding in _WHERE_SCHEMES_DIFFER and not at.is_root:
                changes = None  # the root itself led away from there
            other = None if changes is None else msgspec.structs.replace(settings, **changes)
            server = server_of(at.page.url) if declaration.action is HintAction.TRUST else ""
            return CrawlHint(finding, at.page.url, other, at.page.outcome, server)
    return None


def _in_scheme(scheme: str, at: Landing) -> _Changes:
    """The same address with the other of the two schemes; an explicit port stays."""
    return {"roots": (parse_root(f"{scheme}:{at.page.url.partition(':')[2]}"),)}
