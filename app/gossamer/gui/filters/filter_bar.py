"""The bar above the table: tabs with live counts, the filters, and a chip for each active one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.filters.facet_menu import FilterMenu, facet_name, span_text, value_text
from gossamer.gui.filters.text_filter import TextFilter
from gossamer.gui.look.icons import icon
from gossamer.gui.look.outcome_style import label
from gossamer.gui.look.theme import SPACE_S, SPACE_XS
from gossamer.gui.tables.table_tabs import TABS
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled, listed
from gossamer.model.facets import (
    FACETS,
    FOLDER,
    FOUND_ON,
    TIME,
    choose,
    chosen,
    concerns,
    within,
)
from gossamer.model.number_format import MILLION
from gossamer.model.project_queries import Facet, Filter, Value, View

if TYPE_CHECKING:
    from gossamer.model.outcome import Outcome


from PySide6.QtWidgets import QFrame

from gossamer.gui.widgets.flow_layout import FlowLayout

_CROSS = QSize(12, 12)


class FilterChips(QWidget):
    """The active filters as chips, wrapped over several rows; hidden without filters."""

    removed = Signal(object)
    """The facet whose chip was taken away."""
    edited = Signal(object, object)
    """The facet whose chip was clicked, and the button that was."""
    cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts: dict[Facet, str] = {}
        self.chips: dict[Facet, QFrame] = {}
        self._flow = FlowLayout(self, SPACE_XS)
        self._flow.setContentsMargins(SPACE_S, 0, SPACE_S, SPACE_XS)
        self._all = QToolButton()
        self._all.setText(self.tr("Clear all"))
        self._all.setObjectName("clear-filters")
        self._all.setProperty("quiet", True)
        self._all.clicked.connect(self.cleared)
        self._flow.addWidget(self._all)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.hide()

    def show_filters(self, texts: Mapping[Facet, str]) -> None:
        """Show a chip for each facet with these words."""
        if dict(texts) == self._texts:
            return
        self._texts = dict(texts)
        for chip in self.chips.values():
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._flow.removeWidget(self._all)
        self.chips = {facet: self._chip(facet, text) for facet, text in texts.items()}
        for chip in self.chips.values():
            self._flow.addWidget(chip)
            chip.show()
        self._flow.addWidget(self._all)
        self._all.setVisible(len(self.chips) > 1)
        self.setVisible(bool(self.chips))
        self.updateGeometry()

    def _chip(self, facet: Facet, text: str) -> QFrame:
        chip = QFrame(self)
        chip.setProperty("chip", True)
        words = QToolButton()
        words.setText(text.replace("&", "&&"))
        words.setToolTip(self.tr("Change this filter"))
        words.setAccessibleName(self.tr("Change the filter {filter}").format(filter=text))
        words.clicked.connect(lambda: self.edited.emit(facet, words))
        cross = QToolButton()
        cross.setObjectName("chip-cross")
        cross.setIcon(icon("close"))
        cross.setIconSize(_CROSS)
        cross.setToolTip(self.tr("Remove this filter"))
        cross.setAccessibleName(self.tr("Remove the filter {filter}").format(filter=text))
        cross.clicked.connect(lambda: self.removed.emit(facet))
        for button in (words, cross):
            button.setProperty("quiet", True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        row = QHBoxLayout(chip)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(words)
        row.addWidget(cross)
        return chip


_SMALL_ICON: Final = QSize(14, 14)
_NAMED: Final = 3
"""Values of a facet that a chip names; of more it tells the number."""


class FilterBar(QWidget):
    """Selects the rows that the table shows. Emits `changed` when `view` or `filter_` may differ.

    `menu` offers facets: what it asks for has to be counted by whoever has a reader.
    """

    changed = Signal()
    columns_wanted = Signal(QPoint)
    """Where on the screen the choice of columns should open."""
    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views = list(View)
        self._counts: Mapping[View, int] = {}
        self._facets = Filter()
        self._skip_counts: Mapping[Outcome, int] = {}
        self._names_of: dict[tuple[Facet, int], str] = {}
        self._tooltips = {view: tab.tooltip for view, tab in TABS.items()}
        self.tabs = self._make_tabs()
        self.text = TextFilter()
        self.field = self.text.field
        self.menu = FilterMenu(self)
        self.chips = FilterChips()
        self._filter_button = QToolButton()
        self._columns_button = QToolButton()
        self._export_button = QToolButton()
        self._make_buttons()
        self.tabs.currentChanged.connect(lambda _: self._emit_changed())
        self.text.changed.connect(self._emit_changed)
        self.menu.picked.connect(self._choose)
        self.chips.removed.connect(lambda facet: self._choose(facet, frozenset()))
        self.chips.edited.connect(self._edit)
        self.chips.cleared.connect(self._clear_facets)
        self._lay_out()
        self._update_tabs()
        self._show_facets()

    @property
    def view(self) -> View:
        """The tab."""
        return self._views[self.tabs.currentIndex()]

    @property
    def filter_(self) -> Filter:
        """What field and chips say; what does not concern this tab is left out."""
        return replace(
            within(self._facets, self.view), text=self.text.text, expression=self.text.is_expression
        )

    def show_rows(self, view: View, filter_: Filter) -> None:
        """Turn to a tab and narrow its rows to these."""
        blocked = self.blockSignals(True)
        self.tabs.setCurrentIndex(self._views.index(view))
        self.text.show_text(filter_.text, expression=filter_.expression)
        self._facets = replace(filter_, text="", expression=False)
        self.blockSignals(blocked)
        self._emit_changed()

    def set_view(self, view: View) -> None:
        """Turn to a tab."""
        self.tabs.setCurrentIndex(self._views.index(view))

    def set_folder(self, folder_id: int | None, name: str = "") -> None:
        """Show only URLs in this folder and below; `name` is its address."""
        if folder_id is not None and name:
            self._names_of[FOLDER, folder_id] = name
        self._facets = replace(self._facets, folder=folder_id)
        self._emit_changed()

    def set_found_on(self, url_id: int) -> None:
        """Only URLs that were first found on this one."""
        self._facets = replace(self._facets, found_on=url_id)
        self._emit_changed()

    def name_value(self, facet: Facet, value: int, name: str) -> None:
        """Set the address of a folder or URL in a filter, for its chip."""
        self._names_of[facet, value] = name
        self._show_facets()

    def values_without_name(self) -> list[tuple[Facet, int]]:
        """The folder and URL in the filter whose addresses are not known."""
        values = (
            (FOLDER, self._facets.folder),
            (FOUND_ON, self._facets.found_on),
        )
        return [
            (facet, value)
            for facet, value in values
            if value is not None and (facet, value) not in self._names_of
        ]

    def forget_names(self) -> None:
        """Forget addresses: the ids of another project stand for others."""
        self._names_of.clear()

    def show_all(self) -> None:
        """Clear all filters."""
        self.show_rows(self.view, Filter())

    def set_counts(self, counts: Mapping[View, int]) -> None:
        """How many rows each view has; empty: not known."""
        self._counts = counts
        self._update_tabs()

    def show_skip_reasons(self, outcomes: Mapping[int, int]) -> None:
        """Show the reasons for skipping on the Skipped tab, most frequent first."""
        skipped = {o: outcomes[o] for o in View.SKIPPED.outcomes if outcomes.get(o)}
        if skipped != self._skip_counts:
            self._skip_counts = skipped
            counts = sorted(skipped.items(), key=lambda each: -each[1])
            lines = [f"{label(outcome)}: {formatting.number(count)}" for outcome, count in counts]
            self._tooltips[View.SKIPPED] = (self.tr("Known, but not requested:"), *lines)
            self._update_tabs()

    def focus_field(self) -> None:
        """Put the cursor into the filter field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _emit_changed(self) -> None:
        self._show_facets()
        self.changed.emit()

    def _choose(self, facet: Facet, values: frozenset[Value]) -> None:
        self._facets = choose(self._facets, facet, values)
        self._emit_changed()

    def _edit(self, facet: Facet, chip: QWidget) -> None:
        self.menu.menu_of(facet).popup(chip.mapToGlobal(chip.rect().bottomLeft()))

    def _clear_facets(self) -> None:
        self._facets = Filter()
        self._emit_changed()

    def _show_facets(self) -> None:
        shown = self.filter_
        texts = {facet: self._chip_text(shown, facet) for facet in FACETS if chosen(shown, facet)}
        self.chips.show_filters(texts)
        self.menu.set_facets(facet for facet in FACETS if concerns(facet, self.view))

    def _chip_text(self, filter_: Filter, facet: Facet) -> str:
        values = sorted(chosen(filter_, facet), key=str)
        if facet == TIME and filter_.time_ms is not None:
            words = span_text(*filter_.time_ms)
        elif len(values) > _NAMED:
            words = self.tr("%Ln value(s)", "", len(values))
        else:
            words = listed(self._value_text(facet, value) for value in values)
        return labelled(facet_name(facet), words)

    def _value_text(self, facet: Facet, value: Value) -> str:
        name = self._names_of.get((facet, value), "") if isinstance(value, int) else ""
        return value_text(facet, value, name)

    def _update_tabs(self) -> None:
        for i, view in enumerate(self._views):
            name = TABS[view].name
            count = self._counts.get(view)
            text = name if count is None else formatting.with_count(name, formatting.compact(count))
            if text != self.tabs.tabText(i):
                self.tabs.setTabText(i, text)
            self.tabs.setTabToolTip(i, self._tooltip(view))

    def _tooltip(self, view: View) -> str:
        """What a tab shows, and how many rows where its name has no room for all digits."""
        lines = self._tooltips[view]
        count = self._counts.get(view, 0)
        if count >= MILLION:
            lines = (*lines, self.tr("%Ln row(s)", "", count))
        return formatting.tooltip(*lines)

    def _make_tabs(self) -> QTabBar:
        tabs = QTabBar()
        tabs.setObjectName("views")
        tabs.setExpanding(False)
        tabs.setUsesScrollButtons(True)
        tabs.setElideMode(Qt.TextElideMode.ElideNone)
        tabs.setAccessibleName(self.tr("View"))
        for view in self._views:
            tabs.addTab(TABS[view].name)
        return tabs

    def _make_buttons(self) -> None:
        self._filter_button.setText(self.tr("Filter"))
        self._filter_button.setIcon(icon("filter"))
        self._filter_button.setToolTip(self.tr("Filter rows by status, type, depth and more"))
        self._filter_button.setMenu(self.menu)
        self._filter_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._filter_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._columns_button.setIcon(icon("columns"))
        self._columns_button.setToolTip(self.tr("Choose columns"))
        self._columns_button.setAccessibleName(self.tr("Choose columns"))
        self._columns_button.clicked.connect(self._request_columns)
        self._export_button.setIcon(icon("export", "muted"))
        self._export_button.setToolTip(self.tr("Export these rows (Ctrl+Shift+E)"))
        self._export_button.setAccessibleName(self.tr("Export these rows"))
        self._export_button.clicked.connect(self.export_wanted)
        for button in (self._filter_button, self._columns_button, self._export_button):
            button.setProperty("quiet", True)
            button.setIconSize(_SMALL_ICON)

    def _request_columns(self) -> None:
        self.columns_wanted.emit(
            self._columns_button.mapToGlobal(self._columns_button.rect().bottomLeft())
        )

    def _lay_out(self) -> None:
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.tabs.setSizePolicy(policy)
        tools = QHBoxLayout()
        tools.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)
        tools.setSpacing(SPACE_XS)
        tools.addWidget(self.text, 3)
        tools.addWidget(self._filter_button)
        tools.addWidget(self.text.error, 4)
        tools.addWidget(self._columns_button)
        tools.addWidget(self._export_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE_XS, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addLayout(tools)
        column.addWidget(self.chips)
