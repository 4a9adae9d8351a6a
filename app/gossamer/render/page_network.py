"""Answers what a page asks for, and its frames, workers and popups too."""

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
from gossamer.render.growing_screen import waits_for_view
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
from gossamer.urls.url_parsing import origin, without_fragment

MAX_PAGE_BYTES: Final = 100_000_000
"""Of all that a page loads."""
_log = logging.getLogger(__name__)
_BLOCKED: Final = "BlockedByClient"
_REFRESHES: Final = frozenset({"metaTagRefresh", "httpHeaderRefresh"})
_POPUP: Final = "page"
_FRAME: Final = "iframe"
PAUSE_ALL: Final[Params] = {"patterns": [{"urlPattern": "*"}]}
"""Of `Fetch.enable`: no request goes on without us."""
ATTACH_ALL: Final[Params] = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
"""Of `Target.setAutoAttach`: frames, workers and popups wait until their requests wait too."""


class FrameSites:
    """Which frames of a page show other sites, or are in such a frame.

    A frame is what it was last asked a document for, at once: what tells that it has got there
    comes by another way, and may come after what it asks for then.
    """

    def __init__(self, site: str) -> None:
        """`site` is the origin of the page."""
        self._site = site
        self._parents: dict[str, str] = {}
        self._foreign: set[str] = set()

    def attached(self, frame: str, parent: str) -> None:
        """There is a new frame in the frame `parent`."""
        self._parents[frame] = parent
        if parent in self._foreign:
            self._foreign.add(frame)

    def is_foreign(self, params: Params, main_frame: str) -> bool:
        """Whether such a frame makes a request, that of a `Fetch.requestPaused` event."""
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

    def __init__(  # noqa: PLR0913 - what a page is, and where it tells of itself
        self,
        devtools: DevtoolsConnection,
        answer: RequestResponder,
        page: RenderedPage,
        *,
        url: str,
        document: PageResponse,
        deadline: PageDeadline,
        elapsed_ms: Callable[[], int],
        on_left: Callable[[], None],
    ) -> None:
        """`document` is the answer for the page itself; all others come from `answer`.

        `on_left` is called when a script sends the browser elsewhere.
        """
        self._devtools = devtools
        self._answer = answer
        self._page = page
        self._url = url
        self._site = origin(url)
        self._deadline = deadline
        self._document: PageResponse | None = document
        self._elapsed_ms = elapsed_ms
        self._on_left = on_left
        self._size_bytes = 0
        self.waits_for_view = waits_for_view(document.body)
        """Whether anything that the page has loaded looks for what comes into view."""
        self._notes_redirects = True
        self._quiet_since_s = 0.0
        self._spellings = {url}
        """The page's address as we write it, and as the browser does: it writes %7C for |."""
        self._refreshes: set[str] = set()
        """Where elements send the browser: what is read of the page tells of them."""
        self._sessions: set[str] = set()
        self._foreign: set[str] = set()
        """Sessions of frames that have processes of their own, and of all in them."""
        self._frames = FrameSites(self._site)
        self._tasks: asyncio.TaskGroup | None = None
        self._answering: set[asyncio.Task[None]] = set()

    def open(self, tasks: asyncio.TaskGroup) -> None:
        """Answer from now on; `tasks` owns the answers."""
        self._tasks = tasks

    def as_we_write(self, url: str) -> str:
        """An address in the browser, spelled as it was asked for if it is that of the page."""
        address, mark, fragment = url.partition("#")
        return f"{self._url}{mark}{fragment}" if address in self._spellings else url

    def note_no_redirects(self) -> None:
        """The page is being read: where its scripts send the browser from now on is too late."""
        self._notes_redirects = False

    def close(self) -> None:
        """Answer nothing more, and cancel what is being asked."""
        self._tasks = None
        for task in self._answering:
            task.cancel()
        for session in self._sessions:
            self._devtools.forget(session)

    def attach(self, session: str, kind: str, parent: str = "") -> None:
        """A frame, a worker or a popup has appeared and waits to be allowed to run.

        `parent` is the session that it belongs to, if that is not the page's.
        """
        self._sessions.add(session)
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
        """A popup shows nothing: where it would have gone is all that counts."""
        if len(self._page.popups) < MAX_POPUPS:
            self._page.popups.append(PageRequest.of(params).url[:MAX_TEXT])
        self._fail(params["requestId"], _BLOCKED, session)

    def frame_attached(self, frame: str, parent: str) -> None:
        """There is a new frame in the frame `parent`."""
        self._frames.attached(frame, parent)

    def navigates(self, url: str, reason: str) -> None:
        """The main frame is about to go to `url`."""
        if reason in _REFRESHES:
            self._refreshes.add(without_fragment(url))

    def paused(self, params: Params, session: str, frame: str = "") -> None:
        """A request waits. `frame` is the main frame, if it may be that of the page itself."""
        is_foreign = session in self._foreign or self._frames.is_foreign(params, frame)
        request = PageRequest.of(params, "" if is_foreign else self._site)
        request_id = params["requestId"]
        if frame and request.type is ResourceType.DOCUMENT and params["frameId"] == frame:
            self._main_document(request_id, request, session)
        elif request.is_for_browser:
            self._fail(request_id, _BLOCKED, session)
        elif self._tasks is not None:
            answering = self._fulfil(request_id, request, session)
            task = self._tasks.create_task(answering, name=request.url)
            self._answering.add(task)
            task.add_done_callback(self._answered)

    def quiet_s(self) -> float:
        """For how long the page has been waiting for nothing."""
        return 0.0 if self._answering else time.perf_counter() - self._quiet_since_s

    def _answered(self, task: asyncio.Task[None]) -> None:
        self._answering.discard(task)
        self._quiet_since_s = time.perf_counter()

    def _main_document(self, request_id: str, request: PageRequest, session: str) -> None:
        """Answer for the page itself, once; what would follow is a redirect, which is noted."""
        document, self._document = self._document, None
        if document is not None:
            self._spellings.add(request.url)
            fulfilment = document.fulfilment(request_id)
            self._devtools.send("Fetch.fulfillRequest", fulfilment, session)
            return
        self._fail(request_id, "Aborted", session)
        is_other = request.url not in self._spellings | self._refreshes
        is_new = self._notes_redirects and not self._page.redirect
        if is_other and request.method == "GET" and is_new:
            self._page.redirect = request.url
            self._on_left()

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
            result = await self._answer(request, self._deadline)
        except Exception:  # noqa: BLE001 - one bad request must not end the page
            _log.exception("a request of a page failed", extra={"url": request.url})
            return ResourceResult(failure="error")
        if result.response is not None:
            body = result.response.body
            self._size_bytes += len(body)
            self.waits_for_view = self.waits_for_view or waits_for_view(body)
        return result

    def note_web_socket(self, url: str) -> None:
        """A script wanted a WebSocket, which it did not get: see docs/rendering.md."""
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
