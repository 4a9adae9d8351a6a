"""What can be done with a URL in any view: copy, open, show elsewhere."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView

from app.gui.icons import icon
from app.gui.models.reader_thread import ProjectReader
from app.gui.models.rows import Rows

OPENABLE: Final = frozenset({"http", "https"})
"""Schemes that are handed to the browser; anything else a page names may start a program."""

_CHUNK: Final = 500


class UrlActions(QObject):
    """The context menu and the shortcuts of a view whose rows are URLs.

    `selected` gives the ids of the selected URLs, the current one first; `possible` tells quickly
    whether there are any, by default whether anything is selected.
    """

    tree_wanted = Signal(int)
    table_wanted = Signal(int)

    def __init__(
        self,
        view: QAbstractItemView,
        reader: ProjectReader,
        selected: Callable[[], list[int]],
        *,
        possible: Callable[[], bool] | None = None,
        tree: bool = True,
        table: bool = True,
    ) -> None:
        super().__init__(view)
        self._reader = reader
        self._selected = selected
        self._possible = possible or view.selectionModel().hasSelection
        self._key = f"addresses {id(self)}"
        self.actions = [
            self._action(
                "copy", self.tr("Copy address"), self._copy, QKeySequence.StandardKey.Copy
            ),
            self._action("external", self.tr("Open in browser"), self._browse, "Ctrl+Return"),
        ]
        if tree:
            action = self._action("site", self.tr("Show in tree"), self._show_in_tree, "Ctrl+T")
            self.actions.append(action)
        if table:
            action = self._action("search", self.tr("Show in table"), self._show_in_table, "Ctrl+L")
            self.actions.append(action)
        for action in self.actions:
            view.addAction(action)
        view.installEventFilter(self)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        view.selectionModel().selectionChanged.connect(self.renew)
        self.renew()

    def renew(self) -> None:
        """Enable what can be done with the present selection."""
        possible = self._possible()
        for action in self.actions:
            action.setEnabled(possible)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Icons have the colours of the palette."""
        if event.type() == QEvent.Type.PaletteChange:
            for action in self.actions:
                action.setIcon(icon(action.objectName()))
        return super().eventFilter(watched, event)

    def _action(
        self,
        name: str,
        text: str,
        slot: Callable[[], None],
        shortcut: QKeySequence.StandardKey | str,
    ) -> QAction:
        action = QAction(icon(name), text, self)
        action.setObjectName(name)
        action.setShortcut(QKeySequence(shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(slot)
        return action

    def _copy(self) -> None:
        ids = self._selected()

        def read(rows: Rows) -> str:
            chunks = (ids[i : i + _CHUNK] for i in range(0, len(ids), _CHUNK))
            return "\n".join(record.url for chunk in chunks for record in rows.records(chunk))

        self._reader.submit(read, QGuiApplication.clipboard().setText, key=self._key)

    def _browse(self) -> None:
        ids = self._selected()[:1]
        self._reader.submit(
            lambda rows: [record.url for record in rows.records(ids)], _open, key=self._key
        )

    def _show_in_tree(self) -> None:
        for url_id in self._selected()[:1]:
            self.tree_wanted.emit(url_id)

    def _show_in_table(self) -> None:
        for url_id in self._selected()[:1]:
            self.table_wanted.emit(url_id)


def _open(urls: list[str]) -> None:
    for text in urls:
        url = QUrl.fromEncoded(text.encode())
        if url.isValid() and url.scheme() in OPENABLE:
            QDesktopServices.openUrl(url)
