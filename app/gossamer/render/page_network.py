"""Responds to the requests of a page, and of its frames, workers and popups."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from gossamer.model.rendering import (
    MAX_POPUPS,
    MAX_RESOURCES,
    BlockedBy,
    PageResource,
    ResourceType,
)
from gossamer.model.rendering_encoding import MAX_TEXT
from gossamer.render.devtools_connection import DevtoolsConnection, Params
from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_requests import (
    PageRequest,
    PageResponse,
    RequestResponder,
    ResourceResult,
    is_same_site,
    refused,
)
from gossamer.render.rendered_page import RenderedPage
from gossamer.render.used_browser_features import UsedBrowserFeatures
from gossamer.urls.url_parsing import origin, without_fragment

MAX_PAGE_BYTES: Final = 100_000_000
"""Limit for everything that a page loads."""
_log = logging.getLogger(__name__)
_BLOCKED: Final = "BlockedByClient"
_REFRESHES: Final = frozenset({"metaTagRefresh", "httpHeaderRefresh"})
_POPUP: Final = "page"
_FRAME: Final = "iframe"
_SERVICE_WORKER: Final = "service_worker"
PAUSE_ALL: Final[Params] = {"patterns": [{"urlPattern": "*"}]}
"""For `Fetch.enable`: no request proceeds without us."""
ATTACH_ALL: Final[Params] = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
"""For `Target.setAutoAttach`: frames, workers and popups wait until their requests are paused."""


class FrameSites:
    """Which frames of a page show other sites, or are in such a frame.

    A frame counts as showing the document it requested last, at once: the event that it has arrived
    comes by another channel, possibly after its next requests.
    """

    def __init__(self, site: str) -> None:
        """`site` is the origin of the page."""
        self._site = site
        self._parents: dict[str, str] = {}
        self._foreign: set[str] = set()

    def attached(self, frame: str, parent: str) -> None:
        """Note a new frame in the frame `parent`."""
        self._parents[frame] = parent
        if parent in self._foreign:
            self._foreign.add(frame)

    def is_foreign(self, params: Params, main_frame: str) -> bool:
        """Whether such a frame makes the request of a `Fetch.requestPaused` event."""
        frame = params.get("frameId", "")
        if frame in {"", main_frame}:
            return False
        is_unknown = frame not in self._parents and bool(self._foreign)
        is_foreign = is_unknown or frame in self._foreign
        if params.get("resourceType") == ResourceType.DOCUMENT:
            self._show(frame, params["request"]["url"])
        return is_foreign

    def _show(self, frame: str, url: str) -> None:
        is_inside = self._parents.get(frame) in self._foreign
        if is_inside or not is_same_site(url, self._site):
            self._foreign.add(frame)
        else:
            self._foreign.discard(frame)


class PageNetwork:
    """The requests of one page in the tab `session`, whose main frame is `frame`."""

    def __init__(  # noqa: PLR0913 - what a page is, and where it is reported
        self,
        devtools: DevtoolsConnection,
        respond: RequestResponder,
        page: RenderedPage,
        *,
        url: str,
        document: PageResponse,
        deadline: PageDeadline,
        elapsed_ms: Callable[[], int],
        on_left: Callable[[], None],
        on_reload: Callable[[], None],
    ) -> None:
        """`document` is the response for the page itself; all others come from `respond`.

        `on_left` is called when a script sends the browser elsewhere, `on_reload` when the page is
        loaded again.
        """
        self._devtools = devtools
        self._respond = respond
        self._page = page
        self._url = without_fragment(url)
        self._site = origin(url)
        self._deadline = deadline
        self._document = document
        self._loads = 0
        self._has_service_worker = False
        """Whether one may answer when the page is loaded again: then it is not."""
        self._elapsed_ms = elapsed_ms
        self._on_left = on_left
        self._on_reload = on_reload
        self._size_bytes = 0
        self.interfaces = UsedBrowserFeatures()
        self.interfaces.look_for(document.body)
        self._notes_redirects = True
        self._quiet_since_s = 0.0
        self._spellings = {self._url}
        """The page's address as we write it, and as the browser does: it writes %7C for |."""
        self._refreshes: set[str] = set()
        """Targets of refresh elements: the page's markup reports them."""
        self._sessions: set[str] = set()
        self._foreign: set[str] = set()
        """Sessions of frames that have processes of their own, and of all in them."""
        self._frames = FrameSites(self._site)
        self._tasks: asyncio.TaskGroup | None = None
        self._responding: set[asyncio.Task[None]] = set()

    def open(self, tasks: asyncio.TaskGroup) -> None:
        """Respond from now on; `tasks` owns the tasks."""
        self._tasks = tasks

    def as_we_write(self, url: str) -> str:
        """An address in the browser, in our spelling if it is that of the page."""
        address, mark, fragment = url.partition("#")
        return f"{self._url}{mark}{fragment}" if address in self._spellings else url

    def note_no_redirects(self) -> None:
        """Ignore redirects by scripts from now on: the page is being read."""
        self._notes_redirects = False

    def close(self) -> None:
        """Stop responding, and cancel requests under way."""
        self._tasks = None
        for task in self._responding:
            task.cancel()
        for session in self._sessions:
            self._devtools.forget(session)

    def attach(self, session: str, kind: str, parent: str = "") -> None:
        """Attach to a new frame, worker or popup, which waits to be allowed to run.

        `parent` is the session that it belongs to, if that is not the page's.
        """
        self._sessions.add(session)
        self._has_service_worker |= kind == _SERVICE_WORKER
        if kind == _FRAME or parent in self._foreign:
            self._foreign.add(session)
        self._devtools.listen(session, partial(self._on_event, session, kind))
        self._devtools.send("Fetch.enable", PAUSE_ALL, session)
        self._devtools.send("Target.setAutoAttach", ATTACH_ALL, session)
        self._devtools.send("Runtime.runIfWaitingForDebugger", session=session)

    def _on_event(self, session: str, kind: str, method: str, params: Params) -> None:
        if method == "Target.attachedToTarget":
            self.attach(params["sessionId"], params["targetInfo"]["type"], session)
        elif method == "Fetch.requestPaused" and kind == _POPUP:
            self._refuse_popup(params, session)
        elif method == "Fetch.requestPaused":
            self.paused(params, session)

    def _refuse_popup(self, params: Params, session: str) -> None:
        """Refuse a popup; only its target address counts."""
        if len(self._page.popups) < MAX_POPUPS:
            self._page.popups.append(PageRequest.of(params).url[:MAX_TEXT])
        self._fail(params["requestId"], _BLOCKED, session)

    def frame_attached(self, frame: str, parent: str) -> None:
        """Note a new frame in the frame `parent`."""
        self._frames.attached(frame, parent)

    def navigates(self, url: str, reason: str) -> None:
        """Note that the main frame is about to navigate to `url`."""
        if reason in _REFRESHES:
            self._refreshes.add(without_fragment(url))

    def paused(self, params: Params, session: str, frame: str = "") -> None:
        """Handle a paused request. `frame` is the main frame if it may be for the page itself."""
        is_foreign = session in self._foreign or self._frames.is_foreign(params, frame)
        request = PageRequest.of(params, "" if is_foreign else self._site)
        request_id = params["requestId"]
        if frame and request.type is ResourceType.DOCUMENT and params["frameId"] == frame:
            self._main_document(request_id, request, session)
        elif request.is_for_browser:
            self._fail(request_id, _BLOCKED, session)
        elif self._tasks is not None:
            responding = self._fulfil(request_id, request, session)
            task = self._tasks.create_task(responding, name=request.url)
            self._responding.add(task)
            task.add_done_callback(self._responded)

    def quiet_s(self) -> float:
        """For how long the page has been waiting for nothing."""
        return 0.0 if self._responding else time.perf_counter() - self._quiet_since_s

    def _responded(self, task: asyncio.Task[None]) -> None:
        self._responding.discard(task)
        self._quiet_since_s = time.perf_counter()

    def _main_document(self, request_id: str, request: PageRequest, session: str) -> None:
        """Respond for the page itself; another request is a redirect, which is noted.

        A script may load the page again, once: many do when they have set a cookie.
        """
        self._page.is_begun = True
        is_reload = self._loads > 0
        if not is_reload or self._is_first_reload(request):
            self._loads += 1
            self._spellings.add(request.url)
            if is_reload:
                self._on_reload()
            fulfilment = self._document.fulfilment(request_id)
            self._devtools.send("Fetch.fulfillRequest", fulfilment, session)
            return
        self._fail(request_id, "Aborted", session)
        is_other = request.url not in self._spellings | self._refreshes
        is_new = self._notes_redirects and not self._page.redirect and not request.is_download
        if is_other and request.method == "GET" and is_new:
            self._page.redirect = request.url
            self._on_left()

    def _is_first_reload(self, request: PageRequest) -> bool:
        if self._loads > 1 or self._page.redirect or not self._notes_redirects:
            return False
        is_again = request.url in self._spellings - self._refreshes and request.method == "GET"
        return is_again and not self._has_service_worker and not request.is_download

    async def _fulfil(self, request_id: str, request: PageRequest, session: str) -> None:
        started_ms = self._elapsed_ms()
        why = refused(request, self._site)
        if why is None and self._page.requests >= MAX_RESOURCES:
            why = BlockedBy.LIMIT
        if why is None and self._size_bytes >= MAX_PAGE_BYTES:
            why = BlockedBy.LIMIT
        self._page.requests += 1
        result = ResourceResult(blocked_by=why) if why else await self._result_of(request)
        if result.response is None:
            reason = _BLOCKED if result.blocked_by else "ConnectionFailed"
            self._fail(request_id, reason, session)
        else:
            fulfilment = result.response.fulfilment(request_id)
            self._devtools.send("Fetch.fulfillRequest", fulfilment, session)
        self._note(request, result, started_ms)

    async def _result_of(self, request: PageRequest) -> ResourceResult:
        try:
            result = await self._respond(request, self._deadline)
        except Exception:  # noqa: BLE001 - one bad request must not end the page
            _log.exception("a request of a page failed", extra={"url": request.url})
            return ResourceResult(failure="error")
        if result.response is not None:
            body = result.response.body
            self._size_bytes += len(body)
            self.interfaces.look_for(body)
        return result

    def note_web_socket(self, url: str) -> None:
        """Note a WebSocket that a script could not open: see docs/rendering.md."""
        self._page.requests += 1
        request = PageRequest(url, "GET", ResourceType.WEB_SOCKET, {})
        self._note(request, ResourceResult(blocked_by=BlockedBy.WEB_SOCKET), self._elapsed_ms())

    def _note(self, request: PageRequest, result: ResourceResult, started_ms: int) -> None:
        page, response = self._page, result.response
        page.blocked += result.blocked_by is not None
        page.failed += result.is_failed
        if len(page.resources) < MAX_RESOURCES:
            page.resources.append(
                PageResource(
                    request.url[:MAX_TEXT],
                    request.type,
                    None if response is None else response.status,
                    0 if response is None else len(response.body),
                    started_ms,
                    self._elapsed_ms() - started_ms,
                    result.blocked_by,
                    result.failure,
                    result.from_cache,
                    0 if response is None else response.transferred_bytes,
                )
            )

    def _fail(self, request_id: str, reason: str, session: str) -> None:
        params = {"requestId": request_id, "errorReason": reason}
        self._devtools.send("Fetch.failRequest", params, session)
