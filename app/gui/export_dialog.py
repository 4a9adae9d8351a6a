"""Export: which view into which file, with progress and cancel. Never in a crawl's way."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QDir, QStandardPaths, Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.gui import theme
from app.gui.messages import Answer, InlineMessage
from app.gui.progress_line import Bar
from app.gui.tasks import Tasks
from app.gui.words import number
from app.model.errors import KnownError

_WIDTH: Final = 520
_HEIGHT: Final = 28


class Exporter(Protocol):
    """Writes a view of a project to a file. Called in a thread of its own."""

    def __call__(
        self,
        project: Path,
        view: str,
        out: Path,
        *,
        on_progress: Callable[[int, int], None],
        is_cancelled: Callable[[], bool],
    ) -> int | None:
        """The number of rows written; None if it was cancelled, and then there is no file.

        `on_progress` gets rows done and rows in all. Raises OutputError or ProjectError.
        """


class ExportDialog(QDialog):
    """Choose, export, and open the folder. Closing it cancels."""

    _moved = Signal(int, int)

    def __init__(
        self, project: Path, exporter: Exporter, tasks: Tasks, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("export-dialog")
        self.setWindowTitle(self.tr("Export"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._project = project
        self._exporter = exporter
        self._tasks = tasks
        self._cancelled = threading.Event()
        self._running = False
        self.view = QComboBox()
        self.view.setObjectName("export-view")
        for name, text in (
            ("pages", self.tr("Pages")),
            ("redirects", self.tr("Redirects, one row for each chain")),
            ("links", self.tr("Links")),
            ("errors", self.tr("Errors")),
            ("resources", self.tr("Images, style sheets and other files")),
            ("external", self.tr("Addresses of other sites")),
            ("all", self.tr("All addresses")),
            ("sitemap-check", self.tr("Sitemaps compared with links")),
            ("sitemap", self.tr("Sitemap")),
            ("report", self.tr("Report with charts")),
        ):
            self.view.addItem(text, name)
        self.path = QLineEdit()
        self.path.setObjectName("export-path")
        for field in (self.view, self.path):
            field.setMinimumHeight(_HEIGHT)
        self.message = InlineMessage()
        self._bar = Bar()
        self._bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._bar.setAccessibleName(self.tr("Progress of the export"))
        self._browse = QPushButton(self.tr("Browse…"))
        self._go = QPushButton(self.tr("Export"))
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

    def share(self) -> float:
        """How much is written, 0 to 1."""
        return self._bar.share()

    def export(self) -> None:
        """Begin writing; the dialog stays and shows how far it is."""
        text = self.path.text().strip()
        if self._running:
            return
        if not text:
            self.message.show_text("error", self.tr("Name a file to write to."))
            return
        out = Path(text).expanduser()
        if out.is_file() and out != self._replaceable:
            self._ask_to_replace(out)
            return
        self._set_running(running=True)
        self._tasks.start("export", self._write(self.view.currentData(), out))

    def reject(self) -> None:
        """Escape or the Close button: cancel what runs, else close."""
        if self._running:
            self._cancelled.set()
        else:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing cancels; the file appears only when it is complete."""
        self._cancelled.set()
        super().closeEvent(event)

    async def _write(self, view: str, out: Path) -> None:
        try:
            rows = await asyncio.to_thread(
                self._exporter,
                self._project,
                view,
                out,
                on_progress=self._moved.emit,
                is_cancelled=self._cancelled.is_set,
            )
        except KnownError as e:
            self.message.show_text("error", str(e))
        except asyncio.CancelledError:
            self._cancelled.set()
            raise
        else:
            self._tell(rows, out)
        finally:
            self._set_running(running=False)

    def _tell(self, rows: int | None, out: Path) -> None:
        if rows is None:
            self.message.show_text("info", self.tr("Cancelled; nothing was written."))
            return
        self._bar.set_share(1.0, "ok")
        folder = QUrl.fromLocalFile(str(out.absolute().parent))
        self.message.show_text(
            "finished",
            self.tr("{rows} rows are in {name}.").format(rows=number(rows), name=out.name),
            Answer(self.tr("Open folder"), lambda: _open(folder)),
        )

    def _ask_to_replace(self, out: Path) -> None:
        def replace() -> None:
            self._replaceable = out
            self.export()

        self.message.show_text(
            "warning",
            self.tr("{name} exists already.").format(name=out.name),
            Answer(self.tr("Replace"), replace),
        )

    def _set_running(self, *, running: bool) -> None:
        self._running = running
        if running:
            self._cancelled.clear()
            self.message.hide()
            self._bar.set_share(0.0, "accent")
        self._go.setEnabled(not running)
        self.view.setEnabled(not running)
        self.path.setEnabled(not running)
        self._browse.setEnabled(not running)
        self._stop.setText(self.tr("Cancel") if running else self.tr("Close"))

    def _show_moved(self, done: int, total: int) -> None:
        self._bar.set_share(done / total if total else 0.0, "accent")

    def _suggest(self) -> None:
        """A file name that says what is in it, as long as the person typed none."""
        if self._typed_path:
            return
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        name = f"{self._project.stem} {self.view.currentData()}.csv"
        self.path.setText(QDir.toNativeSeparators(str(Path(folder or Path.home()) / name)))

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Export to"), self.path.text(), "CSV (*.csv)")
        dialog.setObjectName("export-file")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.selectFile(self.path.text())
        dialog.fileSelected.connect(self._take_chosen)
        dialog.open()

    def _take_chosen(self, name: str) -> None:
        """A file from the file dialog, which has asked already whether to replace it."""
        self._take_path(name)
        self._replaceable = Path(name)

    def _take_path(self, name: str) -> None:
        self._typed_path = True
        self.path.setText(name)

    def _connect(self) -> None:
        self._moved.connect(self._show_moved)
        self.view.currentIndexChanged.connect(self._suggest)
        self.path.textEdited.connect(self._take_path)
        self._browse.clicked.connect(self._choose)
        self._go.clicked.connect(self.export)
        self._stop.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        self.setMinimumWidth(_WIDTH)
        file = QHBoxLayout()
        file.setSpacing(theme.SPACE_S)
        file.addWidget(self.path, 1)
        file.addWidget(self._browse)
        form = QFormLayout()
        form.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_S)
        form.setHorizontalSpacing(theme.SPACE_M)
        form.setVerticalSpacing(theme.SPACE_M)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("What"), self.view)
        form.addRow(self.tr("File"), file)
        form.addRow(self._bar)
        self.view.setAccessibleName(self.tr("What to export"))
        self.path.setAccessibleName(self.tr("File to write"))
        buttons = QHBoxLayout()
        buttons.setContentsMargins(theme.SPACE_L, theme.SPACE_S, theme.SPACE_L, theme.SPACE_L)
        buttons.setSpacing(theme.SPACE_S)
        buttons.addStretch(1)
        buttons.addWidget(self._stop)
        buttons.addWidget(self._go)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.message)
        column.addLayout(form)
        column.addLayout(buttons)


def _open(folder: QUrl) -> None:
    QDesktopServices.openUrl(folder)
