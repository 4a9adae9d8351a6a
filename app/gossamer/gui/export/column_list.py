"""The list of columns in the export form."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from gossamer.gui.look import theme

_BOX: Final = 22
"""The minimum height of a row: a check box and some margin."""
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class ColumnList(QListWidget):
    """A list of columns with check boxes. Drag or Alt+arrow moves one; Space checks it."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setUniformItemSizes(True)
        self.itemChanged.connect(lambda _: self.changed.emit())
        self.model().rowsMoved.connect(lambda *_: self.changed.emit())

    def chosen(self) -> tuple[str, ...]:
        """The checked names, in order."""
        return tuple(
            item.text() for item in self._items() if item.checkState() is Qt.CheckState.Checked
        )

    def names(self) -> tuple[str, ...]:
        """All names, checked or not."""
        return tuple(item.text() for item in self._items())

    def set_names(self, names: Sequence[str], chosen: Sequence[str]) -> None:
        """Show `chosen` first, checked, and then the other `names`. Does not emit `changed`."""
        blocked = self.blockSignals(True)
        self.clear()
        for name in (*chosen, *(name for name in names if name not in chosen)):
            item = QListWidgetItem(name, self)
            item.setSizeHint(QSize(0, max(_BOX, self.fontMetrics().height() + theme.SPACE_S)))
            item.setFlags(
                Qt.ItemFlag.ItemIsEnabled
                | Qt.ItemFlag.ItemIsSelectable
                | Qt.ItemFlag.ItemIsUserCheckable
                | Qt.ItemFlag.ItemIsDragEnabled
            )
            item.setCheckState(Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked)
        self.setCurrentRow(0)
        self.blockSignals(blocked)

    def check_all(self, *, checked: bool) -> None:
        """Check or uncheck every name."""
        blocked = self.blockSignals(True)
        for item in self._items():
            item.setCheckState(Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked)
        self.blockSignals(blocked)
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the current name on Alt and an arrow key."""
        step = _STEPS.get(Qt.Key(event.key()))
        # On a Mac, the arrows count as keys of the keypad.
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if step is None or modifiers != Qt.KeyboardModifier.AltModifier:
            super().keyPressEvent(event)
            return
        row = self.currentRow()
        if 0 <= row + step < self.count():
            blocked = self.blockSignals(True)
            item = self.takeItem(row)
            self.insertItem(row + step, item)
            self.setCurrentRow(row + step)
            self.blockSignals(blocked)
            self.changed.emit()

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]
