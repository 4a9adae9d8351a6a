"""Handles the project actions: open, save a copy, rescue, delete, show diagnostics."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox, QWidget

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.file_checks import is_file, is_folder
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.cancellable_work import ThreadWork, run_with_message
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import sentences
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn
from gossamer.model.file_names import file_name
from gossamer.model.settings.crawl_settings import CrawlSettings

if TYPE_CHECKING:
    from gossamer.session.project_files import RescueReport


def choose_project(
    parent: QWidget, chosen: Callable[[Path], None], shown: Path | None, title: str | None = None
) -> None:
    """Let the user choose an existing project; `chosen` is called with it, or never.

    The dialog begins in the folder of the project `shown`, or where projects are kept.
    """
    from gossamer.session.default_paths import projects_folder  # noqa: PLC0415 - the start does without

    title = title or QCoreApplication.translate("ProjectDialogs", "Open project")
    dialog = _dialog(parent, "open-project", title, chosen)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    folder = projects_folder() if shown is None else shown.parent
    if is_folder(folder):
        dialog.setDirectory(str(folder))
    dialog.open()


def choose_new_project(
    parent: QWidget, chosen: Callable[[Path], None], title: str, proposed: Path
) -> None:
    """Let the user name a new project file, `proposed` without suffix to begin with."""
    dialog = _dialog(parent, "new-project", title, chosen)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("gossamer")
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # nothing is ever overwritten
    dialog.setDirectory(str(proposed.parent))
    dialog.selectFile(f"{proposed.name}.gossamer")
    dialog.open()


def _dialog(parent: QWidget, name: str, title: str, chosen: Callable[[Path], None]) -> QFileDialog:
    kinds = QCoreApplication.translate("ProjectDialogs", "Gossamer projects (*.gossamer)")
    dialog = QFileDialog(parent, title, "", kinds)
    dialog.setObjectName(name)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    return dialog


class ProjectCommands(QObject):
    """Performs the actions on the open project file.

    `begin_with` receives the settings of the project shown, with which a new crawl is to begin.
    """

    def __init__(
        self,
        window: QMainWindow,
        crawl: CrawlController,
        tasks: WindowTasks,
        messages: MessageColumn,
        begin_with: Callable[[CrawlSettings], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._crawl = crawl
        self._tasks = tasks
        self._messages = messages
        self._begin_with = begin_with

    # ------------------------------------------------------------ files

    def rescue(self, path: Path) -> None:
        """Ask where to save what can be read of the project at `path`, and do it."""
        choose_new_project(
            self._window,
            lambda target: self._rescue(path, target),
            self.tr("Save the rescued project as"),
            path.with_name(self.tr("{name} rescued").format(name=file_name(path.stem))),
        )

    @performs(WindowAction.SAVE_COPY)
    def _ask_where_to_copy(self) -> None:
        if (path := self._shown()) is not None:
            choose_new_project(
                self._window,
                lambda target: self._copy(path, target),
                self.tr("Save a copy"),
                path.with_name(self.tr("{name} copy").format(name=file_name(path.stem))),
            )

    def _copy(self, path: Path, target: Path) -> None:
        from gossamer.session.project_files import copy_project  # noqa: PLC0415 - the start does without

        def work(progress: Callable[[int, int], None], cancelled: Callable[[], bool]) -> str:
            copy_project(path, target, progress, cancelled)
            return self.tr("A copy was saved as {name}.").format(name=target)

        self._run("copy", self.tr("Saving a copy… {percent} %"), work)

    @performs(WindowAction.RESCUE)
    def _ask_what_to_rescue(self) -> None:
        title = self.tr("Rescue a damaged project")
        choose_project(self._window, self.rescue, self._shown(), title)

    def _rescue(self, path: Path, target: Path) -> None:
        from gossamer.session.project_files import rescue  # noqa: PLC0415 - the start does without

        def work(progress: Callable[[int, int], None], cancelled: Callable[[], bool]) -> str:
            return self._words_on(rescue(path, target, progress, cancelled), target)

        opening = MessageButton(self.tr("Open"), lambda: self._crawl.open(target))
        self._run("rescue", self.tr("Rescuing… {percent} %"), work, opening)

    def _words_on(self, report: "RescueReport", target: Path) -> str:
        """The result of a rescue."""
        if report.whole:
            return self.tr("Nothing was lost. Project saved as {name}.").format(name=target)
        parts = [self.tr("Saved as {name}.").format(name=target)]
        if any(table.lost for table in report.tables):
            lost = {table.name: number(table.lost) for table in report.tables}
            words = self.tr("Lost: {url} URLs, {visit} responses, {link} links.")
            parts.append(words.format_map(lost))
        else:
            parts.append(self.tr("Parts of the file were damaged, but no loss was found."))
        if report.settings_lost:
            parts.append(self.tr("The settings were lost too. Check them before you resume."))
        if report.identity_lost:
            words = self.tr("The start, duration, series or previous crawl of the crawl was lost.")
            parts.append(words)
        if report.shard_lost:
            words = self.tr("If it was a shard, it is none any more, and cannot be merged.")
            parts.append(words)
        if report.again:
            again = self.tr("Resume will fetch %Ln URL(s) again.", "", report.again)
            parts.append(again)
        return sentences(parts)

    def _run(
        self,
        subject: str,
        shown: str,
        work: ThreadWork[str],
        *buttons: MessageButton,
    ) -> None:
        """Do `work` on a thread, show its progress, and its message at the end."""
        self._tasks.start(subject, self._worked(subject, shown, work, buttons))

    async def _worked(
        self,
        subject: str,
        shown: str,
        work: ThreadWork[str],
        buttons: Sequence[MessageButton],
    ) -> None:
        from gossamer.session.project_files import CopyCancelled, RescueCancelled  # noqa: PLC0415 - likewise

        with suppress(CopyCancelled, RescueCancelled):
            sentence = await run_with_message(
                self._messages, subject, lambda percent: shown.format(percent=percent), work
            )
            self._messages.tell(subject, "finished", sentence, *buttons)

    @performs(WindowAction.DELETE)
    def _ask_whether_to_delete(self) -> None:
        if (path := self._shown()) is None:
            return
        box = QMessageBox(self._window)
        box.setObjectName("delete-project")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowModality(Qt.WindowModality.NonModal)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("Delete project"))
        explain(box, "window/files")
        box.setText(self.tr("Delete project {name}?").format(name=path.name))
        box.setInformativeText(self.tr("All results of this crawl will be lost."))
        delete = box.addButton(self.tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        delete.clicked.connect(lambda: self._delete(path))
        box.show()

    def _delete(self, path: Path) -> None:
        from gossamer.session.project_files import delete_project  # noqa: PLC0415 - the start does without

        self._crawl.delete(path, delete_project)

    @performs(WindowAction.DUPLICATE)
    def _duplicate(self) -> None:
        session = self._crawl.session
        if session is not None:
            self._crawl.leave()
            self._begin_with(session.settings)

    # ------------------------------------------------------------ help

    @performs(WindowAction.OPEN_LOG)
    def _open_log(self) -> None:
        from gossamer.gui.help.about_dialog import open_folder  # noqa: PLC0415 - likewise
        from gossamer.session.default_paths import log_path, logs_folder, program_log  # noqa: PLC0415 - likewise

        path = self._shown()
        try:
            log = program_log() if path is None else log_path(path)
        except OSError:  # there can be no logs
            log = logs_folder()
        if is_file(log):
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(log)))
        else:
            open_folder(log.parent)

    @performs(WindowAction.COPY_DIAGNOSTICS)
    def _copy_diagnostics(self) -> None:
        self._tasks.start("diagnostics", self._diagnostics(self._shown()))

    @performs(WindowAction.REPORT)
    def _report(self) -> None:
        """Show the folder of logs, and copy what to send with them."""
        from gossamer.gui.help.about_dialog import open_folder  # noqa: PLC0415 - likewise
        from gossamer.session.default_paths import logs_folder  # noqa: PLC0415 - likewise

        open_folder(logs_folder())
        self._copy_diagnostics()

    async def _diagnostics(self, path: Path | None) -> None:
        from gossamer.session.diagnostics import diagnostics  # noqa: PLC0415 - likewise

        QGuiApplication.clipboard().setText(await asyncio.to_thread(diagnostics, path))
        self._messages.tell(
            "diagnostics",
            "info",
            self.tr(
                "Copied to the clipboard: versions, settings without secrets, and the latest "
                "errors."
            ),
        )

    def _shown(self) -> Path | None:
        session = self._crawl.session
        return None if session is None else session.path
