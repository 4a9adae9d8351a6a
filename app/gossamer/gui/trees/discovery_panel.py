"""The Discovery tree: what was found where."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.trees.discovery_tree import DiscoverySource
from gossamer.gui.trees.tree_panel import TreePanel
from gossamer.model.project_queries import TreeNode

_OPENED_AT_FIRST = 5
"""Levels opened by themselves: a root, and the targets of the redirects it answers with."""


class DiscoveryPanel(TreePanel):
    """Pages under the page they were first found on, a redirect's target under the redirect."""

    found_on_wanted = Signal(int)
    """Show what was found on this URL in the table."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(DiscoverySource(), reader, parent)
        self._opened: set[int] = set()
        self.view.setAccessibleName(self.tr("Discovery tree"))
        self._filter = QAction(
            icon("filter"), self.tr("Show only what was found here in the table"), self
        )
        self._filter.triggered.connect(self._tell_found_on)
        self.view.addAction(self._filter)
        self.view.selectionModel().selectionChanged.connect(self._renew_filter)
        self.model.updated.connect(self._open_top)
        self._renew_filter()
        self._say()

    def _tell_found_on(self) -> None:
        for url_id in self._selected():
            self.found_on_wanted.emit(url_id)

    def _renew_filter(self) -> None:
        self._filter.setEnabled(bool(self._selected()))

    def _start(self) -> None:
        super()._start()
        self._opened.clear()
        self._say()

    def _say(self) -> None:
        if self._project is None:
            self._note.say(self.tr("Each page appears here, below the page it was found on."))
        else:
            self._note.say(self.tr("No page yet."))

    def _open_top(self) -> None:
        """Open the first root once, so that a crawl is seen to grow; on through redirects."""
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
