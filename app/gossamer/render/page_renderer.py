"""Renders pages with one browser: a fresh context for each, a new browser now and then."""

import asyncio
import logging
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from gossamer.model.translatable import Sentence
from gossamer.render.browser_discovery import BrowserProgram
from gossamer.render.browser_process import (
    USUAL_TIMINGS,
    BrowserProcess,
    BrowserStartError,
    BrowserTimings,
    start_error,
)
from gossamer.render.browser_processes import kill_larger, proportional_bytes
from gossamer.render.devtools_connection import DevtoolsError, Params
from gossamer.render.page_network import ATTACH_ALL
from gossamer.render.page_rendering import PageRendering, Tab
from gossamer.render.page_requests import RequestResponder
from gossamer.render.rendered_page import PageCookie, RenderedPage, RenderJob, RenderLimits

PAGES_PER_BROWSER: Final = 500
MAX_BROWSER_BYTES: Final = 1_500_000_000
MAX_TAB_BYTES: Final = 2_000_000_000
"""A page of 200,000 elements takes 1 GB while it is laid out."""
_WEIGH_EVERY: Final = 25
"""Pages between two checks of the browser's memory."""
_WATCH_EVERY_S: Final = 0.25
CRASH_S: Final = 5.0
"""Within so much time, the page of a killed process crashes: its memory has to be freed first."""
_MAX_FAILURES: Final = 3
_HTTP_PORT: Final = 80
_HTTPS_PORT: Final = 443
_MAX_STARTS: Final = 2
"""Attempts to start a browser before it is given up."""
MAX_BARREN: Final = 5
"""Browsers in a row that begin none of their pages, before no more are started."""
_NO_TABS: Final[Sentence] = (
    "The tabs of the browser {path} die before they load a page; try another browser, or crawl "
    "without rendering."
)
_log = logging.getLogger(__name__)


class RecentKills:
    """The processes that were killed for their memory, whose pages are about to crash.

    Not every one has a page that crashes: it may have ended a moment before.
    """

    def __init__(self) -> None:
        self._times_s: list[float] = []

    def add(self, number: int, now_s: float) -> None:
        """Note that so many were killed."""
        self._times_s += [now_s] * number

    def explains_crash(self, now_s: float) -> bool:
        """Whether a page that has crashed is that of a killed process; each explains one."""
        self._times_s = [each for each in self._times_s if now_s - each <= CRASH_S]
        if not self._times_s:
            return False
        del self._times_s[0]
        return True


def _now_s() -> float:
    return asyncio.get_running_loop().time()


class _Tabs:
    """The pages of one browser."""

    def __init__(self, browser: BrowserProcess, attach_s: float) -> None:
        self.browser = browser
        self._attach_s = attach_s
        self.pages = 0
        self.failures = 0
        """In a row."""
        self.running = 0
        self.has_begun = False
        """Whether it has asked for a page."""
        self._is_large = False
        self._is_broken = False
        """It makes no more tabs that live: the process that they come from may have died."""
        self._kills = RecentKills()
        self._watch: asyncio.TimerHandle | None = None
        self._attached: dict[str, asyncio.Future[str]] = {}
        """The sessions of targets that we opened, by target."""
        self._by_context: dict[str, PageRendering] = {}
        browser.devtools.listen("", self._on_event)

    @property
    def is_spent(self) -> bool:
        """Whether it must take no more pages."""
        return (
            self.browser.gone.is_set()
            or self.pages >= PAGES_PER_BROWSER
            or self.failures >= _MAX_FAILURES
            or self._is_large
            or self._is_broken
        )

    async def open(self) -> None:
        """Make every page, worker and popup of the browser wait until we have attached to it."""
        await self.browser.devtools.call("Target.setAutoAttach", ATTACH_ALL)
        await self._close_first_tab()

    async def _close_first_tab(self) -> None:
        """Close the empty tab that a browser begins with: it takes as much memory as a page."""
        devtools = self.browser.devtools
        known = await devtools.call("Target.getTargets")
        for target in known["targetInfos"]:
            if target["type"] == "page":
                devtools.send("Target.closeTarget", {"targetId": target["targetId"]})

    async def render(self, rendering: PageRendering, job: RenderJob) -> RenderedPage:
        devtools = self.browser.devtools
        self.pages += 1
        self.running += 1
        if self._watch is None:
            self._watch_processes()
        context = ""
        try:
            made = await devtools.call("Target.createBrowserContext", {"disposeOnDetach": True})
            context = str(made["browserContextId"])
            self._prepare(context, job)
            try:
                tab = await self._open_tab(context, job.limits)
            except DevtoolsError:
                self._is_broken = True
                raise
            self._by_context[context] = rendering
            page = await rendering.run(tab)
            self.has_begun |= page.is_begun
            is_killed = page.is_crashed and page.is_begun and self._kills.explains_crash(_now_s())
            page.is_out_of_memory = is_killed
            self.failures = self.failures + 1 if page.is_crashed or page.never_began else 0
            self._is_broken |= page.never_began
            return page
        finally:
            self.running -= 1
            self._weigh()
            self._by_context.pop(context, None)
            devtools.send("Target.disposeBrowserContext", {"browserContextId": context})

    def _watch_processes(self) -> None:
        """Kill tabs that grow without end, while there are any pages."""
        self._watch = None
        if self.running and not self.browser.gone.is_set():
            self._kills.add(kill_larger(self.browser.pid, MAX_TAB_BYTES), _now_s())
            loop = asyncio.get_running_loop()
            self._watch = loop.call_later(_WATCH_EVERY_S, self._watch_processes)

    def _weigh(self) -> None:
        """Check now and then whether the browser has grown too large."""
        if self.pages % _WEIGH_EVERY == 0 and not self._is_large:
            self._is_large = proportional_bytes(self.browser.pid) > MAX_BROWSER_BYTES

    def _prepare(self, context: str, job: RenderJob) -> None:
        """Nothing is downloaded, and the browser has the cookies of the page."""
        devtools = self.browser.devtools
        devtools.send(
            "Browser.setDownloadBehavior", {"behavior": "deny", "browserContextId": context}
        )
        for each in job.cookies:  # of a list with one that the browser refuses, it takes none
            cookies = {"cookies": [_cookie(each, job.url)], "browserContextId": context}
            devtools.send("Storage.setCookies", cookies)

    async def _open_tab(self, context: str, limits: RenderLimits) -> Tab:
        devtools = self.browser.devtools
        target = await devtools.call(
            "Target.createTarget",
            {
                "url": "about:blank",
                "browserContextId": context,
                "width": limits.width,
                "height": limits.height,
            },
        )
        name = str(target["targetId"])
        attached = self._attached.setdefault(name, asyncio.get_running_loop().create_future())
        try:
            async with asyncio.timeout(self._attach_s):
                return Tab(await attached, name)  # the frame of a page is named as its target
        except TimeoutError as e:
            raise DevtoolsError("a tab did not open") from e
        finally:
            self._attached.pop(name, None)

    def _on_event(self, method: str, params: Params) -> None:
        if method == "Target.attachedToTarget":
            self._on_attached(params)
        elif method == "Target.detachedFromTarget":
            for rendering in self._by_context.values():
                rendering.detached(str(params["sessionId"]))

    def _on_attached(self, params: Params) -> None:
        info = params["targetInfo"]
        session = str(params["sessionId"])
        rendering = self._by_context.get(str(info.get("browserContextId", "")))
        if rendering is not None:
            rendering.network.attach(session, info["type"])
            return
        name = str(info["targetId"])
        attached = self._attached.setdefault(name, asyncio.get_running_loop().create_future())
        if not attached.done():
            attached.set_result(session)


def _cookie(cookie: PageCookie, url: str) -> Params:
    """That of `Storage.setCookies`, for the page at `url`, whose scheme and port it is for."""
    site = urlsplit(url)
    is_https = site.scheme == "https"
    params: Params = {
        "sourceScheme": "Secure" if is_https else "NonSecure",
        "sourcePort": site.port or (_HTTPS_PORT if is_https else _HTTP_PORT),
        "name": cookie.name,
        "value": cookie.value,
        "url": url,
        "path": cookie.path,
        "httpOnly": cookie.is_http_only,
    }
    # Without the dot it would be for this host alone.
    return {**params, "domain": f".{cookie.domain}"} if cookie.domain else params


class PageRenderer:
    """Renders pages, any number at a time. Use with `async with`.

    The browser starts with the first page. A browser that has shown many pages, or fails
    repeatedly, is replaced once its last page is done.
    """

    def __init__(self, program: BrowserProgram, timings: BrowserTimings = USUAL_TIMINGS) -> None:
        """Nothing is started yet."""
        self._program = program
        self._timings = timings
        self._current: _Tabs | None = None
        self._starting = asyncio.Lock()
        self._start_error: BrowserStartError | None = None
        """Why there is no browser, once it is given up."""
        self._barren = 0
        """Browsers in a row that have begun none of their pages."""
        self._open: set[_Tabs] = set()
        self._stacks: dict[_Tabs, AsyncExitStack] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for tabs in list(self._open):
            await self._close(tabs)

    async def render(self, job: RenderJob, respond: RequestResponder) -> RenderedPage:
        """Render a page; `respond` serves what it loads.

        If its tab dies or hangs before it has the document, that says nothing of the page: another
        browser renders it.

        BrowserStartError if no browser can be started, which after some attempts is for good;
        DevtoolsError if the browser did not even show the page.
        """
        page = await self._render_once(job, respond)
        if page.never_began:
            page = await self._render_once(job, respond)
        return page

    async def _render_once(self, job: RenderJob, respond: RequestResponder) -> RenderedPage:
        tabs = await self._tabs()
        try:
            rendering = PageRendering(tabs.browser.devtools, job, respond)
            return await tabs.render(rendering, job)
        except DevtoolsError:
            tabs.failures += 1
            raise
        finally:
            if tabs.is_spent and not tabs.running:
                await self._close(tabs)

    async def _tabs(self) -> _Tabs:
        async with self._starting:
            current = self._current
            if current is None or current.is_spent:
                if current is not None and not current.running:
                    await self._close(current)  # it has ended while unused
                current = self._current = await self._start()
            return current

    async def _start(self) -> _Tabs:
        if self._start_error is not None:
            # Without that, it would keep what each page has on the stack when it is raised.
            raise self._start_error.with_traceback(None)
        for _ in range(_MAX_STARTS):
            try:
                return await self._start_once()
            except BrowserStartError as e:
                _log.warning("the browser did not start", extra={"reason": str(e)})
                error = e
        self._start_error = error
        raise error

    async def _start_once(self) -> _Tabs:
        async with AsyncExitStack() as stack:
            process = BrowserProcess(self._program, timings=self._timings)
            browser = await stack.enter_async_context(process)
            tabs = _Tabs(browser, self._timings.call_s)
            try:
                await tabs.open()
            except DevtoolsError as e:
                raise start_error(self._program, str(e)) from e
            self._stacks[tabs] = stack.pop_all()
            self._open.add(tabs)
            return tabs

    async def _close(self, tabs: _Tabs) -> None:
        if tabs in self._open and tabs.pages:
            self._barren = 0 if tabs.has_begun else self._barren + 1
        if self._barren >= MAX_BARREN:
            self._start_error = BrowserStartError(_NO_TABS, path=self._program.path)
        self._open.discard(tabs)
        stack = self._stacks.pop(tabs, None)
        if stack is not None:
            await stack.aclose()
