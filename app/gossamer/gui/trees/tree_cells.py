"""Returns the data of tree cells by Qt role: name and status, errors, count."""

from collections.abc import Callable
from typing import Final

from gossamer.gui.look import outcome_style
from gossamer.gui.look.icons import icon
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
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import listed
from gossamer.gui.trees.tree_source import Node, TreeItem, TreeSource
from gossamer.model.outcome import Outcome, UrlState, Verdict
from gossamer.model.project_queries import FolderNode, TreeNode
from gossamer.urls.url_folders import display_url
from gossamer.urls.url_parsing import is_http, origin

_tr = translator("Tree")


def relative_address(url: str, above: str | None) -> str:
    """`url` for people, without its origin if `above` is of the same origin."""
    if above is not None and is_http(url) and is_http(above):
        site = origin(url)
        if site == origin(above):
            return display_url(url[len(site) :]) or "/"
    return display_url(url)


def with_status(name: str, item: TreeNode) -> str:
    """`name` with anything unusual about the URL: its status or failure, and its target."""
    if item.verdict in {Verdict.OK, Verdict.PENDING, Verdict.SKIPPED}:
        return name
    name = f"{outcome_style.status_text(item.outcome, item.status)} {name}"
    if item.redirect:
        name = f"{name} → {relative_address(item.redirect, item.url)}"
    return name


def _name(source: TreeSource, node: Node) -> str:
    if node.text is None:
        node.text = formatting.clean(source.text(node))
    return node.text


def _icon(source: TreeSource, node: Node) -> object:
    del source
    item = node.item
    if isinstance(item, TreeNode):
        return icon(outcome_style.icon_name(item.outcome, item.status))
    return icon("site" if item.parent is None else "folder") if item else None


def _colour(source: TreeSource, node: Node) -> object:
    """The colour of its outcome. Pages have the default one, being the normal case."""
    del source
    item = node.item
    if not isinstance(item, TreeNode) or item.verdict is Verdict.OK:
        return None
    return colour(outcome_style.role(item.outcome, item.status))


def _tooltip(source: TreeSource, node: Node) -> object:
    """Address, title, outcome and discoveries of a URL; name and counts of a folder."""
    item = node.item
    if isinstance(item, FolderNode):
        return formatting.tooltip(item.name, _folder_counts(item))
    if item is None:
        return None
    return formatting.tooltip(
        display_url(item.url),
        item.title,
        outcome_style.in_flight_sentence()
        if _is_in_flight(source, item)
        else outcome_style.sentence(item.outcome, item.status),
        _found_here(item),
    )


def _accessible(source: TreeSource, node: Node) -> object:
    """The name, and what sighted people learn from icon and numbers."""
    item = node.item
    if isinstance(item, FolderNode):
        return listed((_name(source, node), _folder_counts(item)))
    if item is None:
        return None
    outcome = (
        outcome_style.in_flight_label()
        if _is_in_flight(source, item)
        else outcome_style.label(item.outcome)
    )
    found = "" if item.outcome is Outcome.PENDING else _found_here(item)
    return listed((_name(source, node), listed((outcome, found))))


def _is_in_flight(source: TreeSource, item: TreeNode) -> bool:
    return item.id in source.in_flight and item.outcome.state is UrlState.QUEUED


def _found_here(item: TreeNode) -> str:
    """How many URLs were first found on this one, how many are errors, and what the worst is."""
    if not item.children:
        return ""
    return _with_errors(_tr("%Ln found here", item.children), item)


def _folder_counts(item: FolderNode) -> str:
    return _with_errors(_tr("folder, %Ln URL(s)", item.urls), item)


def _with_errors(text: str, item: TreeItem) -> str:
    if not item.errors or item.worst is None:
        return text
    errors = _tr("%Ln error(s); worst: {verdict}", item.errors)
    return listed((text, errors.format(verdict=outcome_style.worst_words(item.worst))))


def _url_id(source: TreeSource, node: Node) -> object:
    del source
    return node.item.id if isinstance(node.item, TreeNode) else None


def _left(source: TreeSource, node: Node) -> int:
    del source, node
    return LEFT


NAME_CELLS: Final[dict[int, Callable[[TreeSource, Node], object]]] = {
    DISPLAY: _name,
    DECORATION: _icon,
    FOREGROUND: _colour,
    TOOLTIP: _tooltip,
    ACCESSIBLE: _accessible,
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


def _muted(source: TreeSource, node: Node) -> object:
    del source, node
    return colour("muted")


def _errors(source: TreeSource, node: Node) -> str:
    del source
    return formatting.compact(node.item.errors) if node.item and node.item.errors else ""


def _worst_colour(source: TreeSource, node: Node) -> object:
    del source
    worst = node.item.worst if node.item else None
    return colour(outcome_style.VERDICT_ROLES[worst]) if worst else None


def _worst_icon(source: TreeSource, node: Node) -> object:
    del source
    worst = node.item.worst if node.item and node.item.errors else None
    return (
        icon(outcome_style.VERDICT_ICONS[worst], outcome_style.VERDICT_ROLES[worst])
        if worst
        else None
    )


COUNT_CELLS: Final[dict[int, Callable[[TreeSource, Node], object]]] = {
    DISPLAY: _count,
    ALIGNMENT: _right,
    FOREGROUND: _muted,
    TOOLTIP: _tooltip,
}
"""The last column."""

ERROR_CELLS: Final[dict[int, Callable[[TreeSource, Node], object]]] = {
    DISPLAY: _errors,
    DECORATION: _worst_icon,
    ALIGNMENT: _right,
    FOREGROUND: _worst_colour,
    TOOLTIP: _tooltip,
}
"""The middle column: how many are errors, with the icon of the worst."""

CELLS: Final = (NAME_CELLS, ERROR_CELLS, COUNT_CELLS)
"""Name, errors, count: mostly empty columns first, for names to grow into."""


def header(column: int) -> str:
    """The names of the columns, for screen readers; the header itself is not shown."""
    names = (
        QT_TRANSLATE_NOOP("Tree", "Name"),
        QT_TRANSLATE_NOOP("Tree", "Errors"),
        QT_TRANSLATE_NOOP("Tree", "Count"),
    )
    return _tr(names[column])
