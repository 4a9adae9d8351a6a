"""Counting the values of the facet whose menu is open."""

from collections.abc import Callable

from gossamer.gui.filters.filter_bar import TableBar
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.facet import Facet, FacetCount, chosen


class FacetCounting:
    """Fills the menu of one facet at a time: of all menus of facets one is looked at."""

    def __init__(self, reader: ProjectReader, bar: TableBar) -> None:
        self._reader = reader
        self._bar = bar
        self._key = f"facet {id(self)}"
        self._facet: Facet | None = None
        self._over: Callable[[], None] | None = None
        self._has_project = False
        bar.menu.wanted.connect(self.count)
        bar.menu.unwanted.connect(self._close)

    def begin(self, *, has_project: bool) -> None:
        """Another project, or none: whoever waits for a count of the last one is gone."""
        self._has_project, self._over = has_project, None

    def refresh(self, over: Callable[[], None]) -> int:
        """Count again what is in sight; how often `over` will be called.

        That is when it is counted, or nobody looks at it any more.
        """
        facets = self._bar.menu.open_facets()
        for facet in facets:
            self._count(facet, over)
        return len(facets)

    def count(self, facet: Facet) -> None:
        """Count for a person, who waits for it."""
        self._count(facet, None)

    def _count(self, facet: Facet, over: Callable[[], None] | None) -> None:
        if not self._has_project:
            return
        view, filter_ = self._bar.view, self._bar.filter_
        menu = self._bar.menu.menu_of(facet)
        self._end()
        self._facet, self._over = facet, over

        def show(counts: list[FacetCount]) -> None:
            menu.show_counts(counts, chosen(self._bar.filter_, facet))
            self._is_over()

        self._reader.submit(
            lambda rows: rows.facet(view, filter_, facet),
            show,
            key=self._key,
            lost=self._is_over,
            background=over is not None,
        )

    def _close(self, facet: Facet) -> None:
        """What nobody looks at any more must not keep the rows waiting."""
        if facet is self._facet:
            self._end()

    def _end(self) -> None:
        self._reader.forget(self._key)
        self._is_over()

    def _is_over(self) -> None:
        over, self._over = self._over, None
        if over is not None:
            over()
