"""A tree model that loads children on expansion and grows while a crawl runs.

A `TreeSource` decides what a tree shows (URLs by discovery, folders); this model keeps the nodes
that were read, in order, and reports each batch to the view as one insertion.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, overload

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.trees.tree_cells import CELLS, header
from gossamer.gui.trees.tree_source import (
    ChildBatch,
    ChildRequest,
    Node,
    TreeItem,
    TreeSource,
    insertion_rows,
)
from gossamer.model.project_queries import TreeNode

BATCH: Final = 200
"""Children read at once when a node opens or its end becomes visible."""

MAX_GROWN: Final = 1_000
"""Open nodes grow automatically up to this; more children are read as the user scrolls to them.
With each insertion the view examines all children of open nodes again, 2 ms per thousand."""

GROWTH: Final = 50
"""Children read for each open node with one refresh. New folders are scattered among the others,
and each costs an insertion of its own."""

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()
_COLUMNS: Final = len(CELLS)


@dataclass(frozen=True, slots=True)
class _Growth:
    batches: list[ChildBatch]
    items: list[TreeItem]


class LazyTreeModel(QAbstractItemModel):
    """A Qt model of the nodes of a `TreeSource`. Indexes stay valid as it grows."""

    revealed = Signal(QModelIndex)
    """The node requested with `reveal` has been read."""
    updated = Signal()
    """Children or a refresh have arrived."""
    finished = Signal()
    """A refresh is over, whether it had results or not."""

    def __init__(
        self,
        source: TreeSource,
        reader: ProjectReader,
        parent: QObject | None = None,
        *,
        max_grown: int = MAX_GROWN,
        growth: int = GROWTH,
    ) -> None:
        super().__init__(parent)
        self._max_grown = max_grown
        self._growth = growth
        self._source = source
        self._reader = reader
        self._root = Node(0, None, None)
        self._nodes: dict[int, Node] = {0: self._root}
        self._keys = [f"tree {what} {id(self)}" for what in ("children", "growth", "path")]
        self.has_more_growth = False
        """Whether the last refresh left something for the next one."""
        self._active = False
        self._requested: dict[int, None] = {}
        self._fetching = False
        self._reveal_path: list[TreeItem] = []
        self._collect = QTimer(self)
        self._collect.setSingleShot(True)
        self._collect.setInterval(0)
        self._collect.timeout.connect(self._fetch)

    # ---------------------------------------------------------------- asking

    def set_active(self, *, active: bool) -> None:
        """Forget everything; from now on read the project that the reader has open, or nothing."""
        for key in self._keys:
            self._reader.forget(key)
        self.beginResetModel()
        self._root = Node(0, None, None)
        self._nodes = {0: self._root}
        self._active = active
        self._requested.clear()
        self._fetching = False
        self._reveal_path = []
        self.endResetModel()

    @property
    def caught_up(self) -> bool:
        """Whether the top nodes were read to the end."""
        return self._root.caught_up

    def refresh(self, shown: Iterable[QModelIndex], opened: Iterable[QModelIndex]) -> None:
        """Read visible nodes again, and the growth of opened ones; the root is always open."""
        visible = [node for node in map(self._node, shown) if node.item is not None]
        items = [node.item for node in visible if node.item is not None]
        bare = {node.key for node in visible if not self._has_children(node)}
        parents = {node.key: node for node in (self._root, *map(self._node, opened))}
        asked = [
            (_child_request(node), self._room(node)) for node in parents.values() if node.caught_up
        ]
        if not self._root.caught_up:
            self._request_children(self._root)
        source = self._source

        def read(rows: ProjectRows) -> _Growth:
            batches = [source.read_children(rows, each, room) for each, room in asked]
            now = source.read_items(rows, items)
            for item in now:
                # Without a first child a view does not show that the node can be opened.
                if source.key(item) in bare and source.expected(item):
                    first = source.read_children(rows, ChildRequest(source.key(item), item), 1)
                    batches.append(first)
            return _Growth(batches, now)

        self._reader.submit(
            read,
            self._apply_growth,
            key=self._keys[1],
            on_failure=self.finished.emit,
            background=True,
        )

    def reveal(self, url_id: int) -> None:
        """Read what is missing on the path down to a URL, then emit `revealed`.

        If a node has many children, those between the first ones and the one on the path are left
        out, until a user scrolls there.
        """
        source = self._source
        self._reader.submit(
            lambda rows: source.path(rows, url_id), self._start_reveal, key=self._keys[2]
        )

    # --------------------------------------------------------------- results

    def url_id(self, index: AnyIndex) -> int | None:
        """The id of the URL at `index`; None for a folder."""
        item = self._node(index).item
        return item.id if isinstance(item, TreeNode) else None

    def item(self, index: AnyIndex) -> TreeItem | None:
        """The item at `index`."""
        return self._node(index).item

    def index_of(self, key: int) -> QModelIndex:
        """The index of a node by its key; invalid if it was not read."""
        node = self._nodes.get(key)
        return QModelIndex() if node is None else self._index(node)

    def index(self, row: int, column: int, parent: AnyIndex = _NO_INDEX) -> QModelIndex:
        """The index of a child. A view that does its layout again requests every child in reach."""
        children = self._nodes[parent.internalId()].children
        if 0 <= row < len(children) and 0 <= column < _COLUMNS:
            return self.createIndex(row, column, children[row].key)
        return QModelIndex()

    @overload
    def parent(self) -> QObject | None: ...
    @overload
    def parent(self, child: AnyIndex) -> QModelIndex: ...
    def parent(self, child: AnyIndex | None = None) -> QModelIndex | QObject | None:
        """The index of the parent; without an argument, the owner of this object."""
        if child is None:
            return super().parent()
        node = self._node(child)
        return QModelIndex() if node.parent is None else self._index(node.parent)

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """How many children were read."""
        return 0 if parent.column() > 0 else len(self._node(parent).children)

    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """Name, share of errors, and count."""
        del parent
        return _COLUMNS

    def hasChildren(self, parent: AnyIndex = _NO_INDEX) -> bool:
        """Whether there are children, read or not."""
        return self._has_children(self._node(parent))

    def canFetchMore(self, parent: AnyIndex) -> bool:
        """Whether a view may ask for the first children.

        A view would continue until it has all of them; `read_more` is for the visible ones.
        """
        node = self._node(parent)
        return not node.children and self._incomplete(node)

    def fetchMore(self, parent: AnyIndex) -> None:
        """Request the first children."""
        if self.canFetchMore(parent):
            self._request_children(self._node(parent))

    def read_more(self, parent: AnyIndex) -> None:
        """Request the next batch of children, if there are more."""
        node = self._node(parent)
        if self._incomplete(node):
            self._request_children(node)

    def is_last_in_order(self, index: AnyIndex) -> bool:
        """Whether the children of a node that were read in order end here."""
        node = self._node(index)
        above = node.parent
        return above is not None and node.row == len(above.children) - above.detached - 1

    def data(self, index: AnyIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - a Qt variant
        """The cell at `index`, from memory."""
        node = self._node(index)
        if node.item is None:
            return None
        cell = CELLS[index.column()].get(role)
        return cell(self._source, node) if cell else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> str | None:
        """Names for screen readers; the header itself is not shown."""
        if orientation is not Qt.Orientation.Horizontal or role != DISPLAY:
            return None
        return header(section)

    def _node(self, index: AnyIndex) -> Node:
        # An invalid index has the id 0, which is the key of the root.
        return self._nodes[index.internalId()]

    def _index(self, node: Node) -> QModelIndex:
        return QModelIndex() if node.key == 0 else self.createIndex(node.row, 0, node.key)

    def _has_children(self, node: Node) -> bool:
        return bool(node.children) or (
            node.item is not None and self._source.expected(node.item) > 0
        )

    def _incomplete(self, node: Node) -> bool:
        if not self._active or not node.caught_up:
            return self._active and (node.item is None or self._has_children(node))
        return node.item is not None and self._source.expected(node.item) > len(node.children)

    # --------------------------------------------------------------- reading

    def _request_children(self, node: Node) -> None:
        self._requested[node.key] = None
        if not self._collect.isActive():
            self._collect.start()

    def _fetch(self) -> None:
        """Read one batch for each requested node; one request at a time."""
        if self._fetching or not self._requested:
            return
        asked = [_child_request(self._nodes[key]) for key in self._requested if key in self._nodes]
        self._requested.clear()
        self._fetching = True
        source = self._source
        self._reader.submit(
            lambda rows: [source.read_children(rows, each, BATCH) for each in asked],
            self._add_batches,
            key=self._keys[0],
            on_failure=self._fail,
        )

    def _add_batches(self, batches: list[ChildBatch]) -> None:
        self._fetching = False
        for batch in batches:
            self._add(batch)
        self.updated.emit()
        self._advance_reveal({batch.request.key for batch in batches})
        self._fetch()

    def _fail(self) -> None:
        self._fetching = False

    def _apply_growth(self, growth: _Growth) -> None:
        for item in growth.items:
            self._update(item)
        self.has_more_growth = False
        for batch in growth.batches:
            self._add(batch)
            node = self._nodes[batch.request.key]
            self.has_more_growth |= node.caught_up and not batch.end and self._room(node) > 0
        self.updated.emit()
        self.finished.emit()

    def _room(self, node: Node) -> int:
        """How many children a node may still get by growing."""
        return min(max(self._max_grown - len(node.children), 0), self._growth)

    def _add(self, batch: ChildBatch) -> None:
        parent = self._nodes[batch.request.key]
        source = self._source
        new = []
        for item in batch.items:
            if source.key(item) in self._nodes:
                self._update(item)
                parent.detached = max(parent.detached - 1, 0)
            else:
                new.append(item)
        self._insert(parent, new)
        parent.cursor = max(parent.cursor, batch.cursor)
        if batch.end:
            self._catch_up(parent)

    def _catch_up(self, node: Node) -> None:
        node.caught_up = True
        node.detached = 0
        expected = 0 if node.item is None else self._source.expected(node.item)
        if expected > len(node.children) and node.reread_at != expected:
            # One with a lower id has appeared: a skipped URL gets a folder when it is queued after
            # all. Read them all again, once.
            node.reread_at = expected
            node.cursor = 0

    def _insert(self, parent: Node, items: list[TreeItem]) -> None:
        """Insert sorted items; one insertion for each run of neighbours, mostly one in all."""
        places = insertion_rows(parent.children, items, self._source.rank)
        index = self._index(parent)
        shift = 0
        for place, run in groupby(places, key=lambda pair: pair[0]):
            first = place + shift
            nodes = [
                Node(self._source.key(item), item, parent, row)
                for row, (_, item) in enumerate(run, first)
            ]
            self.beginInsertRows(index, first, first + len(nodes) - 1)
            parent.children[first:first] = nodes
            self._nodes.update((node.key, node) for node in nodes)
            _renumber(parent, first + len(nodes))
            self.endInsertRows()
            shift += len(nodes)

    def _update(self, item: TreeItem) -> None:
        node = self._nodes.get(self._source.key(item))
        if node is None or node.parent is None or node.item == item:
            return
        node.item = item
        node.text = None
        index = self._index(node)
        self.dataChanged.emit(index, self.createIndex(node.row, _COLUMNS - 1, node.key))

    def _start_reveal(self, path: list[TreeItem]) -> None:
        self._reveal_path = path
        self._advance_reveal(set())

    def _advance_reveal(self, arrived: Collection[int]) -> None:
        """Go down the path, reading a batch of each node's children, and the sought one.

        `arrived` are the keys of the nodes whose children have just been read.
        """
        path, at = self._reveal_path, self._root
        for item in path:
            node = self._nodes.get(self._source.key(item))
            if node is None:
                is_begun = at.key in arrived or len(at.children) - at.detached >= BATCH
                if not is_begun and self._incomplete(at):
                    self._request_children(at)
                    return
                node = self._insert_detached(at, item)
            at = node
            self._update(item)  # below closed nodes, it may be long out of date
        self._reveal_path = []
        if path:
            self.revealed.emit(self._index(at))

    def _insert_detached(self, parent: Node, item: TreeItem) -> Node:
        self._insert(parent, [item])
        if not parent.caught_up:
            parent.detached += 1
        return self._nodes[self._source.key(item)]


def _child_request(node: Node) -> ChildRequest:
    return ChildRequest(node.key, node.item, node.cursor, node.children)


def _renumber(parent: Node, first: int) -> None:
    for row in range(first, len(parent.children)):
        parent.children[row].row = row
