"""What rows can be narrowed by: facets, each with its values and how many rows have them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from gossamer.gui.filters.facet_labels import facet_name, value_text
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.sticky_menu import StayingMenu, refilling
from gossamer.model.facets import FACETS, FOUND_ON, SINGLE, FacetCount, chosen
from gossamer.model.project_queries import Facet, Filter, Value, View

_MOST: Final = 40
"""Values in a menu: a longer one leaves the screen. The most frequent come first."""


class FacetMenu(StayingMenu):
    """The values of one facet. They are to be counted once it is `opened`."""

    opened = Signal(object)
    """The facet."""
    closed = Signal(object)
    """The facet whose menu was closed."""
    picked = Signal(object, object)
    """The facet, and the frozenset of the values that are ticked."""

    def __init__(self, facet: Facet, parent: QWidget | None = None) -> None:
        super().__init__(facet_name(facet), parent)
        self.facet = facet
        self._chosen: frozenset[Value] = frozenset()
        self._counts: Sequence[FacetCount] = ()
        self._add_note(self.tr("Counting…"))
        self.aboutToShow.connect(lambda: self.opened.emit(self.facet))
        self.aboutToHide.connect(lambda: self.closed.emit(self.facet))

    def show_counts(self, counts: Sequence[FacetCount], chosen: frozenset[Value]) -> None:
        """Offer these values; those in `chosen` are ticked."""
        if (counts, chosen) == (self._counts, self._chosen) and self.actions():
            return
        self._counts, self._chosen = counts, chosen
        at = self.actions().index(self.activeAction()) if self.activeAction() else -1
        with refilling(self):
            for each in counts[:_MOST]:
                self._add(each)
            if not counts:
                self._add_note(self.tr("Nothing to choose from"))
        if 0 <= at < len(self.actions()):
            self.setActiveAction(self.actions()[at])

    def _add(self, each: FacetCount) -> None:
        text = value_text(self.facet, each.value, each.name).replace("&", "&&")
        # What follows the tab stands at the right, where menus have their shortcuts.
        action = QAction(f"{text}\t{formatting.number(each.count)}", self)
        action.setCheckable(True)
        action.setChecked(each.value in self._chosen)
        action.triggered.connect(lambda on, value=each.value: self._pick(value, on=on))
        self.addAction(action)

    def _pick(self, value: Value, *, on: bool) -> None:
        others = frozenset() if self.facet in SINGLE else self._chosen
        self._chosen = others | {value} if on else self._chosen - {value}
        self.picked.emit(self.facet, self._chosen)
        if self.facet in SINGLE:
            self.close()

    def _add_note(self, text: str) -> None:
        self.addAction(text).setEnabled(False)


class FilterMenu(QMenu):
    """All facets of a view. Signals as those of the menus in it."""

    opened = Signal(object)
    closed = Signal(object)
    picked = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._menus: dict[Facet, FacetMenu] = {}
        for facet in FACETS:
            menu = FacetMenu(facet, self)
            menu.opened.connect(self.opened)
            menu.closed.connect(self.closed)
            menu.picked.connect(self.picked)
            self._menus[facet] = menu
            if facet != FOUND_ON:
                self.addMenu(menu)

    def menu_of(self, facet: Facet) -> FacetMenu:
        """The values of a facet."""
        return self._menus[facet]

    def set_facets(self, facets: Iterable[Facet]) -> None:
        """Show the menus of these facets alone."""
        offered = frozenset(facets)
        for facet, menu in self._menus.items():
            menu.menuAction().setVisible(facet in offered)

    def open_facets(self) -> list[Facet]:
        """The facets whose values are in sight."""
        return [facet for facet, menu in self._menus.items() if menu.isVisible()]


class FacetCounter:
    """Counts the values of the facet whose menu is open; only one is open at a time."""

    def __init__(
        self, reader: ProjectReader, menu: FilterMenu, shown: Callable[[], tuple[View, Filter]]
    ) -> None:
        """Fill `menu` with what there is in the view and filter that are `shown` then."""
        self._reader = reader
        self._menu = menu
        self._shown = shown
        self._key = f"facet {id(self)}"
        self._facet: Facet | None = None
        self._finished: Callable[[], None] | None = None
        self._has_project = False
        menu.opened.connect(self.count)
        menu.closed.connect(self._close)

    def set_project(self, *, has_project: bool) -> None:
        """Another project, or none: whoever waits for a count of the last one is gone."""
        self._has_project, self._finished = has_project, None

    def refresh(self, finished: Callable[[], None]) -> int:
        """Count again what is in sight; how often `finished` will be called.

        That is when it is counted, or nobody looks at it any more.
        """
        facets = self._menu.open_facets()
        for facet in facets:
            self._count(facet, finished)
        return len(facets)

    def count(self, facet: Facet) -> None:
        """Count the values of a menu that was just opened."""
        self._count(facet, None)

    def _count(self, facet: Facet, finished: Callable[[], None] | None) -> None:
        if not self._has_project:
            return
        view, filter_ = self._shown()
        menu = self._menu.menu_of(facet)
        self._stop()
        self._facet, self._finished = facet, finished

        def show(counts: list[FacetCount]) -> None:
            menu.show_counts(counts, chosen(self._shown()[1], facet))
            self._finish()

        self._reader.submit(
            lambda rows: rows.facet(view, filter_, facet),
            show,
            key=self._key,
            on_failure=self._finish,
            background=finished is not None,
        )

    def _close(self, facet: Facet) -> None:
        """Stop counting for a closed menu, so that it delays no refresh."""
        if facet == self._facet:
            self._stop()

    def _stop(self) -> None:
        self._reader.forget(self._key)
        self._finish()

    def _finish(self) -> None:
        finished, self._finished = self._finished, None
        if finished is not None:
            finished()
