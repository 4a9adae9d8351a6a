"""Builds the bytes of HTTP requests, with each URL exactly as it is spelled."""

import re
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable
from urllib.parse import unquote

from aiohttp import InvalidURL
from msgspec import Struct, structs

from gossamer.fetch.content_decoding import ACCEPT_ENCODING
from gossamer.fetch.digest_auth import DigestSession
from gossamer.fetch.request_cookies import cookie_line, typed_cookies, with_login
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.http_methods import SAFE_METHODS
from gossamer.model.request_headers import OF_THE_MESSAGE, PROXY_AUTHORIZATION
from gossamer.model.secrets import (
    NO_SECRETS,
    NOTHING_SECRET,
    HttpAuth,
    LoginCookie,
    OriginSecrets,
    Secrets,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.proxy_address import parse_proxy
from gossamer.model.visit import FetchMode
from gossamer.urls.url_parsing import origin, without_fragment

ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
_SENDABLE = re.compile(r"https?://[!-.0-~]+/[!-~]*")
"""A serialised URL. Anything else could smuggle a line into the request."""
_MAX_SITES = 1_000
_NOT_OF_PAGES = OF_THE_MESSAGE | {
    *("host", "connection", "keep-alive", "te", "upgrade", "cookie", "user-agent", "range"),
    *("accept-language", "if-none-match", "if-modified-since", PROXY_AUTHORIZATION),
}
"""Headers that the browser sets for itself, or that we set in its place."""
_HARMLESS = frozenset({"accept", "content-type", "origin", "referer", "x-requested-with"})
_CONDITIONS = frozenset({"if-none-match", "if-modified-since", "if-match", "if-unmodified-since"})
_Headers = Collection[tuple[str, str]]
"""Names and values."""
_ANY_ENCODING = f"Accept-Encoding: {ACCEPT_ENCODING}\r\n\r\n".encode("ascii")
_NO_ENCODING = b"Accept-Encoding: identity\r\n\r\n"


class HttpRequest(Struct, frozen=True):
    """A request to `origin` ("http://example.com:8080").

    `head` lacks the last header and the end. The response to a HEAD request has no body. `nonce` is
    that of its Digest authentication.
    """

    origin: str
    head: bytes
    is_head: bool = False
    body: bytes = b""
    nonce: str = ""
    has_secrets: bool = True
    """Whether the secrets of its origin may be sent."""
    conditions: Conditions = NO_CONDITIONS
    """The conditions among its headers, which permit a response with status 304."""
    secret_headers: frozenset[str] = frozenset()
    """The names, in lower case, of headers whose values are secret."""
    is_body_secret: bool = False
    """Whether its body is secret, too."""

    @property
    def is_safe(self) -> bool:
        """Whether it is to change nothing on the server, so that it may be sent twice."""
        return self.head.partition(b" ")[0].decode("ascii") in SAFE_METHODS

    def accepting(self, mode: FetchMode | None) -> bytes:
        """The request's bytes: all content codings we can undo are welcome, or none, by `mode`."""
        coding = _NO_ENCODING if mode is FetchMode.UNCOMPRESSED else _ANY_ENCODING
        return self.head + coding + self.body


BuildRequest = Callable[[str], HttpRequest]
"""Makes the request with these cookies, decoded as ISO-8859-1."""


class _Site(Struct, frozen=True):
    """What every request to a site has in common. `target_prefix` is for a proxy.

    `cookies` are those that were typed for it, `login` those that it set when somebody logged in,
    `secret` the names of the headers, in lower case, whose values are secret.
    """

    origin: str
    target_prefix: str
    headers: bytes
    pairs: _Headers
    """The same, names and values."""
    cookies: str
    secret: frozenset[str]
    login: tuple[LoginCookie, ...] = ()
    digest: DigestSession | None = None

    @property
    def has_conditions(self) -> bool:
        """Whether somebody typed conditions for all requests to it."""
        return any(name.lower() in _CONDITIONS for name, _ in self.pairs)


class RequestBuilder:
    """Builds requests with the headers of one crawl, which are encoded once.

    Each secret is sent to its origin alone; headers of the settings that are not public are never
    sent, as they should have become secrets. The user name and password of a URL are sent to its
    own origin. Of headers with one name, an origin's own take precedence over the public ones, and
    these over the crawler's.
    """

    def __init__(self, settings: CrawlSettings, secrets: Secrets = NO_SECRETS) -> None:
        """`settings.needs_secrets` is ignored: `secrets` has what there is."""
        self._public = _allowed(settings.public_headers)
        self._own = [("User-Agent", settings.user_agent), ("Accept", ACCEPT)]
        if settings.accept_language:
            self._own.append(("Accept-Language", settings.accept_language))
        self._secrets = secrets
        proxy = None if settings.proxy is None else parse_proxy(settings.proxy)[0]
        self._has_proxy = proxy is not None
        self._proxy_asks = proxy is not None and not proxy.is_socks
        self.proxy_headers = b""
        """For the proxy alone, if there is one that reads headers."""
        self.proxy_auth: HttpAuth | None = None
        """For the proxy alone, if it reads none."""
        if proxy is not None and self._proxy_asks:
            self.proxy_headers = _lines(_for_proxy(secrets.of(proxy.origin)))
        elif proxy is not None:
            self.proxy_auth = secrets.of(proxy.origin).auth
        self._sites: dict[str, _Site] = {}
        self._sites_without_secrets: dict[str, _Site] = {}

    def request(
        self,
        url: str,
        method: str = "GET",
        cookies: str = "",
        conditions: Conditions = NO_CONDITIONS,
    ) -> HttpRequest:
        """The request for a serialised http or https URL; InvalidURL (aiohttp's) for any other.

        `cookies` are those that the server set, decoded as ISO-8859-1. One that was typed for the
        origin counts in place of one of the same name. Where somebody typed conditions for the
        crawl, `conditions` are left out.
        """
        site, target = self._asked(url)
        head = f"{method} {site.target_prefix}{target} HTTP/1.1\r\n".encode("ascii")
        head += site.headers
        if site.login:
            cookies = with_login(cookies, site.login, target)
        if cookies or site.cookies:
            head += cookie_line(site.cookies, cookies)
        nonce = ""
        if site.digest is not None and (nonce := site.digest.nonce):
            head += _authorization(site.digest.header(method, target))
        is_conditional = bool(conditions) and not site.has_conditions
        if is_conditional:
            head += _lines(_condition_headers(conditions))
        return HttpRequest(
            site.origin,
            head,
            method == "HEAD",
            nonce=nonce,
            conditions=conditions if is_conditional else NO_CONDITIONS,
            secret_headers=site.secret,
        )

    def of_page(
        self,
        url: str,
        method: str,
        headers: _Headers,
        body: bytes,
        cookies: str,
        *,
        with_secrets: bool = True,
    ) -> HttpRequest:
        """A request that a rendered page makes, with `headers` of its own; InvalidURL as above.

        The crawler's headers and those of the origin replace the page's. Without secrets, nobody's
        are sent: a request that another site causes is not made in the name of a user.
        """
        site, target = self._asked(url, with_secrets=with_secrets)
        theirs = [pair for pair in headers if pair[0].lower() not in _NOT_OF_PAGES]
        ours = [pair for pair in site.pairs if pair[0] != "Accept" or not theirs]
        lines = [*ours, *_besides(theirs, ours)]
        if method not in SAFE_METHODS:
            lines.append(("Content-Length", str(len(body))))
        head = f"{method} {site.target_prefix}{target} HTTP/1.1\r\n".encode("ascii")
        nonce = ""
        if site.digest is not None and (nonce := site.digest.nonce):
            lines.append(("Authorization", site.digest.header(method, target, body)))
        head += _lines(lines) + (self.proxy_headers if site.target_prefix else b"")
        if site.login:
            cookies = with_login(cookies, site.login, target)
        if cookies or site.cookies:
            head += cookie_line(site.cookies, cookies)
        body = b"" if method in SAFE_METHODS else body
        # A page may have given its scripts a token of the logged-in user to send.
        said = {name.lower() for name, _ in theirs} if self._secrets else set()
        return HttpRequest(
            *(site.origin, head, method == "HEAD", body, nonce, with_secrets),
            secret_headers=site.secret | (said - _HARMLESS),
            is_body_secret=bool(self._secrets and body),
        )

    def is_challenged(self, request: HttpRequest, challenges: Iterable[str]) -> bool:
        """Whether to repeat a request after status 401 with these WWW-Authenticate headers.

        Build the request again: it then responds to the challenge.
        """
        site = self._sites.get(request.origin)
        auth = self._secrets.of(request.origin).auth
        if site is None or auth is None or not request.has_secrets:
            return False
        session = site.digest or DigestSession(auth)
        if not session.takes(challenges, request.nonce):
            return False
        if site.digest is None:
            self._sites[request.origin] = self._with_digest(site, session)
        return True

    def note_response(self, request: HttpRequest, authentication_info: str) -> None:
        """Note a response, other than 401, to a request with Digest authentication."""
        site = self._sites.get(request.origin)
        if site is not None and site.digest is not None:
            site.digest.note_success(authentication_info)

    @staticmethod
    def _with_digest(site: _Site, session: DigestSession) -> _Site:
        """The site without the password itself, which is not sent from now on."""
        pairs = [pair for pair in site.pairs if pair[0] != "Authorization"]
        ours = len(_lines(site.pairs))
        return structs.replace(
            site, headers=_lines(pairs) + site.headers[ours:], pairs=pairs, digest=session
        )

    def shown(self, url: str) -> list[tuple[str, str]]:
        """The headers of a request as `request` makes it, in order; secret values are "…"."""
        site, _ = self._asked(url)
        lines = (
            self.request(url)
            .accepting(FetchMode.USUAL)
            .decode("utf-8", "replace")
            .split("\r\n")[1:]
        )
        pairs = (line.partition(": ")[::2] for line in lines if line)
        return [(name, "…" if name.lower() in site.secret else value) for name, value in pairs]

    def _asked(self, url: str, *, with_secrets: bool = True) -> tuple[_Site, str]:
        """The site of a URL, and its path and query; InvalidURL as for `request`."""
        url = without_fragment(url)
        if not _SENDABLE.fullmatch(url):
            raise InvalidURL(url, "not a serialised http or https URL")
        end = url.index("/", url.index("//") + 2)
        sites = self._sites if with_secrets else self._sites_without_secrets
        site = sites.get(url[:end])
        if site is None:
            if len(sites) >= _MAX_SITES:
                sites.clear()
            site = sites[url[:end]] = self._site(url[:end], with_secrets=with_secrets)
        return site, url[end:]

    def _site(self, start: str, *, with_secrets: bool) -> _Site:
        """The site of all URLs that begin with `start`, which ends before the path."""
        asked = origin(start)
        userinfo, _, host = start.partition("//")[2].rpartition("@")
        secrets = self._secrets.of(asked) if with_secrets else NOTHING_SECRET
        for_origin = self._secret_headers(secrets, userinfo)
        public = _besides(_not_cookies(self._public), for_origin)
        own = _besides([("Host", host), *self._own], [*public, *for_origin])
        cookies = typed_cookies(self._public, secrets)
        secret = {name.lower() for name, _ in for_origin}
        secret |= {"authorization", "cookie", PROXY_AUTHORIZATION}
        asks = self._proxy_asks and asked.startswith("http:")
        pairs = [*own, *public, *for_origin]
        return _Site(
            origin=asked,
            target_prefix=asked if asks else "",
            headers=_lines(pairs) + (self.proxy_headers if asks else b""),
            pairs=pairs,
            cookies=cookies,
            secret=frozenset(secret),
            login=secrets.login.cookies,
        )

    def _secret_headers(self, secrets: OriginSecrets, userinfo: str) -> list[tuple[str, str]]:
        """The headers that only the origin of these secrets gets, except cookies.

        `userinfo` stands in the URL.
        """
        for_origin = [
            (name, value)
            for name, value in _not_cookies(_allowed(secrets.headers))
            if not (self._has_proxy and _is_for_proxy(name))
        ]
        auth = _auth_of(userinfo) if userinfo else secrets.auth
        is_typed = any(name.lower() == "authorization" for name, _ in for_origin)
        if auth is not None and not auth.is_digest and not is_typed:
            for_origin.insert(0, ("Authorization", basic_auth(auth)))
        return for_origin


def _allowed(headers: _Headers) -> list[tuple[str, str]]:
    return [pair for pair in headers if pair[0].lower() not in OF_THE_MESSAGE]


def _not_cookies(headers: _Headers) -> list[tuple[str, str]]:
    """The headers except cookies, which are joined into one."""
    return [pair for pair in headers if pair[0].lower() != "cookie"]


def _besides(headers: _Headers, others: _Headers) -> list[tuple[str, str]]:
    """The headers whose names are not among the others."""
    names = {name.lower() for name, _ in others}
    return [pair for pair in headers if pair[0].lower() not in names]


def _lines(headers: _Headers) -> bytes:
    return "".join(f"{name}: {value}\r\n" for name, value in headers).encode("utf-8", "replace")


def _condition_headers(conditions: Conditions) -> list[tuple[str, str]]:
    headers = (
        ("If-None-Match", conditions.etags),
        ("If-Modified-Since", conditions.modified_since),
    )
    return [pair for pair in headers if pair[1]]


def _for_proxy(secrets: OriginSecrets) -> list[tuple[str, str]]:
    """Our credentials for the proxy: the header as typed, else that of the user name and password.

    These are not shown if they are for Digest alone, which is not spoken with proxies.
    """
    typed = [pair for pair in secrets.headers if _is_for_proxy(pair[0])]
    if typed or secrets.auth is None or secrets.auth.is_digest:
        return typed
    return [("Proxy-Authorization", basic_auth(secrets.auth))]


def _is_for_proxy(name: str) -> bool:
    return name.lower() == PROXY_AUTHORIZATION


def _auth_of(userinfo: str) -> HttpAuth:
    """The user name and password as they stand in a URL."""
    user, _, password = userinfo.partition(":")
    return HttpAuth(unquote(user), unquote(password))


def _authorization(value: str) -> bytes:
    return f"Authorization: {value}\r\n".encode()


def basic_auth(auth: HttpAuth) -> str:
    """The value of Authorization: RFC 7617, with UTF-8."""
    credentials = f"{auth.user}:{auth.password}".encode()
    return f"Basic {b64encode(credentials).decode('ascii')}"
