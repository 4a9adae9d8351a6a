"""The conditions of a notification rule, chosen by their names."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QWidget,
)

from gossamer.audit.audit_rule import RulePriority
from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.notifications.page_condition_rows import PageConditionRows
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import describe
from gossamer.model.translatable import Translatable
from gossamer.notifying.conditions import MAX_DAYS, ConditionKind, EndKind, RuleCondition

_MOST_ERRORS: Final = 1_000_000_000
_DAYS: Final = 14


class RuleConditionForm(QWidget):
    """A line for each kind of condition: whether it is wanted, and its argument.

    Where a rule has several of a kind, the form has the one that holds wherever any of them does;
    patterns of pages have a line each.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes = {
            kind: QCheckBox(spoken(Translatable(kind.label)).replace("&", "&&"))
            for kind in ConditionKind
        }
        self.endings = {
            EndKind.FINISHED: QCheckBox(self.tr("finished")),
            EndKind.FAILED: QCheckBox(self.tr("failed")),
            EndKind.PAUSED: QCheckBox(self.tr("paused by itself")),
        }
        self.priority = QComboBox()
        for words, priority in (
            (self.tr("of high priority"), RulePriority.HIGH),
            (self.tr("of medium or high priority"), RulePriority.MEDIUM),
            (self.tr("of any priority"), RulePriority.LOW),
        ):
            self.priority.addItem(words, priority.value)
        self.errors = _number(_MOST_ERRORS, self.tr("How many errors are fine"))
        self.pages = PageConditionRows()
        self.days = _number(MAX_DAYS, self.tr("Within how many days"))
        self.days.setValue(_DAYS)
        self.days.setSuffix(f" {self.tr('days')}")
        self._lay_out()
        for box in self.endings.values():
            box.setChecked(True)
        self.boxes[ConditionKind.ENDED].setChecked(True)

    def conditions(self) -> tuple[RuleCondition, ...]:
        """Those chosen, in the usual form; UsageError."""
        found: list[RuleCondition] = []
        for kind, box in self.boxes.items():
            if box.isChecked():
                found += self._of(kind)
        return tuple(each.checked() for each in found)

    def show_conditions(self, conditions: Iterable[RuleCondition]) -> None:
        """Choose these."""
        by_kind: dict[ConditionKind, list[RuleCondition]] = {kind: [] for kind in ConditionKind}
        for each in conditions:
            if each.is_valid or each.kind is ConditionKind.PAGE:  # a pattern can be corrected
                by_kind[each.kind].append(each)
        for kind, found in by_kind.items():
            self.boxes[kind].setChecked(bool(found))
            if found:
                self._show(kind, found)

    def _of(self, kind: ConditionKind) -> list[RuleCondition]:
        if kind is ConditionKind.PAGE:
            return self.pages.conditions()
        return [RuleCondition(kind, self._argument(kind))]

    def _argument(self, kind: ConditionKind) -> str:
        match kind:
            case ConditionKind.ENDED:
                return ",".join(each for each, box in self.endings.items() if box.isChecked())
            case ConditionKind.ISSUE:
                return str(self.priority.currentData())
            case ConditionKind.ERRORS:
                return str(self.errors.value())
            case ConditionKind.CERTIFICATE:
                return str(self.days.value())
            case _:
                return ""

    def _show(self, kind: ConditionKind, found: list[RuleCondition]) -> None:
        arguments = [each.argument for each in found]
        match kind:
            case ConditionKind.ENDED:
                wanted = {word for each in arguments for word in each.split(",")}
                for ending, box in self.endings.items():
                    box.setChecked(ending in wanted)
            case ConditionKind.ISSUE:
                order = [self.priority.itemData(n) for n in range(self.priority.count())]
                self.priority.setCurrentIndex(max(map(order.index, arguments)))
            case ConditionKind.ERRORS:
                self.errors.setValue(min(map(int, arguments)))
            case ConditionKind.CERTIFICATE:
                self.days.setValue(max(map(int, arguments)))
            case ConditionKind.PAGE:
                self.pages.show_conditions(found)
            case _:
                pass

    # ------------------------------------------------------------ assembly

    def _lay_out(self) -> None:
        endings = QWidget()
        row = QHBoxLayout(endings)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_L)
        for box in self.endings.values():
            row.addWidget(box)
        row.addStretch(1)
        self.priority.setAccessibleName(self.tr("Lowest priority"))
        self.priority.setMinimumHeight(CONTROL_HEIGHT)
        note = QLabel(self.tr("Only in crawls with “Read the site's sitemaps”"))
        note.setProperty("muted", True)
        note.setWordWrap(True)
        beside: dict[ConditionKind, QWidget] = {
            ConditionKind.ENDED: endings,
            ConditionKind.ISSUE: self.priority,
            ConditionKind.ERRORS: self.errors,
            ConditionKind.PAGE: self.pages,
            ConditionKind.SITEMAP: note,
            ConditionKind.CERTIFICATE: self.days,
        }
        describe(self.boxes[ConditionKind.SITEMAP], note.text())
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.SPACE_L)
        grid.setVerticalSpacing(theme.SPACE_XS)
        grid.setColumnStretch(1, 1)
        for place, (kind, box) in enumerate(self.boxes.items()):
            box.setMinimumHeight(CONTROL_HEIGHT)
            grid.addWidget(box, place, 0, Qt.AlignmentFlag.AlignTop)
            if kind in beside:
                widget = beside[kind]
                widget.setEnabled(False)
                box.toggled.connect(widget.setEnabled)
                is_whole = kind in {ConditionKind.ENDED, ConditionKind.PAGE, ConditionKind.SITEMAP}
                alignment = Qt.AlignmentFlag(0) if is_whole else Qt.AlignmentFlag.AlignLeft
                grid.addWidget(widget, place, 1, alignment)


def _number(largest: int, name: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(0, largest)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    box.setGroupSeparatorShown(True)
    box.setAccessibleName(name)
    box.setMinimumHeight(CONTROL_HEIGHT)
    describe(box, name)
    return box
