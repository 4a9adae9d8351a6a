"""The discovery tree: each URL below the URL on which it was first found."""

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.trees.tree_cells import relative_address, with_status
from gossamer.gui.trees.tree_panel import TreePanel
from gossamer.gui.trees.tree_source import ChildBatch, ChildRequest, Node, SiblingOrder, TreeItem
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import TreeNode


class DiscoverySource:
    """The source of the Discovery tree. Keys are URL ids."""

    outcomes = frozenset(Outcome)

    def __init__(self) -> None:
        self.in_flight: frozenset[int] = frozenset()

    def key(self, item: TreeItem) -> int:
        """The id of the URL."""
        return item.id

    def rank(self, item: TreeItem) -> SiblingOrder:
        """In order of discovery."""
        return item.id, ""

    def expected(self, item: TreeItem) -> int:
        """The number of URLs first found there."""
        return item.children if isinstance(item, TreeNode) else 0

    def read_children(self, rows: ProjectRows, request: ChildRequest, limit: int) -> ChildBatch:
        """The next children by id."""
        parent = request.item.id if request.item else None
        items = rows.children(parent, request.cursor, limit)
        cursor = items[-1].id if items else request.cursor
        return ChildBatch(request, items, cursor, end=len(items) < limit)

    def read_items(self, rows: ProjectRows, items: Collection[TreeItem]) -> list[TreeItem]:
        """These URLs, as they are now."""
        return list(rows.nodes([item.id for item in items]))

    def path(self, rows: ProjectRows, url_id: int) -> list[TreeItem]:
        """The URLs on the way of discovery."""
        return list(rows.nodes(rows.path_to(url_id)))

    def text(self, node: Node) -> str:
        """A path on the same site, else the whole address; with the status where it is unusual."""
        item = node.item
        above = node.parent.item if node.parent else None
        if not isinstance(item, TreeNode):
            return ""
        return _name(item, above.url if isinstance(above, TreeNode) else None)

    def count(self, item: TreeItem) -> int:
        """The number of URLs first found there."""
        return self.expected(item)


def _name(item: TreeNode, above: str | None) -> str:
    """The name of a URL below the URL `above` (None: at the top).

    A path on the same site, else the whole address; redirects and errors with their status:
    "/docs/", "301 /old → /new", "404 /gone", "Timeout /slow".
    """
    name = relative_address(item.url, above)
    if above is None and name.count("/") <= 3 and name.endswith("/"):  # noqa: PLR2004 - scheme://host/
        name = name.rstrip("/")
    return with_status(name, item)


_OPENED_AT_FIRST = 5
"""Levels opened automatically: a root, and the targets of its redirects."""


class DiscoveryPanel(TreePanel):
    """The discovery tree: pages below the page they were found on, targets below redirects."""

    found_on_wanted = Signal(int)
    """Show what was found on this URL in the table."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(DiscoverySource(), reader, parent)
        self._opened: set[int] = set()
        self.view.setAccessibleName(self.tr("Discovery tree"))
        self.model.updated.connect(self._open_first_root)
        self._update_note()

    def _complete(self) -> None:
        super()._complete()
        self._filter_action = add_view_action(
            self.view, ViewAction.SHOW_FOUND_HERE, self._want_found_on
        )
        self.view.selectionModel().selectionChanged.connect(self._update_filter_action)
        self._update_filter_action()

    def _want_found_on(self) -> None:
        for url_id in self._selected():
            self.found_on_wanted.emit(url_id)

    def _update_filter_action(self) -> None:
        self._filter_action.setEnabled(bool(self._selected()))

    def _start(self) -> None:
        super()._start()
        self._opened.clear()
        self._update_note()

    def _update_note(self) -> None:
        if self._project is None:
            self._note.show_text(
                self.tr("Pages appear here, each below the page it was first found on.")
            )
        else:
            self._note.show_text(self.tr("No pages yet."))

    def _open_first_root(self) -> None:
        """Open the first root once, through redirects, so that the crawl is seen to grow."""
        index = self.model.index(0, 0)
        for _ in range(_OPENED_AT_FIRST):
            if not index.isValid() or not self.model.hasChildren(index):
                return
            if index.internalId() not in self._opened:
                self._opened.add(index.internalId())
                self.view.expand(index)
            item = self.model.item(index)
            if not isinstance(item, TreeNode) or not item.outcome.is_redirect:
                return
            index = self.model.index(0, 0, index)
