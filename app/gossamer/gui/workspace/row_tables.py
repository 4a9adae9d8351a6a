"""The tables of URLs and of links, one of them in front."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QStackedWidget

from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.query_table import ColumnLayout, QueryTable
from gossamer.gui.tables.query_table_model import QueryModel
from gossamer.gui.tables.row_kind import LINKS, URLS, QueryRowKind
from gossamer.gui.tables.table_tabs import TABS, TabKey
from gossamer.model.project_queries import View

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_MIN_HEIGHT: Final = 50
"""The minimum height of the rows, with their header."""


class RowTables(QStackedWidget):
    """The table of URLs, and that of links, which is made when it is first needed.

    What is to be done with both is done with `each_made`, so that it does not make the second.
    """

    def __init__(self, reader: ProjectReader, parent: "QWidget | None" = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._for_all: list[Callable[[QueryTable], object]] = []
        self._in_flight: frozenset[int] = frozenset()
        self._links: QueryTable | None = None
        self.setMinimumHeight(_MIN_HEIGHT)
        self.urls = self._make(URLS, View.ALL, self.tr("Addresses"))

    @property
    def links(self) -> QueryTable:
        """The table of links, made if it is not there yet."""
        if self._links is None:
            self._links = self._make(LINKS, View.LINKS, self.tr("Links"))
            self._links.set_layouts(self.urls.layouts())
            self._links.rows.show_in_flight(self._in_flight)
            for do in self._for_all:
                do(self._links)
        return self._links

    def each_made(self, do: Callable[[QueryTable], object]) -> None:
        """Call `do` with each table that is made, now or later."""
        self._for_all.append(do)
        for table in self._made():
            do(table)

    def clear(self) -> None:
        """Forget the project."""
        for table in self._made():
            table.rows.clear()

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """Show in the visible rows which URLs are being fetched."""
        self._in_flight = url_ids
        for table in self._made():
            table.rows.show_in_flight(url_ids)

    def reset_orders(self) -> None:
        """Show each tab in the order of discovery again."""
        for table in self._made():
            table.reset_orders()

    def layouts(self) -> dict[TabKey, ColumnLayout]:
        """The stored columns of each tab."""
        links = {} if self._links is None else self._links.layouts()
        of_links = {tab: layout for tab, layout in links.items() if TABS[tab].view.is_of_links}
        return self.urls.layouts() | of_links

    def set_layouts(self, layouts: Mapping[TabKey, ColumnLayout]) -> None:
        """Columns to use from the next tab on."""
        for table in self._made():
            table.set_layouts(dict(layouts))

    def _made(self) -> list[QueryTable]:
        return [self.urls] if self._links is None else [self.urls, self._links]

    def _make(self, kind: QueryRowKind[Any], tab: TabKey, name: str) -> QueryTable:
        table = QueryTable(QueryModel(self._reader, self, kind), tab)
        table.setAccessibleName(name)
        self.addWidget(table)
        return table
