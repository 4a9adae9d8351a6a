"""Tells that a site needs JavaScript, and that pages cannot be rendered for want of a browser."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject

from gossamer.audit.empty_crawl_hints import RENDERING_ON
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.text.translated_sentences import sentences, spoken
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn
from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome_counts import needs_scripts
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.render.browser_discovery import BrowserProgram, find_browsers
from gossamer.render.browser_installation import (
    INSTALL_YOURSELF,
    NO_BROWSER,
    BrowserPackage,
    browser_package,
)

if TYPE_CHECKING:
    from gossamer.gui.crawl.session_interfaces import SessionPort

_RENDERING: Final = "rendering"
"""The subject of the messages."""


def why_no_browser(package: BrowserPackage | None) -> str:
    """That there is no browser, and what to install."""
    advice = Translatable(INSTALL_YOURSELF) if package is None else package.said
    return sentences([spoken(Translatable(NO_BROWSER)), spoken(advice)])


class RenderingNotice(QObject):
    """Follows `crawl`. `crawl_anew` is called with settings that render pages.

    `install` leads to where a browser is installed. Each is said once for a crawl.
    """

    def __init__(
        self,
        crawl: CrawlController,
        messages: MessageColumn,
        crawl_anew: Callable[[CrawlSettings], None],
        install: Callable[[], None],
        find: Callable[[str], list[BrowserProgram]] = find_browsers,
    ) -> None:
        super().__init__(messages)
        self._messages = messages
        self._crawl_anew = crawl_anew
        self._install = install
        self._find = find
        self._session: SessionPort | None = None
        self._is_told = False
        crawl.opened.connect(self._follow)
        crawl.progressed.connect(self._check)

    def _follow(self, session: "SessionPort | None") -> None:
        self._messages.withdraw(_RENDERING)
        self._session, self._is_told = session, False
        if session is None:
            return
        if session.settings.renders_pages:
            self._is_told = True
            if trouble := self._why_none(session.settings):
                said = self.tr("Pages are not rendered, only their HTML is read.")
                self._tell(sentences([said, trouble]), self._installing())
        else:
            self._check(session.progress)

    def _check(self, progress: Progress) -> None:
        session = self._session
        if self._is_told or session is None or not needs_scripts(progress.outcomes):
            return
        self._is_told = True
        settings = session.settings
        said = self.tr(
            "Many pages of this site are empty without JavaScript. Render them to see their text "
            "and links."
        )
        if trouble := self._why_none(settings):
            self._tell(sentences([said, trouble]), self._installing())
            return
        rendered = replace(settings, **RENDERING_ON)
        self._tell(said, MessageButton(self.tr("Render pages"), lambda: self._crawl_anew(rendered)))

    def _why_none(self, settings: CrawlSettings) -> str:
        """Why no browser can be started; "" where there is one."""
        try:
            return "" if self._find(settings.browser) else why_no_browser(browser_package())
        except UsageError as e:
            return spoken(e.said)

    def _installing(self) -> MessageButton:
        return MessageButton(self.tr("Install a browser…"), self._install)

    def _tell(self, text: str, answer: MessageButton) -> None:
        self._messages.tell(_RENDERING, "warning", text, answer)
