"""The panel with the tables of URLs and links, their tabs, filters and summary line."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QSplitter, QWidget

from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.gui.actions.view_actions import FilterAction
from gossamer.gui.context_menu.row_menu import RowCommands
from gossamer.gui.context_menu.url_menu import UrlActions
from gossamer.gui.filters.chip_names import ChipNames
from gossamer.gui.filters.facet_menu import FacetCounter
from gossamer.gui.filters.filter_bar import FilterBar
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.issues_area import IssuesArea
from gossamer.gui.issues.rule_tree import CountedRows
from gossamer.gui.project.project_panel import ProjectPanel
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.query_rows import TableQuery
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.query_table_model import QueryModel
from gossamer.gui.tables.row_count_line import SelectionTotals
from gossamer.gui.tables.saved_layouts import decode_tables, encode_tables
from gossamer.gui.tables.table_tabs import ISSUES, TABS, TabKey, page_about_tab
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.gui.workspace.dynamic_columns import DynamicColumns, WantedColumns
from gossamer.gui.workspace.row_tables import RowTables
from gossamer.gui.workspace.table_status import TableStatus
from gossamer.model.facets import IGNORED, without
from gossamer.model.project_queries import MAX_LINKS, Filter, Order, Table, View

if TYPE_CHECKING:
    from gossamer.gui.issues.issues_pane import IssuesPane


class TablePanel(ProjectPanel):
    """The tables of the tabs, with their filters and sort orders; in the Issues tab, the issues."""

    def __init__(
        self, reader: ProjectReader, parent: QWidget | None = None, *, max_links: int = MAX_LINKS
    ) -> None:
        """The reader returns at most `max_links` links."""
        super().__init__(reader, parent)
        self.issue_counts = IssueCounts(reader, self)
        self.bar = FilterBar(self.issue_counts)
        self.issues_area = IssuesArea(self.issue_counts)
        self._shown_tab = self.bar.tab
        self._shown_view = self.bar.view
        self._current: int | None = None
        self._wanted_url: int | None = None
        self._is_result_due = False
        """Whether the next rows are the result of a query rather than of a refresh."""
        self._unfinished_parts = 0
        self._facets = FacetCounter(
            reader, self.bar.menu, lambda: (self.bar.view, self.bar.filter_)
        )
        self._chip_names = ChipNames(reader, self.bar)
        self.tables = RowTables(reader)
        self.urls = self.tables.urls
        self._added = DynamicColumns(self.issue_counts, self.urls, self.bar.tab_row)
        self._status = TableStatus(
            reader, self.bar, self.tables, lambda: (self._shown_view, self.view), max_links
        )
        self.summary = self._status.summary
        self._url_actions: dict[QueryTable, UrlActions] = {}
        self._totals = SelectionTotals(reader, self.summary, lambda: self.view)
        self._shortcut = QShortcut(QKeySequence(FilterAction.FILTER_ROWS.value.shortcut), self)
        self._shortcut.activated.connect(self.bar.focus_field)
        self._lay_out()
        self.tables.each_made(self._connect_table)
        self.bar.changed.connect(self._apply_query)
        self.bar.columns_wanted.connect(self._offer_columns)
        self.issues_area.rule_chosen.connect(self._show_issue)
        self.issues_area.urls_wanted.connect(self._enter_rows)
        self.bar.text.left_by_escape.connect(
            lambda: self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        )
        self._status.update_note()

    @property
    def view(self) -> QueryTable:
        """The front table."""
        return self.tables.links if self._shown_view.is_of_links else self.urls

    @property
    def model(self) -> QueryModel:
        """The rows of the front table."""
        return self.view.rows

    @property
    def issues(self) -> "IssuesPane":
        """The issues of the Issues tab; reading them makes them."""
        return self.issues_area.pane

    @property
    def url_actions(self) -> UrlActions:
        """The actions on the URLs of the front table."""
        return self._url_actions[self.view]

    # ------------------------------------------------------------ for others

    def shown(self) -> Table:
        """Exactly what is shown: rows, order, and columns from left to right."""
        view = self.view
        return Table(self._shown_view, self.bar.filter_, view.order(), view.queried_columns())

    def show_rows(
        self, tab: TabKey, filter_: Filter | None = None, order: Order | None = None
    ) -> None:
        """Show the rows of a tab that pass the filter, with all other filters there cleared.

        With an `order`, sorted so; otherwise as this tab was sorted last.
        """
        if order is not None:
            self._switch_tab(tab, TABS[tab].view)
            self.view.set_order(order)
        self.bar.show_rows(tab, filter_ or Filter())

    def show_rule(self, target: RuleGroup | SiteRule | CountedRows) -> None:
        """Show the URLs of a group in its tab, or of one of its rules or custom definitions."""
        if isinstance(target, CountedRows):
            self.bar.show_counted(target.tab, target.filter_)
        elif isinstance(target, SiteRule):
            self.bar.show_rule(target.group, target.number)
        else:
            self.bar.show_rule(target, None)

    def select_url(self, url_id: int) -> None:
        """Select a URL; if the current tab or filter hides it, show all URLs."""
        self._wanted_url = url_id
        if self._shown_view.is_of_links:
            self.bar.show_rows(View.ALL, Filter())
        if self.model.loaded:
            self._select_wanted_url()

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """Show it in the visible rows."""
        self.tables.show_in_flight(url_ids)

    def follow(self, url_id: int) -> None:
        """Mark the row of a URL that was selected elsewhere, or none if it has none here."""
        self._current, self._wanted_url = url_id, None
        known = self.model.loaded and not self._shown_view.is_of_links
        row = self.model.row_of(url_id) if known else -1
        if row >= 0:
            self.view.show_row(row)
        else:
            self.view.selectionModel().clear()

    def set_folder(self, folder_id: int | None, name: str = "") -> None:
        """Show only URLs in this folder and below; `name` says which that is."""
        self.bar.set_folder(folder_id, name)

    def set_found_on(self, url_id: int) -> None:
        """Show only URLs that were first found on this one."""
        self.bar.set_found_on(url_id)

    def set_ended(self, *, ended: bool) -> None:
        """Set whether the crawl has ended, so that no more rows will come."""
        self._status.set_ended(ended=ended)

    def set_view(self, tab: TabKey) -> None:
        """Switch to a tab."""
        self.bar.set_view(tab)

    def reset_view(self) -> None:
        """Another project: what was sought in one is seldom what the next one has."""
        self.tables.reset_orders()
        self.set_view(View.ALL)

    def take_up(self, before: "TablePanel") -> None:
        """Show the rows that another panel shows of the same project."""
        tab, shown = before.bar.tab, before.shown()
        if (rule := before.issues_area.rule) is not None:
            self.issues.choose(rule)
        # What the Issues tab lists as ignored is chosen there anew.
        self.bar.show_saved(
            tab, without(shown.filter_, IGNORED) if tab == ISSUES else shown.filter_
        )

    def lists(self, url_id: int) -> bool:
        """Whether the row of a URL is among those that were read."""
        return not self._shown_view.is_of_links and self.model.row_of(url_id) >= 0

    def save_state(self) -> bytes:
        """The tab, the tabs in sight, and for each tab its columns, widths and order."""
        self.view.remember_columns()
        return encode_tables(self._shown_tab, self.bar.tab_row.in_sight(), self.tables.layouts())

    def restore_state(self, state: bytes) -> None:
        """Apply a layout from `save_state`; an unusable one is ignored."""
        saved = decode_tables(state)
        if saved is None:
            return
        self.tables.set_layouts(saved.layouts)
        self._use_columns()
        self.bar.tab_row.show_tabs(saved.in_sight)
        self.set_view(saved.tab)

    # --------------------------------------------------------------- reading

    def _start(self) -> None:
        self._current, self._wanted_url, self._unfinished_parts = None, None, 0
        self._facets.set_project(has_project=self._project is not None)
        self.issue_counts.set_project(self._project)
        self.tables.clear()
        self.issues_area.hide_ignored()
        self.bar.forget_names()
        self.bar.show_all()
        self._status.begin(has_project=self._project is not None)
        if self._project is not None:
            self.refresh()

    def _read(self) -> None:
        self._unfinished_parts = 2
        self.issue_counts.refresh()
        self.model.refresh()
        self._reader.submit(
            lambda rows: rows.view_counts(),
            self._take_counts,
            key=f"table counts {id(self)}",
            on_failure=self._finish_part,
            background=True,
        )
        self._unfinished_parts += self._facets.refresh(self._finish_part)

    def _finish_part(self) -> None:
        """A refresh is over when rows, counts and the values in an open menu are."""
        self._unfinished_parts -= 1
        if self._unfinished_parts == 0:
            self._refresh.finished()

    def _take_counts(self, counts: dict[View, int]) -> None:
        self._status.set_counts(counts)
        self._status.update_count()
        self._finish_part()

    def _apply_query(self) -> None:
        """Show the rows for the current tab, filter and header."""
        turned = self.bar.view is not self._shown_view
        self._switch_tab(self.bar.tab, self.bar.view)
        self._added.arrange_again(self.view, self._wanted_columns())
        if self._project is not None:
            self._chip_names.read()
        query = TableQuery(self._shown_view, self.bar.filter_, self.view.order())
        if self._project is None:
            return
        if query != self.model.query or not self.model.loaded:
            self._is_result_due = True
            self.model.ask(query)
            self._status.expect_rows()
        elif turned:
            # While another table was in front, this one was not refreshed, nor its selection.
            self.refresh()
            self._mark_current()

    def _switch_tab(self, tab: TabKey, view: View) -> None:
        if tab == self._shown_tab:
            self._shown_view = view
            return
        self.view.remember_columns()
        self._shown_tab, self._shown_view = tab, view
        explain(self, page_about_tab(tab))
        self.issues_area.setVisible(tab == ISSUES)
        self._use_columns()
        self.view.scrollToTop()
        self.tables.setCurrentWidget(self.view)
        self._totals.update_now()

    def _use_columns(self) -> None:
        """Show the columns of the chosen issue, of custom definitions, or those of the tab."""
        self._added.arrange(self.view, self._wanted_columns())

    def _wanted_columns(self) -> WantedColumns:
        tab = self._shown_tab
        return WantedColumns(tab, self.bar.rule_in(tab), self.bar.filter_.search)

    def _show_issue(self, rule: SiteRule | None) -> None:
        """Show the URLs of the issue that was chosen in the Issues tab."""
        if self._shown_tab == ISSUES:
            self.bar.choose_rule(None if rule is None else rule.number)
            self.view.scrollToTop()

    def _enter_rows(self) -> None:
        """Move the keyboard to the rows."""
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.view.currentIndex().isValid() and self.model.rowCount():
            self.view.select_only(0)

    def _take_rows(self) -> None:
        self.bar.text.show_error("")
        self._status.update()
        self._totals.update_if_changed()
        if self._wanted_url is not None and self.model.loaded:
            self._select_wanted_url()
        if self._is_result_due and self.model.loaded:
            self._is_result_due = False
            if not self.view.selected_count():
                self._mark_current()

    def _mark_current(self) -> None:
        """Mark the URL that the details show, if this table has its row."""
        row = -1 if self._current is None else self.model.row_of(self._current)
        if row < 0 or self._shown_view.is_of_links:
            return
        if not self.view.selectionModel().isRowSelected(row, QModelIndex()):
            self.view.show_row(row)

    def _select_wanted_url(self) -> None:
        """Select the sought URL, or switch to where it can be found."""
        if self._wanted_url is None or self._shown_view.is_of_links:
            return
        row = self.model.row_of(self._wanted_url)
        if row >= 0:
            # Not news: the caller knows.
            self._current, self._wanted_url = self._wanted_url, None
            self.view.show_row(row)
        elif self.bar.view is View.ALL and self.bar.filter_ == Filter():
            self._wanted_url = None
        else:
            self.bar.show_rows(View.ALL, Filter())

    def _emit_selected(self) -> None:
        """Report the current row once it is marked: the focus alone makes a row current too."""
        current = self.view.currentIndex()
        if not current.isValid() or not self.view.selectionModel().isSelected(current):
            return
        url_id = self.model.url_id(current.row())
        if url_id is not None and url_id != self._current:
            self._current = url_id
            self.url_selected.emit(url_id)

    def _activate(self, index: QModelIndex) -> None:
        url_id = self.model.url_id(index.row())
        if url_id is not None:
            self.url_activated.emit(url_id)
            if self.bar.rule is not None:
                self.inlinks_wanted.emit(url_id)

    # -------------------------------------------------------------- assembly

    def _connect_table(self, table: QueryTable) -> None:
        actions = RowCommands(table, self._reader, self.summary.show_message)
        self._url_actions[table] = actions.urls
        actions.urls.tree_wanted.connect(self.tree_wanted)
        actions.urls.inlinks_wanted.connect(self.inlinks_wanted)
        actions.urls.rendering_wanted.connect(self.rendering_wanted)
        actions.urls.table_wanted.connect(self.select_url)
        actions.urls.url_wanted.connect(self.select_url)
        actions.urls.url_wanted.connect(self.url_selected)
        actions.bulk.wanted.connect(self.bulk_action_wanted)
        table.add_layout_actions()
        table.order_changed.connect(self._apply_query)
        table.rows.updated.connect(self._take_rows)
        table.rows.finished.connect(self._finish_part)
        table.rows.refused.connect(self.bar.text.show_error)
        table.rows.refused.connect(lambda _: self._status.note_refusal())
        table.selectionModel().currentRowChanged.connect(lambda *_: self._emit_selected())
        table.selectionModel().selectionChanged.connect(lambda *_: self._emit_selected())
        table.selectionModel().selectionChanged.connect(self._totals.update_soon)
        table.activated.connect(self._activate)

    def _offer_columns(self, at: QPoint) -> None:
        self.view.choose_columns(at)

    def _lay_out(self) -> None:
        explain(self, page_about_tab(self._shown_tab))
        self.issues_area.hide()
        lower = column_of(self.bar, self.tables, self.summary, filling=self.tables)
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setObjectName("issues-and-urls")
        parts.setChildrenCollapsible(False)
        parts.addWidget(self.issues_area)
        parts.addWidget(lower)
        column_of(self.bar.tab_row, parts, filling=parts, inside=self)
