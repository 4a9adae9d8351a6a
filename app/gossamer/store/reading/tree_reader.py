"""Reads the trees of a project: URLs by where they were found, and by folder."""

from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from gossamer.model.project_queries import FolderNode, TreeNode
from gossamer.store.bulk_insert import Value
from gossamer.store.reading import queries as sql
from gossamer.store.reading.project_connection import ProjectConnection
from gossamer.store.reading.row_mapping import node
from gossamer.store.reading.tree_nodes import discovery_path, folder_nodes, folder_path, subfolders
from gossamer.store.reading.worst_errors import WorstInFolders


class TreeReader(ProjectConnection):
    """Reads nodes of trees. Raises as `Reader` does."""

    def __init__(self, path: Path) -> None:
        """Open the project at `path`; ProjectError, in one sentence, if it cannot be used."""
        super().__init__(path)
        self._trouble = WorstInFolders(self._connection)

    def children(self, parent: int | None, after: int = 0, limit: int = 200) -> list[TreeNode]:
        """URLs first found on `parent`, or the roots, by id; up to `limit` ids above `after`.

        Former pages are none of them.
        """
        return self._nodes(
            f"u.parent IS ? AND u.id > ? AND u.{sql.IS_OURS} ORDER BY u.id LIMIT ?",
            (parent, after, limit),
        )

    def folder_urls(self, folder: int, after: int = 0, limit: int = 200) -> list[TreeNode]:
        """URLs right in a folder, by id; up to `limit` ids above `after`."""
        return self._nodes(sql.IN_FOLDER, (folder, after, limit))

    def nodes(self, ids: Sequence[int]) -> list[TreeNode]:
        """The URLs with these ids, in this order; ids that are not known are left out."""
        found = {node.id: node for node in self._by_id(sql.NODE_COLUMNS, sql.NODE_JOINS, ids, node)}
        return [found[url_id] for url_id in ids if url_id in found]

    def path_to(self, url_id: int) -> list[int]:
        """The ids from a root down to a URL, along `parent`; empty if it is in no tree."""
        with self._reading():
            return discovery_path(self._connection, url_id)

    def folders(
        self, parent: int | None, known: Container[int] = (), limit: int = 200
    ) -> list[FolderNode]:
        """Folders right below a folder, or origins, by name; `limit` of those not known."""
        with self._reading():
            ids = subfolders(self._connection, parent, known, limit)
        return self.folder_nodes(ids)

    def folder_nodes(self, ids: Sequence[int]) -> list[FolderNode]:
        """The folders with these ids, in this order, as far as they are known."""
        with self._reading():
            return folder_nodes(self._connection, self._trouble, ids)

    def folder_path(self, names: Sequence[str]) -> list[int]:
        """The ids of an origin, a folder in it, and so on; empty if one is not known."""
        with self._reading():
            return folder_path(self._connection, names)

    def _nodes(self, condition: str, values: Iterable[Value]) -> list[TreeNode]:
        return self._made(
            node,
            f"SELECT {sql.NODE_COLUMNS} FROM url u{sql.NODE_JOINS} WHERE {condition}",  # noqa: S608 - our own words
            values,
        )
