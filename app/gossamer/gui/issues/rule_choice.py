"""The choice of a rule of one group, with the number of URLs of each."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.rule_texts import KIND_ICONS, rule_name
from gossamer.gui.issues.rule_tree import decided_rules
from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import colour
from gossamer.gui.text import local_formatting as formatting

_SHORTEST: Final = 18


class RuleChoice(QComboBox):
    """Chooses a rule of a group, or none. `rule_chosen` carries its number, or None.

    It is hidden without a group.
    """

    rule_chosen = Signal(object)

    def __init__(self, counts: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self._group: RuleGroup | None = None
        self._rules: list[SiteRule] = []
        self.setAccessibleName(self.tr("Filter by issue"))
        self.view().setAccessibleName(self.tr("Filter by issue"))
        self.setToolTip(self.tr("Filter by issue"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_SHORTEST)
        self.setMaxVisibleItems(30)
        self.hide()
        counts.changed.connect(self._write)
        self.activated.connect(lambda index: self.rule_chosen.emit(self.itemData(index)))

    def show_group(self, group: RuleGroup | None, rule: int | None) -> None:
        """Offer the rules of a group; one or none is chosen."""
        if group is not self._group:
            self._group = group
            self._rules = [] if group is None else decided_rules(group)
            self.clear()
            if group is not None:
                self.addItem(self.tr("All"), None)
            for each in self._rules:
                self.addItem(icon(KIND_ICONS[each.kind]), "", each.number)
            self._write()
        self.setCurrentIndex(max(self.findData(rule), 0) if rule is not None else 0)
        self.setVisible(group is not None)

    def _write(self) -> None:
        for index, rule in enumerate(self._rules, 1):
            urls = self._counts.urls.get(rule.number, 0)
            text = formatting.with_count(
                rule_name(rule, self._counts.settings), formatting.number(urls)
            ).rstrip()
            if text != self.itemText(index):
                self.setItemText(index, text)
                tint = colour("text" if urls else "muted")
                self.setItemData(index, tint, Qt.ItemDataRole.ForegroundRole)
