"""Begins the tour: by itself, on the first start and with the first crawl; and on request."""

from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import SessionPort
from gossamer.gui.runtime.saved_ui_state import TourStage, UiState
from gossamer.gui.shell.tour import Tour, TourStep
from gossamer.gui.shell.window_layout import WindowParts

NAME: Final = "tour"


class TourController(QObject):
    """Shows where things are, in the window that `parts` belong to.

    The tour has two halves, each where its targets exist: the start page, and a crawl.
    """

    def __init__(self, parts: WindowParts, crawl: CrawlController, memory: UiState) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._memory = memory
        parts.actions.connect_performer(self)
        crawl.opened.connect(self._go_on)

    def begin_once(self) -> None:
        """Begin it for somebody who has neither seen it nor crawled anything."""
        if self._memory.tour() is TourStage.NONE and not self._memory.projects():
            self._memory.remember_tour(TourStage.STARTED)
            self.begin()
        elif self._memory.tour() is TourStage.NONE:
            self._memory.remember_tour(TourStage.OVER)

    @performs(WindowAction.TOUR)
    def begin(self) -> None:
        """Begin it from its first step, for what is shown."""
        self._end()
        steps = self._start_steps() if self._parts.on_start_page else self._crawl_steps()
        Tour(self._parts.window, steps).left.connect(self._leave)

    def _go_on(self, session: SessionPort | None) -> None:
        """Show the second half with the first crawl, once that is laid out."""
        self._end()
        if session is not None and self._memory.tour() is TourStage.STARTED:
            self._memory.remember_tour(TourStage.OVER)
            QTimer.singleShot(0, self, self._begin_if_shown)

    def _begin_if_shown(self) -> None:
        if not self._parts.on_start_page:
            self.begin()

    def _leave(self) -> None:
        """It is no longer wanted: the second half does not begin by itself either."""
        self._memory.remember_tour(TourStage.OVER)

    def _end(self) -> None:
        running = self._parts.window.findChild(Tour, NAME)
        if running is not None and running.isVisible():
            running.end()

    def _start_steps(self) -> list[TourStep]:
        parts = self._parts
        return [
            TourStep(
                self.tr("Type the address of a website here, such as example.com."),
                lambda: parts.root_field,
            ),
            TourStep(
                self.tr(
                    "Start the crawl here. Pause or cancel it at any time: what was found is kept."
                ),
                self._start_button,
            ),
            TourStep(
                self.tr(
                    "No site at hand? The demo site shows everything without requests to the "
                    "network."
                ),
                lambda: parts.start_page.findChild(QWidget, "start-demo"),
            ),
            TourStep(
                self.tr(
                    "F1 opens the help about whatever has the focus. The tour goes on with your "
                    "first crawl."
                ),
                parts.window.menuBar,
            ),
        ]

    def _crawl_steps(self) -> list[TourStep]:
        parts, space = self._parts, self._parts.workspace
        return [
            TourStep(
                self.tr("Here you see how far the crawl is. Click a number to see its rows."),
                lambda: parts.progress_line,
            ),
            TourStep(
                self.tr("The tree shows which page was found on which."), lambda: space.discovery
            ),
            TourStep(
                self.tr(
                    "The tab Issues above the table says what is wrong with the site, why it "
                    "matters and how to fix it."
                ),
                lambda: space.table.bar.tab_row,
            ),
            TourStep(
                self.tr(
                    "Select a row, and the tabs below show all that is known of it: its links, its "
                    "response, its texts."
                ),
                lambda: space.details,
            ),
            TourStep(
                self.tr(
                    "Export in the menu File saves tables for other programs. F1 opens the help "
                    "about whatever has the focus."
                ),
                parts.window.menuBar,
            ),
        ]

    def _start_button(self) -> QWidget | None:
        """The button that starts a crawl: that of the start page, or of the tool bar."""
        parts = self._parts
        if parts.on_start_page:
            return parts.start_page.findChild(QWidget, "start-crawl")
        return parts.top_bar.go
