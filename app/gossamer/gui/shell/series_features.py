"""Assembles the features about a site over time: history, comparison, schedules."""

from PySide6.QtCore import QObject

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.archive_audit_controller import ArchiveAuditController
from gossamer.gui.shell.audit_controller import AuditController
from gossamer.gui.shell.comparison_controller import ComparisonController
from gossamer.gui.shell.crawl_notices import DesktopNotifier
from gossamer.gui.shell.notification_controller import NotificationController
from gossamer.gui.shell.notification_rule_controller import NotificationRuleController
from gossamer.gui.shell.recrawl_controller import RecrawlController
from gossamer.gui.shell.saved_filter_controller import SavedFilterController
from gossamer.gui.shell.schedule_controller import ScheduleController
from gossamer.gui.shell.series_controller import SeriesController
from gossamer.gui.shell.window_layout import WindowParts


class SeriesFeatures(QObject):
    """Connects the controllers of one window with each other and with their actions."""

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        tasks: WindowTasks,
        memory: UiState,
        audits: AuditController,
    ) -> None:
        super().__init__(parts.window)
        self.series = SeriesController(parts, crawl, tasks)
        self.saved_filters = SavedFilterController(parts, self.series)
        self.comparisons = ComparisonController(parts, crawl, tasks, memory)
        self.recrawls = RecrawlController(parts, crawl, tasks)
        self.archive_audits = ArchiveAuditController(parts, crawl, tasks)
        self.notifications = NotificationController(
            self, crawl, tasks, DesktopNotifier(parts.window)
        )
        self.schedules = ScheduleController(parts, crawl, tasks)
        self.rules = NotificationRuleController(parts, crawl, tasks)
        performers = (self.series, self.comparisons, self.recrawls, self.schedules, self.rules)
        parts.actions.connect_performer(self.archive_audits)
        for performer in performers:
            parts.actions.connect_performer(performer)
        audits.finished.connect(self.series.refresh)
        for source in (self.series, self.recrawls, self.schedules):
            source.comparison_wanted.connect(self.comparisons.compare)
        recent = parts.start_page.recent
        recent.compare_wanted.connect(self.comparisons.choose_with)
        recent.recrawl_wanted.connect(self.recrawls.ask_about)
