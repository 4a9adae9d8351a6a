"""URLs as a tree of folders: origins, the folders of their paths, and the URLs in them."""

from collections.abc import Collection

from gossamer.gui.look.theme import Role
from gossamer.gui.project.reader_port import ProjectRows
from gossamer.gui.text import formatting
from gossamer.gui.trees.discovery_tree import (
    folder_described,
    url_described,
    url_sign,
    url_tooltip,
    with_fate,
)
from gossamer.gui.trees.tree_source import Asked, ChildBatch, Item, Node, Rank
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.project_queries import FolderNode, TreeNode
from gossamer.urls.tree import display_name, display_url, folders


def folder_key(folder_id: int) -> int:
    """The key of a folder: even numbers."""
    return folder_id * 2


def url_key(url_id: int) -> int:
    """The key of a URL: odd numbers."""
    return url_id * 2 + 1


class FolderSource:
    """The source of the Folders tree: folders by name, then URLs in order of discovery."""

    outcomes = frozenset(o for o in Outcome if o.state is not UrlState.SKIPPED)

    def __init__(self) -> None:
        self.in_flight: frozenset[int] = frozenset()

    def key(self, item: Item) -> int:
        """Folders and URLs have ids of their own, so keys tell them apart."""
        return folder_key(item.id) if isinstance(item, FolderNode) else url_key(item.id)

    def rank(self, item: Item) -> Rank:
        """Folders first."""
        return (0, item.name) if isinstance(item, FolderNode) else (item.id, "")

    def expected(self, item: Item) -> int:
        """Folders and URLs directly in it."""
        return item.subfolders + item.direct if isinstance(item, FolderNode) else 0

    def read_children(self, rows: ProjectRows, asked: Asked, limit: int) -> ChildBatch:
        """The next folders by name, then the next URLs by id."""
        parent = asked.item.id if asked.item else None
        known = {node.item.id for node in asked.known if isinstance(node.item, FolderNode)}
        inside = rows.folders(parent, known, limit)
        if parent is None or len(inside) >= limit:
            end = parent is None and len(inside) < limit
            return ChildBatch(asked, inside, asked.cursor, end=end)
        urls = rows.folder_urls(parent, asked.cursor, limit - len(inside))
        cursor = urls[-1].id if urls else asked.cursor
        return ChildBatch(asked, [*inside, *urls], cursor, end=len(urls) < limit - len(inside))

    def read_items(self, rows: ProjectRows, items: Collection[Item]) -> list[Item]:
        """These folders and URLs, as they are now."""
        folders = rows.folder_nodes([item.id for item in items if isinstance(item, FolderNode)])
        return folders + rows.nodes([item.id for item in items if isinstance(item, TreeNode)])

    def path(self, rows: ProjectRows, url_id: int) -> list[Item]:
        """The folders on the way down to a URL, and the URL."""
        for record in rows.records([url_id]):
            above = rows.folder_nodes(rows.folder_path(folders(record.url)))
            return [*above, *rows.nodes([url_id])] if above else []
        return []

    def text(self, node: Node) -> str:
        """The folder's name, or what a URL adds to the folders it is in."""
        item = node.item
        if isinstance(item, FolderNode):
            return display_url(item.name) if item.parent is None else display_name(item.name)
        if item is None:
            return ""
        start = item.url.find("?")
        name = item.url[item.url.rfind("/", 0, start if start > 0 else None) + 1 :]
        return with_fate(display_url(name) or "/", item)

    def sign(self, item: Item) -> tuple[str, Role | None]:
        """A folder, a site, or the URL's outcome."""
        if isinstance(item, FolderNode):
            return "site" if item.parent is None else "folder", None
        return url_sign(item)

    def tooltip(self, item: Item) -> str:
        """Address and outcome of a URL, the counts of a folder."""
        if isinstance(item, FolderNode):
            return formatting.tooltip(item.name, folder_described(item))
        return url_tooltip(item, self.in_flight)

    def described(self, item: Item) -> str:
        """Counts of a folder, outcome of a URL."""
        return (
            folder_described(item)
            if isinstance(item, FolderNode)
            else url_described(item, self.in_flight)
        )

    def count(self, item: Item) -> int:
        """All URLs in and below a folder."""
        return item.urls if isinstance(item, FolderNode) else 0
