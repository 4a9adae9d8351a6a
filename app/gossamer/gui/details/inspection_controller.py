"""Has single pages fetched and inspected through the session, for the details."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import PageInspectorPort
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.details.thumbnails import Thumbnail, thumbnail
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.errors import KnownError
from gossamer.model.messages.page_image_messages import ImageFile
from gossamer.model.messages.stored_page_messages import PageScreen, ViewedPage

if TYPE_CHECKING:
    from gossamer.gui.details.duplicates_tab import DuplicatesTab
    from gossamer.gui.details.images_view import ImagesView
    from gossamer.gui.details.rendered_page_view import RenderedPageView
    from gossamer.gui.details.source_tab import SourceTab
    from gossamer.gui.details.stored_page_view import StoredPageView
    from gossamer.gui.details.structured_data_view import StructuredDataView

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
        views = details.views
        views.when_made(DetailViews.source_tab, self._connect_sources)
        views.when_made(DetailViews.stored_page, self._connect_stored_page)
        views.when_made(DetailViews.structured_data, self._connect_structured_data)
        views.when_made(DetailViews.images, self._connect_images)
        views.when_made(DetailViews.duplicates, self._connect_duplicates)
        views.when_made(DetailViews.rendered_page, self._connect_rendered_page)

    def _connect_sources(self, tab: "SourceTab") -> None:
        source, stored = tab.current, tab.stored
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
        stored.wanted.connect(
            lambda url, record, compare, again: self._ask(
                stored,
                lambda inspection: inspection.stored_source(
                    url, record, compare=compare, again=again
                ),
                stored.show_stored,
            )
        )
        source.stopped.connect(self._stop)
        stored.stopped.connect(self._stop)

    def _connect_stored_page(self, page: "StoredPageView") -> None:
        page.wanted.connect(
            lambda url, record, screen: self._ask(
                page,
                lambda inspection: _page(inspection, url, record, screen),
                lambda found: page.show_page(*found),
            )
        )
        page.stopped.connect(self._stop)

    def _connect_structured_data(self, data: "StructuredDataView") -> None:
        data.wanted.connect(
            lambda url, again: self._ask(
                data, lambda inspection: inspection.contents(url, again=again), data.show_contents
            )
        )
        data.stopped.connect(self._stop)

    def _connect_images(self, images: "ImagesView") -> None:
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
        images.stopped.connect(self._stop)

    def _connect_duplicates(self, duplicates: "DuplicatesTab") -> None:
        duplicates.wanted.connect(
            lambda url, other: self._ask(
                duplicates,
                lambda inspection: inspection.comparison(url, other),
                duplicates.show_comparison,
            )
        )
        duplicates.stopped.connect(self._stop)

    def _connect_rendered_page(self, rendered: "RenderedPageView") -> None:
        rendered.wanted.connect(
            lambda url, dom: self._ask(
                rendered, lambda inspection: inspection.rendering(url, dom), rendered.show_rendering
            )
        )
        stored = rendered.stored_dom
        stored.wanted.connect(
            lambda url, html, dom: self._ask(
                stored,
                lambda inspection: inspection.stored_dom(url, html, dom),
                stored.show_stored,
            )
        )
        for each in (rendered, stored):
            each.stopped.connect(self._stop)

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
    """The contents of a stored page, with images decoded on another thread."""
    page = await inspection.stored_page(url, record, screen)

    def decoded() -> dict[int, QImage]:
        made = {number: thumbnail(file).picture for number, file in page.images.items()}
        return {number: picture for number, picture in made.items() if picture is not None}

    return page, await asyncio.to_thread(decoded)


async def _image(inspection: PageInspectorPort, url: str) -> tuple[ImageFile, Thumbnail]:
    """An image file, decoded on another thread."""
    file = await inspection.image_file(url)
    return file, await asyncio.to_thread(thumbnail, file)
