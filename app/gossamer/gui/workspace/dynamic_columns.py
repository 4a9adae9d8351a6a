"""The changing columns and tabs of the table of URLs: custom definitions, evidence."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from gossamer.audit.site_rule import RuleGroup
from gossamer.gui.filters.tab_row import TabRow
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.issue_evidence import with_evidence
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.row_kind import URLS
from gossamer.gui.tables.table_columns import custom_spec
from gossamer.gui.tables.table_tabs import (
    CUSTOM_TABS,
    ISSUES,
    TABS,
    TabKey,
    custom_columns,
    evidence_columns,
    rule_columns,
)
from gossamer.gui.workspace.excerpt_column import with_excerpts
from gossamer.model.project_queries import Column
from gossamer.model.search_query import EXCERPT

if TYPE_CHECKING:
    from gossamer.audit.site_rule import SiteRule
    from gossamer.model.custom_definitions import CustomDefinition
    from gossamer.model.search_query import Search
    from gossamer.model.settings.crawl_settings import CrawlSettings


class WantedColumns(NamedTuple):
    """What decides which columns a table has: its tab, the rule chosen there, and the search."""

    tab: TabKey
    rule: "SiteRule | None"
    search: "Search | None"

    @property
    def arrangement(self) -> "tuple[TabKey, SiteRule | None, bool]":
        """The same for all searches."""
        return self.tab, self.rule, self.search is not None


class DynamicColumns(QObject):
    """Gives a table a column for each custom definition of the crawl.

    Their tabs become visible, and those for what a crawl does only on request.

    While texts are searched, it adds a column with the excerpts found.

    While the URLs of an issue are listed, in the Issues tab or in that of its group, it also adds
    those with its evidence.
    """

    def __init__(self, counts: IssueCounts, table: QueryTable, tabs: TabRow) -> None:
        super().__init__(table)
        self._counts = counts
        self._table = table
        self._tabs = tabs
        self._definitions: tuple[CustomDefinition, ...] = ()
        self._rule: SiteRule | None = None
        self._search: Search | None = None
        """The search; the reader thread reads it, too."""
        self._has_excerpts = False
        self._arranged: tuple[TabKey, SiteRule | None, bool] | None = None
        self._tabs_of_crawl: frozenset[TabKey] = frozenset()
        counts.changed.connect(self._use_settings)

    def of_tab(self, tab: TabKey) -> tuple[Column, ...] | None:
        """The columns of the tab of custom definitions; None for any other tab."""
        return custom_columns(tab, self._definitions) if tab in CUSTOM_TABS else None

    def arrange(self, view: QueryTable, wanted: "WantedColumns") -> None:
        """Show the columns of a tab, of the rule that is chosen there, or of its evidence.

        While texts are searched, the excerpt follows the address.
        """
        tab, rule, search = wanted
        self._arranged = wanted.arrangement
        self._show_added(rule, search)
        if rule is None:
            columns = self.of_tab(tab)
        elif tab == ISSUES:
            columns = rule_columns(rule)
        else:
            columns = _with_evidence(TABS[tab].columns, rule)
        view.use_columns(tab, columns)
        if search is not None and view is self._table:
            # A layout without this column shows it.
            first, *others = (each for each in view.shown_columns() if each != EXCERPT)
            view.use_columns(tab, (first, EXCERPT, *others))

    def arrange_again(self, view: QueryTable, wanted: "WantedColumns") -> None:
        """Show these columns, if they differ from those wanted in the tab before."""
        self._search = wanted.search
        if wanted.arrangement != self._arranged:
            if self._rule is None and not self._has_excerpts:
                view.remember_columns()
            self.arrange(view, wanted)

    def _show_added(self, rule: "SiteRule | None", search: "Search | None") -> None:
        rule = None if rule is None or rule.evidence is None else rule
        self._search, has_excerpts = search, search is not None
        if rule is not self._rule or has_excerpts != self._has_excerpts:
            self._rule, self._has_excerpts = rule, has_excerpts
            self._use_kind()

    def _use_settings(self) -> None:
        settings = self._counts.settings
        tabs = _tabs_of(settings)
        self._tabs.reveal(tab for tab in TABS if tab in tabs - self._tabs_of_crawl)
        self._tabs_of_crawl = tabs
        if settings.definitions != self._definitions:
            self._use_definitions(settings.definitions)

    def _use_definitions(self, definitions: "tuple[CustomDefinition, ...]") -> None:
        self._definitions = definitions
        self._use_kind()
        if (columns := self.of_tab(self._table.tab)) is not None:
            self._table.use_columns(self._table.tab, columns)

    def _use_kind(self) -> None:
        specs = map(custom_spec, self._definitions)
        kind = replace(URLS, columns=(*URLS.columns, *specs))
        if self._rule is not None:
            kind = with_evidence(kind, self._rule)
        if self._has_excerpts:
            kind = with_excerpts(kind, lambda: self._search)
        self._table.use_kind(kind)


def _tabs_of(settings: "CrawlSettings") -> frozenset[TabKey]:
    """The tabs that are about what these settings want."""
    wanted: dict[TabKey, bool] = {
        RuleGroup.JAVASCRIPT: settings.renders_pages,
        RuleGroup.ACCESSIBILITY: settings.checks_accessibility,
    }
    for tab, kind in CUSTOM_TABS.items():
        wanted[tab] = any(isinstance(each, kind) for each in settings.definitions)
    return frozenset(tab for tab, is_wanted in wanted.items() if is_wanted)


def _with_evidence(columns: Sequence[Column], rule: "SiteRule") -> tuple[Column, ...] | None:
    """The columns of a tab with the evidence of a rule after the address; None if it has none."""
    first, *others = columns
    evidence = evidence_columns(rule)
    return (first, *evidence, *others) if evidence else None
