"""The bounded, in-memory cookie jar of one crawl; matches cookies by RFC 6265 §5.4.

Cookies of a login are secrets, and not in it: see `model/secrets` and `fetch/request_cookies`.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final
from urllib.parse import urlsplit

from gossamer.model.bounded_dict import drop_oldest, make_newest
from gossamer.model.cookie import Cookie, is_path_below
from gossamer.model.crawl_clock import CLOCK
from gossamer.urls.domains import is_address, port_of
from gossamer.urls.url_parsing import origin

MAX_DOMAINS: Final = 1_000
MAX_PER_DOMAIN: Final = 50
"""Cookies (RFC 6265 §6.1)."""
MAX_BYTES: Final = 8_192
"""Per domain, and per Cookie header: servers refuse longer ones, and some sites set them."""

_Domain = tuple[str, int | None]
_Key = tuple[str, str, bool]


class CookieJar:
    """Stores cookies; when full, drops those of the domains that were sent none for longest.

    Those of the crawl's own sites stay: their session may be what the crawl is about.
    """

    def __init__(
        self, now_s: Callable[[], float] = CLOCK.now, *, sites: Iterable[str] = ()
    ) -> None:
        """`now_s` is Unix time, by default that of the crawl; `sites` are origins of its roots."""
        self._now_s = now_s
        self._own = {
            (domain, port) for host, port in map(port_of, sites) for domain in _domains_of(host)
        }
        self._domains: dict[_Domain, dict[_Key, Cookie]] = {}

    def store(self, cookies: Iterable[Cookie]) -> None:
        """Add cookies, or remove those that have expired."""
        for cookie in cookies:
            self._store(cookie)

    def header(self, url: str) -> str:
        """The value of the Cookie header of a request for `url`; "" for none."""
        if not self._domains:
            return ""
        site = origin(url)
        host, port = port_of(site)
        path = urlsplit(url).path
        valid = self._valid(host, port, is_https=site.startswith("https:"))
        sent = [cookie for cookie in valid if is_path_below(path, cookie.path)]
        sent.sort(key=lambda cookie: -len(cookie.path))
        return "; ".join(_within_limit(sent))

    def sent_to(self, site: str) -> list[Cookie]:
        """The cookies sent to the origin `site`, each below its path."""
        host, port = port_of(site)
        return self._valid(host, port, is_https=site.startswith("https:"))

    def _valid(self, host: str, port: int | None, *, is_https: bool) -> list[Cookie]:
        now_s = self._now_s()
        valid: list[Cookie] = []
        for domain in _domains_of(host):
            found = [
                cookie
                for cookie in self._domains.get((domain, port), {}).values()
                if (domain == host or not cookie.host_only)
                and (not cookie.secure or is_https)
                and (cookie.expires_s is None or cookie.expires_s > now_s)
            ]
            if found:
                make_newest(self._domains, (domain, port))
                valid += found
        return valid

    def _store(self, cookie: Cookie) -> None:
        domain = (cookie.domain, cookie.port)
        kept = self._domains.get(domain)
        key = (cookie.name, cookie.path, cookie.host_only)
        before = None if kept is None else kept.get(key)
        if before is not None and before.secure and not cookie.from_https:
            return  # what https has set, http does not change (RFC 6265bis §5.7)
        if cookie.expires_s is not None and cookie.expires_s <= self._now_s():
            if kept is not None:
                kept.pop(key, None)
            return
        if kept is None:
            if len(self._domains) >= MAX_DOMAINS:
                drop_oldest(self._domains, self._own.__contains__)
            kept = self._domains[domain] = {}
        kept[key] = cookie
        while len(kept) > MAX_PER_DOMAIN or sum(each.size_bytes for each in kept.values()) > (
            MAX_BYTES
        ):
            del kept[next(iter(kept))]


def _domains_of(host: str) -> Iterator[str]:
    yield host
    if is_address(host):
        return
    while "." in host:
        host = host.partition(".")[2]
        yield host


def _within_limit(cookies: Iterable[Cookie]) -> Iterator[str]:
    room = MAX_BYTES
    for cookie in cookies:
        room -= cookie.size_bytes
        if room >= 0:
            yield f"{cookie.name}={cookie.value}"
