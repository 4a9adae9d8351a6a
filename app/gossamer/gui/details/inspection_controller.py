"""Has single pages fetched and inspected through the session, for the details."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import PageInspectorPort
from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.details.thumbnails import Thumbnail, thumbnail
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.errors import KnownError
from gossamer.model.messages.page_image_messages import ImageFile
from gossamer.model.messages.stored_page_messages import PageScreen, ViewedPage

T = TypeVar("T")


class _WaitingView(Protocol):
    """A view that shows a reply of the inspector."""

    def show_error(self, text: str) -> None: ...

    def stop_waiting(self) -> None: ...


class InspectionController(QObject):
    """Handles one request at a time: a newer one replaces it, and stop cancels it."""

    def __init__(self, crawl: CrawlController, tasks: WindowTasks, details: DetailsPanel) -> None:
        super().__init__(details)
        self._crawl = crawl
        self._tasks = tasks
        self._task: asyncio.Task[None] | None = None
        self._view: _WaitingView | None = None
        """The view that waits for a reply."""
        source, data, duplicates = details.source, details.structured_data, details.duplicates
        images = details.images
        source.wanted.connect(
            lambda url, target, again: self._ask(
                source,
                lambda inspection: inspection.source(url, target, again=again),
                source.show_source,
            )
        )
        source.rule_requested.connect(
            lambda selector: self._ask(
                source.rules, lambda inspection: inspection.test_rule(selector), source.show_rule
            )
        )
        stored = details.source_tab.stored
        stored.wanted.connect(
            lambda url, record, compare, again: self._ask(
                stored,
                lambda inspection: inspection.stored_source(
                    url, record, compare=compare, again=again
                ),
                stored.show_stored,
            )
        )
        page = details.stored_page
        page.wanted.connect(
            lambda url, record, screen: self._ask(
                page,
                lambda inspection: _page(inspection, url, record, screen),
                lambda found: page.show_page(*found),
            )
        )
        data.wanted.connect(
            lambda url, again: self._ask(
                data, lambda inspection: inspection.contents(url, again=again), data.show_contents
            )
        )
        images.wanted.connect(
            lambda url, again: self._ask(
                images, lambda inspection: inspection.images(url, again=again), images.show_images
            )
        )
        images.file_wanted.connect(
            lambda url: self._ask(
                images,
                lambda inspection: _image(inspection, url),
                lambda image: images.show_file(*image),
            )
        )
        duplicates.wanted.connect(
            lambda url, other: self._ask(
                duplicates,
                lambda inspection: inspection.comparison(url, other),
                duplicates.show_comparison,
            )
        )
        rendered = details.rendered_page
        rendered.wanted.connect(
            lambda url: self._ask(
                rendered, lambda inspection: inspection.rendering(url), rendered.show_rendering
            )
        )
        for view in (source, stored, page, data, duplicates, rendered, images):
            view.stopped.connect(self._stop)

    def _ask(
        self,
        view: _WaitingView,
        question: Callable[[PageInspectorPort], Awaitable[T]],
        show: Callable[[T], None],
    ) -> None:
        session = self._crawl.session
        if session is None:
            return
        replaced = self._view
        self._stop()
        if replaced is not None and replaced is not view:
            replaced.stop_waiting()
        self._view = view
        reply = self._reply(view, session.inspection, question, show)
        self._task = self._tasks.start("inspect page", reply)

    def _stop(self) -> None:
        task, self._task, self._view = self._task, None, None
        if task is not None:
            task.cancel()

    async def _reply(
        self,
        view: _WaitingView,
        inspection: PageInspectorPort,
        question: Callable[[PageInspectorPort], Awaitable[T]],
        show: Callable[[T], None],
    ) -> None:
        try:
            reply = await question(inspection)
        except KnownError as e:
            self._end(view)
            view.show_error(spoken(e.said))
        else:
            self._end(view)
            show(reply)

    def _end(self, view: _WaitingView) -> None:
        """Stop waiting when the reply for `view` is there; showing it may ask for more."""
        if self._view is view:
            self._task = self._view = None


async def _page(
    inspection: PageInspectorPort, url: str, record: ArchiveRecord, screen: PageScreen | None
) -> tuple[ViewedPage, dict[int, QImage]]:
    """The contents of a stored page, with pictures decoded on another thread."""
    page = await inspection.stored_page(url, record, screen)

    def decoded() -> dict[int, QImage]:
        made = {number: thumbnail(file).picture for number, file in page.images.items()}
        return {number: picture for number, picture in made.items() if picture is not None}

    return page, await asyncio.to_thread(decoded)


async def _image(inspection: PageInspectorPort, url: str) -> tuple[ImageFile, Thumbnail]:
    """An image file, decoded on another thread."""
    file = await inspection.image_file(url)
    return file, await asyncio.to_thread(thumbnail, file)
