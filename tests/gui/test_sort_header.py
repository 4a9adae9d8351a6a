"""The headers of sorted tables: columns have room for their names with the sort arrow."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QStyleOptionHeader, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.history.crawl_table import CrawlTable
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.issue_table import IssueTable
from gossamer.gui.notes.notes_table import NotesTable
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.proofreading.error_tables import ErrorTable
from gossamer.gui.tables.sort_header import MAX_KEYS, SortHeader
from gossamer.gui.tables.table_tabs import TABS, TabKey
from tests.fakes.project_rows import FakeRows
from tests.gui.desk import Desk, TableDesk


def elided_names(header: SortHeader, filling: int) -> list[str]:
    """The names that are cut while the rows are sorted by their column, among others."""
    names = []
    for column in range(header.count()):
        if column == filling or header.isSectionHidden(column):
            continue
        others = [each for each in range(header.count()) if each != column]
        header.set_keys([*((each, True) for each in others[: MAX_KEYS - 1]), (column, True)])
        name = str(header.model().headerData(column, Qt.Orientation.Horizontal))
        option = QStyleOptionHeader()
        header.initStyleOption(option)
        option.text = name
        header.initStyleOptionForIndex(option, column)
        if not option.text.startswith(f"{name} ↓"):
            names.append(option.text)
    return names


@pytest.mark.parametrize("make", [CrawlTable, NotesTable, ErrorTable])
def test_lists_have_room_for_the_names_of_sorted_columns(
    qtbot: QtBot, make: type[CrawlTable | NotesTable | ErrorTable]
) -> None:
    table = make()
    qtbot.addWidget(table)
    assert elided_names(table.sort_header, table.filling) == []


def test_the_list_of_issues_has_room_for_the_names_of_sorted_columns(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    counts = IssueCounts(ProjectReader(lambda _: FakeRows()), parent)
    table = IssueTable(counts, parent)
    table.resize(1200, 300)
    assert elided_names(table.sort_header, table.filling) == []


def test_tabs_have_room_for_the_names_of_sorted_columns(desk: Desk) -> None:
    elided: dict[TabKey, list[str]] = {}
    for tab in TABS:
        desk.table.set_view(tab)
        view = desk.table.view
        elided[tab] = elided_names(view.sort_header, view.filling)
    assert not any(elided.values()), elided


def test_headings_are_measured_again_in_another_font(table_desk: TableDesk) -> None:
    header = table_desk.table.view.sort_header
    usual, font = header.needed(0), header.font()
    larger = QFont(font)
    larger.setPointSize(2 * font.pointSize())
    header.setFont(larger)
    assert header.needed(0) > usual
    header.setFont(font)
    assert header.needed(0) == usual
