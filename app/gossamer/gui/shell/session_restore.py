"""Offers recent crawls and restores an unfinished one when the program starts."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMenu

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.file_checks import existing
from gossamer.gui.runtime.saved_ui_state import RecentProject, UiState, UnfinishedCrawl
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.toolbar import TopBar
from gossamer.gui.start.recent_crawl_list import SHOWN
from gossamer.gui.start.start_page import StartPage
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import host_of
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn
from gossamer.model.crawl_state import CrawlState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gossamer.store.reading.project_listing import ProjectInfo


_AFTER_FIRST_FRAME_MS: Final = 400
_IN_MENU: Final = 10
Listing = Callable[[Sequence[Path]], "list[ProjectInfo]"]
"""Reads these projects and those in the data folder, the latest first; on a thread."""
_SUBJECT = "unfinished"
OVER = frozenset({CrawlState.NEW, CrawlState.CANCELLED, CrawlState.FINISHED})
"""States in which nothing is left to continue."""


class SessionRestore(QObject):
    """Restores the UI state from `memory`, and saves how crawls end."""

    def __init__(
        self,
        memory: UiState,
        crawl: CrawlController,
        top_bar: TopBar,
        start_page: StartPage,
        messages: MessageColumn,
        tasks: WindowTasks,
    ) -> None:
        super().__init__(top_bar)
        self._tasks = tasks
        self._memory = memory
        self._crawl = crawl
        self._top_bar = top_bar
        self._start_page = start_page
        self._messages = messages
        self._show_history()

    def remember_url(self, typed: str) -> None:
        """Put a typed root first in the history."""
        self._memory.remember_url(typed)
        self._show_history()

    def save_unfinished(self) -> None:
        """Store whether the crawl shown is unfinished, for the next start."""
        session = self._crawl.session
        if session is None:
            return
        if session.state in OVER or self._crawl.is_demo:
            self._memory.remember_unfinished(None)
            return
        self._memory.remember_unfinished(
            UnfinishedCrawl(str(session.path), session.settings.roots[0])
        )

    def offer_unfinished(self) -> None:
        """Offer to continue the crawl that was not finished, if its project exists."""
        crawl = self._memory.unfinished()
        if crawl is not None:
            self._tasks.start("unfinished crawl", self._look(crawl))

    async def _look(self, crawl: UnfinishedCrawl) -> None:
        """Offer it when its project is found; a dead disk must not hold up the window."""
        is_there = await asyncio.to_thread(existing, [Path(crawl.path)])
        is_wanted = self._crawl.session is None and crawl == self._memory.unfinished()
        if is_there and is_wanted:
            self._offer(crawl)

    def _offer(self, crawl: UnfinishedCrawl) -> None:
        self._messages.tell(
            _SUBJECT,
            "info",
            self.tr("Your crawl of {host} is unfinished.").format(host=host_of(crawl.root)),
            MessageButton(
                self.tr("Continue"), lambda: self._crawl.open(Path(crawl.path), go_on=True)
            ),
            MessageButton(self.tr("Dismiss"), lambda: self._memory.remember_unfinished(None)),
        )

    def take_up(self, before: MessageColumn) -> None:
        """Offer it again where another window, whose place this one takes, still did."""
        crawl = self._memory.unfinished()
        if crawl is not None and before.about(_SUBJECT) is not None:
            self._offer(crawl)

    def show_glances(self, glances: "Mapping[Path, ProjectInfo]") -> None:
        """Show the current progress of the offered crawl, or withdraw the offer if it has ended."""
        crawl, message = self._memory.unfinished(), self._messages.about(_SUBJECT)
        seen = None if crawl is None else glances.get(Path(crawl.path))
        if crawl is None or seen is None or seen.trouble or self._crawl.session is not None:
            return
        if seen.held_by is None and seen.state in OVER:
            self._memory.remember_unfinished(None)
            self._messages.withdraw(_SUBJECT)
        elif message is not None and seen.known:
            sentence = self.tr("Your crawl of {host} is unfinished ({done} of {total}).")
            done, total = number(seen.known - seen.queued), number(seen.known)
            message.reword(sentence.format(host=host_of(crawl.root), done=done, total=total))

    def _show_history(self) -> None:
        urls = self._memory.urls()
        self._top_bar.url_field.set_history(urls)
        self._start_page.url_field.set_history(urls)


class RecentCrawls(QObject):
    """Offers the recent crawls, and keeps the current one among them.

    `listed_crawls` carries what was found of each project, by its path.
    """

    listed_crawls = Signal(object)

    def __init__(
        self,
        memory: UiState,
        crawl: CrawlController,
        page: StartPage,
        menu: QMenu,
        tasks: WindowTasks,
        listed: Listing,
    ) -> None:
        super().__init__(page)
        self._memory = memory
        self._crawl = crawl
        self._page = page
        self._menu = menu
        self._tasks = tasks
        self._listed = listed
        self._gone: set[Path] = set()
        # The first frame precedes any look at files.
        self._later = QTimer(self, singleShot=True, interval=_AFTER_FIRST_FRAME_MS)
        self._later.timeout.connect(self.look)
        self._later.start()
        crawl.opened.connect(self._look_when_left)
        self._show(())

    def remember_shown(self) -> None:
        """Put the project shown first among the recent ones. The demo site is not kept."""
        session = self._crawl.session
        if session is not None and not self._crawl.is_demo:
            root, *others = session.settings.roots
            self._memory.remember_project(session.path, root, len(others))
            self._gone.discard(session.path)
            self._show(())

    def look(self) -> None:
        """Find out the state of the projects, and which others exist."""
        self._tasks.start("recent projects", self._look())

    def _look_when_left(self, session: object) -> None:
        if session is None:
            self._later.start()

    async def _look(self) -> None:
        known = [project.path for project in self._memory.projects()]
        there = await asyncio.to_thread(existing, known)
        self._gone = set(known) - there
        glances = await asyncio.to_thread(self._listed, [path for path in known if path in there])
        self._show(glances)
        by_path = {seen.path: seen for seen in glances}
        self._page.recent.show_glances(by_path)
        self.listed_crawls.emit(by_path)
        self._page.show_folder(await asyncio.to_thread(_projects_folder))

    def _show(self, found: "Sequence[ProjectInfo]") -> None:
        """Offer the remembered ones, followed by others found in the data folder."""
        projects = [each for each in self._memory.projects() if each.path not in self._gone]
        remembered = {project.path for project in projects}
        projects += [
            RecentProject(seen.path, seen.roots[0], max(seen.root_count, 1) - 1)
            for seen in found
            if seen.path not in remembered and not seen.trouble and seen.roots
        ]
        glances = {seen.path: seen for seen in found}
        self._page.recent.show_projects(worth_offering(projects, glances, SHOWN))
        self._fill_menu(worth_offering(projects, glances, _IN_MENU))

    def _fill_menu(self, projects: Sequence[RecentProject]) -> None:
        self._menu.clear()
        for project in projects:
            stem, host = project.path.stem, host_of(project.root)
            text = f"{host} — {stem.removeprefix(host).strip() or stem}".replace("&", "&&")
            action = self._menu.addAction(text)
            action.triggered.connect(lambda _on, path=project.path: self._crawl.open(path))
        self._menu.setEnabled(bool(projects))


def worth_offering(
    projects: Sequence[RecentProject], glances: "Mapping[Path, ProjectInfo]", most: int
) -> list[RecentProject]:
    """At most this many of `projects`, in their order, the latest first.

    Crawls without results give way to those with, and further crawls of a site to the first one of
    another site.
    """
    sites: set[str] = set()

    def rank(project: RecentProject) -> tuple[bool, bool]:
        seen = glances.get(project.path)
        failed = seen is not None and not seen.trouble and not seen.working and not seen.queued
        site = host_of(project.root)
        again = site in sites
        if not failed:
            sites.add(site)
        return failed, again

    ranks = [rank(project) for project in projects]
    chosen = sorted(sorted(range(len(projects)), key=ranks.__getitem__)[:most])
    return [projects[i] for i in chosen]


def _projects_folder() -> Path:
    from gossamer.session.default_paths import projects_folder  # noqa: PLC0415 - the start does without

    return projects_folder()
