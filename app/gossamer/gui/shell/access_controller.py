"""Opens the dialog on crawlers and robots.txt, and warns of hosts that respond to any URL."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from gossamer.audit.soft_404_hosts import host_sentences
from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.shell.audit_controller import AuditController
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.message_bar import MessageButton
from gossamer.model.site_checks import SiteCheckRow

_MESSAGE: Final = "hosts"


class AccessController(QObject):
    """Shows which crawlers may fetch the site of the project shown, and warns of its hosts."""

    def __init__(self, parts: WindowParts, crawl: CrawlController, audits: AuditController) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        crawl.opened.connect(self._withdraw)
        audits.finished.connect(self._check_hosts)

    @performs(WindowAction.CRAWLER_ACCESS)
    def show_access(self) -> None:
        """Open the dialog, or bring it to the front. It is closed with its project."""
        from gossamer.gui.crawler_access.access_dialog import NAME, AccessDialog  # noqa: PLC0415 - starting does without

        session, parts = self._crawl.session, self._parts
        if session is None:
            return
        dialog = parts.window.findChild(QDialog, NAME)
        if dialog is not None and dialog.isVisible():
            dialog.activateWindow()
            return
        root, user_agent = next(iter(session.settings.roots), ""), session.settings.user_agent
        dialog = AccessDialog(parts.reader, root, user_agent, parts.window)
        details = parts.workspace.details
        dialog.url_selected.connect(details.select_url)
        dialog.url_selected.connect(details.url_selected)
        self._crawl.opened.connect(dialog.close)
        dialog.show()

    def _check_hosts(self) -> None:
        """Warn of a host that responds to URLs that do not exist with a page, or redirects them."""
        self._parts.reader.submit(
            lambda rows: rows.site_checks(), self._warn, key=_MESSAGE, background=True
        )

    def _warn(self, rows: Sequence[SiteCheckRow]) -> None:
        found = host_sentences(rows)
        if not found:
            return
        sentence = spoken(found[0])
        if len(found) > 1:
            words = self.tr("{sentence} So do %Ln other host(s).", "", len(found) - 1)
            sentence = words.format(sentence=sentence)
        more = MessageButton(self.tr("Show"), self.show_access)
        self._parts.messages.tell(_MESSAGE, "warning", sentence, more)

    def _withdraw(self) -> None:
        self._parts.reader.forget(_MESSAGE)
        self._parts.messages.withdraw(_MESSAGE)
