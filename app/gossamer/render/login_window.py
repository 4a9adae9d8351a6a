"""A browser window in which a person logs in, and what the browser then knows of some sites."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct

from gossamer.model.secrets import Items, Login, LoginCookie, OriginSecrets, Secrets
from gossamer.render.browser_process import BrowserProcess
from gossamer.render.devtools_connection import BrowserGoneError, DevtoolsError, Params
from gossamer.urls.url_parsing import host_and_port, is_http, origin

LOOK_EVERY_S: Final = 0.5
"""A window that a person closes takes what it knows with it: it is asked all the time."""
MAX_STORED_CHARACTERS: Final = 512 * 1024
"""Of one storage of one origin: it goes into every page that is rendered."""
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
    """What there is for the origin `site`."""
    return Login(
        cookies=tuple(
            LoginCookie(each.name, each.value, each.path, each.expires_s)
            for each in cookies
            if each.name and each.is_for(site)
        ),
        local_storage=_within_limit(local),
        session_storage=_within_limit(session),
    )


def _within_limit(items: Items) -> Items:
    """The shorter entries first to stay, in their order."""
    left = MAX_STORED_CHARACTERS
    kept = set()
    for key, value in sorted(items, key=lambda item: len(item[0]) + len(item[1])):
        left -= len(key) + len(value)
        if left >= 0:
            kept.add(key)
    return tuple(item for item in items if item[0] in kept)


class LoginWindow:
    """Looks at a browser while a person logs in."""

    def __init__(
        self, browser: BrowserProcess, sites: Iterable[str], is_wanted: Callable[[str], bool]
    ) -> None:
        """Of the origins `sites`, and of those that are visited and `is_wanted`, all is read."""
        self._browser = browser
        self._devtools = browser.devtools
        self._is_wanted = is_wanted
        self._sites: dict[str, None] = dict.fromkeys(sites)
        self._cookies: list[BrowserCookie] = []
        self._stored: dict[tuple[str, bool], Items] = {}
        """By origin, and whether it is the local storage."""
        self._pages: dict[str, str] = {}
        """The addresses of the pages that are open, by session."""
        self._sessions: dict[str, str] = {}
        """By target."""

    @property
    def result(self) -> Secrets:
        """What was last seen, for each origin of which there is anything."""
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

    async def open(self) -> None:
        """Be told of all its pages. DevtoolsError if the browser does not."""
        self._devtools.listen("", self._on_event)
        await self._devtools.call("Target.setDiscoverTargets", {"discover": True})
        await self._devtools.call("Target.setAutoAttach", _ATTACH_PAGES)

    async def watch(self, done: asyncio.Event, on_seen: Callable[[Secrets], None]) -> None:
        """Look until `done`, or until the person has closed the browser; `result` has it then.

        `on_seen` is called with each new result.
        """
        seen = Secrets()
        gone = self._browser.gone
        while not (done.is_set() or gone.is_set()):
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY_S), asyncio.TaskGroup() as group:
                    waiting = [group.create_task(each.wait(), name="end") for each in (done, gone)]
                    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                    for task in waiting:
                        task.cancel()
            await self._look()
            if (found := self.result) != seen:
                on_seen(found)
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
            wish = {"storageId": {"securityOrigin": site, "isLocalStorage": is_local}}
            try:
                found = await self._devtools.call("DOMStorage.getDOMStorageItems", wish, session)
            except BrowserGoneError:
                raise
            except DevtoolsError:
                continue  # the page has just gone elsewhere
            self._stored[site, is_local] = tuple((key, value) for key, value in found["entries"])

    def _on_event(self, method: str, params: Params) -> None:
        info: dict[str, Any] = params.get("targetInfo", {})
        if method == "Target.attachedToTarget" and info["type"] == _PAGE:
            session = str(params["sessionId"])
            self._sessions[str(info["targetId"])] = session
            self._note(session, str(info["url"]))
            self._devtools.send("DOMStorage.enable", session=session)
        elif method == "Target.targetInfoChanged" and info["targetId"] in self._sessions:
            self._note(self._sessions[info["targetId"]], str(info["url"]))
        elif method == "Target.detachedFromTarget":
            self._pages.pop(str(params["sessionId"]), None)

    def _note(self, session: str, url: str) -> None:
        if is_http(url):
            self._pages[session] = url
        else:
            self._pages.pop(session, None)


_ATTACH_PAGES: Final[Params] = {
    "autoAttach": True,
    "waitForDebuggerOnStart": False,
    "flatten": True,
}
