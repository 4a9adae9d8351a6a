"""Imports web archives: asks for files, reads them once, and crawls their contents."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import msgspec
from PySide6.QtCore import QObject, QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.next_crawl import NextCrawl
from gossamer.gui.crawl.session_interfaces import SessionFactoryPort
from gossamer.gui.runtime.file_checks import is_folder
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.cancellable_work import run_with_message
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text.local_formatting import number
from gossamer.gui.widgets.help_context import explain
from gossamer.model.archive_source import ARCHIVE_SUFFIXES, LAST_CAPTURE, ArchiveSource

if TYPE_CHECKING:
    from gossamer.archive.captures import ScanReport
    from gossamer.gui.crawl.session_interfaces import SessionPort
    from gossamer.model.settings.crawl_settings import CrawlSettings
    from gossamer.session.session_factory import SessionFactory

_MESSAGE: Final = "import"
_DAMAGE: Final = "import-damage"


class ImportCancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The archives are not to be read any further."""


class ImportController(QObject):
    """A project is made from archives with the settings of the next crawl."""

    def __init__(
        self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks, next_crawl: NextCrawl
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._next = next_crawl
        self._folder = ""

    @performs(WindowAction.IMPORT)
    def ask(self) -> None:
        """Ask which files to import: several are parts of one archive."""
        names = " ".join(f"*{suffix}" for suffix in ARCHIVE_SUFFIXES)
        kinds = self.tr("Web archives ({names})").format(names=names)
        every = self.tr("All files (*)")
        title = self.tr("Import web archive")
        dialog = QFileDialog(self._parts.window, title, "", f"{kinds};;{every}")
        dialog.setObjectName("import-archive")
        explain(dialog, "window/files")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        downloads = QStandardPaths.StandardLocation.DownloadLocation
        folder = self._folder or QStandardPaths.writableLocation(downloads)
        if folder and is_folder(Path(folder)):
            dialog.setDirectory(folder)
        dialog.filesSelected.connect(lambda names: self.import_archives([Path(n) for n in names]))
        dialog.open()

    def import_archives(self, archives: Sequence[Path]) -> None:
        """Make a project from the parts of one archive, and crawl it."""
        self._folder = str(archives[0].parent)
        if _MESSAGE in self._tasks.names():
            self._parts.refuse(
                self.tr("An archive is being read already. Wait for it, or cancel that.")
            )
            return
        self._tasks.start(_MESSAGE, self._import(archives))

    async def _import(self, archives: Sequence[Path]) -> None:
        from gossamer.session.archive_import import archive_source  # noqa: PLC0415 - the start does without

        self._parts.messages.withdraw(_DAMAGE)
        source = archive_source(archives, LAST_CAPTURE, unlinked=True)

        def shown(percent: int) -> str:
            if len(archives) > 1:
                words = self.tr("Reading %Ln archive(s)… {percent} %", "", len(archives))
            else:
                words = self.tr("Reading {name}… {percent} %")
            return words.format(name=archives[0].name, percent=number(percent))

        work = partial(read_archives, source)
        try:
            report = await run_with_message(self._parts.messages, _MESSAGE, shown, work)
        except ImportCancelled:
            return
        self._crawl.begin(partial(_imported, self._next.settings, source))
        if report is not None and report.damaged:
            words = self.tr(
                "Damaged parts of the archive, which were skipped: {damaged}. Records that "
                "could be read: {records}."
            ).format(damaged=number(report.damaged), records=number(report.records))
            self._parts.messages.tell(_DAMAGE, "warning", words)


def read_archives(
    source: ArchiveSource, progress: Callable[[int, int], None], cancelled: Callable[[], bool]
) -> "ScanReport | None":
    """Read the archives, on a thread.

    Raises KnownError, and ImportCancelled soon after `cancelled` is true.
    """
    from gossamer.session.archive_import import index_archives  # noqa: PLC0415 - the start does without

    def tell(done: int, of: int) -> None:
        if cancelled():
            raise ImportCancelled
        progress(done, of)

    return index_archives(source, tell)


def _imported(
    settings: "CrawlSettings", source: ArchiveSource, sessions: SessionFactoryPort
) -> "SessionPort":
    """A session that crawls archives; on a thread."""
    from gossamer.session.archive_import import create_import  # noqa: PLC0415 - the start does without

    # It only uses of the factory what the port has.
    factory = cast("SessionFactory", sessions)
    return create_import(msgspec.structs.replace(settings, roots=()), source, None, factory)
