"""Tab visits the parts of the window as they are laid out."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.workspace.dock_panels import Panel
from tests.gui.conftest import Play
from tests.gui.stage import Stage


def parts_of(stage: Stage) -> dict[str, QWidget]:
    space = stage.window.workspace
    bar = space.table.bar
    return {
        "bar": stage.window.top_bar,
        "progress": stage.window.progress_line,
        "trees": space.docks.docks[Panel.DISCOVERY],
        "tabs": bar.tab_row,
        "filter": bar,
        "rows": space.table.view,
        "details": space.details,
        "in flight": space.docks.docks[Panel.IN_FLIGHT],
    }


def visited(stage: Stage, start: QWidget, key: Qt.Key = Qt.Key.Key_Tab) -> list[str]:
    """The parts that Tab leads through, from `start` until it is back there."""
    parts, names = parts_of(stage), list[str]()
    stage.window.activateWindow()
    start.setFocus()
    focused = start
    for _ in range(100):
        widget: QWidget | None = focused
        while widget is not None and widget not in parts.values():
            widget = widget.parentWidget()
        name = next((name for name, part in parts.items() if part is widget), "")
        if name and name not in names[-1:]:
            names.append(name)
        QTest.keyClick(focused, key)
        focused = QApplication.focusWidget() or start
        if focused is start:
            break
    return names


def test_tab_goes_from_left_to_right_and_from_top_to_bottom(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        expected = ["bar", "progress", "trees", "tabs", "filter", "rows", "details"]
        assert visited(stage, stage.window.top_bar.url_field)[: len(expected)] == expected

    play(scene)


def test_tab_follows_panels_that_are_moved_or_shown(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        docks = stage.window.workspace.docks
        stage.window.workspace.show_panels(WindowAction.SIDE, shown=True)
        trees = docks.docks[Panel.DISCOVERY]
        docks.removeDockWidget(trees)
        docks.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, trees)
        trees.show()
        order = visited(stage, stage.window.top_bar.url_field)
        assert order.index("details") < order.index("trees")
        assert "in flight" in order

    play(scene)


def test_shift_tab_goes_the_same_way_back(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        start = stage.window.top_bar.url_field
        there = visited(stage, start)
        back = visited(stage, start, Qt.Key.Key_Backtab)
        assert back[1:-1] == there[1:-1][::-1]

    play(scene)
