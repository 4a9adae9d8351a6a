"""What is sent: the bytes of a request, exactly as the URL is spelled."""

import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from aiohttp import InvalidURL

from app.fetch.decoding import ACCEPT_ENCODING
from app.model.errors import UsageError
from app.model.settings import CrawlSettings
from app.urls.parse import origin, parse_root, without_fragment

ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
_SENDABLE = re.compile(r"https?://[!-.0-~]+/[!-~]*")
"""A serialised URL. What is not one could smuggle a line into the request."""
_OF_THE_MESSAGE = frozenset({"content-length", "transfer-encoding", "accept-encoding"})
"""Describe this very message: not for settings to say."""
_MAX_SITES = 1_000
_TO_THE_PROXY = "proxy-authorization"
_SECRET = re.compile("auth|cookie|credential|password|secret|session|token|api-?key", re.IGNORECASE)
"""In the names of headers whose values are nobody else's business."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to `origin` ("http://example.com:8080").

    `head` lacks the last header and the end. A HEAD request is answered without a body.
    """

    origin: str
    head: bytes
    is_head: bool = False

    @property
    def any_encoding(self) -> bytes:
        """The request's bytes, with all content codings we can undo welcome."""
        return self.head + b"Accept-Encoding: " + ACCEPT_ENCODING.encode() + b"\r\n\r\n"

    @property
    def no_encoding(self) -> bytes:
        """The request's bytes, asking for a body that is not compressed."""
        return self.head + b"Accept-Encoding: identity\r\n\r\n"


@dataclass(frozen=True, slots=True)
class _Site:
    """What is the same for every request to it. `target_prefix` is for a proxy."""

    origin: str
    target_prefix: str
    headers: bytes


class Requests:
    """Makes requests with the headers of one crawl, which are put together once.

    Secrets stay with the crawl's own origins, which are those of its roots: headers that hold
    secrets, and the user names and passwords that stand in the roots. The user name and password
    that stand in a URL are sent to its own origin.
    """

    def __init__(self, settings: CrawlSettings) -> None:
        """`settings.headers` go before the crawler's own headers of the same name."""
        extra = [(k, v) for k, v in settings.headers if k.lower() not in _OF_THE_MESSAGE]
        own = {"User-Agent": settings.user_agent, "Accept": ACCEPT}
        if settings.accept_language:
            own["Accept-Language"] = settings.accept_language
        names = {name.lower() for name, _ in extra}
        kept = [(name, value) for name, value in own.items() if name.lower() not in names]
        public = [(name, value) for name, value in extra if not _SECRET.search(name)]
        secret = [(name, value) for name, value in extra if name.lower() != _TO_THE_PROXY]
        self._has_proxy = settings.proxy is not None
        self.proxy_headers = _lines(pair for pair in extra if pair[0].lower() == _TO_THE_PROXY)
        """For the proxy alone, if there is one."""
        # Without a proxy the header is a secret like any other.
        self._at_home = _lines([*kept, *(secret if self._has_proxy else extra)])
        self._abroad = _lines([*kept, *public])
        self._names_host = "host" in names
        self._names_authorization = "authorization" in names
        self._sites: dict[str, _Site] = {}
        self._homes = _userinfo_of_origins(settings.roots)

    def request(self, url: str, method: str = "GET") -> Request:
        """The request for a serialised http or https URL; InvalidURL (aiohttp's) for any other."""
        url = without_fragment(url)
        if not _SENDABLE.fullmatch(url):
            raise InvalidURL(url, "not a serialised http or https URL")
        end = url.index("/", url.index("//") + 2)
        site = self._sites.get(url[:end])
        if site is None:
            if len(self._sites) >= _MAX_SITES:
                self._sites.clear()
            site = self._sites[url[:end]] = self._site(url[:end])
        head = f"{method} {site.target_prefix}{url[end:]} HTTP/1.1\r\n".encode("ascii")
        return Request(site.origin, head + site.headers, method == "HEAD")

    def _site(self, start: str) -> "_Site":
        """What is the same for all URLs that begin with `start`, which is up to the path."""
        asked = origin(start)
        userinfo, _, host = start.partition("//")[2].rpartition("@")
        home_userinfo = self._homes.get(asked)
        is_home = home_userinfo is not None
        own = [] if self._names_host else [("Host", host)]
        userinfo = userinfo or home_userinfo or ""
        if userinfo and not (self._names_authorization and is_home):
            own.append(("Authorization", _basic(userinfo)))
        headers = _lines(own) + (self._at_home if is_home else self._abroad)
        if self._has_proxy and asked.startswith("http:"):
            return _Site(asked, asked, headers + self.proxy_headers)
        return _Site(asked, "", headers)


def _lines(headers: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f"{name}: {value}\r\n" for name, value in headers).encode("utf-8", "replace")


def _userinfo_of_origins(roots: Iterable[str]) -> dict[str, str]:
    """The origins of the roots, each with the user name and password of its roots, or ""."""
    found: dict[str, str] = {}
    for root in roots:
        try:
            url = parse_root(root)
        except UsageError:
            continue  # such a root is never asked
        userinfo = url[url.index("//") + 2 : url.index("/", 8)].rpartition("@")[0]
        found[origin(url)] = userinfo or found.get(origin(url), "")
    return found


def _basic(userinfo: str) -> str:
    """RFC 7617, for the user name and password as they stand in a URL."""
    user, _, password = userinfo.partition(":")
    credentials = unquote_to_bytes(user) + b":" + unquote_to_bytes(password)
    return f"Basic {b64encode(credentials).decode('ascii')}"
