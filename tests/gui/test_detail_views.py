"""Views of the details are made when they are needed, and then are as if they had been there."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.project.reader_thread import ProjectReader
from tests.fakes.project_rows import FakeRows
from tests.gui.conftest import Play
from tests.gui.desk import Desk, small_site
from tests.gui.stage import Stage

OUTER = (QAbstractSpinBox, QComboBox, QLineEdit)


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot, small_site())
    yield desk
    desk.reader.close()


def new_panel(qtbot: QtBot, state: bytes = b"") -> DetailsPanel:
    panel = DetailsPanel(ProjectReader(lambda _: FakeRows()))
    qtbot.addWidget(panel)
    if state:
        panel.restore_state(state)
    return panel


def test_a_view_is_made_when_its_tab_comes_to_the_front(qtbot: QtBot) -> None:
    panel = new_panel(qtbot)
    made = {tab.key for tab in panel.tabs.declared if panel.views.is_made(tab.view)}
    assert made <= {"summary"}  # which the panel shows first, if it is seen
    panel.tabs.bring_to_front(DetailViews.headings)
    assert panel.views.is_made(DetailViews.headings)
    assert panel.views.headings is panel.tabs.front


def test_a_view_that_is_made_late_is_about_the_url_selected(desk: Desk) -> None:
    desk.open()
    desk.details.select_url(2)
    address = desk.rows.records([2])[0].url
    desk.until(lambda: "Inlinks" in desk.details.views.summary.toPlainText())
    assert desk.details.views.is_made(DetailViews.notes), "its tab shows their number"
    assert not desk.details.views.is_made(DetailViews.source_tab)
    desk.details.tabs.bring_to_front(DetailViews.source_tab)
    with desk.qtbot.waitSignal(desk.details.views.source.wanted) as wanted:
        desk.details.views.source.fetch.click()
    assert wanted.args is not None
    assert wanted.args[0] == address
    desk.details.tabs.bring_to_front(DetailViews.headers)
    assert desk.details.views.headers.about == 2
    assert desk.details.views.headers.isVisible()


def test_columns_are_kept_of_a_list_that_nobody_looked_at(qtbot: QtBot) -> None:
    panel = new_panel(qtbot)
    panel.views.outlinks.setColumnHidden(3, True)
    second = new_panel(qtbot, panel.save_state())
    assert not second.views.is_made(DetailViews.outlinks)
    third = new_panel(qtbot, second.save_state())
    assert third.views.outlinks.isColumnHidden(3)
    assert not third.views.inlinks.isColumnHidden(3)


def test_an_empty_list_that_is_made_late_says_why(desk: Desk) -> None:
    desk.open()
    desk.details.select_url(4)
    desk.details.tabs.bring_to_front(DetailViews.hreflang)
    assert desk.details.views.hreflang.accessibleDescription() == (
        "The page names no versions in other languages."
    )


def test_what_is_connected_to_all_views_reaches_those_made_before_and_after(qtbot: QtBot) -> None:
    views = new_panel(qtbot).views
    before = views.inlinks
    reached: list[QWidget] = []
    views.each_made(reached.append)
    assert before in reached
    after = views.cookies
    assert reached[-1] is after


def inner_fields(view: QWidget) -> list[QWidget]:
    """Qt's own fields and buttons inside of the fields of a view."""
    parts = [*view.findChildren(QLineEdit), *view.findChildren(QToolButton)]
    return [part for part in parts if isinstance(part.parentWidget(), OUTER)]


def test_the_window_completes_views_that_are_made_late(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        workspace = stage.window.workspace
        workspace.set_home("https://a.example")
        views = workspace.details.views
        assert not views.is_made(DetailViews.outlinks)
        assert views.outlinks.home == workspace.table.view.home
        assert views.outlinks.home.endswith("a.example")
        late = [views.view(tab.view) for tab in workspace.details.tabs.declared]
        inner = [field for view in late for field in inner_fields(view)]
        assert inner
        assert all(field.accessibleName() for field in inner)

    play(scene)
