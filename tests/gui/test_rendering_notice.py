"""What is said where a site needs JavaScript, or nothing can render its pages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.shell.rendering_notice import RenderingNotice
from gossamer.gui.widgets.message_bar import MessageColumn
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import needs_scripts
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.render.browser_discovery import BrowserKind, BrowserProgram
from tests.fakes.project_rows import FakeRows
from tests.gui.fakes import FakeSession

SETTINGS = CrawlSettings(roots=("https://a.example/",))
CHROMIUM = BrowserProgram("/usr/bin/chromium", BrowserKind.FULL)


class FakeCrawl(QObject):
    """The signals of a crawl controller."""

    opened = Signal(object)
    progressed = Signal(object)


class Corner:
    """The messages about one crawl on a computer with these browsers."""

    def __init__(self, qtbot: QtBot, find: Callable[[str], list[BrowserProgram]]) -> None:
        self.messages = MessageColumn()
        qtbot.addWidget(self.messages)
        self.messages.show()
        self.crawl = FakeCrawl()
        self.rows = FakeRows()
        self.reader = ProjectReader(lambda _: self.rows)
        self.reader.open(Path("a.gossamer"))
        self.crawled: list[CrawlSettings] = []
        self.installs: list[bool] = []
        self.notice = RenderingNotice(
            self.crawl,  # type: ignore[arg-type] # its signals are all that is used
            self.reader,
            self.messages,
            self.crawled.append,
            lambda: self.installs.append(True),
            find,
        )

    def open(self, settings: CrawlSettings) -> None:
        self.crawl.opened.emit(FakeSession(Path("a.gossamer"), settings))

    def count(self, empty: int, pages: int) -> None:
        outcomes = {int(Outcome.PAGE_NEEDS_SCRIPTS): empty, int(Outcome.PAGE): pages}
        progress = Progress(state=CrawlState.RUNNING, pages=empty + pages, outcomes=outcomes)
        self.crawl.progressed.emit(progress)

    def said(self) -> str:
        message = self.messages.about("rendering")
        return "" if message is None else message.text()

    def answer(self, text: str) -> None:
        message = self.messages.about("rendering")
        assert message is not None
        message.answer(text).click()


@pytest.mark.parametrize(
    ("empty", "pages", "needs"),
    [(0, 0, False), (2, 0, False), (3, 0, True), (3, 9, True), (3, 10, False), (40, 60, True)],
)
def test_a_site_needs_javascript_where_a_quarter_of_its_pages_are_empty(
    empty: int, pages: int, *, needs: bool
) -> None:
    outcomes = {Outcome.PAGE_NEEDS_SCRIPTS: empty, Outcome.PAGE: pages, Outcome.FILE: 100}
    assert needs_scripts({int(each): count for each, count in outcomes.items()}) is needs


@pytest.mark.parametrize(
    ("empty", "pages", "needs"), [(0, 0, False), (0, 5, False), (1, 0, True), (1, 1, False)]
)
def test_a_crawl_that_found_empty_pages_alone_needed_javascript(
    empty: int, pages: int, *, needs: bool
) -> None:
    outcomes = {int(Outcome.PAGE_NEEDS_SCRIPTS): empty, int(Outcome.PAGE): pages}
    assert needs_scripts(outcomes, is_over=True) is needs


def test_one_click_crawls_the_site_anew_with_rendering(qtbot: QtBot) -> None:
    corner = Corner(qtbot, lambda _: [CHROMIUM])
    corner.open(SETTINGS)
    corner.count(2, 0)
    assert corner.said() == ""
    corner.count(3, 1)
    assert "empty without JavaScript" in corner.said()
    corner.answer("Render pages")
    assert corner.crawled == [replace(SETTINGS, render=RenderMode.ON)]
    corner.count(4, 1)
    assert corner.said() == "", "it is said once"


def test_without_a_browser_it_is_told_what_to_install(qtbot: QtBot) -> None:
    corner = Corner(qtbot, lambda _: [])
    corner.open(SETTINGS)
    corner.count(3, 0)
    assert "No browser was found" in corner.said()
    corner.answer("Install a browser…")
    assert corner.installs == [True]
    assert corner.crawled == []


def test_once_a_browser_is_installed_one_click_renders_the_pages(qtbot: QtBot) -> None:
    corner = Corner(qtbot, lambda _: [])
    corner.open(SETTINGS)
    corner.notice.offer_rendering()
    assert corner.said() == "", "the site does not need it"
    auto = replace(SETTINGS, render=RenderMode.AUTO)
    corner.open(auto)
    corner.notice.offer_rendering()
    assert "A browser is installed now." in corner.said()
    corner.answer("Render pages")
    assert corner.crawled == [auto]


def test_a_crawl_that_renders_without_a_browser_says_so_at_once(qtbot: QtBot) -> None:
    corner = Corner(qtbot, lambda _: [])
    corner.open(replace(SETTINGS, render=RenderMode.ON))
    assert "only their HTML is read" in corner.said()
    corner.open(SETTINGS)
    assert corner.said() == ""


def test_a_crawl_that_renders_with_a_browser_says_nothing(qtbot: QtBot) -> None:
    corner = Corner(qtbot, lambda _: [CHROMIUM])
    corner.open(replace(SETTINGS, render=RenderMode.AUTO))
    corner.count(9, 0)
    assert corner.said() == ""


def test_a_browser_that_does_not_start_is_noticed_once(qtbot: QtBot) -> None:
    corner = Corner(qtbot, lambda _: [CHROMIUM])
    corner.open(replace(SETTINGS, render=RenderMode.ON))
    corner.count(0, 1)
    page = corner.rows.add("https://a.example/", Outcome.PAGE)
    corner.rows.change(page, render_outcome=RenderOutcome.NO_BROWSER)
    corner.count(0, 2)
    qtbot.waitUntil(lambda: "The browser does not start." in corner.said())
    assert "only their HTML is read" in corner.said()
    corner.answer("Choose a browser…")
    assert corner.installs == [True]


def test_a_project_whose_browser_did_not_start_says_so_when_it_is_opened(qtbot: QtBot) -> None:
    corner = Corner(qtbot, lambda _: [CHROMIUM])
    page = corner.rows.add("https://a.example/", Outcome.PAGE)
    corner.rows.change(page, render_outcome=RenderOutcome.NO_BROWSER)
    session = FakeSession(Path("a.gossamer"), replace(SETTINGS, render=RenderMode.ON))
    session.progress = Progress(state=CrawlState.FINISHED, pages=50)
    corner.reader.close()
    corner.crawl.opened.emit(session)
    corner.reader.open(Path("a.gossamer"))  # as another part does that hears of it later
    qtbot.waitUntil(lambda: "The browser does not start." in corner.said())


def test_a_chosen_browser_that_is_gone_is_named(qtbot: QtBot) -> None:
    def find(chosen: str) -> list[BrowserProgram]:
        raise UsageError("There is no browser {path}.", path=chosen)

    corner = Corner(qtbot, find)
    corner.open(replace(SETTINGS, render=RenderMode.ON, browser="gone"))
    assert "There is no browser gone." in corner.said()
