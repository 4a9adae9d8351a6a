"""The tree of filters and issues with their counts before and after; numbers lead to the pages."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeWidgetItem, QWidget

from gossamer.export.comparison_issues import IssueTrend
from gossamer.gui.comparison.change_texts import move_name
from gossamer.gui.comparison.filter_names import (
    filter_name,
    priority_place,
    rule_of,
    section_name,
    trend,
    urgency,
)
from gossamer.gui.issues.rule_texts import (
    KIND_ICONS,
    PRIORITY_ROLES,
    kind_name,
    priority_name,
    rule_tooltip,
)
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.tables.item_roles import ACCESSIBLE, RIGHT
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import listed, spoken
from gossamer.model.comparison_filter_names import SECTION_NAMES
from gossamer.model.comparison_filters import ISSUE_SECTION, SCOPE, VIEW
from gossamer.model.comparison_results import FilterCounts, FilterMove
from gossamer.model.project_queries import Facet
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.translatable import Translatable

_tr = translator("FilterCounts")
_NAME, _PRIORITY, _BEFORE, _AFTER, _CHANGE, _FIRST_MOVE = range(6)
_MOVES: Final = tuple(FilterMove)
_SHARES: Final = (0.37, 0.07, *(0.062,) * 8)
_SHARES_WITH_UNKNOWN: Final = (0.25, 0.07, *(0.058,) * 9, 0.07)
_LAST: Final = _FIRST_MOVE + len(_MOVES) - 1
_LEAST: Final = {_NAME: 30, _PRIORITY: 8, **dict.fromkeys(range(_BEFORE, _LAST), 7)}
"""Characters that have room in a column."""
_NONE: Final = "\N{EN DASH}"
_COUNTS: Final = int(Qt.ItemDataRole.UserRole)
_TRENDS: Final[dict[IssueTrend, theme.Role]] = {
    IssueTrend.WORSE: "error",
    IssueTrend.BETTER: "ok",
}


class FilterCountsTree(ValueTree):
    """What got worse comes first, section by section.

    `pages_wanted` carries section, value and FilterMove (None for any) of a number that was
    clicked, or entered by key.
    """

    pages_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = [
            self.tr("Filter or issue"),
            self.tr("Priority"),
            self.tr("Before"),
            self.tr("After"),
            self.tr("Change"),
            *map(move_name, _MOVES),
        ]
        super().__init__(self.tr("Filters and issues"), columns, _SHARES, parent=parent)
        self.least = _LEAST
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None
        header = self.header()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(False)
        header.setSortIndicatorClearable(True)
        header.sectionClicked.connect(self._sort_by)
        for column in range(_BEFORE, len(columns)):
            self.headerItem().setTextAlignment(column, Qt.AlignmentFlag(RIGHT))
        explained = {
            FilterMove.ADDED: self.tr("Page was there before, and has moved into the filter"),
            FilterMove.NEW: self.tr("Page is new, and in the filter"),
            FilterMove.BEGAN: self.tr("Page is indexable now, so that the issue applies to it"),
            FilterMove.REMOVED: self.tr("Page is still there, but no longer in the filter"),
            FilterMove.MISSING: self.tr("Page was in the filter, and is gone"),
            FilterMove.ENDED: self.tr(
                "Page is no longer indexable, so that the issue does not apply to it"
            ),
            FilterMove.UNKNOWN: self.tr(
                "Page had the issue; nothing that can be compared shows whether it still has it"
            ),
            FilterMove.UNKNOWN_BEFORE: self.tr(
                "Page has the issue; nothing that can be compared shows whether it had it before"
            ),
        }
        for move, words in explained.items():
            self.headerItem().setToolTip(_FIRST_MOVE + move - 1, formatting.tooltip(words))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setMouseTracking(True)
        self._all: Sequence[FilterCounts] = ()
        self._only_changed = True
        self._text = ""
        self._settings = DEFAULTS
        self._pressed = QPersistentModelIndex()

    def show_counts(self, counts: Sequence[FilterCounts], settings: CrawlSettings) -> None:
        """Show these filters and issues, with the thresholds of `settings` in their names."""
        self._all, self._settings = counts, settings
        has_unknown = any(each.has_unknown for each in counts)
        for place, move in enumerate(_MOVES, _FIRST_MOVE):
            self.setColumnHidden(place, not (move.is_known or has_unknown))
        self.share_out(_SHARES_WITH_UNKNOWN if has_unknown else _SHARES)
        self._list()

    def set_filter(self, text: str, *, only_changed: bool) -> None:
        """Show only those with a text in their name, and of them all, or those that changed."""
        self._text, self._only_changed = text.strip().casefold(), only_changed
        self._list()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in a number leads to its pages."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._want(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click, or the selection of several numbers, begins."""
        super().mousePressEvent(event)
        self._pressed = QPersistentModelIndex(self.indexAt(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """So does a click, which ends where it began."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        is_click = event.button() is Qt.MouseButton.LeftButton and index == self._pressed
        if is_click and not event.modifiers():
            self._want(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what can be clicked."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        leads = self._target(index) is not None
        shape = Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def _want(self, index: QModelIndex) -> None:
        target = self._target(index)
        if target is not None:
            self.pages_wanted.emit(target)

    def _target(
        self, index: QModelIndex | QPersistentModelIndex
    ) -> tuple[Facet, int | str, FilterMove | None] | None:
        """What the number in a cell counts; None if there is none, or it is 0."""
        item = self.itemFromIndex(index) if index.isValid() else None
        counts = None if item is None else item.data(_NAME, _COUNTS)
        if not isinstance(counts, FilterCounts) or index.column() < _CHANGE:
            return None
        if index.column() == _CHANGE:
            return (counts.section, counts.value, None) if counts.is_changed else None
        move = _MOVES[index.column() - _FIRST_MOVE]
        return (counts.section, counts.value, move) if counts.of(move) else None

    def _list(self) -> None:
        opened = {
            item.data(_NAME, _COUNTS): item.isExpanded()
            for item in map(self.topLevelItem, range(self.topLevelItemCount()))
            if item is not None
        }
        self.clear()
        listed_ = [each for each in self._all if self._passes(each)]
        for group in _GROUPS:
            found = [each for each in listed_ if group.has(each)]
            if not found:
                continue
            self._sort(found, group)
            head = QTreeWidgetItem(self, [_head(group, len(found))])
            head.setFirstColumnSpanned(True)
            head.setData(_NAME, _COUNTS, group.name)
            font = head.font(_NAME)
            font.setBold(True)
            head.setFont(_NAME, font)
            head.addChildren([self._row(each) for each in found])
            head.setExpanded(opened.get(group.name, group.is_open))

    def _sort_by(self, column: int) -> None:
        """Sort each group by a column; by the same one again the other way, then as at first."""
        falling, rising = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
        first = rising if column <= _PRIORITY else falling
        last = falling if first is rising else rising
        following = {(column, first): (column, last), (column, last): None}
        now = self._sorted_by
        self._sorted_by = (column, first) if now is None else following.get(now, (column, first))
        self.header().setSortIndicatorShown(self._sorted_by is not None)
        if self._sorted_by is not None:
            self.header().setSortIndicator(*self._sorted_by)
        self._list()

    def _sort(self, found: list[FilterCounts], group: "_Group") -> None:
        """What is worst comes first, unless somebody asked for another order."""
        if not group.is_in_order:
            found.sort(key=urgency)
        if self._sorted_by is not None:
            column, order = self._sorted_by
            is_falling = order is Qt.SortOrder.DescendingOrder
            found.sort(key=lambda each: self._sort_key(each, column), reverse=is_falling)

    def _sort_key(self, counts: FilterCounts, column: int) -> int | str:
        if column == _NAME:
            return filter_name(counts, self._settings).casefold()
        if column == _PRIORITY:
            return priority_place(counts)
        numbers = (counts.before, counts.after, counts.after - counts.before, *counts.moves)
        return numbers[column - _BEFORE]

    def _passes(self, counts: FilterCounts) -> bool:
        if self._only_changed and not counts.is_changed:
            return False
        return self._text in filter_name(counts, self._settings).casefold()

    def _row(self, counts: FilterCounts) -> QTreeWidgetItem:
        row = QTreeWidgetItem([filter_name(counts, self._settings)])
        row.setData(_NAME, _COUNTS, counts)
        rule = rule_of(counts)
        if rule is not None:
            row.setIcon(_NAME, icon(KIND_ICONS[rule.kind]))
            row.setToolTip(_NAME, rule_tooltip(rule))
            words = (row.text(_NAME), kind_name(rule.kind), priority_name(rule.priority))
            row.setData(_NAME, ACCESSIBLE, listed(words))
            row.setText(_PRIORITY, priority_name(rule.priority))
            row.setForeground(_PRIORITY, theme.colour(PRIORITY_ROLES[rule.priority]))
        row.setText(_BEFORE, formatting.number(counts.before))
        row.setText(_AFTER, formatting.number(counts.after))
        self._show_change(row, counts)
        for place, move in enumerate(_MOVES, _FIRST_MOVE):
            number = counts.of(move)
            row.setText(place, formatting.number(number) if number else _NONE)
            row.setForeground(place, theme.colour("accent" if number else "muted"))
        for column in range(_BEFORE, self.columnCount()):
            row.setTextAlignment(column, Qt.AlignmentFlag(RIGHT))
        return row

    def _show_change(self, row: QTreeWidgetItem, counts: FilterCounts) -> None:
        """The difference with its sign; an arrow and a word say the same as the colour."""
        way = trend(counts)
        usual: theme.Role = "accent" if counts.is_changed else "muted"
        role = usual if way is None else _TRENDS.get(way, usual)
        row.setForeground(_CHANGE, theme.colour(role))
        text = change_text(counts)
        row.setText(_CHANGE, text)
        names = {IssueTrend.WORSE: self.tr("worse"), IssueTrend.BETTER: self.tr("better")}
        words = "" if way is None else names.get(way, "")
        if words:
            row.setToolTip(_CHANGE, formatting.tooltip(words))
            row.setData(_CHANGE, ACCESSIBLE, listed((text, words)))


def _head(group: "_Group", rows: int) -> str:
    if group.section != ISSUE_SECTION:
        name = section_name(group.section)
    elif group.trend is None:
        name = _tr("Issues that did not change")
    else:
        name = spoken(Translatable(group.trend))
    return f"{name} ({formatting.number(rows)})"


class _Group(NamedTuple):
    """Rows below one heading: those of a section, of issues those of one trend."""

    section: Facet
    trend: IssueTrend | None = None
    is_in_order: bool = False
    """Whether the values have an order of their own."""
    is_open: bool = True

    @property
    def name(self) -> str:
        """What distinguishes it from the others."""
        return f"{self.section} {self.trend}"

    def has(self, counts: FilterCounts) -> bool:
        """Whether that is one of its rows."""
        if counts.section != self.section:
            return False
        return self.section != ISSUE_SECTION or trend(counts) == self.trend


_SORTED: Final = frozenset({VIEW, SCOPE})
_GROUPS: Final = (
    *(_Group(ISSUE_SECTION, each, is_open=each is not IssueTrend.COUNTED) for each in IssueTrend),
    *(
        _Group(section, is_in_order=section not in _SORTED, is_open=section in _SORTED)
        for section in SECTION_NAMES
    ),
    _Group(ISSUE_SECTION, is_open=False),
)
"""Issues first, by what has become of them; those that did not change last."""


def change_text(counts: FilterCounts) -> str:
    """By how many URLs a filter has grown, such as "+12"; "±0" where as many came as left."""
    difference = counts.after - counts.before
    if not counts.is_changed:
        return _NONE
    if not difference:
        return "\N{PLUS-MINUS SIGN}0"
    sign = "+" if difference > 0 else "\N{MINUS SIGN}"
    return f"{sign}{formatting.number(abs(difference))}"
