"""The elements of a chart as a list model: what charts draw, screen readers read out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from gossamer.gui.look.theme import Role
from gossamer.gui.text import formatting
from gossamer.gui.text.sentences import labelled
from gossamer.model.project_queries import Filter, Order, View

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()


@dataclass(frozen=True, slots=True)
class Shown:
    """Rows of the table that an element stands for."""

    view: View
    filter_: Filter = field(default_factory=Filter)
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """One element: its name, its size for the eye, and its value in words.

    `says` is the exact value with its unit; `text` a shorter one to draw, if that differs. A click
    shows `target`: rows of the table, or a URL by id; nothing where it is None. `hint` is a
    further line for who looks closely.
    """

    label: str
    value: float
    says: str
    role: Role = "accent"
    target: Shown | int | None = None
    text: str = ""
    hint: str = ""

    @property
    def drawn(self) -> str:
        """The value as it is drawn."""
        return self.text or self.says


class MarksModel(QAbstractListModel):
    """Marks in order. DisplayRole is "label: value"."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: Sequence[Mark] = ()

    def show(self, marks: Sequence[Mark]) -> bool:
        """Change to `marks`; what is equal is not touched. Whether anything changed."""
        old = self.marks
        if list(marks) == list(old):
            return False
        if len(marks) > len(old):
            self.beginInsertRows(QModelIndex(), len(old), len(marks) - 1)
            self.marks = marks
            self.endInsertRows()
        elif len(marks) < len(old):
            self.beginRemoveRows(QModelIndex(), len(marks), len(old) - 1)
            self.marks = marks
            self.endRemoveRows()
        self.marks = marks
        kept = min(len(old), len(marks))
        changed = [row for row in range(kept) if marks[row] != old[row]]
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
        return True

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        """Marks of the flat list."""
        return 0 if parent.isValid() else len(self.marks)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The mark in words."""
        if not index.isValid() or index.row() >= len(self.marks):
            return None
        mark = self.marks[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return formatting.clean(labelled(mark.label, mark.says))
        if role == Qt.ItemDataRole.ToolTipRole:
            return formatting.tooltip(labelled(mark.label, mark.says), mark.hint or None)
        return None
