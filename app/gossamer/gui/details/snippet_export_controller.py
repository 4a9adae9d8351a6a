"""Saves titles and descriptions that were edited in the preview of search results."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError


class SnippetExportController(QObject):
    """Asks for a file and writes the edited snippets to it; `say` shows the result."""

    def __init__(
        self, details: DetailsPanel, tasks: WindowTasks, say: Callable[[str], None]
    ) -> None:
        super().__init__(details)
        self._views = details.views
        self._tasks = tasks
        self._say = say
        details.views.when_made(
            DetailViews.snippet, lambda view: view.export_wanted.connect(self._ask)
        )

    def _ask(self) -> None:
        dialog = QFileDialog(
            self._views.snippet,
            self.tr("Export edited search results"),
            "",
            self.tr("CSV files (*.csv)"),
        )
        dialog.setObjectName("export-snippets")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.selectFile("search-results.csv")
        dialog.fileSelected.connect(lambda path: self.save(Path(path)))
        dialog.open()

    def save(self, path: Path) -> None:
        """Write the edited snippets to a file."""
        self._tasks.start("export", self._save(path))

    async def _save(self, path: Path) -> None:
        from gossamer.export.snippet_export import write_snippets  # noqa: PLC0415 - the start does without

        try:
            await asyncio.to_thread(write_snippets, path, self._views.snippet.edited())
        except KnownError as e:
            self._say(spoken(e.said))
        else:
            self._say(self.tr("Exported to {path}").format(path=path))
