"""The context menu of an issue: copy it, ignore it, export its URLs or the links to them."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.issues.issue_table import IssueTable
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.facets import ISSUE, SEGMENT, choose
from gossamer.model.project_queries import Filter, LinkEnd, LinksOf, View


class IssueMenu(QObject):
    """Acts on the chosen issue. `export_wanted` asks to export its URLs, which the table shows.

    `ignore_wanted` asks to ignore it. `links_wanted` carries a LinksOf, `said` a sentence to show.
    """

    export_wanted = Signal()
    ignore_wanted = Signal()
    links_wanted = Signal(object)
    said = Signal(str)

    def __init__(self, table: IssueTable, reader: ProjectReader) -> None:
        super().__init__(table)
        self._table = table
        self._reader = reader
        self.actions = {
            declared: add_view_action(table, declared, act)
            for declared, act in (
                (ViewAction.COPY_ROWS, self._copy),
                (ViewAction.EXPORT_URLS, self.export_wanted.emit),
                (ViewAction.EXPORT_INLINKS, self._export_inlinks),
                (ViewAction.IGNORE_ISSUE, self.ignore_wanted.emit),
            )
        }
        table.rule_chosen.connect(self._enable)
        table.add_layout_actions()
        self._enable()

    def _enable(self) -> None:
        for action in self.actions.values():
            action.setEnabled(self._table.rule is not None)

    def _copy(self) -> None:
        model = self._table.rows
        row = self._table.currentIndex().row()
        if row >= 0:
            cells = [
                str(model.data(model.index(row, column))) for column in range(model.columnCount())
            ]
            QGuiApplication.clipboard().setText("\t".join(cells))
            self.said.emit(self.tr("Issue copied"))

    def _export_inlinks(self) -> None:
        rule = self._table.rule
        if rule is not None:
            those = choose(Filter(), ISSUE, {rule.number})
            those = choose(those, SEGMENT, self._table.segments)
            self._reader.submit(
                lambda rows: LinksOf(LinkEnd.INLINKS, tuple(rows.ids(View.ALL, those))),
                self.links_wanted.emit,
                key=f"inlinks of an issue {id(self)}",
            )
