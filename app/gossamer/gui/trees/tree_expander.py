"""Expands a tree several levels deep as its nodes load, up to a limit."""

from collections import deque
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QTimer
from PySide6.QtWidgets import QTreeView

from gossamer.gui.trees.lazy_tree import LazyTreeModel

MAX_OPENED: Final = 500
"""Nodes opened in one go. A view examines all of them again with each insertion."""

_BATCH: Final = 20
"""Nodes opened before the window may paint again."""

_MAX_WAITS: Final = 20
"""Results that a node is waited for: one that stays empty has lost its children meanwhile."""

_Entry = tuple[QPersistentModelIndex, int, int]
"""A node, the levels to open from it down, and for how many results it is waited for."""


class TreeExpander(QObject):
    """Expands nodes level by level, waiting for children to load."""

    def __init__(
        self, view: QTreeView, model: LazyTreeModel, *, max_opened: int = MAX_OPENED
    ) -> None:
        super().__init__(view)
        self._max_opened = max_opened
        self._view = view
        self._model = model
        self._ready: deque[_Entry] = deque()
        self._unread: list[_Entry] = []
        self._budget = 0
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._expand_some)
        model.updated.connect(self._retry_unread)
        model.modelReset.connect(self.stop)

    def expand(self, index: QModelIndex, levels: int) -> None:
        """Open `index` and `levels - 1` levels below it; an invalid index means all top nodes."""
        self.stop()
        self._budget = self._max_opened
        if index.isValid():
            self._ready.append((QPersistentModelIndex(index), levels, _MAX_WAITS))
        else:
            self._add_children(index, levels)
        self._next.start()

    def stop(self) -> None:
        """Open no more."""
        self._ready.clear()
        self._unread.clear()
        self._next.stop()

    def _retry_unread(self) -> None:
        self._ready.extend((index, levels, left - 1) for index, levels, left in self._unread)
        self._unread.clear()
        if self._ready:
            self._next.start()

    def _expand_some(self) -> None:
        for _ in range(_BATCH):
            if not self._ready or self._budget <= 0:
                break
            place, levels, patience = self._ready.popleft()
            if not place.isValid() or not self._model.hasChildren(place):
                continue
            index = self._model.index(place.row(), 0, place.parent())
            self._view.expand(index)
            if self._model.rowCount(index):
                self._budget -= 1
                self._add_children(index, levels - 1)
            elif patience > 0:
                self._unread.append((place, levels, patience))
        if self._budget <= 0:
            self.stop()
        elif self._ready:
            self._next.start()

    def _add_children(self, index: QModelIndex, levels: int) -> None:
        if levels <= 0:
            return
        for row in range(min(self._model.rowCount(index), self._max_opened)):
            child = QPersistentModelIndex(self._model.index(row, 0, index))
            self._ready.append((child, levels, _MAX_WAITS))
