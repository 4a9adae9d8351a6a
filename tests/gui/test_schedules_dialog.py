"""The schedules in the window: listed, added, changed, run and removed."""

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.schedules.schedule_form import ScheduleForm
from gossamer.gui.schedules.schedule_interfaces import ScheduleRequest, SystemSchedules
from gossamer.gui.schedules.schedule_texts import next_words
from gossamer.gui.schedules.schedules_dialog import SchedulesDialog
from gossamer.gui.shell.schedule_controller import ScheduleController
from gossamer.model.errors import BusyError, KnownError, UsageError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import said
from gossamer.scheduling.retention_rule import KEEP_ALL, RetentionRule
from gossamer.scheduling.run_history import (
    PageChanges,
    RunHistory,
    RunOutcome,
    RunRecords,
    ScheduledRun,
)
from gossamer.scheduling.run_times import RunTimes, daily, from_cron
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.schedule_operations import ScheduleOverview, SchedulePlan, Schedules
from gossamer.scheduling.schedule_store import ScheduleStore
from gossamer.scheduling.timers.timer_choice import NoTimer
from gossamer.session.default_paths import projects_folder
from gossamer.store.project import create
from tests.cases import each_case
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until
from tests.patience import PATIENCE_S

NOW = datetime(2026, 11, 23, 4, 0, tzinfo=UTC)
NIGHTLY = Schedule("Shop", RunTimes("30 2 * * *"), "/crawls", TimerKind.SYSTEMD, 0.0, "/a.gossamer")


class FakeSchedules:
    """Keeps schedules in memory; `threads` tells where it was asked, `error` is raised once."""

    def __init__(self, *schedules: Schedule) -> None:
        self.kept = {each.name: each for each in schedules}
        self.runs: dict[str, list[ScheduledRun]] = {}
        self.running: set[str] = set()
        self.error: KnownError | None = None
        self.threads: set[str] = set()
        self.looks = 0

    def overviews(self) -> list[ScheduleOverview]:
        self.looks += 1
        self._note()
        return [
            ScheduleOverview(
                each.name,
                each,
                RunHistory(tuple(self.runs.get(each.name, ()))),
                each.name in self.running,
                NOW if each.is_enabled else None,
                None,
                None,
            )
            for each in self.kept.values()
        ]

    def add(self, request: ScheduleRequest) -> None:
        self._note()
        self.kept[request.name] = Schedule(
            request.name,
            request.times,
            str(request.folder or "/usual"),
            TimerKind.SYSTEMD,
            0.0,
            str(request.project),
            retention=request.retention,
        )

    def change(self, request: ScheduleRequest) -> None:
        self._note()
        self.kept[request.name] = replace(
            self.kept[request.name], times=request.times, retention=request.retention
        )

    def remove(self, name: str) -> None:
        self._note()
        del self.kept[name]

    def enable(self, name: str) -> None:
        self._note()
        self.kept[name] = replace(self.kept[name], is_enabled=True)

    def disable(self, name: str) -> None:
        self._note()
        self.kept[name] = replace(self.kept[name], is_enabled=False)

    def run(self, name: str) -> None:
        self._note()
        self.running.add(name)

    def _note(self) -> None:
        self.threads.add(threading.current_thread().name)
        error, self.error = self.error, None
        if error is not None:
            raise error


def rows(dialog: SchedulesDialog) -> list[list[str]]:
    tree = dialog.list
    items = [tree.topLevelItem(n) for n in range(tree.topLevelItemCount())]
    return [[item.text(column) for column in (0, 2, 3)] for item in items if item]


async def opened(stage: Stage, port: FakeSchedules) -> SchedulesDialog:
    controller = ScheduleController(stage.window.parts, stage.crawl, stage.tasks, lambda: port)
    controller.show()
    dialog = stage.window.findChild(SchedulesDialog)
    assert dialog is not None
    await until(lambda: port.looks > 0 and dialog.list.topLevelItemCount() == len(port.kept))
    return dialog


@pytest.fixture
def form(qtbot: QtBot) -> ScheduleForm:
    form = ScheduleForm(Path("/a.gossamer"), now=lambda: NOW)
    qtbot.addWidget(form)
    form.show()
    return form


def test_the_form_says_in_words_when_it_runs_and_the_next_three_times(form: ScheduleForm) -> None:
    form.name.clear()
    assert not form.keep.isEnabled()
    form.name.setText("Shop")
    assert form.keep.isEnabled()
    first, second = form.described.text().split("\n")
    assert first == "Daily at 02:30"
    assert second.count("·") == 2
    form.when.setCurrentIndex(1)
    form.day.setCurrentIndex(form.day.findData("sunday"))
    assert form.described.text().startswith("Sundays at 02:30")
    form.when.setCurrentIndex(2)
    form.cron.setText("*/15 9-17 * * 1-5")
    assert form.times() == from_cron("*/15 9-17 * * 1-5")
    form.cron.setText("61 * * * *")
    assert "never occurs" in form.described.text()
    assert not form.keep.isEnabled()


@each_case(
    ("project", "expected"),
    [
        ("/crawls/shop.example 2026-11-20 10.00.00.gossamer", "shop.example"),
        ("/crawls/shop.example 2026-11-20 10.00.00 (2).gossamer", "shop.example"),
        ("/crawls/Our shop.gossamer", "Our shop"),
    ],
)
def test_a_new_schedule_is_named_after_its_site_until_somebody_names_it(
    project: str, expected: str, qtbot: QtBot
) -> None:
    form = ScheduleForm(Path(project), now=lambda: NOW)
    qtbot.addWidget(form)
    form.show()
    assert form.name.text() == expected
    assert form.keep.isEnabled()
    QTest.keyClicks(form.name, "Nightly")
    assert form.name.text() == "Nightly"


def test_a_project_that_is_chosen_names_a_schedule_without_a_name(qtbot: QtBot) -> None:
    form = ScheduleForm(None, now=lambda: NOW)
    qtbot.addWidget(form)
    form.show_project(Path("/crawls/shop.example 2026-11-20 10.00.00.gossamer"))
    assert form.name.text() == "shop.example"
    form.name.setText("Nightly")
    form.show_project(Path("/crawls/other.gossamer"))
    assert form.name.text() == "Nightly"


def test_what_is_filled_in_is_wished_for(form: ScheduleForm, qtbot: QtBot) -> None:
    form.name.setText(" Shop ")
    form.folder.setText("/crawls")
    form.keeps[0].setValue(3)
    form.folder.setFocus()
    with qtbot.waitSignal(form.requested) as requested:
        form.keep.click()
    expected = RunTimes("30 2 * * *"), Path("/a.gossamer"), Path("/crawls"), RetentionRule(3)
    assert requested.args == [ScheduleRequest("Shop", *expected)]
    form.show_error(said("There is one."))
    assert form.isEnabled()
    assert form.focusWidget() is form.folder
    assert form.message.text() == "There is one."
    form.prunes.setChecked(False)
    with qtbot.waitSignal(form.requested) as requested:
        form.keep.click()
    assert requested.args[0].retention == KEEP_ALL


def test_to_remove_old_projects_and_keep_none_is_refused(form: ScheduleForm, qtbot: QtBot) -> None:
    """A rule without any number keeps all, which is the opposite."""
    for box in form.keeps:
        box.setValue(0)
    with qtbot.assertNotEmitted(form.requested):
        form.keep.click()
    assert form.isEnabled()
    assert "at least one" in form.message.text()
    form.prunes.setChecked(False)
    with qtbot.waitSignal(form.requested) as requested:
        form.keep.click()
    assert requested.args[0].retention == KEEP_ALL
    assert not form.message.isVisible()


def test_a_home_folder_of_nobody_is_a_path_as_any_other(form: ScheduleForm, qtbot: QtBot) -> None:
    form.project.setText("~nobody-is-called-so/shop.gossamer")
    form.folder.setText("~nobody-is-called-so/crawls")
    with qtbot.waitSignal(form.requested) as requested:
        form.keep.click()
    assert requested.args[0].project == Path("~nobody-is-called-so/shop.gossamer")
    assert requested.args[0].folder == Path("~nobody-is-called-so/crawls")


@pytest.mark.parametrize("expression", ["30 2 * * *", "5 7 * * 0", "*/15 * * * *", "0 3 1 * *"])
def test_a_schedule_is_changed_from_what_it_is(qtbot: QtBot, expression: str) -> None:
    schedule = replace(NIGHTLY, times=RunTimes(expression), retention=KEEP_ALL)
    form = ScheduleForm(None, schedule, now=lambda: NOW)
    qtbot.addWidget(form)
    assert form.times() == schedule.times
    with qtbot.waitSignal(form.requested) as requested:
        form.keep.click()
    assert requested.args[0].times == schedule.times
    assert requested.args[0].retention == KEEP_ALL


def test_a_schedule_is_added_for_the_crawl_shown(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeSchedules()
        await stage.start()
        dialog = await opened(stage, port)
        dialog.add.click()
        form = dialog.findChild(ScheduleForm)
        assert form is not None
        assert form.project.text() == str(stage.session.path)
        form.name.setText("Nightly")
        port.error = UsageError("There is one of this name.")
        form.keep.click()
        await until(lambda: form.message.text() == "There is one of this name.")
        form.keep.click()
        await until(lambda: rows(dialog) != [])
        assert rows(dialog)[0][:2] == ["Nightly", "daily at 02:30"]
        assert all("MainThread" not in name for name in port.threads)

    play(scene)


def test_a_schedule_is_disabled_run_and_removed(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeSchedules(NIGHTLY)
        dialog = await opened(stage, port)
        dialog.toggle.click()
        await until(lambda: rows(dialog)[0][2] == "Disabled")
        dialog.toggle.click()
        await until(lambda: rows(dialog)[0][2] not in {"Disabled", "Running now"})
        port.error = BusyError("It is running already.")
        dialog.run.click()
        await until(lambda: dialog.message.text() == "It is running already.")
        dialog.run.click()
        await until(lambda: "Shop" in port.running and "schedules" not in stage.tasks.names())
        assert rows(dialog)[0][2] == "Running now"
        assert not dialog.run.isEnabled()
        assert not dialog.remove.isEnabled()
        port.running.clear()
        dialog.refresh_wanted.emit()
        await until(dialog.remove.isEnabled)
        dialog.remove.click()
        assert port.kept
        dialog.confirm.answer("Remove").click()
        await until(lambda: rows(dialog) == [])
        assert not dialog.change.isEnabled()

    play(scene)


def test_a_run_counts_as_running_until_its_process_has_begun_or_is_over(play: Play) -> None:
    class SlowStart(FakeSchedules):
        def run(self, name: str) -> None:
            del name

    async def scene(stage: Stage) -> None:
        port = SlowStart(NIGHTLY)
        dialog = await opened(stage, port)

        async def look() -> None:
            looks = port.looks
            dialog.refresh_wanted.emit()
            await until(lambda: port.looks > looks and "schedules" not in stage.tasks.names())

        for outcome in (RunOutcome.FAILED, None):
            dialog.run.click()
            assert rows(dialog)[0][2] == "Running now"
            await look()
            assert rows(dialog)[0][2] == "Running now"
            assert not dialog.run.isEnabled()
            if outcome is not None:  # it was over before anybody looked
                began = NOW.timestamp()
                port.runs["Shop"] = [ScheduledRun(began, began, outcome, began + 1)]
                await look()
            else:  # it never begins
                for _ in range(10):
                    await look()
            assert rows(dialog)[0][2] != "Running now"
            assert dialog.run.isEnabled()
        assert dialog.runs.topLevelItemCount() == 1

    play(scene)


def test_the_last_run_stays_in_the_list_while_the_next_one_starts(play: Play) -> None:
    class SlowStart(FakeSchedules):
        def run(self, name: str) -> None:
            del name

    async def scene(stage: Stage) -> None:
        port = SlowStart(NIGHTLY)
        began = NOW.timestamp()
        changes = PageChanges(new=7, missing=0, changed=0)
        port.runs["Shop"] = [
            ScheduledRun(began, began, RunOutcome.FINISHED, began + 1, changes=changes)
        ]
        dialog = await opened(stage, port)
        dialog.run.click()
        row = dialog.list.topLevelItem(0)
        assert row is not None
        assert row.text(3) == "Running now"
        assert row.text(4).endswith("Finished")
        assert row.text(5) == "7"

    play(scene)


def test_a_chosen_run_stays_chosen_while_another_is_under_way(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeSchedules(NIGHTLY)
        began = NOW.timestamp()
        port.runs["Shop"] = [
            ScheduledRun(began + n, began + n, outcome, project=f"/{n}.gossamer", base=f"/{n}b")
            for n, outcome in enumerate((RunOutcome.FINISHED, RunOutcome.FINISHED))
        ]
        port.running = {"Shop"}
        dialog = await opened(stage, port)
        compared: list[tuple[str, ...]] = []
        dialog.compare_wanted.connect(lambda *paths: compared.append(paths))
        earlier = dialog.runs.topLevelItem(1)
        assert earlier is not None
        dialog.runs.setCurrentItem(earlier)
        for further in ([], [ScheduledRun(began + 9, began + 9)]):
            port.runs["Shop"] += further
            looks = port.looks
            dialog.refresh_wanted.emit()
            await until(lambda: port.looks > looks and "schedules" not in stage.tasks.names())  # noqa: B023 - it is over before the next turn
            dialog.compare.click()
        assert dialog.runs.topLevelItemCount() == 3
        assert compared == [("/0b", "/0.gossamer")] * 2

    play(scene)


def test_looks_do_not_pile_up_where_one_takes_long(play: Play) -> None:
    class SlowDisk(FakeSchedules):
        def __init__(self, *schedules: Schedule) -> None:
            super().__init__(*schedules)
            self.responds = threading.Event()

        def overviews(self) -> list[ScheduleOverview]:
            found = super().overviews()
            assert self.responds.wait(PATIENCE_S)
            return found

    async def scene(stage: Stage) -> None:
        port = SlowDisk(NIGHTLY)
        port.responds.set()
        dialog = await opened(stage, port)
        await until(lambda: "schedules" not in stage.tasks.names())
        port.responds.clear()
        looks = port.looks
        for _ in range(5):
            dialog.refresh_wanted.emit()
        assert stage.tasks.names().count("schedules") == 1
        dialog.toggle.click()  # what is to be done is done all the same
        port.responds.set()
        await until(lambda: rows(dialog)[0][2] == "Disabled")
        assert port.looks == looks + 2

    play(scene)


def test_a_chosen_row_has_one_colour_from_end_to_end(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        dialog = await opened(stage, FakeSchedules(NIGHTLY, replace(NIGHTLY, name="Other")))
        tree = dialog.list
        for name in ("Shop", "Other"):
            dialog.choose(name)
            image = tree.viewport().grab().toImage()
            y = tree.visualRect(tree.currentIndex()).top() + 1  # above the letters
            assert len({image.pixelColor(x, y).name() for x in range(2, image.width() - 2)}) == 1

    play(scene)


def test_runs_tell_how_they_ended_and_lead_to_their_projects(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeSchedules(NIGHTLY)
        begun = (NOW - timedelta(days=1)).timestamp()
        port.runs["Shop"] = [
            ScheduledRun(begun, begun, RunOutcome.FAILED, begun + 5, None, (said("No network."),)),
            # It was killed: nobody runs any more.
            ScheduledRun(begun + 60, begun + 60, project=str(tmp_path / "x.gossamer")),
        ]
        dialog = await opened(stage, port)
        tree = dialog.runs
        latest, first = tree.topLevelItem(0), tree.topLevelItem(1)
        assert latest is not None
        assert first is not None
        assert latest.text(1) == "Interrupted"
        assert (first.text(1), first.text(2)) == ("Failed", "5.00 s")
        failure = first.child(0)
        assert failure is not None
        assert failure.text(0) == "No network."
        (tmp_path / "x.gossamer").write_bytes(b"")
        tree.itemActivated.emit(latest, 0)
        await until(lambda: bool(stage.sessions.made))
        assert stage.session.path == tmp_path / "x.gossamer"

    play(scene)


def test_the_last_run_counts_what_has_changed_and_a_click_leads_to_the_comparison(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        before, after = (tmp_path / f"{name}.gossamer" for name in "ab")
        begun = (NOW - timedelta(days=1)).timestamp()
        port = FakeSchedules(NIGHTLY)
        compared = ScheduledRun(
            *(begun, begun, RunOutcome.FINISHED, begun + 5, str(after)),
            changes=PageChanges(1, 2, 1234, 0, 5),
            base=str(before),
        )
        port.runs["Shop"] = [compared]
        wanted: list[tuple[Path, Path]] = []
        controller = ScheduleController(stage.window.parts, stage.crawl, stage.tasks, lambda: port)
        controller.comparison_wanted.connect(lambda *projects: wanted.append(projects))
        controller.show()
        dialog = stage.window.findChild(SchedulesDialog)
        assert dialog is not None
        await until(lambda: dialog.list.topLevelItemCount() == 1)
        row = dialog.list.topLevelItem(0)
        assert row is not None
        assert [row.text(column) for column in range(5, 9)] == ["1", "2", "1,234", "5"]
        run = dialog.runs.topLevelItem(0)
        assert run is not None
        assert run.text(3) == "1 new, 2 missing, 1,234 changed (new issues: 5)"
        dialog.list.itemClicked.emit(row, 6)
        assert "There is no project" in dialog.message.text()
        for path in (before, after):
            path.write_bytes(b"")
        dialog.list.itemClicked.emit(row, 0)
        assert wanted == []
        dialog.list.itemClicked.emit(row, 6)
        dialog.compare.click()
        assert wanted == [(before, after)] * 2

    play(scene)


def test_a_run_that_failed_has_nothing_to_compare_but_the_one_before_it_has(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeSchedules(NIGHTLY)
        begun = (NOW - timedelta(days=1)).timestamp()
        port.runs["Shop"] = [
            ScheduledRun(
                *(begun, begun, RunOutcome.FINISHED, begun + 5, "/b.gossamer"),
                changes=PageChanges(1, 2, 3),
                base="/a.gossamer",
            ),
            ScheduledRun(begun + 60, begun + 60, RunOutcome.FAILED),
        ]
        dialog = await opened(stage, port)
        wanted: list[tuple[str, str]] = []
        dialog.compare_wanted.connect(lambda *projects: wanted.append(projects))
        row = dialog.list.topLevelItem(0)
        assert row is not None
        assert row.text(5) == ""
        dialog.list.itemClicked.emit(row, 6)
        assert wanted == []
        dialog.compare.click()
        assert wanted == [("/a.gossamer", "/b.gossamer")]
        run = dialog.runs.topLevelItem(0)
        assert run is not None
        dialog.runs.setCurrentItem(run)
        assert not dialog.compare.isEnabled()

    play(scene)


def test_no_next_run_is_promised_where_a_person_starts_them(qtbot: QtBot, tmp_path: Path) -> None:
    schedules = Schedules(
        ScheduleStore(tmp_path / "kept"), RunRecords(tmp_path / "runs"), lambda _: NoTimer()
    )
    settings = CrawlSettings(roots=("https://a.example/", "https://b.example/"))
    plan = SchedulePlan("Shop", daily("02:30"), settings=settings, timer=TimerKind.NONE)
    schedule = schedules.add(plan)
    overview = schedules.overview("shop")
    assert (overview.next_at, overview.site) == (None, "https://a.example/ (+1)")
    assert next_words(overview) == "When you start it"
    form = ScheduleForm(None, schedule, now=lambda: NOW)
    qtbot.addWidget(form)
    assert form.described.text() == "Daily at 02:30"
    schedules.disable("shop")
    assert next_words(schedules.overview("shop")) == "Disabled"


@pytest.mark.parametrize("of_project", [True, False])
def test_what_a_schedule_crawls_stays_when_it_is_changed(tmp_path: Path, of_project: bool) -> None:
    project = tmp_path / "a.gossamer"
    settings = CrawlSettings(roots=("https://a.example/",), rate=3.0)
    create(project, settings)
    schedules = Schedules(
        ScheduleStore(tmp_path / "kept"), RunRecords(tmp_path / "runs"), lambda _: NoTimer()
    )
    plan = SchedulePlan("Shop", daily("02:30"), timer=TimerKind.NONE, folder=tmp_path / "crawls")
    given = {"project": project} if of_project else {"settings": settings}
    before = schedules.add(replace(plan, **given))
    port = SystemSchedules(schedules)
    port.change(ScheduleRequest("Shop", daily("04:00"), Path("x"), tmp_path / "crawls", KEEP_ALL))
    (found,) = port.overviews()
    assert found.schedule is not None
    assert (found.schedule.times, found.schedule.retention) == (daily("04:00"), KEEP_ALL)
    assert (found.schedule.project, found.schedule.settings) == (before.project, before.settings)
    assert found.schedule.folder == before.folder
    port.change(ScheduleRequest("Shop", daily("04:00"), Path("x"), None, KEEP_ALL))
    (found,) = port.overviews()
    assert found.schedule is not None
    assert Path(found.schedule.folder) == projects_folder() / "Shop"


def test_the_menu_has_the_schedules(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.SCHEDULES)
        dialog = stage.window.findChild(SchedulesDialog)
        assert dialog is not None
        assert dialog.property("help") == "window/schedules"
        dialog.close()

    play(scene)
