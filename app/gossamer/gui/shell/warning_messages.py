"""What to know of the crawl shown before, and while, it sends anything."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.text.sentences import sentences, spoken
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn
from gossamer.session.settings_warnings import cautions, unchecked

if TYPE_CHECKING:
    from gossamer.gui.crawl.session_ports import SessionPort
    from gossamer.model.settings import CrawlSettings

_CERTIFICATES = "certificates"
_BROUGHT = "brought"


class Cautions(QObject):
    """Says which certificates are not checked, as long as it is so.

    And what a project that was opened, not begun here, has chosen for whoever goes on with it.
    """

    def __init__(self, crawl: CrawlController, messages: MessageColumn) -> None:
        super().__init__()
        self._crawl = crawl
        self._messages = messages
        self._session: SessionPort | None = None
        self._servers: tuple[str, ...] = ()

    def look(self) -> None:
        """Tell of what is new since the last look. It costs next to nothing, to be done often."""
        session = self._crawl.session
        if session is not self._session:
            self._session = session
            self._tell_what_came(None if session is None else session.settings)
        servers = () if session is None else session.settings.insecure_hosts
        if servers != self._servers:
            self._servers = servers
            self._tell_of_certificates(servers)

    def _tell_what_came(self, settings: "CrawlSettings | None") -> None:
        said: list[str] = []
        if settings is not None and not self._crawl.began_here:
            found = cautions(settings)
            found.pop("insecure_hosts", None)  # has a message of its own, which stays
            said = [spoken(sentence) for sentence in found.values()]
        if said:
            self._messages.tell(_BROUGHT, "warning", sentences(said))
        else:
            self._messages.withdraw(_BROUGHT)

    def _tell_of_certificates(self, servers: tuple[str, ...]) -> None:
        if not servers:
            self._messages.withdraw(_CERTIFICATES)
            return
        check = MessageButton(self.tr("Check again"), self._crawl.check_certificates)
        sentence = spoken(unchecked(servers))
        self._messages.tell(_CERTIFICATES, "warning", sentence, check, stays=True)
