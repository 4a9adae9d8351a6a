"""Leads from the end of a crawl to the issues that were found."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject

from gossamer.gui.issues.issue_counts import issue_totals
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.tables.table_tabs import ISSUES
from gossamer.gui.text.translated_sentences import sentences
from gossamer.gui.widgets.message_bar import MessageButton

_MESSAGE: Final = "issues"


class IssuesNotice(QObject):
    """Says how many issues a crawl has, until the user opens them."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts.messages)
        self._parts = parts
        parts.workspace.table.bar.tab_row.changed.connect(self._withdraw_if_shown)

    def check(self) -> None:
        """Report the issues of the project shown, unless they are visible."""
        if not self._are_shown:
            self._parts.reader.submit(
                lambda rows: rows.issue_counts(), self._show, key=_MESSAGE, background=True
            )

    def withdraw(self) -> None:
        """Withdraw the message: the crawl continues, or another one is shown."""
        self._parts.reader.forget(_MESSAGE)
        self._parts.messages.withdraw(_MESSAGE)

    @property
    def _are_shown(self) -> bool:
        return self._parts.workspace.table.bar.tab == ISSUES

    def _withdraw_if_shown(self) -> None:
        if self._are_shown:
            self.withdraw()

    def _show(self, counts: Mapping[int, int]) -> None:
        totals = issue_totals(counts)
        if not totals.every or self._are_shown:
            return
        sentence = self.tr("The audit found %Ln issue(s).", "", totals.every)
        if totals.high:
            urgent = self.tr("Of these, %Ln have a high priority.", "", totals.high)
            sentence = sentences([sentence, urgent])
        show = MessageButton(
            self.tr("Show issues"), lambda: self._parts.workspace.table.show_rows(ISSUES)
        )
        self._parts.messages.tell(_MESSAGE, "warning" if totals.high else "info", sentence, show)
