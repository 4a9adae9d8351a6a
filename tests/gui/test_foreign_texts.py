"""Texts of pages and of other people's projects are shown as they are, never as HTML."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gossamer.gui.crawl.progress_line import CounterValue, CountRow
from gossamer.gui.details.page_lists import outline
from gossamer.gui.details.violation_tree import ViolationTree
from gossamer.gui.settings.form_login_dialog import FormLoginDialog
from gossamer.gui.tables.item_roles import TOOLTIP
from gossamer.gui.tables.row_kind import URLS
from gossamer.gui.tables.table_columns import custom_spec
from gossamer.gui.tables.table_model import TableModel
from gossamer.gui.widgets.labels import buddy
from gossamer.model.accessibility_report import Violation, ViolationNode
from gossamer.model.custom_definitions import CustomSearch
from gossamer.model.html_forms import FieldType, FormField, PageForm
from gossamer.model.outcome import Outcome
from tests.fakes.project_rows import FakeRows

MARKUP = "<img src=/somewhere/picture.png>"


def test_the_name_of_a_field_is_plain_text(qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    label = buddy(MARKUP, field)
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText


def test_the_login_form_of_a_page_shows_its_labels_as_they_are(qtbot: QtBot) -> None:
    dialog = FormLoginDialog("https://a.example/")
    qtbot.addWidget(dialog)
    user = FormField("user", FieldType.TEXT, label=MARKUP)
    password = FormField("pass", FieldType.PASSWORD, label="<h1>Password</h1>")
    dialog.show_forms([PageForm("https://a.example/login", fields=(user, password))])
    shown = {label.text(): label.textFormat() for label in dialog.findChildren(QLabel)}
    assert shown[MARKUP] is shown["<h1>Password</h1>"] is Qt.TextFormat.PlainText


def test_the_heading_of_a_custom_column_is_escaped_in_its_tool_tip() -> None:
    column = custom_spec(CustomSearch(MARKUP, "x"))
    model = TableModel(replace(URLS, columns=(column,)))
    tip = str(model.headerData(0, Qt.Orientation.Horizontal, TOOLTIP))
    assert "&lt;img src=/somewhere/picture.png&gt;" in tip
    assert "<img" not in tip


def test_why_a_crawl_failed_is_plain_text(qtbot: QtBot) -> None:
    counters = CountRow()
    qtbot.addWidget(counters)
    counters.set_pieces([CounterValue(MARKUP)])
    [label] = counters.findChildren(QLabel)
    assert label.textFormat() is Qt.TextFormat.PlainText


def test_levels_of_headings_that_are_none_are_left_out() -> None:
    rows = FakeRows()
    rows.add("https://a.example/", Outcome.PAGE, h1="A", heading_levels="1x\n2")
    assert [each[:2] for each in outline(rows.urls[1])] == [(1, 1), (2, 2)]


def test_numbers_that_are_too_large_for_qt_are_shown(qtbot: QtBot) -> None:
    tree = ViolationTree()
    qtbot.addWidget(tree)
    node = ViolationNode("p", left=10**12, top=-(10**12), width=10**12, height=5)
    tree.show_violations([Violation("region", 2, 10**12, [node])])
    with qtbot.waitSignal(tree.marked):
        tree.selectAll()
    assert tree.topLevelItemCount() == 1
