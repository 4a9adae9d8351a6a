"""Columns that are restored: the cells on the screen are those of the new columns."""

import pytest
from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.tables.saved_layouts import STATE_VERSION
from gossamer.gui.tables.table_view import TableView
from tests.gui.desk import Desk
from tests.gui.paints import Paints

pytestmark = pytest.mark.usefixtures("qapp")


def test_rows_that_stay_are_painted_with_the_restored_columns(qtbot: QtBot) -> None:
    view = TableView()
    qtbot.addWidget(view)
    view.setModel(QStringListModel(["a", "b"], view))
    view.show()
    qtbot.waitExposed(view)
    state = view.save_columns()
    paints = Paints(view.viewport())
    QApplication.processEvents()
    before = paints.number
    assert view.restore_columns(state)
    QApplication.processEvents()
    assert paints.number > before


@pytest.mark.parametrize("header", ["abcde", "@@@", "\u00e9", "AAAA"])
def test_damaged_columns_count_as_never_saved(header: str, desk: Desk) -> None:
    shown = desk.table.view.shown_columns()
    state = f'{{"version":{STATE_VERSION},"tab":"all","in_sight":["all"],"layouts":'
    state += f'{{"all":{{"header":"{header}","order":{{}}}}}}}}'
    desk.table.restore_state(state.encode())
    assert desk.table.view.shown_columns() == shown
