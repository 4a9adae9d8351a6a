"""The settings of which URLs belong to a crawl, and of what becomes of its links."""

from enum import StrEnum
from typing import Annotated, Final

from gossamer.model.link_kinds import LinkAction
from gossamer.model.settings.limit_settings import LimitSettings
from gossamer.model.settings.setting_declaration import (
    ChangePolicy,
    Option,
    Reuse,
    Section,
    Setting,
)
from gossamer.model.settings.setting_types import (
    KIND_NAMES,
    Addresses,
    Choice,
    LinkKinds,
    Number,
    Patterns,
    Switch,
)


class HostMatch(StrEnum):
    """Which hosts belong to the crawl."""

    STRICT = "strict"
    """The hosts of the roots themselves."""
    LENIENT = "lenient"
    """Every host of the roots' registrable domains, by the Public Suffix List."""


def _kinds_with(action: LinkAction) -> tuple[str, ...]:
    """The kinds that settings may name and that this is done about by default."""
    return tuple(name for name, kind in KIND_NAMES.items() if kind.declaration.action is action)


FOLLOWED_KINDS: Final = _kinds_with(LinkAction.FOLLOW)
CHECKED_KINDS: Final = _kinds_with(LinkAction.CHECK)


class ScopeSettings(LimitSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Scope, links and sitemaps. A part of CrawlSettings."""

    host_match: Annotated[
        HostMatch,
        Setting(
            "Hosts",
            "Whether subdomains are in scope.",
            Section.SCOPE,
            Choice(("This host only", "All hosts of the domain")),
            Option("The roots' hosts, or all of their domains."),
            called="Host match",
        ),
    ] = HostMatch.STRICT
    """Which hosts belong to the crawl. `strict`: those of the roots. `lenient`: all of the same
    registrable domain, so `www.example.com` and `shop.example.com` belong together; the Public
    Suffix List decides.
    """
    include: Annotated[
        tuple[str, ...],
        Setting(
            "Include",
            "Regular expressions, one per line; empty for all URLs.",
            Section.SCOPE,
            Patterns(),
            Option("Fetch only URLs that match; may be repeated.", metavar="RE"),
        ),
    ] = ()
    """Regular expressions; where there are any, a URL must match one to be fetched. Roots need
    not. An empty one is refused, as it matches everything; so it is in `exclude`.
    """
    exclude: Annotated[
        tuple[str, ...],
        Setting(
            "Exclude",
            "Regular expressions, one per line.",
            Section.SCOPE,
            Patterns(),
            Option(
                "Leave out URLs that match; may be repeated.",
                on_resume="Leave out URLs that match, too; may be repeated.",
                metavar="RE",
            ),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = ()
    """Regular expressions; a URL that matches one is not fetched, roots included."""
    follow_kinds: Annotated[
        tuple[str, ...],
        Setting(
            "Follow",
            "Targets of these links are fetched and parsed.",
            Section.LINKS,
            LinkKinds(),
            Option("Links to follow, by kind.", metavar="KINDS"),
            called="Follow kinds",
        ),
    ] = FOLLOWED_KINDS
    """Kinds of links whose targets are fetched and read."""
    check_kinds: Annotated[
        tuple[str, ...],
        Setting(
            "Check",
            "Targets of these links are only checked for their status.",
            Section.LINKS,
            LinkKinds(),
            Option("Links to ask for headers only; '' for none.", metavar="KINDS"),
            called="Check kinds",
        ),
    ] = CHECKED_KINDS
    """Kinds of links whose targets are asked for their headers only. Links of all other kinds are
    recorded.
    """
    follow_nofollow: Annotated[
        bool,
        Setting(
            "Follow nofollow links",
            "",
            Section.LINKS,
            Switch(),
            Option("Follow links in spite of nofollow."),
            called="Follow nofollow",
        ),
    ] = False
    """Follow links in spite of `rel=nofollow`, a robots meta element, or X-Robots-Tag."""
    check_external: Annotated[
        bool,
        Setting(
            "Check external links",
            "",
            Section.LINKS,
            Switch(),
            Option("Ask whether links out of the crawl work."),
            called="Check external",
        ),
    ] = False
    """Ask for the headers of links that lead out of the crawl, to find dead ones: once with HEAD,
    once more with GET where the answer to HEAD is an error that GET may not give, and only where a
    failure may pass, a second time. A dead link is asked three times at most, whatever `max_tries`
    says.
    """
    external_rate: Annotated[
        float,
        Setting(
            "External check rate",
            "Per external host.",
            Section.LINKS,
            Number(0.001, 1000, unit=" per second"),
            Option("Requests per second to hosts outside the crawl."),
            called="External rate",
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 2.0
    """Requests per second to one host for such checks."""
    use_sitemaps: Annotated[
        bool,
        Setting(
            "Read the site's sitemaps",
            "",
            Section.SITEMAPS,
            Switch(),
            Option("Read the site's sitemaps too."),
            called="Use sitemaps",
        ),
    ] = False
    """Read the sitemaps that robots.txt names, or `/sitemap.xml`, and fetch what they name."""
    sitemaps: Annotated[
        tuple[str, ...],
        Setting(
            "More sitemaps",
            "Sitemap URLs, one per line.",
            Section.SITEMAPS,
            Addresses(),
            Option("A sitemap to read; may be repeated.", metavar="URL"),
            called="Sitemaps",
            reuse=Reuse.SAME_ROOTS,
        ),
    ] = ()
    """Addresses of sitemaps to read as well."""
