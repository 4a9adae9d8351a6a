"""The recent crawls in the start page and in the menu: what is remembered, and what is there."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from gossamer.gui.crawl import Crawl
from gossamer.gui.memory import MAX_PROJECTS, Memory, RecentProject
from gossamer.gui.menus import Menus
from gossamer.gui.start_page import StartPage
from gossamer.gui.tasks import Tasks

if TYPE_CHECKING:
    from gossamer.store.glance import Glance

_AFTER_FIRST_FRAME_MS: Final = 400
Listing = Callable[[Sequence[Path]], "list[Glance]"]
"""Looks at these projects and at those in the data folder, the latest first; on a thread."""


class RecentCrawls(QObject):
    """Offers the crawls of before, and keeps the one shown among them."""

    def __init__(
        self,
        memory: Memory,
        crawl: Crawl,
        page: StartPage,
        menus: Menus,
        tasks: Tasks,
        listed: Listing,
    ) -> None:
        super().__init__(page)
        self._memory = memory
        self._crawl = crawl
        self._page = page
        self._menus = menus
        self._tasks = tasks
        self._listed = listed
        # The first frame comes before a look at files.
        self._later = QTimer(self, singleShot=True, interval=_AFTER_FIRST_FRAME_MS)
        self._later.timeout.connect(self.look)
        self._later.start()
        crawl.opened.connect(self._look_when_left)
        self._show(())

    def keep(self) -> None:
        """Put the project shown first among the recent ones. The demo site is not kept."""
        session = self._crawl.session
        if session is not None and not self._crawl.is_demo:
            self._memory.remember_project(session.path, " ".join(session.settings.roots))
            self._show(())

    def look(self) -> None:
        """Find out where the projects stand, and which others there are."""
        self._tasks.start("recent projects", self._look())

    def _look_when_left(self, session: object) -> None:
        if session is None:
            self._later.start()

    async def _look(self) -> None:
        known = [project.path for project in self._memory.projects()]
        glances = await asyncio.to_thread(self._listed, known)
        self._show(glances)
        self._page.recent.show_glances({seen.path: seen for seen in glances})

    def _show(self, found: "Iterable[Glance]") -> None:
        """Offer what is remembered, and after it what else was found in the data folder."""
        projects = self._memory.projects()
        remembered = {project.path for project in projects}
        projects += [
            RecentProject(seen.path, " ".join(seen.roots))
            for seen in found
            if seen.path not in remembered and not seen.trouble
        ]
        self._page.recent.show_projects(projects)
        self._menus.set_recent(
            projects[:MAX_PROJECTS], lambda project: self._crawl.open(project.path)
        )
