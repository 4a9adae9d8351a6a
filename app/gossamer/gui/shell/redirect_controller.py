"""Opens the dialog that checks redirects, reads its table, and has it follow the crawl shown."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import SessionPort
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.model.crawl_state import LIVE
from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import Progress

if TYPE_CHECKING:
    from gossamer.gui.redirects.redirect_dialog import RedirectDialog


class RedirectController(QObject):
    """Has at most one dialog. `crawl_list` begins a crawl of the addresses it receives."""

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        tasks: WindowTasks,
        crawl_list: Callable[[tuple[str, ...]], None],
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._crawl_list = crawl_list
        self._dialog: RedirectDialog | None = None
        self._state = crawl.state
        crawl.opened.connect(self._turn_to)
        crawl.progressed.connect(self._follow)

    @performs(WindowAction.CHECK_REDIRECTS)
    def show(self) -> None:
        """Open the dialog, or bring it to the front."""
        if self._dialog is None:
            from gossamer.gui.redirects.redirect_dialog import RedirectDialog  # noqa: PLC0415 - the start does without

            dialog = self._dialog = RedirectDialog(self._parts.reader, self._parts.window)
            details = self._parts.workspace.details
            dialog.url_selected.connect(details.select_url)
            dialog.url_selected.connect(details.url_selected)
            dialog.table_wanted.connect(self._read)
            dialog.crawl_wanted.connect(self._crawl_list)
            dialog.finished.connect(self._forget)
            self._turn_to(self._crawl.session)
        self._dialog.show()
        self._dialog.activateWindow()

    def _read(self, path: Path, base: str) -> None:
        self._tasks.start("read redirects", self._read_table(path, base))

    async def _read_table(self, path: Path, base: str) -> None:
        from gossamer.session.redirect_table_files import read_redirect_table  # noqa: PLC0415 - the start does without

        try:
            table = await asyncio.to_thread(read_redirect_table, path, base)
        except UsageError as e:
            if self._dialog is not None:
                self._dialog.refuse(path, e.said)
            return
        if self._dialog is not None and base == self._dialog.base.text().strip():
            self._dialog.show_table(path, table)

    def _turn_to(self, session: SessionPort | None) -> None:
        """Another project is shown, or none, or the crawl has ended."""
        self._state = self._crawl.state
        if self._dialog is not None:
            is_under_way = self._state in LIVE
            self._dialog.turn_to(has_crawl=session is not None, is_under_way=is_under_way)

    def _follow(self, progress: Progress) -> None:
        if progress.state is not self._state:
            self._turn_to(self._crawl.session)

    def _forget(self) -> None:
        self._dialog = None
