"""The text that explains the chosen issue: what it means, why it matters, how to fix it."""

from typing import Final

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from gossamer.audit.site_rule import SiteRule
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.rule_texts import RuleCommand, explanation, full_rule_name
from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.tables.empty_state import EmptyStateText
from gossamer.gui.widgets.help_context import explain, page_about
from gossamer.gui.widgets.help_mark import HelpMark

_STYLE: Final = (
    "h3 { font-weight: 600; margin-top: 0; margin-bottom: 2px;"
    f" margin-right: {CONTROL_HEIGHT}px; }}"  # where the help mark is
    "h4 { font-weight: 600; margin-top: 10px; margin-bottom: 2px; }"
    "p { margin-top: 0; margin-bottom: 4px; }"
)


class IssueExplanation(QTextBrowser):
    """Explains a rule. `url_opened` carries the address of a reference that was clicked.

    `commanded` carries the clicked RuleCommand.
    """

    url_opened = Signal(str)
    commanded = Signal(object)

    def __init__(self, counts: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self._rule: SiteRule | None = None
        self._shown = ""
        self.setAccessibleName(self.tr("Explanation"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.document().setDocumentMargin(theme.SPACE_M)
        self.document().setDefaultStyleSheet(_STYLE)
        self.setMinimumWidth(200)
        # In the viewport it scrolls with the heading.
        self.help_mark = HelpMark(parent=self.viewport())
        self.note = EmptyStateText(self)
        self.note.setText(self.tr("Choose an issue to see what it means and how to fix it."))
        self.anchorClicked.connect(self._open)
        self.show_rule(None)

    def show_rule(self, rule: SiteRule | None) -> None:
        """Explain another rule, scrolled to the top; None for none."""
        self._rule = rule
        explain(self, page_about(rule))
        self.note.setVisible(rule is None)
        self.help_mark.setVisible(rule is not None)
        self.update_text()
        self.verticalScrollBar().setValue(0)

    def update_text(self) -> None:
        """Update the text if its numbers have changed, without scrolling."""
        rule, counts = self._rule, self._counts
        text = ""
        if rule is not None:
            urls = counts.urls.get(rule.number, 0)
            notes = counts.notes_on(rule)
            text = explanation(rule, counts.settings, urls, counts.total(rule), notes)
        if text != self._shown:
            self._shown = text
            at = self.verticalScrollBar().value()
            self.setHtml(text)
            self.verticalScrollBar().setValue(at)
            self.help_mark.set_subject(full_rule_name(rule, counts.settings) if rule else "")
            self._place_mark()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the help mark at the right edge."""
        super().resizeEvent(event)
        self._place_mark()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001 - Qt names it so
        """Let Tab leave the help mark: a text browser would go on to one of its links."""
        if self.help_mark.hasFocus():
            return QWidget.focusNextPrevChild(self, next)
        return super().focusNextPrevChild(next)

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._rule is not None:
            self.update_text()

    def _place_mark(self) -> None:
        right = self.viewport().width() - self.help_mark.width() - theme.SPACE_XS
        self.help_mark.move(right, theme.SPACE_XS - self.verticalScrollBar().value())

    def _open(self, url: QUrl) -> None:
        if url.toString() in set(RuleCommand):
            self.commanded.emit(RuleCommand(url.toString()))
            return
        self.url_opened.emit(url.toString())
        QDesktopServices.openUrl(url)
