"""Reports that a site needs JavaScript, and that pages cannot be rendered without a browser."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from gossamer.audit.empty_crawl_hints import RENDERING_ON
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text.browser_sentences import FindBrowsers, browser_trouble, missing_browser
from gossamer.gui.text.translated_sentences import sentences
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome_counts import needs_scripts
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.render.browser_discovery import find_browsers

if TYPE_CHECKING:
    from gossamer.gui.crawl.session_interfaces import SessionPort

_RENDERING: Final = "rendering"
"""The subject of the messages."""
_FIRST_PAGES: Final = 20
"""After each of these, the browser's start is checked; then whenever they have doubled."""
_NOT_CHECKED: Final = (0, CrawlState.NEW)


class RenderingNotice(QObject):
    """Follows `crawl`. `crawl_anew` is called with settings that render pages.

    `install` leads to where a browser is installed or chosen. Each is reported once per crawl.
    """

    def __init__(
        self,
        crawl: CrawlController,
        reader: ProjectReader,
        messages: MessageColumn,
        crawl_anew: Callable[[CrawlSettings], None],
        install: Callable[[], None],
        find: FindBrowsers = find_browsers,
    ) -> None:
        super().__init__(messages)
        self._reader = reader
        self._messages = messages
        self._crawl_anew = crawl_anew
        self._install = install
        self._find = find
        self._session: SessionPort | None = None
        self._is_told = False
        self._checked = _NOT_CHECKED
        """Pages and state when the browser's start was checked."""
        self._opened = QTimer(self, singleShot=True, interval=0)
        """Ends when all others have been notified of another crawl, and its project can be read."""
        self._opened.timeout.connect(self._check_opened)
        crawl.opened.connect(self._follow)
        crawl.progressed.connect(self._check)

    def _follow(self, session: "SessionPort | None") -> None:
        self._reader.forget(_RENDERING)
        self._messages.withdraw(_RENDERING)
        self._session, self._is_told, self._checked = session, False, _NOT_CHECKED
        if session is None:
            return
        settings = session.settings
        renders_here = settings.renders_pages and not settings.cluster
        missing = missing_browser(settings.browser, self._find) if renders_here else ""
        if missing:
            self._tell_unrendered(missing, self._installing())
        else:
            self._opened.start()

    def _check_opened(self) -> None:
        if self._session is not None:
            self._check(self._session.progress)

    def offer_rendering(self) -> None:
        """A browser was installed: offer to crawl what was not rendered without one again."""
        session = self._session
        if session is None:
            return
        settings = session.settings
        if settings.renders_pages or needs_scripts(session.progress.outcomes):
            said = self.tr("A browser is installed now. Crawl the site again to render its pages.")
            self._tell(said, self._rendering(settings))

    def _check(self, progress: Progress) -> None:
        session = self._session
        if self._is_told or session is None:
            return
        if session.settings.renders_pages:
            self._check_browser(progress.pages, progress.state)
        elif needs_scripts(progress.outcomes):
            self._tell_needed(session.settings)

    def _check_browser(self, pages: int, state: CrawlState) -> None:
        """Check whether pages were not rendered because the browser does not start."""
        checked, in_state = self._checked
        is_due = pages <= _FIRST_PAGES or pages >= 2 * checked or state is not in_state
        if pages and is_due and (pages, state) != self._checked:
            self._checked = (pages, state)
            self._reader.submit(_lacks_browser, self._tell_failure, key=_RENDERING)

    def _tell_failure(self, is_lacking: bool) -> None:  # noqa: FBT001 - the result of a query
        if is_lacking and not self._is_told and self._session is not None:
            trouble = browser_trouble(self._session.settings.browser, self._find)
            choose = MessageButton(self.tr("Choose a browser…"), self._install)
            self._tell_unrendered(trouble, choose)

    def _tell_unrendered(self, trouble: str, button: MessageButton) -> None:
        said = self.tr("Pages are not rendered, only their HTML is read.")
        self._tell(sentences([said, trouble]), button)

    def _tell_needed(self, settings: CrawlSettings) -> None:
        said = self.tr(
            "Many pages of this site are empty without JavaScript. Render them to see their text "
            "and links."
        )
        if trouble := missing_browser(settings.browser, self._find):
            self._tell(sentences([said, trouble]), self._installing())
            return
        self._tell(said, self._rendering(settings))

    def _rendering(self, settings: CrawlSettings) -> MessageButton:
        changes = {} if settings.renders_pages else RENDERING_ON
        rendered = replace(settings, **changes)
        return MessageButton(self.tr("Render pages"), lambda: self._crawl_anew(rendered))

    def _installing(self) -> MessageButton:
        return MessageButton(self.tr("Install a browser…"), self._install)

    def _tell(self, text: str, button: MessageButton) -> None:
        self._is_told = True
        self._messages.tell(_RENDERING, "warning", text, button)


def _lacks_browser(rows: ProjectRows) -> bool:
    return rows.lacks_browser()
