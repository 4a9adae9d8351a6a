"""The table of links and both trees over a real project file, in any order of events.

A crawl commits, a user sorts, filters, opens and closes, and answers come when they like. What is
shown at the end is what SQL says of the file, read without any of the program's queries.
"""

import sqlite3
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)
from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QTimer
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QTreeView

from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.tables.query_rows import TableQuery
from gossamer.gui.tables.query_table_model import QueryModel
from gossamer.gui.tables.row_kind import LINKS
from gossamer.gui.trees.discovery_tree import DiscoverySource
from gossamer.gui.trees.folder_tree import FolderSource, folder_key, url_key
from gossamer.gui.trees.lazy_tree import LazyTreeModel
from gossamer.gui.trees.tree_expander import TreeExpander
from gossamer.gui.trees.tree_source import TreeSource
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import ERROR_OUTCOMES, Outcome
from gossamer.model.project_queries import (
    Column,
    Filter,
    FolderNode,
    Order,
    TreeNode,
    View,
    facet_values,
)
from gossamer.model.store_batch import StoreBatch
from gossamer.model.visit import Link
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import SITE, Crawled
from tests.fakes.project_rows import SteppedReader

pytestmark = pytest.mark.usefixtures("qapp")

ROOT = QModelIndex()
_TIMERS_IN_A_ROW = 3
WARN = QAbstractItemModelTester.FailureReportingMode.Warning
KINDS = [LinkKind.ANCHOR, LinkKind.IMAGE, LinkKind.CANONICAL]
PATHS = st.sampled_from(
    [f"/{'abc'[n % 3]}/{n}" for n in range(14)] + ["/b/b/0", "/x", "mailto:a@b.test"]
)
LinkRow = tuple[int, int, int, int, str, str, int | None, str]
"""Source, position, target, kind, both URLs, the target's status, the anchor text."""
SORTS: dict[Column, Callable[[LinkRow], Any]] = {
    "source": lambda row: row[4],
    "target": lambda row: row[5],
    "position": lambda row: row[1],
    "kind": lambda row: row[3],
    "status": lambda row: row[6],
}
FILTERS = [
    Filter(),
    Filter(text="/1/"),
    Filter(text=f"{SITE}/x"),
    Filter(facets=facet_values(kind={LinkKind.IMAGE, LinkKind.REDIRECT})),
    Filter(text="2", facets=facet_values(kind={LinkKind.ANCHOR})),
]


class Branches:
    """One tree: its model, a view that opens and closes nodes, and indexes that were kept."""

    def __init__(self, source: TreeSource, reader: SteppedReader) -> None:
        self.model = LazyTreeModel(source, reader)
        self.tester = QAbstractItemModelTester(self.model, WARN)
        self.view = QTreeView()
        self.view.setModel(self.model)
        self.expander = TreeExpander(self.view, self.model)
        self.kept: list[tuple[int, QPersistentModelIndex]] = []
        self.model.set_active(active=True)
        self.model.read_more(ROOT)

    def walk(self, parent: QModelIndex = ROOT) -> Iterator[QModelIndex]:
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            assert index.parent() == parent
            yield index
            yield from self.walk(index)

    def some(self, number: int) -> QModelIndex:
        every = list(self.walk())
        return every[number % len(every)] if every else ROOT

    def refresh(self) -> None:
        every = list(self.walk())
        self.model.refresh(every, [index for index in every if self.view.isExpanded(index)])

    def children(self) -> dict[int, list[int]]:
        """The keys of the children of each node; the root has the key 0."""
        found = defaultdict(list)
        for index in self.walk():
            found[index.parent().internalId()].append(index.internalId())
        return found


class ModelsMachine(RuleBasedStateMachine):
    """A crawl, a user and the reader thread in any order of events."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name, "a.gossamer")
        self.crawled = Crawled(self.path)
        self.crawled.page("/", "/b/b/0", "/x")
        # Not in its folder before it is queued after all, and then before the next one.
        self.crawled.known("/b/1", Outcome.EXCLUDED, parent="/")
        self.crawled.page("/x", "/b/4")
        self.known = ["/", "/b/b/0", "/x", "/b/4"]
        self.refused = ["/b/1"]
        self.file = Reader(self.path)
        self.reader = SteppedReader(self.file)
        self.links = QueryModel(self.reader, kind=LINKS)
        self.tester = QAbstractItemModelTester(self.links, WARN)
        self.links.ask(TableQuery(View.LINKS))
        self.followed: list[tuple[int, QPersistentModelIndex]] = []
        self.trees = [
            Branches(source, self.reader) for source in (DiscoverySource(), FolderSource())
        ]

    # ------------------------------------------------------------ the crawl

    @rule(
        at=st.integers(0, 30), links=st.lists(st.tuples(PATHS, st.sampled_from(KINDS)), max_size=4)
    )
    def page(self, at: int, links: list[tuple[str, LinkKind]]) -> None:
        path = self._visited(at)
        named = [(to, Link(0, kind, f"to {to}", element="a")) for to, kind in links]
        self.crawled.page(path, *named, title=f"Title {at}")
        self._note(to for to, _ in links)

    @rule(at=st.integers(0, 30), to=PATHS)
    def redirect(self, at: int, to: str) -> None:
        self.crawled.redirect(self._visited(at), to)
        self._note([to])

    @rule(at=st.integers(0, 30), outcome=st.sampled_from(sorted(ERROR_OUTCOMES)))
    def fail(self, at: int, outcome: Outcome) -> None:
        self.crawled.failed(self._visited(at), outcome)

    @rule(path=PATHS, parent=st.integers(0, 30))
    def refuse(self, path: str, parent: int) -> None:
        if path not in [*self.known, *self.refused]:
            above = self.known[parent % len(self.known)]
            self.crawled.known(path, Outcome.EXCLUDED, parent=above)
            self.refused.append(path)

    @rule(at=st.integers(0, 30))
    def queue_after_all(self, at: int) -> None:
        if self.refused:
            path = self.refused.pop(at % len(self.refused))
            batch = StoreBatch(decided=[(self.crawled.id(path), Outcome.PENDING, None)])
            self.crawled.writer.commit(batch)
            self._note([path])

    def _visited(self, at: int) -> str:
        return self.known[at % len(self.known)]

    def _note(self, paths: Iterable[str]) -> None:
        self.known += [path for path in dict.fromkeys(paths) if path not in self.known]

    # ----------------------------------------------------------- the user

    @rule(
        filter_=st.sampled_from(FILTERS),
        keys=st.lists(
            st.tuples(st.sampled_from(list(SORTS)), st.booleans()),
            max_size=2,
            unique_by=lambda key: key[0],
        ),
        turned=st.booleans(),
    )
    def ask(self, filter_: Filter, keys: list[tuple[Column, bool]], turned: bool) -> None:
        orders = [Order(column, descending) for column, descending in keys]
        first = orders[0] if orders else Order(descending=turned)
        order = Order(first.column, first.descending, tuple(orders[1:]))
        self.links.ask(TableQuery(View.LINKS, filter_, order))

    @rule(row=st.integers(0, 30))
    def scroll(self, row: int) -> None:
        self.links.set_window(row, row + 5)
        for each in range(row, min(row + 6, self.links.rowCount())):
            self.links.data(self.links.index(each, 0), DISPLAY)
        self.links._read_missing()  # noqa: SLF001 - instead of waiting for a timer

    @rule(row=st.integers(0, 30))
    def follow(self, row: int) -> None:
        link_id = self.links.row_id(row)
        if link_id is not None:
            kept = QPersistentModelIndex(self.links.index(row, 0))
            self.followed.append((link_id, kept))
            self.links.set_selected([link_id])

    @rule(tree=st.integers(0, 1), node=st.integers(0, 60), opened=st.booleans())
    def turn(self, tree: int, node: int, opened: bool) -> None:
        self.trees[tree].view.setExpanded(self.trees[tree].some(node), opened)

    @rule(tree=st.integers(0, 1), node=st.integers(-1, 60), levels=st.integers(1, 4))
    def expand(self, tree: int, node: int, levels: int) -> None:
        at = self.trees[tree].some(node) if node >= 0 else ROOT
        self.trees[tree].expander.expand(at, levels)
        QCoreApplication.processEvents()

    @rule(tree=st.integers(0, 1))
    def collapse_all(self, tree: int) -> None:
        self.trees[tree].expander.stop()
        self.trees[tree].view.collapseAll()

    @rule(tree=st.integers(0, 1), at=st.integers(0, 30))
    def reveal(self, tree: int, at: int) -> None:
        self.trees[tree].model.reveal(self.crawled.id(self._visited(at)))

    @rule(tree=st.integers(0, 1), node=st.integers(0, 60))
    def keep(self, tree: int, node: int) -> None:
        index = self.trees[tree].some(node)
        if index.isValid():
            self.trees[tree].kept.append((index.internalId(), QPersistentModelIndex(index)))

    # ---------------------------------------------------- answers, in any order

    @rule(which=st.integers(0, 2))
    def refresh(self, which: int) -> None:
        if which < len(self.trees):
            self.trees[which].refresh()
        else:
            self.links.refresh()

    @rule(number=st.integers(0, 7))
    def answer_one(self, number: int) -> None:
        QCoreApplication.processEvents()
        self.reader.answer_one(number)

    @rule()
    def answer(self) -> None:
        QCoreApplication.processEvents()
        self.reader.step()

    @rule(tree=st.integers(0, 1))
    def look_at_everything(self, tree: int) -> None:
        self.expand(tree, -1, 4)
        self._settle()

    @invariant()
    def what_was_kept_stands_for_the_same_or_is_gone(self) -> None:
        for link_id, kept in self.followed:
            assert not kept.isValid() or self.links.row_id(kept.row()) == link_id
        for tree in self.trees:
            assert all(kept.isValid() for _, kept in tree.kept)
            assert all(kept.internalId() == key for key, kept in tree.kept)

    # -------------------------------------------------------------- the end

    def teardown(self) -> None:
        try:
            self._settle()
            with closing(sqlite3.connect(self.path)) as file:
                check_links(self.links, self._settle, links_in(file))
                self._open_everything()
                check_discovery(self.trees[0], file)
                check_folders(self.trees[1], file)
        finally:
            self.file.close()
            self.crawled.writer.close()
            self.folder.cleanup()

    def _settle(self) -> None:
        """Answer all there is, and what that leads to."""
        while True:
            run_due_timers()
            if not self.reader.requests:
                return
            self.reader.step()

    def _open_everything(self) -> None:
        for tree in self.trees:
            before = -1
            while before != (before := sum(1 for _ in tree.walk())):
                tree.view.expandAll()
                self._settle()
                for index in list(tree.walk()):
                    tree.model.read_more(index)
                self._settle()
                tree.refresh()
                self._settle()


def run_due_timers() -> None:
    """Let timers without a delay fire, those that they start, and what these start in turn.

    One look at the events may miss a timer that was started a moment ago. Timers that are due at
    the same time fire in the order in which they were started, so the last one tells of all.
    """
    for _ in range(_TIMERS_IN_A_ROW):
        fired: list[bool] = []
        QTimer.singleShot(0, lambda: fired.append(True))  # noqa: B023 - of this round
        while not fired:
            QCoreApplication.processEvents()


def links_in(file: sqlite3.Connection) -> list[LinkRow]:
    """All links, in order of discovery."""
    return file.execute(
        "SELECT l.source, l.position, l.target, l.kind, s.url, t.url, v.status,"
        " coalesce(x.value, '') FROM link l JOIN url s ON s.id = l.source JOIN url t"
        " ON t.id = l.target LEFT JOIN visit v ON v.id = l.target LEFT JOIN text x ON x.id = l.text"
        " ORDER BY 1, 2"
    ).fetchall()


def check_links(model: QueryModel, settle: Callable[[], None], links: list[LinkRow]) -> None:
    """The rows are the links that pass, in the order asked for."""
    model.refresh()
    settle()
    filter_, order = model.query.filter_, model.query.order
    rows = [row for row in links if passes(row, filter_)]
    if order.column is None and order.descending:
        rows.reverse()
    for each in reversed(order.keys):
        assert each.column is not None
        key = SORTS[each.column]
        known = sorted((r for r in rows if key(r) is not None), key=key, reverse=each.descending)
        rows = known + [row for row in rows if key(row) is None]
    assert model.rowCount() == len(rows)
    model.set_window(0, len(rows))
    for row in range(len(rows)):
        model.data(model.index(row, 0), DISPLAY)
    settle()
    shown = [model.record(row) for row in range(len(rows))]
    assert rows == [
        (
            link.source_id,
            link.position,
            link.target_id,
            link.kind,
            link.source_url,
            link.target_url,
            link.target_status,
            link.text,
        )
        for link in shown
        if link is not None
    ]


def passes(row: LinkRow, filter_: Filter) -> bool:
    text = filter_.text.lower()
    said = any(text in part.lower() for part in (row[4], row[5], row[7]))
    return said and (not (kinds := filter_.values("kind")) or row[3] in kinds)


def check_discovery(tree: Branches, file: sqlite3.Connection) -> None:
    """Under each URL those first found there, in order, with their counts."""
    expected = defaultdict(list)
    errors: Counter[int] = Counter()
    for url_id, parent, outcome in file.execute("SELECT id, parent, outcome FROM url ORDER BY id"):
        expected[parent or 0].append(url_id)
        errors[parent or 0] += Outcome(outcome) in ERROR_OUTCOMES
    assert tree.children() == expected
    for index in tree.walk():
        item = tree.model.item(index)
        assert isinstance(item, TreeNode)
        assert (item.children, item.errors) == (len(expected[item.id]), errors[item.id])


def check_folders(tree: Branches, file: sqlite3.Connection) -> None:
    """Under each folder its folders by name, then its URLs in order, with their counts."""
    expected = defaultdict(list)
    above = {}
    for folder, parent in file.execute("SELECT id, parent FROM folder ORDER BY name"):
        expected[folder_key(parent or 0)].append(folder_key(folder))
        above[folder] = parent
    counts: Counter[int] = Counter()
    for url_id, folder in file.execute("SELECT id, folder FROM url ORDER BY id"):
        at = folder
        if at is not None:
            expected[folder_key(at)].append(url_key(url_id))
        while at is not None:
            counts[at] += 1
            at = above[at]
    assert tree.children() == expected
    for index in tree.walk():
        item = tree.model.item(index)
        if isinstance(item, FolderNode):
            assert item.urls == counts[item.id]


def test_panels_match_the_project_file_after_any_order_of_events() -> None:
    run_state_machine_as_test(
        ModelsMachine,
        settings=settings(
            max_examples=15,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
