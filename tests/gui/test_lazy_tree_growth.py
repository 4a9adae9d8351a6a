"""Whatever a crawl and a user do, in whatever order: the trees end right, and indexes hold."""

import random

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex

from gossamer.gui.trees.discovery_tree import DiscoverySource
from gossamer.gui.trees.folder_tree import FolderSource
from gossamer.gui.trees.tree_source import TreeSource
from gossamer.model.outcome import Outcome
from tests.fakes.project_rows import FakeRows
from tests.gui.stepped_tree import BASE, Tree

pytestmark = pytest.mark.usefixtures("qapp")


class Growth:
    """A crawl and a user at work on one tree, by chance but repeatable."""

    def __init__(self, source: TreeSource, seed: int) -> None:
        self.chance = random.Random(seed)
        self.rows = FakeRows()
        self.rows.add(f"{BASE}/", Outcome.PAGE)
        # Qt's tester looks through the whole tree at each change: two sequences are enough.
        self.tree = Tree(self.rows, source, tested=seed % 4 == 0)
        self.kept: list[tuple[int, QPersistentModelIndex]] = []

    def go(self) -> None:
        action = self.chance.choice(
            [self.add, self.add, self.change, self.open, self.refresh, self.keep]
        )
        action()
        if self.chance.random() < 0.3:
            self.tree.reader.step()

    def add(self) -> None:
        number = len(self.rows.urls)
        folder = f"{BASE}/{self.chance.randint(0, 3)}/{self.chance.randint(0, 3)}"
        self.rows.add(f"{folder}/{number}", parent=self.chance.randint(1, number))

    def change(self) -> None:
        url_id = self.chance.randint(1, len(self.rows.urls))
        self.rows.change(url_id, outcome=self.chance.choice(list(Outcome)))

    def open(self) -> None:
        self.tree.model.read_more(self.some())
        self.tree.model._fetch()  # noqa: SLF001 - instead of waiting for a timer

    def refresh(self) -> None:
        every = list(self.tree.walk())
        self.tree.model.refresh(every, [i for i in every if self.tree.model.rowCount(i)])

    def keep(self) -> None:
        index = self.some()
        if index.isValid():
            self.kept.append((index.internalId(), QPersistentModelIndex(index)))

    def some(self) -> QModelIndex:
        every = list(self.tree.walk())
        return self.chance.choice(every) if every else QModelIndex()

    def open_all(self) -> None:
        """Open everything and refresh until nothing comes any more."""
        before = -1
        while before != (before := sum(1 for _ in self.tree.walk())):
            for _ in range(3):
                self.tree.refresh(*self.tree.walk())
                for key in [i.internalId() for i in self.tree.walk()]:
                    self.tree.open(self.tree.model.index_of(key))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("source", [DiscoverySource, FolderSource])
def test_the_tree_matches_the_project_file_after_any_growth(
    source: type[DiscoverySource] | type[FolderSource], seed: int
) -> None:
    growth = Growth(source(), seed)
    for _ in range(70):
        growth.go()
        assert all(i.internalId() == key for key, i in growth.kept if i.isValid())
    growth.open_all()
    tree, urls = growth.tree, growth.rows.urls
    expected = growth.rows.filed if source is FolderSource else set(urls)
    assert {tree.model.url_id(i) for i in tree.walk()} - {None} == expected
    for index in tree.walk():
        item = tree.model.item(index)
        if source is DiscoverySource and item is not None:
            assert tree.model.url_id(index.parent()) == urls[item.id].parent
        assert tree.model.index(index.row(), 0, index.parent()) == index
