"""Shows the schedules, and changes them on a thread: the system may take its time."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.file_checks import is_file
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.project_file_commands import choose_project
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.model.errors import KnownError
from gossamer.model.translatable import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from gossamer.gui.schedules.schedule_form import ScheduleForm
    from gossamer.gui.schedules.schedule_interfaces import SchedulePort, ScheduleRequest
    from gossamer.gui.schedules.schedules_dialog import SchedulesDialog
    from gossamer.scheduling.schedule import Schedule


_TASK: Final = "schedules"


class ScheduleController(QObject):
    """Has at most one dialog of schedules, and at most one form.

    `comparison_wanted` carries the project files of two crawls, the earlier one first.
    """

    comparison_wanted = Signal(object, object)

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        tasks: WindowTasks,
        port: "Callable[[], SchedulePort] | None" = None,
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._new_port = port or _system_schedules
        self._dialog: SchedulesDialog | None = None
        self._form: ScheduleForm | None = None

    @performs(WindowAction.SCHEDULES)
    def show(self) -> None:
        """Show the schedules, or bring their dialog to the front."""
        if self._dialog is None:
            from gossamer.gui.schedules.schedules_dialog import SchedulesDialog  # noqa: PLC0415 - the start does without

            dialog = self._dialog = SchedulesDialog(self._parts.window)
            dialog.add_wanted.connect(self._add)
            dialog.change_wanted.connect(self._change)
            dialog.enable_wanted.connect(lambda name: self._do(lambda port: port.enable(name)))
            dialog.disable_wanted.connect(lambda name: self._do(lambda port: port.disable(name)))
            dialog.run_wanted.connect(lambda name: self._do(lambda port: port.run(name)))
            dialog.remove_wanted.connect(lambda name: self._do(lambda port: port.remove(name)))
            dialog.open_wanted.connect(lambda path: self._crawl.open(Path(path)))
            dialog.compare_wanted.connect(self._compare)
            dialog.refresh_wanted.connect(lambda: self._do(None))
            dialog.finished.connect(self._forget)
        self._do(None)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def _compare(self, *projects: str) -> None:
        """Have two crawls compared, if both still exist."""
        before, after = map(Path, projects)
        gone = next((each for each in (before, after) if not is_file(each)), None)
        if gone is None:
            self.comparison_wanted.emit(before, after)
        elif self._dialog is not None:
            self._dialog.show_error(said("There is no project {path} any more.", path=gone))

    def _do(self, change: "Callable[[SchedulePort], None] | None") -> None:
        """Make a change, if any, then list the schedules, unless that is under way already."""
        is_new = change is not None or _TASK not in self._tasks.names()
        if self._dialog is not None and is_new:
            self._tasks.start(_TASK, self._done(change))

    async def _done(self, change: "Callable[[SchedulePort], None] | None") -> None:
        port = self._new_port()
        trouble: KnownError | None = None
        if change is not None:
            try:
                await asyncio.to_thread(change, port)
            except KnownError as e:
                trouble = e
        found = await asyncio.to_thread(port.overviews)
        if self._dialog is not None:
            self._dialog.show_schedules(found)
            if trouble is not None:
                self._dialog.show_error(trouble.said)

    def _add(self) -> None:
        session = self._crawl.session
        shown = None if session is None or self._crawl.is_demo else session.path
        self._open_form(shown, None)

    def _change(self, schedule: "Schedule") -> None:
        self._open_form(None, schedule)

    def _open_form(self, project: Path | None, schedule: "Schedule | None") -> None:
        from gossamer.gui.schedules.schedule_form import ScheduleForm  # noqa: PLC0415 - the start does without

        if self._dialog is None:
            return
        if self._form is not None:
            self._form.reject()
        form = self._form = ScheduleForm(project, schedule, self._dialog)
        form.requested.connect(lambda request: self._keep(form, request, is_new=schedule is None))
        form.browse_wanted.connect(lambda: choose_project(form, form.show_project, project))
        form.finished.connect(form.deleteLater)
        form.finished.connect(self._forget_form)
        form.show()

    def _keep(self, form: "ScheduleForm", request: "ScheduleRequest", *, is_new: bool) -> None:
        self._tasks.start("keep schedule", self._kept(form, request, is_new=is_new))

    async def _kept(
        self, form: "ScheduleForm", request: "ScheduleRequest", *, is_new: bool
    ) -> None:
        port = self._new_port()
        keep = port.add if is_new else port.change
        try:
            remark = await asyncio.to_thread(keep, request)
        except KnownError as e:
            if form is self._form:
                form.show_error(e.said)
            return
        found = await asyncio.to_thread(port.overviews)
        if form is self._form:
            form.accept()
        if self._dialog is not None:
            self._dialog.show_schedules(found)
            self._dialog.choose(request.name)
            self._dialog.show_warning(remark)

    def _forget(self) -> None:
        self._dialog = None

    def _forget_form(self) -> None:
        self._form = None


def _system_schedules() -> "SchedulePort":
    from gossamer.gui.schedules.schedule_interfaces import SystemSchedules  # noqa: PLC0415 - the start does without

    return SystemSchedules()
