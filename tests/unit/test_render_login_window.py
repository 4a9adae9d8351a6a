"""What a login window keeps of a browser: told by a browser whose answers are made up."""

import asyncio
from collections import defaultdict
from collections.abc import Callable

from gossamer.model.secrets import HttpAuth, Secrets
from gossamer.render.devtools_connection import BrowserGoneError, Params
from gossamer.render.login_window import LoginWindow

SITE = "https://a.test"
AUTH = HttpAuth("gossamer", "pass")
COOKIE = {"name": "id", "value": "s3cret", "domain": "a.test", "path": "/", "secure": True}


class FakeBrowser:
    """A browser with one page, at `url`. It is its own connection."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        self.url = ""
        self.cookies: list[Params] = []
        self.stored: list[list[str]] = []
        self.asks_password = False
        self.sent: list[tuple[str, Params, str]] = []
        self.looked = asyncio.Event()
        self._listeners: dict[str, Callable[[str, Params], None]] = defaultdict(
            lambda: lambda _method, _params: None
        )

    @property
    def devtools(self) -> "FakeBrowser":
        return self

    def listen(self, session: str, on_event: Callable[[str, Params], None]) -> None:
        self._listeners[session] = on_event

    def forget(self, session: str) -> None:
        del self._listeners[session]

    def send(self, method: str, params: Params | None = None, session: str = "") -> None:
        self.sent.append((method, params or {}, session))

    async def call(self, method: str, params: Params | None = None, session: str = "") -> Params:
        if self.gone.is_set():
            raise BrowserGoneError("it has ended")
        self.send(method, params, session)
        if method == "Target.setAutoAttach":
            self.open_page("1")
        if method == "Storage.getCookies":
            self.looked.set()
            return {"cookies": self.cookies}
        if method == "Runtime.evaluate":
            return {"result": {"value": self.asks_password}}
        return {"entries": self.stored}

    def open_page(self, number: str, url: str = "data:,") -> None:
        info = {"targetId": f"t{number}", "type": "page", "url": url}
        self.tell("Target.attachedToTarget", sessionId=f"s{number}", targetInfo=info)

    def tell(self, method: str, session: str = "", **params: object) -> None:
        self._listeners[session](method, params)

    async def look(self) -> None:
        """Until it has been asked for its cookies once more."""
        self.looked.clear()
        await self.looked.wait()

    def calls(self, method: str) -> list[Params]:
        return [params for called, params, _ in self.sent if called == method]


async def opened(browser: FakeBrowser) -> LoginWindow:
    window = LoginWindow(browser, [SITE], lambda _: False)
    await window.open(f"{SITE}/login", AUTH)
    return window


def watched(act: Callable[[FakeBrowser], None]) -> Secrets:
    """What is known when the browser has been asked, then has done this, and has gone."""

    async def main() -> Secrets:
        browser = FakeBrowser()
        window = await opened(browser)
        browser.cookies = [COOKIE]
        async with asyncio.TaskGroup() as group:
            group.create_task(window.watch(asyncio.Event(), lambda *_: None), name="watch")
            await browser.look()
            act(browser)
            await browser.look()
            browser.gone.set()
        return window.result

    return asyncio.run(main())


def test_a_browser_that_says_at_its_end_that_it_has_no_cookies_is_not_believed() -> None:
    secrets = watched(lambda browser: browser.cookies.clear())
    assert secrets.of(SITE).login.cookie_names == ("id",)


def test_cookies_are_read_as_soon_as_a_page_goes_elsewhere() -> None:
    """Somebody may close the browser at once after that."""

    def go(browser: FakeBrowser) -> None:
        browser.cookies = [COOKIE, {**COOKIE, "name": "session"}]
        info = {"targetId": "t1", "type": "page", "url": f"{SITE}/account"}
        browser.tell("Target.targetInfoChanged", targetInfo=info)

    assert watched(go).of(SITE).login.cookie_names == ("id", "session")


def test_it_is_told_whether_a_page_of_the_site_asks_for_a_password() -> None:
    told = []

    async def main() -> None:
        browser = FakeBrowser()
        window = await opened(browser)
        async with asyncio.TaskGroup() as group:
            watching = window.watch(asyncio.Event(), lambda _, asks: told.append(asks))
            group.create_task(watching, name="watch")
            browser.asks_password = True
            info = {"targetId": "t1", "type": "page"}
            browser.tell("Target.targetInfoChanged", targetInfo={**info, "url": f"{SITE}/login"})
            await browser.look()
            await browser.look()
            browser.asks_password = False
            browser.tell("Target.targetInfoChanged", targetInfo={**info, "url": f"{SITE}/account"})
            await browser.look()
            await browser.look()
            browser.gone.set()

    asyncio.run(main())
    assert told == [True, False]


def test_pages_that_are_closed_leave_nothing_behind() -> None:
    async def main() -> int:
        browser = FakeBrowser()
        window = await opened(browser)
        for number in range(2, 100):
            browser.open_page(str(number), f"{SITE}/{number}")
            browser.tell("Target.detachedFromTarget", sessionId=f"s{number}")
        return window.open_pages

    assert asyncio.run(main()) == 1


def test_the_proxy_alone_is_told_its_password_and_only_once() -> None:
    async def main() -> FakeBrowser:
        browser = FakeBrowser()
        await opened(browser)
        browser.tell("Fetch.requestPaused", "s1", requestId="r")
        for source in ("Server", "Proxy"):
            browser.tell(
                "Fetch.authRequired", "s1", requestId="r", authChallenge={"source": source}
            )
        browser.tell("Fetch.requestPaused", "s1", requestId="r", responseStatusCode=200)
        browser.tell("Fetch.authRequired", "s1", requestId="q", authChallenge={"source": "Proxy"})
        return browser

    browser = asyncio.run(main())
    assert browser.calls("Page.navigate") == [{"url": f"{SITE}/login"}]
    answers = [each["authChallengeResponse"] for each in browser.calls("Fetch.continueWithAuth")]
    to_proxy = {"response": "ProvideCredentials", "username": "gossamer", "password": "pass"}
    assert answers == [{"response": "Default"}, to_proxy]
    assert len(browser.calls("Fetch.continueRequest")) == 2
    assert len(browser.calls("Fetch.disable")) == 1
