"""The window: top bar, progress line, messages, and below them the start page or the workspace.

It assembles and connects. What waits is in `Crawl`; what is remembered, in `Memory`.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui import theme
from app.gui.command_bar import CommandBar
from app.gui.crawl import Crawl
from app.gui.drops import Drops
from app.gui.exporting import Exporter
from app.gui.hints import Hints
from app.gui.icons import icon
from app.gui.memory import Memory
from app.gui.menus import Menus, show_about
from app.gui.messages import Answer, Kind, MessageColumn
from app.gui.models.reader_thread import ProjectReader
from app.gui.next_crawl import NextCrawl
from app.gui.notifications import Notifications
from app.gui.pause_key import PauseKey
from app.gui.placement import place
from app.gui.progress_line import ProgressLine
from app.gui.project_actions import ProjectActions
from app.gui.project_dialogs import choose_project
from app.gui.recent_crawls import Listing, RecentCrawls
from app.gui.recollection import OVER, Recollection
from app.gui.sessions import Access, Session
from app.gui.start_page import StartPage
from app.gui.tasks import Tasks
from app.gui.top_bar import TopBar
from app.gui.words import host_of, spoken
from app.gui.workspace import Workspace
from app.model.messages import Progress
from app.model.settings import CrawlSettings
from app.model.state import ALLOWED, Command, CrawlState

FORCE_WITHIN_S: Final = 3.0
"""A second close within this time ends the crawl process at once."""

_SMALLEST: Final = (880, 520)
_USUAL: Final = (1280, 800)


class MainWindow(QMainWindow):
    """The one window. It never closes by itself: `close_wanted` asks whoever owns it to."""

    close_wanted = Signal()
    language_wanted = Signal(str)
    """The `Language` chosen: whoever owns the window makes another that speaks it."""

    def __init__(
        self,
        crawl: Crawl,
        tasks: Tasks,
        exporter: Exporter,
        memory: Memory,
        *,
        listed: Listing = lambda _remembered: [],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.setObjectName("main")
        self.setWindowIcon(icon("gossamer"))
        self.setMinimumSize(*_SMALLEST)
        self._crawl = crawl
        self._tasks = tasks
        self._exporter = exporter
        self._memory = memory
        self._clock = clock
        self._closed_at: float | None = None
        self._progress = Progress(state=CrawlState.NEW)
        self.reader = ProjectReader(parent=self)
        self.top_bar = TopBar()
        self._next = NextCrawl(memory, self.top_bar)
        self.progress_line = ProgressLine()
        self.messages = MessageColumn()
        self.start_page = StartPage()
        self.workspace = Workspace(self.reader)
        self.menus = Menus(self)
        self.command_bar = CommandBar(self)
        self._recollection = Recollection(
            memory, crawl, self.top_bar, self.start_page, self.menus, self.messages
        )
        self._recent = RecentCrawls(memory, crawl, self.start_page, self.menus, tasks, listed)
        self._notifications = Notifications(self)
        self._projects = ProjectActions(
            self, crawl, tasks, self.messages, self.start_page.url_field.setEditText
        )
        self._hints = Hints(self.reader, self.messages, self._start_with, self._edit_address)
        self._pages = QStackedWidget()
        self._pause_key = PauseKey(self)
        self._lay_out()
        self._connect_crawl()
        self._connect_wishes()
        self._connect_menus()
        self._take_up_memory()
        self._show_project(crawl.session)

    # ------------------------------------------------------------ for whoever owns it

    def crawl_target(self, target: str | None) -> None:
        """Take up what the command line named: a project file, a root URL, or nothing.

        A project is opened; a URL is put into the field and crawled.
        """
        if target is None:
            self._recollection.offer_unfinished()
        elif Path(target).suffix == ".gossamer":
            self._crawl.open(Path(target).absolute())
        else:
            self._crawl_address(target)

    def progress(self) -> Progress:
        """The counters shown."""
        return self._progress

    def refuse(self, sentence: str) -> None:
        """Say why a wish cannot be fulfilled, where the person is looking."""
        if self._pages.currentWidget() is self.start_page:
            self.start_page.message.show_text("error", sentence)
        else:
            self.messages.tell("crawl", "error", sentence)

    def remember(self) -> None:
        """Keep layout, settings, and an unfinished crawl for the next start."""
        self._memory.remember_layout(self)
        for name, layout in self.workspace.layouts().items():
            self._memory.remember_panel(name, layout)
        self._next.remember()
        self.remember_crawl()

    def remember_crawl(self) -> None:
        """Keep whether the crawl shown is unfinished, for the next start."""
        self._recollection.keep_crawl(self._progress)
        self._memory.flush()

    # ------------------------------------------------------------ Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask to be closed; a second time within FORCE_WITHIN_S, do not wait for the crawl."""
        event.ignore()
        now = self._clock()
        if self._closed_at is not None and now - self._closed_at < FORCE_WITHIN_S:
            self._crawl.force()
        self._closed_at = now
        if self._crawl.state not in OVER:
            self.messages.tell(
                "closing", "info", self.tr("Saving the crawl… Close again to end at once.")
            )
        self.close_wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape undoes typing in the address, or closes the newest message."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.top_bar.url_field.hasFocus() and self._crawl.session is not None:
            self.top_bar.set_url(" ".join(self._crawl.session.settings.roots))
        elif not self.messages.withdraw_newest():
            self.start_page.message.hide()

    # ------------------------------------------------------------ what the crawl tells

    def _show_session(self, session: Session | None) -> None:
        self.messages.withdraw("crawl", "unfinished", "held")
        self._hints.withdraw()
        self.start_page.message.hide()
        self._show_project(session)
        if session is None:
            self._recollection.offer_unfinished()
            return
        self._next.adopt(session.settings)
        self._recent.keep()
        if (holder := session.held_by) is not None:
            sentence = self.tr(
                "This project is being crawled elsewhere ({holder}): read-only here."
            )
            self.messages.tell("held", "warning", sentence.format(holder=holder))
            return
        self._recollection.keep_crawl(self._progress)

    def _show_project(self, session: Session | None) -> None:
        has_project = session is not None
        self._progress = session.progress if session else Progress(state=CrawlState.NEW)
        self.progress_line.clear()
        self.workspace.set_project(session.path if session else None)
        self._pages.setCurrentWidget(self.workspace if has_project else self.start_page)
        self.top_bar.setVisible(has_project)
        self.progress_line.setVisible(has_project)
        if session is None:
            self.setWindowTitle("Gossamer")
            self.start_page.url_field.setFocus()
        else:
            self.setWindowTitle(f"{self._host()} — Gossamer")
            self.top_bar.set_url(" ".join(session.settings.roots))
        self._show_progress(self._progress)

    def _show_progress(self, progress: Progress) -> None:
        before, self._progress = self._progress.state, progress
        self.top_bar.set_state(progress.state)
        self.menus.set_state(progress.state, has_project=self._crawl.session is not None)
        self.progress_line.show_progress(progress)
        self.workspace.show_progress(progress)
        self._notifications.watch(progress, self._host())
        if progress.state is not before:
            self._recollection.keep_crawl(progress)
            if progress.state is CrawlState.RUNNING:
                self.messages.withdraw("crawl", "held")
                self._hints.withdraw()
            elif progress.state is CrawlState.FINISHED and self._crawl.session is not None:
                self._hints.look(self._crawl.session.settings)
            elif progress.notice:
                self._tell_of_crawl("warning", spoken(progress.notice))

    def _host(self) -> str:
        """The first host of the crawl shown, "" where there is none."""
        session = self._crawl.session
        roots = () if session is None else session.settings.roots
        return host_of(roots[0]) if roots else ""

    def _show_trouble(self, sentence: str) -> None:
        self._tell_of_crawl("error", sentence)

    def _tell_of_crawl(self, kind: Kind, sentence: str) -> None:
        resume = Answer(self.tr("Resume"), lambda: self._command(Command.RESUME))
        self.messages.tell("crawl", kind, sentence, resume)

    # ------------------------------------------------------------ what the person wants

    def _command(self, command: Command) -> None:
        if command is Command.START:
            self._start(self.top_bar.url())
        else:
            self._crawl.command(command, self.top_bar.workers.value())

    def _start(self, typed: str) -> None:
        """Begin a new crawl of the roots in `typed`, one or more, separated by white space."""
        if Command.START not in ALLOWED[self._crawl.state]:
            return
        roots = tuple(typed.split())
        if roots:
            self._recollection.keep_url(typed)
        self._start_with(msgspec.structs.replace(self._next.settings(), roots=roots))

    def _crawl_address(self, address: str) -> None:
        self.start_page.url_field.setEditText(address)
        self._start(address)

    def _start_with(self, settings: CrawlSettings) -> None:
        """Begin a new crawl with these settings, which are the next one's too."""
        self.messages.withdraw("crawl", "unfinished")
        self.start_page.message.hide()
        self._memory.remember_settings(settings)
        self._crawl.start(settings, self._next.access(settings.roots))

    def _start_demo(self) -> None:
        self.messages.withdraw("crawl", "unfinished")
        self._crawl.start_demo(self._next.settings())

    def _toggle_pause(self) -> None:
        allowed = ALLOWED[self._crawl.state]
        for command in (Command.PAUSE, Command.RESUME):
            if command in allowed and self._crawl.session is not None:
                self._command(command)
                return

    def _open(self) -> None:
        choose_project(self, self._crawl.open)

    def _export(self) -> None:
        from app.gui.export_dialog import ExportDialog  # noqa: PLC0415 - starting does without

        if self._crawl.session is not None:
            path, shown = self._crawl.session.path, self.workspace.table.shown()
            ExportDialog(path, self._exporter, self._tasks, self, shown=shown).show()

    def _edit_settings(self) -> None:
        on_start = self._pages.currentWidget() is self.start_page
        typed = self.start_page.url() if on_start else self.top_bar.url()
        self._next.edit(self, typed.split(), self._crawl.session)

    def _choose_settings(self, settings: CrawlSettings, access: Access) -> None:
        if settings.workers != self.top_bar.workers.value():
            self._crawl.set_workers(settings.workers)
        self._crawl.give(access)

    def _edit_address(self) -> None:
        on_start = self._pages.currentWidget() is self.start_page
        field = self.start_page.url_field if on_start else self.top_bar.url_field
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        line = field.lineEdit()
        if line is not None:
            line.selectAll()

    def _use_theme(self, choice: theme.Choice) -> None:
        theme.use(choice)
        self.menus.tint()
        self._memory.remember_theme(choice)

    def _follow_system(self) -> None:
        if self._memory.theme() == "system":
            self._use_theme("system")

    # ------------------------------------------------------------ memory

    def _take_up_memory(self) -> None:
        self._next.adopt(self._memory.settings())
        choice = self._memory.theme()
        theme.use(choice)
        self.menus.themes[choice].setChecked(True)
        self.menus.languages[self._memory.language()].setChecked(True)
        self.menus.tint()
        self.workspace.lay_out_as(self._memory.panel)
        self.resize(*_USUAL)
        if not self._memory.restore_layout(self):
            place(self, _USUAL)

    # ------------------------------------------------------------ assembly

    def _lay_out(self) -> None:
        self._pages.addWidget(self.start_page)
        self._pages.addWidget(self.workspace)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.top_bar, self.progress_line, self.messages):
            column.addWidget(part)
        column.addWidget(self._pages, 1)
        self.setCentralWidget(body)

    def _connect_crawl(self) -> None:
        self._crawl.opened.connect(self._show_session)
        self._crawl.progressed.connect(self._show_progress)
        self._crawl.troubled.connect(self._show_trouble)
        self._crawl.refused.connect(self.refuse)
        self.reader.failed.connect(lambda text: self.messages.tell("reading", "error", text))

    def _connect_wishes(self) -> None:
        bar, page = self.top_bar, self.start_page
        bar.commanded.connect(self._command)
        bar.workers_changed.connect(self._crawl.set_workers)
        bar.settings_wanted.connect(self._edit_settings)
        self._next.chosen.connect(self._choose_settings)
        self._next.forget_through(self._crawl)
        page.start_wanted.connect(lambda: self._start(page.url()))
        page.demo_wanted.connect(self._start_demo)
        page.open_wanted.connect(self._open)
        page.settings_wanted.connect(self._edit_settings)
        page.project_wanted.connect(self._crawl.open)
        for here, there in ((bar.workers, page.workers), (bar.redirects, page.redirects)):
            here.valueChanged.connect(there.setValue)
            there.valueChanged.connect(here.setValue)
        self.workspace.in_flight.cancel_wanted.connect(self._crawl.cancel_url)
        self.workspace.act_wanted.connect(self._crawl.act)
        Drops(self, self._crawl.open, self._crawl_address)
        self._pause_key.pressed.connect(self._toggle_pause)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.styleHints().colorSchemeChanged.connect(self._follow_system)

    def _connect_menus(self) -> None:
        menus = self.menus
        menus.new.triggered.connect(self._crawl.leave)
        menus.open.triggered.connect(self._open)
        menus.export.triggered.connect(self._export)
        menus.quit.triggered.connect(self.close)
        menus.start.triggered.connect(lambda: self._command(Command.START))
        menus.toggle.triggered.connect(self._toggle_pause)
        menus.pause_now.triggered.connect(lambda: self._command(Command.PAUSE_NOW))
        menus.cancel.triggered.connect(lambda: self._command(Command.CANCEL))
        menus.address.triggered.connect(self._edit_address)
        menus.settings.triggered.connect(self._edit_settings)
        self._projects.connect_menus(menus)
        menus.commands.triggered.connect(self.command_bar.open)
        menus.demo.triggered.connect(self._start_demo)
        menus.about.triggered.connect(lambda: show_about(self))
        for language, action in menus.languages.items():
            action.triggered.connect(lambda _on, name=language: self.language_wanted.emit(name))
        for part, action in menus.parts.items():
            action.toggled.connect(getattr(self.workspace, part).setVisible)
            action.setChecked(self._memory.shows(part))
            action.toggled.connect(lambda on, part=part: self._memory.remember_shown(part, on))
        for choice, action in menus.themes.items():
            action.triggered.connect(lambda _checked, choice=choice: self._use_theme(choice))
