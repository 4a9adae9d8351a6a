"""Asks where to write a comparison, writes it on a thread, and shows the progress."""

import asyncio
import threading
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from gossamer.export.comparison_export import (
    COMPARISON_SUFFIXES,
    REPORT_SUFFIX,
    WORKBOOK_SUFFIX,
)
from gossamer.export.row_counter import ExportCancelled
from gossamer.gui.comparison.comparison_interfaces import ComparisonPort
from gossamer.gui.comparison.comparison_window import ComparisonWindow
from gossamer.gui.export.format_names import format_name
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.message_bar import Kind, MessageButton
from gossamer.model.errors import KnownError
from gossamer.model.file_names import file_name

_tr = translator("ComparisonExport")


class ComparisonExport(QObject):
    """Exports the comparison file of one window, once at a time."""

    def __init__(
        self, port: ComparisonPort, window: ComparisonWindow, comparison: Path, tasks: WindowTasks
    ) -> None:
        super().__init__(window)
        self._port = port
        self._window = window
        self._comparison = comparison
        self._tasks = tasks
        self._task: asyncio.Task[None] | None = None
        self._given_up = threading.Event()
        window.finished.connect(lambda _: self._given_up.set())

    def choose(self) -> None:
        """Ask for a file: all of it as a workbook or a report, or the changes as a table."""
        summary = self._window.summary
        if summary is None or self._task is not None:
            return
        dialog = QFileDialog(self._window, _tr("Export comparison"))
        dialog.setObjectName("comparison-file")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(self._filters())
        dialog.filterSelected.connect(
            lambda chosen: dialog.setDefaultSuffix(chosen.rpartition("*.")[2].rstrip(")"))
        )
        dialog.setDefaultSuffix(WORKBOOK_SUFFIX.removeprefix("."))
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        dialog.setDirectory(QStandardPaths.writableLocation(documents))
        name = _tr("{name} compared").format(name=file_name(Path(summary.after.path).stem))
        dialog.selectFile(f"{name}{WORKBOOK_SUFFIX}")
        dialog.fileSelected.connect(lambda chosen: self.write(Path(chosen)))
        dialog.open()

    def write(self, target: Path) -> None:
        """Write the file."""
        if self._task is None:
            self._given_up = threading.Event()
            self._task = self._tasks.start("export", self._write(target, self._given_up))

    async def end(self) -> None:
        """Give up what is being written, and wait for the end: the comparison is about to go."""
        self._given_up.set()
        if self._task is not None:
            await asyncio.wait({self._task})

    def _filters(self) -> list[str]:
        """The formats, those that have everything first."""
        whole = {
            WORKBOOK_SUFFIX: _tr("Excel workbook, everything"),
            REPORT_SUFFIX: _tr("Report, everything"),
        }
        changes = {
            each: _tr("{format}, the changes").format(format=format_name(each))
            for each in COMPARISON_SUFFIXES
            if each not in whole
        }
        return [f"{name} (*{each})" for each, name in (whole | changes).items()]

    async def _write(self, target: Path, given_up: threading.Event) -> None:
        loop, last = asyncio.get_running_loop(), -1

        def show(percent: int) -> None:
            words = _tr("Exporting… {percent} %").format(percent=percent)
            self._tell("info", words, MessageButton(_tr("Cancel"), given_up.set))

        def progress(done: int, of: int) -> None:
            nonlocal last
            percent = min(done * 100 // max(of, 1), 99)
            if percent != last:
                last = percent
                loop.call_soon_threadsafe(show, percent)

        show(0)
        try:
            await asyncio.to_thread(
                self._port.export, self._comparison, target, progress, given_up.is_set
            )
        except ExportCancelled:
            self._tell("info", _tr("Export cancelled. No file was written."))
        except KnownError as e:
            self._tell("error", spoken(e.said))
        else:
            words = _tr("Saved to {name}.").format(name=formatting.clean(target.name))
            self._tell("finished", words, MessageButton(_tr("Open"), lambda: _open(target)))
        finally:
            self._task = None

    def _tell(self, kind: Kind, words: str, *buttons: MessageButton) -> None:
        """What has become of an export, unless the window was closed meanwhile."""
        if isValid(self._window):
            self._window.tell_export(kind, words, *buttons)


def _open(target: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(target.absolute())))
