"""What is wrong with the site: the Issues tab, the tabs of groups, the tree, the audit run."""

import asyncio
import dataclasses
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import asdict, replace
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_rule import RuleGroup
from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.export.export_dialog import ExportDialog
from gossamer.gui.issues.ignore_dialog import IgnoreDialog
from gossamer.gui.issues.issue_evidence import IssueUrl, with_evidence
from gossamer.gui.issues.issue_menu import IssueMenu
from gossamer.gui.issues.rule_texts import RuleCommand
from gossamer.gui.issues.rule_tree import CountedRows, RuleTree
from gossamer.gui.look.theme import colour
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.gui.tables.item_roles import DISPLAY, FOREGROUND
from gossamer.gui.tables.table_tabs import ISSUES, rule_columns
from gossamer.gui.tables.table_view import AddressDelegate
from gossamer.gui.widgets.sticky_menu import StickyMenu
from gossamer.gui.widgets.tabs_in_view import is_in_view
from gossamer.model.audit_state import AuditState
from gossamer.model.content_types import ContentKind
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.facets import CONTENT_KIND, IGNORED
from gossamer.model.fields.indexability import Indexability
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import LinkEnd, LinksOf, View
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.store.project import store_settings
from gossamer.store.site_check_table import write_site_checks
from tests.gui.conftest import Play
from tests.gui.desk import BASE, PATH, Desk, TableDesk, small_site
from tests.gui.stage import Stage, project_with_titles_missing, until

MISSING_TITLE, DUPLICATE_TITLE, LONG_TITLE = 400, 401, 402
CONTAINS_CANONICAL = 1000


@pytest.fixture
def faulty(table_desk: TableDesk) -> TableDesk:
    """The table with some issues, turned to their tab."""
    add_issues(table_desk)
    return table_desk


@pytest.fixture
def faulty_desk(desk: Desk) -> Desk:
    """Likewise, with all panels."""
    add_issues(desk)
    return desk


def add_issues(desk: TableDesk) -> None:
    desk.rows.issues = {
        LONG_TITLE: [1],
        MISSING_TITLE: [4],
        DUPLICATE_TITLE: [1, 2],
        CONTAINS_CANONICAL: [1, 2, 4],
    }
    for url_id in (1, 2, 4):
        desk.rows.change(url_id, indexability_reason=Indexability.INDEXABLE)
    desk.refresh()
    desk.table.set_view(ISSUES)
    desk.until(lambda: desk.table.issues.table.rows.rowCount() == len(desk.rows.issues))


def issue_column(desk: TableDesk, column: int) -> list[str]:
    model = desk.table.issues.table.rows
    return [str(model.data(model.index(row, column), DISPLAY)) for row in range(model.rowCount())]


def test_issues_are_listed_the_worst_first_with_type_priority_and_urls(faulty: TableDesk) -> None:
    assert issue_column(faulty, 0) == [
        "Page Titles: Missing",
        "Page Titles: Duplicate",
        "Page Titles: Over 60 Characters",
        "Canonicals: Contains Canonical",
    ]
    assert issue_column(faulty, 1) == ["Issue", "Opportunity", "Opportunity", "Count"]
    assert issue_column(faulty, 2) == ["High", "Medium", "Medium", ""]
    assert issue_column(faulty, 3) == ["1", "2", "1", "3"]
    faulty.until(lambda: issue_column(faulty, 4) == ["33%", "67%", "33%", "100%"])


def test_the_issues_are_made_when_their_tab_is_shown_and_look_as_if_they_had_been_there(
    desk: Desk,
) -> None:
    made: list[QWidget] = []
    desk.table.issues_area.when_made(made.append)
    desk.table.issues_area.set_auditing(running=True)
    desk.rows.issues = {MISSING_TITLE: [4]}
    desk.open()
    assert (made, desk.table.issues_area.rule) == ([], None)
    assert desk.table.issues_area.focus_target() is None
    desk.table.set_view(ISSUES)
    desk.until(lambda: desk.table.issues_area.rule is RULES[MISSING_TITLE])
    issues = desk.table.issues
    assert made == [issues]
    assert desk.table.issues_area.focus_target() is issues.table
    unnamed = [each for each in issues.findChildren(QLineEdit) if not each.accessibleName()]
    assert unnamed == []


def test_the_tab_counts_problems_but_not_what_is_only_counted(faulty: TableDesk) -> None:
    bar = faulty.table.bar
    assert bar.tabs.tabText(bar.tab_row.index(ISSUES)).split() == ["Issues", "3"]


def test_the_worst_issue_is_explained_and_its_urls_are_listed(faulty: TableDesk) -> None:
    text = faulty.table.issues.explanation.toPlainText()
    assert "Page Titles: Missing" in text
    assert RULES[MISSING_TITLE].remedy in text
    faulty.until(lambda: faulty.rows_shown() == [f"{BASE}/new"])
    assert faulty.table.view.shown_columns()[:2] == ("address", "title")


def test_choosing_an_issue_lists_its_urls_with_the_columns_it_is_about(faulty: TableDesk) -> None:
    faulty.table.issues.choose(RULES[CONTAINS_CANONICAL])
    faulty.until(lambda: len(faulty.rows_shown()) == 3)
    assert faulty.table.view.shown_columns()[:2] == ("address", "canonical")


def test_how_many_links_lead_to_a_url_comes_early_where_they_are_what_to_mend() -> None:
    for name in ("Internal Redirect Chain", "Internal Client Error (4xx)"):
        rule = rule_named(f"Response Codes: {name}")
        assert rule is not None
        columns = rule_columns(rule)
        assert columns.index("inlinks") < columns.index("indexability")
    assert rule_columns(RULES[CONTAINS_CANONICAL])[-1] == "inlinks"


def test_enter_leads_from_an_issue_to_its_urls_and_on_to_their_inlinks(faulty_desk: Desk) -> None:
    issues = faulty_desk.table.issues
    issues.choose(RULES[DUPLICATE_TITLE])
    faulty_desk.until(lambda: len(faulty_desk.rows_shown()) == 2)
    QTest.keyClick(issues.table, Qt.Key.Key_Return)
    faulty_desk.until(lambda: faulty_desk.table.view.currentIndex().row() == 0)
    QTest.keyClick(faulty_desk.table.view, Qt.Key.Key_Return)
    faulty_desk.until(lambda: faulty_desk.details.url_id == 1)
    assert faulty_desk.details.tabs.front is faulty_desk.details.views.inlinks


def test_issues_grow_while_the_crawl_runs_and_the_chosen_one_stays(faulty: TableDesk) -> None:
    table = faulty.table.issues.table
    table.choose(RULES[LONG_TITLE])
    faulty.rows.issues = faulty.rows.issues | {407: [1, 2], LONG_TITLE: [1, 2, 4]}
    faulty.refresh()
    faulty.until(lambda: "Page Titles: Multiple" in issue_column(faulty, 0))
    assert table.rule is RULES[LONG_TITLE]
    assert issue_column(faulty, 0)[table.currentIndex().row()] == "Page Titles: Over 60 Characters"
    assert "3 URLs" in faulty.table.issues.explanation.toPlainText()


def test_issues_are_filtered_by_text_type_priority_and_group(faulty: TableDesk) -> None:
    issues = faulty.table.issues
    issues.field.setText("dupl")
    assert issue_column(faulty, 0) == ["Page Titles: Duplicate"]
    issues.field.clear()
    issues.kinds.setCurrentIndex(issues.kinds.findData(RuleKind.COUNT))
    assert issue_column(faulty, 0) == ["Canonicals: Contains Canonical"]
    issues.kinds.setCurrentIndex(0)
    issues.priorities.setCurrentIndex(issues.priorities.findData(RulePriority.HIGH))
    assert issue_column(faulty, 0) == ["Page Titles: Missing"]
    issues.priorities.setCurrentIndex(0)
    issues.groups.setCurrentIndex(issues.groups.findData(RuleGroup.CANONICALS))
    assert issue_column(faulty, 0) == ["Canonicals: Contains Canonical"]


def test_a_click_on_a_header_sorts_issues(faulty: TableDesk) -> None:
    faulty.table.issues.table.sort_header.sort_by(3, descending=True)
    assert issue_column(faulty, 3) == ["3", "2", "1", "1"]


def test_an_issue_is_copied_and_its_inlinks_are_offered_for_export(faulty: TableDesk) -> None:
    table = faulty.table.issues.table
    menu = IssueMenu(table, faulty.reader)
    table.choose(RULES[DUPLICATE_TITLE])
    wanted: list[LinksOf] = []
    menu.links_wanted.connect(wanted.append)
    menu.actions[ViewAction.EXPORT_INLINKS].trigger()
    faulty.until(lambda: wanted == [LinksOf(LinkEnd.INLINKS, (1, 2))])
    said: list[str] = []
    menu.said.connect(said.append)
    menu.actions[ViewAction.COPY_ROWS].trigger()
    assert said == ["Issue copied"]


def test_what_the_tab_exports_are_the_urls_of_the_issue(faulty: TableDesk) -> None:
    faulty.table.issues.choose(RULES[DUPLICATE_TITLE])
    shown = faulty.table.shown()
    assert shown.view is View.ALL
    assert shown.filter_.values("issue") == {DUPLICATE_TITLE}


def test_another_project_begins_without_an_issue_chosen(faulty: TableDesk) -> None:
    faulty.rows.issues = {}
    faulty.table.set_project(PATH)
    faulty.until(lambda: faulty.table.issues.table.rows.rowCount() == 0)
    assert faulty.table.issues.table.rule is None
    assert faulty.table.issues.explanation.toPlainText() == ""
    faulty.until(lambda: faulty.rows_shown() == [])


def test_out_of_date_results_are_told_with_a_button(faulty: TableDesk) -> None:
    issues = faulty.table.issues
    assert issues.run_button.isHidden()
    faulty.rows.audit = AuditState(page_rules=True, stages=False)
    faulty.refresh()
    faulty.until(lambda: not issues.run_button.isHidden())
    assert issues.hint.text()
    asked: list[bool] = []
    issues.audit_wanted.connect(lambda: asked.append(True))
    issues.run_button.click()
    assert asked == [True]
    issues.set_auditing(running=True)
    assert issues.run_button.isHidden()


# ---------------------------------------------------------------- tabs of groups


def test_the_tab_of_a_group_has_its_columns_and_a_choice_of_its_rules(faulty: TableDesk) -> None:
    table, choice = faulty.table, faulty.table.bar.rule_choice
    table.show_rule(RuleGroup.PAGE_TITLES)
    faulty.until(lambda: len(faulty.rows_shown()) == 3)
    columns = ("address", "titles", "title", "title_length", "title_pixels")
    assert table.view.shown_columns()[:5] == columns
    choice.setCurrentIndex(choice.findData(DUPLICATE_TITLE))
    choice.activated.emit(choice.currentIndex())
    faulty.until(lambda: len(faulty.rows_shown()) == 2)
    assert choice.currentText().split() == ["Duplicate", "2"]
    assert table.bar.chips.isHidden()


def test_each_tab_keeps_the_rule_that_was_chosen_in_it(faulty: TableDesk) -> None:
    table = faulty.table
    table.show_rule(RULES[MISSING_TITLE])
    faulty.until(lambda: faulty.rows_shown() == [f"{BASE}/new"])
    table.set_view(View.ALL)
    faulty.until(lambda: len(faulty.rows_shown()) == len(faulty.rows.urls))
    table.set_view(RuleGroup.PAGE_TITLES)
    faulty.until(lambda: faulty.rows_shown() == [f"{BASE}/new"])
    assert table.bar.rule_choice.currentData() == MISSING_TITLE


def test_tabs_are_put_into_sight_and_away_and_that_is_kept(desk: Desk) -> None:
    row = desk.table.bar.tab_row
    assert RuleGroup.HREFLANG not in row.in_sight()
    desk.table.show_rule(RuleGroup.HREFLANG)
    assert RuleGroup.HREFLANG in row.in_sight()
    row.show_tabs([RuleGroup.HREFLANG, View.ALL, ISSUES])
    assert row.in_sight() == [RuleGroup.HREFLANG, View.ALL, ISSUES]
    state = desk.table.save_state()
    row.reset()
    assert View.PAGES in row.in_sight()
    desk.table.restore_state(state)
    assert row.in_sight() == [RuleGroup.HREFLANG, View.ALL, ISSUES]
    assert row.tab == RuleGroup.HREFLANG


@pytest.mark.qt_log_ignore("does not support")
def test_a_tab_of_the_table_out_of_view_that_is_chosen_in_the_menu_comes_to_the_front(
    desk: Desk,
) -> None:
    row = desk.table.bar.tab_row
    desk.table.resize(400, 400)
    desk.until(lambda: not is_in_view(row.tabs, row.index(View.LINKS)))
    QTest.mouseClick(row.menu_button, Qt.MouseButton.LeftButton)
    [menu] = row.findChildren(StickyMenu)
    [entry] = [action for action in menu.actions() if action.text() == "All links"]
    entry.trigger()
    assert row.tab == View.LINKS
    assert entry.isChecked()
    entry.trigger()
    assert View.LINKS not in row.in_sight(), "it was in view"
    menu.close()


def test_the_tab_of_images_has_images_alone_until_one_of_its_issues_is_chosen(
    faulty: TableDesk,
) -> None:
    faulty.rows.add(f"{BASE}/a.png", Outcome.FILE, parent=1, status=200, content_type="image/png")
    faulty.rows.add(f"{BASE}/a.css", Outcome.FILE, parent=1, status=200, content_type="text/css")
    faulty.table.show_rule(RuleGroup.IMAGES)
    faulty.until(lambda: faulty.rows_shown() == [f"{BASE}/a.png"])
    assert faulty.table.bar.chips.isHidden()


# ---------------------------------------------------------------- the tree of groups


def test_the_tree_counts_rules_and_leads_to_their_urls(faulty: TableDesk, qtbot: QtBot) -> None:
    tree = RuleTree(faulty.table.issue_counts)
    qtbot.addWidget(tree)
    tree.show()
    tree.target_wanted.connect(faulty.table.show_rule)
    index = tree.index_of(RULES[DUPLICATE_TITLE])
    assert index.siblingAtColumn(1).data() == "2"
    assert index.data(FOREGROUND).color() == colour("text")
    assert tree.index_of(RULES[407]).data(FOREGROUND).color() == colour("muted")
    group = tree.index_of(RuleGroup.PAGE_TITLES)
    assert group.siblingAtColumn(1).data().startswith("3 / ")
    tree.clicked.emit(index)
    faulty.until(lambda: len(faulty.rows_shown()) == 2)
    assert faulty.table.bar.tab == RuleGroup.PAGE_TITLES


def test_the_tree_counts_internal_and_external_urls_by_kind_of_content(
    faulty: TableDesk, qtbot: QtBot
) -> None:
    faulty.rows.add(f"{BASE}/a.png", Outcome.FILE, parent=1, status=200, content_type="image/png")
    counts = faulty.table.issue_counts
    tree = RuleTree(counts)
    qtbot.addWidget(tree)
    faulty.refresh()
    assert counts.content == {}, "nothing is counted that nobody sees"
    tree.show()
    tree.target_wanted.connect(faulty.table.show_rule)
    images = tree.index_of(CountedRows(View.INTERNAL, CONTENT_KIND, ContentKind.IMAGE))
    faulty.until(lambda: images.siblingAtColumn(1).data() == "1")
    assert images.data() == "Images"
    internal, external = images.parent(), images.parent().siblingAtRow(1)
    assert (internal.data(), external.data()) == ("Internal", "External")
    assert internal.siblingAtColumn(1).data() == str(sum(counts.content[View.INTERNAL].values()))
    faulty.rows.add(f"{BASE}/b.png", Outcome.FILE, parent=1, status=200, content_type="image/png")
    faulty.refresh()
    faulty.until(lambda: images.siblingAtColumn(1).data() == "2")
    tree.clicked.emit(images)
    faulty.until(lambda: faulty.rows_shown() == [f"{BASE}/a.png", f"{BASE}/b.png"])
    assert faulty.table.bar.tab == View.INTERNAL
    tree.clicked.emit(internal)
    faulty.until(lambda: len(faulty.rows_shown()) > 2)


def test_a_hidden_tree_catches_up_when_it_is_shown(faulty: TableDesk, qtbot: QtBot) -> None:
    tree = RuleTree(faulty.table.issue_counts)
    qtbot.addWidget(tree)
    index = tree.index_of(RULES[MISSING_TITLE])
    faulty.rows.issues = faulty.rows.issues | {MISSING_TITLE: [1, 2]}
    faulty.refresh()
    faulty.until(lambda: faulty.table.issue_counts.urls[MISSING_TITLE] == 2)
    assert index.siblingAtColumn(1).data() == "1"
    tree.show()
    assert index.siblingAtColumn(1).data() == "2"


# ---------------------------------------------------------------- details


def test_duplicates_of_a_page_are_listed_with_what_they_have_in_common(faulty_desk: Desk) -> None:
    details = faulty_desk.details
    details.select_url(1)
    details.tabs.bring_to_front(DetailViews.duplicates)
    faulty_desk.until(lambda: details.views.duplicates.table.rows.rowCount() == 1)
    rows = details.views.duplicates.table.rows
    assert rows.data(rows.index(0, 0)) == "Page Titles: Duplicate"
    assert rows.data(rows.index(0, 2)) == f"{BASE}/docs/"


def test_headings_are_an_outline_that_tells_of_skipped_levels(desk: Desk) -> None:
    desk.rows.change(
        1, heading_levels="1243222", h1="Spiders", h2="Webs", h2_2="Orbs", heading_texts="A\nB\nC"
    )
    assert _outline(desk, 7) == [
        ("H1 Spiders", ""),
        ("H2 Webs", ""),
        ("H4 A", "skips a level"),
        ("H3 B", ""),
        ("H2 Orbs", ""),
        ("H2 C", ""),
        ("H2 …", "text not stored"),
    ]


def _outline(desk: Desk, count: int) -> list[tuple[str, object]]:
    details = desk.details
    details.select_url(1)
    details.tabs.bring_to_front(DetailViews.headings)
    desk.until(lambda: details.views.headings.rows.rowCount() == count)
    rows = details.views.headings.rows
    return [
        (" ".join(str(rows.data(rows.index(n, 0))).split()), rows.data(rows.index(n, 1)))
        for n in range(count)
    ]


# ---------------------------------------------------------------- the audit run


async def finish(stage: Stage) -> None:
    session = await stage.start()
    session.tell(state=CrawlState.FINISHED)
    await stage.shows("Finished")


def test_the_audit_runs_when_a_crawl_ends(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await finish(stage)
        await until(lambda: stage.session.audits == 1)
        await until(stage.window.progress_line.audit.isHidden)

    play(scene)


def test_a_finished_crawl_leads_to_its_issues(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        with closing(sqlite3.connect(session.path)) as project, project:
            project.executemany("INSERT INTO issue_count VALUES (?, ?, 0)", [(400, 3), (402, 1)])
        session.tell(state=CrawlState.FINISHED, revision=2)
        await until(lambda: stage.message("issues").startswith("The audit found 2 issues."))
        assert "1 has a high priority" in stage.message("issues")
        line = stage.window.progress_line
        await until(lambda: line.counts.button(ISSUES).text() == "2 issues")
        stage.answer("issues", "Show issues")
        assert stage.window.workspace.table.bar.tab == ISSUES
        assert not stage.message("issues")

    play(scene)


def test_a_host_that_answers_everything_is_told_when_the_crawl_ends(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        made_up = "http://a.test/none"
        row = SiteCheckRow(
            *("http://a.test", SiteCheck.MADE_UP_URL, made_up, Outcome.PAGE, 200, made_up)
        )
        with closing(sqlite3.connect(session.path)) as project, project:
            write_site_checks(project, [row])
        session.tell(state=CrawlState.FINISHED, revision=2)
        await until(lambda: stage.message("hosts").startswith("a.test returns a page"))
        stage.answer("hosts", "Show")
        dialog = stage.window.findChild(QDialog, "access-dialog")
        assert dialog is not None
        assert dialog.isVisible()
        stage.crawl.leave()
        await until(lambda: not stage.message("hosts"))

    play(scene)


def test_the_counter_of_issues_opens_their_tab(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        with closing(sqlite3.connect(session.path)) as project, project:
            project.execute("INSERT INTO issue_count VALUES (400, 3, 0)")
        session.tell(state=CrawlState.FINISHED, revision=2)
        await until(lambda: bool(stage.message("issues")))
        stage.window.progress_line.counts.button(ISSUES).click()
        assert stage.window.workspace.table.bar.tab == ISSUES
        assert not stage.message("issues")

    play(scene)


def test_a_narrow_list_of_issues_leaves_columns_out_until_the_person_wants_them(
    qtbot: QtBot, faulty: TableDesk
) -> None:
    table = faulty.table.issues.table
    table.resize(900, 300)
    assert not table.isColumnHidden(1)
    table.resize(380, 300)
    assert table.isColumnHidden(1)
    assert table.isColumnHidden(4)
    assert not table.isColumnHidden(3)
    menu = QMenu()
    qtbot.addWidget(menu)
    table.fill_columns_menu(menu)
    next(action for action in menu.actions() if action.text() == "Type").trigger()
    table.resize(360, 300)
    assert not table.isColumnHidden(1)


def test_a_list_of_issues_leaves_columns_out_before_it_cuts_names(faulty: TableDesk) -> None:
    table = faulty.table.issues.table
    table.resize(600, 300)
    sign_and_margins = 40
    longest = table.fontMetrics().horizontalAdvance("Response Codes: Internal Client Error (4xx)")
    assert table.columnWidth(0) >= longest + sign_and_margins
    assert table.isColumnHidden(4)


def test_addresses_keep_their_width_when_another_issue_brings_more_columns(
    faulty: TableDesk,
) -> None:
    table, view = faulty.table, faulty.table.view
    kind, near = view.rows.kind, rule_named("Content: Near Duplicates")
    assert near is not None
    own = view.width_of(kind.columns[0].width)
    more = dataclasses.replace(
        with_evidence(kind, near),
        read=lambda rows, ids: [IssueUrl(**asdict(each)) for each in kind.read(rows, ids)],
    )
    for width in range(900, 1500, 150):
        table.resize(width, 600)
        view.use_kind(kind)
        view.use_columns(ISSUES, ("address", "title"))
        QApplication.processEvents()
        view.use_kind(more)
        view.use_columns(ISSUES, rule_columns(near))
        QApplication.processEvents()
        assert view.columnWidth(0) >= own * 3 // 4, width


def test_the_audit_runs_when_a_crawl_pauses_and_is_given_up_when_it_goes_on(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.audit_gate = asyncio.Event()
        session.tell(state=CrawlState.PAUSED)
        await until(lambda: session.audits == 1)
        line = stage.window.progress_line.audit
        await until(lambda: line.isVisible() and "Duplicates" in line.words.text())
        session.tell(state=CrawlState.RUNNING)
        await until(line.isHidden)

    play(scene)


def test_an_audit_that_is_being_given_up_is_run_again_when_the_crawl_ends_after_all(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.audit_gate = asyncio.Event()
        for state in (CrawlState.FINISHED, CrawlState.RUNNING, CrawlState.FINISHED):
            session.tell(state=state)
        await until(lambda: session.audits == 1)
        session.audit_gate.set()
        await until(stage.window.progress_line.audit.isHidden)
        assert stage.window.action_set[WindowAction.RUN_AUDIT].isEnabled()

    play(scene)


def test_the_audit_does_not_run_by_itself_when_that_is_switched_off(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.AUDIT_AFTER_CRAWL)
        await finish(stage)
        assert stage.session.audits == 0
        stage.trigger(WindowAction.RUN_AUDIT)
        await until(lambda: stage.session.audits == 1)
        assert not stage.memory.shows("audit", usually=True)

    play(scene)


def test_a_running_audit_is_cancelled_and_can_be_run_again(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.audit_gate = asyncio.Event()
        session.tell(state=CrawlState.FINISHED)
        actions, line = stage.window.action_set, stage.window.progress_line.audit
        await until(actions[WindowAction.CANCEL_AUDIT].isEnabled)
        assert not actions[WindowAction.RUN_AUDIT].isEnabled()
        line.button.click()
        await until(actions[WindowAction.RUN_AUDIT].isEnabled)
        assert line.isHidden()
        session.audit_gate.set()
        stage.trigger(WindowAction.RUN_AUDIT)
        await until(lambda: session.audits == 2)

    play(scene)


def test_why_an_audit_failed_is_told(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.audit_error = ProjectError("The disk is full.")
        session.tell(state=CrawlState.FINISHED)
        await until(lambda: stage.message("audit") == "The disk is full.")

    play(scene)


def test_changed_thresholds_run_the_audit_again_and_rename_rules(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await finish(stage)
        await until(lambda: stage.session.audits == 1)
        await until(stage.window.action_set[WindowAction.RUN_AUDIT].isEnabled)
        stage.crawl.change({"title_max_length": 50})
        await until(lambda: stage.session.audits == 2)
        assert stage.window.workspace.table.issue_counts.settings.title_max_length == 50

    play(scene)


def ignore_dialog(stage: Stage) -> IgnoreDialog:
    found = stage.window.findChildren(IgnoreDialog)
    assert len(found) == 1
    return found[0]


def test_an_issue_is_ignored_with_a_reason_and_taken_back(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        project_with_titles_missing(session.path, f"{BASE}/a", f"{BASE}/b")
        table = stage.window.workspace.table
        table.show_rows(ISSUES)
        session.tell(state=CrawlState.FINISHED, revision=2)
        await until(lambda: table.issues.table.rule is RULES[MISSING_TITLE])
        table.issues.explanation.anchorClicked.emit(QUrl(RuleCommand.IGNORE))
        dialog = ignore_dialog(stage)
        dialog.reason.setText("made for print")
        dialog.accept()
        await until(lambda: not table.issues.table.rows.rowCount())
        await until(lambda: table.issues.ignored_button.text().split()[-1] == "1")
        table.issues.ignored_button.click()
        ignored = table.issues.ignored
        assert [each.reason for each in ignored.selected()] == ["made for print"]
        await until(lambda: table.model.loaded and table.model.rowCount() == 2)
        ignored.take_back_action.trigger()
        table.issues.ignored_button.click()
        await until(lambda: table.issues.table.rows.rowCount() == 1)
        await until(lambda: not table.issue_counts.ignored)

    play(scene)


def test_an_issue_that_was_chosen_before_any_is_known_is_shown(qtbot: QtBot) -> None:
    desk = TableDesk(qtbot, small_site())
    desk.rows.issues = {number: [1] for number in list(RULES)[:60]}
    table = desk.table.issues.table
    wanted = RULES[DUPLICATE_TITLE]
    desk.rows.issues[DUPLICATE_TITLE] = [2]
    desk.table.issues.choose(wanted)
    desk.open()
    desk.table.set_view(ISSUES)
    desk.until(lambda: table.rule is wanted)
    row = table.visualRect(table.currentIndex())
    assert row.top() >= 0
    assert row.bottom() < table.viewport().height()
    desk.reader.close()


def test_the_file_of_an_exported_issue_has_its_name(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        project_with_titles_missing(session.path, f"{BASE}/a", f"{BASE}/b")
        table = stage.window.workspace.table
        table.show_rows(ISSUES)
        session.tell(state=CrawlState.FINISHED, revision=2)
        await until(lambda: table.issues.table.rule is RULES[MISSING_TITLE])
        await until(lambda: table.model.loaded and table.model.rowCount() == 2)
        stage.trigger(WindowAction.EXPORT)
        dialog = stage.window.findChild(ExportDialog)
        assert dialog is not None
        assert Path(dialog.path.text()).name == f"{session.path.stem} page_titles_missing.csv"
        dialog.close()

    play(scene)


def test_an_issue_is_ignored_for_the_selected_urls(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        project_with_titles_missing(session.path, f"{BASE}/x/a", f"{BASE}/x/b", f"{BASE}/c")
        table = stage.window.workspace.table
        table.show_rows(ISSUES)
        session.tell(state=CrawlState.FINISHED, revision=2)
        await until(lambda: table.model.loaded and table.model.rowCount() == 3)
        action = next(each for each in table.urls.actions() if "selected URLs" in each.text())
        assert not action.isEnabled()
        table.urls.selectRow(1)
        assert action.isEnabled()
        action.trigger()
        await until(lambda: bool(stage.window.findChildren(IgnoreDialog)))
        dialog = ignore_dialog(stage)
        assert dialog.some.isChecked()
        assert dialog.pattern.text() == f"{BASE}/x/*"
        dialog.accept()
        await until(lambda: table.model.loaded and table.model.rowCount() == 2)
        assert [each.pattern for each in table.issue_counts.ignored] == [f"{BASE}/x/b"]

    play(scene)


def test_a_pattern_that_says_nothing_is_refused_in_the_dialog(qtbot: QtBot) -> None:
    dialog = IgnoreDialog(MISSING_TITLE, "Page Titles: Missing")
    qtbot.addWidget(dialog)
    wanted: list[object] = []
    dialog.ignore_wanted.connect(wanted.append)
    dialog.matching.click()
    dialog.accept()
    assert not wanted
    assert "stands for all" in dialog.message.text()
    dialog.pattern.setText(f"{BASE}/*")
    dialog.accept()
    assert wanted == [[IgnoredIssue(MISSING_TITLE, f"{BASE}/*")]]


def test_another_project_begins_without_the_ignored_issues_of_the_last(faulty: TableDesk) -> None:
    table = faulty.table
    table.set_view(ISSUES)
    table.issues.ignored_chosen.connect(table.bar.show_ignored)
    table.issues.ignored_button.setChecked(True)
    table.bar.show_ignored(400)
    table.set_project(None)
    assert not table.issues.shows_ignored
    table.set_view(ISSUES)
    assert not table.bar.filter_.values(IGNORED)


def test_what_is_ignored_is_told_by_its_path(faulty: TableDesk) -> None:
    ignored = faulty.table.issues.ignored
    assert isinstance(ignored.itemDelegateForColumn(1), AddressDelegate)


def test_change_threshold_opens_its_setting(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        with closing(sqlite3.connect(session.path)) as project, project:
            project.execute("INSERT INTO issue_count VALUES (?, 3, 0)", (LONG_TITLE,))
        table = stage.window.workspace.table
        table.show_rows(ISSUES)
        session.tell(state=CrawlState.FINISHED, revision=2)
        await until(lambda: table.issues.table.rule is RULES[LONG_TITLE])
        table.issues.explanation.anchorClicked.emit(QUrl(RuleCommand.THRESHOLD))
        dialog = stage.window.findChild(SettingsDialog)
        assert isinstance(dialog, SettingsDialog)
        shown = [row.field.name for row in dialog.page.rows if row.isVisibleTo(dialog.page)]
        assert "title_max_length" in shown
        assert "max_depth" not in shown
        field = dialog.field("title_max_length").widget
        await until(lambda: field.visibleRegion().boundingRect() == field.rect())
        dialog.field("title_max_length").write(40)
        dialog.accept()
        await until(lambda: session.changed == [{"title_max_length": 40}])
        await until(lambda: session.audits > 0)

    play(scene)


def test_segments_are_listed_with_their_counts_and_lead_to_their_urls(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        project_with_titles_missing(session.path, f"{BASE}/blog/a", f"{BASE}/blog/b", f"{BASE}/c")
        settings = replace(session.settings, segments=("Blog=address contains /blog/",))
        store_settings(session.path, settings)
        session.settings = settings
        space = stage.window.workspace
        space.docks.show_panels(WindowAction.SIDE, shown=True)
        space.side.setCurrentWidget(space.segments)
        session.tell(state=CrawlState.FINISHED, revision=2)
        space.table.issue_counts.use_settings(settings)
        await until(lambda: space.segments.counts() == [("Blog", "2"), ("No segment", "1")])
        space.segments.itemClicked.emit(space.segments.topLevelItem(0), 0)
        await until(lambda: space.table.model.loaded and space.table.model.rowCount() == 2)

    play(scene)


@pytest.fixture
def segmented(faulty: TableDesk) -> TableDesk:
    """The faulty desk with the first two URLs in a segment."""
    for url_id in (1, 2):
        faulty.rows.change(url_id, segment="Docs")
    settings = faulty.table.issue_counts.settings
    segments = ("Docs=address contains /docs/", "Empty=address contains /none/")
    faulty.table.issue_counts.use_settings(replace(settings, segments=segments))
    return faulty


def choose(box: QComboBox, text: str) -> None:
    """Choose an entry as a user does."""
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


def test_segments_can_be_chosen_once_there_are_some(faulty: TableDesk) -> None:
    pane, bar = faulty.table.issues, faulty.table.bar
    assert not pane.segments.isVisibleTo(pane)
    settings = faulty.table.issue_counts.settings
    faulty.table.issue_counts.use_settings(replace(settings, segments=("Docs=depth > 1",)))
    assert pane.segments.isVisibleTo(pane)
    assert not bar.segment_choice.isVisibleTo(bar), "it stands above the issues"
    faulty.table.set_view(View.ALL)
    assert bar.segment_choice.isVisibleTo(bar)
    names = [bar.segment_choice.itemText(i) for i in range(bar.segment_choice.count())]
    assert names == ["All segments", "Docs", "No segment"]


def test_issues_are_those_of_the_chosen_segment_with_their_counts_and_shares(
    segmented: TableDesk,
) -> None:
    pane = segmented.table.issues
    choose(pane.segments, "Docs")
    segmented.until(lambda: issue_column(segmented, 3) == ["2", "1", "2"])
    assert issue_column(segmented, 0)[0] == "Page Titles: Duplicate"
    segmented.until(lambda: issue_column(segmented, 4) == ["100%", "50%", "100%"])
    pane.choose(RULES[CONTAINS_CANONICAL])
    segmented.until(lambda: len(segmented.rows_shown()) == 2)
    choose(pane.segments, "No segment")
    segmented.until(lambda: issue_column(segmented, 3) == ["1", "1"])
    choose(pane.segments, "Empty")
    segmented.until(lambda: not issue_column(segmented, 0))
    assert pane.table.note.text() == "No issues match the filter."
    choose(pane.segments, "All segments")
    segmented.until(lambda: issue_column(segmented, 3) == ["1", "2", "1", "3"])


def test_the_segment_is_the_same_in_all_tabs_and_in_the_tree_of_groups(
    segmented: TableDesk,
) -> None:
    table = segmented.table
    tree = RuleTree(table.issue_counts)
    segmented.qtbot.addWidget(tree)
    tree.show()
    choose(table.issues.segments, "Docs")
    count = tree.index_of(RULES[CONTAINS_CANONICAL]).siblingAtColumn(1)
    segmented.until(lambda: count.data() == "2")
    table.show_rule(RULES[CONTAINS_CANONICAL])
    assert table.bar.segment_choice.currentText() == "Docs"
    segmented.until(lambda: len(segmented.rows_shown()) == 2)
    table.set_view(View.ALL)
    segmented.until(lambda: segmented.rows_shown() == [f"{BASE}/", f"{BASE}/docs/"])
    choose(table.bar.segment_choice, "All segments")
    segmented.until(lambda: len(segmented.rows_shown()) == len(segmented.rows.urls))
    assert table.issues.segments.currentText() == "All segments"


def test_several_segments_of_the_filter_menu_count_together(segmented: TableDesk) -> None:
    table = segmented.table
    table.bar.menu.picked.emit("segment", frozenset({"Docs", ""}))
    assert table.issues.segments.currentText() == "2 segments"
    segmented.until(lambda: issue_column(segmented, 3) == ["1", "2", "1", "3"])


def test_links_to_the_urls_of_an_issue_are_those_of_the_segment(segmented: TableDesk) -> None:
    table = segmented.table.issues.table
    menu = IssueMenu(table, segmented.reader)
    choose(segmented.table.issues.segments, "No segment")
    segmented.until(lambda: issue_column(segmented, 3) == ["1", "1"])
    table.choose(RULES[CONTAINS_CANONICAL])
    with segmented.qtbot.waitSignal(menu.links_wanted) as wanted:
        menu.actions[ViewAction.EXPORT_INLINKS].trigger()
    assert wanted.args == [LinksOf(LinkEnd.INLINKS, (4,))]
