"""The interface through which the export dialog uses `gossamer.export.exporter`."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import ExportResult, Preview
from gossamer.export.sheet import FormatOptions


class Exporter(Protocol):
    """Exports selections of a project, on any thread; the module `gossamer.export.exporter` does.

    Raises what is said there.
    """

    def export(
        self,
        project: Path,
        selection: ExportSelection,
        out: Path,
        *,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
        options: FormatOptions,
    ) -> ExportResult:
        """Write what is selected to `out`; there is no file if that was cancelled."""

    def preview(
        self, project: Path, selection: ExportSelection, rows: int, *, cancelled: Callable[[], bool]
    ) -> Preview:
        """Read the first `rows` rows of what is selected."""
