"""Makes the views that a query names: those on tables as views, others as tables of rows.

The rows of the latter are those of an export, made when a query names the view.
"""

from collections.abc import Iterator
from typing import Final

from gossamer.audit.rule_catalogue import RULES, name_key
from gossamer.export.cell_sql import CELL_FUNCTIONS, CHAIN_CELL
from gossamer.export.export_columns import cell_of
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.sheet import Cell, Row
from gossamer.export.view_names import view_named
from gossamer.export.view_sheets import whole_sheet
from gossamer.model.errors import UsageError
from gossamer.model.fields.url_record import URL_EXPORTS
from gossamer.sql_console.live_views import (
    ADDRESS,
    ISSUE_RULES,
    ISSUES,
    RULE_COLUMNS,
    URL_ID,
    column_names,
    live_view,
    view_of,
)
from gossamer.store.reading.reader import Reader
from gossamer.store.sql_console.query_connection import QueryConnection

_FIELDS: Final = {each.name: each for each in URL_EXPORTS}


class ProjectViews:
    """Makes the views of a project on the connection of a query."""

    def __init__(self, connection: QueryConnection, reader: Reader) -> None:
        self._connection = connection
        self._reader = reader
        self._chains: tuple[int, dict[str, Cell]] = (0, {})
        connection.add_function(CHAIN_CELL, 2, self._chain_cell)
        self.headings: dict[str, str] = {}
        """Headings of exports in lower case, and their column names."""
        self._needs_audit = False

    @property
    def is_current(self) -> bool:
        """Whether the audit has decided all issues in the views made so far."""
        return not self._needs_audit or self._reader.audit_state().is_current

    def make(self, name: str) -> bool:
        """Make the view named `name` in a query; False if there is none."""
        live = live_view(name, is_indexed=self._connection.is_indexed)
        if live is not None:
            if name_key(name) == ISSUES:
                self._needs_audit = True
                self._fill_rules()
            for function, (arguments, make) in CELL_FUNCTIONS.items():
                self._connection.add_function(function, arguments, make)
            self._connection.define(name, live.sql)
            return True
        view = view_of(name) or self._view_of_issue(name)
        if view is None or view.build is None:
            return False
        self._needs_audit |= view.needs_audit
        sheet = whole_sheet(self._reader, ExportSelection(view), self._connection.check_time)
        columns = column_names(sheet.columns)
        self.headings |= dict(zip(map(str.lower, sheet.columns), columns, strict=True))
        if columns[0] == ADDRESS:
            self._connection.fill(name, (*columns, URL_ID), self._with_ids(sheet.rows))
        else:
            self._connection.fill(name, columns, sheet.rows)
        return True

    def _with_ids(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The rows, preceded by the ids of their URLs."""
        for row in rows:
            address = row[0]
            yield (*row, self._reader.lookup(address) if isinstance(address, str) else None)

    def _view_of_issue(self, name: str) -> ExportView | None:
        """Issues have views by their names, too: such as `page_titles_missing`."""
        try:
            return view_named(name, lambda: self._reader.summary().settings)
        except UsageError:
            return None

    def _fill_rules(self) -> None:
        settings = self._reader.summary().settings

        def rows() -> Iterator[tuple[Cell, ...]]:
            for number, rule in RULES.items():
                priority = "" if rule.priority is None else rule.priority.value.capitalize()
                kind = rule.kind.value.capitalize()
                yield number, rule.full_name(settings), kind, priority

        self._connection.fill(ISSUE_RULES, RULE_COLUMNS, rows())

    def _chain_cell(self, field: str, url_id: int) -> Cell:
        """A field of the end of a URL's redirects; they are read once for all of its fields."""
        if self._chains[0] != url_id:
            found = self._reader.records([url_id])
            names = ("chain_length", "chain_type", "final_url", "final_status")
            self._chains = (
                url_id,
                {name: cell_of(_FIELDS[name])(found[0]) if found else None for name in names},
            )
        return self._chains[1].get(field)
