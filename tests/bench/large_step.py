"""One thing that a user does with a large project: see `large_probe`."""

from collections.abc import Callable
from dataclasses import dataclass

from gossamer.gui.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a user does, and whether its rows are there to be read."""

    what: str
    act: Callable[[], object]
    over: Callable[[], bool]


def readable(window: MainWindow) -> bool:
    """Whether the table answers what was asked, and the rows in sight are there."""
    table = window.workspace.table
    if not table.model.loaded or table.model.query.view is not table.bar.view:
        return False
    first = table.view.rowAt(0)
    return table.model.rowCount() == 0 or table.model.record(first) is not None
