"""The export dialog: exports in the background with a preview, progress and cancel."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gossamer.export.archive_exports import ArchiveExport, ArchiveRequest
from gossamer.export.exporter import ExportResult, Preview
from gossamer.export.formats import REPORT
from gossamer.export.row_counter import ExportCancelled
from gossamer.export.view_bundles import BundleRequest, Request
from gossamer.gui.export.export_destination import ExportDestination
from gossamer.gui.export.export_form import ExportChoices
from gossamer.gui.export.export_interfaces import Exporter
from gossamer.gui.export.export_preview import ExportPreview
from gossamer.gui.look import theme
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import name_inner
from gossamer.gui.widgets.message_bar import InlineMessage, MessageButton
from gossamer.gui.widgets.progress_bar import CrawlProgressBar
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.errors import KnownError, OutputError
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.project_queries import LinksOf, Table
from gossamer.model.translatable import Translatable

_SIZE: Final = (960, 580)
_CHOICES_WIDTH: Final = 320
_SITEMAP_COLUMNS: Final = ("URL", "Last Modified", "Alternates")
"""The columns that the preview of an XML sitemap shows."""


class ExportDialog(QDialog):
    """The dialog to choose, preview and run an export. Closing it cancels the export.

    `shown` is what the window's table shows; without it, only whole views can be exported.
    """

    _moved = Signal(int, int)

    def __init__(
        self,
        project: Path,
        tasks: WindowTasks,
        parent: QWidget | None = None,
        *,
        memory: UiState,
        exporter: Exporter,
        shown: Table | LinksOf | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("export-dialog")
        explain(self, "window/export")
        self.setWindowTitle(self.tr("Export"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._project = project
        self._exporter = exporter
        self._tasks = tasks
        self._memory = memory
        self._cancelled = threading.Event()
        self._running = False
        self._is_auditing = False
        self._focused: QWidget | None = None
        self.choices = ExportChoices(shown)
        self.choices.set_suffix(memory.export_suffix())
        self.preview = ExportPreview(project, exporter, tasks)
        self.destination = ExportDestination(project, self.choices, memory.export_folder())
        self.path = self.destination.path
        self.message = InlineMessage()
        self._bar = CrawlProgressBar()
        self._bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._bar.setAccessibleName(self.tr("Export progress"))
        self._far = QLabel()
        self._go = QPushButton(self.tr("&Export"))
        self._go.setObjectName("export-go")
        self._go.setProperty("primary", True)
        self._go.setDefault(True)
        self._stop = QPushButton(self.tr("Close"))
        self._stop.setObjectName("export-stop")
        self._lay_out()
        self._connect()
        self._look()
        name_inner(self)

    def name_shown(self, name: str) -> None:
        """Set the name that the file name has for what the table shows."""
        self.choices.shown_name = name
        self.destination.follow()

    def share(self) -> float:
        """The share that is written, from 0 to 1."""
        return self._bar.share()

    def export(self) -> None:
        """Start to write; the dialog stays open and shows the progress."""
        if self._running:
            return
        out = self.destination.target()
        if out is None:
            self.message.show_text("error", self.tr("Enter a file name."))
            return
        columns = self.choices.columns
        if self.choices.has_columns() and columns.names() and not columns.chosen():
            self.message.show_text("error", self.tr("Choose at least one column."))
            return
        try:
            request = self.choices.request(out)
        except KnownError as e:
            self.message.show_text("error", spoken(e.said))
            return
        if self.destination.must_ask(out):
            self._ask_to_replace(out)
            return
        self._memory.remember_export(str(out.absolute().parent), self.choices.suffix())
        self._set_running(running=True)
        self._tasks.start("export", self._write(request))

    def reject(self) -> None:
        """Cancel the running export, else close, on Escape or the Close button."""
        if self._running:
            self._cancel()
        else:
            super().reject()

    def done(self, result: int) -> None:
        """Close, and stop reading the preview."""
        self.preview.stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel the export: the file appears only when it is complete."""
        self._cancel()
        super().closeEvent(event)

    def _cancel(self) -> None:
        self._cancelled.set()
        if self._is_auditing:
            self._exporter.cancel_audit()

    async def _write(self, request: Request) -> None:
        try:
            await self._audit(request)
            exported = await asyncio.to_thread(
                self._exporter.write,
                self._project,
                request,
                progress=self._moved.emit,
                cancelled=self._cancelled.is_set,
            )
        except ExportCancelled:
            self._bar.set_share(0.0, "accent")
            self.message.show_text("info", self.tr("Export cancelled. No file was written."))
        except KnownError as e:
            self._bar.set_share(0.0, "accent")
            self.message.show_text("error", spoken(e.said))
        except asyncio.CancelledError:
            self._cancelled.set()
            raise
        else:
            self._show_result(exported, request)
        finally:
            self._set_running(running=False)

    async def _audit(self, request: Request) -> None:
        """Bring the audit up to date if the rows need it."""
        if not request.needs_audit or await self._is_audited():
            return
        self._is_auditing = True
        try:
            await self._exporter.audit(self._show_step)
        finally:
            self._is_auditing = False
        if self._cancelled.is_set():
            raise ExportCancelled
        if not await self._is_audited():
            raise OutputError("The audit did not complete, so nothing was exported; try again.")

    async def _is_audited(self) -> bool:
        return await asyncio.to_thread(self._exporter.is_audited, self._project)

    def _show_result(self, exported: ExportResult, request: Request) -> None:
        self._bar.set_share(1.0, "ok")
        self.destination.note_written(request.out)
        out = request.out.absolute()
        buttons = [
            MessageButton(
                self.tr("Open folder"), lambda: _open(out if out.is_dir() else out.parent)
            )
        ]
        if self.choices.selected() is REPORT:
            buttons.insert(0, MessageButton(self.tr("Open report"), lambda: _open(out)))
        if self.choices.is_copy():
            first_page = out / "index.html"
            buttons.insert(0, MessageButton(self.tr("Open copy"), lambda: _open(first_page)))
        self.message.show_text("finished", self._result_sentence(exported, request), *buttons)

    def _result_sentence(self, exported: ExportResult, request: Request) -> str:
        """A sentence about what was written."""
        name, files = request.out.name, exported.files
        if isinstance(request, ArchiveRequest):
            return self.tr("Saved %Ln page(s) to {path}.", "", exported.rows).format(
                path=formatting.clean(str(request.out))
            )
        if self.choices.selected() is REPORT:
            return self.tr("Report saved to {name}.").format(name=name)
        if isinstance(request, BundleRequest) and not request.is_workbook:
            sentence = self.tr("Saved %Ln row(s) to {files} files in {name}.", "", exported.rows)
            return sentence.format(name=name, files=number(len(files) - 1))
        sentence = self.tr("Saved %Ln row(s) to {name}.", "", exported.rows)
        if len(files) > 1:
            sentence = self.tr(
                "Saved %Ln row(s) to {files} files. {name} is the sitemap index.", "", exported.rows
            )
        sentence = sentence.format(name=name, files=number(len(files)))
        if exported.left_out:
            count = sum(exported.left_out.values())
            sentence += " " + self.tr("The rules left out %Ln more.", "", count)
        return sentence

    def _ask_to_replace(self, out: Path) -> None:
        def replace() -> None:
            self.destination.note_written(out)
            self.export()

        words = self.tr("{name} already exists.")
        if self.choices.is_folder():
            words = self.tr("{name} is not empty. Files of an earlier export will be replaced.")
        self.message.show_text(
            "warning", words.format(name=out.name), MessageButton(self.tr("Replace"), replace)
        )

    def _set_running(self, *, running: bool) -> None:
        self._running = running
        if running:
            self._focused = self.focusWidget()
            self._cancelled.clear()
            self.message.hide()
            self._bar.set_share(0.0, "accent")
        for part in (self._go, self.choices, self.destination):
            part.setEnabled(not running)
        self._far.setText("")
        self._stop.setText(self.tr("Cancel") if running else self.tr("Close"))
        if not running and self._focused is not None and self.focusWidget() is None:
            self._focused.setFocus()  # it lost the focus when it was disabled

    def _show_moved(self, done: int, total: int) -> None:
        self._bar.set_share(done / total if total else 0.0, "accent")
        if self._running:
            words = self.tr("About {done} of {all} rows")
            if isinstance(self.choices.selected(), ArchiveExport):
                words = self.tr("{done} % written")
            elif self.choices.selection() is None:
                words = self.tr("Table {done} of {all}")
            self._far.setText(words.format(done=number(done), all=number(total)))

    def _show_step(self, step: ProcessStep) -> None:
        """Show the progress of the audit that comes before the export."""
        self._bar.set_share(step.done / step.total if step.total else 0.0, "accent")
        words = self.tr("Audit: {stage}")
        self._far.setText(words.format(stage=spoken(Translatable(step.stage))))

    def _look(self) -> None:
        """Show the first rows of what would be exported."""
        selection, source = self.choices.selection(), self.choices.selected()
        if isinstance(source, ArchiveExport):
            self.preview.show_document_of(
                self._archive_words(source), self._exporter.ensure_archive
            )
        elif selection is None:
            self.preview.show_document(
                self.tr(
                    "Several tables, each as a file in one folder or as a worksheet in one "
                    "workbook. They replace the tables of an earlier export."
                )
            )
        elif selection.source is REPORT:
            self.preview.show_document(
                self.tr(
                    "One page to share, print or archive: charts of status codes, crawl depth and "
                    "response times, errors with their inlinks, redirect chains, and the slowest "
                    "and largest pages."
                )
            )
        else:
            # All columns, so that another choice of them needs no new reading.
            self.preview.read(replace(selection, columns=()))

    def _archive_words(self, source: ArchiveExport) -> str:
        if source.suffix:
            return self.tr(
                "The archive of this project as one file to share, with an index and a list of "
                "pages. ReplayWeb.page and pywb can display it, and Gossamer can import it."
            )
        return self.tr(
            "The archived pages as a new folder for browsing offline: open its index.html. Links "
            "stay within the copy, scripts are removed, and nothing is requested."
        )

    def _take_preview(self, found: Preview) -> None:
        self.choices.offer_columns(found.columns, found.chosen)

    def _show_columns(self) -> None:
        if self.choices.has_columns():
            self.preview.show_columns(self.choices.columns.chosen())
        else:
            self.preview.show_columns(_SITEMAP_COLUMNS)

    def _rename(self) -> None:
        """Adapt to another format: its suffix, and perhaps other columns."""
        self.destination.follow()
        self._show_columns()

    def _connect(self) -> None:
        self._moved.connect(self._show_moved)
        self.choices.renamed.connect(self._rename)
        self.choices.reselected.connect(self._look)
        self.choices.rearranged.connect(self._show_columns)
        self.preview.arrived.connect(self._take_preview)
        self._go.clicked.connect(self.export)
        self._stop.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))
        # Wide enough for the texts of all lists, unless that leaves too little for the preview.
        wanted = min(self.choices.sizeHint().width(), self.width() // 2)
        self.choices.setFixedWidth(max(_CHOICES_WIDTH, wanted))
        self._far.setProperty("muted", True)
        self._far.setFont(theme.tabular(self._far.font()))
        middle = QHBoxLayout()
        middle.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_S)
        middle.setSpacing(theme.SPACE_L)
        middle.addWidget(self.choices)
        middle.addWidget(self.preview, 1)
        ends = _row(self._bar, self._far, self._stop, self._go)
        ends.setStretch(0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, theme.SPACE_S)
        column.setSpacing(0)
        column.addLayout(middle, 1)
        column.addWidget(self.message)  # takes its room from the preview and moves no field
        column.addWidget(self.destination)
        column.addLayout(ends)


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(theme.SPACE_L, theme.SPACE_S, theme.SPACE_L, theme.SPACE_S)
    row.setSpacing(theme.SPACE_S)
    for widget in widgets:
        row.addWidget(widget)
    return row


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
