"""Renders one page in the browser: from its HTML to what its scripts have made of it."""

import asyncio
import logging
import time
from typing import Any, Final, NamedTuple

from gossamer.model.rendering import MAX_CONSOLE_MESSAGES
from gossamer.render.accessibility_check import check_accessibility
from gossamer.render.devtools_connection import (
    CALL_S,
    BrowserGoneError,
    DevtoolsConnection,
    DevtoolsError,
    Params,
)
from gossamer.render.emulated_screen import EmulatedScreen
from gossamer.render.mobile_layout import layout_of
from gossamer.render.navigation_history import has_committed
from gossamer.render.page_console import message_of, refused_web_socket
from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_load_measurement import OBSERVE_LOAD, QUIET_S, READ_LOAD, LoadObserved
from gossamer.render.page_network import ATTACH_ALL, PAUSE_ALL, PageNetwork
from gossamer.render.page_requests import RequestResponder
from gossamer.render.page_screenshots import screenshot, whole_page
from gossamer.render.page_scripts import FILL_STORAGE, READ_PAGE, PageRead, returned
from gossamer.render.rendered_page import RenderedPage, RenderJob
from gossamer.render.script_time import ScriptTime
from gossamer.urls.url_parsing import origin

MAX_DIALOGS: Final = 10
_EMPTY: Final = "about:blank"
_ORIGIN_OF_EMPTY: Final = "://"
_OWN_WORLD: Final = "gossamer"
"""The isolated world of our scripts, out of the page's reach."""
_log = logging.getLogger(__name__)


class Tab(NamedTuple):
    """A tab: the session to talk to it, and its main frame."""

    session: str
    frame: str


class PageRendering:
    """One page in a tab of its own. Made, run once, thrown away."""

    def __init__(
        self,
        devtools: DevtoolsConnection,
        job: RenderJob,
        respond: RequestResponder,
    ) -> None:
        """`respond` serves what the page loads."""
        self._devtools = devtools
        self._url = job.url
        self._stored = {"local": job.local_storage, "session": job.session_storage}
        self._limits = job.limits
        self._page = RenderedPage()
        self._screen = EmulatedScreen(self._call, self._look, job.limits)
        self._session = ""
        self._frame = ""
        self._loaded = asyncio.Event()
        self._is_sent_off = False
        """Whether the page was navigated to: before, the tab is empty."""
        self._reloads = 0
        """How often a script has loaded it again since it was last waited for."""
        self._time = ScriptTime(self._call, self._look_and_wait, self._screen, job.limits)
        self._started_s = 0.0
        self._deadline = PageDeadline(job.limits.timeout_s)
        self.network = PageNetwork(
            devtools,
            respond,
            self._page,
            url=job.url,
            document=job.response,
            deadline=self._deadline,
            elapsed_ms=self._elapsed_ms,
            on_left=self._end,
            on_reload=self._begin_again,
        )

    async def run(self, tab: Tab) -> RenderedPage:
        """Render the page in a new tab. BrowserGoneError if the browser ends."""
        self._session, self._frame = tab
        self._started_s = time.perf_counter()
        self._devtools.listen(tab.session, self._on_event)
        try:
            async with asyncio.TaskGroup() as tasks:
                self.network.open(tasks)
                helpers = [
                    tasks.create_task(self._devtools.fail_when_gone(), name="watch the browser"),
                    tasks.create_task(self._navigate(), name="navigate"),
                ]
                await self._live()
                for each in helpers:
                    each.cancel()
                self.network.close()
        except* BrowserGoneError as e:
            raise BrowserGoneError("the browser has ended") from e
        finally:
            self.network.close()
            self._devtools.forget(tab.session)
        self._page.render_ms = self._elapsed_ms()
        return self._page

    def detached(self, session: str) -> None:
        """Note a closed tab, perhaps the page's own, which its script can close."""
        if session == self._session:
            self.crash()

    def crash(self) -> None:
        """Give the page up at once: something that it needs has died."""
        self._page.is_crashed = True
        self._end()
        self._devtools.close_session(self._session)

    async def _live(self) -> None:
        try:
            async with self._deadline:
                while not await self._is_settled():
                    pass
        except TimeoutError:
            self._page.is_timed_out = True
        except BrowserGoneError:
            raise
        except DevtoolsError as e:
            _log.debug("a page was not rendered to its end", extra=self._why(e))
            self._page.is_timed_out = True
        if not self._page.is_crashed:
            await self._read()
        if self._page.never_began and not self._page.is_crashed:
            self._page.is_taken = await has_committed(self._call)

    async def _is_settled(self) -> bool:
        """Wait until scripts have done their work; False if one has loaded the page again.

        Its first document may say that it has loaded before the second one comes.
        """
        await self._loaded.wait()
        reloads, self._reloads = self._reloads, 0
        try:
            self._page.load_ms = self._elapsed_ms()
            if self._limits.lab_metrics:
                await self._measure_load()
            await self._time.pass_by(self.network)
        except BrowserGoneError:
            raise
        except DevtoolsError:
            if not reloads and not self._reloads:
                raise
            return False
        return not self._reloads

    # ------------------------------------------------------------------ stages

    def _prepare(self) -> None:
        limits = self._limits
        calls: list[tuple[str, Params]] = [
            ("Emulation.setDeviceMetricsOverride", self._screen.usual),
            ("Page.enable", {}),
            ("Runtime.enable", {}),
            ("Log.enable", {}),
            ("Fetch.enable", PAUSE_ALL),
            ("Target.setAutoAttach", ATTACH_ALL),
        ]
        if limits.user_agent:
            agent: Params = {"userAgent": limits.user_agent}
            if limits.accept_language:
                agent["acceptLanguage"] = limits.accept_language
            calls.append(("Emulation.setUserAgentOverride", agent))
        for method, params in calls:
            self._devtools.send(method, params, self._session)
        self._devtools.send("Runtime.runIfWaitingForDebugger", session=self._session)

    async def _navigate(self) -> None:
        """Go to the page. The call may hang as long as the page does, so nobody waits for it."""
        self._prepare()
        try:
            if self._limits.is_mobile:  # it counts for pages from its reply on
                await self._call("Emulation.setTouchEmulationEnabled", {"enabled": True})
            if any(self._stored.values()):
                options: dict[str, object] = {"origin": origin(self._url), **self._stored}
                await self._run_before(FILL_STORAGE.call(options))
            if self._limits.lab_metrics:
                await self._run_before(OBSERVE_LOAD.call({}))
            self._is_sent_off = True
            result = await self._call("Page.navigate", {"url": self._url}, self._limits.timeout_s)
        except DevtoolsError:
            return
        if result.get("errorText") and not self._page.redirect:
            _log.debug("the browser refused a page", extra={"url": self._url, **result})

    async def _run_before(self, source: str) -> None:
        """Run a script before those of the page. The call must return before navigation."""
        added: Params = {"source": source, "worldName": _OWN_WORLD}
        await self._call("Page.addScriptToEvaluateOnNewDocument", added, self._limits.timeout_s)

    async def _measure_load(self) -> None:
        """Wait until the page is quiet, or its scripts' time is up; measure how it loaded."""
        ends_s = time.perf_counter() + self._limits.ajax_s
        while (left_s := ends_s - time.perf_counter()) > 0 and not self._time.over.is_set():
            wait_s = QUIET_S - self.network.quiet_s()
            if wait_s <= 0:
                break
            await self._time.over_within(min(wait_s, left_s))
        if self._time.over.is_set():
            return
        left_s = max(0, left_s)
        read = READ_LOAD.call({"quiet": QUIET_S * 1000, "most": left_s * 1000})
        world = await self._own_world()
        seen = await self._evaluate(read, world, awaits=True, within_s=left_s + CALL_S)
        self._page.load = returned(seen, LoadObserved) if seen else None

    async def _read(self) -> None:
        """Read what there is; scripts that do not end are ended first."""
        if self._page.is_timed_out:
            self._devtools.send("Runtime.terminateExecution", session=self._session)
        try:
            options: dict[str, object] = {
                "shadow": self._limits.flatten_shadow_dom,
                "frames": self._limits.flatten_frames,
                "most": self._limits.max_html_bytes,
            }
            self.network.note_no_redirects()
            self._take(await self._look(READ_PAGE.call(options)))
            if self._page.redirect:
                # Nobody sees it, and a screenshot of what is not painted yet would never come.
                return
            await self._screen.shrink()
            if self._limits.is_mobile:
                self._page.layout = await layout_of(self._look, self._limits.width)
            await self._take_screenshots()
            if rules := self._limits.accessibility_rules:
                is_slow = self._page.is_timed_out
                if self._limits.virtual_time:  # which axe needs to pass: it sets timers
                    await self._call("Emulation.setVirtualTimePolicy", {"policy": "advance"})
                self._page.accessibility = await check_accessibility(
                    self._call, self._frame, rules, is_slow=is_slow
                )
        except BrowserGoneError:
            raise
        except DevtoolsError as e:
            _log.debug("a page could not be read", extra=self._why(e))
            self._page.is_timed_out = True

    async def _take_screenshots(self) -> None:
        if self._limits.screenshot:
            self._page.screenshot = await screenshot(self._call)
        if scale := self._limits.full_page_scale:
            width = self._limits.width
            self._page.full_page = await whole_page(self._call, self._look, width, scale)

    def _take(self, value: object) -> None:
        read = returned(value, PageRead)
        page = self._page
        page.html, page.html_is_cut = read.html, read.cut
        page.final_url = self.network.as_we_write(read.url)
        page.images, page.elements = read.images, read.elements

    def _on_event(self, method: str, params: Params) -> None:
        handle = self._HANDLERS.get(method)
        if handle is not None:
            handle(self, params)
        else:
            self._on_message(method, params)

    def _on_paused(self, params: Params) -> None:
        self.network.paused(params, self._session, self._frame)

    def _on_frame(self, params: Params) -> None:
        self.network.frame_attached(params["frameId"], params["parentFrameId"])

    def _on_commit(self, params: Params) -> None:
        """Note that the tab has taken the document, which one that hangs never does.

        What a tab was told just before it takes a document it may hear after that: then it does
        not send this, but tells what comes next.
        """
        frame = params["frame"]
        self._page.is_taken |= frame["id"] == self._frame and frame["url"] != _EMPTY

    def _on_context(self, params: Params) -> None:
        context = params["context"]
        is_of_page = context.get("auxData", {}).get("frameId") == self._frame
        self._page.is_taken |= is_of_page and context["origin"] != _ORIGIN_OF_EMPTY

    def _on_parsed(self, _params: Params) -> None:
        self._page.is_taken |= self._is_sent_off

    def _on_navigation(self, params: Params) -> None:
        if params["frameId"] == self._frame:
            self.network.navigates(params["url"], params["reason"])

    def _begin_again(self) -> None:
        """Wait for the page once more."""
        self._reloads += 1
        self._loaded.clear()
        self._time.stop_waiting()

    def _on_load(self, _params: Params) -> None:
        if self._is_sent_off:
            self._page.is_taken = True
            self._loaded.set()

    def _on_stopped(self, params: Params) -> None:
        if params["frameId"] == self._frame:
            self._on_load(params)

    def _on_budget(self, _params: Params) -> None:
        self._time.stop_waiting()

    def _on_crash(self, _params: Params) -> None:
        self.crash()

    def _end(self) -> None:
        """End the page: nothing more will come."""
        self._loaded.set()
        self._time.end()

    def _on_dialog(self, _params: Params) -> None:
        if self._page.dialogs < MAX_DIALOGS:
            self._page.dialogs += 1
        elif not self._time.over.is_set():
            self._devtools.send("Runtime.terminateExecution", session=self._session)
            self._end()
        self._devtools.send("Page.handleJavaScriptDialog", {"accept": False}, self._session)

    def _on_attached(self, params: Params) -> None:
        self.network.attach(params["sessionId"], params["targetInfo"]["type"])

    def _on_message(self, method: str, params: Params) -> None:
        if socket := refused_web_socket(method, params):
            self.network.note_web_socket(socket)
            return
        message = message_of(method, params)
        if message is None:
            return
        if message.is_error:
            self._page.errors += 1
        else:
            self._page.warnings += 1
        if len(self._page.console) < MAX_CONSOLE_MESSAGES:
            self._page.console.append(message)

    _HANDLERS: Final = {
        "Page.frameNavigated": _on_commit,
        "Runtime.executionContextCreated": _on_context,
        "Page.domContentEventFired": _on_parsed,
        "Fetch.requestPaused": _on_paused,
        "Page.loadEventFired": _on_load,
        "Page.frameAttached": _on_frame,
        "Page.frameStoppedLoading": _on_stopped,
        "Page.javascriptDialogOpening": _on_dialog,
        "Emulation.virtualTimeBudgetExpired": _on_budget,
        "Inspector.targetCrashed": _on_crash,
        "Page.frameRequestedNavigation": _on_navigation,
        "Target.attachedToTarget": _on_attached,
    }

    # ------------------------------------------------------------------ calls

    async def _call(
        self, method: str, params: Params | None = None, timeout_s: float | None = None
    ) -> Params:
        if self._page.is_crashed:
            raise DevtoolsError("the tab has gone")
        return await self._devtools.call(method, params, self._session, timeout_s)

    async def _own_world(self) -> int:
        """The context in which our scripts run in the document that is shown now."""
        request: Params = {"frameId": self._frame, "worldName": _OWN_WORLD}
        made = await self._call("Page.createIsolatedWorld", request)
        return int(made["executionContextId"])

    async def _look(self, script: str) -> Any:  # noqa: ANN401 - whatever a script returns
        return await self._evaluate(script, await self._own_world())

    async def _look_and_wait(self, script: str) -> Any:  # noqa: ANN401 - likewise
        """The same for a script that promises something."""
        return await self._evaluate(script, await self._own_world(), awaits=True)

    async def _evaluate(
        self, script: str, world: int, *, awaits: bool = False, within_s: float | None = None
    ) -> Any:  # noqa: ANN401 - whatever a script returns
        params: Params = {
            "expression": script,
            "contextId": world,
            "returnByValue": True,
            "awaitPromise": awaits,
        }
        return (await self._call("Runtime.evaluate", params, within_s))["result"].get("value")

    def _why(self, problem: Exception) -> dict[str, str]:
        return {"url": self._url, "why": str(problem)}

    def _elapsed_ms(self) -> int:
        return round((time.perf_counter() - self._started_s) * 1000)
