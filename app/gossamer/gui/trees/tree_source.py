"""What a lazy tree consists of: its nodes, and the port to where they come from."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gossamer.gui.look.theme import Role
from gossamer.gui.project.reader_port import ProjectRows
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import FolderNode, TreeNode

Item = TreeNode | FolderNode
Rank = tuple[int, str]


@dataclass(slots=True)
class Node:
    """A node that was read. `key` 0 is the invisible root, which has no item."""

    key: int
    item: Item | None
    parent: "Node | None"
    row: int = 0
    children: "list[Node]" = field(default_factory=list)
    cursor: int = 0
    """The highest URL id read among the children."""
    apart: int = 0
    """So many children at the end were read on the way to a URL, not those between."""
    caught_up: bool = False
    """The end was reached once: from then on growth is read with each refresh."""
    reread_at: int = 0
    """The number of children at which they were read anew, because some were missing."""
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """Children wanted: of this item (None: the root), after this URL id.

    `known` are the children read so far; the list may grow while the reader thread looks at it.
    """

    key: int
    item: Item | None
    cursor: int = 0
    known: Sequence[Node] = ()


@dataclass(frozen=True, slots=True)
class ChildBatch:
    """Children read, in order; `cursor` as in `Node`; `end` if there were no more."""

    asked: Asked
    items: Sequence[Item]
    cursor: int
    end: bool


class TreeSource(Protocol):
    """What a tree consists of. `read_*` and `path` run on the reader thread."""

    in_flight: frozenset[int]
    """URLs that are being fetched now."""

    @property
    def outcomes(self) -> frozenset[Outcome]:
        """The outcomes of the URLs that are in the tree."""
        ...

    def key(self, item: Item) -> int:
        """The key of a node, positive and below 2**63."""
        ...

    def rank(self, item: Item) -> Rank:
        """Where a node stands among its siblings."""
        ...

    def expected(self, item: Item) -> int:
        """How many children the project file says it has."""
        ...

    def read_children(self, rows: ProjectRows, asked: Asked, limit: int) -> ChildBatch:
        """At most `limit` more children of a node."""
        ...

    def read_items(self, rows: ProjectRows, items: Collection[Item]) -> list[Item]:
        """These nodes, as they are now."""
        ...

    def path(self, rows: ProjectRows, url_id: int) -> list[Item]:
        """The items from a top node down to a URL; empty if it is not in the tree."""
        ...

    def text(self, node: Node) -> str:
        """What a node is called."""
        ...

    def sign(self, item: Item) -> tuple[str, Role | None]:
        """Its icon, and its colour where that is not the usual one."""
        ...

    def tooltip(self, item: Item) -> str:
        """More about it, as rich text with everything foreign escaped."""
        ...

    def described(self, item: Item) -> str:
        """What a screen reader adds to the name."""
        ...

    def count(self, item: Item) -> int:
        """The number on the right; 0 is not shown."""
        ...
