"""The folder tree: origins, the folders of their URL paths, and the URLs in them."""

from collections.abc import Collection

from PySide6.QtCore import QItemSelection, QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.context_menu.bulk_action_menu import ActionTarget
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.trees.tree_cells import with_status
from gossamer.gui.trees.tree_panel import TreePanel
from gossamer.gui.trees.tree_source import ChildBatch, ChildRequest, Node, SiblingOrder, TreeItem
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.project_queries import FolderNode, TreeNode
from gossamer.urls.url_folders import display_name, display_url, folders


def folder_key(folder_id: int) -> int:
    """The key of a folder: even numbers."""
    return folder_id * 2


def url_key(url_id: int) -> int:
    """The key of a URL: odd numbers."""
    return url_id * 2 + 1


class FolderSource:
    """The source of the Folders tree: folders by name, then URLs in order of discovery."""

    outcomes = frozenset(o for o in Outcome if o.state is not UrlState.SKIPPED)

    def __init__(self) -> None:
        self.in_flight: frozenset[int] = frozenset()

    def key(self, item: TreeItem) -> int:
        """Folders and URLs have ids of their own, so keys tell them apart."""
        return folder_key(item.id) if isinstance(item, FolderNode) else url_key(item.id)

    def rank(self, item: TreeItem) -> SiblingOrder:
        """Folders first."""
        return (0, item.name) if isinstance(item, FolderNode) else (item.id, "")

    def expected(self, item: TreeItem) -> int:
        """Folders and URLs directly in it."""
        return item.subfolders + item.direct if isinstance(item, FolderNode) else 0

    def read_children(self, rows: ProjectRows, request: ChildRequest, limit: int) -> ChildBatch:
        """The next folders by name, then the next URLs by id."""
        parent = request.item.id if request.item else None
        known = {node.item.id for node in request.known if isinstance(node.item, FolderNode)}
        inside = rows.folders(parent, known, limit)
        if parent is None or len(inside) >= limit:
            end = parent is None and len(inside) < limit
            return ChildBatch(request, inside, request.cursor, end=end)
        urls = rows.folder_urls(parent, request.cursor, limit - len(inside))
        cursor = urls[-1].id if urls else request.cursor
        return ChildBatch(request, [*inside, *urls], cursor, end=len(urls) < limit - len(inside))

    def read_items(self, rows: ProjectRows, items: Collection[TreeItem]) -> list[TreeItem]:
        """These folders and URLs, as they are now."""
        folders = rows.folder_nodes([item.id for item in items if isinstance(item, FolderNode)])
        return folders + rows.nodes([item.id for item in items if isinstance(item, TreeNode)])

    def path(self, rows: ProjectRows, url_id: int) -> list[TreeItem]:
        """The folders on the way down to a URL, and the URL."""
        for record in rows.records([url_id]):
            above = rows.folder_nodes(rows.folder_path(folders(record.url)))
            return [*above, *rows.nodes([url_id])] if above else []
        return []

    def text(self, node: Node) -> str:
        """The folder's name, or what a URL adds to the folders it is in."""
        item = node.item
        if isinstance(item, FolderNode):
            return display_url(item.name) if item.parent is None else display_name(item.name)
        if item is None:
            return ""
        start = item.url.find("?")
        name = item.url[item.url.rfind("/", 0, start if start > 0 else None) + 1 :]
        return with_status(display_url(name) or "/", item)

    def count(self, item: TreeItem) -> int:
        """All URLs in and below a folder."""
        return item.urls if isinstance(item, FolderNode) else 0


class FoldersPanel(TreePanel):
    """The folder tree: folders with the number of URLs in and below them; URLs are leaves."""

    folder_selected = Signal(int)
    """The id of the folder that was selected."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(FolderSource(), reader, parent)
        self._opened = False
        self.view.setAccessibleName(self.tr("Folders tree"))
        self.model.updated.connect(self._open_first_site)
        self._update_note()

    def _complete(self) -> None:
        super()._complete()
        self._filter_action = add_view_action(self.view, ViewAction.SHOW_FOLDER, self._want_folder)
        self.view.selectionModel().selectionChanged.connect(self._update_filter_action)
        self._update_filter_action()

    def folder_path(self, folder_id: int) -> str:
        """The address of a folder that was read: "https://example.com/docs/"; "" if unknown."""
        names = []
        index = self.model.index_of(folder_key(folder_id))
        while index.isValid():
            item = self.model.item(index)
            names.append(item.name if isinstance(item, FolderNode) else "")
            index = index.parent()
        return "".join(f"{name}/" for name in reversed(names))

    def _action_target(self) -> ActionTarget | None:
        """The selected folder with all below it, or the selected URL."""
        item = self.model.item(self._selected_index())
        if isinstance(item, FolderNode):
            return ActionTarget(folder=self.folder_path(item.id))
        return None if item is None else ActionTarget(rows=[item.id])

    def _index_of(self, url_id: int) -> QModelIndex:
        return self.model.index_of(url_key(url_id))

    def _start(self) -> None:
        super()._start()
        self._opened = False
        self._update_note()

    def _update_note(self) -> None:
        if self._project is None:
            self._note.show_text(self.tr("The site's folders appear here."))
        else:
            self._note.show_text(self.tr("No folders yet."))

    def _open_first_site(self) -> None:
        index = self.model.index(0, 0)
        if index.isValid() and not self._opened:
            self._opened = True
            self.view.expand(index)

    def _emit_selected(self, selected: QItemSelection) -> None:
        super()._emit_selected(selected)
        if selected.indexes() and not self._is_selecting_quietly:
            self._want_folder()

    def _want_folder(self) -> None:
        item = self.model.item(self._selected_index())
        if isinstance(item, FolderNode):
            self.folder_selected.emit(item.id)

    def _update_filter_action(self) -> None:
        item = self.model.item(self._selected_index())
        self._filter_action.setEnabled(isinstance(item, FolderNode))
