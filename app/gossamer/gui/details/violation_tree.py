"""The accessibility rules that a rendered page breaks, each with the elements concerned."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import SiteRule
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.accessibility_report import Violation, ViolationNode, impact_of
from gossamer.model.axe_rules import AXE_RULES, AxeRule, Impact
from gossamer.model.translatable import Translatable

_NAME, _SNIPPET, _PROBLEM = range(3)
_SHARES: Final = (0.36, 0.3)
_BOX: Final = int(Qt.ItemDataRole.UserRole)
_LARGEST: Final = 1 << 24
"""The largest position and count: larger than any real one, and Qt can add some of them."""


class ViolationTree(ValueTree):
    """Rules by impact, the most serious first; below each, its elements.

    `marked` carries the positions of the selected elements in the page, in CSS pixels.
    """

    marked = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = [self.tr("Rule and elements"), self.tr("Snippet"), self.tr("What is wrong")]
        empty = self.tr("The page breaks none of the rules that were checked.")
        super().__init__(self.tr("Accessibility"), columns, _SHARES, empty, parent)
        self.itemSelectionChanged.connect(self._mark)

    def show_violations(self, violations: Sequence[Violation]) -> None:
        """Show these violations."""
        self.clear()
        known = [(each, AXE_RULES[each.rule]) for each in violations if each.rule in AXE_RULES]
        for violation, rule in sorted(known, key=lambda pair: (-impact_of(*pair), pair[1].id)):
            self.addTopLevelItem(self._row(violation, rule))
        if self.topLevelItemCount() == 1:
            self.expandAll()

    def _row(self, violation: Violation, rule: AxeRule) -> QTreeWidgetItem:
        issue = RULES[rule.number]
        impact = impact_of(violation, rule)
        words = (
            spoken(Translatable(rule.guideline)),
            spoken(Translatable(impact.label)),
            self.tr("%Ln element(s)", "", _bounded(violation.count)),
        )
        meaning = spoken(Translatable(issue.meaning))
        row = QTreeWidgetItem([_name(issue), " · ".join(words), meaning])
        row.setIcon(_NAME, icon("error" if impact >= Impact.SERIOUS else "warning"))
        row.setToolTip(_NAME, formatting.tooltip(_name(issue)))
        row.setToolTip(_PROBLEM, formatting.tooltip(spoken(Translatable(issue.remedy))))
        for node in violation.nodes:
            row.addChild(_node_row(node))
        left = _bounded(violation.count) - len(violation.nodes)
        if left > 0:
            more = QTreeWidgetItem([self.tr("%Ln more", "", left), "", ""])
            more.setForeground(_NAME, theme.colour("muted"))
            row.addChild(more)
        return row

    def _mark(self) -> None:
        rows: list[QTreeWidgetItem | None] = [*self.selectedItems()]
        for row in self.selectedItems():
            rows += map(row.child, range(row.childCount()))
        boxes = [row.data(_NAME, _BOX) for row in rows if row is not None]
        self.marked.emit([box for box in boxes if box is not None and not box.isEmpty()])


def _name(issue: SiteRule) -> str:
    return spoken(Translatable(issue.name))


def _bounded(number: int) -> int:
    """The number, or the largest: a project of somebody else may have one that Qt refuses."""
    return max(-_LARGEST, min(number, _LARGEST))


def _node_row(node: ViolationNode) -> QTreeWidgetItem:
    texts = (node.selector, node.html, node.message)
    row = QTreeWidgetItem([formatting.clean(text) for text in texts])
    for column, text in enumerate(texts):
        row.setToolTip(column, formatting.tooltip(text))
    box = (node.left, node.top, node.width, node.height)
    row.setData(_NAME, _BOX, QRect(*map(_bounded, box)))
    return row
