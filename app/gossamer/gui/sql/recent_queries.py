"""The menu of recent queries: those about the site of the project first, then others."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QMenu, QWidget

from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.sql.query_interfaces import QueryPort
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.errors import KnownError
from gossamer.model.query_list import with_query
from gossamer.sql_console.query_templates import TEMPLATES

_LONGEST: Final = 90


class RecentQueries(QMenu):
    """Gives the chosen query to `choose`."""

    def __init__(
        self,
        port: QueryPort,
        tasks: WindowTasks,
        memory: UiState,
        choose: Callable[[str], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._port = port
        self._tasks = tasks
        self._memory = memory
        self._choose = choose
        self._project: Path | None = None
        self._kept: Sequence[str] = ()
        """Queries about the site of the project."""
        self.aboutToShow.connect(self._list)

    async def read(self, project: Path) -> None:
        """Turn to the queries about the site of another project."""
        self._project, self._kept = project, ()
        with suppress(KnownError):  # a query reports it
            kept = await self._port.kept(project)
            if project == self._project:
                self._kept = [*self._kept, *(sql for sql in kept if sql not in self._kept)]

    def keep(self, project: Path, sql: str) -> None:
        """Offer a query again, first for its site."""
        self._memory.remember_query(sql)
        self._kept = with_query(self._kept, sql)
        self._tasks.start("keep query", self._keep_with_site(project, sql))

    def keep_draft(self, sql: str) -> None:
        """Offer what was written and perhaps never run; templates are offered anyway."""
        if all(sql != template.sql for template in TEMPLATES.values()):
            self._memory.remember_query(sql)

    async def _keep_with_site(self, project: Path, sql: str) -> None:
        with suppress(KnownError):  # the window has it
            await self._port.keep(project, sql)

    def _list(self) -> None:
        self.clear()
        others = [sql for sql in self._memory.queries() if sql not in self._kept]
        for queries in (self._kept, others):
            if queries and not self.isEmpty():
                self.addSeparator()
            for sql in queries:
                text = formatting.clean(" ".join(sql.split()), _LONGEST).replace("&", "&&")
                self.addAction(text, partial(self._choose, sql))
        if self.isEmpty():
            self.addAction(self.tr("No query yet")).setEnabled(False)
