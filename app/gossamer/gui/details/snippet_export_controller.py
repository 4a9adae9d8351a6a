"""Saves titles and descriptions that were edited in the preview of search results."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError

if TYPE_CHECKING:
    from gossamer.gui.details.snippet_view import SnippetView


class SnippetExportController(QObject):
    """Asks for a file and writes the edited snippets to it; `say` shows the result."""

    def __init__(self, view: "SnippetView", tasks: WindowTasks, say: Callable[[str], None]) -> None:
        super().__init__(view)
        self._view = view
        self._tasks = tasks
        self._say = say
        view.export_wanted.connect(self._ask)

    def _ask(self) -> None:
        dialog = QFileDialog(
            self._view, self.tr("Export edited search results"), "", self.tr("CSV files (*.csv)")
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
            await asyncio.to_thread(write_snippets, path, self._view.edited())
        except KnownError as e:
            self._say(spoken(e.said))
        else:
            self._say(self.tr("Exported to {path}").format(path=path))
