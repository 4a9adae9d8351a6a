"""The table of issues with their type, priority and number of URLs."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.rule_texts import (
    KIND_ICONS,
    PRIORITY_ROLES,
    full_rule_name,
    kind_name,
    priority_name,
    rule_tooltip,
)
from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import colour
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.item_roles import ACCESSIBLE, DECORATION, DISPLAY, FOREGROUND, TOOLTIP
from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.sort_header import SortHeader, SortKey
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_model import ROOT, AnyIndex, TableModel
from gossamer.gui.tables.table_view import TableView
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.model.series_contents import BETWEEN_NOTES

_PRIORITY_ORDER: Final = (RulePriority.HIGH, RulePriority.MEDIUM, RulePriority.LOW, None)
_KIND_ORDER: Final = tuple(RuleKind)


class IssueRow(NamedTuple):
    """A rule with `urls` URLs out of `total`, and the notes about it."""

    rule: SiteRule
    name: str
    urls: int
    total: int
    notes: str = ""

    @property
    def share(self) -> float:
        """The share from 0 to 1; 0 without a total."""
        return min(self.urls / self.total, 1.0) if self.total else 0.0


class IssueFilter(NamedTuple):
    """The filter of the issues; None lets all pass."""

    text: str = ""
    kind: RuleKind | None = None
    priority: RulePriority | None = None
    group: RuleGroup | None = None

    def lets_pass(self, row: IssueRow) -> bool:
        """Whether an issue passes the filter."""
        rule = row.rule
        return (
            self.text.casefold() in row.name.casefold()
            and self.kind in {None, rule.kind}
            and (self.priority is None or self.priority == rule.priority)
            and self.group in {None, rule.group}
        )


def _share_text(row: IssueRow) -> str:
    return formatting.share(min(row.urls, row.total), row.total) if row.total else ""


_COLUMNS: Final = (
    ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "Issue"), 53, lambda row: row.name),
    ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "Type"), 12, lambda row: kind_name(row.rule.kind)),
    ColumnSpec(
        None,
        QT_TRANSLATE_NOOP("Column", "Priority"),
        10,
        lambda row: priority_name(row.rule.priority),
    ),
    ColumnSpec(
        None,
        QT_TRANSLATE_NOOP("Column", "URLs"),
        9,
        lambda row: formatting.number(row.urls),
        numeric=True,
    ),
    ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "% of total"), 11, _share_text, numeric=True),
    ColumnSpec(
        None,
        QT_TRANSLATE_NOOP("Column", "Notes"),
        18,
        lambda row: formatting.clean(row.notes),
    ),
)
_NAME, _TYPE, _PRIORITY, _URLS, _SHARE, _NOTES = range(len(_COLUMNS))
_SORT_VALUES: Final[dict[int, Callable[[IssueRow], Any]]] = {
    _NAME: lambda row: row.name.casefold(),
    _TYPE: lambda row: _KIND_ORDER.index(row.rule.kind),
    _PRIORITY: lambda row: _PRIORITY_ORDER.index(row.rule.priority),
    _URLS: lambda row: row.urls,
    _SHARE: lambda row: row.share,
    _NOTES: lambda row: row.notes.casefold(),
}
USUAL_ORDER: Final[tuple[SortKey, ...]] = ((_PRIORITY, False), (_URLS, True))
"""Sorts by priority first."""
_OPTIONAL: Final = (_SHARE, _TYPE)
"""Columns hidden if there is no room for all; the icon beside a name shows the type."""


class IssueModel(TableModel[IssueRow]):
    """The issues that pass the filter, in the order of the header."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(RowKind(columns=_COLUMNS), parent)
        self._rows: list[IssueRow] = []

    def show(self, rows: list[IssueRow]) -> None:
        """Show these rows; if rules and order are the same, only cells change."""
        before, numbers = self._rows, [row.rule.number for row in rows]
        if [row.rule.number for row in before] == numbers:
            self._rows = rows
            changed = [n for n, row in enumerate(rows) if row != before[n]]
            if changed:
                last = self.columnCount() - 1
                self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], last))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rows(self) -> list[IssueRow]:
        """The issues from top to bottom."""
        return self._rows

    def record(self, row: int) -> IssueRow | None:
        """The issue in this row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: AnyIndex = ROOT) -> int:
        """How many issues are listed."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - a Qt variant
        """A cell; the name has the icon of its type, the priority a colour."""
        row, column = self.record(index.row()), index.column()
        if row is not None:
            if role == DECORATION and column == _NAME:
                return icon(KIND_ICONS[row.rule.kind])
            if role == DECORATION and column == _NOTES and row.notes:
                return icon("note")
            if role == FOREGROUND and column == _PRIORITY:
                return colour(PRIORITY_ROLES[row.rule.priority])
            if role == TOOLTIP and column == _NAME:
                kind = kind_name(row.rule.kind)
                return formatting.tooltip(f"{row.name} ({kind})", rule_tooltip(row.rule))
            if role == ACCESSIBLE and column == _NAME:
                return f"{row.name} ({kind_name(row.rule.kind)})"
        return super().data(index, role)


class IssueTable(TableView):
    """The issues of the project. `rule_chosen` carries the rule of the current row, or None."""

    rule_chosen = Signal(object)

    def __init__(self, counts: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self._filter = IssueFilter()
        self._rule: SiteRule | None = None
        self._wanted: SiteRule | None = None
        self._are_columns_chosen = False
        """Whether the user has chosen the columns."""
        self.rows = IssueModel(self)
        self.sort_header = SortHeader(self)
        self.setHorizontalHeader(self.sort_header)
        self.set_up_header()
        self.setModel(self.rows)
        self.set_columns(_COLUMNS, _NAME)
        self.sort_header.set_keys(USUAL_ORDER)
        self.sort_header.sort_changed.connect(self.show_counts)
        self.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self.setAccessibleName(self.tr("Issues"))
        self.note = EmptyStateLabel(self)
        self.selectionModel().currentRowChanged.connect(self._choose)

    @property
    def rule(self) -> SiteRule | None:
        """The rule of the chosen issue."""
        return self._rule

    @property
    def filter_(self) -> IssueFilter:
        """The filter of the listed issues."""
        return self._filter

    @property
    def segments(self) -> frozenset[str]:
        """The segments that counts are limited to, "" for URLs in none; empty for all URLs."""
        return self._counts.segments

    def set_filter(self, wanted: IssueFilter) -> None:
        """List only these issues."""
        self._filter = wanted
        self.show_counts()

    def show_counts(self) -> None:
        """List the current issues; the chosen one stays chosen."""
        top = self.verticalScrollBar().value()
        blocked = self.selectionModel().blockSignals(True)
        self.rows.show(self._sorted(filter(self._filter.lets_pass, self._issues())))
        self.selectionModel().blockSignals(blocked)
        chosen = self._row_of(self._rule)
        if self._rule is not None and self.currentIndex().row() != chosen >= 0:
            self.select_only(chosen)
        self.verticalScrollBar().setValue(top)
        if not self._are_columns_chosen:
            self._fit_columns()
            self.fill()

    def choose(self, rule: SiteRule) -> None:
        """Choose the issue of a rule, at once or when it is first listed."""
        row = self._row_of(rule)
        if self._rule is None:
            self._wanted = rule
        if row >= 0:
            self.select_only(row)
            self.scrollTo(self.rows.index(row, 0))

    def choose_first(self) -> None:
        """Choose the requested issue or the first, if none is chosen."""
        if self._rule is None and self.rows.rowCount():
            row = max(self._row_of(self._wanted), 0)
            self.select_only(row)
            self.scrollTo(self.rows.index(row, 0))

    def forget(self) -> None:
        """Clear the choice before another project is shown."""
        self._rule = self._wanted = None
        self.clearSelection()
        self.setCurrentIndex(QModelIndex())
        self.rule_chosen.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many columns as fit."""
        if not self._are_columns_chosen:
            self._fit_columns()
        super().resizeEvent(event)

    def _fit_columns(self) -> None:
        noted = any(row.notes for row in self.rows.rows())
        self.setColumnHidden(_NOTES, not noted)
        shown = _COLUMNS if noted else _COLUMNS[:_NOTES]
        widths = [self.usual_width(i, spec.width) for i, spec in enumerate(shown)]
        wanted = sum(widths)
        for column in _OPTIONAL:
            is_hidden = wanted > self.viewport().width()
            self.setColumnHidden(column, is_hidden)
            if is_hidden:
                wanted -= widths[column]

    def _show_column(self, column: int, shown: bool) -> None:  # noqa: FBT001 - a signal's argument
        self._are_columns_chosen = True
        super()._show_column(column, shown)

    def _issues(self) -> Iterable[IssueRow]:
        counts = self._counts
        for number, urls in counts.urls.items():
            rule = RULES.get(number)
            if rule is not None and urls:
                name = full_rule_name(rule, counts.settings)
                notes = BETWEEN_NOTES.join(each.text for each in counts.notes_on(rule))
                yield IssueRow(rule, name, urls, counts.total(rule), notes)

    def _sorted(self, rows: Iterable[IssueRow]) -> list[IssueRow]:
        """Sort by the header, then in the order of the catalogue."""
        positions = {number: position for position, number in enumerate(RULES)}
        found = sorted(rows, key=lambda row: positions[row.rule.number])
        for column, descending in reversed(self.sort_header.keys):
            found.sort(key=_SORT_VALUES[column], reverse=descending)
        return found

    def _row_of(self, rule: SiteRule | None) -> int:
        rows = self.rows.rows()
        return next((n for n, row in enumerate(rows) if row.rule is rule), -1)

    def _choose(self, current: QModelIndex) -> None:
        row = self.rows.record(current.row())
        if row is not None and row.rule is not self._rule:
            self._rule = row.rule
            self.rule_chosen.emit(row.rule)
