"""What the workspace makes or reads only once it is needed."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView
from pytestqt.qtbot import QtBot

from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.saved_layouts import decode_tables
from gossamer.gui.trees.find_bar import FindBar
from gossamer.gui.workspace.dock_panels import Panel
from gossamer.gui.workspace.workspace import Workspace
from gossamer.model.project_queries import LinkEnd, LinksOf, View
from tests.fakes.project_rows import FakeRows
from tests.gui.desk import PATH, small_site


class Desktop:
    """A workspace with a small site."""

    def __init__(self, qtbot: QtBot) -> None:
        self.rows = small_site()
        self.reader = ProjectReader(lambda _: self.rows)
        self.space = Workspace(self.reader)
        qtbot.addWidget(self.space)
        self.space.resize(1200, 700)
        self.space.docks.docks[Panel.OVERVIEW].hide()
        self.space.show()
        self.space.set_project(PATH, 1)


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    desktop = Desktop(qtbot)
    yield desktop
    desktop.reader.close()


def action(view: QAbstractItemView, text: str) -> QAction:
    return next(each for each in view.actions() if each.text().startswith(text))


def test_the_table_of_links_is_made_for_its_tab_and_does_what_that_of_urls_does(
    desktop: Desktop, qtbot: QtBot
) -> None:
    space, made = desktop.space, list[QueryTable]()
    space.set_home("https://example.com")
    space.set_read_only(read_only=True)
    space.table.show_in_flight(frozenset({2}))
    space.table.tables.each_made(made.append)
    assert made == space.findChildren(QueryTable) == [space.table.urls]
    exported: list[LinksOf] = []
    space.links_wanted.connect(exported.append)
    space.table.set_view(View.LINKS)
    links = space.table.view
    assert made[1:] == [links]
    assert links.accessibleName() == "Links"
    assert links.home == space.table.urls.home
    qtbot.waitUntil(lambda: links.rows.rowCount() == len(desktop.rows.links))
    links.select_only(0)
    qtbot.waitUntil(lambda: links.rows.record(0) is not None)
    assert not action(links, "Crawl again").isEnabled()
    space.set_read_only(read_only=False)
    assert action(links, "Crawl again").isEnabled()
    space.table.url_actions.links.export[LinkEnd.INLINKS].trigger()
    qtbot.waitUntil(lambda: exported == [LinksOf(LinkEnd.INLINKS, (2,))])


def test_the_table_of_links_has_the_columns_of_the_last_start(
    desktop: Desktop, qtbot: QtBot
) -> None:
    table = desktop.space.table
    table.set_view(View.LINKS)
    links = table.view
    links.setColumnHidden(links.rows.kind.index("anchor"), True)
    shown = links.shown_columns()
    table.set_view(View.ALL)
    state = table.save_state()
    second = Desktop(qtbot)
    second.space.table.restore_state(state)
    again = second.space.table
    kept, saved = decode_tables(again.save_state()), decode_tables(state)
    assert kept is not None
    assert saved is not None
    assert kept.layouts[View.LINKS] == saved.layouts[View.LINKS]
    again.set_view(View.LINKS)
    assert again.view.shown_columns() == shown
    second.reader.close()


def test_links_are_read_anew_for_another_project(desktop: Desktop, qtbot: QtBot) -> None:
    table = desktop.space.table
    table.set_view(View.LINKS)
    qtbot.waitUntil(lambda: table.model.rowCount() == len(desktop.rows.links))
    desktop.rows = FakeRows()
    desktop.space.set_project(PATH, 1)
    qtbot.waitUntil(lambda: table.model.loaded)
    assert table.model.rowCount() == 0
    assert table.model.data(table.model.index(0, 0), DISPLAY) is None


def test_a_tree_has_its_actions_once_it_is_shown(desktop: Desktop, qtbot: QtBot) -> None:
    space, tree = desktop.space, desktop.space.folders
    space.set_read_only(read_only=True)
    exported: list[LinksOf] = []
    space.links_wanted.connect(exported.append)
    assert (tree.view.actions(), tree.findChildren(FindBar)) == ([], [])
    space.docks.bring_to_front(Panel.FOLDERS)
    tree.select_url(1)
    qtbot.waitUntil(lambda: tree.model.url_id(tree.view.currentIndex()) == 1)
    again = action(tree.view, "Crawl again")
    assert not again.isEnabled()
    space.set_read_only(read_only=False)
    assert again.isEnabled()
    tree.bulk_actions.said.emit("Done")
    assert space.table.summary.selection.text() == "Done"
    tree.url_actions.links.export[LinkEnd.INLINKS].trigger()
    qtbot.waitUntil(lambda: exported == [LinksOf(LinkEnd.INLINKS, (1,))])


def test_figures_are_counted_only_for_an_overview_that_is_shown(
    desktop: Desktop, qtbot: QtBot
) -> None:
    space, read = desktop.space, desktop.rows.calls
    qtbot.waitUntil(lambda: space.table.model.loaded and "view_counts" in read)
    space.refresh()
    assert "figures" not in read
    space.docks.docks[Panel.OVERVIEW].show()
    qtbot.waitUntil(lambda: [mark.value for mark in space.overview.charts.depths.marks()] != [])
    assert "figures" in read


def test_places_of_docks_are_saved_once_the_docks_have_been_shown(qtbot: QtBot) -> None:
    """Before, they have no sizes: those of the last start stay."""
    space = Workspace(ProjectReader(lambda _: FakeRows()))
    qtbot.addWidget(space)
    assert "docks" not in space.layouts()
    space.show()
    assert space.layouts()["docks"]
