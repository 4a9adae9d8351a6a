"""Opens the export dialog."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.audit_controller import AuditController
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.model.facets import ISSUE
from gossamer.model.project_queries import LinksOf, Table


class ExportController(QObject):
    """Asks what of the project shown to export, and where to."""

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        tasks: WindowTasks,
        memory: UiState,
        audits: AuditController,
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._memory = memory
        self._audits = audits

    @performs(WindowAction.EXPORT)
    def export(self) -> None:
        """Open the dialog, or bring it to the front."""
        dialog = self._parts.window.findChild(QDialog, "export-dialog")
        if dialog is not None and dialog.isVisible():
            dialog.activateWindow()
        else:
            self._open(self._parts.workspace.table.shown())

    def export_links(self, links: LinksOf) -> None:
        """Ask how to export the links to some URLs, or on them."""
        self._open(links)

    def _open(self, shown: Table | LinksOf | None) -> None:
        # Starting does without.
        from gossamer.gui.export.export_dialog import ExportDialog  # noqa: PLC0415 - see above
        from gossamer.gui.export.export_interfaces import ProjectExporter  # noqa: PLC0415 - likewise

        if self._crawl.session is not None:
            dialog = ExportDialog(
                self._crawl.session.path,
                self._tasks,
                self._parts.window,
                memory=self._memory,
                exporter=ProjectExporter(self._audits),
                shown=shown,
            )
            if isinstance(shown, Table):
                dialog.name_shown(self._name_of(shown))
            dialog.show()

    def _name_of(self, shown: Table) -> str:
        """What the file of one issue's URLs is called, as among the exports of all issues."""
        from gossamer.export.issue_views import issue_file_name  # noqa: PLC0415 - likewise

        numbers = shown.filter_.values(ISSUE)
        rules = [RULES[each] for each in numbers if isinstance(each, int) and each in RULES]
        settings = self._parts.workspace.table.issue_counts.settings
        return issue_file_name(rules[0], settings) if len(numbers) == len(rules) == 1 else ""
