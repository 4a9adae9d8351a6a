"""Has two crawls compared, and shows the differences in a separate window."""

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.file_checks import is_same_file
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.project_file_commands import choose_project
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.model.errors import KnownError
from gossamer.urls.url_mapping import NO_MAPPING, UrlMapping

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gossamer.gui.comparison.compare_dialog import CompareDialog
    from gossamer.gui.comparison.comparison_interfaces import ComparisonPort, ComparisonRows
    from gossamer.gui.comparison.comparison_window import ComparisonWindow
    from gossamer.model.comparison_results import PathRewrite
    from gossamer.model.messages.process_messages import ProcessStep
    from gossamer.model.series_contents import CrawlSnapshot
    from gossamer.model.translatable import Translatable


class ComparedCrawls(NamedTuple):
    """Two projects, and which addresses of the earlier one correspond to which of the later."""

    before: Path
    after: Path
    mapping: UrlMapping = NO_MAPPING


class ComparisonController(QObject):
    """Has one dialog for the choice, and any number of windows of comparisons."""

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        tasks: WindowTasks,
        memory: UiState,
        port: "Callable[[], ComparisonPort] | None" = None,
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._memory = memory
        self._new_port = port or _session_comparisons
        self._dialog: CompareDialog | None = None
        self._task: asyncio.Task[None] | None = None

    @performs(WindowAction.COMPARE)
    def choose(self) -> None:
        """Ask which crawls to compare: the one shown, and the one before it."""
        session = self._crawl.session
        self.choose_with(None if session is None else session.path)

    def choose_with(self, project: Path | None) -> None:
        """Ask what to compare with a project, by default the latest one."""
        self._open_dialog()
        self._tasks.start("find crawls", self._find(project))

    def compare(self, before: Path, after: Path) -> None:
        """Compare two crawls without asking."""
        dialog = self._open_dialog()
        self._start(dialog, ComparedCrawls(before, after))

    def _open_dialog(self) -> "CompareDialog":
        from gossamer.gui.comparison.compare_dialog import CompareDialog  # noqa: PLC0415 - the start does without

        if self._dialog is None:
            dialog = self._dialog = CompareDialog(self._parts.window)
            dialog.compare_wanted.connect(
                lambda *chosen: self._start(dialog, ComparedCrawls(*chosen))
            )
            dialog.stop_wanted.connect(self._stop)
            dialog.file_wanted.connect(self._choose_file)
            dialog.finished.connect(self._forget_dialog)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()
        return self._dialog

    async def _find(self, project: Path | None) -> None:
        """Offer the crawls of the series shown, then all others."""
        port = self._new_port()
        remembered = [each.path for each in self._memory.projects()]
        series: list[CrawlSnapshot] = []
        if project is not None:
            series = await asyncio.to_thread(_series, port, project)
            self._offer(series, project)
        others = await asyncio.to_thread(port.others, remembered, project)
        self._offer([*series, *others], project)

    def _offer(self, crawls: "Sequence[CrawlSnapshot]", project: Path | None) -> None:
        if self._dialog is None or self._dialog.is_comparing:
            return
        by_project = {each.project: each for each in reversed(crawls)}
        unique = sorted(by_project.values(), key=lambda each: -each.created_at)
        before, after = usual_pair(unique, project)
        self._dialog.show_crawls(unique, before, after)

    def _choose_file(self, is_after: bool) -> None:  # noqa: FBT001 - a signal's argument
        def look(path: Path) -> None:
            self._tasks.start("look at project", self._add(path, is_after=is_after))

        if self._dialog is not None:
            choose_project(self._dialog, look, None)

    async def _add(self, path: Path, *, is_after: bool) -> None:
        try:
            found = await asyncio.to_thread(self._new_port().look, path)
        except KnownError as e:
            if self._dialog is not None:
                self._dialog.show_error(e.said)
        else:
            if self._dialog is not None:
                self._dialog.add_crawl(found, is_after=is_after)

    def _start(self, dialog: "CompareDialog", crawls: ComparedCrawls) -> None:
        if self._task is None:
            dialog.start()
            self._task = self._tasks.start("compare", self._run(crawls))

    def _stop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
        if self._dialog is not None:
            self._dialog.stop()

    def _forget_dialog(self) -> None:
        self._stop()
        self._dialog = None

    async def _run(self, crawls: ComparedCrawls) -> None:
        """Compare, then show the differences until their window is closed."""
        port = self._new_port()

        def show(step: "ProcessStep") -> None:
            if self._dialog is not None:
                self._dialog.show_step(step)

        try:
            async with port.comparison(*crawls, show) as path:
                # From here on the task is the window's.
                self._task = None
                if self._dialog is not None:
                    self._dialog.stop()  # while it shows one run, closing would only stop that
                    self._dialog.close()
                await self._show(port, crawls, path)
        except KnownError as e:
            self._fail(crawls, e)

    def _fail(self, crawls: ComparedCrawls, error: KnownError) -> None:
        """Say why there is no comparison, and offer other crawls if none were."""
        self._task = None
        dialog = self._open_dialog()
        dialog.show_error(error.said)
        if not dialog.offers_crawls:
            self._tasks.start("find crawls", self._find(crawls.after))

    async def _show(self, port: "ComparisonPort", crawls: ComparedCrawls, path: Path) -> None:
        from gossamer.gui.comparison.comparison_export_form import ComparisonExport  # noqa: PLC0415 - likewise
        from gossamer.gui.comparison.comparison_window import ComparisonWindow, Readers  # noqa: PLC0415 - the start does without
        from gossamer.gui.project.reader_thread import BackgroundReader, ProjectReader  # noqa: PLC0415 - likewise

        failures = await asyncio.to_thread(_failures, (crawls.before, crawls.after))
        closed = asyncio.Event()
        comparison: BackgroundReader[ComparisonRows] = BackgroundReader(_open_comparison)
        readers = Readers(comparison, ProjectReader(), ProjectReader())
        comparison.open(path)
        window = ComparisonWindow(readers, self._parts.window)
        window.finished.connect(lambda _: closed.set())
        window.page_wanted.connect(self._open_page)
        window.audit_wanted.connect(lambda: self._audit_again(window, crawls))
        window.mapping_wanted.connect(partial(self._map_again, window, crawls))
        exporting = ComparisonExport(port, window, path, self._tasks)
        window.export_wanted.connect(exporting.choose)
        window.show()
        for why in failures:
            window.tell_trouble(why)
        try:
            await closed.wait()
        finally:
            await exporting.end()
            for reader in readers:
                reader.close()

    def _audit_again(self, window: "ComparisonWindow", crawls: ComparedCrawls) -> None:
        """Bring both crawls up to date, and compare them again."""
        window.close()
        dialog = self._open_dialog()
        if self._task is None:
            dialog.start()
            self._task = self._tasks.start("audit and compare", self._audit(crawls))

    def _map_again(
        self, window: "ComparisonWindow", crawls: ComparedCrawls, rewrite: "PathRewrite"
    ) -> None:
        """Compare both crawls again, with the pages of a folder at their new addresses."""
        window.close()
        mapping = crawls.mapping.with_prefix(rewrite.before, rewrite.after)
        self._start(self._open_dialog(), crawls._replace(mapping=mapping))

    async def _audit(self, crawls: ComparedCrawls) -> None:
        port = self._new_port()

        def show(step: "ProcessStep") -> None:
            if self._dialog is not None:
                self._dialog.show_step(step)

        try:
            for project in (crawls.before, crawls.after):
                await port.audit(project, show)
        except KnownError as e:
            self._fail(crawls, e)
        else:
            await self._run(crawls)

    def _open_page(self, project: Path, url_id: int) -> None:
        """Show a page in the main window, in its crawl."""
        self._tasks.start("open page", self._select(project, url_id))
        self._parts.window.raise_()
        self._parts.window.activateWindow()

    async def _select(self, project: Path, url_id: int) -> None:
        shown = self._crawl.session
        is_shown = (
            shown is not None
            and await asyncio.to_thread(is_same_file, shown.path, project)
            and shown is self._crawl.session
        )
        if is_shown or await self._crawl.show(project):
            self._parts.workspace.table.select_url(url_id)
            self._parts.workspace.details.select_url(url_id)


def usual_pair(
    crawls: "Sequence[CrawlSnapshot]", shown: Path | None
) -> "tuple[Path | None, Path | None]":
    """The usual pair among crawls, the latest first: the one shown, and the one before it.

    The first crawl of a series is compared with the one after it.
    """
    if shown is None and crawls:
        shown = Path(crawls[0].project)
    own = next((each for each in crawls if Path(each.project) == shown), None)
    if own is None:
        return None, shown
    same = [
        each for each in crawls if each.root == own.root and each is not own and not each.has_failed
    ]
    earlier = next((each for each in same if each.created_at < own.created_at), None)
    if earlier is not None:
        return Path(earlier.project), shown
    later = next((each for each in reversed(same)), None)
    return (None, shown) if later is None else (shown, Path(later.project))


def _failures(projects: "Sequence[Path]") -> "list[Translatable]":
    """Which of the crawls have failed: they have no pages to compare."""
    from gossamer.session.crawl_failure import comparison_warning  # noqa: PLC0415 - the start does without

    return [why for each in projects if (why := comparison_warning(each)) is not None]


def _series(port: "ComparisonPort", project: Path) -> "list[CrawlSnapshot]":
    try:
        return port.crawls_of(project)
    except KnownError:
        return []  # it is among the others, or cannot be read at all


def _session_comparisons() -> "ComparisonPort":
    from gossamer.gui.comparison.session_comparisons import SessionComparisons  # noqa: PLC0415 - the start does without

    return SessionComparisons()


def _open_comparison(path: Path) -> "ComparisonRows":
    from gossamer.store.comparing.comparison_reader import ComparisonReader  # noqa: PLC0415 - likewise

    return ComparisonReader(path)
