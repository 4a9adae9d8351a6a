"""The interface through which the export dialog uses `gossamer.export`.

`gossamer.export` is imported with the first export, which keeps the start of the window fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gossamer.export.export_selection import ExportSelection
    from gossamer.export.exporter import Exported, Preview
    from gossamer.export.sheet import FormatOptions

PREVIEWED: Final = 20
"""Rows of a preview."""


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """A requested export: what to write, in which format, to which file."""

    selection: ExportSelection
    options: FormatOptions
    out: Path


class Exporter(Protocol):
    """Writes selections of a project to files. Both are called in threads of their own.

    They return None if they were cancelled, and raise what is said in `gossamer.export.exporter`.
    """

    def write(
        self,
        project: Path,
        request: ExportRequest,
        *,
        on_progress: Callable[[int, int], None],
        is_cancelled: Callable[[], bool],
    ) -> Exported | None:
        """Write it as `export.exporter.export` does; if it was cancelled, there is no file."""

    def preview(
        self, project: Path, selection: ExportSelection, *, is_cancelled: Callable[[], bool]
    ) -> Preview | None:
        """Read the first rows of it. See `gossamer.export.exporter.preview`."""


class ProjectExporter:
    """Exports project files through `gossamer.export`."""

    def write(
        self,
        project: Path,
        request: ExportRequest,
        *,
        on_progress: Callable[[int, int], None],
        is_cancelled: Callable[[], bool],
    ) -> Exported | None:
        """See `Exporter`."""
        from gossamer.export.exporter import ExportCancelled, export  # noqa: PLC0415 - see above

        try:
            return export(
                project,
                request.selection,
                request.out,
                progress=on_progress,
                cancelled=is_cancelled,
                options=request.options,
            )
        except ExportCancelled:
            return None

    def preview(
        self, project: Path, selection: ExportSelection, *, is_cancelled: Callable[[], bool]
    ) -> Preview | None:
        """See `Exporter`."""
        from gossamer.export.exporter import ExportCancelled, preview  # noqa: PLC0415 - see above

        try:
            return preview(project, selection, PREVIEWED, cancelled=is_cancelled)
        except ExportCancelled:
            return None
