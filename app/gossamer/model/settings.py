"""The settings of one crawl: part of its project file, checked where a person types them.

Each field is documented in docs/settings.md; a test compares.
"""

import re
from enum import StrEnum

import msgspec
from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.folder_priority import FolderPriority
from gossamer.model.headers import check_headers, check_public_headers
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.proxy import parse_proxy
from gossamer.model.secrets import SecretNames
from gossamer.model.text import MAX_TYPED_CHARACTERS, one_line
from gossamer.model.translatable import Translatable
from gossamer.model.user_agents import GOSSAMER

MIB = 1024 * 1024
MAX_WORKERS = 10_000
MAX_REDIRECTS = 50


class HostMatch(StrEnum):
    """Which hosts belong to the crawl."""

    STRICT = "strict"
    """The hosts of the roots themselves."""
    LENIENT = "lenient"
    """Every host of the roots' registrable domains, by the Public Suffix List."""


class Parser(StrEnum):
    """The HTML parser of the page workers."""

    SELECTOLAX = "selectolax"
    BEAUTIFULSOUP = "beautifulsoup"


KIND_NAMES: dict[str, LinkKind] = {
    kind.name.lower(): kind for kind in LinkKind if kind.declaration.is_setting
}
"""The kinds of links that settings may name."""
OF_ONE_CRAWL = ("insecure_hosts", "needs_secrets", "turns")
"""What belongs to one crawl: no file of settings, no profile and no other crawl has it of that."""
OF_ITS_ROOTS = ("roots", "headers", "sitemaps", "list_only")
"""What is said of the addresses of one crawl: neither profiles nor defaults have it."""


def _kinds_with(action: LinkAction) -> tuple[str, ...]:
    """The kinds that settings may name and that this is done about by default."""
    return tuple(name for name, kind in KIND_NAMES.items() if kind.declaration.action is action)


FOLLOWED_KINDS = _kinds_with(LinkAction.FOLLOW)
CHECKED_KINDS = _kinds_with(LinkAction.CHECK)


class CrawlSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is crawled and how. Immutable; `checked` tells whether it can be used."""

    roots: tuple[str, ...]
    """URLs the crawl starts from, as typed: a missing scheme is filled in."""
    workers: int = 10
    """URLs in flight at once, over all page workers."""
    max_redirects: int = 10
    """Redirects followed in a row, counted from a link or a root."""
    max_tries: int = 4
    """How often a URL is asked when the failure may pass."""
    max_depth: int | None = None
    """Clicks from a root; None is without limit."""
    max_pages: int | None = None
    """Pages read before the crawl stops; nothing else counts. None is without limit."""
    timeout_s: float = 30.0
    """What a server may take for one hop, from connecting to the last byte."""
    include: tuple[str, ...] = ()
    """Regular expressions; where there are any, a URL must match one (roots need not)."""
    exclude: tuple[str, ...] = ()
    """Regular expressions; a URL that matches one is left out (roots too)."""
    host_match: HostMatch = HostMatch.STRICT
    processes: int | None = None
    """Page workers (processes); None is one per core."""
    rate: float | None = None
    """Requests per second and host; None is as fast as the host answers."""
    user_agent: str = GOSSAMER
    headers: tuple[tuple[str, str], ...] = ()
    """Request headers for the origin of the roots alone, as typed; a project keeps their names."""
    public_headers: tuple[tuple[str, str], ...] = ()
    """Request headers for every server, which are no secret."""
    needs_secrets: tuple[SecretNames, ...] = ()
    """The names of the secrets that the crawl was begun with."""
    accept_language: str = ""
    """The Accept-Language header; "" sends none."""
    proxy: str | None = None
    """A proxy for every request, as `http://host:port` (see `model.proxy`); None is none."""
    insecure_hosts: tuple[str, ...] = ()
    """The servers, each as "host:port", whose certificates are not checked in this crawl."""
    keep_cookies: bool = True
    """Keep the cookies that servers set, in memory, and tell them their servers."""
    obey_robots: bool = True
    parser: Parser = Parser.SELECTOLAX
    max_body_bytes: int = 10 * MIB
    """Decoded size at which a body is cut."""
    max_url_length: int = 8192
    """Characters; longer URLs are recorded, not fetched."""
    max_links: int = 20_000
    """Links taken from one page; the rest is left out."""
    max_similar: int = 1000
    """Addresses that differ only in numbers, tokens or query and are found on one another."""
    max_per_host: int | None = None
    """URLs in flight at once on one host; None is as many as there are workers."""
    follow_kinds: tuple[str, ...] = FOLLOWED_KINDS
    """Kinds of links whose targets are fetched, by the names of `LinkKind` in lower case."""
    check_kinds: tuple[str, ...] = CHECKED_KINDS
    """Kinds of links whose targets are asked for their headers only; others are recorded."""
    follow_nofollow: bool = False
    """Follow links in spite of nofollow, in the link or for the page."""
    check_external: bool = False
    """Ask for the headers of links that lead out of the crawl."""
    external_rate: float = 2.0
    """Requests per second and host for such checks."""
    use_sitemaps: bool = False
    """Read the sitemaps that robots.txt names, or /sitemap.xml, and fetch what they name."""
    sitemaps: tuple[str, ...] = ()
    """Addresses of sitemaps to read as well."""
    list_only: bool = False
    """Fetch the roots and follow their redirects, but no links."""
    guard: bool = True
    """Pause when nearly every answer is a failure."""
    turns: tuple[FolderPriority, ...] = ()
    """The folders that the person held back, or wants crawled first, while the crawl ran."""

    def checked(self) -> "CrawlSettings":
        """Return self, or raise UsageError with one sentence about the first thing wrong."""
        if not self.roots:
            raise UsageError("Type the address of a website to crawl.")
        self._check_lengths()
        for name in RANGES:
            _check_range(name, getattr(self, name))
        for pattern in (*self.include, *self.exclude):
            _check_pattern(pattern)
        check_headers((*self.headers, ("User-Agent", self.user_agent)))
        check_public_headers(self.public_headers)
        for kind in (*self.follow_kinds, *self.check_kinds):
            _check_kind(kind)
        check_headers((("Accept-Language", self.accept_language),))
        for server in self.insecure_hosts:
            _check_server(server)
        if self.proxy is not None:
            parse_proxy(self.proxy)
        return self

    def _check_lengths(self) -> None:
        texts = (self.user_agent, self.accept_language, self.proxy or "")
        for text in (*texts, *self.roots, *self.sitemaps, *self.include, *self.exclude):
            if len(text) > MAX_TYPED_CHARACTERS:
                raise UsageError(
                    '"{text}" is longer than {most:,} characters; shorten it.',
                    text=one_line(text[:MAX_TYPED_CHARACTERS], 80),
                    most=MAX_TYPED_CHARACTERS,
                )


def for_another_crawl(settings: CrawlSettings) -> CrawlSettings:
    """The settings without what belongs to the crawl that they are of."""
    return msgspec.structs.replace(settings, **dict.fromkeys(OF_ONE_CRAWL, ()))


REUSABLE: tuple[str, ...] = tuple(
    name for name in CrawlSettings.__struct_fields__ if name not in (*OF_ONE_CRAWL, *OF_ITS_ROOTS)
)
"""The settings that may be any crawl's: those of profiles and defaults."""
RANGES: dict[str, tuple[float, float]] = {
    "workers": (1, MAX_WORKERS),
    "max_redirects": (0, MAX_REDIRECTS),
    "max_tries": (1, 20),
    "max_depth": (0, 10_000),
    "max_pages": (1, 10**12),
    "timeout_s": (0.1, 3600),
    "processes": (1, 64),
    "rate": (0.001, 100_000),
    "max_body_bytes": (1024, 1024 * MIB),
    "max_url_length": (64, 65_536),
    "max_links": (1, 50_000),
    "max_similar": (10, 10**9),
    "max_per_host": (1, MAX_WORKERS),
    "external_rate": (0.001, 1000),
}
"""The smallest and the largest value of each setting that is a number; None is always allowed."""


def setting_words(name: str) -> Translatable:
    """How a sentence calls the setting `name`: "Max redirects", and "Timeout" without its unit."""
    return Translatable(name.removesuffix("_s").replace("_", " ").capitalize())


def _check_range(name: str, value: float | None) -> None:
    low, high = RANGES[name]
    if value is not None and not low <= value <= high:
        raise UsageError(
            "{setting} must be between {low:,} and {high:,}.",
            setting=setting_words(name),
            low=low,
            high=high,
        )


def _check_pattern(pattern: str) -> None:
    if not pattern:
        raise UsageError("An empty pattern matches every address; write one or leave it out.")
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as e:
        raise UsageError(
            "The pattern {pattern} is not a regular expression: {why}; correct it or leave it out.",
            pattern=f'"{one_line(pattern, 80)}"',
            why=str(e),
        ) from e


def _check_server(server: str) -> None:
    if not re.fullmatch(r"[^\s/@]+:[0-9]{1,5}", server):
        raise UsageError("{server!r} is no server; write it as HOST:PORT.", server=server)


def _check_kind(kind: str) -> None:
    if kind not in KIND_NAMES:
        raise UsageError(
            "{kind!r} is not a kind of link; the kinds are {known}.",
            kind=kind,
            known=", ".join(sorted(KIND_NAMES)),
        )


def encode_settings(settings: CrawlSettings) -> str:
    """The settings as JSON text, as project files hold them."""
    return msgspec.json.encode(settings).decode()


def decode_settings(text: str) -> CrawlSettings:
    """The settings from JSON text; ValueError (msgspec.ValidationError) if it is not that."""
    return msgspec.json.decode(text, type=CrawlSettings)
