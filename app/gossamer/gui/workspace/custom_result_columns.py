"""The columns of custom definitions in the table of URLs, and their tabs."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gossamer.gui.filters.tab_row import TabRow
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.row_kind import URLS
from gossamer.gui.tables.table_columns import custom_spec
from gossamer.gui.tables.table_tabs import CUSTOM_TABS, TabKey, custom_columns
from gossamer.model.project_queries import Column

if TYPE_CHECKING:
    from gossamer.model.custom_definitions import CustomDefinition


class CustomColumns(QObject):
    """Gives a table a column for each custom definition of the crawl.

    The tabs of definitions come in sight.
    """

    def __init__(self, counts: IssueCounts, table: QueryTable, tabs: TabRow) -> None:
        super().__init__(table)
        self._counts = counts
        self._table = table
        self._tabs = tabs
        self._definitions: tuple[CustomDefinition, ...] = ()
        counts.changed.connect(self._use_definitions)

    def of_tab(self, tab: TabKey) -> tuple[Column, ...] | None:
        """The columns of the tab of custom definitions; None for any other tab."""
        return custom_columns(tab, self._definitions) if tab in CUSTOM_TABS else None

    def _use_definitions(self) -> None:
        definitions = self._counts.settings.definitions
        if definitions == self._definitions:
            return
        self._definitions = definitions
        specs = tuple(map(custom_spec, definitions))
        self._table.use_kind(replace(URLS, columns=(*URLS.columns, *specs)))
        self._tabs.reveal(
            tab
            for tab, kind in CUSTOM_TABS.items()
            if any(isinstance(each, kind) for each in definitions)
        )
        if (columns := self.of_tab(self._table.tab)) is not None:
            self._table.use_columns(self._table.tab, columns)
