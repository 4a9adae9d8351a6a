"""Watches for changes in a project that another process writes."""

from pathlib import Path

from gossamer.model.store_batch import ProjectSummary
from gossamer.store.database import open_for_reading, translated_reading
from gossamer.store.project_summary import read_summary


class ProjectWatch:
    """Detects when a project has changed. Usable on any thread, one at a time."""

    def __init__(self, path: Path) -> None:
        """Open the project at `path`; ProjectError if it cannot be used."""
        self._path = path
        self._connection = open_for_reading(path)
        self._version: int | None = None

    def close(self) -> None:
        """Close the file. Does nothing the second time."""
        self._connection.close()

    def changed(self) -> ProjectSummary | None:
        """The project as a whole, if it is another than when this was last asked.

        To find out that it is not costs next to nothing.
        """
        with translated_reading(self._path):
            (version,) = self._connection.execute("PRAGMA data_version").fetchone()
            before, self._version = self._version, version
            return None if version == before else read_summary(self._connection, self._path)
