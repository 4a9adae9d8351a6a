"""The tree of URLs by content, of rule groups and of their rules, with live counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent, QIcon, QShowEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTreeView, QWidget

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.gui.custom_definitions.definition_texts import custom_text, outcomes_of
from gossamer.gui.issues.issue_counts import COUNTED_VIEWS, IssueCounts
from gossamer.gui.issues.rule_texts import KIND_ICONS, group_name, rule_name, rule_tooltip
from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import SPACE_S, colour, tabular
from gossamer.gui.tables.table_tabs import CUSTOM_TABS, TABS, TabKey
from gossamer.gui.tables.table_view import PaddedDelegate
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.comparison_filter_names import CONTENT_KIND_NAMES
from gossamer.model.content_types import ContentKind
from gossamer.model.custom_definitions import CustomCounts, CustomDefinition, outcome_and_number
from gossamer.model.facets import CONTENT_KIND, CUSTOM
from gossamer.model.project_queries import Facet, Filter, View, facet_values
from gossamer.model.series_contents import NoteSubject
from gossamer.model.translatable import Translatable

_TARGET: Final = Qt.ItemDataRole.UserRole + 1
_COUNT_WIDTH: Final = 10


def decided_rules(group: RuleGroup) -> list[SiteRule]:
    """The rules of a group, in order."""
    return [rule for rule in RULES.values() if rule.group is group]


@dataclass(frozen=True, slots=True)
class CountedRows:
    """The rows of a tab that are counted: all, or those with a value of a facet."""

    tab: TabKey
    facet: Facet = CUSTOM
    value: str = ""

    @property
    def filter_(self) -> Filter:
        """The filter of the rows of the tab."""
        values = {self.value} if self.value else set[str]()
        return Filter(facets=facet_values(**{self.facet: values}))


class RuleTree(QTreeView):
    """Groups with their rules and the number of URLs of each rule.

    Before them are internal and external URLs by kind of content, after them custom definitions.
    `target_wanted` carries the clicked group, rule or `CountedRows`. Those without URLs are grey.
    The rows are made when the tree is first shown; while it is hidden, it is not updated.
    """

    target_wanted = Signal(object)

    def __init__(self, counts: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self._model = QStandardItemModel(0, 2, self)
        self._items: dict[SiteRule, tuple[QStandardItem, QStandardItem]] = {}
        self._groups: dict[RuleGroup, tuple[QStandardItem, QStandardItem]] = {}
        self._content: dict[CountedRows, tuple[QStandardItem, QStandardItem]] = {}
        self._custom: dict[CountedRows, tuple[QStandardItem, QStandardItem]] = {}
        self._definitions: tuple[CustomDefinition, ...] = ()
        self.setModel(self._model)
        self.setAccessibleName(self.tr("Issues by group"))
        self.setHeaderHidden(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setItemDelegate(PaddedDelegate(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFont(tabular(self.font()))
        self.setIndentation(SPACE_S * 2)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, self.fontMetrics().averageCharWidth() * _COUNT_WIDTH)
        counts.changed.connect(self._show_counts)
        self.clicked.connect(self._emit_target)
        self.activated.connect(self._emit_target)

    def index_of(self, target: RuleGroup | SiteRule | CountedRows) -> QModelIndex:
        """The index of a group, a rule, or internal or external URLs."""
        self._fill()
        if isinstance(target, CountedRows):
            return self._content[target][0].index()
        found = self._items[target] if isinstance(target, SiteRule) else self._groups[target]
        return found[0].index()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the current counts."""
        super().showEvent(event)
        self._counts.want_content(wanted=True)
        if self._groups:
            self._write()
        else:
            self._fill()

    def hideEvent(self, event: QHideEvent) -> None:
        """Have nothing counted that is shown here alone."""
        super().hideEvent(event)
        self._counts.want_content(wanted=False)

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._groups:
            self._write()

    def _fill(self) -> None:
        if not self._groups:
            for view in COUNTED_VIEWS:
                kinds = [CountedRows(view, CONTENT_KIND, kind) for kind in ContentKind]
                self._content |= self._add_counted(CountedRows(view, CONTENT_KIND), kinds)
            for group in RuleGroup:
                self._add_group(group)
            self._write()

    def _add_group(self, group: RuleGroup) -> None:
        top = (_item(group), _item(group))
        top[1].setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        top[1].setToolTip(formatting.tooltip(self.tr("Rules with URLs / all rules")))
        self._groups[group] = top
        for rule in decided_rules(group):
            row = (_item(rule), _item(rule))
            row[0].setToolTip(formatting.tooltip(rule_tooltip(rule)))
            row[1].setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            top[0].appendRow(list(row))
            self._items[rule] = row
        self._model.appendRow(list(top))

    def _show_counts(self) -> None:
        if self.isVisible():
            self._write()

    def _write(self) -> None:
        self._write_content()
        counts, settings = self._counts.urls, self._counts.settings
        noted = {note.about for note in self._counts.notes if note.subject is NoteSubject.ISSUE}
        held: dict[RuleGroup, list[bool]] = {group: [] for group in RuleGroup}
        for rule, row in self._items.items():
            urls = counts.get(rule.number, 0)
            _show(row, rule_name(rule, settings), formatting.number(urls), found=urls > 0)
            _show_note(row[1], is_noted=str(rule.number) in noted)
            held[rule.group].append(urls > 0)
        for group, row in self._groups.items():
            rules = held[group]
            _show(row, group_name(group), f"{sum(rules)} / {len(rules)}", found=any(rules))

        self._write_custom()

    def _write_content(self) -> None:
        """Show internal and external URLs above the groups of rules."""
        for target, row in self._content.items():
            counts = self._counts.content.get(View(target.tab), {})
            if not target.value:
                urls, name = sum(counts.values()), TABS[target.tab].name
            else:
                kind = ContentKind(target.value)
                urls, name = counts.get(kind, 0), spoken(Translatable(CONTENT_KIND_NAMES[kind]))
            _show(row, name, formatting.number(urls), found=urls > 0)

    def _write_custom(self) -> None:
        """Show custom searches and extractions of the crawl below the groups of rules."""
        definitions = self._counts.settings.definitions
        if definitions != self._definitions:
            self._definitions = definitions
            self._custom.clear()
            self._model.setRowCount(len(COUNTED_VIEWS) + len(self._groups))
            for tab, kind in CUSTOM_TABS.items():
                self._add_custom(tab, [each for each in definitions if isinstance(each, kind)])
        for target, row in self._custom.items():
            if not target.value:
                _show(row, TABS[target.tab].name, formatting.number(row[0].rowCount()), found=True)
                continue
            outcome, number = outcome_and_number(target.value)
            pages = self._counts.custom.get(number, CustomCounts()).of(outcome)
            name = custom_text(target.value, self._counts.settings)
            _show(row, name, formatting.number(pages), found=pages > 0)

    def _add_custom(self, tab: TabKey, definitions: list[CustomDefinition]) -> None:
        if definitions:
            first = [outcomes_of(each)[0].facet_value(each.number) for each in definitions]
            rows = [CountedRows(tab, CUSTOM, value) for value in dict.fromkeys(first)]
            self._custom |= self._add_counted(CountedRows(tab), rows)

    def _add_counted(
        self, top: CountedRows, rows: Iterable[CountedRows]
    ) -> dict[CountedRows, tuple[QStandardItem, QStandardItem]]:
        """Add a tab and parts of its rows below it."""
        added = {target: (_item(target), _item(target)) for target in (top, *rows)}
        for target, row in added.items():
            row[1].setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            parent = self._model if target is top else added[top][0]
            parent.appendRow(list(row))
        return added

    def _emit_target(self, index: QModelIndex) -> None:
        target = index.data(_TARGET)
        if target is not None:
            self.target_wanted.emit(target)


def _item(target: object) -> QStandardItem:
    item = QStandardItem()
    item.setData(target, _TARGET)
    return item


def _show_note(item: QStandardItem, *, is_noted: bool) -> None:
    if item.icon().isNull() is is_noted:
        item.setIcon(icon("note") if is_noted else QIcon())


def _show(row: tuple[QStandardItem, QStandardItem], name: str, number: str, *, found: bool) -> None:
    """Write only what has changed, because each change is painted."""
    tint = colour("text" if found else "muted")
    for item, text in zip(row, (name, number), strict=True):
        if item.text() != text:
            item.setText(text)
        if item.foreground().color() != tint:
            item.setForeground(tint)
            rule = item.data(_TARGET)
            if isinstance(rule, SiteRule) and item is row[0]:
                item.setIcon(icon(KIND_ICONS[rule.kind], None if found else "muted"))
