"""The head of a comparison: which crawls, what differs in all, and what makes it misleading."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.export.comparison_issues import IssueTrend
from gossamer.gui.comparison.filter_names import trend
from gossamer.gui.look import theme
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import host_of, sentences, spoken
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn
from gossamer.model.comparison_filter_names import page_counts
from gossamer.model.comparison_filters import ISSUE_SECTION
from gossamer.model.comparison_notes import comparison_notes
from gossamer.model.comparison_results import (
    ComparedSide,
    ComparisonSummary,
    FilterCounts,
    PageChange,
)

_NOTES: Final = "notes"


class ComparisonHead(QWidget):
    """Tells of the whole of a comparison.

    `change_wanted` carries the PageChange whose pages are to be listed; `audit_wanted`: both crawls
    are to be audited, and compared again. `messages` are laid out by the window, at its full width.
    """

    change_wanted = Signal(object)
    audit_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sides = (QLabel(), QLabel())
        self.counts: dict[PageChange, QPushButton] = {}
        self.verdict = QLabel()
        self.messages = MessageColumn()
        self._lay_out()

    def show_summary(self, summary: ComparisonSummary, counts: Sequence[FilterCounts]) -> None:
        """Show a comparison."""
        for label, side in zip(self.sides, (summary.before, summary.after), strict=True):
            label.setText(self._side(side))
            label.setToolTip(formatting.tooltip(side.path))
        pages = page_counts(counts)
        numbers = {
            PageChange.NEW: self._of_which(
                self.tr("%Ln new URL(s)", "", summary.new), summary.new, pages.new
            ),
            PageChange.MISSING: self._of_which(
                self.tr("%Ln missing URL(s)", "", summary.missing),
                summary.missing,
                pages.missing,
            ),
            PageChange.CHANGED: self.tr("%Ln changed URL(s)", "", summary.changed),
        }
        of = (summary.new, summary.missing, summary.changed)
        for (change, words), number in zip(numbers.items(), of, strict=True):
            self.counts[change].setText(words)
            self.counts[change].setEnabled(number > 0)
        self.verdict.setText(self._verdict(summary, counts))
        self._warn(summary)

    def _of_which(self, urls: str, number: int, pages: int) -> str:
        """How many URLs, and how many of these are pages, if not all of them."""
        if not number or pages == number:
            return urls
        return self.tr("{urls}, of these {pages}").format(
            urls=urls, pages=self.tr("%Ln page(s)", "", pages)
        )

    def _verdict(self, summary: ComparisonSummary, counts: Sequence[FilterCounts]) -> str:
        if summary.is_empty:
            return self.tr("Nothing that was compared differs.")
        issues = [each for each in counts if each.section == ISSUE_SECTION and each.is_changed]
        worse = sum(trend(each) is IssueTrend.WORSE for each in issues)
        better = sum(trend(each) is IssueTrend.BETTER for each in issues)
        if not worse and not better:
            return self.tr("No issue got worse or better.")
        return sentences(
            [
                self.tr("%Ln issue(s) got worse.", "", worse),
                self.tr("%Ln issue(s) got better.", "", better),
            ]
        )

    def _side(self, side: ComparedSide) -> str:
        parts = (
            formatting.moment(side.created_at),
            host_of(side.root),
            self.tr("%Ln page(s)", "", side.pages),
            self.tr("%Ln URL(s)", "", side.urls),
        )
        return formatting.clean(" · ".join(parts))

    def _warn(self, summary: ComparisonSummary) -> None:
        notes = [spoken(each) for each in comparison_notes(summary)]
        self.messages.withdraw(_NOTES)
        if not notes:
            return
        button = MessageButton(self.tr("Run audit and compare again"), self.audit_wanted.emit)
        is_audited = summary.before.is_audited and summary.after.is_audited
        buttons = [] if is_audited else [button]
        self.messages.tell(_NOTES, "warning", sentences(notes), *buttons)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_XS)
        grid.setHorizontalSpacing(theme.SPACE_M)
        grid.setVerticalSpacing(theme.SPACE_XS)
        for row, (label, name) in enumerate(
            zip(self.sides, (self.tr("Before"), self.tr("After")), strict=True)
        ):
            title = QLabel(name)
            title.setProperty("muted", True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setMinimumWidth(1)
            grid.addWidget(title, row, 0)
            grid.addWidget(label, row, 1)
        grid.setColumnStretch(1, 1)
        numbers = QHBoxLayout()
        numbers.setContentsMargins(theme.SPACE_L, 0, theme.SPACE_L, 0)
        numbers.setSpacing(theme.SPACE_S)
        for change in (PageChange.NEW, PageChange.MISSING, PageChange.CHANGED):
            button = self.counts[change] = QPushButton()
            button.setAutoDefault(False)
            button.clicked.connect(lambda _on, change=change: self.change_wanted.emit(change))
            numbers.addWidget(button)
        self.verdict.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setWordWrap(True)
        numbers.addSpacing(theme.SPACE_S)
        numbers.addWidget(self.verdict, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        column.addLayout(grid)
        column.addLayout(numbers)
