"""The choice of an outcome of a custom definition, with the pages that have it."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from gossamer.gui.custom_definitions.definition_texts import outcome_name, outcomes_of
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.look.theme import colour
from gossamer.gui.tables.table_tabs import CUSTOM_TABS, TabKey
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.custom_definitions import (
    CustomCounts,
)

_SHORTEST: Final = 22
_NOTHING: Final = CustomCounts()


class CustomChoice(QComboBox):
    """Chooses an outcome of a definition of one kind, or none.

    `outcome_chosen` carries the value of the facet `custom`, "" for none. It is visible only while
    a tab of custom definitions is current.
    """

    outcome_chosen = Signal(str)

    def __init__(self, counts: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self._tab: TabKey = ""
        self._shown: list[tuple[str, str, bool]] = []
        """Value, text and whether any page has it, for each choice."""
        self.setAccessibleName(self.tr("Filter by custom result"))
        self.view().setAccessibleName(self.tr("Filter by custom result"))
        self.setToolTip(self.tr("Filter by custom result"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_SHORTEST)
        self.setMaxVisibleItems(30)
        self.hide()
        counts.changed.connect(self._write)
        self.activated.connect(lambda index: self.outcome_chosen.emit(self.itemData(index)))

    def show_tab(self, tab: TabKey, chosen: str) -> None:
        """Offer the outcomes of the definitions of a tab; one or none is chosen."""
        self._tab = tab if tab in CUSTOM_TABS else ""
        self._write()
        self.setCurrentIndex(max(self.findData(chosen), 0))
        self.setVisible(bool(self._tab))

    def _write(self) -> None:
        wanted = self._choices()
        if wanted == self._shown:
            return
        self._shown = wanted
        chosen = self.currentData()
        self.clear()
        for index, (value, text, are_any) in enumerate(wanted):
            self.addItem(text, value)
            tint = colour("text" if are_any else "muted")
            self.setItemData(index, tint, Qt.ItemDataRole.ForegroundRole)
        self.setCurrentIndex(max(self.findData(chosen), 0))

    def _choices(self) -> list[tuple[str, str, bool]]:
        if not self._tab:
            return []
        found = [("", self.tr("All"), True)]
        for each in self._counts.settings.definitions:
            if isinstance(each, CUSTOM_TABS[self._tab]):
                counts = self._counts.custom.get(each.number, _NOTHING)
                for outcome in outcomes_of(each):
                    pages = counts.of(outcome)
                    words = outcome_name(each, outcome)
                    text = formatting.with_count(words, formatting.number(pages)).rstrip()
                    found.append((outcome.facet_value(each.number), text, pages > 0))
        return found
