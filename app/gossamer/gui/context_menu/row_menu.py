"""The actions on the selected rows of a table of URLs or links."""

from collections.abc import Callable

from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.context_menu.bulk_action_menu import ActionTarget, BulkActionMenu
from gossamer.gui.context_menu.url_menu import UrlActions, ViewSelection
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.clipboard import RowActions
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.row_kind import LINKS


class RowCommands:
    """The context menu of a table: actions on URLs, on rows, and of the crawl (`bulk`).

    `tell` is called with a message on what was done.
    """

    def __init__(
        self, table: QueryTable, reader: ProjectReader, tell: Callable[[str], None]
    ) -> None:
        kind = table.rows.kind
        chosen = ViewSelection(
            table.selected_rows,
            table.selected_url,
            kind.addresses,
            kind.urls,
            lambda: kind is LINKS or table.may_redirect(),
        )
        without = frozenset() if kind is LINKS else {ViewAction.SHOW_IN_TABLE}
        self.urls = UrlActions(table, reader, chosen, without=without)
        RowActions(table, reader).done.connect(tell)
        self.bulk = BulkActionMenu(
            table,
            reader,
            lambda: ActionTarget(rows=table.selected_rows()),
            kind.urls,
            outcomes=table.selected_outcomes,
        )
        self.bulk.said.connect(tell)
