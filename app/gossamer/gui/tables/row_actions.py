"""What can be done with the rows of a table beside what can be done with any URL."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence

from gossamer.gui.look.icons import icon
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.tsv import MAX_COPIED, tsv


class RowActions(QObject):
    """Copies the selected rows with the columns in sight. `done` says so in a sentence.

    In the context menu it stands before the action `before`.
    """

    done = Signal(str)

    def __init__(self, view: QueryTable, reader: ProjectReader, before: QAction) -> None:
        super().__init__(view)
        self._before = before
        self._view = view
        self._reader = reader
        self.copy = self._action(self.tr("Copy rows for a spreadsheet"), self._copy, "Ctrl+Shift+C")
        view.selectionModel().selectionChanged.connect(self._renew)
        self._renew()

    def _action(self, text: str, slot: Callable[[], None], shortcut: str) -> QAction:
        action = QAction(icon("copy"), text, self)
        action.setShortcut(QKeySequence(shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(slot)
        self._view.insertAction(self._before, action)
        return action

    def _renew(self) -> None:
        self.copy.setEnabled(self._view.selectionModel().hasSelection())

    def _copy(self) -> None:
        ids, columns = self._view.selected_rows(), self._view.shown_columns()
        subject = self._view.rows.subject
        count = len(ids)

        def take(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            words = self.tr("%Ln row(s) copied", "", count)
            if count > MAX_COPIED:
                words = self.tr("The first %Ln rows copied; export for all", "", MAX_COPIED)
            self.done.emit(words)

        self._reader.submit(
            lambda rows: tsv(rows, subject, ids, columns), take, key=f"copied rows {id(self)}"
        )
