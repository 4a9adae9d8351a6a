"""Decides by a URL alone whether it belongs to a crawl: by scope, patterns, scheme and length."""

from collections.abc import Callable

from ada_url import URL, check_url

from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.scope_settings import HostMatch
from gossamer.urls.domains import is_address, registrable_domain
from gossamer.urls.url_filters import PatternSearch, compile_search
from gossamer.urls.url_parsing import host_and_port, is_http, origin, parse_root

MAX_REMEMBERED = 10_000
"""Origins whose verdict is remembered; a site can link to any number of hosts."""


class Scope:
    """Decides, for one crawl, which URLs are fetched.

    A URL's host decides first, as `CrawlSettings.host_match` says:

    - strict: host and port are a root's. http and https are the same host where each uses its
      default port.
    - lenient: the registrable domain is a root's, whatever the port. The Public Suffix List
      that comes with the program tells registrable domains, its private section included, as
      in browsers: `a.github.io` and `b.github.io` are two sites. IP addresses and localhost
      must match in host and port; hosts of one label and public suffixes, in host.

    Then the patterns, regular expressions searched anywhere in the serialised URL (see
    `gossamer.urls.url_filters`): one that matches an `exclude` pattern is out; where there are
    `include` patterns, a URL other than a root must match one. Patterns see no URL longer than
    `max_url_length`; one that a pattern cannot decide on in time is not fetched.

    Raises UsageError for a root that is no web address and a pattern that cannot be used.
    """

    def __init__(self, settings: CrawlSettings) -> None:
        roots = [origin(parse_root(root)) for root in settings.roots]
        self._site_of = _site_by(settings)
        self._sites = sites_of(settings)
        self._max_url_length = settings.max_url_length
        self._include = tuple(compile_search(pattern) for pattern in settings.include)
        self._excluded = settings.exclude
        self._exclude = tuple(map(_excluding, settings.exclude))
        self._host_refusals: dict[str, Outcome | None] = {}
        self.host_names = frozenset(host_and_port(root)[0] for root in roots)
        """Those of the roots, without ports."""

    def refusal(self, url: str, *, root: bool = False) -> Outcome | None:
        """Why `url` is not to be fetched; None if it is.

        `url` is a serialised URL, or what a page has where one should be. The refusals, in the
        order they are looked for: UNSUPPORTED_SCHEME, MALFORMED_URL, URL_TOO_LONG,
        OUT_OF_SCOPE, EXCLUDED, NOT_INCLUDED.
        """
        if not is_http(url):
            return Outcome.UNSUPPORTED_SCHEME if check_url(url) else Outcome.MALFORMED_URL
        refusal = self._refusal_by_host(url)
        if len(url) > self._max_url_length and refusal is not Outcome.MALFORMED_URL:
            return Outcome.URL_TOO_LONG
        return refusal or self._pattern_refusal(url, root=root)

    def is_internal(self, url: str) -> bool:
        """Whether `url` is a web address, and not one that `is_external`."""
        return is_http(url) and not self.is_external(url)

    def is_external(self, url: str) -> bool:
        """Whether `url` is a web address on a host that is not crawled, whatever its length."""
        return is_http(url) and self._refusal_by_host(url) is Outcome.OUT_OF_SCOPE

    def exclude(self, pattern: str) -> None:
        """Exclude what this pattern matches too; UsageError if it cannot be used."""
        self._exclude = (*self._exclude, _excluding(pattern))
        self._excluded = (*self._excluded, pattern)

    def include_again(self, pattern: str) -> None:
        """Take back that this pattern excludes anything."""
        kept = [each for each in self._excluded if each != pattern]
        self._excluded = tuple(kept)
        self._exclude = tuple(map(_excluding, kept))

    def excluded_by(self, url: str) -> str:
        """The exclude pattern that matches `url`; "" if none does."""
        searches = zip(self._exclude, self._excluded, strict=True)
        return next((pattern for search, pattern in searches if search(url)), "")

    def _refusal_by_host(self, url: str) -> Outcome | None:
        """The refusal of a web address by what stands before its path."""
        host_end = url.find("/", 8)
        if host_end < 0:  # what is serialised has a slash after its host
            return Outcome.MALFORMED_URL
        prefix = url[:host_end]
        refusal = self._host_refusals.get(prefix, Outcome.PENDING)
        return self._remembered(prefix) if refusal is Outcome.PENDING else refusal

    def _remembered(self, prefix: str) -> Outcome | None:
        """The refusal by what stands before the path, kept for the next URL of that host."""
        if len(self._host_refusals) >= MAX_REMEMBERED:
            self._host_refusals.clear()
        refusal = self._host_refusal(prefix)
        self._host_refusals[prefix] = refusal
        return refusal

    def _host_refusal(self, prefix: str) -> Outcome | None:
        try:
            serialised = URL(prefix).href
        except ValueError:
            return Outcome.MALFORMED_URL
        if serialised != f"{prefix}/":
            return Outcome.MALFORMED_URL
        return None if self._site_of(origin(serialised)) in self._sites else Outcome.OUT_OF_SCOPE

    def _pattern_refusal(self, url: str, *, root: bool) -> Outcome | None:
        for search in self._exclude:
            if search(url):
                return Outcome.EXCLUDED
        if root or not self._include or any(search(url) for search in self._include):
            return None
        return Outcome.NOT_INCLUDED


def _excluding(pattern: str) -> PatternSearch:
    """The search of an exclude pattern: what it cannot decide in time is not fetched either."""
    return compile_search(pattern, undecided=True)


def sites_of(settings: CrawlSettings) -> frozenset[str]:
    """What the hosts of a crawl have in common, as `HostMatch` says.

    UsageError for a root that is no web address.
    """
    site = _site_by(settings)
    return frozenset(site(origin(parse_root(root))) for root in settings.roots)


def _site_by(settings: CrawlSettings) -> Callable[[str], str]:
    return _strict_site if settings.host_match is HostMatch.STRICT else site_of


def _strict_site(url_origin: str) -> str:
    """What two origins share that are the same site in a strict crawl."""
    return url_origin.partition("://")[2]


def site_of(url_origin: str) -> str:
    """What two origins share that are the same site in a lenient crawl: a registrable domain."""
    host, port = host_and_port(url_origin)
    if is_address(host) or _is_localhost(host):
        return f"{host}:{port}"
    return registrable_domain(host) or host


def _is_localhost(host: str) -> bool:
    return host.rstrip(".").rpartition(".")[2] == "localhost"
