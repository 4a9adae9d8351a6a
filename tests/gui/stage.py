"""A whole window on fake sessions: the vocabulary of the window's tests."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from PySide6.QtCore import QTimer

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.look import theme
from gossamer.gui.main_window import MainWindow
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.session_restore import Listing
from gossamer.model.discovery_rank import Rank
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import LinkRows, StoreBatch, UrlRow, VisitRow
from gossamer.model.translatable import Translatable
from gossamer.model.visit import Visit
from gossamer.store.writing.writer import Writer
from tests.gui.fakes import FakeDemo, FakeSession, FakeSessions
from tests.gui.style_sheets import has_style_sheet, without_style_sheet


class Stage:
    """The window and all around it. `crashes` has what went wrong in tasks."""

    def __init__(
        self,
        folder: Path,
        group: asyncio.TaskGroup,
        listed: Listing = lambda _remembered: [],
        apply_theme: Callable[[theme.ThemeChoice], object] = theme.use,
    ) -> None:
        self.sessions = FakeSessions(folder)
        self.demo = FakeDemo()
        self.crashes: list[Exception] = []
        self.memory = UiState(folder / "window.ini")
        self.tasks = WindowTasks(group, self._refuse, self.crashes.append)
        self.crawl = CrawlController(self.sessions, self.demo, self.tasks)
        self.window = MainWindow(
            self.crawl,
            self.tasks,
            self.memory,
            listed=listed,
            apply_theme=apply_theme,
        )

    @property
    def session(self) -> FakeSession:
        return self.sessions.last

    async def start(self, typed: str = "example.com") -> FakeSession:
        """Type a root where it is seen, press Enter, and wait until the crawl runs."""
        count = len(self.sessions.made)
        address = self.window.parts.address
        address.setEditText(typed)
        address.submitted.emit()
        await until(lambda: len(self.sessions.made) > count and "start" in self.session.asked)
        await until(lambda: self.window.progress_line.counts.text().startswith("Crawling"))
        return self.session

    def trigger(self, action: WindowAction) -> None:
        """Choose it in its menu."""
        self.window.action_set[action].trigger()

    async def shows(self, word: str) -> None:
        """Wait until the progress line begins with `word`."""
        await until(lambda: self.window.progress_line.counts.text().startswith(word))

    def message(self, subject: str) -> str:
        """What the window says about `subject`, "" if nothing."""
        shown = self.window.messages.about(subject)
        return "" if shown is None else shown.text()

    def answer(self, subject: str, text: str) -> None:
        """Press a button of a message."""
        shown = self.window.messages.about(subject)
        assert shown is not None
        shown.answer(text).click()

    def _refuse(self, sentence: Translatable) -> None:
        self.window.refuse(sentence)


@asynccontextmanager
async def staged(
    folder: Path, target: str | None = None, listed: Listing = lambda _remembered: []
) -> AsyncIterator[Stage]:
    """A shown window, closed and deleted at the end; a fault in a task fails the test.

    It has the style sheet where the application has it.
    """
    apply_theme = theme.use if has_style_sheet() else theme.use_palette
    async with asyncio.TaskGroup() as group:
        with without_style_sheet():
            stage = Stage(folder, group, listed, apply_theme)
        window = stage.window
        window.show()
        window.crawl_target(target)
        try:
            yield stage
        finally:
            for session in stage.sessions.made:
                session.force()
            await stage.crawl.close()
            stage.tasks.cancel_all()
            window.reader.close()
            window.hide()
            window.deleteLater()
    assert stage.crashes == []


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what the event loop is about to do, looking once a millisecond."""
    if condition():
        return
    done = asyncio.get_running_loop().create_future()
    timer = QTimer(interval=1)

    def look() -> None:
        if not done.done() and condition():
            done.set_result(None)

    timer.timeout.connect(look)
    timer.start()
    try:
        await done
    finally:
        timer.stop()


def project_with_titles_missing(path: Path, *addresses: str) -> None:
    """Write pages without a title, so that rule 400 holds, into a project, as a crawl does."""
    with Writer(path) as writer:
        for url_id, url in enumerate(addresses, 1):
            visit = Visit(Outcome.PAGE, 200, facts=PageFacts(), issues=[400])
            writer.commit(
                StoreBatch(
                    new=[UrlRow(url_id, url, Rank(0, 0), Outcome.PENDING, None, None)],
                    visits=[VisitRow(url_id, visit, Outcome.PAGE, 1, LinkRows())],
                )
            )
