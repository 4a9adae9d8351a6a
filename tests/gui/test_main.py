"""The entry: one sentence where there can be no window, and a life that ends in order."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QMetaMethod, QObject, QPoint, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui import application
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.application import Program
from gossamer.gui.look import theme
from gossamer.gui.main import has_display, uses_x11
from gossamer.gui.main_window import MainWindow
from gossamer.gui.runtime.crash_reports import CrashReporter
from gossamer.gui.runtime.saved_ui_state import UiState, UnfinishedCrawl
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.gui.tables.table_tabs import ISSUES
from gossamer.gui.text import language
from gossamer.gui.text.language import Language
from gossamer.model.crawl_state import CrawlState
from gossamer.model.project_queries import Filter
from tests.gui.conftest import Run
from tests.gui.fakes import FakeDemo, FakeSessions
from tests.gui.stage import project_with_titles_missing, until
from tests.gui.style_sheets import has_style_sheet
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
WINDOW = "import sys; from gossamer.gui.main import run_window; sys.exit(run_window(None))"


def without_display(code: str) -> "subprocess.CompletedProcess[str]":
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environ = {key: value for key, value in os.environ.items() if key not in names}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environ,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="there is always a display")
def test_without_a_display_one_message_is_printed_and_nothing_aborts() -> None:
    ended = without_display(WINDOW)
    assert ended.returncode == 2
    assert ended.stderr.startswith("gossamer: there is no display")
    assert ended.stderr.count("\n") == 1


def test_without_qt_one_message_is_printed() -> None:
    hidden = (
        "import sys; sys.modules['PySide6'] = None; import os;"
        " os.environ['QT_QPA_PLATFORM'] = 'offscreen'; "
    )
    ended = without_display(hidden + WINDOW)
    assert ended.returncode == 2
    assert ended.stderr.startswith("gossamer: Qt cannot be loaded")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("environ", "platform", "display", "x11"),
    [
        ({}, "linux", False, True),
        ({"DISPLAY": ":0"}, "linux", True, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True, False),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True, False),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "xcb"}, "linux", True, True),
        ({}, "win32", True, False),
        ({}, "darwin", True, False),
    ],
)
def test_where_a_window_can_be_shown(
    environ: dict[str, str], platform: str, display: bool, x11: bool
) -> None:
    assert has_display(environ, platform) is display
    assert uses_x11(environ, platform) is x11


@pytest.fixture(autouse=True)
def without_style_sheet(light: None, qapp: QApplication) -> None:
    """The window puts on the style sheet once it is built, as in a process of its own."""
    assert light is None
    qapp.setStyleSheet("")


class Running:
    """The whole program on fakes; without its style sheet, which takes long, unless `styled`."""

    def __init__(self, folder: Path, *, styled: bool = False) -> None:
        self.sessions = FakeSessions(folder)
        self.demo = FakeDemo()
        self.memory_file = folder / "window.ini"
        self.crashes = CrashReporter()
        look = {} if styled else {"apply_theme": theme.use_palette}
        self.program = Program(
            self.sessions, self.demo, UiState(self.memory_file), self.crashes, **look
        )
        self.log_file = folder / "window.log"

    @property
    def window(self) -> MainWindow:
        """The window that is shown now."""
        assert self.program.window is not None
        return self.program.window

    async def main(
        self, person: Callable[[], Coroutine[None, None, None]], target: str | None = "example.com"
    ) -> None:
        """Run the program, while `person` acts, to its end with exit code 0."""
        async with asyncio.TaskGroup() as group:
            group.create_task(person())
            assert await self.program.main(target, self.log_file) == 0

    async def crawling(self) -> None:
        """Wait until the crawl that the target names is running."""
        await until(lambda: self.program.window is not None)
        await until(lambda: bool(self.sessions.made) and "start" in self.sessions.last.asked)


def test_closing_the_window_pauses_and_remembers_the_crawl(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path, styled=True)

    async def person() -> None:
        await running.crawling()
        running.window.close()

    run(running.main(person))
    assert running.sessions.last.asked == ["start", "close"]
    assert running.sessions.last.state is CrawlState.PAUSED
    unfinished = UiState(running.memory_file).unfinished()
    assert unfinished is not None
    assert unfinished.root == "example.com"
    assert has_style_sheet()


def test_the_window_removes_profiles_of_browsers_that_were_killed_with_everything(
    run: Run[None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    profile = tmp_path / "gossamer-browser-x"
    profile.mkdir()
    (profile / "owner.lock").touch()
    running = Running(tmp_path)

    async def person() -> None:
        await until(lambda: not profile.exists())
        running.window.close()

    run(running.main(person, None))


def test_the_window_waits_for_a_crawl_that_is_being_saved(
    run: Run[None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "CLOSE_LIMIT_S", 0.0)
    running = Running(tmp_path)

    async def person() -> None:
        await running.crawling()
        session = running.sessions.last
        session.gate = asyncio.Event()

        def saving() -> Iterator[bool]:
            """It takes as long as three looks, and is done then."""
            yield from [True] * 3
            assert session.gate is not None
            session.gate.set()
            yield True

        session.saves = saving()
        running.window.close()

    run(running.main(person))
    assert running.sessions.last.asked == ["start", "close"]
    assert list(running.sessions.last.saves) == []


def test_closing_waits_a_limited_time_for_anything_but_saving(
    run: Run[None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "CLOSE_LIMIT_S", 0.0)
    running = Running(tmp_path)

    async def person() -> None:
        await running.crawling()
        running.sessions.last.gate = asyncio.Event()
        running.window.close()

    run(running.main(person))
    assert running.sessions.last.asked == ["start", "close", "force"]


def test_a_second_close_does_not_wait(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path)

    async def person() -> None:
        await running.crawling()
        window = running.window
        session = running.sessions.last
        session.gate = asyncio.Event()  # the crawl process does not answer
        window.close()
        await until(lambda: "close" in session.asked)
        assert window.isVisible()
        window.close()

    run(running.main(person))
    assert running.sessions.last.asked == ["start", "close", "force"]


def test_the_language_changes_at_once_during_a_crawl(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path, styled=True)

    async def person() -> None:
        await running.crawling()
        first = running.window
        assert first.action_set[WindowAction.START].text() == "&Start again"
        first.action_set.choice(WindowAction.LANGUAGE, "zh_CN").trigger()
        window = running.window
        assert window is not first
        assert not first.isVisible()
        assert window.action_set.choice(WindowAction.LANGUAGE, "zh_CN").isChecked()
        assert window.action_set[WindowAction.START].text() == "重新开始(&S)"
        assert window.top_bar.url() == "example.com"
        assert window.workspace.isVisible()
        session = running.sessions.last
        await session.pause(now=True)
        await until(lambda: window.progress_line.counts.text().startswith("已暂停"))
        window.close()

    try:
        run(running.main(person))
    finally:
        language.use("en")
    assert running.sessions.last.asked == ["start", "pause now", "close"]
    assert UiState(running.memory_file).language() == "zh_CN"


def test_typed_text_survives_a_language_change(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path)

    async def person() -> None:
        await until(lambda: running.program.window is not None)
        first = running.window
        first.start_page.url_field.setEditText("a.example")
        first.start_page.root_field.roots.take("https://b.example/1\nhttps://b.example/2")
        first.start_page.root_field.roots.choose(is_list=True)
        first.action_set.choice(WindowAction.LANGUAGE, "zh_CN").trigger()
        window = running.window
        assert window is not first
        assert window.start_page.url() == "a.example"
        roots = window.start_page.root_field.roots
        assert roots.is_list
        await until(lambda: len(roots.found.addresses) == 2)
        window.close()

    try:
        run(running.main(person, None))
    finally:
        language.use("en")


def test_the_offer_of_an_unfinished_crawl_survives_a_language_change(
    run: Run[None], tmp_path: Path
) -> None:
    memory = UiState(tmp_path / "window.ini")
    project = tmp_path / "a.gossamer"
    project.touch()
    memory.remember_unfinished(UnfinishedCrawl(str(project), "a.example"))
    memory.flush()
    running = Running(tmp_path)

    async def person() -> None:
        await until(lambda: running.program.window is not None)
        first = running.window
        await until(lambda: first.messages.about("unfinished") is not None)
        first.action_set.choice(WindowAction.LANGUAGE, "zh_CN").trigger()
        offer = running.window.messages.about("unfinished")
        assert offer is not None
        assert "a.example" in offer.text()
        running.window.close()

    try:
        run(running.main(person, None))
    finally:
        language.use("en")


def test_what_is_looked_at_survives_a_language_change(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path)

    async def person() -> None:
        await running.crawling()
        session = running.sessions.last
        addresses = [f"https://example.com/{name}" for name in ("a", "b", "c")]
        project_with_titles_missing(session.path, *addresses)
        first = running.window.workspace
        first.table.show_rows(ISSUES)
        session.tell(state=CrawlState.FINISHED, revision=2)
        await until(lambda: first.table.issues.table.rule is RULES[400])
        await until(lambda: first.table.model.loaded and first.table.model.rowCount() == 3)
        first.table.view.selectRow(1)
        await until(lambda: first.details.url_id == 2)
        first.table.bar.text.show_filter(Filter("example.com/b"))
        first.table.bar.text.changed.emit()
        running.window.action_set.choice(WindowAction.LANGUAGE, "zh_CN").trigger()
        space = running.window.workspace
        assert space is not first
        await until(lambda: space.table.model.loaded and space.table.model.rowCount() == 1)
        await until(lambda: space.table.issues.table.rule is RULES[400])
        assert space.table.bar.tab == ISSUES
        assert space.table.bar.text.text == "example.com/b"
        assert space.details.url_id == 2
        await until(lambda: list(space.table.view.selected_rows()) == [2])
        running.window.close()

    try:
        run(running.main(person))
    finally:
        language.use("en")


def test_the_language_can_be_chosen_in_the_settings_too(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path)

    async def person() -> None:
        await running.crawling()
        first = running.window
        first.action_set[WindowAction.SETTINGS].trigger()
        (dialog,) = first.findChildren(SettingsDialog)
        assert dialog.language.currentText() == "System default"
        dialog.field("workers").write(7)
        dialog.language.setCurrentIndex(dialog.language.findData("zh_CN"))
        assert running.window is first
        dialog.accept()
        window = running.window
        assert window is not first
        assert window.action_set[WindowAction.START].text() == "重新开始(&S)"
        await until(lambda: window.top_bar.workers.value() == 7)
        assert window.messages.about("settings") is not None
        window.close()

    run(running.main(person))
    assert UiState(running.memory_file).language() == "zh_CN"


def listeners(source: QObject) -> dict[str, int]:
    """How many listen to each signal of `source`."""
    about = source.metaObject()
    methods = map(about.method, range(about.methodCount()))
    signals = [each for each in methods if each.methodType() is QMetaMethod.MethodType.Signal]
    signatures = [bytes(each.methodSignature().data()).decode() for each in signals]
    return {each: source.receivers(f"2{each}") for each in signatures}


def test_a_replaced_window_receives_no_updates(
    run: Run[None], tmp_path: Path, qapp: QApplication
) -> None:
    running = Running(tmp_path, styled=True)
    crashes: list[str] = []
    running.crashes.happened.connect(crashes.append)

    async def speak(name: Language) -> None:
        before = running.window
        before.action_set.choice(WindowAction.LANGUAGE, name).trigger()
        await until(lambda: not isValid(before))

    async def person() -> None:
        await running.crawling()
        await speak("zh_CN")
        crawl = running.program.crawl
        assert crawl is not None
        sources = (crawl, running.crashes, qapp, qapp.styleHints())
        once = [listeners(source) for source in sources]
        await speak("en")
        assert [listeners(source) for source in sources] == once
        window = running.window
        window.action_set[WindowAction.NEW].trigger()
        await until(window.start_page.isVisible)
        await until(lambda: "recent projects" not in window.tasks.names())
        window.close()

    run(running.main(person))
    assert crashes == []


def test_settings_of_the_crawl_survive_a_language_change(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path)

    async def person() -> None:
        await running.crawling()
        session = running.sessions.last
        segments = ("Blog=address contains /blog/",)
        session.settings = replace(
            session.settings, segments=segments, title_max_length=40, render="on"
        )
        before = running.window
        before.action_set.choice(WindowAction.LANGUAGE, "zh_CN").trigger()
        await until(lambda: not isValid(before))
        window = running.window
        assert window.workspace.table.issue_counts.settings == session.settings
        assert window.top_bar.render_pages.isChecked()
        assert not window.top_bar.is_edited
        window.close()

    run(running.main(person))


def test_a_language_change_waits_for_a_file_being_saved(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path)

    async def person() -> None:
        await running.crawling()
        window = running.window
        window.tasks.start("copy", asyncio.Event().wait())
        window.action_set.choice(WindowAction.LANGUAGE, "zh_CN").trigger()
        assert running.window is window
        assert not window.action_set.choice(WindowAction.LANGUAGE, "zh_CN").isChecked()
        refusal = window.messages.about("crawl")
        assert refusal is not None
        assert refusal.text() == "A file is being saved. Change the language afterwards."
        window.close()

    run(running.main(person))
    assert UiState(running.memory_file).language() == "system"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_program_as_the_window_does(
    run: Run[None], tmp_path: Path, number: signal.Signals
) -> None:
    running = Running(tmp_path)

    async def person() -> None:
        await running.crawling()
        os.kill(os.getpid(), number)

    run(running.main(person))
    assert running.sessions.last.asked == ["start", "close"]


@pytest.mark.qt_log_ignore("does not support")
def test_the_program_closes_while_a_context_menu_is_open(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path)

    async def person() -> None:
        await running.crawling()
        table = running.window.workspace.table.view
        at = QPoint(5, 5)
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Keyboard, at, table.viewport().mapToGlobal(at)
        )
        # Qt waits inside this call until the menu is closed.
        QTimer.singleShot(0, table, lambda: QApplication.sendEvent(table, event))
        await until(lambda: QApplication.activePopupWidget() is not None)
        running.window.close()

    run(running.main(person))
    assert QApplication.activePopupWidget() is None
    assert running.sessions.last.asked == ["start", "close"]


def test_the_demo_site_outlives_the_crawl_of_it(run: Run[None], tmp_path: Path) -> None:
    running = Running(tmp_path)

    async def person() -> None:
        await until(lambda: running.program.window is not None)
        window = running.window
        window.action_set[WindowAction.DEMO].trigger()
        await running.crawling()
        session = running.sessions.last
        session.gate = asyncio.Event()
        window.close()
        await until(lambda: "close" in session.asked)
        assert running.demo.events == ["served"]
        session.gate.set()

    run(running.main(person, None))
    assert running.demo.events == ["served", "ended"]
