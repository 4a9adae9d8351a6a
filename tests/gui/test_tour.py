"""The tour: what it points at, how it is left, and that it begins by itself only once."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.shell.tour import Tour, placed
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until


def tours(stage: Stage) -> list[Tour]:
    return [tour for tour in stage.window.findChildren(Tour) if tour.isVisible()]


def test_it_leads_through_the_start_page_and_ends(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.TOUR)
        [tour] = tours(stage)
        field = stage.window.start_page.root_field
        there = QRect(field.mapTo(stage.window, QPoint()), field.size())
        assert tour.frame.geometry().contains(there)
        assert not tour.geometry().intersects(there)
        said = []
        while tours(stage):
            said.append(tour.said.text())
            tour.next.click()
        assert len(said) == len(set(said)) == 4
        assert "first crawl" in said[-1]

    play(scene)


def test_in_a_project_it_points_at_its_parts(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        stage.trigger(WindowAction.TOUR)
        [tour] = tours(stage)
        space = stage.window.workspace
        parts = (stage.window.parts.progress_line, space.discovery, space.table.bar.tab_row)
        for target in parts:
            assert tour.frame.isVisible()
            at = target.mapTo(stage.window, target.rect().center())
            assert tour.frame.geometry().contains(at)
            tour.next.click()
            assert stage.window.rect().contains(tour.geometry())
        stage.trigger(WindowAction.TOUR)
        assert len(tours(stage)) == 1

    play(scene)


@pytest.mark.parametrize("by_tab", [False, True])
def test_the_keyboard_is_where_it_was_when_the_tour_ends(by_tab: bool, play: Play) -> None:
    async def scene(stage: Stage) -> None:
        window = stage.window
        window.activateWindow()
        field = window.start_page.url_field
        field.setFocus()
        stage.trigger(WindowAction.TOUR)
        [tour] = tours(stage)
        if by_tab:
            tour.next.setFocus(Qt.FocusReason.TabFocusReason)
            assert window.focusWidget() is tour.next
        while tours(stage):
            QTest.mouseClick(tour.next, Qt.MouseButton.LeftButton)
            assert window.focusWidget() is (tour.next if by_tab and tours(stage) else field)

    play(scene)


@pytest.mark.parametrize("way", ["escape", "click", "letter"])
def test_it_can_be_left_at_any_moment(way: str, play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.TOUR)
        field = stage.window.start_page.url_field
        field.setEditText("")
        edit = field.lineEdit()
        assert edit is not None
        if way == "escape":
            QTest.keyClick(edit, Qt.Key.Key_Escape)
        elif way == "click":
            QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
        else:
            QTest.keyClick(edit, Qt.Key.Key_A)
            assert field.currentText() == "a"
        assert tours(stage) == []

    play(scene)


def test_it_begins_by_itself_only_once(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        assert tours(stage) == []
        stage.window.tour.begin_once()
        [tour] = tours(stage)
        tour.leave.click()
        stage.window.tour.begin_once()
        assert tours(stage) == []

    play(scene)


@pytest.mark.parametrize("way", ["done", "start", "leave"])
def test_its_second_half_begins_with_the_first_crawl(way: str, play: Play) -> None:
    """Whether the first was read to its end or the crawl was started; not where it was left."""

    async def scene(stage: Stage) -> None:
        stage.window.tour.begin_once()
        [tour] = tours(stage)
        while way == "done" and tours(stage):
            tour.next.click()
        if way == "leave":
            QTest.keyClick(stage.window, Qt.Key.Key_Escape)
        await stage.start()
        if way == "leave":
            assert tours(stage) == []
            return
        await until(lambda: bool(tours(stage)))
        assert "how far the crawl is" in tours(stage)[0].said.text()
        stage.trigger(WindowAction.NEW)
        await until(stage.window.start_page.isVisible)
        await stage.start()
        assert tours(stage) == []

    play(scene)


@pytest.mark.parametrize(
    "around",
    [QRect(0, 0, 800, 30), QRect(0, 570, 90, 30), QRect(0, 0, 800, 600), QRect(790, 300, 10, 10)],
)
def test_the_bubble_is_within_the_window(around: QRect) -> None:
    room, bubble = QRect(0, 0, 800, 600), QRect(0, 0, 300, 120)
    at = placed(bubble, around, room)
    assert room.contains(at)
    assert at.size() == bubble.size()
    assert around.contains(room) or not at.intersects(around)
