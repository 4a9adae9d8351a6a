"""Handles the window's actions: start, pause, open, export, change the theme."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Qt

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.next_crawl import NextCrawl
from gossamer.gui.look import theme
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.project_file_commands import choose_project
from gossamer.gui.shell.session_restore import SessionRestore
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.start.root_field import UrlField
from gossamer.gui.tables.table_tabs import TabKey
from gossamer.gui.text.translated_sentences import host_of, spoken
from gossamer.gui.widgets.message_bar import MessageButton
from gossamer.model.crawl_state import Command
from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.settings.crawl_settings import CrawlSettings, for_another_crawl
from gossamer.urls.url_list import typed_roots

if TYPE_CHECKING:
    from gossamer.gui.start.url_list_dialog import UrlListDialog


class UrlListController(QObject):
    """Opens the editor for the URL list in `parts.roots`; `start` crawls it."""

    def __init__(self, parts: WindowParts, tasks: WindowTasks, start: Callable[[], None]) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._tasks = tasks
        self._start = start
        for place in (parts.top_bar, parts.start_page):
            place.root_field.list_wanted.connect(self.edit)
            self._watch(place.url_field)

    def edit(self) -> "UrlListDialog":
        """Show the editor."""
        from gossamer.gui.start.url_list_dialog import NAME, UrlListDialog  # noqa: PLC0415 - the start does without

        dialog = self._parts.window.findChild(UrlListDialog, NAME)
        if dialog is None or not dialog.isVisible():
            dialog = UrlListDialog(self._parts.roots, self._parts.window)
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

    def _start_from(self, dialog: "UrlListDialog") -> Callable[[], None]:
        def start() -> None:
            self._parts.roots.choose(is_list=True)
            dialog.accept()
            self._start()

        return start

    def _watch(self, field: UrlField) -> None:
        """Pasted text with more than one line is a list."""
        line = field.lineEdit()

        def look(text: str) -> None:
            if "\n" in text.strip():
                field.clearEditText()
                self.take(text)

        if line is not None:
            line.textEdited.connect(look)


class WindowCommands(QObject):
    """Performs the actions on the crawl and its table by passing them to the right part."""

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        tasks: WindowTasks,
        memory: UiState,
        next_crawl: NextCrawl,
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._memory = memory
        self._next = next_crawl
        self.url_lists = UrlListController(parts, tasks, lambda: self._start(""))
        self.recollection = SessionRestore(
            memory, crawl, parts.top_bar, parts.start_page, parts.messages, tasks
        )

    @performs(WindowAction.START)
    def start(self) -> None:
        """Begin a new crawl of the list, or of the address in the visible field."""
        self._start(self._parts.address.currentText().strip())

    @performs(WindowAction.PAUSE_OR_RESUME)
    def pause_or_resume(self) -> None:
        """Pause or resume, whichever is possible."""
        can_pause = Command.PAUSE in self._crawl.allowed
        self._command(Command.PAUSE if can_pause else Command.RESUME)

    @performs(WindowAction.PAUSE)
    def pause(self) -> None:
        """Start no new page."""
        self._command(Command.PAUSE)

    @performs(WindowAction.PAUSE_NOW)
    def pause_now(self) -> None:
        """Stop the pages in flight too."""
        self._command(Command.PAUSE_NOW)

    @performs(WindowAction.RESUME)
    def resume(self) -> None:
        """Continue the crawl shown."""
        self._command(Command.RESUME)

    @performs(WindowAction.CANCEL)
    def cancel(self) -> None:
        """End the crawl shown."""
        self._command(Command.CANCEL)

    @performs(WindowAction.NEW)
    def begin_anew(self) -> None:
        """Switch to the start page and its field for an address."""
        self._parts.roots.choose(is_list=False)
        self._next.begin_anew()
        self._crawl.leave()

    def offer_instead(self, typed: str) -> None:
        """Say why a new crawl does not begin, and offer to put the one that is shown aside."""
        is_list = self._parts.roots.is_list
        roots = self.roots_shown() if is_list else typed.split()
        if not roots:
            return
        start = self.tr("Crawl {host} now").format(host=host_of(roots[0]))
        if is_list:
            start = self.tr("Crawl the list now")
        self._parts.messages.tell(
            "instead",
            "info",
            self.tr(
                "The current crawl is unfinished. If you start another, it is paused and saved."
            ),
            MessageButton(start, lambda: self._begin(typed)),
        )

    def crawl_list(self, addresses: tuple[str, ...]) -> None:
        """A new crawl of just these addresses, which are also shown as the list."""
        self._parts.roots.show(addresses, only=True)
        self._start("")

    def crawl_address(self, address: str) -> None:
        """A new crawl of an address from elsewhere, which is also shown in the field."""
        self._parts.roots.choose(is_list=False)
        self._parts.start_page.url_field.setEditText(address)
        self._start(address)

    def prepare_copy(self, settings: CrawlSettings) -> None:
        """Prepare a new crawl with the roots and settings of the project shown."""
        session = self._crawl.session
        self._parts.show_roots(settings)
        self._next.copy_settings(settings, "" if session is None else session.path.stem)

    def start_with(self, settings: CrawlSettings) -> None:
        """Begin a new crawl with these settings, which are only for that crawl."""
        self._parts.messages.withdraw("crawl", "unfinished", "instead")
        self._parts.start_page.message.hide()
        self._crawl.start(settings, self._next.access.of(settings.roots))

    @performs(WindowAction.DEMO)
    def start_demo(self) -> None:
        """Crawl the demo site."""
        self._parts.messages.withdraw("crawl", "unfinished")
        self._crawl.start_demo(self._next.settings)

    @performs(WindowAction.RETRY_ERRORS)
    def retry_errors(self) -> None:
        """Request again what failed, during the crawl or as a crawl of its own."""
        self._crawl.perform(BulkActionKind.RECRAWL, UrlSelection(failed=True))

    @performs(WindowAction.OPEN)
    def open(self) -> None:
        """Ask which project to open."""
        session = self._crawl.session
        shown = None if session is None else session.path
        choose_project(self._parts.window, self._crawl.open, shown)

    @performs(WindowAction.THEME)
    def use_theme(self, choice: theme.ThemeChoice) -> None:
        """Switch to a palette, and store the choice."""
        theme.use(choice)
        self._memory.remember_theme(choice)

    def follow_system(self) -> None:
        """The system has switched to dark or light."""
        if self._memory.theme() == "system":
            self.use_theme("system")

    def show_rows(self, tab: TabKey) -> None:
        """Show all rows of a tab in the table."""
        self._parts.workspace.table.show_rows(tab)

    def turn_to(self, tab: TabKey) -> None:
        """Switch to a tab of the table, with the keyboard in it; filters stay."""
        table = self._parts.workspace.table
        table.set_view(tab)
        table.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def roots_shown(self) -> tuple[str, ...]:
        """What a new crawl would start from; empty if it is no address."""
        if self._parts.roots.is_list:
            return self._parts.roots.found.addresses
        try:
            return typed_roots(self._parts.address.currentText())
        except UsageError:
            return ()

    def _command(self, command: Command) -> None:
        self._crawl.command(command, self._parts.top_bar.workers.value())

    def _start(self, typed: str) -> None:
        """Begin a new crawl of the list if that is chosen, else of the address in `typed`."""
        if Command.START in self._crawl.allowed:
            self._begin(typed)
        else:
            self.offer_instead(typed)

    def _begin(self, typed: str) -> None:
        wanted = self._parts.roots
        if wanted.is_list:
            roots = wanted.found.addresses
            if not roots:
                self.url_lists.edit()
                return
        else:
            try:
                roots = typed_roots(typed)
            except UsageError as e:
                self._parts.refuse(spoken(e.said))
                return
            self.recollection.remember_url(typed)
        only = wanted.is_list and wanted.only
        settings = self._settings_for(roots)
        self.start_with(msgspec.structs.replace(settings, roots=roots, list_only=only))

    def _settings_for(self, roots: tuple[str, ...]) -> CrawlSettings:
        """Those of the crawl shown if its roots are crawled again, else those of the next."""
        session = self._crawl.session
        if session is None or session.settings.roots != roots:
            return self._next.settings
        bar = self._parts.top_bar
        return msgspec.structs.replace(
            for_another_crawl(session.settings),
            workers=bar.workers.value(),
            max_redirects=bar.redirects.value(),
            cluster=bar.where.address(),
            render=session.settings.with_rendering(is_wanted=bar.render_pages.isChecked()),
        )
