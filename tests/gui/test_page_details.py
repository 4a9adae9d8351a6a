"""What the details tell of a page's content: files, languages, structured data, duplicates."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.details.structured_data_view import StructuredDataView
from gossamer.gui.look.theme import colour
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.item_roles import ACCESSIBLE, FOREGROUND
from gossamer.gui.widgets.tabs_in_view import is_in_view
from gossamer.model.errors import UsageError
from gossamer.model.link_kinds import LinkKind
from gossamer.model.messages.inspection_messages import PageSource
from gossamer.model.messages.page_contents_messages import (
    ComparedRow,
    DataFault,
    DataItem,
    FaultKind,
    PageComparison,
    PageContents,
    PageFetchOutcome,
    SideBySide,
    TextPart,
)
from gossamer.model.outcome import Outcome
from tests.fakes.project_rows import FakeRows
from tests.gui.conftest import Play
from tests.gui.desk import BASE, DetailsDesk, add_image, table_of
from tests.gui.stage import Stage, until

NEAR_DUPLICATES, EXACT_DUPLICATES = 801, 800
READ = PageFetchOutcome(Outcome.FILE, 200, is_read=True)
OFFER = DataItem(
    "JSON-LD",
    ["Offer"],
    "",
    [("price", "3")],
    [DataFault(FaultKind.MISSING_RECOMMENDED, "Offer", "availability")],
    [],
)
PRODUCT = DataItem(
    "JSON-LD",
    ["Product"],
    "#p",
    [("nome", "Scarf"), ("offers", OFFER)],
    [
        DataFault(FaultKind.UNKNOWN_PROPERTY, "Product", "nome"),
        DataFault(FaultKind.MISSING_REQUIRED, "Merchant listing", "image|logo"),
    ],
    ["Product snippet", "Merchant listing"],
    12,
)
BROKEN = DataFault(FaultKind.PARSE_ERROR, detail="expected ':' (line 20, column 3)", line=20)


@pytest.fixture
def desk(details_desk: DetailsDesk) -> DetailsDesk:
    """The details are enough here."""
    return details_desk


def test_resources_are_all_files_that_a_page_loads(desk: DetailsDesk) -> None:
    add_image(desk.rows, "a.png", "A web", 0, status=200, content_type="image/png")
    script = desk.rows.add(
        f"{BASE}/a.js", Outcome.FILE, parent=1, status=200, content_type="text/javascript"
    )
    desk.rows.link(1, script, kind=LinkKind.SCRIPT, element="script src")
    details = desk.details
    details.select_url(1)
    details.tabs.bring_to_front(DetailViews.resources)
    desk.until(lambda: details.views.resources.rows.rowCount() == 2)
    assert [row[1] for row in table_of(details.views.resources.rows, 2, 5)] == ["Image", "Script"]
    assert [row[4] for row in table_of(details.views.resources.rows, 2, 5)] == [
        "image/png",
        "text/javascript",
    ]


def test_the_hreflang_matrix_tells_which_return_links_are_missing(desk: DetailsDesk) -> None:
    for source, target, language in (
        *((1, 1, "en"), (1, 2, "de_AT"), (1, 4, "fr"), (1, 1, "x-default"), (1, 5, "it")),
        *((2, 1, "en"), (2, 2, "de-at")),
    ):
        desk.rows.link(source, target, language, kind=LinkKind.ALTERNATE, element="link href")
    details = desk.details
    details.select_url(1)
    details.tabs.bring_to_front(DetailViews.hreflang)
    model = details.views.hreflang.rows
    desk.until(lambda: model.rowCount() == 4)
    heads = [model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())]
    assert heads == ["Page", "de-at", "en", "fr", "it", "x-default"]
    assert table_of(model, 2, 6) == [
        [
            *(f"{BASE}/", f"{BASE}/docs/", f"{BASE}/", f"{BASE}/new"),
            *(f"404 {BASE}/gone", f"{BASE}/"),
        ],
        [f"{BASE}/docs/", f"{BASE}/docs/", f"{BASE}/", "", "", ""],
    ]
    said = {
        head: str(model.data(model.index(0, n), ACCESSIBLE)) for n, head in enumerate(heads) if n
    }
    assert "the return link is there" in said["de-at"]
    assert "the page names itself" in said["en"]
    assert "the return link is missing" in said["fr"]
    assert "not known" in said["it"]
    assert model.data(model.index(0, 3), FOREGROUND) == colour("error")
    assert model.data(model.index(0, 1), FOREGROUND) == colour("ok")
    with desk.qtbot.waitSignal(details.url_selected) as went:
        details.views.hreflang.activated.emit(model.index(0, 3))
    assert went.args == [4]


def test_few_languages_have_room_for_their_addresses(desk: DetailsDesk) -> None:
    for target, language in ((1, "en"), (2, "de")):
        desk.rows.link(1, target, language, kind=LinkKind.ALTERNATE, element="link href")
    view = desk.details.views.hreflang
    desk.details.select_url(1)
    desk.details.tabs.bring_to_front(DetailViews.hreflang)
    view.resize(1200, 200)
    view.refresh()
    desk.until(lambda: view.rows.columnCount() == 3)
    desk.until(lambda: view.columnWidth(1) == view.columnWidth(2) == view.width_of(40))
    assert view.columnWidth(0) >= view.columnWidth(1)


def test_the_hreflang_matrix_has_what_sitemaps_name(desk: DetailsDesk) -> None:
    sitemap = desk.rows.add(f"{BASE}/sitemap.xml", Outcome.FILE)
    desk.rows.link(sitemap, 1, kind=LinkKind.SITEMAP, element="url loc")
    for target, language in ((1, "en"), (2, "de")):
        desk.rows.link(sitemap, target, language, kind=LinkKind.ALTERNATE, element="xhtml:link")
    details = desk.details
    details.select_url(1)
    details.tabs.bring_to_front(DetailViews.hreflang)
    model = details.views.hreflang.rows
    desk.until(lambda: model.rowCount() == 2)
    assert table_of(model, 1, 3) == [[f"{BASE}/", f"{BASE}/docs/", f"{BASE}/"]]
    assert "the page names itself" in str(model.data(model.index(0, 2), ACCESSIBLE))
    assert "the return link is missing" in str(model.data(model.index(0, 1), ACCESSIBLE))


def rows_of(item: QTreeWidgetItem, depth: int = 0) -> list[tuple[int, str, str, str]]:
    found = []
    for n in range(item.childCount()):
        child = item.child(n)
        assert child is not None
        found.append((depth, child.text(0), child.text(1), child.text(2)))
        found += rows_of(child, depth + 1)
    return found


def filled(desk: DetailsDesk, view: StructuredDataView, contents: PageContents) -> None:
    desk.rows.change(1, structured_types="Product, Offer")
    desk.details.select_url(1)
    desk.until(lambda: "Product, Offer" in view.note.text())
    view.show_contents(replace(contents, url=f"{BASE}/"))


def test_structured_data_is_a_tree_with_faults_at_their_place(desk: DetailsDesk) -> None:
    view = desk.details.views.structured_data
    filled(desk, view, PageContents(0, "", READ, [PRODUCT], [BROKEN]))
    assert rows_of(view.tree.invisibleRootItem()) == [
        (0, "JSON-LD", "", "Cannot be parsed: expected ':' (line 20, column 3)"),
        (0, "Product", "", "JSON-LD · line 12"),
        (1, "@id", "#p", ""),
        (1, "Rich result", "Product snippet", "all required properties are there"),
        (1, "Rich result", "Merchant listing", "required properties are missing"),
        (1, "image or logo", "", "missing, required for Merchant listing"),
        (1, "nome", "Scarf", "schema.org has no property nome"),
        (1, "offers", "Offer", ""),
        (2, "availability", "", "missing, recommended for Offer"),
        (2, "price", "3", ""),
    ]
    assert view.bar.state.text() == "1 item · 3 errors · 1 warning"
    product = view.tree.topLevelItem(1)
    assert product is not None
    view.tree.setCurrentItem(product)
    next(each for each in view.tree.actions() if each.shortcut().toString() == "Ctrl+C").trigger()
    assert QGuiApplication.clipboard().text() == "Product\t\tJSON-LD · line 12"


def test_a_page_without_structured_data_or_without_an_answer_says_so(desk: DetailsDesk) -> None:
    view = desk.details.views.structured_data
    filled(desk, view, PageContents(0, "", READ))
    assert view.note.text() == "This page has no structured data."
    view.show_contents(PageContents(0, f"{BASE}/", PageFetchOutcome(Outcome.CLIENT_ERROR, 404)))
    assert view.note.text() == "Not found."
    desk.details.select_url(2)
    desk.until(lambda: "Press Fetch" in view.note.text())


def test_a_click_or_enter_on_a_fault_shows_its_line_in_the_source(desk: DetailsDesk) -> None:
    view, source = desk.details.views.structured_data, desk.details.views.source
    filled(desk, view, PageContents(0, "", READ, [PRODUCT], [replace(BROKEN, line=3)]))
    text = "<html>\n<body>\n<script>{</script>\n" + "x\n" * 20
    broken, product = view.tree.topLevelItem(0), view.tree.topLevelItem(1)
    assert broken is not None
    assert product is not None
    view.tree.itemClicked.emit(product, 0)
    assert desk.details.tabs.front is not desk.details.views.source_tab, "no fault"
    with desk.qtbot.waitSignal(source.wanted) as wanted:
        view.tree.itemClicked.emit(broken, 0)
    assert wanted.args == [f"{BASE}/", "", False]
    assert desk.details.tabs.front is desk.details.views.source_tab
    source.show_source(PageSource(1, f"{BASE}/", Outcome.FILE, 200, text=text))
    (marked,) = source.text.extraSelections()
    assert marked.cursor.selectedText() == "<script>{</script>"
    assert source.text.textCursor().blockNumber() == 2
    assert source.position.text() == "Line 3"
    below = [product.child(n) for n in range(product.childCount())]
    missing = next(each for each in below if each and each.text(2).startswith("missing"))
    view.tree.itemActivated.emit(missing, 0)
    source.show_source(PageSource(1, f"{BASE}/", Outcome.FILE, 200, text=text))
    assert source.position.text() == "Line 12", "where the item begins"
    view.tree.itemActivated.emit(product, 0)
    source.show_source(PageSource(1, f"{BASE}/", Outcome.FILE, 200, text="short"))
    assert source.position.text() == "Line 12 is not in the part shown"


def test_a_large_tree_is_cut(desk: DetailsDesk) -> None:
    view = desk.details.views.structured_data
    many = [("p", str(n)) for n in range(5_000)]
    filled(desk, view, PageContents(0, "", READ, [replace(PRODUCT, properties=many)]))
    rows = rows_of(view.tree.invisibleRootItem())
    assert len(rows) == 3_000
    assert rows[-1][3] == "More rows are not shown."


def test_duplicates_tell_how_similar_they_are_those_of_the_text_first(desk: DetailsDesk) -> None:
    desk.rows.issues = {401: [1, 2], EXACT_DUPLICATES: [1, 4], NEAR_DUPLICATES: [1, 2]}
    details = desk.details
    details.select_url(1)
    details.tabs.bring_to_front(DetailViews.duplicates)
    rows = details.views.duplicates.table.rows
    desk.until(lambda: rows.rowCount() == 3)
    assert table_of(rows, 3, 3) == [
        ["Content: Exact Duplicates", "100%", f"{BASE}/new"],
        ["Content: Near Duplicates", "99%", f"{BASE}/docs/"],
        ["Page Titles: Duplicate", "", f"{BASE}/docs/"],
    ]


def comparison(*rows: ComparedRow) -> PageComparison:
    return PageComparison(0, f"{BASE}/", f"{BASE}/docs/", READ, READ, 93, SideBySide(list(rows)))


def same(text: str) -> ComparedRow:
    return ComparedRow([TextPart(text)], [TextPart(text)])


OTHER = ComparedRow(
    [TextPart("a"), TextPart("<red>", differs=True)],
    [TextPart("a"), TextPart("blue", differs=True)],
)


def test_the_texts_of_duplicates_are_shown_side_by_side(desk: DetailsDesk) -> None:
    desk.rows.issues = {NEAR_DUPLICATES: [1, 2]}
    details = desk.details
    tab = details.views.duplicates
    details.select_url(1)
    details.tabs.bring_to_front(DetailViews.duplicates)
    desk.until(lambda: tab.table.rows.rowCount() == 1 and "/docs/" in tab.bar.state.text())
    desk.until(lambda: bool(details.views.source.state.text()))
    with desk.qtbot.waitSignal(tab.wanted) as wanted:
        tab.bar.button.click()
    assert wanted.args == [f"{BASE}/", f"{BASE}/docs/"]
    assert tab.currentWidget() is tab.comparison
    tab.show_comparison(comparison(*map(same, "klmn"), OTHER, *map(same, "opq")))
    text = tab.comparison.text.toPlainText()
    assert "<red>" in text
    assert "3 equal paragraphs" in text
    assert text.index("n") < text.index("<red>")
    assert "\np\n" not in text
    assert tab.comparison.bar.state.text() == "93% of their phrases are the same"
    tab.comparison.only_differences.setChecked(False)
    assert "\np\n" in tab.comparison.text.toPlainText()
    tab.comparison.bar.button.click()
    assert tab.currentWidget() is not tab.comparison


def test_equal_texts_and_pages_that_do_not_answer_are_told_of(desk: DetailsDesk) -> None:
    desk.details.select_url(1)
    tab = desk.details.views.duplicates
    desk.until(lambda: bool(desk.details.views.source.state.text()))
    tab.show_comparison(comparison(same("x")))
    assert tab.comparison.text.note.text() == "The texts are the same."
    gone = PageFetchOutcome(Outcome.CLIENT_ERROR, 404)
    tab.show_comparison(replace(comparison(), other_fetched=gone))
    assert tab.comparison.text.note.text().startswith(f"{BASE}/docs/\n")


def test_structured_data_and_texts_are_asked_of_the_session(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        details = stage.window.workspace.details
        inspection = session.inspection
        inspection.page = PageContents(0, "", READ, [PRODUCT])
        data, tab = details.views.structured_data, details.views.duplicates
        data._url = tab._url = f"{BASE}/"  # noqa: SLF001 - no crawl fills this project
        data.fetch()
        await until(lambda: data.tree.topLevelItemCount() == 1)
        data.fetch()
        await until(lambda: len(inspection.asked) == 2)
        assert [asked[1] for asked in inspection.asked] == ["", "again"]
        await until(lambda: not data.bar.is_waiting)
        inspection.gate.clear()
        data.fetch()
        await until(lambda: len(inspection.asked) == 3)
        tab.wanted.emit(f"{BASE}/", f"{BASE}/docs/")
        await until(lambda: len(inspection.asked) == 4)
        assert not data.bar.is_waiting
        inspection.gate.set()
        await until(lambda: tab.comparison.text.note.text() == "The texts are the same.")
        inspection.error = UsageError("This crawl needs something.")
        data.fetch()
        await until(lambda: data.note.text() == "This crawl needs something.")

    play(scene)


def test_tabs_are_put_out_of_sight_and_remembered(desk: DetailsDesk, qtbot: QtBot) -> None:
    details = desk.details
    menu = QMenu()
    qtbot.addWidget(menu)
    details.tabs.fill_tabs_menu(menu)
    actions = {action.text(): action for action in menu.actions()}
    assert list(actions)[:3] == ["Summary", "Inlinks", "Outlinks"]
    actions["Headers"].trigger()
    actions["Crawlers"].trigger()
    assert details.tabs.front is details.views.crawlers
    other = DetailsPanel(ProjectReader(lambda _: desk.rows))
    qtbot.addWidget(other)
    other.restore_state(details.save_state())
    shown = [other.tabs.isTabVisible(n) for n in range(other.tabs.count())]
    assert shown.count(False) == 1
    assert not other.tabs.isTabVisible(other.tabs.index_of(DetailViews.headers))
    assert other.tabs.front is other.views.crawlers


def test_a_tab_out_of_view_that_is_chosen_in_the_menu_comes_to_the_front(
    desk: DetailsDesk, qtbot: QtBot
) -> None:
    tabs = desk.details.tabs
    menu = QMenu()
    qtbot.addWidget(menu)
    tabs.fill_tabs_menu(menu)
    [notes] = [action for action in menu.actions() if action.text() == "Notes"]
    place = tabs.index_of(DetailViews.notes)
    assert tabs.isTabVisible(place)
    assert not is_in_view(tabs.tabBar(), place)
    notes.trigger()
    assert tabs.front is desk.details.views.notes
    assert notes.isChecked()
    assert is_in_view(tabs.tabBar(), place)
    notes.trigger()
    assert not tabs.isTabVisible(place), "it was in view"
    assert not notes.isChecked()


def test_the_last_tab_in_sight_stays_ticked(desk: DetailsDesk, qtbot: QtBot) -> None:
    tabs = desk.details.tabs
    for place in range(1, tabs.count()):
        tabs.setTabVisible(place, False)
    menu = QMenu()
    qtbot.addWidget(menu)
    tabs.fill_tabs_menu(menu)
    [summary] = [action for action in menu.actions() if action.isChecked()]
    summary.trigger()
    assert summary.isChecked()
    assert tabs.isTabVisible(0)


def test_the_tabs_looked_for_most_come_first(desk: DetailsDesk) -> None:
    keys = [tab.key for tab in desk.details.tabs.declared]
    first = ["summary", "inlinks", "outlinks", "chain", "headers", "duplicates", "hreflang"]
    assert keys[: len(first)] == first
    assert keys.index("crawlers") > keys.index("structured-data") > keys.index("images")


def test_a_layout_of_another_version_is_ignored(qtbot: QtBot, tmp_path: Path) -> None:
    del tmp_path
    details = DetailsPanel(ProjectReader(lambda _: FakeRows()))
    qtbot.addWidget(details)
    before = details.save_state()
    details.restore_state(before.replace(b'"version":5', b'"version":4'))
    details.restore_state(b"{}")
    assert details.save_state() == before
