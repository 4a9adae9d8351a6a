"""The comparison of two crawls in its window: from the overview to what has changed of a page."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTreeWidget, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rules.h1 import MISSING as H1_MISSING
from gossamer.audit.rules.page_titles import DUPLICATE
from gossamer.audit.rules.page_titles import MISSING as TITLE_MISSING
from gossamer.audit.site_audit import run_site_audit
from gossamer.comparison.project_comparison import ComparisonOptions, compare
from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.comparison.change_texts import shown_field
from gossamer.gui.comparison.changes_pane import ChangesPane
from gossamer.gui.comparison.comparison_window import ComparisonWindow, Readers
from gossamer.gui.look import theme
from gossamer.gui.project.reader_interfaces import Ids
from gossamer.gui.project.reader_thread import BackgroundReader, ProjectReader
from gossamer.gui.text import language
from gossamer.model.comparison_results import FieldChange, FilterMove, PageChange
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import RobotsRow, StoreBatch
from gossamer.store.comparing.comparison_reader import ComparisonReader
from tests.fakes.crawled import SITE, Crawled

if TYPE_CHECKING:
    from gossamer.gui.comparison.comparison_interfaces import ComparisonRows

H1, TITLE = H1_MISSING.number, TITLE_MISSING.number
NONE, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"
OLD_TEXT = b"One\nTwo\nThree\nFour\nDust is grey."
NEW_TEXT = b"One\nTwo\nThree\nFour\nDust is blue."
OpenWindow = Callable[..., ComparisonWindow]


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A site before and after: of each kind of change there is one."""
    settings = CrawlSettings(roots=(SITE,), max_depth=3)
    folder = tmp_path_factory.mktemp("crawls")
    paths = folder / "before.gossamer", folder / "after.gossamer"
    with Crawled(paths[0]) as before:
        before.page("/", "/a", "/docs/b", "/gone", "/old", title="Home")
        before.page("/a", title="The old title of A", word_count=10, issues=[H1], text=OLD_TEXT)
        before.page("/docs/b", title="B", issues=[H1])
        before.page("/gone", title="Gone", issues=[H1])
        before.redirect("/old", "/a")
    with Crawled(paths[1], settings) as after:
        after.page("/", "/a", "/docs/b", "/docs/new", "/old", title="Home")
        after.page("/a", title="The new title of A", word_count=12, issues=[TITLE], text=NEW_TEXT)
        after.page("/docs/b", title="B")
        after.page("/docs/new", title="New", issues=[TITLE])
        after.redirect("/old", "/docs/b")
    return paths


@pytest.fixture(scope="module")
def compared(crawls: tuple[Path, Path]) -> Path:
    """The comparison of these crawls, which windows only read."""
    result = crawls[0].with_name("both.comparison")
    compare(*crawls, result, ComparisonOptions())
    return result


@pytest.fixture
def opened(
    qtbot: QtBot, tmp_path: Path, crawls: tuple[Path, Path], compared: Path
) -> Iterator[OpenWindow]:
    readers: list[Readers] = []

    def open_window(
        before: Path, after: Path, options: ComparisonOptions | None = None
    ) -> ComparisonWindow:
        if (before, after, options) == (*crawls, None):
            result = compared
        else:
            result = tmp_path / f"{after.stem}.comparison"
            compare(before, after, result, options or ComparisonOptions())
        comparison: BackgroundReader[ComparisonRows] = BackgroundReader(ComparisonReader)
        readers.append(Readers(comparison, ProjectReader(), ProjectReader()))
        comparison.open(result)
        window = ComparisonWindow(readers[-1])
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitUntil(lambda: window.changes.table.rows.loaded)
        return window

    yield open_window
    for each in readers:
        for reader in each:
            reader.close()


def test_columns_of_what_is_unknown_are_there_where_anything_is(
    opened: OpenWindow, crawls: tuple[Path, Path], tmp_path: Path, qtbot: QtBot
) -> None:
    window = opened(*crawls)
    unknown = [window.filters.columnCount() - 2, window.filters.columnCount() - 1]
    assert all(map(window.filters.isColumnHidden, unknown))
    whole, partial = tmp_path / "whole.gossamer", tmp_path / "partial.gossamer"
    for path in (whole, partial):
        with Crawled(path) as crawled:
            crawled.page("/", "/a", "/b", title="Home")
            crawled.page("/a", title="Alike")
            crawled.page("/b", title="Alike")
    run_site_audit(whole)
    options = ComparisonOptions(bases={number: rule.basis for number, rule in RULES.items()})
    window = opened(whole, partial, options)
    assert not any(map(window.filters.isColumnHidden, unknown))
    (row,) = [each for each in tree_rows(window.filters) if each[0] == "Page Titles: Duplicate"]
    assert row[2:] == ["2", "0", f"{MINUS}2", *[NONE] * 6, "2", NONE]
    (head,) = [each for each in tree_rows(window.filters) if "cannot be compared" in each[0]]
    assert head[0].startswith("What cannot be compared")
    note = window.head.messages.about("notes")
    assert note is not None
    assert "older than 3 URLs" in note.text()
    window.show_moved("issue", DUPLICATE.number, FilterMove.UNKNOWN)
    assert {row[0] for row in table_rows(window.changes, qtbot)} == {"/a", "/b"}


def tree_rows(tree: QTreeWidget) -> list[list[str]]:
    """Every row in sight that has more than a name."""
    found = list[list[str]]()
    row: QTreeWidgetItem | None = tree.topLevelItem(0)
    while row:
        texts = [row.text(column) for column in range(tree.columnCount())]
        found.append([text for text in texts if text])
        row = tree.itemBelow(row)
    return found


def below(row: QTreeWidgetItem | None) -> QTreeWidgetItem:
    """The first row below one."""
    found = None if row is None else row.child(0)
    assert found is not None
    return found


def table_rows(pane: ChangesPane, qtbot: QtBot) -> list[tuple[str, ...]]:
    """Path, change, field, before and after of each row."""
    rows = pane.table.rows
    qtbot.waitUntil(lambda: rows.loaded and all(map(rows.record, range(rows.rowCount()))))
    return [
        tuple(
            str(rows.data(rows.index(row, column))).removeprefix(SITE)
            for column in range(rows.columnCount())
        )
        for row in range(rows.rowCount())
    ]


def test_what_got_worse_comes_first_and_a_number_leads_to_its_pages(
    opened: OpenWindow, crawls: tuple[Path, Path], qtbot: QtBot
) -> None:
    window = opened(*crawls)
    shown = tree_rows(window.filters)
    assert shown[:5] == [
        ["What got worse (1)"],
        ["Page Titles: Missing", "High", "0", "2", "+2", "1", "1", *[NONE] * 6],
        ["What got better (1)"],
        ["H1: Missing", "Medium", "3", "0", f"{MINUS}3", *[NONE] * 3, "2", "1", *[NONE] * 3],
        ["Tabs (3)"],
    ]
    assert window.head.verdict.text() == "1 issue got worse. 1 issue got better."
    tree = window.filters
    row = below(tree.topLevelItem(1))
    place = tree.visualItemRect(row).center()
    removed = QPoint(tree.columnViewportPosition(8) + 5, place.y())
    # To drag over numbers selects them, and leads nowhere.
    before = QPoint(tree.columnViewportPosition(2) + 5, place.y())
    QTest.mousePress(tree.viewport(), Qt.MouseButton.LeftButton, pos=before)
    QTest.mouseMove(tree.viewport(), removed)
    QTest.mouseRelease(tree.viewport(), Qt.MouseButton.LeftButton, pos=removed)
    assert window.tabs.currentWidget() is not window.changes
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=removed)
    assert window.tabs.currentWidget() is window.changes
    assert table_rows(window.changes, qtbot) == [
        ("/a", "Changed", "Issue: H1: Missing and 3 more", "Yes", "No"),
        ("/docs/b", "Changed", "Issue: H1: Missing", "Yes", "No"),
    ]
    assert window.changes.chip_words.text() == "H1: Missing: Removed"
    # By keyboard, from the cell that is current: this filter's number of missing pages.
    window.tabs.setCurrentIndex(0)
    tree.setCurrentItem(row, 9)
    QTest.keyClick(tree, Qt.Key.Key_Return)
    assert [each[0] for each in table_rows(window.changes, qtbot)] == ["/gone"]
    # Back to everything.
    window.changes.cross.click()
    assert len(table_rows(window.changes, qtbot)) == 6


def test_filters_that_did_not_change_are_shown_on_request(
    opened: OpenWindow, crawls: tuple[Path, Path]
) -> None:
    window = opened(*crawls)
    changed = len(tree_rows(window.filters))
    window.only_changed.setChecked(False)
    assert len(tree_rows(window.filters)) > changed
    window.filter_text.setText("h1: mis")
    assert [row[0] for row in tree_rows(window.filters)] == [
        "What got better (1)",
        "H1: Missing",
    ]


def test_changes_are_filtered_by_change_field_and_text_and_sorted(
    opened: OpenWindow, crawls: tuple[Path, Path], qtbot: QtBot
) -> None:
    window = opened(*crawls)
    pane = window.changes
    assert {each[:2] for each in table_rows(pane, qtbot)} == {
        ("/", "Changed"),
        ("/a", "Changed"),
        ("/docs/b", "Changed"),
        ("/docs/new", "New"),
        ("/gone", "Missing"),
        ("/old", "Changed"),
    }
    pane.show_change(PageChange.MISSING)
    assert table_rows(pane, qtbot) == [
        (
            "/gone",
            "Missing",
            "",
            "",
            "Not found: nothing that the later crawl has read leads there.",
        )
    ]
    pane.show_change(None)
    pane.field.setCurrentIndex(pane.field.findData("title"))
    assert table_rows(pane, qtbot) == [
        ("/a", "Changed", "Title and 3 more", "The old title of A", "The new title of A")
    ]
    pane.field.setCurrentIndex(0)
    pane.text.setText("OLD TITLE")
    qtbot.waitUntil(lambda: pane.table.rows.rowCount() == 1)
    pane.text.clear()
    qtbot.waitUntil(lambda: pane.table.rows.rowCount() == 6)
    pane.table.sort_header.advance(0, add=False)
    pane.table.sort_header.advance(0, add=False)
    addresses = [each[0] for each in table_rows(pane, qtbot)]
    assert addresses == sorted(addresses, reverse=True)


def test_selected_rows_are_copied_for_a_spreadsheet(
    opened: OpenWindow, crawls: tuple[Path, Path], qtbot: QtBot
) -> None:
    window = opened(*crawls)
    window.show_change(PageChange.NEW)
    table_rows(window.changes, qtbot)
    window.changes.table.selectAll()
    clipboard = QGuiApplication.clipboard()
    with qtbot.waitSignal(window.changes.table.said):
        _action(window, ViewAction.COPY_ROWS).trigger()
    assert clipboard.text().splitlines()[1].startswith(f"{SITE}/docs/new\tNew")


def test_rows_selected_together_are_taken_together(
    opened: OpenWindow, crawls: tuple[Path, Path], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million rows, one by one, would take the window ten seconds."""
    window = opened(*crawls)
    window.show_change(None)
    assert len(table_rows(window.changes, qtbot)) == 6
    rows, taken = window.changes.table.rows, list[tuple[int, int]]()
    usual = rows.row_ids

    def row_ids(first: int, last: int) -> Ids:
        taken.append((first, last))
        return usual(first, last)

    monkeypatch.setattr(rows, "row_ids", row_ids)
    window.changes.table.selectAll()
    with qtbot.waitSignal(window.changes.table.said) as said:
        _action(window, ViewAction.COPY_ROWS).trigger()
    assert "6" in said.args[0]
    # The model reads its cache in stretches of its own, which end beyond the last row.
    assert {each for each in taken if 0 <= each[1] < 6} == {(0, 5)}


def _action(window: ComparisonWindow, wanted: ViewAction) -> QAction:
    actions = window.changes.table.actions()
    return next(each for each in actions if each.text() == wanted.value.text)


def test_a_page_is_told_with_its_changes_its_texts_and_all_fields_of_both_crawls(
    opened: OpenWindow, crawls: tuple[Path, Path], qtbot: QtBot
) -> None:
    window = opened(*crawls)
    window.show_change(PageChange.CHANGED)
    rows = [each[0] for each in table_rows(window.changes, qtbot)]
    window.changes.table.select_only(rows.index("/a"))
    details = window.changes.details
    assert tree_rows(details.changes)[:2] == [
        ["Title", "The old title of A", "The new title of A"],
        ["Word count", "10", "12"],
    ]
    assert "The <span" in details.texts.toHtml()
    assert [word in details.texts.toPlainText() for word in ("old", "new")] == [True, True]
    assert "Dust" not in details.texts.toPlainText()
    details.tabs.setCurrentWidget(details.texts)
    qtbot.waitUntil(lambda: "Dust" in details.texts.toPlainText())
    shown = details.texts.toPlainText()
    assert ["old" in shown, "Text of the page" in shown, "3 equal" in shown] == [True] * 3
    assert {word: word in shown for word in ("grey", "blue", "Four", "Three")} == {
        "grey": True,
        "blue": True,
        "Four": True,
        "Three": False,
    }
    details.tabs.setCurrentIndex(2)
    qtbot.waitUntil(lambda: details.fields.topLevelItemCount() > 5)
    everything = tree_rows(details.fields)
    assert ["Content type", "text/html", "text/html"] in everything
    details.only_differences.setChecked(True)
    assert ["Content type", "text/html", "text/html"] not in tree_rows(details.fields)
    with qtbot.waitSignal(window.page_wanted) as wanted:
        details.open_after.click()
    assert wanted.args[0] == crawls[1]
    # A page that is gone can be opened where it was, and nowhere else.
    window.show_change(PageChange.MISSING)
    table_rows(window.changes, qtbot)
    assert not details.open_after.isEnabled()
    with qtbot.waitSignal(window.page_wanted) as wanted:
        details.open_before.click()
    assert wanted.args[0] == crawls[0]
    assert details.texts.note.text() == "The later crawl has not got this page."
    assert tree_rows(details.changes) == [["Issues", "H1: Missing", "Page missing"]]
    # Where no field with text has changed, nothing is said of the text that is not kept.
    window.show_change(PageChange.CHANGED)
    rows = [each[0] for each in table_rows(window.changes, qtbot)]
    window.changes.table.select_only(rows.index("/docs/b"))
    assert "it is kept with the setting" in details.texts.note.text()


def test_redirects_and_folders_have_tabs_of_their_own(
    opened: OpenWindow, crawls: tuple[Path, Path], qtbot: QtBot
) -> None:
    window = opened(*crawls)
    assert [(each[0], each[3], each[4]) for each in table_rows(window.redirects, qtbot)] == [
        ("/old", "/a", "/docs/b")
    ]
    qtbot.waitUntil(lambda: ["docs", "1", "2", "+1"] in tree_rows(window.structure))
    assert tree_rows(window.structure) == [
        [f"{SITE}/", "5", "5", NONE],
        ["docs", "1", "2", "+1"],
    ]
    # What looked like it had something below has nothing.
    docs = below(window.structure.topLevelItem(0))
    docs.setExpanded(True)
    qtbot.waitUntil(lambda: docs.childCount() == 0)
    window.only_changed_folders.setChecked(True)
    qtbot.waitUntil(lambda: window.structure.topLevelItemCount() == 0)


def test_what_makes_a_comparison_misleading_is_said(
    opened: OpenWindow, crawls: tuple[Path, Path], qtbot: QtBot
) -> None:
    window = opened(*crawls)
    messages = window.head.messages
    notes = messages.about("notes")
    assert notes is not None
    assert "not finished" in notes.text()
    assert "different settings" in notes.text()
    with qtbot.waitSignal(window.audit_wanted):
        notes.answer("Run audit and compare again").click()


def test_the_export_button_keeps_away_from_the_edge(
    opened: OpenWindow, crawls: tuple[Path, Path]
) -> None:
    window = opened(*crawls)
    end = window.export.mapTo(window, window.export.rect().topRight()).x()
    assert window.width() - end > theme.SPACE_S


def test_nothing_differs_between_a_crawl_and_itself(
    opened: OpenWindow, crawls: tuple[Path, Path]
) -> None:
    window = opened(crawls[0], crawls[0])
    assert window.head.verdict.text() == "Nothing that was compared differs."
    assert not any(button.isEnabled() for button in window.head.counts.values())
    assert window.filters.topLevelItemCount() == 0
    assert window.changes.table.note.text() == "Nothing differs."
    # A number of zero leads nowhere, and an unknown filter shows nothing else.
    window.show_moved("issue", -1, FilterMove.ADDED)
    assert window.tabs.currentIndex() == 0


def test_broken_links_have_a_tab_of_their_own_to_which_their_numbers_lead(
    opened: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    paths = tmp_path / "before.gossamer", tmp_path / "after.gossamer"
    with Crawled(paths[0]) as before:
        before.page("/", "/dies", "/mended")
        before.page("/dies")
        before.failed("/mended", Outcome.CLIENT_ERROR, status=404)
    with Crawled(paths[1]) as after:
        after.page("/", "/dies", "/mended")
        after.failed("/dies", Outcome.CLIENT_ERROR, status=404)
        after.page("/mended")
    window = opened(*paths)
    pane = window.broken_links
    assert window.tabs.tabText(window.tabs.indexOf(pane)).split() == ["Broken", "links", "2"]
    rows = pane.table.rows

    def shown() -> list[tuple[str, ...]]:
        qtbot.waitUntil(lambda: rows.loaded and all(map(rows.record, range(rows.rowCount()))))
        return [
            tuple(
                str(rows.data(rows.index(row, column))).removeprefix(SITE)
                for column in range(rows.columnCount())
            )
            for row in range(rows.rowCount())
        ]

    died, mended = ("/", "/dies", "Added", "200", "404"), ("/", "/mended", "Removed", "404", "200")
    assert shown() == [died, mended]
    window.show_moved("view", "broken-links", FilterMove.REMOVED)
    assert window.tabs.currentWidget() is pane
    assert shown() == [mended]
    pane.change.setCurrentIndex(0)
    qtbot.waitUntil(lambda: rows.rowCount() == 2)
    pane.text.setText("DIES")
    qtbot.waitUntil(lambda: rows.rowCount() == 1)
    assert shown() == [died]
    pane.text.setText("nothing")
    qtbot.waitUntil(lambda: rows.rowCount() == 0)
    assert pane.count.text() == "0 links"


def test_pages_that_moved_and_a_robots_txt_that_changed_are_shown(
    opened: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    paths = tmp_path / "before.gossamer", tmp_path / "after.gossamer"
    for path, page, line in ((paths[0], "/old", "Allow: /"), (paths[1], "/new", "Disallow: /x")):
        with Crawled(path) as crawled:
            crawled.page("/", page)
            crawled.page(page, title="Unique", h1="Heading")
            row = RobotsRow(SITE, 200, f"User-agent: *\n{line}\n", None, 1e9)
            crawled.writer.commit(StoreBatch(robots=[row]))
    window = opened(*paths)
    assert table_rows(window.moved, qtbot) == [("/old", "Missing", "Same title and H1", "/new")]
    qtbot.waitUntil(lambda: window.site_files.list.topLevelItemCount() == 1)
    assert tree_rows(window.site_files.list) == [[f"{SITE}/robots.txt", "Its text has changed."]]
    text = window.site_files.texts.toPlainText()
    assert "Allow: /" in text
    assert "Disallow: /x" in text
    assert window.site_files.list.currentItem() is not None
    # In the list of all changes, either end tells of the other.
    window.show_change(PageChange.NEW)
    ((_, _, _, _, found),) = table_rows(window.changes, qtbot)
    assert found == f"200 · Indexable · probably moved from {SITE}/old"


def test_a_folder_that_has_moved_is_suggested_as_a_mapping(
    opened: OpenWindow, tmp_path: Path
) -> None:
    paths = tmp_path / "before.gossamer", tmp_path / "after.gossamer"
    for path, folder in zip(paths, ("/old", "/new"), strict=True):
        with Crawled(path) as crawled:
            crawled.page("/")
            for number in range(4):
                crawled.page(f"{folder}/{number}")
    window = opened(*paths)
    told = [each.text() for each in window.messages.findChildren(QLabel)]
    assert any(f"4 pages have probably moved from {SITE}/old/ to {SITE}/new/" in x for x in told)


def test_counts_are_sorted_by_a_column_within_their_groups(
    opened: OpenWindow, crawls: tuple[Path, Path]
) -> None:
    window = opened(*crawls)
    window.only_changed.setChecked(False)
    tree = window.filters

    def names() -> list[str]:
        tabs = next(row for row in tops(tree) if row.text(0).startswith("Tabs"))
        found = map(tabs.child, range(tabs.childCount()))
        return [each.text(0) for each in found if each is not None]

    usual = names()
    for expected in (sorted(usual, key=str.casefold), sorted(usual, key=str.casefold)[::-1], usual):
        tree.header().sectionClicked.emit(0)
        assert names() == expected


def tops(tree: QTreeWidget) -> list[QTreeWidgetItem]:
    found = map(tree.topLevelItem, range(tree.topLevelItemCount()))
    return [each for each in found if each is not None]


def test_the_number_of_other_hreflang_entries_is_told_in_the_language_of_the_window(
    qapp: QApplication,
) -> None:
    assert qapp
    change = FieldChange("hreflang", None, "de /de, fr /fr and 1,234 more")
    assert shown_field(change).after == "de /de, fr /fr and 1,234 more"
    language.use("zh_CN")
    assert shown_field(change).after == "de /de, fr /fr，另有 1,234 项"
