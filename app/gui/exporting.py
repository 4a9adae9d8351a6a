"""The export dialog's way to `app.export`."""

from collections.abc import Callable
from pathlib import Path


def export_view(
    project: Path,
    view: str,
    out: Path,
    *,
    on_progress: Callable[[int, int], None],
    is_cancelled: Callable[[], bool],
) -> int | None:
    """Write `view` of `project` to `out`; see `app.gui.export_dialog.Exporter`."""
    raise NotImplementedError
