"""Saves the filter of the table for every crawl of the series, and uses saved ones."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.shell.series_controller import SeriesController
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.tables.table_tabs import TABS
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import UsageError
from gossamer.model.portable_filters import PortableFilter, SavedFilter
from gossamer.model.project_queries import Filter, View
from gossamer.model.translatable import Translatable

if TYPE_CHECKING:
    from collections.abc import Callable

    from gossamer.store.series_file import Series


class SavedFilterController(QObject):
    """Fills the menu of saved filters, and carries out its choices."""

    def __init__(self, parts: WindowParts, series: SeriesController) -> None:
        super().__init__(parts.window)
        self._reader = parts.reader
        self._series = series
        self._bar = bar = parts.workspace.table.bar
        self._tell = parts.workspace.table.summary.show_message
        self._button = button = bar.saved
        button.opened.connect(self._list)
        button.wanted.connect(self._use)
        button.save_wanted.connect(self._save)
        button.remove_wanted.connect(self._remove)

    def _list(self) -> None:
        self._change(lambda _series: None)

    def _change(self, change: "Callable[[Series], object]") -> None:
        def work(series: "Series") -> list[SavedFilter]:
            change(series)
            return series.saved_filters()

        self._series.work("saved filters", work, self._button.show_filters)

    def _remove(self, name: str) -> None:
        self._change(lambda series: series.remove_filter(name))

    def _save(self, name: str) -> None:
        from gossamer.session.saved_filters import portable_filter  # noqa: PLC0415 - the start does without

        tab, filter_ = self._bar.tab, self._bar.filter_

        def save(portable: PortableFilter) -> None:
            saved = SavedFilter(name=name, tab=tab, filter_=portable)
            self._change(lambda series: series.save_filter(saved))

        self._reader.submit(
            lambda rows: portable_filter(rows, filter_), save, key=f"save filter {id(self)}"
        )

    def _use(self, saved: SavedFilter) -> None:
        from gossamer.session.saved_filters import local_filter  # noqa: PLC0415 - the start does without

        def read(rows: ProjectRows) -> Filter | Translatable:
            try:
                return local_filter(rows, saved)
            except UsageError as e:
                return e.said

        def show(found: Filter | Translatable) -> None:
            if isinstance(found, Filter):
                self._bar.show_saved(saved.tab if saved.tab in TABS else View.ALL, found)
            else:
                self._tell(spoken(found))

        self._reader.submit(read, show, key=f"use filter {id(self)}")
