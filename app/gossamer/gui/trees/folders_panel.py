"""The Folders tree: sites, the folders of their paths, and the URLs in them."""

from PySide6.QtCore import QItemSelection, QModelIndex, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.trees.folder_tree import FolderSource, folder_key, url_key
from gossamer.gui.trees.tree_panel import TreePanel
from gossamer.gui.url_menu.url_crawl_actions import Aim
from gossamer.model.project_queries import FolderNode


class FoldersPanel(TreePanel):
    """Folders with the number of URLs in and below them; URLs are leaves."""

    folder_selected = Signal(int)
    """The id of the folder that was selected."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(FolderSource(), reader, parent)
        self._opened = False
        self.view.setAccessibleName(self.tr("Folders tree"))
        self._filter = QAction(icon("filter"), self.tr("Show only this folder in the table"), self)
        self._filter.triggered.connect(self._tell_folder)
        self.view.addAction(self._filter)
        self.view.selectionModel().selectionChanged.connect(self._renew_filter)
        self.model.updated.connect(self._open_top)
        self._renew_filter()
        self._say()

    def folder_path(self, folder_id: int) -> str:
        """The address of a folder that was read: "https://example.com/docs/"; "" if unknown."""
        names = []
        index = self.model.index_of(folder_key(folder_id))
        while index.isValid():
            item = self.model.item(index)
            names.append(item.name if isinstance(item, FolderNode) else "")
            index = index.parent()
        return "".join(f"{name}/" for name in reversed(names))

    def _aim(self) -> Aim | None:
        """The selected folder with all below it, or the selected URL."""
        item = self.model.item(self._selected_index())
        if isinstance(item, FolderNode):
            return Aim(folder=self.folder_path(item.id))
        return None if item is None else Aim(rows=[item.id])

    def _index_of(self, url_id: int) -> QModelIndex:
        return self.model.index_of(url_key(url_id))

    def _start(self) -> None:
        super()._start()
        self._opened = False
        self._say()

    def _say(self) -> None:
        if self._project is None:
            self._note.say(self.tr("The folders of the website appear here."))
        else:
            self._note.say(self.tr("No folder yet."))

    def _open_top(self) -> None:
        """Open the first site once."""
        index = self.model.index(0, 0)
        if index.isValid() and not self._opened:
            self._opened = True
            self.view.expand(index)

    def _tell(self, selected: QItemSelection) -> None:
        super()._tell(selected)
        if selected.indexes() and not self._quiet:
            self._tell_folder()

    def _tell_folder(self) -> None:
        item = self.model.item(self._selected_index())
        if isinstance(item, FolderNode):
            self.folder_selected.emit(item.id)

    def _renew_filter(self) -> None:
        item = self.model.item(self._selected_index())
        self._filter.setEnabled(isinstance(item, FolderNode))
