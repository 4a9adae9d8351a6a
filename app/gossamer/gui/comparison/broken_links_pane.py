"""The links that are broken since, or no more: a filter above, and the table."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from gossamer.gui.comparison.change_texts import move_name
from gossamer.gui.comparison.comparison_interfaces import ComparisonRows
from gossamer.gui.comparison.comparison_table import ComparisonTable
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.look.theme import colour
from gossamer.gui.project.reader_thread import BackgroundReader
from gossamer.gui.tables.item_roles import DISPLAY, FOREGROUND
from gossamer.gui.tables.query_table_model import QueryModel
from gossamer.gui.tables.row_kind import QueryRowKind
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_model import AnyIndex
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import name_inner
from gossamer.model.comparison_results import (
    BrokenLinkChange,
    BrokenLinkFilter,
    ComparisonOrder,
    FilterMove,
)
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Order
from gossamer.model.translatable import Translatable
from gossamer.urls.url_folders import display_url

if TYPE_CHECKING:
    from gossamer.gui.project.reader_interfaces import Ids

_PAUSE_MS: Final = 150
_FILTER_WIDTH: Final = 280
_NONE: Final = "\N{EN DASH}"
_BROKE: Final = frozenset(each for each in FilterMove if each.is_in)
_MENDED: Final = frozenset(each for each in FilterMove if each.is_out)


@dataclass(frozen=True, slots=True)
class BrokenLinkQuery:
    """Links that pass a filter, sorted; a `RowQuery`."""

    filter_: BrokenLinkFilter = field(default_factory=BrokenLinkFilter)
    order: Order = field(default_factory=Order)

    @property
    def ascending(self) -> bool:
        """Whether the ids come in rising order: they come by what has become of the links."""
        return False

    @property
    def append_only(self) -> bool:
        """See `RowQuery`."""
        return False

    def ids(self, rows: "ComparisonRows", _after: int) -> "Ids":
        """See `RowQuery`."""
        order = ComparisonOrder(self.order.column or "", self.order.descending)
        return rows.broken_link_ids(self.filter_, order)

    def first_ids(self, _rows: "ComparisonRows") -> None:
        """See `RowQuery`."""


def response_text(outcome: Outcome | None, status: int | None) -> str:
    """What a crawl knows of a target, in a cell."""
    if status is not None:
        return str(status)
    return _NONE if outcome is None else spoken(Translatable(outcome.sentence))


def _address(of: Callable[[BrokenLinkChange], str]) -> Callable[[BrokenLinkChange], str]:
    return lambda link: formatting.clean(display_url(of(link)))


_KIND: Final = QueryRowKind[BrokenLinkChange](
    columns=(
        ColumnSpec(
            "source",
            QT_TRANSLATE_NOOP("Column", "On page"),
            44,
            _address(lambda link: link.source),
            address=True,
            plain=lambda link: link.source,
        ),
        ColumnSpec(
            "target",
            QT_TRANSLATE_NOOP("Column", "Link to"),
            44,
            _address(lambda link: link.target),
            address=True,
            plain=lambda link: link.target,
        ),
        ColumnSpec(
            "change", QT_TRANSLATE_NOOP("Column", "Change"), 12, lambda link: move_name(link.move)
        ),
        ColumnSpec(
            "before",
            QT_TRANSLATE_NOOP("Column", "Before"),
            12,
            lambda link: response_text(link.before, link.before_status),
        ),
        ColumnSpec(
            "after",
            QT_TRANSLATE_NOOP("Column", "After"),
            12,
            lambda link: response_text(link.after, link.after_status),
        ),
    ),
    read=lambda rows, ids: rows.broken_links(ids),
    address=lambda link: link.source,
)
_CHANGE_COLUMN: Final = 2


class BrokenLinksModel(QueryModel):
    """Links; what has become of each has its colour."""

    def __init__(
        self, reader: BackgroundReader[ComparisonRows], parent: QObject | None = None
    ) -> None:
        super().__init__(reader, parent, _KIND, query=BrokenLinkQuery())

    def data(self, index: AnyIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - a Qt variant
        """A cell."""
        if role == FOREGROUND and index.column() == _CHANGE_COLUMN:
            link = self.record(index.row())
            return None if link is None else colour("error" if link.move.is_in else "ok")
        return super().data(index, role)


class BrokenLinksTable(ComparisonTable):
    """Shows a BrokenLinksModel."""

    def __init__(
        self, reader: BackgroundReader[ComparisonRows], parent: QWidget | None = None
    ) -> None:
        self._filter = BrokenLinkFilter()
        super().__init__(reader, BrokenLinksModel(reader), self.tr("Broken links"), parent)

    def show_links(self, filter_: BrokenLinkFilter) -> None:
        """Show the links that pass a filter."""
        self._filter = filter_
        self.ask()

    def ask(self) -> None:
        """Ask for the links that are wanted."""
        self.rows.ask(BrokenLinkQuery(self._filter, self.order()))


class BrokenLinksPane(QWidget):
    """Lists links to broken URLs that are on one side alone."""

    filtered = Signal()
    """Other links are shown."""

    def __init__(
        self, reader: BackgroundReader[ComparisonRows], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.change = QComboBox()
        self.change.setAccessibleName(self.tr("Change"))
        self.change.addItem(self.tr("Broken now, or no longer"), frozenset(FilterMove))
        self.change.addItem(self.tr("Broken now"), _BROKE)
        self.change.addItem(self.tr("No longer broken"), _MENDED)
        for move in _SINGLE:
            self.change.addItem(move_name(move), frozenset({move}))
        self.text = QLineEdit()
        self.text.setPlaceholderText(self.tr("Filter by address"))
        self.text.setAccessibleName(self.tr("Filter by address"))
        self.text.setClearButtonEnabled(True)
        self.text.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.text.setMaximumWidth(_FILTER_WIDTH)
        self.count = QLabel()
        self.count.setProperty("muted", True)
        self.table = BrokenLinksTable(reader)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._lay_out()
        self.change.currentIndexChanged.connect(self.read)
        self.text.textChanged.connect(lambda _: self._pause.start())
        self.text.returnPressed.connect(self.read)
        self._pause.timeout.connect(self.read)
        self.table.rows.updated.connect(self._show_count)
        self.table.said.connect(self.count.setText)
        name_inner(self)

    def show_moved(self, move: FilterMove | None) -> None:
        """Show the links of which this has become, or all that differ."""
        self.text.clear()
        wanted = frozenset(FilterMove) if move is None else frozenset({move})
        places = range(self.change.count())
        self.change.setCurrentIndex(
            next((place for place in places if self.change.itemData(place) == wanted), 0)
        )
        self.read()

    def read(self) -> None:
        """Show what passes the filter."""
        self._pause.stop()
        wanted = BrokenLinkFilter(self.change.currentData(), self.text.text().strip())
        is_filtered = wanted != BrokenLinkFilter()
        self.table.note.show_text(
            self.tr("No link passes this filter.")
            if is_filtered
            else self.tr("No link broke, and none was fixed.")
        )
        self.table.show_links(wanted)
        self.filtered.emit()

    def _show_count(self) -> None:
        self.count.setText(self.tr("%Ln link(s)", "", self.table.rows.rowCount()))

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(theme.SPACE_S, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
        bar.setSpacing(theme.SPACE_S)
        for part in (self.change, self.text):
            part.setMinimumHeight(CONTROL_HEIGHT)
        bar.addWidget(self.change)
        bar.addWidget(self.text, 2)
        bar.addStretch(1)
        bar.addWidget(self.count)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.table, 1)


_SINGLE: Final = (FilterMove.ADDED, FilterMove.NEW, FilterMove.REMOVED, FilterMove.MISSING)
