"""Broken links one click away; inlinks and outlinks of what is selected, as rows and to a file."""

from operator import attrgetter

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox

from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.export.export_dialog import ExportDialog
from gossamer.gui.tables.link_actions import LinkActions, links_of
from gossamer.gui.tables.table_tabs import TABS
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import LinkEnd, LinksOf, View
from tests.cases import each_case
from tests.gui.conftest import Play
from tests.gui.desk import BASE, Desk, small_site
from tests.gui.stage import Stage


def copied(desk: Desk, actions: LinkActions, end: LinkEnd) -> list[list[str]]:
    """The cells on the clipboard, without their names."""
    QGuiApplication.clipboard().setText("")
    actions.copy[end].trigger()
    desk.until(lambda: QGuiApplication.clipboard().text() != "")
    head, *lines = QGuiApplication.clipboard().text().splitlines()
    assert head.split("\t")[:3] == ["Source", "Destination", "Status code"]
    return [line.split("\t") for line in lines]


def test_broken_links_are_a_tab_with_their_sources(desk: Desk) -> None:
    broken = [link for link in desk.rows.links if link.target_outcome is Outcome.CLIENT_ERROR]
    assert broken
    names = [tab.name for tab in TABS.values()]
    assert names.index("Broken links") == names.index("Errors") + 1
    desk.table.set_view(View.BROKEN_LINKS)
    desk.until(lambda: desk.table.model.rowCount() == len(broken))
    tabs = desk.table.bar.tabs
    texts = [tabs.tabText(i).rstrip() for i in range(tabs.count())]
    assert f"Broken links  {len(broken)}" in texts
    assert desk.table.view is desk.table.tables.links


def test_links_of_all_selected_rows_are_copied(desk: Desk) -> None:
    desk.table.view.selectAll()
    links = desk.table.url_actions.links
    rows = copied(desk, links, LinkEnd.INLINKS)
    assert len(rows) == len(desk.rows.links)
    assert {row[1] for row in rows} == {link.target_url for link in desk.rows.links}
    by_source = [row[0] for row in copied(desk, links, LinkEnd.OUTLINKS)]
    assert by_source == sorted(by_source, key=[f"{BASE}/", f"{BASE}/docs/"].index)


@each_case("end", LinkEnd)
@each_case("page", [1, 2, 500])
def test_all_links_of_a_url_are_read_page_by_page(end: LinkEnd, page: int) -> None:
    rows = small_site()
    rows.link(3, 1, "back")
    rows.link(2, 1, "home again")
    found = list(links_of(rows, 1, end, page))
    expected = [
        link
        for link in rows.links
        if (link.target_id if end is LinkEnd.INLINKS else link.source_id) == 1
    ]
    key = attrgetter("source_id", "position")
    assert found == sorted(expected, key=key)
    assert len(found) > 2


def test_the_whole_list_of_the_details_is_copied(desk: Desk) -> None:
    desk.details.select_url(1)
    assert not desk.details.views.outlinks.actions(), "made when it is shown"
    desk.details.tabs.bring_to_front(DetailViews.outlinks)
    (whole,) = (
        links
        for links in desk.details.views.outlinks.findChildren(LinkActions)
        if list(links.copy) == [LinkEnd.OUTLINKS]
    )
    assert {row[0] for row in copied(desk, whole, LinkEnd.OUTLINKS)} == {f"{BASE}/"}


def test_a_url_without_links_says_so(desk: Desk) -> None:
    told: list[str] = []
    links = desk.table.url_actions.links
    links.said.connect(told.append)
    lonely = next(i for i in desk.rows.urls if all(link.source_id != i for link in desk.rows.links))
    desk.table.select_url(lonely)
    desk.until(lambda: desk.table.view.selected_url() == lonely)
    links.copy[LinkEnd.OUTLINKS].trigger()
    desk.until(lambda: told == ["No such links"])


def test_without_a_selection_no_action_is_enabled(desk: Desk) -> None:
    links = desk.table.url_actions.links
    assert not links.menu.menuAction().isEnabled()
    desk.table.view.selectAll()
    assert links.menu.menuAction().isEnabled()


def test_an_export_of_inlinks_asks_where_to(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        stage.window.workspace.table.url_actions.links.export_wanted.emit(
            LinksOf(LinkEnd.INLINKS, (3, 4))
        )
        dialog = stage.window.findChild(ExportDialog)
        assert dialog is not None
        what = dialog.findChild(QComboBox, "export-view")
        assert what is not None
        assert what.currentText() == "Inlinks of 2 URLs"
        assert dialog.choices.selected() == LinksOf(LinkEnd.INLINKS, (3, 4))
        assert dialog.path.text().endswith("inlinks.csv")
        dialog.close()

    play(scene)
