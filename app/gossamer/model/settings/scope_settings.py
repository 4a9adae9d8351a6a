"""Declares the settings for the scope of a crawl and for following links."""

from enum import StrEnum
from typing import Annotated, Final

from gossamer.model.link_kinds import OUTLINK_KINDS, LinkAction
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
OUTLINK_NAMES: Final = tuple(name for name, kind in KIND_NAMES.items() if kind in OUTLINK_KINDS)


class ScopeSettings(LimitSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Scope, links and sitemaps. A part of CrawlSettings."""

    host_match: Annotated[
        HostMatch,
        Setting(
            "Hosts",
            "Whether subdomains are in scope.",
            Section.SCOPE,
            Choice(("This host only", "All hosts of the domain")),
            Option("Hosts in scope: those of the roots, or all hosts of their domains."),
            called="Host match",
        ),
    ] = HostMatch.STRICT
    """Hosts in scope. `strict`: those of the roots. `lenient`: all hosts of the same registrable
    domain, such as `www.example.com` and `shop.example.com`, according to the Public Suffix List.
    """
    include: Annotated[
        tuple[str, ...],
        Setting(
            "Include",
            "Regular expressions, one per line; empty for all URLs.",
            Section.SCOPE,
            Patterns(),
            Option("Fetch only URLs that match this regular expression; repeatable.", metavar="RE"),
            decides_reading=False,
        ),
    ] = ()
    """Regular expressions. If there are any, only URLs that match one are fetched; roots are
    exempt. An empty expression would match everything and is refused, here and in `exclude`.
    """
    exclude: Annotated[
        tuple[str, ...],
        Setting(
            "Exclude",
            "Regular expressions, one per line.",
            Section.SCOPE,
            Patterns(),
            Option(
                "Skip URLs that match this regular expression; repeatable.",
                on_resume="Also skip URLs that match this regular expression; repeatable.",
                metavar="RE",
            ),
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = ()
    """Regular expressions. URLs that match one are not fetched, including roots and sitemaps, nor
    are long ones on which an expression, here or in `include`, takes longer than half a second.
    """
    follow_kinds: Annotated[
        tuple[str, ...],
        Setting(
            "Follow",
            "Targets of these links are fetched and parsed.",
            Section.LINKS,
            LinkKinds(),
            Option("Kinds of links to follow.", metavar="KINDS"),
            called="Follow kinds",
            decides_reading=False,
        ),
    ] = FOLLOWED_KINDS
    """Kinds of links whose targets are fetched and parsed."""
    check_kinds: Annotated[
        tuple[str, ...],
        Setting(
            "Check",
            "Targets of these links are only checked for their status.",
            Section.LINKS,
            LinkKinds(),
            Option("Kinds of links to check by their headers only; '' for none.", metavar="KINDS"),
            called="Check kinds",
            decides_reading=False,
        ),
    ] = CHECKED_KINDS
    """Kinds of links whose targets are only checked by their headers. Links of all other kinds are
    only recorded. With `css` among them, style sheets are read for what they load.
    """
    follow_nofollow: Annotated[
        bool,
        Setting(
            "Follow nofollow links",
            "",
            Section.LINKS,
            Switch(),
            Option("Follow nofollow links."),
            called="Follow nofollow",
            decides_reading=False,
        ),
    ] = False
    """Follow links despite `rel=nofollow`, a robots meta element or X-Robots-Tag."""
    follow_sign_out: Annotated[
        bool,
        Setting(
            "Follow links that sign out or delete",
            "Without a login, they are always followed.",
            Section.LINKS,
            Switch(),
            Option("With a login, also follow links that look like they sign out or delete."),
            called="Follow sign-out",
            decides_reading=False,
        ),
    ] = False
    """With a login (a password, cookies, private headers or a browser's login), also follow links
    whose URL or text looks like it signs out or deletes something: "logout", "Abmelden",
    "?action=delete". Otherwise they are listed, and not requested.
    """
    check_external: Annotated[
        bool,
        Setting(
            "Check external links",
            "",
            Section.LINKS,
            Switch(),
            Option("Check external links."),
            called="Check external",
            decides_reading=False,
        ),
    ] = False
    """Check links to other sites by their headers to find broken ones: with HEAD, then with GET if
    the HEAD error is one that GET may avoid, and once more only if the failure may be temporary. A
    broken link gets three requests at most, regardless of `max_tries`.
    """
    external_rate: Annotated[
        float,
        Setting(
            "External check rate",
            "Per external host.",
            Section.LINKS,
            Number(0.001, 1000, unit=" per second"),
            Option("Requests per second to one external host."),
            called="External rate",
            change=ChangePolicy.AT_ONCE,
            needs="check_external",
            decides_reading=False,
        ),
    ] = 2.0
    """Maximum requests per second to one external host."""
    use_sitemaps: Annotated[
        bool,
        Setting(
            "Read the site's sitemaps",
            "",
            Section.SITEMAPS,
            Switch(),
            Option("Read the site's sitemaps."),
            called="Use sitemaps",
            decides_reading=False,
        ),
    ] = False
    """Read the sitemaps listed in robots.txt, or `/sitemap.xml`, and fetch the URLs they list."""
    sitemaps: Annotated[
        tuple[str, ...],
        Setting(
            "More sitemaps",
            "Sitemap URLs, one per line.",
            Section.SITEMAPS,
            Addresses(),
            Option("Additional sitemap to read; repeatable.", metavar="URL"),
            called="Sitemaps",
            reuse=Reuse.SAME_ROOTS,
            decides_reading=False,
        ),
    ] = ()
    """URLs of additional sitemaps to read."""
