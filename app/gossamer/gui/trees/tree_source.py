"""The nodes of a lazy tree, and the interface to the source that loads them."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import FolderNode, TreeNode

TreeItem = TreeNode | FolderNode
SiblingOrder = tuple[int, str]


@dataclass(slots=True)
class Node:
    """A node that was read. `key` 0 is the invisible root, which has no item."""

    key: int
    item: TreeItem | None
    parent: "Node | None"
    row: int = 0
    children: "list[Node]" = field(default_factory=list)
    cursor: int = 0
    """The highest URL id read among the children."""
    detached: int = 0
    """The number of children at the end that were read on the way to a URL, out of order."""
    caught_up: bool = False
    """The end was reached once: from then on growth is read with each refresh."""
    reread_at: int = 0
    """The number of children when they were last reread because some were missing."""
    text: str | None = None


@dataclass(frozen=True, slots=True)
class ChildRequest:
    """Children wanted: of this item (None: the root), after this URL id.

    `known` are the children read so far; the list may grow while the reader thread reads it.
    """

    key: int
    item: TreeItem | None
    cursor: int = 0
    known: Sequence[Node] = ()


@dataclass(frozen=True, slots=True)
class ChildBatch:
    """Children read, in order; `cursor` as in `Node`; `end` if there were no more."""

    request: ChildRequest
    items: Sequence[TreeItem]
    cursor: int
    end: bool


class TreeSource(Protocol):
    """Loads the nodes of a tree. `read_*` and `path` run on the reader thread."""

    in_flight: frozenset[int]
    """URLs that are being fetched now."""

    @property
    def outcomes(self) -> frozenset[Outcome]:
        """The outcomes of the URLs that are in the tree."""
        ...

    def key(self, item: TreeItem) -> int:
        """The key of a node, positive and below 2**63."""
        ...

    def rank(self, item: TreeItem) -> SiblingOrder:
        """The sort key of a node among its siblings."""
        ...

    def expected(self, item: TreeItem) -> int:
        """The number of children in the project file."""
        ...

    def read_children(self, rows: ProjectRows, request: ChildRequest, limit: int) -> ChildBatch:
        """At most `limit` more children of a node."""
        ...

    def read_items(self, rows: ProjectRows, items: Collection[TreeItem]) -> list[TreeItem]:
        """These nodes, as they are now."""
        ...

    def path(self, rows: ProjectRows, url_id: int) -> list[TreeItem]:
        """The items from a top node down to a URL; empty if it is not in the tree."""
        ...

    def text(self, node: Node) -> str:
        """The name of a node, as it came from the web."""
        ...

    def count(self, item: TreeItem) -> int:
        """The number on the right; 0 is not shown."""
        ...


def insertion_rows(
    children: Sequence[Node], items: list[TreeItem], rank: Callable[[TreeItem], SiblingOrder]
) -> list[tuple[int, TreeItem]]:
    """Each item, in order of rank, with the row of `children` before which it belongs.

    Both `children` and `items` are mostly in order, the items after the children.
    """
    last = children[-1].item if children else None
    if items and (last is None or rank(last) < rank(items[0])):
        return [(len(children), item) for item in items]

    def rank_of(node: Node) -> SiblingOrder:
        return rank(node.item) if node.item else (0, "")

    return [
        (bisect_left(children, rank(item), key=rank_of), item) for item in sorted(items, key=rank)
    ]
