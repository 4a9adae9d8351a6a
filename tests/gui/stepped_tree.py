"""A tree over a fake project that is answered when a test says so."""

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.trees.lazy_tree import GROWTH, MAX_GROWN, LazyTreeModel
from gossamer.gui.trees.tree_source import TreeSource
from tests.fakes.project_rows import FakeRows, SteppedReader

BASE = "https://example.com"
ROOT = QModelIndex()


class Tree:
    """A tree over a fake project, and the moves of a user in it."""

    def __init__(
        self,
        rows: FakeRows,
        source: TreeSource,
        *,
        tested: bool = True,
        max_grown: int = MAX_GROWN,
        growth: int = GROWTH,
    ) -> None:
        self.rows = rows
        self.reader = SteppedReader(rows)
        self.model = LazyTreeModel(source, self.reader, max_grown=max_grown, growth=growth)
        self.inserted: list[tuple[int, int]] = []
        self.model.rowsInserted.connect(lambda _, a, b: self.inserted.append((a, b)))
        if tested:
            QAbstractItemModelTester(
                self.model, QAbstractItemModelTester.FailureReportingMode.Warning, self.model
            )
        self.model.set_active(active=True)
        self.open(ROOT)

    def settle(self) -> None:
        for _ in range(50):
            self.model._fetch()  # noqa: SLF001 - instead of waiting for a timer
            if not self.reader.requests:
                return
            self.reader.step()

    def open(self, index: QModelIndex) -> None:
        self.model.read_more(index)
        self.settle()

    def refresh(self, *opened: QModelIndex) -> None:
        """As a view with everything in sight."""
        self.model.refresh(list(self.walk()), opened)
        self.settle()

    def walk(self, parent: QModelIndex = ROOT) -> Iterator[QModelIndex]:
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            yield index
            yield from self.walk(index)

    def names(self, parent: QModelIndex = ROOT) -> list[str]:
        return [
            str(self.model.data(self.model.index(row, 0, parent), DISPLAY))
            for row in range(self.model.rowCount(parent))
        ]

    def at(self, *rows: int) -> QModelIndex:
        index = QModelIndex()
        for row in rows:
            index = self.model.index(row, 0, index)
        return index
