"""Opening a tree several levels deep, as far as its nodes come in and a view can bear."""

from collections import deque
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QTimer
from PySide6.QtWidgets import QTreeView

from gossamer.gui.trees.lazy_tree import LazyTreeModel

MAX_OPENED: Final = 500
"""Nodes opened in one go. A view looks at all of them anew with each insertion."""

_AT_ONCE: Final = 20
"""Nodes opened before the window may paint again."""

_PATIENCE: Final = 20
"""Answers a node is waited for: one that stays empty has lost its children meanwhile."""

_Entry = tuple[QPersistentModelIndex, int, int]
"""A node, the levels to open from it down, and how many answers it is waited for."""


class TreeExpander(QObject):
    """Opens nodes level by level; children that are not read yet are waited for."""

    def __init__(self, view: QTreeView, model: LazyTreeModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._ready: deque[_Entry] = deque()
        self._unread: list[_Entry] = []
        self._left = 0
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._open_some)
        model.updated.connect(self._look_again)
        model.modelReset.connect(self.stop)

    def expand(self, index: QModelIndex, levels: int) -> None:
        """Open `index` and `levels - 1` levels below it; an invalid index is all top nodes."""
        self.stop()
        self._left = MAX_OPENED
        if index.isValid():
            self._ready.append((QPersistentModelIndex(index), levels, _PATIENCE))
        else:
            self._add_children(index, levels)
        self._next.start()

    def stop(self) -> None:
        """Open no more."""
        self._ready.clear()
        self._unread.clear()
        self._next.stop()

    def _look_again(self) -> None:
        self._ready.extend((index, levels, left - 1) for index, levels, left in self._unread)
        self._unread.clear()
        if self._ready:
            self._next.start()

    def _open_some(self) -> None:
        for _ in range(_AT_ONCE):
            if not self._ready or self._left <= 0:
                break
            place, levels, patience = self._ready.popleft()
            if not place.isValid() or not self._model.hasChildren(place):
                continue
            index = self._model.index(place.row(), 0, place.parent())
            self._view.expand(index)
            if self._model.rowCount(index):
                self._left -= 1
                self._add_children(index, levels - 1)
            elif patience > 0:
                self._unread.append((place, levels, patience))
        if self._left <= 0:
            self.stop()
        elif self._ready:
            self._next.start()

    def _add_children(self, index: QModelIndex, levels: int) -> None:
        if levels <= 0:
            return
        for row in range(min(self._model.rowCount(index), MAX_OPENED)):
            child = QPersistentModelIndex(self._model.index(row, 0, index))
            self._ready.append((child, levels, _PATIENCE))
