"""The export dialog: exports in the background with a preview, progress and cancel."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDir, QStandardPaths, Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gossamer.export import exporter as project_exporter
from gossamer.export.exporter import ExportCancelled, ExportRequest, ExportResult, Preview
from gossamer.export.formats import REPORT, suffix_of
from gossamer.gui.export.export_form import HEIGHT, ExportChoices
from gossamer.gui.export.export_interfaces import Exporter
from gossamer.gui.export.export_preview import ExportPreview
from gossamer.gui.help.help_window import explain
from gossamer.gui.look import theme
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import name_inner
from gossamer.gui.widgets.message_bar import InlineMessage, MessageButton
from gossamer.gui.widgets.progress_bar import CrawlProgressBar
from gossamer.gui.widgets.screen_fit import fitted
from gossamer.model.errors import KnownError
from gossamer.model.file_names import file_name
from gossamer.model.project_queries import LinksOf, Table

_SIZE: Final = (960, 580)
_CHOICES_WIDTH: Final = 320
_SITEMAP_COLUMNS: Final = ("URL", "Last Modified", "Alternates")
"""What there is to see of an XML sitemap."""


class ExportDialog(QDialog):
    """The dialog to choose, preview and run an export. Closing it cancels the export.

    `shown` is what the window's table shows; without it only whole views can be exported.
    """

    _moved = Signal(int, int)

    def __init__(
        self,
        project: Path,
        tasks: WindowTasks,
        parent: QWidget | None = None,
        *,
        shown: Table | LinksOf | None = None,
        exporter: Exporter = project_exporter,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("export-dialog")
        explain(self, "share")
        self.setWindowTitle(self.tr("Export"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._project = project
        self._exporter = exporter
        self._tasks = tasks
        self._cancelled = threading.Event()
        self._running = False
        self.choices = ExportChoices(shown)
        self.preview = ExportPreview(project, exporter, tasks)
        self.path = QLineEdit()
        self.path.setObjectName("export-path")
        self.path.setMinimumHeight(HEIGHT)
        self.message = InlineMessage()
        self._bar = CrawlProgressBar()
        self._bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._bar.setAccessibleName(self.tr("Export progress"))
        self._far = QLabel()
        self._browse = QPushButton(self.tr("&Browse…"))
        self._go = QPushButton(self.tr("&Export"))
        self._go.setObjectName("export-go")
        self._go.setProperty("primary", True)
        self._go.setDefault(True)
        self._stop = QPushButton(self.tr("Close"))
        self._stop.setObjectName("export-stop")
        self._typed_path = False
        self._replaceable: Path | None = None
        self._lay_out()
        self._connect()
        self._suggest()
        self._look()
        name_inner(self)

    def share(self) -> float:
        """How much is written, 0 to 1."""
        return self._bar.share()

    def export(self) -> None:
        """Begin writing; the dialog stays and shows how far it is."""
        text = self.path.text().strip()
        if self._running:
            return
        if not text:
            self.message.show_text("error", self.tr("Enter a file name."))
            return
        columns = self.choices.columns
        if self.choices.has_columns() and columns.names() and not columns.chosen():
            self.message.show_text("error", self.tr("Choose at least one column."))
            return
        out = self._with_suffix(Path(text).expanduser())
        try:
            request = ExportRequest(self.choices.selection(), out, self.choices.options())
        except KnownError as e:
            self.message.show_text("error", spoken(e.said))
            return
        if out.is_file() and out != self._replaceable:
            self._ask_to_replace(out)
            return
        self._set_running(running=True)
        self._tasks.start("export", self._write(request))

    def reject(self) -> None:
        """Escape or the Close button: cancel what runs, else close."""
        if self._running:
            self._cancelled.set()
        else:
            super().reject()

    def done(self, result: int) -> None:
        """Close; nobody looks at a preview any more."""
        self.preview.stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing cancels; the file appears only when it is complete."""
        self._cancelled.set()
        super().closeEvent(event)

    async def _write(self, request: ExportRequest) -> None:
        try:
            exported = await asyncio.to_thread(
                self._exporter.export,
                self._project,
                request.selection,
                request.out,
                progress=self._moved.emit,
                cancelled=self._cancelled.is_set,
                options=request.options,
            )
        except ExportCancelled:
            self._bar.set_share(0.0, "accent")
            self.message.show_text("info", self.tr("Export cancelled. No file was written."))
        except KnownError as e:
            self.message.show_text("error", spoken(e.said))
        except asyncio.CancelledError:
            self._cancelled.set()
            raise
        else:
            self._tell(exported, request)
        finally:
            self._set_running(running=False)

    def _tell(self, exported: ExportResult, request: ExportRequest) -> None:
        self._bar.set_share(1.0, "ok")
        # Whoever exports again wants the file anew.
        self._replaceable = request.out
        file = QUrl.fromLocalFile(str(request.out.absolute()))
        folder = QUrl.fromLocalFile(str(request.out.absolute().parent))
        answers = [MessageButton(self.tr("Open folder"), lambda: _open(folder))]
        if request.selection.source is REPORT:
            answers.insert(0, MessageButton(self.tr("Open report"), lambda: _open(file)))
        self.message.show_text("finished", self._told(exported, request), *answers)

    def _told(self, exported: ExportResult, request: ExportRequest) -> str:
        """What was written, in one sentence."""
        name = request.out.name
        if request.selection.source is REPORT:
            return self.tr("Report saved to {name}.").format(name=name)
        told = self.tr("Saved %Ln row(s) to {name}.", "", exported.rows)
        if len(exported.files) > 1:
            told = self.tr(
                "Saved %Ln row(s) to {files} files. {name} is the sitemap index.", "", exported.rows
            )
        told = told.format(name=name, files=number(len(exported.files)))
        if exported.left_out:
            count = sum(exported.left_out.values())
            told += " " + self.tr("The rules left out %Ln more.", "", count)
        return told

    def _with_suffix(self, out: Path) -> Path:
        """`out`; where it has no suffix that says a format, with the one that is chosen."""
        if suffix_of(out) is not None or not out.name:
            return out
        named = out.with_name(out.name + self.choices.suffix())
        self.path.setText(QDir.toNativeSeparators(str(named)))
        return named

    def _ask_to_replace(self, out: Path) -> None:
        def replace() -> None:
            self._replaceable = out
            self.export()

        self.message.show_text(
            "warning",
            self.tr("{name} already exists.").format(name=out.name),
            MessageButton(self.tr("Replace"), replace),
        )

    def _set_running(self, *, running: bool) -> None:
        self._running = running
        if running:
            self._cancelled.clear()
            self.message.hide()
            self._bar.set_share(0.0, "accent")
        for part in (self._go, self.choices, self.path, self._browse):
            part.setEnabled(not running)
        self._far.setText("")
        self._stop.setText(self.tr("Cancel") if running else self.tr("Close"))

    def _show_moved(self, done: int, total: int) -> None:
        self._bar.set_share(done / total if total else 0.0, "accent")
        if self._running:
            words = self.tr("About {done} of {all} rows")
            self._far.setText(words.format(done=number(done), all=number(total)))

    def _look(self) -> None:
        """Show the first rows of what would be exported."""
        selection = self.choices.selection()
        if selection.source is REPORT:
            self.preview.show_document(
                self.tr(
                    "One page to share, print or archive: charts of status codes, crawl depth and "
                    "response times, errors with their inlinks, redirect chains, and the slowest "
                    "and largest pages."
                )
            )
        else:
            # All columns: which of them are shown is no reason to read again.
            self.preview.read(replace(selection, columns=()))

    def _take_preview(self, found: Preview) -> None:
        self.choices.offer_columns(found.columns, found.chosen)

    def _show_columns(self) -> None:
        if self.choices.has_columns():
            self.preview.show_columns(self.choices.columns.chosen())
        else:
            self.preview.show_columns(_SITEMAP_COLUMNS)

    def _rename(self) -> None:
        """Another format: another suffix, and perhaps other columns."""
        text = self.path.text().strip()
        known = suffix_of(Path(text)) if self._typed_path else None
        if known is not None and known != self.choices.suffix():
            self.path.setText(text[: -len(known)] + self.choices.suffix())
        self._suggest()
        self._show_columns()

    def _suggest(self) -> None:
        """A file name that says what is in it, as long as the person typed none."""
        if self._typed_path:
            return
        found = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        folder = Path(found) if found and Path(found).is_dir() else Path.home()
        what = self.choices.selection().name
        name = file_name(self._project.stem, f" {what}{self.choices.suffix()}")
        self.path.setText(QDir.toNativeSeparators(str(folder / name)))

    def _choose(self) -> None:
        suffix = self.choices.suffix()
        kinds = f"{self.choices.format.currentText()} (*{suffix})"
        dialog = QFileDialog(self, self.tr("Export to"), self.path.text(), kinds)
        dialog.setObjectName("export-file")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix.removeprefix("."))
        dialog.selectFile(self.path.text())
        dialog.fileSelected.connect(self._take_chosen)
        dialog.open()

    def _take_chosen(self, name: str) -> None:
        """A file from the file dialog, which has asked already whether to replace it."""
        self._take_path(name)
        self._replaceable = Path(name)

    def _take_path(self, name: str) -> None:
        """What was typed; a suffix that is known says which format."""
        self._typed_path = True
        if self.path.text() != name:
            self.path.setText(name)
        suffix = suffix_of(Path(name))
        if suffix != self.choices.suffix():
            self.choices.set_suffix(suffix)

    def _connect(self) -> None:
        self._moved.connect(self._show_moved)
        self.choices.renamed.connect(self._rename)
        self.choices.reselected.connect(self._look)
        self.choices.rearranged.connect(self._show_columns)
        self.preview.arrived.connect(self._take_preview)
        self.path.textEdited.connect(self._take_path)
        self._browse.clicked.connect(self._choose)
        self._go.clicked.connect(self.export)
        self._stop.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))
        self.choices.setFixedWidth(_CHOICES_WIDTH)
        self.path.setAccessibleName(self.tr("File to write"))
        self._far.setProperty("muted", True)
        self._far.setFont(theme.tabular(self._far.font()))
        label = QLabel(self.tr("&File"))
        label.setBuddy(self.path)
        middle = QHBoxLayout()
        middle.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_S)
        middle.setSpacing(theme.SPACE_L)
        middle.addWidget(self.choices)
        middle.addWidget(self.preview, 1)
        file = _row(label, self.path, self._browse)
        file.setStretch(1, 1)
        ends = _row(self._bar, self._far, self._stop, self._go)
        ends.setStretch(0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, theme.SPACE_S)
        column.setSpacing(0)
        column.addLayout(middle, 1)
        column.addWidget(self.message)  # takes room of the preview, and moves no field
        column.addLayout(file)
        column.addLayout(ends)


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(theme.SPACE_L, theme.SPACE_S, theme.SPACE_L, theme.SPACE_S)
    row.setSpacing(theme.SPACE_S)
    for widget in widgets:
        row.addWidget(widget)
    return row


def _open(place: QUrl) -> None:
    QDesktopServices.openUrl(place)
