"""The views of the details, each made when it is first needed.

A start shows none of them, and most people look at few: together they are half of the widgets of
the window, and each takes time to import, build and style.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from PySide6.QtWidgets import QWidget

from gossamer.gui.details import detail_lists
from gossamer.gui.details.detail_table import DetailTable, RedirectChainView
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.fields.link_record import LinkRecord

if TYPE_CHECKING:
    from gossamer.gui.details.duplicates_tab import DuplicatesTab
    from gossamer.gui.details.hreflang_view import HreflangView
    from gossamer.gui.details.images_view import ImagesView
    from gossamer.gui.details.rendered_page_view import RenderedPageView
    from gossamer.gui.details.snippet_view import SnippetView
    from gossamer.gui.details.source_tab import SourceTab
    from gossamer.gui.details.source_view import SourceView
    from gossamer.gui.details.stored_page_view import StoredPageView
    from gossamer.gui.details.structured_data_view import StructuredDataView
    from gossamer.gui.details.summary_view import SummaryView
    from gossamer.gui.notes.url_notes import UrlNotes

W = TypeVar("W", bound=QWidget)


class OnDemand(Generic[W]):
    """Declares a view: its method makes it when the attribute is first read, and it stays."""

    def __init__(self, make: "Callable[[DetailViews], W]") -> None:
        self._make = make
        self.name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, views: None, owner: type) -> "OnDemand[W]": ...

    @overload
    def __get__(self, views: "DetailViews", owner: type) -> W: ...

    def __get__(self, views: "DetailViews | None", owner: type) -> "OnDemand[W] | W":
        """The view, or in the class this declaration."""
        return self if views is None else views.view(self)

    def make(self, views: "DetailViews") -> W:
        """A new view."""
        return self._make(views)


class DetailViews:
    """The views by name; reading one makes it.

    What depends on a view is connected with `when_made`, so that it does not make it.
    """

    def __init__(self, reader: ProjectReader) -> None:
        self.reader = reader
        self._made: dict[str, Any] = {}
        self._for_all: list[Callable[[QWidget], object]] = []
        self._waiting: dict[str, list[Callable[[Any], object]]] = {}

    def view(self, declared: OnDemand[W]) -> W:
        """The view, made if it is not there yet."""
        found: W | None = self._made.get(declared.name)
        if found is not None:
            return found
        made = self._made[declared.name] = declared.make(self)
        for do in (*self._waiting.pop(declared.name, ()), *self._for_all):
            do(made)
        return made

    def is_made(self, declared: OnDemand[Any]) -> bool:
        """Whether somebody has needed the view."""
        return declared.name in self._made

    def when_made(self, declared: OnDemand[W], do: Callable[[W], object]) -> None:
        """Call `do` with a view once it is made: at once if it is."""
        if self.is_made(declared):
            do(self.view(declared))
        else:
            self._waiting.setdefault(declared.name, []).append(do)

    def each_made(self, do: Callable[[QWidget], object]) -> None:
        """Call `do` with each view that is made, now or later."""
        self._for_all.append(do)
        for made in list(self._made.values()):
            do(made)

    @OnDemand
    def summary(self) -> "SummaryView":
        """What is known of the URL, in lines."""
        from gossamer.gui.details.summary_view import SummaryView

        return SummaryView()

    @OnDemand
    def inlinks(self) -> DetailTable[LinkRecord]:
        """Links to the URL."""
        return DetailTable(detail_lists.inlinks(), self.reader)

    @OnDemand
    def outlinks(self) -> DetailTable[LinkRecord]:
        """Links on the page."""
        return DetailTable(detail_lists.outlinks(), self.reader)

    @OnDemand
    def chain(self) -> RedirectChainView:
        """Redirects through the URL."""
        return RedirectChainView(self.reader)

    @OnDemand
    def headers(self) -> DetailTable[Any]:
        """Response headers."""
        return DetailTable(detail_lists.headers(), self.reader)

    @OnDemand
    def cookies(self) -> DetailTable[Any]:
        """Cookies that the response sets."""
        return DetailTable(detail_lists.cookies(), self.reader)

    @OnDemand
    def duplicates(self) -> "DuplicatesTab":
        """Pages like this one."""
        from gossamer.gui.details.duplicates_tab import DuplicatesTab
        from gossamer.gui.details.page_lists import duplicates

        return DuplicatesTab(DetailTable(duplicates(), self.reader))

    @OnDemand
    def headings(self) -> DetailTable[Any]:
        """Headings of the page, in order."""
        from gossamer.gui.details.page_lists import headings

        return DetailTable(headings(), self.reader)

    @OnDemand
    def text_errors(self) -> DetailTable[Any]:
        """Errors of spelling and grammar."""
        from gossamer.gui.details.text_error_list import text_errors

        return DetailTable(text_errors(), self.reader)

    @OnDemand
    def crawlers(self) -> DetailTable[Any]:
        """Which crawlers may fetch the URL."""
        from gossamer.gui.details.crawler_list import crawler_matrix

        return DetailTable(crawler_matrix(address_of), self.reader)

    @OnDemand
    def images(self) -> "ImagesView":
        """Images of the page."""
        from gossamer.gui.details.images_view import ImagesView

        return ImagesView(self.reader)

    @OnDemand
    def resources(self) -> DetailTable[Any]:
        """Scripts, style sheets and other files of the page."""
        from gossamer.gui.details.file_lists import resources

        return DetailTable(resources(), self.reader)

    @OnDemand
    def hreflang(self) -> "HreflangView":
        """Versions of the page in other languages."""
        from gossamer.gui.details.hreflang_view import HreflangView

        return HreflangView(self.reader)

    @OnDemand
    def structured_data(self) -> "StructuredDataView":
        """Structured data of the page."""
        from gossamer.gui.details.structured_data_view import StructuredDataView

        return StructuredDataView()

    @OnDemand
    def rendered_page(self) -> "RenderedPageView":
        """The page as a browser shows it."""
        from gossamer.gui.details.rendered_page_view import RenderedPageView

        return RenderedPageView(self.reader)

    @OnDemand
    def snippet(self) -> "SnippetView":
        """The page as a search result."""
        from gossamer.gui.details.snippet_view import SnippetView

        return SnippetView()

    @OnDemand
    def source_tab(self) -> "SourceTab":
        """The source, as fetched now and as stored."""
        from gossamer.gui.details.source_tab import SourceTab
        from gossamer.gui.details.source_view import SourceView

        return SourceTab(SourceView())

    @property
    def source(self) -> "SourceView":
        """The source as fetched now, in its tab."""
        return self.source_tab.current

    @OnDemand
    def stored_page(self) -> "StoredPageView":
        """The stored page, drawn."""
        from gossamer.gui.details.stored_page_view import StoredPageView

        return StoredPageView(self.reader)

    @OnDemand
    def notes(self) -> "UrlNotes":
        """Notes about the URL."""
        from gossamer.gui.notes.url_notes import UrlNotes

        return UrlNotes(self.reader)


def address_of(rows: ProjectRows, url_id: int) -> str | None:
    """The address of a URL; None if it is unknown."""
    return next((record.url for record in rows.records([url_id])), None)
