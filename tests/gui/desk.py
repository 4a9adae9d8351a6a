"""All four panels over one fake project: the vocabulary of the panels' tests."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path

from pytestqt.qtbot import QtBot

from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.project.project_panel import ProjectPanel
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.trees.discovery_tree import DiscoveryPanel
from gossamer.gui.trees.folder_tree import FoldersPanel
from gossamer.gui.workspace.table_panel import TablePanel
from gossamer.gui.workspace.workspace import connect_panels
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import LinkPosition
from gossamer.model.outcome import Outcome
from tests.fakes.project_rows import FakeRows
from tests.gui.style_sheets import without_style_sheet
from tests.patience import PATIENCE_MS

PATH = Path("a.gossamer")
BASE = "https://example.com"


class PanelDesk(ABC):
    """Panels over one fake project."""

    def __init__(self, qtbot: QtBot, rows: FakeRows) -> None:
        self.qtbot = qtbot
        self.rows = rows
        self.reader = ProjectReader(lambda _: rows)
        with without_style_sheet():
            self.panels = self._made()
        for panel in self.panels:
            panel.resize(900, 400)
            qtbot.addWidget(panel)
            panel.show()

    def open(self) -> None:
        self.reader.open(PATH)
        for panel in self.panels:
            panel.set_project(PATH)

    def refresh(self) -> None:
        for panel in self.panels:
            panel.refresh()

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=PATIENCE_MS)

    @abstractmethod
    def _made(self) -> Sequence[ProjectPanel]: ...


class DetailsDesk(PanelDesk):
    """The details alone: all panels would take ten times as long."""

    def _made(self) -> Sequence[ProjectPanel]:
        self.details = DetailsPanel(self.reader)
        self.details.set_wanted(wanted=True)
        return (self.details,)


class TableDesk(PanelDesk):
    """The table alone: all panels would take half as long again."""

    def open(self) -> None:
        super().open()
        self.until(lambda: self.table.model.rowCount() == len(self.rows.urls))
        self.until(lambda: "All  " in self.table.bar.tabs.tabText(0))

    def rows_shown(self) -> list[str]:
        model = self.table.model
        return [str(model.data(model.index(row, 0), DISPLAY)) for row in range(model.rowCount())]

    def _made(self) -> Sequence[ProjectPanel]:
        self.table = TablePanel(self.reader, max_links=self.rows.max_links)
        return (self.table,)


class Desk(TableDesk, DetailsDesk):
    """All four panels, wired as in the window."""

    def _made(self) -> Sequence[ProjectPanel]:
        self.discovery = DiscoveryPanel(self.reader)
        self.folders = FoldersPanel(self.reader)
        made = (*TableDesk._made(self), *DetailsDesk._made(self))  # noqa: SLF001 - its own
        connect_panels(self.discovery, self.folders, self.table, self.details)
        return (self.discovery, self.folders, *made)


def small_site() -> FakeRows:
    rows = FakeRows()
    rows.add(f"{BASE}/", Outcome.PAGE, status=200, title="Home", elapsed_ms=5)
    rows.add(f"{BASE}/docs/", Outcome.PAGE, parent=1, status=200, title="Docs", elapsed_ms=3)
    rows.add(
        f"{BASE}/old", Outcome.REDIRECT, parent=1, status=301, redirect=f"{BASE}/new", elapsed_ms=9
    )
    rows.add(f"{BASE}/new", Outcome.PAGE, parent=3, status=200, title="New", elapsed_ms=1)
    rows.add(f"{BASE}/gone", Outcome.CLIENT_ERROR, parent=1, status=404)
    rows.add("mailto:me@example.com", Outcome.UNSUPPORTED_SCHEME, parent=1)
    for target in range(2, 7):
        rows.link(1, target, f"to {target}")
    rows.link(2, 1, "home")
    rows.answer_headers[1] = [("Server", "nginx"), ("Content-Type", "text/html")]
    return rows


def add_image(rows: FakeRows, name: str, text: str, traits: int, **facts: object) -> None:
    """An image on the first page."""
    target = rows.add(f"{BASE}/{name}", Outcome.FILE, parent=1, **facts)
    traits |= LinkPosition.CONTENT
    rows.link(1, target, text, kind=LinkKind.IMAGE, element="img", traits=traits)


def table_of(model: object, rows: int, columns: int) -> list[list[str]]:
    """The texts of the first rows and columns."""
    return [
        [str(model.data(model.index(row, column)) or "") for column in range(columns)]  # type: ignore[attr-defined]  # any model
        for row in range(rows)
    ]
