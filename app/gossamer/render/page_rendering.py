"""The life of one page in the browser: from its HTML to what its scripts have made of it."""

import asyncio
import logging
import time
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from gossamer.render.devtools_connection import (
    BrowserGoneError,
    DevtoolsConnection,
    DevtoolsError,
    Params,
)
from gossamer.render.page_console import message_of
from gossamer.render.page_requests import (
    AnswerRequest,
    BlockedBy,
    PageRequest,
    PageResponse,
    RequestKind,
    ResourceResult,
    refused,
)
from gossamer.render.page_scripts import READ_PAGE, TWO_FRAMES
from gossamer.render.rendered_page import (
    MAX_MESSAGES,
    MAX_POPUPS,
    MAX_RESOURCES,
    RenderedImage,
    RenderedPage,
    RenderedResource,
    RenderLimits,
)
from gossamer.urls.url_parsing import origin, without_fragment

MAX_DIALOGS: Final = 10
_EVALUATE_S: Final = 5.0
_FLUSH_MS: Final = 1_000
_SCREENSHOT_QUALITY: Final = 70
_BLOCKED: Final = "BlockedByClient"
_REFRESHES: Final = frozenset({"metaTagRefresh", "httpHeaderRefresh"})
_log = logging.getLogger(__name__)


class Tab(NamedTuple):
    """A tab: the session to talk to it, and its main frame."""

    session: str
    frame: str


class PageRendering:
    """One page in a tab of its own. Made, run once, thrown away."""

    def __init__(
        self, devtools: DevtoolsConnection, answer: AnswerRequest, limits: RenderLimits
    ) -> None:
        """`answer` answers what the page asks for, the page itself excepted."""
        self._devtools = devtools
        self._answer = answer
        self._limits = limits
        self._page = RenderedPage()
        self._session = ""
        self._url = ""
        self._site = ""
        self._document: PageResponse | None = None
        self._frame = ""
        self._loaded = asyncio.Event()
        self._budget_spent = asyncio.Event()
        self._over = asyncio.Event()
        """The renderer has crashed, or the page has left: nothing more will come."""
        self._tasks: asyncio.TaskGroup
        self._answering: set[asyncio.Task[None]] = set()
        self._is_read = False
        self._children: set[str] = set()
        self._refreshes: set[str] = set()
        """Where elements send the browser: what is read of the page tells of them."""
        self._started_s = 0.0

    async def run(self, tab: Tab, url: str, response: PageResponse) -> RenderedPage:
        """What becomes of the page `url` in a new tab, when it is answered by `response`.

        BrowserGoneError if the browser ends.
        """
        self._session, self._frame = tab
        self._url, self._site = url, origin(url)
        self._document = response
        self._started_s = time.perf_counter()
        self._devtools.listen(tab.session, self._on_event)
        try:
            async with asyncio.TaskGroup() as self._tasks:
                await self._live()
                self._is_read = True
                for task in self._answering:
                    task.cancel()
        except* BrowserGoneError as e:
            raise BrowserGoneError("the browser has ended") from e
        finally:
            for each in (tab.session, *self._children):
                self._devtools.forget(each)
        self._page.render_ms = self._elapsed_ms()
        return self._page

    async def _live(self) -> None:
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                self._prepare()
                await self._load()
                await self._settle()
        except TimeoutError:
            self._page.is_timed_out = True
        except BrowserGoneError:
            raise
        except DevtoolsError as e:
            _log.debug("a page was not rendered to its end", extra=self._why(e))
            self._page.is_timed_out = True
        if not self._page.is_crashed:
            await self._read()

    def child_attached(self, session: str, params: Params) -> None:
        """A frame, a worker or a popup of the page has appeared and waits to be allowed to run."""
        kind = params["targetInfo"]["type"]
        is_popup = kind == "page"
        self._children.add(session)
        self._devtools.listen(session, partial(self._on_child, session, is_popup))
        self._devtools.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}, session)
        self._devtools.send(
            "Target.setAutoAttach",
            {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True},
            session,
        )
        self._devtools.send("Runtime.runIfWaitingForDebugger", session=session)

    # ------------------------------------------------------------------ stages

    def _prepare(self) -> None:
        limits = self._limits
        calls: list[tuple[str, Params]] = [
            ("Page.enable", {}),
            ("Runtime.enable", {}),
            ("Log.enable", {}),
            ("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}),
            (
                "Target.setAutoAttach",
                {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True},
            ),
            (
                "Emulation.setDeviceMetricsOverride",
                {
                    "width": limits.width,
                    "height": limits.height,
                    "deviceScaleFactor": 1,
                    "mobile": limits.is_mobile,
                },
            ),
        ]
        if limits.user_agent:
            agent: Params = {"userAgent": limits.user_agent}
            if limits.accept_language:
                agent["acceptLanguage"] = limits.accept_language
            calls.append(("Emulation.setUserAgentOverride", agent))
        for method, params in calls:
            self._devtools.send(method, params, self._session)
        self._devtools.send("Runtime.runIfWaitingForDebugger", session=self._session)

    async def _load(self) -> None:
        self._answering.add(self._tasks.create_task(self._navigate(), name="navigate"))
        await self._loaded.wait()
        self._page.load_ms = self._elapsed_ms()

    async def _navigate(self) -> None:
        """Go to the page. The call may hang as long as the page does, so nobody waits for it."""
        try:
            answer = await self._call("Page.navigate", {"url": self._url}, self._limits.timeout_s)
        except DevtoolsError:
            return
        if answer.get("errorText") and not self._page.redirect:
            _log.debug("the browser refused a page", extra={"url": self._url, **answer})

    async def _settle(self) -> None:
        """Wait until scripts have done their work."""
        if self._over.is_set():
            return
        if not self._limits.virtual_time:
            await self._over_within(self._limits.ajax_s)
            return
        await self._spend(self._limits.ajax_s * 1000)
        if not self._over.is_set():
            await self._evaluate(TWO_FRAMES, awaits=True)
            await self._spend(_FLUSH_MS)

    async def _spend(self, budget_ms: float) -> None:
        """Let that much virtual time go by; it stands while the page waits for an answer."""
        self._budget_spent.clear()
        if self._over.is_set():
            return
        await self._call(
            "Emulation.setVirtualTimePolicy",
            {
                "policy": "pauseIfNetworkFetchesPending",
                "budget": budget_ms,
                "maxVirtualTimeTaskStarvationCount": 10_000,
            },
        )
        try:
            await self._budget_spent.wait()
        finally:
            self._devtools.send(
                "Emulation.setVirtualTimePolicy", {"policy": "advance"}, self._session
            )

    async def _over_within(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            return

    async def _read(self) -> None:
        """Read what there is; scripts that do not end are ended first."""
        if self._page.is_timed_out:
            self._devtools.send("Runtime.terminateExecution", session=self._session)
        try:
            world = await self._call(
                "Page.createIsolatedWorld",
                {"frameId": self._frame, "worldName": "gossamer"},
                _EVALUATE_S,
            )
            options: dict[str, object] = {
                "shadow": self._limits.flatten_shadow_dom,
                "frames": self._limits.flatten_frames,
                "most": self._limits.max_html_bytes,
            }
            read = await self._evaluate(
                READ_PAGE.call(options), world=int(world["executionContextId"])
            )
            self._take(read)
            if self._limits.screenshot:
                await self._take_screenshot()
        except BrowserGoneError:
            raise
        except DevtoolsError as e:
            _log.debug("a page could not be read", extra=self._why(e))
            self._page.is_timed_out = True

    def _take(self, read: dict[str, Any]) -> None:
        page = self._page
        page.html, page.html_is_cut, page.final_url = read["html"], read["cut"], read["url"]
        page.images = msgspec.convert(read["images"], list[RenderedImage])

    async def _take_screenshot(self) -> None:
        from base64 import b64decode  # noqa: PLC0415 - few crawls want any

        shot = await self._call(
            "Page.captureScreenshot",
            {"format": "jpeg", "quality": _SCREENSHOT_QUALITY, "optimizeForSpeed": True},
            _EVALUATE_S,
        )
        self._page.screenshot = b64decode(shot["data"])

    # ------------------------------------------------------------------ events

    def _on_event(self, method: str, params: Params) -> None:
        handle = self._HANDLERS.get(method)
        if handle is not None:
            handle(self, params)
        else:
            self._on_message(method, params)

    def _on_child(self, session: str, is_popup: bool, method: str, params: Params) -> None:  # noqa: FBT001 - bound by partial
        if method == "Fetch.requestPaused" and is_popup:
            self._on_popup(params, session)
        elif method == "Fetch.requestPaused":
            self._paused(params, session)
        elif method == "Target.attachedToTarget":
            self.child_attached(params["sessionId"], params)

    def _on_popup(self, params: Params, session: str) -> None:
        """A popup shows nothing: where it would have gone is all that counts."""
        url = PageRequest.of(params).url
        if len(self._page.popups) < MAX_POPUPS:
            self._page.popups.append(url)
        self._fail(params["requestId"], _BLOCKED, session)

    def _on_paused(self, params: Params) -> None:
        self._paused(params, self._session)

    def _paused(self, params: Params, session: str) -> None:
        request = PageRequest.of(params)
        is_main = (
            session == self._session
            and request.kind is RequestKind.DOCUMENT
            and params["frameId"] == self._frame
        )
        if is_main:
            self._main_document(params["requestId"], request)
            return
        if self._is_read:
            return
        task = self._tasks.create_task(
            self._fulfil(params["requestId"], request, session), name=request.url
        )
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    def _main_document(self, request_id: str, request: PageRequest) -> None:
        """Answer for the page itself, once; what would follow is a redirect, which is noted."""
        document, self._document = self._document, None
        if document is not None:
            self._devtools.send(
                "Fetch.fulfillRequest", document.fulfilment(request_id), self._session
            )
            return
        self._fail(request_id, "Aborted", self._session)
        is_other = request.url not in {self._url, *self._refreshes}
        if is_other and request.method == "GET" and not self._page.redirect:
            self._page.redirect = request.url
            self._end()

    async def _fulfil(self, request_id: str, request: PageRequest, session: str) -> None:
        began_s = time.perf_counter()
        why = refused(request, self._site)
        if why is None and self._page.requests >= MAX_RESOURCES:
            why = BlockedBy.LIMIT
        self._page.requests += 1
        result = ResourceResult(blocked_by=why) if why else await self._answer(request)
        response = result.response
        if response is None:
            reason = _BLOCKED if result.blocked_by else "ConnectionFailed"
            self._fail(request_id, reason, session)
        else:
            self._devtools.send("Fetch.fulfillRequest", response.fulfilment(request_id), session)
        if len(self._page.resources) < MAX_RESOURCES:
            self._page.resources.append(
                RenderedResource(
                    request.url,
                    request.kind,
                    None if response is None else response.status,
                    0 if response is None else len(response.body),
                    round((time.perf_counter() - began_s) * 1000),
                    result.blocked_by,
                    result.failure,
                    result.from_cache,
                )
            )

    def _fail(self, request_id: str, reason: str, session: str) -> None:
        self._devtools.send(
            "Fetch.failRequest", {"requestId": request_id, "errorReason": reason}, session
        )

    def _on_navigation(self, params: Params) -> None:
        if params["frameId"] == self._frame and params["reason"] in _REFRESHES:
            self._refreshes.add(without_fragment(params["url"]))

    def _on_load(self, _params: Params) -> None:
        self._loaded.set()

    def _on_stopped(self, params: Params) -> None:
        if params["frameId"] == self._frame:
            self._loaded.set()

    def _on_budget(self, _params: Params) -> None:
        self._budget_spent.set()

    def _on_crash(self, _params: Params) -> None:
        self._page.is_crashed = True
        self._end()

    def _end(self) -> None:
        """Nothing more will come of the page."""
        for event in (self._over, self._loaded, self._budget_spent):
            event.set()

    def _on_dialog(self, _params: Params) -> None:
        self._page.dialogs += 1
        if self._page.dialogs > MAX_DIALOGS and not self._over.is_set():
            self._devtools.send("Runtime.terminateExecution", session=self._session)
            self._end()
        self._devtools.send("Page.handleJavaScriptDialog", {"accept": False}, self._session)

    def _on_attached(self, params: Params) -> None:
        self.child_attached(params["sessionId"], params)

    def _on_message(self, method: str, params: Params) -> None:
        message = message_of(method, params)
        if message is None:
            return
        if message.is_error:
            self._page.errors += 1
        else:
            self._page.warnings += 1
        if len(self._page.console) < MAX_MESSAGES:
            self._page.console.append(message)

    _HANDLERS: Final = {
        "Fetch.requestPaused": _on_paused,
        "Page.loadEventFired": _on_load,
        "Page.frameStoppedLoading": _on_stopped,
        "Page.javascriptDialogOpening": _on_dialog,
        "Emulation.virtualTimeBudgetExpired": _on_budget,
        "Inspector.targetCrashed": _on_crash,
        "Inspector.detached": _on_crash,  # the page closed its window
        "Page.frameRequestedNavigation": _on_navigation,
        "Target.attachedToTarget": _on_attached,
    }

    # ------------------------------------------------------------------ calls

    async def _call(
        self, method: str, params: Params | None = None, timeout_s: float = _EVALUATE_S
    ) -> Params:
        return await self._devtools.call(method, params, self._session, timeout_s)

    async def _evaluate(self, script: str, *, world: int = 0, awaits: bool = False) -> Any:  # noqa: ANN401 - whatever a script returns
        params: Params = {"expression": script, "returnByValue": True, "awaitPromise": awaits}
        if world:
            params["contextId"] = world
        answer = await self._call("Runtime.evaluate", params)
        return answer["result"].get("value")

    def _why(self, problem: Exception) -> dict[str, str]:
        return {"url": self._url, "why": str(problem)}

    def _elapsed_ms(self) -> int:
        return round((time.perf_counter() - self._started_s) * 1000)
