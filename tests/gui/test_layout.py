"""The window in all its sizes: what gives way, what stays in sight, what is kept for next time."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialog,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QStyleOptionViewItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.action_set import ActionSet
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.progress_line import ProgressLine
from gossamer.gui.look.theme import colour
from gossamer.gui.runtime.saved_ui_state import RecentProject
from gossamer.gui.start.start_page import StartPage
from gossamer.gui.tables.row_count_line import TableSummary
from gossamer.gui.text.language import Language, use
from gossamer.gui.trees.row_tree import NameDelegate
from gossamer.gui.widgets.sparkline import Sparkline
from gossamer.gui.widgets.window_geometry import fitted, keep_dialog_on_screen, moved_within
from gossamer.gui.workspace.dock_panels import Panel
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from tests.cases import each_case
from tests.gui.conftest import Play, Run, Scene
from tests.gui.desk import BASE, Desk, small_site
from tests.gui.stage import Stage, staged, until

pytestmark = pytest.mark.styled

SMALL = (640, 360)
"""What a screen of 1280 by 720 has at 200 %."""


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot, small_site())
    yield desk
    desk.reader.close()


def in_sight(widget: QWidget) -> bool:
    """Whether all of it is painted, and none of it beyond a scroll area's edge."""
    return widget.visibleRegion().boundingRect() == widget.rect()


def is_wide(widget: QWidget, width: int) -> bool:
    return widget.width() == width


def recent(count: int = 5) -> list[RecentProject]:
    return [RecentProject(Path(f"{n}.gossamer"), f"{n}.test") for n in range(count)]


@pytest.mark.parametrize("chosen", ["en", "zh_CN"])
def test_the_window_fits_the_smallest_screen(play: Play, chosen: Language) -> None:
    async def scene(stage: Stage) -> None:
        window = stage.window
        window.start_page.url_field.setEditText("example.com")
        window.start_page.submitted.emit()
        await until(window.top_bar.isVisible)
        least = window.minimumSizeHint().expandedTo(window.minimumSize())
        room = fitted((10_000, 10_000), QRect(0, 0, *SMALL))
        assert least.width() <= room.width()
        assert least.height() <= room.height()

    use(chosen)
    play(scene)


def test_all_panels_can_be_open_at_once_on_a_small_screen(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        window = stage.window
        window.resize(704, 410)
        for action in (WindowAction.SIDE, WindowAction.DETAILS):
            stage.trigger(action)
        window.messages.tell("crawl", "error", "It failed.")
        QApplication.processEvents()
        assert window.workspace.overview.isVisible()
        assert window.workspace.details.is_open
        assert window.size().toTuple() == (704, 410)
        least = window.minimumSizeHint()
        assert least.width() <= 704
        assert least.height() <= 410

    play(scene)


def test_a_window_fits_its_screen_with_its_frame(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        free = stage.window.screen().availableGeometry()
        assert stage.window.height() <= fitted((10_000, 10_000), free).height()

    play(scene)


def test_a_narrow_window_hides_the_numbers_before_the_address(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        window, bar = stage.window, stage.window.top_bar
        shown = []
        for width in (1440, 1280, 1040, 860, 700, 640):
            window.resize(width, 420)
            await until(partial(is_wide, bar, width))
            QApplication.processEvents()
            buttons = (bar.go, *bar.findChildren(QPushButton, "cancel"))
            assert all(in_sight(button) for button in buttons)
            assert bar.url_field.width() >= 170
            numbers = (bar.workers, bar.where, bar.redirects)
            assert all(in_sight(spin) for spin in numbers if spin.isVisible())
            shown.append([spin.isVisible() for spin in numbers])
        assert shown[0] == [True, True, True]
        assert [True, True, False] in shown
        assert [True, False, False] in shown
        assert shown[-1] == [False, False, False]

    play(scene)


@pytest.mark.parametrize("size", [(1280, 660), (1024, 700), (960, 540), (720, 400), (640, 320)])
def test_the_form_of_the_start_page_is_visible(qtbot: QtBot, size: tuple[int, int]) -> None:
    window = QMainWindow()
    page = StartPage(ActionSet(window))
    qtbot.addWidget(window)
    qtbot.addWidget(page)
    page.resize(*size)
    page.show()
    qtbot.waitExposed(page)
    page.show_folder(Path("/somewhere"))
    QApplication.processEvents()
    fixed = [page.url_field, page.workers, page.redirects, page.profile]
    fixed += page.findChildren(QPushButton)
    fixed = [each for each in fixed if each.isVisible()]
    assert all(in_sight(each) for each in fixed)
    places = [each.mapTo(page, QPoint(0, 0)) for each in fixed]
    page.recent.show_projects(recent())
    page.differs.say("2 settings differ from the defaults: workers and rate.")
    page.message.show_text("error", "Not an HTTP URL.")
    qtbot.waitUntil(lambda: page.message.isVisible() and page.recent.rows[0].isVisible())
    QApplication.processEvents()
    assert [each.mapTo(page, QPoint(0, 0)) for each in fixed] == places
    assert in_sight(page.differs)
    assert in_sight(page.message)


def test_the_keyboard_reaches_recent_crawls_that_are_scrolled_out(
    qtbot: QtBot,
) -> None:
    window = QMainWindow()
    page = StartPage(ActionSet(window))
    qtbot.addWidget(window)
    qtbot.addWidget(page)
    page.resize(640, 320)
    page.show()
    page.recent.show_projects(recent())
    page.activateWindow()
    qtbot.waitExposed(page)
    last = page.recent.rows[-1]
    QApplication.processEvents()
    assert not in_sight(last)
    page.recent.rows[-2].setFocus()
    QTest.keyClick(page.recent.rows[-2], Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: in_sight(last))


def test_the_width_of_the_tree_is_the_same_after_each_start(run: Run[None], tmp_path: Path) -> None:
    widths: list[int] = []

    async def crawl(stage: Stage) -> None:
        stage.window.resize(1280, 660)
        await stage.start()
        await until(lambda: stage.window.workspace.width() == 1280)
        widths.append(stage.window.workspace.docks.docks[Panel.DISCOVERY].width())
        stage.window.remember()

    async def crawl_and_drag(stage: Stage) -> None:
        await crawl(stage)
        docks = stage.window.workspace.docks
        tree = docks.docks[Panel.DISCOVERY]
        docks.resizeDocks([tree], [310], Qt.Orientation.Horizontal)
        await until(lambda: tree.width() == 310)
        stage.window.remember()

    async def leave_at_once(stage: Stage) -> None:
        stage.window.remember()

    async def life(folder: Path, scene: Scene) -> None:
        async with staged(folder) as stage:
            await scene(stage)

    for n, scene in enumerate((leave_at_once, crawl, leave_at_once, crawl_and_drag, crawl)):
        folder = tmp_path / str(n)
        folder.mkdir()
        if n:
            shutil.copy(tmp_path / str(n - 1) / "window.ini", folder)
        run(life(folder, scene))
    assert widths[0] == widths[1]
    assert abs(widths[2] - 310) <= 2


@pytest.mark.parametrize(("width", "usual"), [(632, False), (1280, True)])
def test_a_narrow_progress_line_keeps_its_numbers(qtbot: QtBot, width: int, usual: bool) -> None:
    line = ProgressLine()
    qtbot.addWidget(line)
    line.resize(width, 33)
    line.show()
    line.show_progress(
        Progress(state=CrawlState.RUNNING, seconds=42, fetched=1234, queued=4444, errors=3)
    )
    QApplication.processEvents()
    assert line.sparkline.isVisible() is usual
    errors = line.counts.button(View.ERRORS)
    assert errors.isVisible()
    assert errors.geometry().right() < line.counts.width()
    line.resize(300, 33)
    QApplication.processEvents()
    assert not errors.isVisible(), "half a number is none"


def test_names_are_visible_in_a_narrow_tree(desk: Desk) -> None:
    for n in range(3):
        desk.rows.add(f"{BASE}/part{n}/a", Outcome.CLIENT_ERROR, parent=1, status=404)
    desk.open()
    desk.folders.resize(200, 300)
    view = desk.folders.view
    desk.until(lambda: view.model().rowCount(view.model().index(0, 0)) > 0)
    view.expandAll()
    desk.until(lambda: view.columnWidth(1) < 60)
    top = view.model().index(0, 0)
    names = {}
    for row in range(view.model().rowCount(top)):
        index = view.model().index(row, 0, top)
        option = QStyleOptionViewItem()
        option.initFrom(view)
        option.rect = view.visualRect(index)
        delegate = view.itemDelegateForColumn(0)
        assert isinstance(delegate, NameDelegate)
        delegate.initStyleOption(option, index)
        names[index.data()] = option.text
        assert view.visualRect(index).width() > 0, "Qt paints no cell without a width"
    assert names["part0"] == "part0"


def test_a_summary_without_room_ends_with_an_ellipsis(qtbot: QtBot) -> None:
    summary = TableSummary()
    qtbot.addWidget(summary)
    summary.resize(260, 24)
    summary.show()
    line = summary.selection
    text = "1 selected  ·  2.5 KiB  ·  166 ms on average"
    summary.show_message(text)
    seen = line.grab().toImage()
    cut = line.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    assert cut.startswith("1 selected")
    summary.show_message(cut)
    assert line.grab().toImage() == seen


def test_a_single_value_draws_no_line(qtbot: QtBot) -> None:
    line = Sparkline()
    qtbot.addWidget(line)
    nothing = line.grab().toImage()
    line.add(4.0)
    assert line.grab().toImage() == nothing
    line.add(5.0)
    assert line.grab().toImage() != nothing


@pytest.mark.parametrize(
    ("frame", "wanted"),
    [
        (QRect(10, 40, 300, 200), QRect(10, 40, 300, 200)),
        (QRect(10, -20, 300, 200), QRect(10, 30, 300, 200)),
        (QRect(700, 500, 300, 200), QRect(500, 430, 300, 200)),
        (QRect(-50, 10, 900, 700), QRect(0, 30, 800, 600)),
    ],
)
def test_a_dialog_is_moved_and_shrunk_into_what_a_screen_has_free(
    frame: QRect, wanted: QRect
) -> None:
    assert moved_within(frame, QRect(0, 30, 800, 600)) == wanted


@pytest.fixture
def kept_dialogs(qapp: QApplication) -> Iterator[None]:
    qapp.focusWindowChanged.connect(keep_dialog_on_screen)
    yield
    qapp.focusWindowChanged.disconnect(keep_dialog_on_screen)


@pytest.mark.usefixtures("kept_dialogs")
def test_a_dialog_is_kept_on_the_screen_once(qtbot: QtBot) -> None:
    """Where the user puts it later it stays."""
    parent = QWidget()
    dialog = QDialog(parent)
    qtbot.addWidget(parent)
    free = dialog.screen().availableGeometry()
    dialog.setGeometry(QRect(free.topLeft() - QPoint(0, 90), QSize(200, free.height() + 500)))
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(lambda: dialog.isActiveWindow() and free.contains(dialog.frameGeometry()))
    outside = free.topLeft() - QPoint(50, 0)
    dialog.move(outside)
    parent.show()
    parent.activateWindow()
    qtbot.waitUntil(parent.isActiveWindow)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    assert dialog.x() < free.left()


@pytest.mark.styled
@each_case("kind", [QCheckBox, QRadioButton])
def test_a_ticked_box_that_cannot_be_changed_is_grey(
    qtbot: QtBot, kind: type[QCheckBox] | type[QRadioButton]
) -> None:
    box = kind()
    qtbot.addWidget(box)
    box.setChecked(True)
    box.show()
    accent = colour("accent").rgb()

    def has_accent() -> bool:
        seen = box.grab().toImage()
        return any(
            seen.pixel(x, y) == accent for x in range(seen.width()) for y in range(seen.height())
        )

    box.clearFocus()
    assert has_accent()
    box.setEnabled(False)
    assert not has_accent()


@pytest.mark.styled
@each_case("kind", [QLineEdit, QPlainTextEdit])
def test_a_field_that_cannot_be_changed_has_a_faint_frame(
    qtbot: QtBot, kind: type[QLineEdit] | type[QPlainTextEdit]
) -> None:
    field = kind()
    qtbot.addWidget(field)
    field.show()
    field.clearFocus()

    def frame() -> QColor:
        return field.grab().toImage().pixelColor(field.width() // 2, 0)

    assert frame() == colour("outline")
    field.setEnabled(False)
    assert frame() == colour("border")
