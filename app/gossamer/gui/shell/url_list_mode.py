"""Lists of addresses on their way into the window: the editor, a file, the clipboard, a drop."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from gossamer.gui.runtime.window_tasks import Tasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.start.crawl_inputs import UrlField
from gossamer.gui.start.url_list_dialog import NAME, ListDialog
from gossamer.model.errors import UsageError


class ListMode(QObject):
    """Opens the editor of the list that `parts.roots` has. `start` begins a crawl of it."""

    def __init__(self, parts: WindowParts, tasks: Tasks, start: Callable[[], None]) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._tasks = tasks
        self._start = start
        for place in (parts.top_bar, parts.start_page):
            place.root_field.list_wanted.connect(self.edit)
            self._watch(place.url_field)

    def edit(self) -> ListDialog:
        """Show the editor."""
        dialog = self._parts.window.findChild(ListDialog, NAME)
        if dialog is None or not dialog.isVisible():
            dialog = ListDialog(self._parts.roots, self._parts.window)
            dialog.start_wanted.connect(self._start_from(dialog))
            dialog.file_wanted.connect(self.open)
        dialog.show()
        dialog.activateWindow()
        return dialog

    def take(self, text: str) -> None:
        """Show `text` as the list to be crawled."""
        self._parts.roots.choose(is_list=True)
        self.edit().show_text(text)

    def open(self, path: Path) -> None:
        """Show the text of a file as the list to be crawled."""
        self._tasks.start("open list", self._open(path))

    async def _open(self, path: Path) -> None:
        from gossamer.session.url_list_files import list_text  # noqa: PLC0415 - the start does without

        try:
            text = await asyncio.to_thread(list_text, path)
        except UsageError as e:
            self.edit().refuse(e.said)
            return
        self.take(text)

    def _start_from(self, dialog: ListDialog) -> Callable[[], None]:
        def start() -> None:
            self._parts.roots.choose(is_list=True)
            dialog.accept()
            self._start()

        return start

    def _watch(self, field: UrlField) -> None:
        """What is pasted with more than one line is a list."""
        line = field.lineEdit()

        def look(text: str) -> None:
            if "\n" in text.strip():
                field.clearEditText()
                self.take(text)

        if line is not None:
            line.textEdited.connect(look)
