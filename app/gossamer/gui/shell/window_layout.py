"""Creates the widgets of the main window and lays them out."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from gossamer.gui.actions.action_set import ActionSet
from gossamer.gui.crawl.progress_line import ProgressLine
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.shell.command_palette import CommandPalette
from gossamer.gui.shell.keyboard_navigation import Pane, Panes
from gossamer.gui.shell.tab_order import OrderedBody, from_left_to_right
from gossamer.gui.shell.toolbar import TopBar
from gossamer.gui.start.root_field import RootField, Roots, UrlField
from gossamer.gui.start.start_page import StartPage
from gossamer.gui.widgets.help_context import explain, page_about_setting
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn
from gossamer.gui.workspace.dock_panels import Panel
from gossamer.gui.workspace.workspace import Workspace
from gossamer.model.settings.crawl_settings import CrawlSettings


class WindowParts:
    """The widgets of one window: bars, the start page or the workspace, messages below them."""

    def __init__(self, window: QMainWindow) -> None:
        self.window = window
        self.reader = ProjectReader(parent=window)
        self.actions = ActionSet(window)
        self.top_bar = TopBar(self.actions)
        self.progress_line = ProgressLine()
        self.messages = MessageColumn()
        self.start_page = StartPage(self.actions)
        self.workspace = Workspace(self.reader)
        self.roots = Roots(window)
        self.command_bar = CommandPalette(window)
        self.panes = Panes(window, self._panes())
        for place in (self.top_bar, self.start_page):
            place.root_field.bind(self.roots)
        typing = self.start_page.url_field.lineEdit()
        if typing is not None:
            # The reason for refusing the last one does not concern the address that is typed now.
            typing.textEdited.connect(self.start_page.message.hide)
        self._pages = QStackedWidget()
        self._lay_out()
        self._explain()

    @property
    def on_start_page(self) -> bool:
        """Whether the start page is visible, and no project."""
        return self._pages.currentWidget() is self.start_page

    @property
    def address(self) -> UrlField:
        """The visible field for an address."""
        return self.start_page.url_field if self.on_start_page else self.top_bar.url_field

    @property
    def root_field(self) -> RootField:
        """The area of that field, which may show a list instead."""
        return self.start_page.root_field if self.on_start_page else self.top_bar.root_field

    def show_project(self, *, shown: bool) -> None:
        """Switch to the workspace with its bars, or to the start page."""
        self._pages.setCurrentWidget(self.workspace if shown else self.start_page)
        self.top_bar.setVisible(shown)
        self.progress_line.setVisible(shown)

    def show_roots(self, settings: CrawlSettings) -> None:
        """Show what the crawl with these settings starts from."""
        self.roots.show(settings.roots, only=settings.list_only)
        typed = "" if self.roots.is_list else " ".join(settings.roots)
        self.start_page.url_field.show_address(typed)
        self.top_bar.set_url(typed)

    def take_up(self, other: "WindowParts") -> None:
        """Take over what is looked at in another window, and what is typed there to crawl next."""
        self.workspace.take_up(other.workspace)
        for mine, theirs in (
            (self.start_page.url_field, other.start_page.url_field),
            (self.top_bar.url_field, other.top_bar.url_field),
        ):
            mine.show_address(theirs.currentText())
        self.roots.copy_from(other.roots)

    def edit_address(self) -> None:
        """Put the cursor into the address; typing replaces its contents."""
        if self.roots.is_list:
            self.root_field.summary.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        self.address.setFocus(Qt.FocusReason.ShortcutFocusReason)
        line = self.address.lineEdit()
        if line is not None:
            line.selectAll()

    def refuse(self, sentence: str, *buttons: MessageButton) -> None:
        """Say why something cannot be done, where the user is looking."""
        if self.on_start_page:
            self.start_page.message.show_text("error", sentence, *buttons)
        else:
            self.messages.tell("crawl", "error", sentence, *buttons)

    def _panes(self) -> list[Pane]:
        space, docks = self.workspace, self.workspace.docks.docks
        return [
            Pane(self.start_page, lambda: self.start_page.url_field),
            Pane(self.top_bar, lambda: self.top_bar.url_field),
            Pane(docks[Panel.DISCOVERY], lambda: space.discovery),
            Pane(docks[Panel.FOLDERS], lambda: space.folders),
            Pane(space.table.issues_area, space.table.issues_area.focus_target),
            Pane(space.table, lambda: space.table.view),
            Pane(space.details, space.details.focus_target),
            Pane(space.docks.show_panels_button, lambda: space.docks.show_panels_button),
            Pane(space.overview, lambda: space.overview),
            Pane(space.in_flight, lambda: space.in_flight),
        ]

    def _explain(self) -> None:
        """Set which page of the help F1 opens where."""
        space = self.workspace
        for widget, page in (
            (self.start_page, "window/start"),
            (self.top_bar, "window/start"),
            (self.top_bar.root_field.summary, "window/list"),
            (self.start_page.root_field.summary, "window/list"),
            (self.progress_line, "window/overview"),
            (space.discovery, "window/trees"),
            (space.folders, "window/trees"),
            (space.table.bar.text, "window/table"),
            (space.table.issues_area, "window/issues"),
            (space.rules, "window/issues"),
            (space.details, "window/details"),
            (space.overview, "window/overview"),
            (space.in_flight, "window/overview"),
        ):
            explain(widget, page)
        for field, setting in (
            (self.start_page.workers, "workers"),
            (self.top_bar.workers, "workers"),
            (self.start_page.redirects, "max_redirects"),
            (self.top_bar.redirects, "max_redirects"),
            (self.start_page.render_pages, "render"),
            (self.top_bar.render_pages, "render"),
            (self.start_page.keep_pages, "archive"),
        ):
            explain(field, page_about_setting(setting))
        explain(self.start_page.profile, "settings")

    def _parts_in_order(self) -> list[QWidget]:
        """The parts of the workspace and its bars, as the eye meets them."""
        around = from_left_to_right(self.window, self.workspace.docks.parts())
        return [self.top_bar, self.progress_line, *around, self.messages]

    def _lay_out(self) -> None:
        self._pages.addWidget(self.start_page)
        self._pages.addWidget(self.workspace)
        body = OrderedBody(self._parts_in_order)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top_bar)
        column.addWidget(self.progress_line)
        column.addWidget(self._pages, 1)
        # At the end: a message that appears or disappears moves nothing from under the mouse.
        column.addWidget(self.messages)
        self.window.setCentralWidget(body)
