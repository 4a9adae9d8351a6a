"""What the export dialog needs of the world, and where it gets it: `app.export`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from app.export.exporter import ExportCancelled, Exported, Preview, export, preview
from app.export.selection import Selection
from app.export.sheet import Options

PREVIEWED: Final = 20
"""Rows of a preview."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What to write, how, and where to."""

    selection: Selection
    options: Options
    out: Path


class Exporter(Protocol):
    """Writes selections of a project to files. Both are called in threads of their own.

    They return None if they were cancelled, and raise what is said in `app.export.exporter`.
    """

    def write(
        self,
        project: Path,
        wish: Wish,
        *,
        on_progress: Callable[[int, int], None],
        is_cancelled: Callable[[], bool],
    ) -> Exported | None:
        """Write it; if it was cancelled, there is no file. See `app.export.exporter.export`."""

    def preview(
        self, project: Path, selection: Selection, *, is_cancelled: Callable[[], bool]
    ) -> Preview | None:
        """Read the first rows of it. See `app.export.exporter.preview`."""


class ProjectExporter:
    """An Exporter on project files."""

    def write(
        self,
        project: Path,
        wish: Wish,
        *,
        on_progress: Callable[[int, int], None],
        is_cancelled: Callable[[], bool],
    ) -> Exported | None:
        """See `Exporter`."""
        try:
            return export(
                project,
                wish.selection,
                wish.out,
                progress=on_progress,
                cancelled=is_cancelled,
                options=wish.options,
            )
        except ExportCancelled:
            return None

    def preview(
        self, project: Path, selection: Selection, *, is_cancelled: Callable[[], bool]
    ) -> Preview | None:
        """See `Exporter`."""
        try:
            return preview(project, selection, PREVIEWED, cancelled=is_cancelled)
        except ExportCancelled:
            return None
