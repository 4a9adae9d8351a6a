"""The window as a user uses it, on sessions without a process."""

import threading
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.look import theme
from gossamer.gui.runtime.saved_ui_state import UnfinishedCrawl
from gossamer.gui.shell import session_restore
from gossamer.gui.workspace.dock_panels import Panel
from gossamer.model.crawl_state import Command, CrawlState
from gossamer.model.errors import CrawlHostError, ProjectError, UsageError
from gossamer.model.lock_owner import LockOwner
from gossamer.model.messages.crawl_messages import BulkActionKind, InFlight, UrlSelection
from gossamer.model.project_queries import View
from gossamer.model.translatable import Translatable
from gossamer.store.reading.project_listing import ProjectInfo
from tests.gui.conftest import Play, Run
from tests.gui.paints import Paints
from tests.gui.stage import Stage, staged, until
from tests.patience import PATIENCE_S


def test_enter_on_the_start_page_crawls(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        window = stage.window
        assert window.start_page.isVisible()
        assert not window.top_bar.isVisible()
        window.start_page.workers.setValue(23)
        window.start_page.redirects.setValue(4)
        session = await stage.start("example.com")
        assert session.settings.roots == ("example.com",)
        assert (session.settings.workers, session.settings.max_redirects) == (23, 4)
        assert window.workspace.isVisible()
        assert window.top_bar.url() == "example.com"
        assert window.windowTitle() == "example.com — Gossamer"
        assert stage.memory.urls() == ["example.com"]
        assert [project.root for project in stage.memory.projects()] == ["example.com"]

    play(scene)


def test_several_roots_may_be_typed(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start(" a.example  b.example ")
        assert session.settings.roots == ("a.example", "b.example")

    play(scene)


def test_an_invalid_root_is_reported_below_the_field(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.sessions.refusal = UsageError("Type an address like example.com.")
        page = stage.window.start_page
        page.url_field.setEditText("ht!tp://")
        QTest.keyClick(page.url_field, Qt.Key.Key_Return)
        await until(lambda: page.message.text() != "")
        assert page.message.text() == "Type an address like example.com."
        assert page.isVisible()
        stage.sessions.refusal = None
        await stage.start("example.com")
        assert page.message.text() == ""

    play(scene)


def test_an_empty_field_asks_for_an_address(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.start_page.submitted.emit()
        await until(lambda: "URL" in stage.window.start_page.message.text())
        assert stage.memory.urls() == []
        line = stage.window.start_page.url_field.lineEdit()
        assert line is not None
        QTest.keyClicks(line, "e")
        assert stage.window.start_page.message.isHidden(), "it is being done"

    play(scene)


def test_buttons_send_commands_to_the_session(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        bar = stage.window.top_bar
        bar.go.click()
        await stage.shows("Pausing")
        bar.go.click()
        await stage.shows("Paused")
        bar.workers.setValue(31)
        bar.go.click()
        await stage.shows("Crawling")
        bar.buttons[WindowAction.CANCEL].click()
        await stage.shows("Cancelled")
        assert [word for word in session.asked if not word.startswith("workers")] == [
            "start",
            "pause",
            "pause now",
            "start 31",
            "cancel",
        ]

    play(scene)


def test_resuming_while_pausing_is_not_a_new_start(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        bar = stage.window.top_bar
        bar.go.click()
        await stage.shows("Pausing")
        stage.trigger(WindowAction.RESUME)
        await stage.shows("Crawling")
        assert session.asked == ["start", "pause", "resume"]

    play(scene)


def test_start_after_the_end_makes_a_new_project(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        first = await stage.start()
        first.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        stage.window.top_bar.go.click()
        await until(lambda: len(stage.sessions.made) == 2)
        await stage.shows("Crawling")
        assert stage.session.path != first.path
        assert first.asked[-1] == "close"

    play(scene)


def test_a_failed_start_keeps_the_current_crawl(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        first = await stage.start()
        first.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        stage.sessions.refusal = ProjectError("The folder cannot be written; choose another.")
        stage.window.top_bar.go.click()
        await until(lambda: stage.message("crawl") != "")
        assert stage.message("crawl") == "The folder cannot be written; choose another."
        assert "close" not in first.asked
        assert stage.crawl.session is first

    play(scene)


def test_a_hung_process_is_restarted(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.die("The crawl process had hung.", again=True)
        await until(lambda: session.asked.count("start") == 2)
        await stage.shows("Crawling")

    play(scene)


def test_a_crashed_crawl_process_is_reported_with_a_button_to_resume(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.die("The crawl stopped.")
        await stage.shows("Stopped")
        assert stage.message("crawl") == "The crawl stopped."
        stage.answer("crawl", "Resume")
        await stage.shows("Crawling")
        assert stage.message("crawl") == ""
        assert session.asked[-1].startswith("start")

    play(scene)


def test_an_automatic_pause_is_explained_and_can_be_resumed(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.tell(state=CrawlState.PAUSED, notice=Translatable("Nearly everything fails."))
        await stage.shows("Paused")
        assert stage.message("crawl") == "Nearly everything fails."
        stage.answer("crawl", "Resume")
        await stage.shows("Crawling")
        assert stage.message("crawl") == ""
        assert session.asked[-1].startswith("start")
        session.tell(state=CrawlState.PAUSED, notice=None)
        await stage.shows("Paused")
        assert stage.message("crawl") == ""

    play(scene)


def test_a_failure_to_start_the_process_is_reported(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.sessions.start_error = CrawlHostError("The crawl process could not be started.")
        stage.window.start_page.url_field.setEditText("example.com")
        stage.window.start_page.submitted.emit()
        await until(lambda: stage.message("crawl") != "")
        assert stage.message("crawl") == "The crawl process could not be started."

    play(scene)


def test_the_number_of_workers_can_be_changed_during_a_crawl(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        for workers in (11, 12, 13):
            stage.window.top_bar.workers.setValue(workers)
        await until(lambda: "workers 13" in session.asked)
        assert session.asked == ["start", "workers 13"]

    play(scene)


def test_the_cancel_button_of_a_row_cancels_its_url(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        flights = [InFlight(n, f"http://example.com/{n}", 0.0) for n in (41, 42)]
        session.tell(in_flight=flights, active=2)
        listing = stage.window.workspace.in_flight
        await until(lambda: listing.flights.rowCount() == 2)
        cross = listing.button_rect(1).center()
        QTest.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=cross)
        await until(lambda: session.actions == [(BulkActionKind.CANCEL, UrlSelection(ids=(42,)))])
        await until(lambda: stage.message("cancelled") == "Cancelled: 1 URL.")
        stage.answer("cancelled", "Undo")
        await until(
            lambda: session.actions[1:] == [(BulkActionKind.RESTORE, UrlSelection(ids=(42,)))]
        )

    play(scene)


def test_space_pauses_and_resumes_except_in_text_fields(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        window = stage.window
        window.activateWindow()
        await until(window.isActiveWindow)
        window.workspace.in_flight.setFocus()
        QTest.keyClick(window.workspace.in_flight, Qt.Key.Key_Space)
        await until(lambda: "pause" in session.asked)
        await stage.shows("Pausing")
        field = window.top_bar.url_field.lineEdit()
        assert field is not None
        field.setFocus()
        field.setText("a")
        QTest.keyClick(field, Qt.Key.Key_Space)
        assert field.text() == "a "
        assert session.asked == ["start", "pause"]

    play(scene)


def test_escape_restores_the_url_in_the_address_field(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start("example.com")
        window = stage.window
        window.action_set[WindowAction.EDIT_ADDRESS].trigger()
        window.top_bar.set_url("something else")
        QTest.keyClick(window.top_bar.url_field, Qt.Key.Key_Escape)
        assert window.top_bar.url() == "example.com"

    play(scene)


def test_closing_asks_and_a_second_close_forces(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        requests: list[int] = []
        stage.window.close_wanted.connect(lambda: requests.append(1))
        assert not stage.window.close()
        assert stage.window.isVisible()
        assert "Saving" in stage.message("closing")
        assert "force" not in session.asked
        stage.window.close()
        assert session.asked[-1] == "force"
        assert len(requests) == 2

    play(scene)


def test_an_unfinished_crawl_is_offered_at_the_next_start(run: Run[None], tmp_path: Path) -> None:
    """With the numbers that its project has by then: others may have crawled on, or a crash came
    before the last ones were kept."""
    seen: list[ProjectInfo] = []

    async def first(stage: Stage) -> None:
        session = await stage.start("example.com")
        session.tell(fetched=1234, queued=4444)
        await until(lambda: "1,234" in stage.window.progress_line.counts.text())
        stage.window.remember()
        seen.append(
            ProjectInfo(session.path, state=CrawlState.PAUSED, known=6789, queued=1111, working=1)
        )

    async def second(stage: Stage) -> None:
        sentence = "Your crawl of example.com is unfinished"
        await until(lambda: stage.message("unfinished") == f"{sentence}.")
        await until(lambda: stage.message("unfinished") == f"{sentence} (5,678 of 6,789).")
        stage.answer("unfinished", "Continue")
        await stage.shows("Crawling")
        assert stage.session.asked == ["start"]
        assert stage.message("unfinished") == ""
        stage.session.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        stage.window.remember()

    async def third(stage: Stage) -> None:
        assert stage.message("unfinished") == ""

    for scene in (first, second, third):
        play_with(run, tmp_path, seen, scene)


def test_a_crawl_finished_by_another_instance_is_no_longer_offered(
    run: Run[None], tmp_path: Path
) -> None:
    seen: list[ProjectInfo] = []

    async def first(stage: Stage) -> None:
        session = await stage.start("example.com")
        stage.window.remember()
        seen.append(ProjectInfo(session.path, state=CrawlState.FINISHED, known=9, working=9))

    async def second(stage: Stage) -> None:
        await until(lambda: stage.message("unfinished") != "")
        await until(lambda: stage.message("unfinished") == "")
        assert stage.memory.unfinished() is None

    for scene in (first, second):
        play_with(run, tmp_path, seen, scene)


def play_with(
    run: Run[None], folder: Path, seen: list[ProjectInfo], scene: Callable[[Stage], Awaitable[None]]
) -> None:
    """Play a scene before projects that a look finds so."""

    async def main() -> None:
        async with staged(folder, listed=lambda _remembered: list(seen)) as stage:
            await scene(stage)

    run(main())


def test_a_dismissed_offer_is_not_shown_again(play: Play, tmp_path: Path) -> None:
    project = tmp_path / "kept.gossamer"
    project.touch()

    async def first(stage: Stage) -> None:
        stage.memory.remember_unfinished(UnfinishedCrawl(str(project), "kept.example"))
        stage.window.crawl_target(None)
        sentence = "Your crawl of kept.example is unfinished."
        await until(lambda: stage.message("unfinished") == sentence)
        stage.answer("unfinished", "Dismiss")
        assert stage.memory.unfinished() is None

    play(first)


def test_the_project_of_an_unfinished_crawl_is_looked_for_on_a_thread(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "kept.gossamer"
    answers, answered = threading.Event(), threading.Event()

    def slow(paths: Iterable[Path]) -> set[Path]:
        answers.wait(PATIENCE_S)
        answered.set()
        return set(paths)

    async def scene(stage: Stage) -> None:
        monkeypatch.setattr(session_restore, "existing", slow)
        stage.memory.remember_unfinished(UnfinishedCrawl(str(project), "kept.example"))
        stage.window.crawl_target(None)
        assert not answered.is_set(), "the window does not wait for a disk"
        assert stage.message("unfinished") == ""
        answers.set()
        await until(lambda: stage.message("unfinished") != "")

    play(scene)


def test_an_unfinished_crawl_whose_project_is_gone_is_not_offered(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        gone = UnfinishedCrawl(str(tmp_path / "gone.gossamer"), "kept.example")
        stage.memory.remember_unfinished(gone)
        stage.window.crawl_target(None)
        await until(lambda: "unfinished crawl" not in stage.tasks.names())
        assert stage.message("unfinished") == ""

    play(scene)


def test_a_project_named_on_the_command_line_is_opened(play: Play, tmp_path: Path) -> None:
    async def make(stage: Stage) -> None:
        await stage.start("made.example")

    async def scene(stage: Stage) -> None:
        await stage.shows("Paused")
        assert stage.window.windowTitle() == "kept.example — Gossamer"
        assert stage.window.top_bar.workers.value() == 7
        assert stage.session.asked == []

    play(make)
    play(scene, str(tmp_path / "crawl 0.gossamer"))


def test_a_project_crawled_by_another_instance_is_shown_with_its_owner(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start("made.example")
        stage.sessions.held_by = LockOwner(pid=4711, host="desk", since=1e9)
        stage.session.held_by = stage.sessions.held_by  # taken over meanwhile
        stage.crawl.open(tmp_path / "crawl 0.gossamer")
        await until(lambda: "process 4711 on desk, since 2001" in stage.message("held"))
        assert stage.window.workspace.isVisible()
        assert stage.memory.unfinished() == UnfinishedCrawl(
            str(tmp_path / "crawl 0.gossamer"), "made.example"
        ), "that crawl is not ours to go on with"
        stage.session.tell(errors=3)
        await until(lambda: "3 errors" in stage.window.progress_line.counts.text())
        window, actions = stage.window, stage.window.action_set
        for action in (
            WindowAction.PAUSE_OR_RESUME,
            WindowAction.PAUSE_NOW,
            WindowAction.CANCEL,
            WindowAction.RETRY_ERRORS,
        ):
            assert not actions[action].isEnabled()
        assert not window.top_bar.buttons[WindowAction.CANCEL].isEnabled()
        assert window.top_bar.go.defaultAction() is actions[WindowAction.START]
        window.top_bar.workers_changed.emit(3)
        stage.crawl.command(Command.RESUME)
        assert stage.session.asked == []

    play(scene)


def test_what_went_missing_from_the_archive_is_told_once_and_anew_when_more_does(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.tell(archive_trouble=Translatable("Files went missing: a."))
        await until(lambda: stage.message("archive") == "Files went missing: a.")
        session.tell(archive_trouble=Translatable("Files went missing: a, b."))
        await until(lambda: stage.message("archive") == "Files went missing: a, b.")
        session.tell(archive_trouble=None)
        await until(lambda: stage.message("archive") == "")

    play(scene)


def test_the_reason_a_crawl_waits_is_shown_again_when_the_user_resumes(
    play: Play,
) -> None:
    full = Translatable("The disk is full.")

    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.tell(state=CrawlState.PAUSED, notice=full, waits=True)
        sentence = "The disk is full. The crawl is waiting and will resume automatically."
        await until(lambda: stage.message("crawl") == sentence)
        session.tell(waits=False)
        await until(lambda: stage.message("crawl") == "The disk is full.")
        session.resumed = CrawlState.PAUSED  # by the same notice
        stage.answer("crawl", "Resume")
        await until(lambda: "start" in session.asked[1:] or "start 10" in session.asked)
        await until(lambda: stage.message("crawl") == "The disk is full.")
        session.tell(notice=None)
        await until(lambda: stage.message("crawl") == "")

    play(scene)


def test_a_crawl_of_another_instance_is_followed_and_can_be_taken_over(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start("made.example")
        stage.sessions.held_by = LockOwner(pid=4711, host="desk", since=1e9)
        stage.session.held_by = stage.sessions.held_by  # taken over meanwhile
        stage.crawl.open(tmp_path / "crawl 0.gossamer")
        await stage.shows("Crawled by another process")
        session = stage.session
        session.tell(fetched=5, revision=1)
        await until(lambda: "5 of 9" in stage.window.progress_line.counts.text())
        session.held_by = None
        session.tell(fetched=6)
        await until(lambda: "You can resume it here" in stage.message("held"))
        await stage.shows("Paused")
        stage.answer("held", "Resume")
        await stage.shows("Crawling")
        assert stage.message("held") == ""

    play(scene)


def test_a_crawl_finished_by_another_instance_is_not_offered_to_resume(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start("made.example")
        stage.sessions.held_by = LockOwner(pid=4711)
        stage.session.held_by = stage.sessions.held_by  # taken over meanwhile
        stage.crawl.open(tmp_path / "crawl 0.gossamer")
        await until(lambda: "another" in stage.message("held") or "4711" in stage.message("held"))
        stage.session.held_by = None
        stage.session.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        assert stage.message("held") == ""

    play(scene)


def test_a_missing_project_is_one_sentence(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        await until(lambda: stage.window.start_page.message.text() != "")
        assert "There is no project" in stage.window.start_page.message.text()

    play(scene, str(tmp_path / "none.gossamer"))


def test_a_url_named_on_the_command_line_is_crawled(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.shows("Crawling")
        assert stage.session.settings.roots == ("example.com",)

    play(scene, "example.com")


def test_the_demo_site_is_served_as_long_as_it_is_shown(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.DEMO)
        await stage.shows("Crawling")
        assert stage.session.settings.roots == ("http://127.0.0.1:8000/",)
        assert stage.demo.events == ["served"]
        assert stage.memory.projects() == []
        assert stage.memory.unfinished() is None
        stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
        stage.crawl.start(stage.session.settings)
        await until(lambda: len(stage.sessions.made) == 2 and "start" in stage.session.asked)
        assert stage.demo.events == ["served"], "a crawl of it again"
        stage.trigger(WindowAction.NEW)
        await until(lambda: stage.demo.events == ["served", "ended"])
        assert stage.window.start_page.isVisible()

    play(scene)


def test_leaving_a_crawl_keeps_it_and_offers_to_resume_it(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        stage.trigger(WindowAction.NEW)
        await until(stage.window.start_page.isVisible)
        assert session.asked[-1] == "close"
        await until(lambda: "unfinished" in stage.message("unfinished"))

    play(scene)


def test_counters_are_throttled_and_the_final_state_is_shown_at_once(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        counts = stage.window.progress_line.counts
        await until(lambda: "Crawling" in counts.text())
        paints = Paints(counts)
        for fetched in range(1, 31):
            session.tell(fetched=fetched)
        await until(lambda: "30 of 30" in counts.text())
        assert paints.number < 10
        session.tell(fetched=31)
        session.tell(fetched=32, state=CrawlState.FINISHED)
        await until(lambda: stage.window.progress().fetched == 32)
        assert counts.text().startswith("Finished · 32")

    play(scene)


def test_the_first_rows_of_a_crawl_do_not_wait_for_its_counters(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        workspace = stage.window.workspace
        counts = stage.window.progress_line.counts
        session.tell(fetched=1)
        await until(lambda: "1 of 1" in counts.text())
        revisions: list[int] = []
        workspace.refreshed.connect(lambda: revisions.append(workspace.revision()))
        session.tell(fetched=2, revision=1)
        session.tell(fetched=3, revision=2)
        await until(lambda: workspace.revision() == 2)
        assert revisions == [1, 2]

    play(scene)


def test_panel_refreshes_are_throttled(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        shown: list[int] = []
        workspace = stage.window.workspace
        workspace.refreshed.connect(lambda: shown.append(1))
        for revision in range(1, 31):
            session.tell(revision=revision, seconds=5.0)
        await until(lambda: workspace.revision() == 30 and bool(shown))
        assert len(shown) <= 2

    play(scene)


def test_the_theme_is_chosen_and_remembered(play: Play) -> None:
    choices: list[theme.ThemeChoice] = ["dark", "light"]

    async def scene(stage: Stage) -> None:
        for choice in choices:
            stage.window.action_set.choice(WindowAction.THEME, choice).trigger()
            assert theme.is_dark() is (choice == "dark")
            assert stage.memory.theme() == choice

    play(scene)


def test_the_columns_of_the_table_are_remembered(play: Play) -> None:
    async def first(stage: Stage) -> None:
        stage.window.workspace.table.view.setColumnWidth(0, 333)
        stage.window.remember()

    async def second(stage: Stage) -> None:
        assert stage.window.workspace.table.view.columnWidth(0) == 333

    play(first)
    play(second)


def test_dialogs_are_never_modal(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        menus = stage.window.action_set
        for action in (
            menus[WindowAction.SETTINGS],
            menus[WindowAction.EXPORT],
            menus[WindowAction.ABOUT],
        ):
            action.trigger()
        dialogs = [d for d in stage.window.findChildren(QDialog) if d.isVisible()]
        assert len(dialogs) == 3
        assert not any(dialog.isModal() for dialog in dialogs)
        for dialog in dialogs:
            dialog.close()

    play(scene)


def test_the_window_fits_a_small_screen(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        least = stage.window.minimumSizeHint().expandedTo(stage.window.minimumSize())
        assert least.width() <= 1280
        assert least.height() <= 720

    play(scene)


def test_shortcuts_are_unique(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        keys = [
            action.shortcut().toString()
            for action in stage.window.findChildren(QAction, options=direct)
            if not action.shortcut().isEmpty()
        ]
        assert len(keys) == len(set(keys)) >= 8

    play(scene)


def test_another_project_shows_all_rows_with_the_focus_in_the_table(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        table = stage.window.workspace.table
        stage.window.activateWindow()
        await stage.start("a.example")
        await until(table.view.hasFocus)
        table.set_view(View.ERRORS)
        stage.trigger(WindowAction.NEW)
        await until(lambda: stage.crawl.session is None)
        field = stage.window.start_page.url_field
        await until(field.hasFocus)
        line = field.lineEdit()
        assert line is not None
        assert line.selectedText() == line.text() != ""
        await stage.start("b.example")
        assert table.shown().view is View.ALL

    play(scene)


def test_a_click_on_the_errors_shows_them(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        counts = stage.window.progress_line.counts
        counts.button(View.ERRORS).click()
        assert stage.window.workspace.table.shown().view is View.ERRORS

    play(scene)


@pytest.mark.styled
def test_a_narrow_screen_leaves_the_table_half_of_the_width(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        window = stage.window
        window.resize(960, 540)
        window.workspace.docks.share_width(960)
        await until(lambda: window.workspace.table.width() >= 960 // 2)

    play(scene)


@pytest.mark.styled
def test_a_message_does_not_move_fields_or_rows(play: Play) -> None:
    def places(widgets: Iterable[QWidget]) -> list[QPoint]:
        return [widget.mapToGlobal(QPoint(0, 0)) for widget in widgets]

    async def scene(stage: Stage) -> None:
        window, page = stage.window, stage.window.start_page
        fixed = (page.url_field, page.workers, page.recent)
        await until(page.workers.isVisible)
        before = places(fixed)
        window.refuse(Translatable("No."))
        await until(page.message.isVisible)
        QApplication.processEvents()
        assert places(fixed) == before
        await stage.start()
        space = window.workspace
        panels = (
            space.docks.docks[Panel.DISCOVERY],
            space.table.bar,
            space.table.view,
            space.docks.show_panels_button,
        )
        before = places(panels)
        window.refuse(Translatable("No."))
        await until(lambda: stage.message("crawl") == "No.")
        QApplication.processEvents()
        assert places(panels) == before

    play(scene)


@pytest.mark.styled
def test_at_1280_by_720_the_table_has_most_of_the_window(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        window, space = stage.window, stage.window.workspace
        window.resize(1280, 720)
        await until(lambda: window.width() == 1280)
        view = space.table.view
        assert view.width() >= 900
        rows = view.viewport().height() // view.verticalHeader().defaultSectionSize()
        assert rows >= 18
        widths = [view.columnWidth(i) for i in range(view.rows.columnCount())]
        whole = [sum(widths[: i + 1]) for i, wide in enumerate(widths) if wide]
        assert sum(end <= view.viewport().width() for end in whole) >= 6

    play(scene)


def test_collapsed_panels_are_reopened_by_click_or_key_and_remembered(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        space = stage.window.workspace
        side, details = WindowAction.SIDE, WindowAction.DETAILS

        def shown() -> set[WindowAction]:
            """What is shown, which the menu has to say too."""
            found = {side} if space.docks.is_shown(side) else set()
            found |= {details} if space.details.is_open else set()
            actions = stage.window.action_set
            assert found == {each for each in (side, details) if actions[each].isChecked()}
            return found

        assert shown() == set()
        QTest.mouseClick(space.docks.show_panels_button, Qt.MouseButton.LeftButton)
        assert shown() == {side}
        assert space.overview.isVisible()
        assert not space.docks.show_panels_button.isVisible()
        space.in_flight.setFocus()
        await until(space.in_flight.hasFocus)
        stage.trigger(side)
        assert space.docks.show_panels_button.hasFocus()
        QTest.keyClick(space.docks.show_panels_button, Qt.Key.Key_Return)
        await until(space.overview.hasFocus)
        stage.trigger(side)
        assert shown() == set()
        assert space.docks.show_panels_button.isVisible()
        stage.trigger(details)
        assert shown() == {details}
        stage.trigger(details)
        space.details.select_url(1)
        assert shown() == set(), "the person folded it away"
        QTest.mouseClick(space.details.tabs.tabBar(), Qt.MouseButton.LeftButton, pos=QPoint(9, 9))
        assert shown() == {details}
        assert stage.memory.shows("details", usually=False)

    play(scene)


@pytest.mark.styled
def test_selecting_a_url_opens_the_details(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        details = stage.window.workspace.details
        assert details.height() < 60
        details.select_url(1)
        await until(lambda: details.height() > 150)
        stage.crawl.leave()
        await until(lambda: stage.crawl.session is None)
        await until(lambda: details.maximumHeight() < 60)

    play(scene)


def test_f6_moves_the_focus_through_the_parts_of_the_window(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        window = stage.window
        window.activateWindow()
        await stage.start()
        space = window.workspace
        await until(space.table.view.hasFocus)
        ways = {
            1: window.action_set[WindowAction.NEXT_PANE],
            -1: window.action_set[WindowAction.PREVIOUS_PANE],
        }
        bars = (window.top_bar, space.discovery)
        folded = (space.details, space.docks.show_panels_button, *bars)
        unfolded = (space.details, space.overview, space.in_flight, *bars)
        for parts in (folded, unfolded):
            back = reversed(parts)
            for step, order in ((1, (*parts, space.table)), (-1, (*back, space.table))):
                for part in order:
                    ways[step].trigger()
                    focused = window.focusWidget()
                    assert focused is not None
                    assert focused is part or part.isAncestorOf(focused)
            space.show_panels(WindowAction.DETAILS, shown=True)
            space.show_panels(WindowAction.SIDE, shown=True)

    play(scene)


def test_every_view_of_the_table_is_an_action(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        window = stage.window
        assert not window.action_set[WindowAction.TABLE].isEnabled()
        await stage.start()
        window.activateWindow()
        window.command_bar.open()
        QTest.keyClicks(window.command_bar.field, "errors")
        QTest.keyClick(window.command_bar.field, Qt.Key.Key_Return)
        await until(lambda: window.workspace.table.shown().view is View.ERRORS)
        await until(window.workspace.table.view.hasFocus)

    play(scene)


def test_a_dialog_that_is_open_is_not_opened_twice(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        for action in (
            stage.window.action_set[WindowAction.EXPORT],
            stage.window.action_set[WindowAction.SETTINGS],
        ):
            before = len(stage.window.findChildren(QDialog))
            action.trigger()
            action.trigger()
            assert len(stage.window.findChildren(QDialog)) == before + 1

    play(scene)


def test_one_action_retries_all_failed_urls(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        retry = stage.window.action_set[WindowAction.RETRY_ERRORS]
        assert not retry.isEnabled()
        session = await stage.start()
        session.tell(errors=0, pages=5)
        await until(lambda: stage.window.progress().pages == 5)
        assert not retry.isEnabled()
        session.tell(errors=2)
        await until(retry.isEnabled)
        retry.trigger()
        await until(
            lambda: session.actions == [(BulkActionKind.RECRAWL, UrlSelection(failed=True))]
        )
        assert stage.message("queue") == ""

    play(scene)


def test_failed_urls_of_a_cancelled_crawl_wait_for_a_resume(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.tell(state=CrawlState.CANCELLED, errors=2)
        await until(stage.window.action_set[WindowAction.RETRY_ERRORS].isEnabled)
        stage.trigger(WindowAction.RETRY_ERRORS)
        await until(lambda: "Press Resume" in stage.message("queue"))
        assert session.asked == ["start"]
        stage.answer("queue", "Resume")
        await stage.shows("Crawling")
        assert stage.message("queue") == ""

    play(scene)


def test_another_url_during_a_crawl_offers_to_leave_that_crawl(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        first = await stage.start()
        field = stage.window.top_bar.url_field
        field.setEditText("other.example")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert "is unfinished" in stage.message("instead")
        assert first.asked == ["start"]
        stage.answer("instead", "Crawl other.example now")
        await until(lambda: len(stage.sessions.made) == 2)
        await until(lambda: "close" in first.asked)
        await until(lambda: stage.session.settings.roots == ("other.example",))
        assert stage.message("instead") == ""

    play(scene)


def test_enter_presses_the_focused_button(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.window.start_page
        page.url_field.setEditText("example.com")
        start = page.findChild(QPushButton, "start-crawl")
        assert start is not None
        start.setFocus()
        await until(start.hasFocus)
        QTest.keyClick(start, Qt.Key.Key_Return)
        await until(lambda: len(stage.sessions.made) == 1)
        await stage.shows("Crawling")
        go = stage.window.top_bar.go
        go.setFocus()
        await until(go.hasFocus)
        QTest.keyClick(go, Qt.Key.Key_Enter)
        await stage.shows("Pausing")

    play(scene)


def test_tab_order_of_the_start_page_is_the_reading_order(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        field = stage.window.start_page.url_field
        stage.window.activateWindow()
        field.setFocus()
        await until(field.hasFocus)
        names = []
        for _ in range(7):
            QTest.keyClick(QApplication.focusWidget() or stage.window, Qt.Key.Key_Tab)
            focused = QApplication.focusWidget()
            names.append("" if focused is None else focused.objectName())
        limits = ["start-workers", "start-where", "start-redirects"]
        assert names == [*limits, "start-profile", "start-render", "start-archive", "start-crawl"]

    play(scene)


def test_no_window_shortcut_conflicts_with_text_fields(play: Play) -> None:
    # Those of X11; Ctrl+E is the end of the line there, and the field with the keyboard gets it.
    taken = {f"Ctrl+{key}" for key in ("A", "C", "E", "V", "X", "Y", "Z", "Left", "Right")}

    async def scene(stage: Stage) -> None:
        actions = stage.window.findChildren(QAction)
        shortcuts = {key.toString() for action in actions for key in action.shortcuts()}
        assert "Ctrl+Shift+E" in shortcuts
        assert shortcuts & taken <= {"Ctrl+C"}, "that of tables, while they have the keyboard"

    play(scene)
