"""The table view of a query: column layout and sort order per tab, loading visible rows."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from PySide6.QtCore import (
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import QMenu, QWidget

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.project.reader_interfaces import Ids
from gossamer.gui.tables.marked_text import MarkedDelegate
from gossamer.gui.tables.query_table_model import MAX_FOLLOWED, QueryModel
from gossamer.gui.tables.row_kind import QueryRowKind
from gossamer.gui.tables.sort_header import SortHeader
from gossamer.gui.tables.table_columns import SPECS, ColumnSpec, column_sets
from gossamer.gui.tables.table_tabs import TABS, TabKey
from gossamer.gui.tables.table_view import TableView
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Column, Order

_SETTLE_MS: Final = 20
_TEXT: Final = 20
"""Columns as wide as this have texts."""
_ROOMY: Final = 34
"""The columns that a group's tab is about show at least this many characters."""
_LONGEST_HEADING: Final = 24
_MAX_OUTCOMES: Final = 50
"""Selected rows whose outcomes are checked whenever the selection changes, or rows do."""


class ColumnLayout(msgspec.Struct, frozen=True):
    """Columns as saved by a header, and the order of the rows."""

    header: bytes
    order: Order


class QueryTable(TableView):
    """Shows a QueryModel, reports the visible rows to it, and keeps the top row in place."""

    order_changed = Signal()

    _keeps_place: bool | None = None
    """Whether the visible rows stay as they are at the next layout; None: nothing has changed."""

    def __init__(self, model: QueryModel, tab: TabKey, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = model
        self._specs = model.kind.columns
        self._layouts: dict[TabKey, ColumnLayout] = {}
        self._tab = tab
        self._columns: Sequence[Column] | None = None
        self._anchor = QPersistentModelIndex()
        self.sort_header = SortHeader(self)
        self.setHorizontalHeader(self.sort_header)
        self.set_up_header()
        self._marked_delegate = MarkedDelegate(self)
        self.sort_header.hide()  # shown, it measures the headings of columns that will be hidden
        self.setModel(model)
        self.take_columns(self._specs, model.kind.filling)
        self.use_columns(tab)
        self.sort_header.show()
        self.sort_header.sort_changed.connect(self.order_changed)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self.report_visible_rows)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._settle.start())
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._settle.start())
        self.selectionModel().selectionChanged.connect(self._track_selection)
        model.modelReset.connect(self._report_no_selection)
        model.rowsInserted.connect(self._note_inserted_rows)
        model.dataChanged.connect(self._note_changed_cells)
        for signal in (model.rowsRemoved, model.layoutChanged, model.modelReset):
            signal.connect(self._note_moved_rows)
        model.rearranging.connect(self._remember_top_row)
        model.updated.connect(self._restore_top_row)

    # --------------------------------------------------------------- columns

    @property
    def tab(self) -> TabKey:
        """The tab whose columns it has."""
        return self._tab

    def take_columns(self, columns: Sequence[ColumnSpec], filling: int) -> None:
        """As in any table; texts with marks are painted with them."""
        super().take_columns(columns, filling)
        for i, spec in enumerate(columns):
            if spec.marks is not None:
                self.setItemDelegateForColumn(i, self._marked_delegate)

    def use_columns(self, tab: TabKey, columns: Sequence[Column] | None = None) -> None:
        """Arrange the columns as they were in this tab, or by default.

        With `columns`, show these, from left to right, whatever there was before.
        """
        self._tab, self._columns = tab, columns
        header = self.sort_header
        layout = self._layouts.get(tab) if columns is None else None
        with self.arranging():
            is_kept = layout is not None and self.restore_columns(layout.header)
            if layout is None or not is_kept or header.count() != len(self._specs):
                self.use_default_columns()
                return
            header.set_keys(self._keys(layout.order))
            self.setColumnHidden(0, False)
            self._apply_layout()

    def use_kind(self, kind: QueryRowKind[Any]) -> None:
        """Use the columns of another kind of the same records."""
        if self._columns is None:
            self.remember_columns()
        header = self.sort_header
        # A header without a model forgets which columns were hidden and moved: Qt confuses these
        # when columns go, and accepts no saved layout from then on.
        with self.arranging():
            header.setModel(None)
            self.rows.use_kind(kind)
            header.setModel(self.rows)
            self._specs = kind.columns
            self.take_columns(self._specs, kind.filling)
            header.unsortable = frozenset(
                i for i, spec in enumerate(self._specs) if not spec.is_sortable
            )
            self.use_columns(self._tab, self._columns)

    def use_default_columns(self) -> None:
        """Reset the columns of this tab, in order of discovery."""
        header, tab = self.sort_header, TABS[self._tab]
        shown = tab.columns if self._columns is None else self._columns
        # The tab of a view has its columns in the same places as any other.
        first = shown if self._columns is not None or tab.group is not None else ()
        places = {column: place for place, column in enumerate(first)}
        wanted = [places.get(spec.column or "", len(first)) for spec in self._specs]
        order = sorted(range(len(wanted)), key=wanted.__getitem__)
        widths = {characters: self.width_of(characters) for characters in self._characters()}
        for place, i in enumerate(order):
            spec = self._specs[i]
            if (at := header.visualIndex(i)) != place:
                header.moveSection(at, place)
            header.setSectionHidden(i, spec.column not in shown)
            roomy = place == 1 and bool(first) and spec.width >= _TEXT
            width = widths[max(spec.width, _ROOMY) if roomy else spec.width]
            needed = header.needed(i)
            if not spec.is_queried:  # headings of evidence may be long: elided, with a tooltip
                needed = min(needed, widths[_LONGEST_HEADING])
            header.resizeSection(i, max(width, needed))
        header.set_keys(())
        self._apply_layout()

    def _characters(self) -> set[int]:
        """The widths that columns may have at first, in characters."""
        own = {spec.width for spec in self._specs}
        return own | {max(width, _ROOMY) for width in own} | {_LONGEST_HEADING}

    def show_columns(self, columns: Collection[Column]) -> None:
        """Show these columns with their widths, order and sorting."""
        for i, spec in enumerate(self._specs):
            self.setColumnHidden(i, spec.column not in columns)
        self.fill(anew=True)

    def remember_columns(self) -> None:
        """Store the current columns as those of this tab."""
        if self._columns is not None:
            return
        self._layouts[self._tab] = ColumnLayout(self.save_columns(), self.order())

    def layouts(self) -> dict[TabKey, ColumnLayout]:
        """The stored columns of each tab."""
        return dict(self._layouts)

    def set_layouts(self, layouts: dict[TabKey, ColumnLayout]) -> None:
        """Columns to use from the next `use_columns` on."""
        self._layouts = dict(layouts)

    def reset_orders(self) -> None:
        """Show each tab in the order of discovery again."""
        self.sort_header.set_keys(())
        self._layouts = {
            tab: ColumnLayout(layout.header, Order()) for tab, layout in self._layouts.items()
        }

    def shown_columns(self) -> tuple[Column, ...]:
        """The visible columns, from left to right."""
        header = self.sort_header
        shown = (header.logicalIndex(place) for place in range(header.count()))
        columns = (self._specs[i].column for i in shown if not header.isSectionHidden(i))
        return tuple(column for column in columns if column is not None)

    def queried_columns(self) -> tuple[Column, ...]:
        """Those visible columns that queries know."""
        known = {spec.column for spec in self._specs if spec.is_queried}
        return tuple(column for column in self.shown_columns() if column in known)

    def order(self) -> Order:
        """The order that the header shows."""
        keys = [Order(self._specs[i].column, down) for i, down in self.sort_header.keys]
        if not keys:
            return Order()
        return Order(keys[0].column, keys[0].descending, tuple(keys[1:]))

    def set_order(self, order: Order) -> None:
        """Sort in this order; `order_changed` is not emitted."""
        self.sort_header.set_keys(self._keys(order))

    def add_layout_actions(self) -> None:
        """Offer what the header offers to the mouse in the context menu, and so on the keyboard."""
        for declared, add in ((ViewAction.SORT_BY, False), (ViewAction.THEN_SORT_BY, True)):
            add_view_action(self, declared, partial(self._sort_by_current, add=add))
        super().add_layout_actions()

    def fill_columns_menu(self, menu: QMenu) -> None:
        """Sets of columns, the choice of columns, and the reset to the usual ones."""
        every = {spec.column for spec in SPECS}
        extra = {spec.column for spec in self._specs if spec.column is not None}
        for name, of_set in column_sets():
            columns = of_set | extra if every <= of_set else of_set
            action = menu.addAction(name)
            action.triggered.connect(lambda _checked, some=columns: self.show_columns(some))
        menu.addSeparator()
        super().fill_columns_menu(menu)
        menu.addSeparator()
        usual = menu.addAction(self.tr("Reset columns"))
        usual.triggered.connect(self._reset)

    def _keys(self, order: Order) -> list[tuple[int, bool]]:
        kind = self.rows.kind
        known = {spec.column for spec in self._specs}
        return [
            (kind.index(key.column), key.descending)
            for key in order.keys
            if key.column is not None and key.column in known
        ]

    def _apply_layout(self) -> None:
        self.updateGeometries()
        self.fill(anew=True)
        self.sort_header.viewport().update()

    def _reset(self) -> None:
        self.use_default_columns()
        self.order_changed.emit()

    def _sort_by_current(self, *, add: bool) -> None:
        column = self.currentIndex().column()
        if column >= 0:
            self.sort_header.advance(column, add=add)

    # ------------------------------------------------------------- selection

    def selected_rows(self) -> Ids:
        """The ids of the selected rows, from top to bottom."""
        ids = self.rows.row_ids(0, -1)
        for part in self.selected_parts():
            ids += self.rows.row_ids(part.top(), part.bottom())
        return ids

    def selected_count(self) -> int:
        """How many rows are selected."""
        return sum(part.height() for part in self.selected_parts())

    def selected_url(self) -> int | None:
        """The URL of the current row, or of the first selected row if that is not selected."""
        row = self.currentIndex().row()
        parts = self.selected_parts()
        if parts and not any(part.top() <= row <= part.bottom() for part in parts):
            row = parts[0].top()
        return self.rows.url_id(row) if parts else None

    def selected_outcomes(self) -> list[Outcome]:
        """The outcomes of the selected URLs; none unless all are known."""
        if not self.rows.kind.is_of_urls or self.selected_count() > _MAX_OUTCOMES:
            return []
        rows = [n for part in self.selected_parts() for n in range(part.top(), part.bottom() + 1)]
        records = [self.rows.record(row) for row in rows]
        return [] if None in records else [record.outcome for record in records if record]

    def may_redirect(self) -> bool:
        """Whether the current row is, as far as is known, a URL that redirects."""
        record = self.rows.record(self.currentIndex().row())
        return record is None or record.redirect is not None

    def show_row(self, row: int) -> None:
        """Select a row and bring it into sight."""
        self.select_only(row)
        self.scrollTo(self.rows.index(row, 0))

    def _track_selection(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        del selected, deselected
        is_large = self.selected_count() > MAX_FOLLOWED
        self.rows.set_selected(None if is_large else self.selected_rows())

    def _report_no_selection(self) -> None:
        """A reset clears the selection without a signal: whatever follows it would not know."""
        self.selectionModel().selectionChanged.emit(QItemSelection(), QItemSelection())

    # ----------------------------------------------------------------- sight

    def report_visible_rows(self) -> None:
        """Report the visible rows to the model."""
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        self.rows.set_window(first, last if last >= 0 else self.rows.rowCount() - 1)

    def doItemsLayout(self) -> None:
        """Lay out the rows; if rows were only added below the visible ones, repaint none."""
        in_place, self._keeps_place = self._keeps_place, None
        if in_place:
            self.updateGeometries()
        else:
            super().doItemsLayout()

    def _note_inserted_rows(self, _parent: QModelIndex, first: int) -> None:
        last = self.rowAt(self.viewport().height() - 1)
        self._keeps_place = self._keeps_place is not False and 0 <= last < first

    def _note_changed_cells(self) -> None:
        """Until new rows are laid out, Qt leaves painting the changed cells to the layout."""
        if self._keeps_place:
            self._keeps_place = False

    def _note_moved_rows(self) -> None:
        self._keeps_place = False

    def _remember_top_row(self) -> None:
        """Keep the row at the top in its place; a table at its beginning stays there."""
        row = self.rowAt(0) if self.verticalScrollBar().value() else -1
        self._anchor = QPersistentModelIndex(self.rows.index(row, 0))

    def _restore_top_row(self) -> None:
        if self._anchor.isValid():
            self.verticalScrollBar().setValue(self._anchor.row())
        self._anchor = QPersistentModelIndex()
        self._settle.start()
