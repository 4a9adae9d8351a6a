"""Ignores issues, and stops ignoring them, at the user's request in the tables."""

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.context_menu.bulk_action_menu import MAX_ROWS
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.issues.rule_texts import full_rule_name
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.ignored_issues import IgnoredIssue

if TYPE_CHECKING:
    from gossamer.gui.issues.issues_pane import IssuesPane

_MESSAGE: Final = "ignore"


class IgnoreController(QObject):
    """Opens the dialog about an issue, or about selected URLs of one, and carries it out."""

    def __init__(self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._table = table = parts.workspace.table
        self.ignore_for_urls = add_view_action(
            table.urls, ViewAction.IGNORE_FOR_URLS, self.ask_about_selection
        )
        table.issues_area.when_made(self._connect)
        table.bar.changed.connect(self._enable)
        table.urls.selectionModel().selectionChanged.connect(self._enable)
        self._enable()

    def _connect(self, issues: "IssuesPane") -> None:
        issues.ignore_wanted.connect(self.ask_about_issue)
        issues.ignored_chosen.connect(self._table.bar.show_ignored)
        issues.ignored.take_back_wanted.connect(self._take_back)

    def ask_about_issue(self) -> None:
        """Ask for which URLs to ignore the issue that is chosen in the Issues tab."""
        rule = self._table.issues_area.rule
        if rule is not None:
            self._ask(rule.number, ())

    def ask_about_selection(self) -> None:
        """Ask whether to ignore the issue that is shown for the selected URLs."""
        rule, ids = self._table.bar.rule, self._table.urls.selected_rows()
        if rule is None or not ids:
            return
        if len(ids) > MAX_ROWS:
            words = self.tr("Too many rows: select at most {n}, or use a pattern")
            self._table.summary.show_message(words.format(n=formatting.number(MAX_ROWS)))
            return
        self._parts.reader.submit(
            lambda rows: rows.records(ids),
            lambda records: self._ask(rule, records),
            key=f"ignored urls {id(self)}",
        )

    def _ask(self, rule: int, selected: Sequence[UrlRecord]) -> None:
        from gossamer.gui.issues.ignore_dialog import IgnoreDialog  # noqa: PLC0415 - the start does without

        name = full_rule_name(RULES[rule], self._table.issue_counts.settings)
        dialog = IgnoreDialog(rule, name, selected, self._parts.window)
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.ignore_wanted.connect(self._ignore)
        dialog.show()

    def _ignore(self, ignored: Sequence[IgnoredIssue]) -> None:
        session = self._crawl.session
        if session is not None:
            self._start(session.ignore(ignored))

    def _take_back(self, ignored: Sequence[IgnoredIssue]) -> None:
        session = self._crawl.session
        if session is not None:
            self._start(session.stop_ignoring(ignored))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._parts.messages.withdraw(_MESSAGE)
        self._tasks.start("ignore", self._do(work))

    async def _do(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except KnownError as e:
            self._parts.messages.tell(_MESSAGE, "error", spoken(e.said))
        self._table.issue_counts.refresh(at_once=True)
        self._parts.workspace.refresh()

    def _enable(self) -> None:
        table = self._table
        has_issue = table.bar.rule is not None and not table.issues_area.shows_ignored
        self.ignore_for_urls.setEnabled(has_issue and table.urls.selectionModel().hasSelection())
