"""The cells of a lazy tree, by role: the name with all that goes with it, and the count."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication

from gossamer.gui.look.icons import icon
from gossamer.gui.look.outcome_style import VERDICT_ICONS, VERDICT_ROLES
from gossamer.gui.look.theme import colour
from gossamer.gui.tables.item_roles import (
    ACCESSIBLE,
    ALIGNMENT,
    DECORATION,
    DISPLAY,
    FOREGROUND,
    LEFT,
    RIGHT,
    TOOLTIP,
    URL_ID,
)
from gossamer.gui.text import formatting
from gossamer.gui.text.formatting import QT_TRANSLATE_NOOP
from gossamer.gui.text.sentences import listed
from gossamer.gui.trees.tree_source import Node, TreeSource
from gossamer.model.project_queries import TreeNode


def _name(source: TreeSource, node: Node) -> str:
    if node.text is None:
        node.text = formatting.clean(source.text(node))
    return node.text


def _sign(source: TreeSource, node: Node) -> object:
    return icon(source.sign(node.item)[0]) if node.item else None


def _shade(source: TreeSource, node: Node) -> object:
    role = source.sign(node.item)[1] if node.item else None
    return colour(role) if role else None


def _hint(source: TreeSource, node: Node) -> object:
    return source.tooltip(node.item) if node.item else None


def _spoken(source: TreeSource, node: Node) -> object:
    return listed((_name(source, node), source.described(node.item))) if node.item else None


def _url_id(source: TreeSource, node: Node) -> object:
    del source
    return node.item.id if isinstance(node.item, TreeNode) else None


def _left(source: TreeSource, node: Node) -> int:
    del source, node
    return LEFT


NAME_CELLS: Final[dict[int, Callable[[TreeSource, Node], object]]] = {
    DISPLAY: _name,
    DECORATION: _sign,
    FOREGROUND: _shade,
    TOOLTIP: _hint,
    ACCESSIBLE: _spoken,
    URL_ID: _url_id,
    ALIGNMENT: _left,
}
"""The first column."""


def _count(source: TreeSource, node: Node) -> str:
    count = source.count(node.item) if node.item else 0
    return formatting.compact(count) if count else ""


def _right(source: TreeSource, node: Node) -> int:
    del source, node
    return RIGHT


def _dim(source: TreeSource, node: Node) -> object:
    del source, node
    return colour("muted")


def _errors(source: TreeSource, node: Node) -> str:
    del source
    return formatting.compact(node.item.errors) if node.item and node.item.errors else ""


def _worst(source: TreeSource, node: Node) -> object:
    del source
    worst = node.item.worst if node.item else None
    return colour(VERDICT_ROLES[worst]) if worst else None


def _worst_sign(source: TreeSource, node: Node) -> object:
    del source
    worst = node.item.worst if node.item and node.item.errors else None
    return icon(VERDICT_ICONS[worst], VERDICT_ROLES[worst]) if worst else None


COUNT_CELLS: Final[dict[int, Callable[[TreeSource, Node], object]]] = {
    DISPLAY: _count,
    ALIGNMENT: _right,
    FOREGROUND: _dim,
    TOOLTIP: _hint,
}
"""The last column."""

ERROR_CELLS: Final[dict[int, Callable[[TreeSource, Node], object]]] = {
    DISPLAY: _errors,
    DECORATION: _worst_sign,
    ALIGNMENT: _right,
    FOREGROUND: _worst,
    TOOLTIP: _hint,
}
"""The middle column: how many are errors, with the sign of the worst."""

CELLS: Final = (NAME_CELLS, ERROR_CELLS, COUNT_CELLS)
"""Name, errors, count: mostly empty columns first, for names to grow into."""


def header(column: int) -> str:
    """The names of the columns, for screen readers; the header itself is not shown."""
    names = (
        QT_TRANSLATE_NOOP("Tree", "Name"),
        QT_TRANSLATE_NOOP("Tree", "Errors"),
        QT_TRANSLATE_NOOP("Tree", "Count"),
    )
    return QCoreApplication.translate("Tree", names[column])
