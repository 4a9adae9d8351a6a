"""Begins the tour: once by itself, on the first start, and from the menu Help."""

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.shell.tour import Tour, TourStep
from gossamer.gui.shell.window_layout import WindowParts

NAME: Final = "tour"


class TourController(QObject):
    """Shows what is where, in the window that `parts` are of."""

    def __init__(self, parts: WindowParts, memory: UiState) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._memory = memory
        parts.actions.connect_performer(self)

    def begin_once(self) -> None:
        """Begin it for somebody who has neither seen it nor crawled anything."""
        if not self._memory.knows_tour() and not self._memory.projects():
            self.begin()
        self._memory.remember_tour()

    @performs(WindowAction.TOUR)
    def begin(self) -> None:
        """Begin it from its first step."""
        running = self._parts.window.findChild(Tour, NAME)
        if running is not None and running.isVisible():
            running.end()
        Tour(self._parts.window, self._steps())

    def _steps(self) -> list[TourStep]:
        parts, space = self._parts, self._parts.workspace
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
                self.tr("During a crawl, the tree shows which page was found on which."),
                lambda: space.discovery,
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
                    "Export in the menu File saves tables for other programs. F1 opens the help "
                    "about whatever has the focus."
                ),
                self._parts.window.menuBar,
            ),
        ]

    def _start_button(self) -> QWidget | None:
        """The button that starts a crawl: that of the start page, or of the tool bar."""
        parts = self._parts
        if parts.on_start_page:
            return parts.start_page.findChild(QWidget, "start-crawl")
        return parts.top_bar.go
