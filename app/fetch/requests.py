"""What is sent: the bytes of a request, exactly as the URL is spelled."""

import re
from base64 import b64encode
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from aiohttp import InvalidURL

from app.fetch.decoding import ACCEPT_ENCODING
from app.model.settings import CrawlSettings
from app.urls.parse import origin, without_fragment

ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
_SENDABLE = re.compile(r"https?://[!-.0-~]+/[!-~]*")
"""A serialised URL. What is not one could smuggle a line into the request."""
_OF_THE_MESSAGE = frozenset({"content-length", "transfer-encoding", "accept-encoding"})
"""Describe this very message: not for settings to say."""


@dataclass(frozen=True, slots=True)
class Request:
    """A GET to `origin` ("http://example.com:8080"); `head` lacks the last header and the end."""

    origin: str
    head: bytes

    @property
    def any_encoding(self) -> bytes:
        """The request's bytes, with all content codings we can undo welcome."""
        return self.head + b"Accept-Encoding: " + ACCEPT_ENCODING.encode() + b"\r\n\r\n"

    @property
    def no_encoding(self) -> bytes:
        """The request's bytes, asking for a body that is not compressed."""
        return self.head + b"Accept-Encoding: identity\r\n\r\n"


class Requests:
    """Makes requests with the headers of one crawl, which are put together once."""

    def __init__(self, settings: CrawlSettings) -> None:
        """`settings.headers` go before the crawler's own headers of the same name."""
        extra = [(k, v) for k, v in settings.headers if k.lower() not in _OF_THE_MESSAGE]
        own = {"User-Agent": settings.user_agent, "Accept": ACCEPT}
        names = {name.lower() for name, _ in extra}
        kept = [(name, value) for name, value in own.items() if name.lower() not in names]
        lines = "".join(f"{name}: {value}\r\n" for name, value in [*kept, *extra])
        self._headers = lines.encode("utf-8", "replace")
        self._names_host = "host" in names
        self._names_authorization = "authorization" in names

    def request(self, url: str) -> Request:
        """The request for a serialised http or https URL; InvalidURL (aiohttp's) for any other."""
        url = without_fragment(url)
        if not _SENDABLE.fullmatch(url):
            raise InvalidURL(url, "not a serialised http or https URL")
        start = url.index("//") + 2
        end = url.index("/", start)
        userinfo, _, host = url[start:end].rpartition("@")
        head = f"GET {url[end:]} HTTP/1.1\r\n"
        if not self._names_host:
            head += f"Host: {host}\r\n"
        if userinfo and not self._names_authorization:
            head += f"Authorization: {_basic(userinfo)}\r\n"
        return Request(origin(url), head.encode("ascii") + self._headers)


def _basic(userinfo: str) -> str:
    """RFC 7617, for the user name and password as they stand in a URL."""
    user, _, password = userinfo.partition(":")
    credentials = unquote_to_bytes(user) + b":" + unquote_to_bytes(password)
    return f"Basic {b64encode(credentials).decode('ascii')}"
