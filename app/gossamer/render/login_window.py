"""A browser window in which a user logs in, and what the browser then knows of some sites."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final, Protocol

from msgspec import Struct

from gossamer.model.secrets import HttpAuth, Items, Login, LoginCookie, OriginSecrets, Secrets
from gossamer.render.devtools_connection import BrowserGoneError, DevtoolsError, Params
from gossamer.urls.url_parsing import host_and_port, is_http, origin

FIRST_PAGE_S: Final = 20.0
LOOK_EVERY_S: Final = 0.5
"""A closed window loses what it knows, so it is read continually."""
MAX_STORED_CHARACTERS: Final = 512 * 1024
"""Per storage of an origin: it goes into every rendered page."""
_PAGE: Final = "page"
_log = logging.getLogger(__name__)


class BrowserCookie(Struct, frozen=True):
    """A cookie as the browser has it. A `domain` with a dot in front counts for hosts below too."""

    name: str
    value: str
    domain: str
    path: str = "/"
    expires_s: float | None = None
    is_secure: bool = False
    is_http_only: bool = False

    @classmethod
    def of(cls, params: Params) -> "BrowserCookie":
        """That of `Storage.getCookies`."""
        expires_s = float(params.get("expires", -1))
        return cls(
            params["name"],
            params["value"],
            params["domain"],
            params["path"],
            expires_s if expires_s >= 0 else None,
            bool(params.get("secure")),
            bool(params.get("httpOnly")),
        )

    def is_for(self, site: str) -> bool:
        """Whether a browser sends it to the origin `site`, whatever the path."""
        host = host_and_port(site)[0]
        is_host = host == self.domain or (
            self.domain.startswith(".") and f".{host}".endswith(self.domain)
        )
        is_safe = site.startswith("https:") or host in {"localhost", "127.0.0.1", "[::1]"}
        return is_host and (is_safe or not self.is_secure)


def login_of(
    site: str, cookies: Iterable[BrowserCookie], local: Items = (), session: Items = ()
) -> Login:
    """The login for the origin `site`."""
    return Login(
        cookies=tuple(
            LoginCookie(each.name, each.value, each.path, each.expires_s, each.is_http_only)
            for each in cookies
            if each.name and each.is_for(site)
        ),
        local_storage=_within_limit(local),
        session_storage=_within_limit(session),
    )


def _within_limit(items: Items) -> Items:
    """The entries within the limit, shorter ones preferred, in their order."""
    left = MAX_STORED_CHARACTERS
    kept = set()
    for key, value in sorted(items, key=lambda item: len(item[0]) + len(item[1])):
        left -= len(key) + len(value)
        if left >= 0:
            kept.add(key)
    return tuple(item for item in items if item[0] in kept)


class DevtoolsCalls(Protocol):
    """The part of a `DevtoolsConnection` that a login window needs."""

    def listen(self, session: str, on_event: Callable[[str, Params], None]) -> None:
        """Send the events of a session to `on_event`."""

    def forget(self, session: str) -> None:
        """Stop passing on the events of a session."""

    def send(self, method: str, params: Params | None = None, session: str = "") -> None:
        """Call a method whose reply does not matter."""

    async def call(self, method: str, params: Params | None = None, session: str = "") -> Params:
        """The result of a method; DevtoolsError if it fails."""


class WatchedBrowser(Protocol):
    """The part of a `BrowserProcess` that a login window needs."""

    @property
    def devtools(self) -> DevtoolsCalls:
        """The connection to it."""

    @property
    def gone(self) -> asyncio.Event:
        """Set when it has ended."""


class ProxyLogin:
    """Gives the password of a proxy to the first request of a page that needs it.

    The browser sends it with all later requests, of all pages.
    """

    def __init__(self, devtools: DevtoolsCalls, session: str, auth: HttpAuth) -> None:
        """The page is that of `session`."""
        self._devtools = devtools
        self._session = session
        self._auth = auth

    async def begin(self) -> None:
        """Make requests wait until one has been given the password."""
        self._devtools.listen(self._session, self._on_event)
        stages = [{"urlPattern": "*", "requestStage": each} for each in ("Request", "Response")]
        request = {"handleAuthRequests": True, "patterns": stages}
        await self._devtools.call("Fetch.enable", request, self._session)

    def _on_event(self, method: str, params: Params) -> None:
        if method == "Fetch.requestPaused":
            self._send("Fetch.continueRequest", requestId=params["requestId"])
            if "responseStatusCode" in params or "responseErrorReason" in params:
                self._send("Fetch.disable")
                self._devtools.forget(self._session)
        elif method == "Fetch.authRequired":
            is_ours = params["authChallenge"].get("source") == "Proxy"
            response = {"response": "Default"}
            if is_ours:
                response = {
                    "response": "ProvideCredentials",
                    "username": self._auth.user,
                    "password": self._auth.password,
                }
            request = {"requestId": params["requestId"], "authChallengeResponse": response}
            self._send("Fetch.continueWithAuth", **request)

    def _send(self, method: str, **params: object) -> None:
        self._devtools.send(method, params, self._session)


class LoginWindow:
    """Watches a browser while a user logs in."""

    def __init__(
        self, browser: WatchedBrowser, sites: Iterable[str], is_wanted: Callable[[str], bool]
    ) -> None:
        """The logins of the origins `sites`, and of visited ones that are `is_wanted`, are read."""
        self._devtools = browser.devtools
        self._gone = browser.gone
        self._is_wanted = is_wanted
        self._sites: dict[str, None] = dict.fromkeys(sites)
        self._cookies: list[BrowserCookie] = []
        self._stored: dict[tuple[str, bool], Items] = {}
        """By origin, and whether it is the local storage."""
        self._pages: dict[str, str] = {}
        """The addresses of the pages that are open, by session."""
        self._asking: dict[str, bool] = {}
        """Whether pages of wanted sites show a field for a password, by session."""
        self._sessions: dict[str, str] = {}
        """Of the pages that are open, by target."""
        self._first = asyncio.Event()
        """Set when there is a page."""
        self._moved = asyncio.Event()
        """Set when a page has navigated: there may be new cookies."""

    @property
    def result(self) -> Secrets:
        """The last known logins, for each origin that has any."""
        logins = {
            site: login_of(
                site,
                self._cookies,
                self._stored.get((site, True), ()),
                self._stored.get((site, False), ()),
            )
            for site in self._sites
        }
        return Secrets(
            {site: OriginSecrets(login=login) for site, login in logins.items() if login}
        )

    @property
    def open_pages(self) -> int:
        """How many tabs and windows it has."""
        return len(self._sessions)

    async def open(self, url: str, proxy_auth: HttpAuth) -> None:
        """Show `url`. DevtoolsError if the browser does not.

        Its first request is given the password of the proxy, which it keeps for all others.
        """
        self._devtools.listen("", self._on_event)
        await self._devtools.call("Target.setDiscoverTargets", {"discover": True})
        await self._devtools.call("Target.setAutoAttach", _ATTACH_PAGES)
        try:
            async with asyncio.timeout(FIRST_PAGE_S):
                await self._first.wait()
        except TimeoutError as e:
            raise DevtoolsError("it shows no page") from e
        session = next(iter(self._sessions.values()))
        proxy_login = ProxyLogin(self._devtools, session, proxy_auth)
        await proxy_login.begin()
        self._devtools.send("Page.navigate", {"url": url}, session)

    async def watch(self, done: asyncio.Event, on_seen: Callable[[Secrets, bool], None]) -> None:
        """Watch until `done`, or until the browser is closed; `result` then has the logins.

        `on_seen` is called with each new result, and whether a page shows a field for a password.
        """
        seen = Secrets(), False
        gone = self._gone
        while not (done.is_set() or gone.is_set()):
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY_S):
                    await _first_of(done, gone, self._moved)
            self._moved.clear()
            await self._look()
            if (found := (self.result, any(self._asking.values()))) != seen:
                on_seen(*found)
                seen = found

    async def _look(self) -> None:
        try:
            found = await self._devtools.call("Storage.getCookies")
            if found["cookies"]:  # a browser that is being closed may say that it has none
                self._cookies = [BrowserCookie.of(each) for each in found["cookies"]]
            for session, url in list(self._pages.items()):
                site = origin(url)
                if site and (site in self._sites or self._is_wanted(url)):
                    self._sites[site] = None
                    await self._look_at(site, session)
        except BrowserGoneError:
            return
        except DevtoolsError as e:
            _log.debug("the login window could not be read", extra={"why": str(e)})

    async def _look_at(self, site: str, session: str) -> None:
        for is_local in (True, False):
            request = {"storageId": {"securityOrigin": site, "isLocalStorage": is_local}}
            try:
                found = await self._devtools.call("DOMStorage.getDOMStorageItems", request, session)
            except BrowserGoneError:
                raise
            except DevtoolsError:
                continue  # the page has just navigated
            self._stored[site, is_local] = tuple((key, value) for key, value in found["entries"])
        try:
            asked = await self._devtools.call("Runtime.evaluate", _ASKS_PASSWORD, session)
        except BrowserGoneError:
            raise
        except DevtoolsError:
            return
        self._asking[session] = asked.get("result", {}).get("value") is True

    def _on_event(self, method: str, params: Params) -> None:
        info: dict[str, Any] = params.get("targetInfo", {})
        if method == "Target.attachedToTarget" and info["type"] == _PAGE:
            session = str(params["sessionId"])
            self._sessions[str(info["targetId"])] = session
            self._first.set()
            self._note(session, str(info["url"]))
            self._devtools.send("DOMStorage.enable", session=session)
        elif method == "Target.targetInfoChanged" and info["targetId"] in self._sessions:
            self._note(self._sessions[info["targetId"]], str(info["url"]))
        elif method == "Target.detachedFromTarget":
            session = str(params["sessionId"])
            self._pages.pop(session, None)
            self._asking.pop(session, None)
            self._sessions = {at: each for at, each in self._sessions.items() if each != session}

    def _note(self, session: str, url: str) -> None:
        self._moved.set()
        if is_http(url):
            self._pages[session] = url
            self._asking.pop(session, None)
        else:
            self._pages.pop(session, None)


async def _first_of(*events: asyncio.Event) -> None:
    """Wait until one of the events is set."""
    async with asyncio.TaskGroup() as group:
        waiting = [group.create_task(each.wait(), name="event") for each in events]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()


_ASKS_PASSWORD: Final[Params] = {
    "expression": (
        "[...document.querySelectorAll('input[type=password]')]"
        ".some((field) => field.checkVisibility())"
    ),
    "returnByValue": True,
}
_ATTACH_PAGES: Final[Params] = {
    "autoAttach": True,
    "waitForDebuggerOnStart": False,
    "flatten": True,
}
