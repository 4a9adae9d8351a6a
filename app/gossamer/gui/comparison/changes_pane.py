"""The pages that differ: a filter above, the table, and the details of the chosen page below."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.comparison.change_texts import change_name, field_name, move_name
from gossamer.gui.comparison.changes_table import ChangesTable
from gossamer.gui.comparison.comparison_interfaces import ComparisonRows
from gossamer.gui.comparison.filter_names import filter_name
from gossamer.gui.comparison.page_changes_view import PageChangesView
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.project.reader_thread import BackgroundReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled
from gossamer.gui.widgets.labels import name_inner
from gossamer.model.comparison_results import ComparisonFilter, FilterCounts, FilterMove, PageChange

if TYPE_CHECKING:
    from gossamer.model.project_queries import Facet, Value

_EVERYTHING: Final = ComparisonFilter()
_CHANGES: Final = (PageChange.NEW, PageChange.MISSING, PageChange.CHANGED)
_CROSS: Final = QSize(12, 12)
_PAUSE_MS: Final = 150
_SHARES: Final = (5, 4)
_FILTER_WIDTH: Final = 280


class ChangesPane(QWidget):
    """Lists pages: of those that pass `narrowest`, which is not the user's to change."""

    filtered = Signal()
    """Other pages are shown."""

    def __init__(
        self,
        reader: BackgroundReader[ComparisonRows],
        narrowest: ComparisonFilter = _EVERYTHING,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._narrowest = narrowest
        self._moved: tuple[Facet, Value, FilterMove | None] | None = None
        self.change = QComboBox()
        self.change.setAccessibleName(self.tr("Change"))
        self.field = QComboBox()
        self.field.setAccessibleName(self.tr("Field"))
        self.text = QLineEdit()
        self.text.setPlaceholderText(self.tr("Filter by address or value"))
        self.text.setAccessibleName(self.tr("Filter by address or value"))
        self.text.setClearButtonEnabled(True)
        self.text.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.text.setMaximumWidth(_FILTER_WIDTH)
        self.chip = QFrame()
        self.chip.setProperty("chip", True)
        self.chip_words = QLabel()
        self.chip_words.setTextFormat(Qt.TextFormat.PlainText)
        self.count = QLabel()
        self.count.setProperty("muted", True)
        self.table = ChangesTable(reader, narrowest)
        self.details = PageChangesView()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._fill_changes()
        self.show_fields({})
        self._lay_out()
        self.change.currentIndexChanged.connect(self._show)
        self.field.currentIndexChanged.connect(self._show)
        self.text.textChanged.connect(lambda _: self._pause.start())
        self.text.returnPressed.connect(self._show)
        self._pause.timeout.connect(self._show)
        self.table.page_chosen.connect(self.details.show_page)
        self.table.rows.updated.connect(self._show_count)
        self.table.said.connect(self.count.setText)
        for box in (self.change, self.field):
            box.setVisible(narrowest == _EVERYTHING)
        name_inner(self)

    def show_fields(self, fields: Mapping[str, int]) -> None:
        """Offer the fields that were compared, with how many pages each has changed of."""
        self.field.blockSignals(True)
        self.field.clear()
        self.field.addItem(self.tr("All fields and issues"), "")
        for name, pages in sorted(fields.items(), key=lambda each: -each[1]):
            if pages:
                words = formatting.with_count(field_name(name), formatting.number(pages))
                self.field.addItem(words, name)
        self.field.blockSignals(False)

    def read(self) -> None:
        """Show what passes the filter."""
        self._show()

    def show_change(self, change: PageChange | None) -> None:
        """Show all pages with this change, or all that differ."""
        self._reset()
        self._moved = None
        self._choose(self.change, change)
        self._show()

    def show_field(self, field: str) -> None:
        """Show the pages of which a field has changed."""
        self._reset()
        self._moved = None
        self._choose(self.field, field)
        self._show()

    def show_moved(self, counts: FilterCounts, move: FilterMove | None) -> None:
        """Show the pages that have moved into a filter or out of it, in this way or in any."""
        self._reset()
        self._moved = (counts.section, counts.value, move)
        words = filter_name(counts)
        if move is not None:
            words = labelled(words, move_name(move))
        self.chip_words.setText(words)
        self._show()

    def _show(self) -> None:
        self._pause.stop()
        change = self.change.currentData()
        narrowest = self._narrowest
        chosen = replace(
            narrowest,
            field=narrowest.field or self.field.currentData() or "",
            moved=self._moved,
            text=self.text.text().strip(),
        )
        if change is not None:
            chosen = replace(chosen, changes=frozenset({change}))
        self.chip.setVisible(self._moved is not None)
        # A move says how pages differ.
        self.change.setEnabled(self._moved is None)
        is_filtered = chosen != narrowest
        self.table.note.show_text(
            self.tr("No page passes this filter.") if is_filtered else self.tr("Nothing differs.")
        )
        self.table.show_pages(chosen)
        self.filtered.emit()

    def _show_count(self) -> None:
        rows = self.table.rows.rowCount()
        self.count.setText(self.tr("%Ln URL(s)", "", rows))

    def _fill_changes(self) -> None:
        self.change.addItem(self.tr("All changes"), None)
        for change in _CHANGES:
            self.change.addItem(change_name(change), change)

    def _reset(self) -> None:
        self._choose(self.change, None)
        self._choose(self.field, "")
        self.text.blockSignals(True)
        self.text.clear()
        self.text.blockSignals(False)

    def _choose(self, box: QComboBox, value: object) -> None:
        box.blockSignals(True)
        box.setCurrentIndex(next((i for i in range(box.count()) if box.itemData(i) == value), 0))
        box.blockSignals(False)

    def _drop_move(self) -> None:
        self._moved = None
        self._show()

    def _lay_out(self) -> None:
        cross = QToolButton()
        cross.setObjectName("chip-cross")
        cross.setIcon(icon("close"))
        cross.setIconSize(_CROSS)
        cross.setProperty("quiet", True)
        cross.setToolTip(self.tr("Remove this filter"))
        cross.setAccessibleName(self.tr("Remove this filter"))
        cross.clicked.connect(self._drop_move)
        self.cross = cross
        chip = QHBoxLayout(self.chip)
        chip.setContentsMargins(theme.SPACE_S, 0, 0, 0)
        chip.setSpacing(0)
        chip.addWidget(self.chip_words)
        chip.addWidget(cross)
        bar = QHBoxLayout()
        bar.setContentsMargins(theme.SPACE_S, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
        bar.setSpacing(theme.SPACE_S)
        for field in (self.change, self.field, self.text):
            field.setMinimumHeight(CONTROL_HEIGHT)
        self.chip_words.setMinimumWidth(1)
        bar.addWidget(self.change)
        bar.addWidget(self.field)
        bar.addWidget(self.text, 2)
        bar.addWidget(self.chip)
        bar.addStretch(1)
        bar.addWidget(self.count)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self.details)
        for place, share in enumerate(_SHARES):
            split.setStretchFactor(place, share)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(split, 1)
