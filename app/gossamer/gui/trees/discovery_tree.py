"""URLs as a tree of discovery: under each URL those first found on it."""

from collections.abc import Collection

from PySide6.QtCore import QCoreApplication

from gossamer.gui.look import outcome_style
from gossamer.gui.look.theme import Role
from gossamer.gui.project.reader_port import ProjectRows
from gossamer.gui.text import formatting
from gossamer.gui.text.sentences import listed
from gossamer.gui.trees.tree_source import Asked, ChildBatch, Item, Node, Rank
from gossamer.model.outcome import Outcome, UrlState, Verdict
from gossamer.model.project_queries import FolderNode, TreeNode
from gossamer.urls.parse import is_http, origin
from gossamer.urls.tree import display_url


class DiscoverySource:
    """The source of the Discovery tree. Keys are URL ids."""

    outcomes = frozenset(Outcome)

    def __init__(self) -> None:
        self.in_flight: frozenset[int] = frozenset()

    def key(self, item: Item) -> int:
        """The id of the URL."""
        return item.id

    def rank(self, item: Item) -> Rank:
        """In order of discovery."""
        return item.id, ""

    def expected(self, item: Item) -> int:
        """The number of URLs first found there."""
        return item.children if isinstance(item, TreeNode) else 0

    def read_children(self, rows: ProjectRows, asked: Asked, limit: int) -> ChildBatch:
        """The next children by id."""
        parent = asked.item.id if asked.item else None
        items = rows.children(parent, asked.cursor, limit)
        cursor = items[-1].id if items else asked.cursor
        return ChildBatch(asked, items, cursor, end=len(items) < limit)

    def read_items(self, rows: ProjectRows, items: Collection[Item]) -> list[Item]:
        """These URLs, as they are now."""
        return list(rows.nodes([item.id for item in items]))

    def path(self, rows: ProjectRows, url_id: int) -> list[Item]:
        """The URLs on the way of discovery."""
        return list(rows.nodes(rows.path_to(url_id)))

    def text(self, node: Node) -> str:
        """What the URL is called; see `url_text`."""
        item = node.item
        above = node.parent.item if node.parent else None
        if not isinstance(item, TreeNode):
            return ""
        return url_text(item, above.url if isinstance(above, TreeNode) else None)

    def sign(self, item: Item) -> tuple[str, Role | None]:
        """Icon and colour of its outcome."""
        return url_sign(item) if isinstance(item, TreeNode) else ("folder", None)

    def tooltip(self, item: Item) -> str:
        """Address, title, and what became of it."""
        return url_tooltip(item, self.in_flight) if isinstance(item, TreeNode) else ""

    def described(self, item: Item) -> str:
        """What became of it, and how many URLs were found there."""
        return url_described(item, self.in_flight) if isinstance(item, TreeNode) else ""

    def count(self, item: Item) -> int:
        """The number of URLs first found there."""
        return self.expected(item)


def relative(url: str, above: str | None) -> str:
    """`url` for people, without its origin if `above` is of the same origin."""
    if above is not None and is_http(url) and is_http(above):
        site = origin(url)
        if site == origin(above):
            return display_url(url[len(site) :]) or "/"
    return display_url(url)


def url_text(item: TreeNode, above: str | None) -> str:
    """The name of a URL below the URL `above` (None: at the top).

    A path on the same site, else the whole address; redirects and errors with their status:
    "/docs/", "301 /old → /new", "404 /gone", "Timeout /slow".
    """
    name = relative(item.url, above)
    if above is None and name.count("/") <= 3 and name.endswith("/"):  # noqa: PLR2004 - scheme://host/
        name = name.rstrip("/")
    return with_fate(name, item)


def with_fate(name: str, item: TreeNode) -> str:
    """`name` with what is unusual about the URL: its status or failure, and where it leads."""
    if item.verdict in {Verdict.OK, Verdict.PENDING, Verdict.SKIPPED}:
        return name
    name = f"{outcome_style.status_text(item.outcome, item.status)} {name}"
    if item.redirect:
        name = f"{name} → {relative(item.redirect, item.url)}"
    return name


def url_sign(item: TreeNode) -> tuple[str, Role | None]:
    """Icon and colour of a URL. A page has the usual colour: it is the usual thing."""
    quiet = item.verdict is Verdict.OK
    name = outcome_style.icon_name(item.outcome, item.status)
    return name, None if quiet else outcome_style.role(item.outcome, item.status)


def url_tooltip(item: TreeNode, in_flight: Collection[int]) -> str:
    """Address, title, what became of it, and of what was found there."""
    return formatting.tooltip(
        display_url(item.url),
        item.title,
        outcome_style.in_flight_sentence()
        if _flies(item, in_flight)
        else outcome_style.sentence(item.outcome, item.status),
        _found_here(item),
    )


def url_described(item: TreeNode, in_flight: Collection[int]) -> str:
    """The outcome, and how many URLs were found there, in words."""
    flies = _flies(item, in_flight)
    said = outcome_style.in_flight_label() if flies else outcome_style.label(item.outcome)
    if item.outcome is Outcome.PENDING or not item.children:
        return said
    return listed((said, _found_here(item)))


def _flies(item: TreeNode, in_flight: Collection[int]) -> bool:
    return item.id in in_flight and item.outcome.state is UrlState.QUEUED


def _found_here(item: TreeNode) -> str:
    """How many URLs were found on one, how many of them are errors, and what the worst is."""
    if not item.children:
        return ""
    said = QCoreApplication.translate("Tree", "%Ln found here", "", item.children)
    return _with_errors(said, item)


def _with_errors(said: str, item: TreeNode | FolderNode) -> str:
    if not item.errors or item.worst is None:
        return said
    errors = QCoreApplication.translate("Tree", "%Ln error(s); the worst: %1", "", item.errors)
    return listed((said, errors.replace("%1", outcome_style.worst_words(item.worst))))


def folder_described(item: FolderNode) -> str:
    """How many URLs and errors are in a folder, in words."""
    said = QCoreApplication.translate("Tree", "folder, %Ln URL(s)", "", item.urls)
    return _with_errors(said, item)
