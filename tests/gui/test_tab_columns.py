"""The columns of the tabs: those of their subject, in the order that people know."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from gossamer.audit.site_rule import RuleGroup
from gossamer.gui.tables.table_columns import INDEX, SPECS
from gossamer.gui.tables.table_tabs import TABS
from gossamer.model.fields.page_flags import ContentFlag, MarkupFlag
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_traits import PATH_TYPE_SHIFT, LinkPosition, LinkTrait, PathType
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from tests.cases import each_case
from tests.fakes.project_rows import FakeRows
from tests.gui.desk import Desk


def cell(record: UrlRecord, column: str) -> str:
    return SPECS[INDEX[column]].text(record)


@pytest.mark.parametrize("group", RuleGroup)
def test_each_group_has_a_tab_whose_columns_exist_and_begin_with_the_address(
    group: RuleGroup,
) -> None:
    columns = TABS[group].columns
    assert columns[0] == "address"
    assert len(columns) == len(set(columns))
    assert set(columns) <= set(INDEX)
    assert {"indexability", "indexability_status"} <= set(columns)


def test_the_columns_of_page_titles_are_in_the_order_that_people_know() -> None:
    assert [SPECS[INDEX[column]].header for column in TABS[RuleGroup.PAGE_TITLES].columns] == [
        *("Address", "Title occurrences", "Title", "Title 1 length", "Title width", "Title 2"),
        *("Indexability", "Indexability status"),
    ]


@each_case(
    ("title", "markup", "shown"),
    [
        (None, None, ""),
        (None, 0, "0"),
        ("", 0, "0"),
        ("A", 0, "1"),
        ("A", int(MarkupFlag.MULTIPLE_TITLES), "2"),
        ("A", int(MarkupFlag.MULTIPLE_H1), "1"),
    ],
)
def test_how_often_a_page_has_a_title(
    desk: Desk, title: str | None, markup: int | None, shown: str
) -> None:
    record = replace(desk.rows.urls[1], title=title, markup=markup)
    assert cell(record, "titles") == shown


def test_faults_of_structured_data_are_columns(desk: Desk) -> None:
    record = replace(desk.rows.urls[1], content=int(ContentFlag.JSON_LD))
    assert (cell(record, "json_ld"), cell(record, "parse_errors")) == ("yes", "no")
    assert cell(replace(record, content=None), "json_ld") == ""


def test_links_show_where_they_stand_and_how_they_are_written(desk: Desk) -> None:
    written = PathType.ROOT_RELATIVE << PATH_TYPE_SHIFT
    desk.rows.links[0] = replace(
        desk.rows.links[0],
        traits=LinkPosition.FOOTER | written | LinkTrait.NEW_WINDOW,
        path="footer > a",
        rel="nofollow",
        window="_blank",
    )
    desk.open()
    desk.table.set_view(View.LINKS)
    desk.until(lambda: desk.table.model.rowCount() == len(desk.rows.links))
    model = desk.table.model
    shown = {
        str(model.headerData(n, Qt.Orientation.Horizontal)): str(model.data(model.index(0, n)))
        for n in range(model.columnCount())
        if not desk.table.view.isColumnHidden(n)
    }
    assert (
        shown.items()
        >= {
            "Alt text": "",
            "Link position": "Footer",
            "Path type": "Root-Relative",
            "Target": "_blank",
            "Link path": "footer > a",
            "Rel": "nofollow",
        }.items()
    )


def test_values_have_their_units_and_names(english: None) -> None:
    del english
    rows = FakeRows()
    page = rows.urls[
        rows.add(
            "https://example.com/",
            Outcome.PAGE,
            title_pixels=1_092,
            heading_levels="142",
            heading_texts="Webs\nOrbs",
            near_duplicate_match=93,
            violated_rules="heading-order, image-alt",
            percent_of_total=0.012,
        )
    ]
    shown = {spec.column: spec.text(page) for spec in SPECS}
    plain = {spec.column: spec.value(page) for spec in SPECS}
    assert (shown["title_pixels"], plain["title_pixels"]) == ("1,092 px", "1092")
    assert (shown["heading_levels"], plain["heading_levels"]) == ("H1 H4 H2", "142")
    assert (shown["heading_texts"], plain["heading_texts"]) == ("Webs · Orbs", "Webs\nOrbs")
    assert shown["near_duplicate_match"] == "93%"
    assert shown["percent_of_total"] == "<0.1%"
    assert shown["violated_rules"] == (
        "Heading Levels Should Only Increase By One · Images Must Have Alternative Text"
    )
    assert plain["violated_rules"] == "heading-order, image-alt"
