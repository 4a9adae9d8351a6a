"""The table of the crawls of a site, with their figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.list_model import ListModel
from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.sort_header import SortHeader, SortKey
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_view import TableView
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import listed
from gossamer.model.crawl_state import CrawlState
from gossamer.model.series_contents import CrawlSnapshot, ProjectLocation

_tr = translator("CrawlHistory")


@dataclass(frozen=True, slots=True)
class ListedCrawl:
    """A crawl of the history: its snapshot, where its project is, and whether that one is open."""

    snapshot: CrawlSnapshot
    place: ProjectLocation
    is_open: bool
    notes: str = ""
    """What was noted about it, or about its day."""

    @property
    def exists(self) -> bool:
        """Whether its project can be opened."""
        return self.place is ProjectLocation.HERE

    @property
    def path(self) -> Path:
        """Where its project is, or was."""
        return Path(self.snapshot.project)


def _project(each: ListedCrawl) -> str:
    if each.is_open:
        return _tr("Open in this window")
    if each.place is ProjectLocation.REMOVED:
        return _tr("Removed")
    name = formatting.clean(each.path.name)
    if each.place is ProjectLocation.MISSING:
        return _tr("File is missing: {name}").format(name=name)
    if each.place is ProjectLocation.OUT_OF_REACH:
        return _tr("Folder is missing: {name}").format(name=name)
    return name


def _state(each: ListedCrawl) -> str:
    words = {
        CrawlState.FINISHED: _tr("Finished"),
        CrawlState.CANCELLED: _tr("Cancelled"),
        CrawlState.FAILED: _tr("Failed"),
        CrawlState.RUNNING: _tr("Crawling"),
    }
    state = words.get(each.snapshot.state, _tr("Paused"))
    is_failed = each.snapshot.has_failed
    return listed([state, "" if each.snapshot.audited or is_failed else _tr("not audited")])


def _count(title: str, of: Callable[[CrawlSnapshot], int], width: int = 8) -> ColumnSpec:
    return ColumnSpec(
        None,
        title,
        width,
        lambda each: formatting.number(of(each.snapshot)),
        numeric=True,
        plain=lambda each: str(of(each.snapshot)),
    )


def _duration(title: str, of: Callable[[CrawlSnapshot], int | None], width: int = 9) -> ColumnSpec:
    def text(each: ListedCrawl) -> str:
        elapsed_ms = of(each.snapshot)
        return "" if elapsed_ms is None else formatting.duration(elapsed_ms)

    return ColumnSpec(None, title, width, text, numeric=True)


_CRAWLS: Final[RowKind[ListedCrawl]] = RowKind(
    columns=(
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Crawled"),
            19,
            lambda each: formatting.moment(each.snapshot.created_at),
        ),
        ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "Project"), 34, _project),
        _count(QT_TRANSLATE_NOOP("Column", "Pages"), lambda crawl: crawl.pages),
        _count(QT_TRANSLATE_NOOP("Column", "Errors"), lambda crawl: crawl.errors),
        _count(QT_TRANSLATE_NOOP("Column", "High"), lambda crawl: crawl.high),
        _count(QT_TRANSLATE_NOOP("Column", "Medium"), lambda crawl: crawl.medium),
        _count(QT_TRANSLATE_NOOP("Column", "Low"), lambda crawl: crawl.low),
        _duration(QT_TRANSLATE_NOOP("Column", "Median"), lambda crawl: crawl.median_ms),
        _duration(QT_TRANSLATE_NOOP("Column", "90th percentile"), lambda crawl: crawl.p90_ms, 15),
        ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "State"), 23, _state),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Notes"),
            24,
            lambda each: formatting.clean(each.notes),
        ),
    ),
    filling=10,
)
_WIDEST: Final = 36
_NEWEST_FIRST: Final[tuple[SortKey, ...]] = ((0, True),)
_ORDERS: Final[tuple[Callable[[ListedCrawl], Any], ...]] = (
    lambda each: each.snapshot.created_at,
    lambda each: (not each.is_open, each.place, each.path.name),
    lambda each: each.snapshot.pages,
    lambda each: each.snapshot.errors,
    lambda each: each.snapshot.high,
    lambda each: each.snapshot.medium,
    lambda each: each.snapshot.low,
    lambda each: each.snapshot.median_ms or 0,
    lambda each: each.snapshot.p90_ms or 0,
    _state,
    lambda each: each.notes,
)


class CrawlTable(TableView):
    """The crawls of a site, the latest first. `chosen` reports a change of the selection.

    `open_wanted` carries the crawl that was double-clicked, or on which Enter was pressed.
    """

    chosen = Signal()
    open_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[ListedCrawl] = ()
        self.rows: ListModel[ListedCrawl] = ListModel(_CRAWLS, self)
        self.sort_header = SortHeader(self)
        self.setHorizontalHeader(self.sort_header)
        self.set_up_header()
        self.setModel(self.rows)
        self.set_columns(_CRAWLS.columns, _CRAWLS.filling)
        self.sort_header.set_keys(_NEWEST_FIRST)
        self.sort_header.sort_changed.connect(self._list)
        self.setAccessibleName(self.tr("Crawls of this site"))
        self.note = EmptyStateLabel(self)
        self.note.show_text(self.tr("No crawl has ended yet."))
        self.activated.connect(self._activate)
        self.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())

    def show_crawls(self, crawls: Sequence[ListedCrawl]) -> None:
        """Show these; the selected ones stay so. At first, the open one is selected."""
        is_first = not self._all
        self._all = crawls
        self._list()
        if is_first and crawls:
            self.fit_columns(_WIDEST)
            for each in crawls:
                if each.is_open:
                    self.select_crawl(each.snapshot.created_at)

    def selected(self) -> list[ListedCrawl]:
        """The selected crawls, the earliest first."""
        rows = (self.rows.record(index.row()) for index in self.selectionModel().selectedRows())
        return sorted(filter(None, rows), key=_ORDERS[0])

    def select_crawl(self, created_at: float) -> None:
        """Select one crawl, and go there."""
        for row in range(self.rows.rowCount()):
            each = self.rows.record(row)
            if each is not None and each.snapshot.created_at == created_at:
                self.select_only(row)
                self.scrollTo(self.rows.index(row, 0))

    def _list(self) -> None:
        before = {each.snapshot.created_at for each in self.selected()}
        crawls = list(self._all)
        for column, is_descending in reversed(self.sort_header.keys):
            crawls.sort(key=_ORDERS[column], reverse=is_descending)
        self.rows.show(crawls)
        flags = self.selectionModel().SelectionFlag
        for row, each in enumerate(crawls):
            if each.snapshot.created_at in before:
                index = self.rows.index(row, 0)
                self.selectionModel().select(index, flags.Select | flags.Rows)
        self.note.update_visibility()

    def _activate(self) -> None:
        each = self.rows.record(self.currentIndex().row())
        if each is not None:
            self.open_wanted.emit(each)
