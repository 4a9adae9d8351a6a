"""The export dialog's way to `app.export`."""

from collections.abc import Callable
from pathlib import Path

from app.export.exporter import ExportCancelled, export
from app.export.selection import ExportView, Selection


def export_view(
    project: Path,
    view: str,
    out: Path,
    *,
    on_progress: Callable[[int, int], None],
    is_cancelled: Callable[[], bool],
) -> int | None:
    """Write `view` of `project` to `out`; see `app.gui.export_dialog.Exporter`."""
    try:
        exported = export(
            project, Selection(ExportView(view)), out, progress=on_progress, cancelled=is_cancelled
        )
    except ExportCancelled:
        return None
    return exported.rows
