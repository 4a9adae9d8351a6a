"""Memory made visible: history, recent projects, and the crawl that waits to be continued."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.ui_state import UiState, Unfinished
from gossamer.gui.start.start_page import StartPage
from gossamer.gui.start.toolbar import TopBar
from gossamer.gui.text.formatting import number
from gossamer.gui.text.sentences import host_of
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn
from gossamer.model.state import CrawlState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gossamer.store.project_info import ProjectInfo

_SUBJECT = "unfinished"
OVER = frozenset({CrawlState.NEW, CrawlState.CANCELLED, CrawlState.FINISHED})
"""States in which nothing is left to continue."""


class SessionRestore(QObject):
    """Shows what `memory` has, and keeps what becomes of crawls."""

    def __init__(
        self,
        memory: UiState,
        crawl: CrawlController,
        top_bar: TopBar,
        start_page: StartPage,
        messages: MessageColumn,
    ) -> None:
        super().__init__(top_bar)
        self._memory = memory
        self._crawl = crawl
        self._top_bar = top_bar
        self._start_page = start_page
        self._messages = messages
        self._show_history()

    def keep_url(self, typed: str) -> None:
        """Put a root that was typed first in the history."""
        self._memory.remember_url(typed)
        self._show_history()

    def keep_crawl(self) -> None:
        """Keep whether the crawl shown is unfinished, for the next start."""
        session = self._crawl.session
        if session is None:
            return
        if session.state in OVER or self._crawl.is_demo:
            self._memory.remember_unfinished(None)
            return
        self._memory.remember_unfinished(Unfinished(str(session.path), session.settings.roots[0]))

    def offer_unfinished(self) -> None:
        """Offer to go on with the crawl that was not finished, if there is one."""
        crawl = self._memory.unfinished()
        if crawl is None:
            return
        self._messages.tell(
            _SUBJECT,
            "info",
            self.tr("Your crawl of {host} is not finished.").format(host=host_of(crawl.root)),
            MessageButton(
                self.tr("Continue"), lambda: self._crawl.open(Path(crawl.path), go_on=True)
            ),
            MessageButton(self.tr("Dismiss"), lambda: self._memory.remember_unfinished(None)),
        )

    def show_glances(self, glances: "Mapping[Path, ProjectInfo]") -> None:
        """Say how far the crawl on offer is by now, or take back the offer where it has ended."""
        crawl, message = self._memory.unfinished(), self._messages.about(_SUBJECT)
        seen = None if crawl is None else glances.get(Path(crawl.path))
        if crawl is None or message is None or seen is None or seen.trouble:
            return
        if seen.held_by is None and seen.state in OVER:
            self._memory.remember_unfinished(None)
            self._messages.withdraw(_SUBJECT)
        elif seen.known:
            sentence = self.tr("Your crawl of {host} is not finished ({done} of {total}).")
            done, total = number(seen.known - seen.queued), number(seen.known)
            message.reword(sentence.format(host=host_of(crawl.root), done=done, total=total))

    def _show_history(self) -> None:
        urls = self._memory.urls()
        self._top_bar.url_field.set_history(urls)
        self._start_page.url_field.set_history(urls)
