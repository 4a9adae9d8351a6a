"""The main window: creates its parts and connects their signals.

Reports of the crawl are shown by `CrawlPresenter`, what the user asks for is carried out by
`WindowCommands`; what waits is in `CrawlController`, what is remembered in `UiState`.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton, QToolButton

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.next_crawl import NextCrawl
from gossamer.gui.details.inspection_controller import InspectionController
from gossamer.gui.details.snippet_export_controller import SnippetExportController
from gossamer.gui.issues.issue_counts import issue_totals
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.access_controller import AccessController
from gossamer.gui.shell.audit_controller import AuditController
from gossamer.gui.shell.crawl_notices import CrawlHintNotice
from gossamer.gui.shell.crawl_presenter import CrawlPresenter
from gossamer.gui.shell.drag_and_drop import DropHandler
from gossamer.gui.shell.export_controller import ExportController
from gossamer.gui.shell.help_controller import HelpController
from gossamer.gui.shell.ignore_controller import IgnoreController
from gossamer.gui.shell.import_controller import ImportController
from gossamer.gui.shell.keyboard_navigation import ContextMenuKey, SpaceKey
from gossamer.gui.shell.login_controller import LoginController
from gossamer.gui.shell.page_load_controller import PageLoadController
from gossamer.gui.shell.project_file_commands import ProjectCommands
from gossamer.gui.shell.proofreading_controller import ProofreadingController
from gossamer.gui.shell.redirect_controller import RedirectController
from gossamer.gui.shell.rendering_notice import RenderingNotice
from gossamer.gui.shell.search_index_controller import SearchIndexController
from gossamer.gui.shell.series_features import SeriesFeatures
from gossamer.gui.shell.session_restore import OVER, Listing, RecentCrawls
from gossamer.gui.shell.settings_controller import SettingsController
from gossamer.gui.shell.sql_controller import SqlController
from gossamer.gui.shell.tour_controller import TourController
from gossamer.gui.shell.update_notice import UpdateNotice
from gossamer.gui.shell.window_commands import WindowCommands
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.start.start_settings import StartSettings
from gossamer.gui.tables.table_tabs import FIRST_GROUP, ISSUES, TABS
from gossamer.gui.widgets.labels import name_inner
from gossamer.gui.widgets.window_geometry import place
from gossamer.model.archive_source import is_archive_name
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.translatable import Translatable
from gossamer.session.profile_store import ProfileStore

_SAVING: Final = frozenset({"copy", "rescue", "export"})
"""The names of tasks that write a file for the user."""
_OPENS_MENU: Final = QToolButton.ToolButtonPopupMode.InstantPopup
_USUAL: Final = (1280, 800)
_ROOMY: Final = 1400
"""At this width, the window has room for the overview next to the table."""


class MainWindow(QMainWindow):
    """The main window. Never closes itself: it emits `close_wanted` to its owner instead.

    Listeners to the crawl on its behalf are QObjects below it, so that Qt ends the connections with
    the window. What it waits for is in `tasks`, which end before it is deleted.
    """

    close_wanted = Signal()
    language_wanted = Signal(str)
    """The chosen `Language`: the owner of the window makes another in that language."""

    def __init__(
        self,
        crawl: CrawlController,
        tasks: WindowTasks,
        memory: UiState,
        *,
        listed: Listing = lambda _remembered: [],
        next_crawl: NextCrawl | None = None,
        apply_theme: Callable[[theme.ThemeChoice], object] = theme.use,
    ) -> None:
        super().__init__()
        self.setObjectName("main")
        self.setWindowIcon(icon("gossamer"))
        self._crawl = crawl
        self.tasks = tasks
        self._memory = memory
        self._is_closing = False
        parts = self._parts = WindowParts(self)
        self.reader = parts.reader
        self.top_bar = parts.top_bar
        self.progress_line = parts.progress_line
        self.messages = parts.messages
        self.start_page = parts.start_page
        self.workspace = parts.workspace
        self.action_set = parts.actions
        self.command_bar = parts.command_bar
        self.next_crawl = next_crawl or NextCrawl(ProfileStore(memory.folder))
        self._commands = WindowCommands(parts, crawl, tasks, memory, self.next_crawl)
        recent_menu = parts.actions.submenu(WindowAction.OPEN_RECENT)
        self._recent = RecentCrawls(memory, crawl, parts.start_page, recent_menu, tasks, listed)
        self._projects = ProjectCommands(
            self, crawl, tasks, parts.messages, self._commands.prepare_copy
        )
        self._settings = self._settings_controller()
        hint_notice = self._new_hint_notice()
        self._presenter = CrawlPresenter(
            parts, crawl, self.next_crawl, self._commands.recollection, self._recent, hint_notice
        )
        self._presenter.rescue_wanted.connect(self._projects.rescue)
        self._audits = AuditController(parts, crawl, tasks, memory)
        self._ignoring = IgnoreController(parts, crawl, tasks)
        self._exports = ExportController(parts, crawl, tasks, memory, self._audits)
        self._proofreading = ProofreadingController(parts, crawl, tasks)
        self._inspecting = InspectionController(crawl, tasks, self.workspace.details)
        self._connect()
        self._take_up_memory(apply_theme)
        self._presenter.show_project(crawl.session)
        name_inner(self)

    # ------------------------------------------------------------ for its owner

    def crawl_target(self, target: str | None) -> None:
        """Open what the command line named: a project, a web archive, a root URL, or nothing.

        A project is opened, an archive imported; a URL is put into the field and crawled.
        """
        if target is None:
            self._commands.recollection.offer_unfinished()
        elif Path(target).suffix == ".gossamer":
            self._crawl.open(Path(target).absolute())
        elif is_archive_name(target) and "://" not in target:
            self._imports.import_archives([Path(target).absolute()])
        else:
            self._commands.crawl_address(target)

    def take_up(self, before: "MainWindow") -> None:
        """Show what the window showed whose place this one takes."""
        self._parts.take_up(before.parts)
        self._commands.recollection.take_up(before.messages)

    @property
    def parts(self) -> WindowParts:
        """The parts that it is made of."""
        return self._parts

    def open_help_page(self, page: str) -> None:
        """Show the page of the help with this id."""
        self._help.open_page(page)

    def progress(self) -> Progress:
        """The counters shown."""
        return self._presenter.progress

    def refuse(self, sentence: Translatable) -> None:
        """Say why something cannot be done, where the user is looking."""
        self._presenter.refuse(sentence)

    def is_saving(self) -> bool:
        """Whether a file is being written that would be lost with the window."""
        return not _SAVING.isdisjoint(self.tasks.names())

    def remember(self) -> None:
        """Store layout and an unfinished crawl for the next start."""
        self._memory.remember_layout(self)
        for name, layout in self.workspace.layouts().items():
            self._memory.remember_panel(name, layout)
        self.remember_crawl()

    def remember_crawl(self) -> None:
        """Store whether the crawl shown is unfinished, for the next start."""
        self._commands.recollection.save_unfinished()
        self._memory.flush()

    # ------------------------------------------------------------ Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask to be closed; the second time, do not wait for the crawl."""
        event.ignore()
        if self._is_closing:
            self._crawl.force()
        self._is_closing = True
        if self._crawl.state not in OVER:
            self.messages.tell(
                "closing", "info", self.tr("Saving the crawl… Close again to quit at once.")
            )
        self.close_wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape undoes typing in the address, or closes the newest message.

        Enter presses the focused button, as Space does: Qt does so only in dialogs.
        """
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.isAutoRepeat():
            button = self.focusWidget()
            if isinstance(button, QToolButton) and button.popupMode() is _OPENS_MENU:
                button.showMenu()
            elif isinstance(button, QPushButton | QToolButton):
                button.click()
        elif event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.top_bar.url_field.hasFocus() and self._crawl.session is not None:
            self._parts.show_roots(self._crawl.session.settings)
        elif not self.messages.withdraw_newest():
            self.start_page.message.hide()

    def _show_panels(self, action: WindowAction, shown: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Show or hide the panels of an action, as the user wants it from now on."""
        self.workspace.show_panels(action, shown=shown)
        if action is WindowAction.DETAILS:
            self._memory.remember_shown("details", shown)

    # ------------------------------------------------------------ memory

    def _take_up_memory(self, apply_theme: Callable[[theme.ThemeChoice], object]) -> None:
        choice = self._memory.theme()
        apply_theme(choice)
        self.action_set.choice(WindowAction.THEME, choice).setChecked(True)
        language = self.action_set.choice(WindowAction.LANGUAGE, self._memory.language())
        language.setChecked(True)
        self.resize(*_USUAL)
        if not self._memory.restore_layout(self):
            place(self, _USUAL)
        space = self.workspace
        space.details.views.each_made(self._memory.restore_splitters)
        space.table.issues_area.when_made(self._memory.restore_splitters)
        if not space.lay_out_as(self._memory.panel):
            space.docks.share_width(self.width())
            # A narrow window is for the table, until the user wants it otherwise.
            space.show_panels(WindowAction.SIDE, shown=self.width() >= _ROOMY)
        if not self._memory.shows("details", usually=True):
            space.show_panels(WindowAction.DETAILS, shown=False)
        for action in (WindowAction.TREES, WindowAction.SIDE):
            self.action_set[action].setChecked(space.docks.is_shown(action))
        self.action_set[WindowAction.DETAILS].setChecked(space.details.is_open)

    # ------------------------------------------------------------ assembly

    def _settings_controller(self) -> SettingsController:
        """The controller of settings, in the dialog and on the start page."""
        roots = self._commands.roots_shown
        controller = SettingsController(
            self._parts, self._crawl, self._memory, self.next_crawl, roots, self.tasks
        )
        StartSettings(self._parts.start_page, self.next_crawl, roots, controller.edit_access)
        notice = RenderingNotice(
            self._crawl,
            self._parts.reader,
            self.messages,
            self._commands.start_with,
            controller.edit_rendering,
        )
        controller.browser_installed.connect(notice.offer_rendering)
        return controller

    def _new_hint_notice(self) -> CrawlHintNotice:
        parts = self._parts
        notice = CrawlHintNotice(
            parts.reader,
            parts.messages,
            self._commands.start_with,
            parts.edit_address,
            self._crawl.trust,
        )
        notice.login_wanted.connect(parts.actions[WindowAction.LOG_IN].trigger)
        notice.credentials_wanted.connect(self._settings.edit_access)
        return notice

    def _connect_settings(self) -> None:
        self._settings.language_wanted.connect(self.language_wanted)
        roots = self._commands.roots_shown
        logins = LoginController(self._parts, self._crawl, self.next_crawl, roots, self.tasks)
        self.action_set.connect_performer(logins)
        self._settings.login_wanted.connect(logins.log_in)
        self._settings.form_login_wanted.connect(logins.log_in_with_form)
        self._presenter.login_wanted.connect(logins.log_in_again)
        logins.given_up.connect(self._presenter.repeat_notice)

    def _connect_controllers(self) -> None:
        """Connect the controllers that nothing else needs to know."""
        commands, imports, space = self._commands, self._imports.import_archives, self.workspace
        lists, refuse = commands.url_lists, self._parts.refuse
        DropHandler(self, self._crawl.open, commands.crawl_address, lists, imports, refuse)
        self.tour = TourController(self._parts, self._crawl, self._memory)
        self._help = HelpController(self, self.action_set)
        PageLoadController(self._parts, self._crawl, self.tasks)
        SnippetExportController(space.details, self.tasks, space.table.summary.show_message)
        site = SeriesFeatures(self._parts, self._crawl, self.tasks, self._memory, self._audits)
        self._presenter.ended_unseen.connect(site.notifications.announce)

    def _connect(self) -> None:
        self._indexing = SearchIndexController(self._parts, self._crawl, self.tasks)
        self.updates = UpdateNotice(self.action_set, self.messages, self._memory, self.tasks)
        bar, page, commands, space = self.top_bar, self.start_page, self._commands, self.workspace
        self._imports = ImportController(self._parts, self._crawl, self.tasks, self.next_crawl)
        performers = (
            commands,
            self._projects,
            self._settings,
            self._audits,
            self._proofreading,
            self._exports,
            self._imports,
            AccessController(self._parts, self._crawl, self._audits),
            RedirectController(self._parts, self._crawl, self.tasks, commands.crawl_list),
            SqlController(self._parts, self._crawl, self.tasks, self._memory),
        )
        for performer in (self, *performers):
            self.action_set.connect_performer(performer)
        self._audits.finished.connect(space.refresh)
        self._recent.listed_crawls.connect(commands.recollection.show_glances)
        for field in (bar, page):
            field.submitted.connect(commands.start)
        bar.workers_changed.connect(self._crawl.set_workers)
        self._connect_settings()
        self._connect_controllers()
        page.project_wanted.connect(self._crawl.open)
        page.folder_wanted.connect(_open_folder)
        space.in_flight.cancel_wanted.connect(self._crawl.cancel_url)
        space.bulk_action_wanted.connect(self._crawl.perform)
        space.export_wanted.connect(self._exports.export)
        space.links_wanted.connect(self._exports.export_links)
        space.panels_shown.connect(lambda action, on: self.action_set[action].setChecked(on))
        space.panels_wanted.connect(self._show_panels)
        panels = self.action_set.submenu(WindowAction.PANELS)
        for dock in space.docks.docks.values():
            if dock.panel.value.can_close:
                panels.addAction(dock.toggleViewAction())
        self.progress_line.counts.view_wanted.connect(commands.show_rows)
        counts = space.table.issue_counts
        counts.changed.connect(
            lambda: self.progress_line.show_issues(issue_totals(counts.site_urls), ISSUES)
        )
        views = self.action_set.submenu(WindowAction.TABLE)
        for key, tab in TABS.items():
            if tab.group is FIRST_GROUP:
                views.addSeparator()
            views.addAction(tab.name).triggered.connect(partial(commands.turn_to, key))
        SpaceKey(self, self.action_set[WindowAction.PAUSE_OR_RESUME])
        ContextMenuKey(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.styleHints().colorSchemeChanged.connect(commands.follow_system)

    # ------------------------------------------------------------ actions

    @performs(WindowAction.QUIT)
    def _quit(self) -> None:
        self.close()

    @performs(WindowAction.EDIT_ADDRESS)
    def _edit_address(self) -> None:
        self._parts.edit_address()

    @performs(WindowAction.LANGUAGE)
    def _choose_language(self, language: str) -> None:
        self.language_wanted.emit(language)

    @performs(WindowAction.TREES)
    def _show_trees(self, shown: bool) -> None:  # noqa: FBT001 - a signal's argument
        self._show_panels(WindowAction.TREES, shown)

    @performs(WindowAction.DETAILS)
    def _show_details(self, shown: bool) -> None:  # noqa: FBT001 - a signal's argument
        self._show_panels(WindowAction.DETAILS, shown)

    @performs(WindowAction.SIDE)
    def _show_side(self, shown: bool) -> None:  # noqa: FBT001 - a signal's argument
        self._show_panels(WindowAction.SIDE, shown)

    @performs(WindowAction.RESET_LAYOUT)
    def _reset_layout(self) -> None:
        self.workspace.docks.reset()
        self._show_panels(WindowAction.DETAILS, self.workspace.details.url_id is not None)

    @performs(WindowAction.NEXT_PANE)
    def _next_pane(self) -> None:
        self._parts.panes.step(1)

    @performs(WindowAction.PREVIOUS_PANE)
    def _previous_pane(self) -> None:
        self._parts.panes.step(-1)

    @performs(WindowAction.COMMANDS)
    def _open_command_palette(self) -> None:
        self.command_bar.open()


def _open_folder(folder: Path) -> None:
    from gossamer.gui.help.about_dialog import open_folder  # noqa: PLC0415 - the start does without

    open_folder(folder)
