"""Docks: people close, move, float and restore panels, and find them as they left them."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QTabBar, QWidget

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.workspace.dock_area import DockArea
from gossamer.gui.workspace.dock_panels import Panel
from gossamer.model.crawl_state import CrawlState
from tests.gui.conftest import Play, Run
from tests.gui.fakes import FakeSession
from tests.gui.stage import Stage, staged, until

pytestmark = pytest.mark.styled

LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea


class Raised(QObject):
    """Whether a window was put in front of others since it was shown; how often it was shown."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.is_raised = False
        self.times_shown = 0
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - the name Qt gives it
        """Note what happens, and let it pass."""
        if event.type() == QEvent.Type.Show:
            self.is_raised = False
            self.times_shown += 1
        elif event.type() == QEvent.Type.ZOrderChange:
            self.is_raised = True
        return super().eventFilter(watched, event)


def places(docks: DockArea) -> dict[Panel, tuple[Qt.DockWidgetArea, bool, bool]]:
    """Of each panel its area, whether it floats, and whether it is closed."""
    return {
        panel: (docks.dockWidgetArea(dock), dock.isFloating(), dock.isHidden())
        for panel, dock in docks.docks.items()
    }


async def docks_of(stage: Stage) -> DockArea:
    await stage.start()
    docks = stage.window.workspace.docks
    await until(docks.isVisible)
    return docks


async def finished_crawl(stage: Stage) -> tuple[FakeSession, DockArea, QDockWidget]:
    """A finished crawl, the docks, and the dock of the requests in flight, which is low by now."""
    session = await stage.start()
    space = stage.window.workspace
    docks = space.docks
    await until(docks.isVisible)
    space.show_panels(WindowAction.SIDE, shown=True)
    dock = docks.docks[Panel.IN_FLIGHT]
    session.tell(state=CrawlState.FINISHED)
    await until(lambda: dock.height() < 80)
    return session, docks, dock


def test_each_panel_is_placed_as_declared(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        docks = await docks_of(stage)
        stage.window.workspace.show_panels(WindowAction.SIDE, shown=True)
        assert places(docks) == {panel: (panel.value.area, False, False) for panel in Panel}

    play(scene)


def test_a_closed_panel_is_unchecked_in_the_menu_and_can_be_reopened_there(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        docks = await docks_of(stage)
        menu = stage.window.action_set.submenu(WindowAction.PANELS)
        names = [action.text() for action in menu.actions()]
        assert names == ["Discovery", "Folders", "Overview", "In flight"]
        folders = menu.actions()[1]
        docks.docks[Panel.FOLDERS].close()
        assert not folders.isChecked()
        assert docks.is_shown(WindowAction.TREES), "the other tree is"
        docks.docks[Panel.DISCOVERY].close()
        assert not stage.window.action_set[WindowAction.TREES].isChecked()
        folders.trigger()
        assert stage.window.action_set[WindowAction.TREES].isChecked()
        await until(stage.window.workspace.folders.isVisible)

    play(scene)


def test_a_tree_whose_tab_is_behind_the_other_reads_nothing(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        docks = await docks_of(stage)
        space = stage.window.workspace
        assert (space.discovery.isVisible(), space.folders.isVisible()) == (True, False)
        docks.bring_to_front(Panel.FOLDERS)
        await until(space.folders.isVisible)
        assert not space.discovery.isVisible()

    play(scene)


def test_dock_tabs_have_tooltips_and_are_reachable_by_keyboard(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        docks = await docks_of(stage)
        bars = docks.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        [bar] = [bar for bar in bars if bar.isVisible()]
        await until(lambda: bar.tabToolTip(0).startswith("Each URL below the page"))
        assert bar.tabText(0) == "Discovery"
        assert bar.focusPolicy() & Qt.FocusPolicy.TabFocus
        QTest.keyClick(bar, Qt.Key.Key_Right)
        await until(stage.window.workspace.folders.isVisible)

    play(scene)


def test_reset_layout_puts_every_panel_where_it_was_at_first(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        docks = await docks_of(stage)
        docks.addDockWidget(RIGHT, docks.docks[Panel.FOLDERS])
        docks.docks[Panel.IN_FLIGHT].setFloating(True)
        docks.docks[Panel.DISCOVERY].close()
        stage.trigger(WindowAction.RESET_LAYOUT)
        assert places(docks) == {panel: (panel.value.area, False, False) for panel in Panel}
        discovery, folders = docks.docks[Panel.DISCOVERY], docks.docks[Panel.FOLDERS]
        assert docks.tabifiedDockWidgets(discovery) == [folders]
        await until(stage.window.workspace.discovery.isVisible)

    play(scene)


def test_a_panel_that_floats_is_hidden_with_the_project(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        docks = await docks_of(stage)
        floating = docks.docks[Panel.FOLDERS]
        floating.setFloating(True)
        await until(floating.isVisible)
        stage.trigger(WindowAction.NEW)
        await until(lambda: stage.window.parts.on_start_page)
        assert not floating.isVisible()
        raised = Raised(floating)
        await stage.start("other.example")
        await until(floating.isVisible)
        await until(lambda: raised.is_raised)  # the window, shown after it, would hide it

    play(scene)


def test_the_arrangement_of_panels_is_restored(run: Run[None], tmp_path: Path) -> None:
    async def life() -> None:
        folders = [tmp_path / "first", tmp_path / "second"]
        for folder in folders:
            folder.mkdir()
        async with staged(folders[0]) as stage:
            docks = await docks_of(stage)
            docks.addDockWidget(RIGHT, docks.docks[Panel.DISCOVERY])
            docks.docks[Panel.IN_FLIGHT].close()
            QApplication.processEvents()
            left = places(docks)
            stage.window.remember()
        shutil.copy(folders[0] / "window.ini", folders[1])
        async with staged(folders[1]) as stage:
            assert places(await docks_of(stage)) == left

    run(life())


def test_a_floating_panel_of_a_restored_layout_is_shown_again_once_the_window_is_there(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        docks = stage.window.workspace.docks
        floating = docks.docks[Panel.FOLDERS]
        floating.setFloating(True)
        floating.show()
        raised = Raised(floating)
        await docks_of(stage)
        await until(lambda: raised.is_raised)
        assert raised.times_shown

    play(scene)


def test_an_invalid_saved_layout_is_ignored(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        docks = await docks_of(stage)
        before = places(docks)
        assert not docks.restore(b"nothing that Qt wrote")
        assert not docks.restore(b"")
        assert places(docks) == before

    play(scene)


def test_a_panel_floated_from_behind_another_tab_shows_its_content(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        docks = await docks_of(stage)
        folders = stage.window.workspace.folders
        assert not folders.isVisible()
        docks.docks[Panel.FOLDERS].setFloating(True)
        await until(folders.isVisible)

    play(scene)


def test_folded_details_that_float_are_high_enough_for_their_heading(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        docks = await docks_of(stage)
        dock, details = docks.docks[Panel.DETAILS], stage.window.workspace.details
        dock.setFloating(True)
        await until(lambda: dock.heading.height() > details.tabs.tabBar().height() // 2)
        await until(lambda: details.y() >= dock.heading.geometry().bottom())

    play(scene)


def test_in_a_low_window_the_table_keeps_rows_beside_the_details(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.resize(780, 440)
        docks = await docks_of(stage)
        table, details = stage.window.workspace.table, stage.window.workspace.details
        details.select_url(1)
        await until(lambda: details.is_open and docks.docks[Panel.DETAILS].height() >= 100)
        view = table.view
        row = view.verticalHeader().defaultSectionSize()
        await until(lambda: view.viewport().height() >= 3 * row)

    play(scene)


def test_in_the_lowest_window_the_details_have_their_least_height(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.resize(780, 320)
        await docks_of(stage)
        details = stage.window.workspace.details
        details.select_url(1)
        await until(lambda: details.is_open and details.height() == details.minimumHeight())

    play(scene)


def test_in_flight_leaves_its_room_to_the_overview_when_nothing_can_be_in_flight(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        space = stage.window.workspace
        docks = space.docks
        await until(docks.isVisible)
        space.show_panels(WindowAction.SIDE, shown=True)
        dock, overview = docks.docks[Panel.IN_FLIGHT], docks.docks[Panel.OVERVIEW]
        await until(lambda: dock.height() > docks.height() // 5)
        docks.resizeDocks([overview, dock], [docks.height() - 150, 150], Qt.Orientation.Vertical)
        await until(lambda: abs(dock.height() - 150) < 5)
        for state, word in ((CrawlState.PAUSED, "Paused"), (CrawlState.RUNNING, "Crawling")):
            session.tell(state=state)
            await stage.shows(word)
            assert abs(dock.height() - 150) < 5, "what is held may go on at any moment"
        session.tell(state=CrawlState.FINISHED)
        await until(lambda: dock.height() < 80)
        await until(lambda: overview.height() > docks.height() - 100)
        assert space.in_flight.isVisible(), "it says that there is nothing"
        session.tell(state=CrawlState.RUNNING)
        await until(lambda: abs(dock.height() - 150) < 5)
        session.tell(state=CrawlState.FINISHED)
        await until(lambda: dock.height() < 80)
        overview.close()
        await until(lambda: dock.height() > docks.height() // 2)

    play(scene)


def test_in_flight_gets_the_room_of_the_overview_that_it_could_not_take_a_moment_before(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        _, docks, dock = await finished_crawl(stage)
        docks.docks[Panel.OVERVIEW].close()
        layout = docks.layout()
        assert layout is not None
        layout.activate()
        docks.set_idle(idle=False)
        await until(lambda: dock.height() > docks.height() // 2)

    play(scene)


def test_in_flight_has_its_room_again_where_it_was_hidden_when_the_crawl_went_on(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        session, docks, dock = await finished_crawl(stage)
        space = stage.window.workspace
        space.show_panels(WindowAction.SIDE, shown=False)
        session.tell(state=CrawlState.RUNNING)
        await stage.shows("Crawling")
        space.show_panels(WindowAction.SIDE, shown=True)
        await until(lambda: dock.height() > docks.height() // 5)

    play(scene)


def test_in_flight_beside_other_panels_keeps_its_height(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        _, docks, dock = await finished_crawl(stage)
        docks.tabifyDockWidget(docks.docks[Panel.OVERVIEW], dock)
        await until(lambda: docks.docks[Panel.OVERVIEW].height() > docks.height() // 2)
        dock.raise_()
        await until(lambda: dock.height() > docks.height() // 2)
        dock.setFloating(True)
        await until(lambda: dock.maximumHeight() > docks.height())

    play(scene)


def test_in_flight_that_floats_after_a_crawl_has_room_for_the_next_one(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        _, docks, dock = await finished_crawl(stage)
        dock.setFloating(True)
        await until(lambda: dock.height() > docks.height() // 5)

    play(scene)
