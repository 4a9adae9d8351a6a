"""What is said of a crawl beside its counters: hints, traps, and settings that are risky."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gossamer.audit.audit_rule import RuleKind
from gossamer.audit.empty_crawl_hints import Answer, CrawlHint, hint_about
from gossamer.audit.trap_report import TrapReport, left_out
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import host_of, sentences, spoken
from gossamer.gui.widgets.message_bar import Kind, MessageButton, MessageColumn
from gossamer.model.outcome import sentence_of
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.session.settings_warnings import cautions, unchecked
from gossamer.urls.url_folders import display_url

if TYPE_CHECKING:
    from gossamer.gui.crawl.session_interfaces import SessionPort


# The subjects of messages.
_HINT = "hint"
_TRAP_LIMIT = "trap limit"
_CERTIFICATES = "certificates"
_BROUGHT = "brought"


class Hints(QObject):
    """Looks at a crawl that has come to its end, and offers the remedy if it found nothing.

    `crawl_anew` is called with the settings of the remedy, `edit_address` where only another
    address can help, `trust` with the server whose certificate is not to be checked.
    """

    def __init__(
        self,
        reader: ProjectReader,
        messages: MessageColumn,
        crawl_anew: Callable[[CrawlSettings], None],
        edit_address: Callable[[], None],
        trust: Callable[[str], None],
    ) -> None:
        super().__init__(messages)
        self._reader = reader
        self._messages = messages
        self._crawl_anew = crawl_anew
        self._edit_address = edit_address
        self._trust = trust

    def look(self, settings: CrawlSettings) -> None:
        """Offer what may help if the crawl with `settings`, now at its end, found no page."""
        self._reader.submit(lambda rows: hint_about(rows, settings), self._show, key=_HINT)

    def withdraw(self) -> None:
        """Take back what was offered: another crawl is shown."""
        self._reader.forget(_HINT)
        self._messages.withdraw(_HINT)

    def _show(self, hint: CrawlHint | None) -> None:
        if hint is None:
            return
        declaration = hint.finding.declaration
        sentence = spoken(
            Translatable(
                declaration.text,
                {
                    "host": host_of(hint.root),
                    "url": formatting.clean(display_url(hint.root)),
                    "why": Translatable(sentence_of(hint.outcome, None)),
                },
            )
        )
        target = host_of(hint.settings.roots[0]) if hint.settings else ""
        button = spoken(Translatable(declaration.button, {"target": target}))
        act = self._act(hint)
        answers = [MessageButton(button, act)] if act else []
        kind: Kind = "error" if declaration.kind is RuleKind.ISSUE else "warning"
        self._messages.tell(_HINT, kind, sentence, *answers)

    def _act(self, hint: CrawlHint) -> Callable[[], None] | None:
        """What the button does; None for no button."""
        settings, answer = hint.settings, hint.finding.declaration.answer
        if settings is not None:
            return lambda: self._crawl_anew(settings)
        if answer is Answer.TRUST:
            return lambda: self._trust(hint.server)
        return self._edit_address if answer is Answer.EDIT else None


class TrapLimit(QObject):
    """Says so when a crawl has come to its end; `go_on` is called to raise the limit."""

    def __init__(
        self, reader: ProjectReader, messages: MessageColumn, go_on: Callable[[], None]
    ) -> None:
        super().__init__(messages)
        self._reader = reader
        self._messages = messages
        self._go_on = go_on

    def look(self) -> None:
        """Tell of what the crawl shown left out, if anything."""
        self._reader.submit(left_out, self._show, key=_TRAP_LIMIT)

    def withdraw(self) -> None:
        """Take back what was said: the crawl goes on, or another one is shown."""
        self._reader.forget(_TRAP_LIMIT)
        self._messages.withdraw(_TRAP_LIMIT)

    def _show(self, found: TrapReport | None) -> None:
        if found is not None:
            go_on = MessageButton(self.tr("Go on: raise the limit"), self._go_on)
            self._messages.tell(_TRAP_LIMIT, "warning", spoken(found.sentence), go_on)


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
