"""The bar above the table: the filters, and a chip for each active one; and the tabs' counts."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import SiteRule
from gossamer.gui.custom_definitions.definition_texts import custom_text
from gossamer.gui.filters.facet_menu import FilterMenu, facet_name, span_text, value_text
from gossamer.gui.filters.filter_chips import FilterChips
from gossamer.gui.filters.saved_filter_button import SavedFilterButton
from gossamer.gui.filters.tab_row import TabRow
from gossamer.gui.filters.text_filter import TextFilter
from gossamer.gui.issues.custom_definition_choice import CustomChoice
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.rule_choice import RuleChoice
from gossamer.gui.issues.segment_choice import SegmentChoice
from gossamer.gui.look.icons import icon
from gossamer.gui.look.outcome_style import label
from gossamer.gui.look.theme import SPACE_S, SPACE_XS
from gossamer.gui.tables.table_tabs import CUSTOM_TABS, ISSUES, TABS, TabKey, TableTab
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled, listed
from gossamer.model.facets import (
    CUSTOM,
    FACETS,
    FOLDER,
    FOUND_ON,
    IGNORED,
    ISSUE,
    SEGMENT,
    TIME,
    choose,
    chosen,
    concerns,
    within,
    without,
)
from gossamer.model.number_format import MILLION
from gossamer.model.project_queries import Facet, Filter, Value, View

if TYPE_CHECKING:
    from gossamer.model.outcome import Outcome

_SMALL_ICON: Final = QSize(14, 14)
_NAMED: Final = 3
"""Values of a facet that a chip names; of more it shows the number."""
_NO_RULE: Final = 0
"""The number of no rule: it holds for no URL."""


class FilterBar(QWidget):
    """Selects the rows that the table shows. Emits `changed` when `view` or `filter_` may differ.

    The owner lays out the `tab_row` as well. In the tab of a group one of its rules can be chosen,
    in the Issues tab any: the rows are the URLs that it holds for. The chosen segments limit the
    counts of issues too. `menu` offers facets: their values are counted by whoever has a reader.
    """

    changed = Signal()
    columns_wanted = Signal(QPoint)
    """Where on the screen the choice of columns should open."""
    export_wanted = Signal()

    def __init__(self, issues: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._issues = issues
        self._rules: dict[TabKey, int] = {}
        """The rule that is chosen in a tab."""
        self._ignored_rule: int | None = None
        """The rule for which the Issues tab shows the URLs where it is ignored."""
        self._counts: Mapping[View, int] = {}
        self._facets = Filter()
        self._skip_counts: Mapping[Outcome, int] = {}
        self._names_of: dict[tuple[Facet, int], str] = {}
        self._tooltips = {tab: declared.tooltip for tab, declared in TABS.items()}
        self.tab_row = TabRow()
        self.tabs = self.tab_row.tabs
        self.rule_choice = RuleChoice(issues)
        self.custom_choice = CustomChoice(issues)
        self.segment_choice = SegmentChoice(issues)
        self.text = TextFilter()
        self.field = self.text.field
        self.menu = FilterMenu(self)
        self.saved = SavedFilterButton()
        self.chips = FilterChips()
        self._filter_button = QToolButton()
        self._columns_button = QToolButton()
        self._export_button = QToolButton()
        self._make_buttons()
        self._connect()
        self._lay_out()
        self._update_tabs(TABS)
        self._show_facets()

    def _connect(self) -> None:
        self.tab_row.changed.connect(self._emit_changed)
        self.rule_choice.rule_chosen.connect(self.choose_rule)
        self.custom_choice.outcome_chosen.connect(
            lambda value: self._choose(CUSTOM, frozenset({value} if value else ()))
        )
        self._issues.changed.connect(self._follow_segments)
        self._issues.changed.connect(partial(self._update_tabs, [ISSUES]))
        self.text.changed.connect(self._emit_changed)
        self.menu.picked.connect(self._choose)
        self.chips.removed.connect(lambda facet: self._choose(facet, frozenset()))
        self.chips.edited.connect(self._edit)
        self.chips.cleared.connect(self._clear_facets)

    @property
    def tab(self) -> TabKey:
        """The front tab."""
        return self.tab_row.tab

    @property
    def rule(self) -> int | None:
        """The number of the rule that is chosen in this tab."""
        return self._rules.get(self.tab)

    def rule_in(self, tab: TabKey) -> SiteRule | None:
        """The rule that is chosen in a tab."""
        return RULES.get(self._rules.get(tab, _NO_RULE))

    @property
    def view(self) -> View:
        """The view that has the rows: a rule may hold for any URL."""
        return View.ALL if self.rule is not None else self._declared.view

    @property
    def filter_(self) -> Filter:
        """The filter from field and chips, without what does not concern this tab."""
        narrowed = self.text.narrowed(within(self._facets, self.view))
        if self.tab == ISSUES and self._ignored_rule is not None:
            return choose(narrowed, IGNORED, {self._ignored_rule})
        if self.tab == ISSUES:
            return choose(narrowed, ISSUE, {self.rule or _NO_RULE})
        if self.rule is not None:
            return choose(narrowed, ISSUE, {self.rule})
        if self._has_rules:
            narrowed = without(narrowed, ISSUE)
        for facet, values in self._declared.facets:
            if not narrowed.values(facet):
                narrowed = choose(narrowed, facet, values)
        return narrowed

    @property
    def is_filtered(self) -> bool:
        """Whether the user has narrowed the rows of the tab."""
        return bool(self.text.text) or self._facets != Filter() or self.rule is not None

    @property
    def _declared(self) -> TableTab:
        return TABS[self.tab]

    @property
    def _has_rules(self) -> bool:
        return self.tab == ISSUES or self._declared.group is not None

    @property
    def _segments(self) -> frozenset[str]:
        return frozenset(map(str, chosen(self._facets, SEGMENT)))

    def choose_rule(self, rule: int | None) -> None:
        """Choose a rule in this tab."""
        self._set_rule(self.tab, rule)
        self._emit_changed()

    def show_ignored(self, rule: int | None) -> None:
        """In the Issues tab, show URLs for which a rule is ignored; None: those it holds for."""
        self._ignored_rule = rule
        self._emit_changed()

    def show_rule(self, tab: TabKey, rule: int | None) -> None:
        """Switch to the tab of a group and choose one of its rules; see `show_counted`."""
        self._set_rule(tab, rule)
        self.show_counted(tab, Filter())

    def show_counted(self, tab: TabKey, filter_: Filter) -> None:
        """Switch to the rows of a count of issues: all filters except segments are cleared."""
        self.show_rows(tab, choose(filter_, SEGMENT, self._issues.segments))

    def show_rows(self, tab: TabKey, filter_: Filter) -> None:
        """Switch to a tab and narrow its rows to these."""
        blocked = self.blockSignals(True)
        self.tab_row.turn_to(tab)
        self.text.show_filter(filter_)
        self._facets = replace(filter_, text="", expression=False, search=None)
        self.blockSignals(blocked)
        self._emit_changed()

    def show_saved(self, tab: TabKey, filter_: Filter) -> None:
        """Switch to a tab with `filter_` as it was there, and the rule chosen in it."""
        declared = TABS[tab]
        if tab == ISSUES or declared.group is not None:
            rules = RULES.keys() & filter_.values(ISSUE)
            self._set_rule(tab, min(rules, default=None))
            filter_ = without(filter_, ISSUE)
        kept = tuple(each for each in filter_.facets if each not in declared.facets)
        self.show_rows(tab, replace(filter_, facets=kept))

    def set_view(self, tab: TabKey) -> None:
        """Switch to a tab."""
        self.tab_row.turn_to(tab)

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
        """The folder and URL in the filter whose addresses are unknown."""
        values = ((FOLDER, self._facets.folder), (FOUND_ON, self._facets.found_on))
        return [
            (facet, value)
            for facet, value in values
            if value is not None and (facet, value) not in self._names_of
        ]

    def forget_names(self) -> None:
        """Forget addresses, as ids of another project mean others; and the chosen rules."""
        self._names_of.clear()
        self._rules.clear()
        self._ignored_rule = None

    def show_all(self) -> None:
        """Clear all filters."""
        self.show_rows(self.tab, Filter())

    def set_counts(self, counts: Mapping[View, int]) -> None:
        """How many rows each view has; empty: unknown."""
        if counts.get(View.FORMER) and not self._counts.get(View.FORMER):
            self.tab_row.reveal([View.FORMER])  # few crawls have any
        before, self._counts = self._counts, counts
        self._update_tabs(view for view in View if before.get(view) != counts.get(view))

    def show_skip_reasons(self, outcomes: Mapping[int, int]) -> None:
        """Show the reasons for skipping on the Skipped tab, most frequent first."""
        skipped = {o: outcomes[o] for o in View.SKIPPED.outcomes if outcomes.get(o)}
        if skipped != self._skip_counts:
            self._skip_counts = skipped
            counts = sorted(skipped.items(), key=lambda each: -each[1])
            lines = [f"{label(outcome)}: {formatting.number(count)}" for outcome, count in counts]
            self._tooltips[View.SKIPPED] = (self.tr("Known, but not requested:"), *lines)
            self._update_tabs([View.SKIPPED])

    def focus_field(self) -> None:
        """Put the cursor into the filter field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _set_rule(self, tab: TabKey, rule: int | None) -> None:
        if rule is None:
            self._rules.pop(tab, None)
        else:
            self._rules[tab] = rule

    def _emit_changed(self) -> None:
        self._show_facets()
        self._issues.use_segments(self._segments)
        self.changed.emit()

    def _follow_segments(self) -> None:
        """Show the rows of the segments whose issues are counted."""
        if self._issues.segments != self._segments:
            self._choose(SEGMENT, frozenset(self._issues.segments))

    def _choose(self, facet: Facet, values: frozenset[Value]) -> None:
        self._facets = choose(self._facets, facet, values)
        self._emit_changed()

    def _edit(self, facet: Facet, chip: QWidget) -> None:
        self.menu.menu_of(facet).popup(chip.mapToGlobal(chip.rect().bottomLeft()))

    def _clear_facets(self) -> None:
        self._facets = Filter()
        self._emit_changed()

    def _show_facets(self) -> None:
        shown = within(self._facets, self.view)
        elsewhere = {ISSUE} if self._has_rules else set()  # there it is not a filter among others
        offered = [facet for facet in FACETS if facet not in elsewhere]
        texts = {
            facet: self._chip_text(shown, facet)
            for facet in offered
            if chosen(shown, facet) and facet != SEGMENT  # its own choice says that
        }
        self.chips.show_filters(texts)
        in_menu = (facet for facet in offered if facet != CUSTOM)  # its own tabs offer that
        self.menu.set_facets(facet for facet in in_menu if concerns(facet, self.view))
        self.rule_choice.show_group(self._declared.group, self.rule)
        self.segment_choice.offer(offered=self.tab != ISSUES)  # there it is above
        self.custom_choice.show_tab(self.tab, str(next(iter(shown.values(CUSTOM)), "")))

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
        if facet == CUSTOM:
            return custom_text(str(value), self._issues.settings)
        name = self._names_of.get((facet, value), "") if isinstance(value, int) else ""
        return value_text(facet, value, name)

    def _update_tabs(self, tabs: Iterable[TabKey]) -> None:
        """Show counts anew. Each text that changes has all tabs laid out again."""
        positions = self.tab_row.positions()
        for tab in tabs:
            i = positions[tab]
            name, count = TABS[tab].name, self._count(tab)
            text = name if count is None else formatting.with_count(name, formatting.compact(count))
            if text != self.tabs.tabText(i):
                self.tabs.setTabText(i, text)
            self.tabs.setTabToolTip(i, self._tooltip(tab))

    def _count(self, tab: TabKey) -> int | None:
        """Rows of a view, or issues; None if unknown, or not shown."""
        if tab == ISSUES:
            return len(self._issues.problems()) if self._issues.state is not None else None
        is_view = TABS[tab].group is None and tab not in CUSTOM_TABS
        return None if not is_view else self._counts.get(TABS[tab].view)

    def _tooltip(self, tab: TabKey) -> str:
        """What a tab shows, and how many rows if its name has no room for all digits."""
        lines = self._tooltips[tab]
        count = self._count(tab) or 0
        if count >= MILLION:
            lines = (*lines, self.tr("%Ln row(s)", "", count))
        return formatting.tooltip(*lines)

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
        tools = QHBoxLayout()
        tools.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)
        tools.setSpacing(SPACE_XS)
        tools.addWidget(self.rule_choice)
        tools.addWidget(self.custom_choice)
        tools.addWidget(self.segment_choice)
        tools.addWidget(self.text, 7)
        tools.addWidget(self._filter_button)
        tools.addWidget(self.saved)
        tools.addStretch(1)
        tools.addWidget(self._columns_button)
        tools.addWidget(self._export_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        column.addWidget(self.text.error)
        column.addWidget(self.chips)
