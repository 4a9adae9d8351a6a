"""The upper half of the Issues tab: filters, the table of issues, and their explanation."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.gui.issues.ignored_table import IgnoredTable
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.issue_explanation import IssueExplanation
from gossamer.gui.issues.issue_table import IssueFilter, IssueTable
from gossamer.gui.issues.rule_texts import (
    KIND_ICONS,
    RuleCommand,
    group_name,
    kind_name,
    priority_name,
)
from gossamer.gui.issues.segment_choice import SegmentChoice
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.elided_label import ElidedLabel
from gossamer.gui.widgets.help_context import explain, page_about

_FIELD: Final = 220
_BOX: Final = 160
_SHARES: Final = (64, 36)
"""The shares of the width for the table and the explanation."""
_LEAST: Final = 120


class IssuesPane(QWidget):
    """Lists issues and explains the chosen one. `rule_chosen` carries its rule, or None.

    `audit_wanted` asks for a run of the site audit, `ignore_wanted` to ignore the chosen issue.
    `threshold_wanted` carries the name of the setting to change, `text_errors_wanted` asks for the
    list of spelling and grammar errors. With the Ignored button pressed, the pane lists ignored
    issues: `ignored_chosen` carries the number of a rule, or None when the button is released.
    """

    rule_chosen = Signal(object)
    urls_wanted = Signal()
    """Emitted on Enter or a double click: focus is to move to the URLs."""
    audit_wanted = Signal()
    ignore_wanted = Signal()
    threshold_wanted = Signal(str)
    text_errors_wanted = Signal()
    notes_wanted = Signal()
    ignored_chosen = Signal(object)

    def __init__(self, counts: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self._is_auditing = False
        self.table = IssueTable(counts)
        self.ignored = IgnoredTable(counts)
        self.ignored_button = QToolButton()
        self.take_back_button = QToolButton()
        self.explanation = IssueExplanation(counts)
        self.field = QLineEdit()
        self.kinds = _choice(
            self.tr("All types"),
            [(kind, kind_name(kind), KIND_ICONS[kind]) for kind in RuleKind],
            self.tr("Type"),
        )
        self.priorities = _choice(
            self.tr("All priorities"),
            [(each, priority_name(each), "") for each in RulePriority],
            self.tr("Priority"),
        )
        self.groups = _choice(
            self.tr("All groups"),
            [(group, group_name(group), "") for group in RuleGroup],
            self.tr("Group"),
        )
        self.segments = SegmentChoice(counts)
        self.hint = ElidedLabel()
        self.run_button = QToolButton()
        self._lay_out()
        self.field.textChanged.connect(self._apply_filter)
        for box in (self.kinds, self.priorities, self.groups):
            box.currentIndexChanged.connect(self._apply_filter)
        self.table.rule_chosen.connect(self.explanation.show_rule)
        self.table.rule_chosen.connect(self.rule_chosen)
        self.table.rule_chosen.connect(lambda rule: explain(self.table, page_about(rule)))
        self.table.activated.connect(lambda _index: self.urls_wanted.emit())
        self.run_button.clicked.connect(self.audit_wanted)
        self.explanation.commanded.connect(self._perform)
        self.ignored.rule_chosen.connect(self._choose_ignored)
        self.ignored_button.toggled.connect(self._show_ignored)
        counts.changed.connect(self._show_counts)
        self._show_state()
        self._update_note()

    def choose(self, rule: SiteRule) -> None:
        """Show the issue of a rule."""
        self.table.choose(rule)

    @property
    def shows_ignored(self) -> bool:
        """Whether ignored issues are listed."""
        return self.ignored_button.isChecked()

    def set_auditing(self, *, running: bool) -> None:
        """Hide the offer of a site audit while one runs."""
        self._is_auditing = running
        self._show_state()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the current counts, which are not written while it is hidden."""
        super().showEvent(event)
        self._counts.request_totals()
        self._show_counts()

    def _show_counts(self) -> None:
        if not self._counts.urls and self.table.rule is not None:
            self.table.forget()
        if not self.isVisible():
            return
        self._counts.request_totals() if self._counts.urls else None
        self.table.show_counts()
        self.table.choose_first()
        self.ignored.show_ignored()
        self.explanation.update_text()
        self._show_state()
        self._update_note()

    def _perform(self, command: RuleCommand) -> None:
        rule = self.table.rule
        if command is RuleCommand.IGNORE:
            self.ignore_wanted.emit()
        elif command is RuleCommand.TEXT_ERRORS:
            self.text_errors_wanted.emit()
        elif command is RuleCommand.NOTES:
            self.notes_wanted.emit()
        elif rule is not None:
            self.threshold_wanted.emit(rule.limit)

    def _show_ignored(self, shown: bool) -> None:  # noqa: FBT001 - a signal's argument
        """List ignored issues, or the others again."""
        self._lists.setCurrentWidget(self.ignored if shown else self.table)
        for widget in (self.field, self.kinds, self.priorities, self.groups):
            widget.setVisible(not shown)
        self.take_back_button.setVisible(shown)
        if shown:
            self.ignored.show_ignored()
            self.ignored.select_only(0)
            self._choose_ignored(next((each.rule for each in self.ignored.selected()), None))
        else:
            self.explanation.show_rule(self.table.rule)
            self.ignored_chosen.emit(None)

    def _choose_ignored(self, rule: int | None) -> None:
        if self.shows_ignored:
            self.explanation.show_rule(RULES.get(rule or 0))
            self.ignored_chosen.emit(rule or 0)

    def _apply_filter(self) -> None:
        self.table.set_filter(
            IssueFilter(
                self.field.text().strip(),
                self.kinds.currentData(),
                self.priorities.currentData(),
                self.groups.currentData(),
            )
        )
        self._update_note()

    def _update_note(self) -> None:
        if self._counts.site_urls:
            self.table.note.show_text(self.tr("No issues match the filter."))
        elif self._counts.ignored:
            self.table.note.show_text(self.tr("All issues are ignored."))
        else:
            self.table.note.show_text(self.tr("Issues appear here as pages are read."))

    def _show_state(self) -> None:
        state = self._counts.state
        words = ""
        if self._is_auditing or state is None or state.is_current:
            words = ""
        elif not state.page_rules:
            words = self.tr("Thresholds have changed since the audit.")
        else:
            words = self.tr("Rules about the whole site are not up to date.")
        self.hint.setText(words)
        ignored = len(self._counts.ignored)
        self.ignored_button.setVisible(bool(ignored) or self.shows_ignored)
        self.ignored_button.setText(
            formatting.with_count(self.tr("Ignored"), formatting.number(ignored)).rstrip()
        )
        self.run_button.setVisible(bool(words))

    def _set_up_widgets(self) -> None:
        """Set names and looks of field, hint and button."""
        self.field.setPlaceholderText(self.tr("Filter issues"))
        self.field.setAccessibleName(self.tr("Filter issues"))
        self.field.setClearButtonEnabled(True)
        self.field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.field.setMaximumWidth(_FIELD)
        self.field.setMinimumWidth(_FIELD // 2)
        self.hint.setProperty("muted", True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.take_back_button.setDefaultAction(self.ignored.take_back_action)
        self.take_back_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.take_back_button.setProperty("quiet", True)
        self.take_back_button.hide()
        self.ignored_button.setCheckable(True)
        self.ignored_button.setProperty("quiet", True)
        self.ignored_button.setToolTip(self.tr("What is ignored, by whom and why"))
        self.run_button.setText(self.tr("Run audit"))
        self.run_button.setIcon(icon("audit"))
        self.run_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.run_button.setProperty("quiet", True)

    def _lay_out(self) -> None:
        self._set_up_widgets()
        tools = QHBoxLayout()
        tools.setContentsMargins(theme.SPACE_S, theme.SPACE_XS, theme.SPACE_S, theme.SPACE_XS)
        tools.setSpacing(theme.SPACE_XS)
        tools.addWidget(self.field)
        for box in (self.kinds, self.priorities, self.groups):
            tools.addWidget(box)
        tools.addWidget(self.segments)
        tools.addWidget(self.ignored_button)
        tools.addWidget(self.take_back_button)
        tools.addWidget(self.hint, 1)
        tools.addWidget(self.run_button)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setObjectName("issue-explanation")
        parts.setChildrenCollapsible(False)
        self._lists = QStackedWidget()
        self._lists.addWidget(self.table)
        self._lists.addWidget(self.ignored)
        parts.addWidget(self._lists)
        parts.addWidget(self.explanation)
        for index, share in enumerate(_SHARES):
            parts.setStretchFactor(index, share)
        parts.setSizes([10 * share for share in _SHARES])
        self.setMinimumHeight(_LEAST)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        column.addWidget(parts, 1)


def _choice(every: str, values: Iterable[tuple[object, str, str]], name: str) -> QComboBox:
    """A choice between all and one of these, given as value, name and icon."""
    box = QComboBox()
    box.addItem(every, None)
    for value, text, sign in values:
        if sign:
            box.addItem(icon(sign), text, value)
        else:
            box.addItem(text, value)
    box.setAccessibleName(name)
    box.view().setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    box.setMaximumWidth(_BOX)
    box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return box
