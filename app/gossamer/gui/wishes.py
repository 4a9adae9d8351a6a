"""What the person wants: start, pause, open, export, settings. Each wish goes to who fulfils it."""

from collections.abc import Mapping

import msgspec
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog

from gossamer.gui import theme
from gossamer.gui.crawl import Crawl
from gossamer.gui.exporting import Exporter
from gossamer.gui.list_mode import ListMode
from gossamer.gui.memory import Memory
from gossamer.gui.messages import Answer
from gossamer.gui.next_crawl import NextCrawl
from gossamer.gui.parts import Parts
from gossamer.gui.project_dialogs import choose_project
from gossamer.gui.recollection import Recollection
from gossamer.gui.sessions import Session
from gossamer.gui.tasks import Tasks
from gossamer.gui.words import host_of, listed, sentences, spoken
from gossamer.model.errors import UsageError
from gossamer.model.messages import Action, Selection
from gossamer.model.settings import CrawlSettings
from gossamer.model.state import LIVE, Command
from gossamer.model.views import LinksOf, View
from gossamer.session.changes import changes_between, sorted_out
from gossamer.urls.address_list import typed_roots


class Wishes(QObject):
    """The slots of the window's buttons, keys and menus."""

    def __init__(
        self,
        parts: Parts,
        crawl: Crawl,
        tasks: Tasks,
        exporter: Exporter,
        memory: Memory,
        next_crawl: NextCrawl,
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._exporter = exporter
        self._memory = memory
        self._next = next_crawl
        self.lists = ListMode(parts, tasks, lambda: self._start(""))
        self.recollection = Recollection(
            memory, crawl, parts.top_bar, parts.start_page, parts.menus, parts.messages
        )

    def command(self, command: Command) -> None:
        """A new crawl of the address in the top bar, or a command to the one shown."""
        if command is Command.START:
            self._start(self._parts.top_bar.url())
        else:
            self._crawl.command(command, self._parts.top_bar.workers.value())

    def begin_anew(self) -> None:
        """Turn to the start page and its field for an address."""
        self._parts.roots.choose(is_list=False)
        self._crawl.leave()

    def offer_instead(self, typed: str) -> None:
        """Say why a new crawl does not begin, and offer to put the one that is shown aside."""
        is_list = self._parts.roots.is_list
        roots = self._roots_shown() if is_list else typed.split()
        if not roots:
            return
        start = self.tr("Crawl {host} now").format(host=host_of(roots[0]))
        if is_list:
            start = self.tr("Crawl the list now")
        self._parts.messages.tell(
            "instead",
            "info",
            self.tr("The crawl shown is not finished. It is paused and kept if you start another."),
            Answer(start, lambda: self._begin(typed)),
        )

    def start_typed(self) -> None:
        """A new crawl of the address on the start page."""
        self._start(self._parts.start_page.url())

    def crawl_address(self, address: str) -> None:
        """A new crawl of an address from elsewhere, which is shown in the field too."""
        self._parts.roots.choose(is_list=False)
        self._parts.start_page.url_field.setEditText(address)
        self._start(address)

    def start_with(self, settings: CrawlSettings) -> None:
        """Begin a new crawl with these settings, which are the next one's too."""
        self._parts.messages.withdraw("crawl", "unfinished", "instead")
        self._parts.start_page.message.hide()
        self._memory.remember_settings(settings)
        self._crawl.start(settings, self._next.access(settings.roots))

    def start_demo(self) -> None:
        """Crawl the demo site."""
        self._parts.messages.withdraw("crawl", "unfinished")
        self._crawl.start_demo(self._next.settings())

    def toggle_pause(self) -> None:
        """Pause, or go on, whichever is possible."""
        for command in (Command.PAUSE, Command.RESUME):
            if command in self._crawl.allowed and self._crawl.session is not None:
                self.command(command)
                return

    def retry_errors(self) -> None:
        """Ask again for all that failed, as the crawl runs or as a crawl of its own."""
        self._crawl.act(Action.RECRAWL, Selection(failed=True))

    def open(self) -> None:
        """Ask which project to open."""
        session = self._crawl.session
        shown = None if session is None else session.path
        choose_project(self._parts.window, self._crawl.open, shown)

    def export(self) -> None:
        """Ask what of the project shown to export, and where to."""
        from gossamer.gui.export_dialog import ExportDialog  # noqa: PLC0415 - starting does without

        if self._crawl.session is not None and not self._brought_forward("export-dialog"):
            path, shown = self._crawl.session.path, self._parts.workspace.table.shown()
            parent = self._parts.window
            ExportDialog(path, self._exporter, self._tasks, parent, shown=shown).show()

    def export_links(self, links: LinksOf) -> None:
        """Ask how to export the links to some URLs, or on them."""
        from gossamer.gui.export_dialog import ExportDialog  # noqa: PLC0415 - starting does without

        if self._crawl.session is not None:
            path, parent = self._crawl.session.path, self._parts.window
            ExportDialog(path, self._exporter, self._tasks, parent, shown=links).show()

    def edit_settings(self) -> None:
        """Open the settings of the next crawl."""
        if not self._brought_forward("settings-dialog"):
            self._next.edit(self._parts.window, self._roots_shown(), self._crawl.session)

    def change_settings(
        self, before: CrawlSettings, after: CrawlSettings, labels: Mapping[str, str]
    ) -> None:
        """Let the crawl shown go on by what changed, as far as it can; say what it does, and not.

        `labels` are the names of settings that the person knows.
        """
        session = self._crawl.session
        if session is not None:
            wanted = changes_between(before, after, session.settings)
            now, later = sorted_out(session.settings, wanted, live=session.state in LIVE)
            if now or later:
                said = [[labels[name] for name in names] for names in (now, later)]
                self._tasks.start("change settings", self._change(session, now, *said))

    async def _change(
        self, session: Session, now: Mapping[str, object], said: list[str], later: list[str]
    ) -> None:
        if now:
            await session.change(now)
        parts = []
        if said:
            words = self.tr("Changed in this crawl: {settings}.")
            parts.append(words.format(settings=listed(said)))
        if later:
            words = self.tr("From the next crawl on: {settings}.")
            parts.append(words.format(settings=listed(later)))
        self._parts.messages.tell("settings", "info", sentences(parts))

    def use_theme(self, choice: theme.Choice) -> None:
        """Take on a palette, and keep the choice."""
        theme.use(choice)
        self._parts.menus.tint()
        self._memory.remember_theme(choice)

    def follow_system(self) -> None:
        """The system has turned dark or light."""
        if self._memory.theme() == "system":
            self.use_theme("system")

    def show_rows(self, view: View) -> None:
        """Turn the table to all rows of a view."""
        self._parts.workspace.table.show_rows(view)

    def turn_to(self, view: View) -> None:
        """Turn to a view of the table, with the keyboard in it; filters stay."""
        table = self._parts.workspace.table
        table.set_view(view)
        table.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _brought_forward(self, name: str) -> bool:
        """Whether the dialog called so is open already; then it comes to the front."""
        dialog = self._parts.window.findChild(QDialog, name)
        if dialog is None or not dialog.isVisible():
            return False
        dialog.activateWindow()
        return True

    def _roots_shown(self) -> tuple[str, ...]:
        """What a new crawl would start from; empty where that is no address."""
        if self._parts.roots.is_list:
            return self._parts.roots.found.addresses
        try:
            return typed_roots(self._parts.address.currentText())
        except UsageError:
            return ()

    def _start(self, typed: str) -> None:
        """Begin a new crawl of the list if that is chosen, else of the address in `typed`."""
        if Command.START in self._crawl.allowed:
            self._begin(typed)
        else:
            self.offer_instead(typed)

    def _begin(self, typed: str) -> None:
        settings, wanted = self._next.settings(), self._parts.roots
        if wanted.is_list:
            roots = wanted.found.addresses
            if not roots:
                self.lists.edit()
                return
        else:
            try:
                roots = typed_roots(typed)
            except UsageError as e:
                self._parts.refuse(spoken(e.said))
                return
            self.recollection.keep_url(typed)
        only = wanted.is_list and wanted.only
        self.start_with(msgspec.structs.replace(settings, roots=roots, list_only=only))
