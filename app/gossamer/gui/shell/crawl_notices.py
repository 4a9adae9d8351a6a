"""Shows notices about a crawl (hints, trap limits, warnings) and desktop notifications."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from gossamer.audit.audit_rule import RuleKind
from gossamer.audit.empty_crawl_hints import CrawlHint, HintAction, hint_about
from gossamer.audit.over_budget_report import TrapReport, left_out
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.look.icons import icon
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import host_of, sentences, spoken
from gossamer.gui.widgets.message_bar import Kind, MessageButton, MessageColumn
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import clock
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
_ARCHIVE = "archive"


class CrawlHintNotice(QObject):
    """Offers a remedy when a finished crawl has found nothing.

    `crawl_anew` is called with the settings of the remedy, `edit_address` if only another address
    can help, `trust` with the server whose certificate is not to be checked. `login_wanted` is
    emitted if only a login can help, `credentials_wanted` if a password may.
    """

    login_wanted = Signal()
    credentials_wanted = Signal()

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

    def check(self, settings: CrawlSettings) -> None:
        """Offer what may help if the crawl with `settings`, now at its end, found no page."""
        self._reader.submit(lambda rows: hint_about(rows, settings), self._show, key=_HINT)

    def withdraw(self) -> None:
        """Withdraw the offer: another crawl is shown."""
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
        buttons = [MessageButton(button, act)] if act else []
        kind: Kind = "error" if declaration.kind is RuleKind.ISSUE else "warning"
        self._messages.tell(_HINT, kind, sentence, *buttons)

    def _act(self, hint: CrawlHint) -> Callable[[], None] | None:
        """What the button does; None for no button."""
        settings, action = hint.settings, hint.finding.declaration.action
        if settings is not None:
            return lambda: self._crawl_anew(settings)
        if action is HintAction.TRUST:
            return lambda: self._trust(hint.server)
        if action is HintAction.LOG_IN:
            return self.login_wanted.emit
        if action is HintAction.GIVE_CREDENTIALS:
            return self.credentials_wanted.emit
        return self._edit_address if action is HintAction.EDIT else None


class TrapLimitNotice(QObject):
    """Reports URLs left out at the trap limit when a crawl ends; `go_on` raises the limit."""

    def __init__(
        self, reader: ProjectReader, messages: MessageColumn, go_on: Callable[[], None]
    ) -> None:
        super().__init__(messages)
        self._reader = reader
        self._messages = messages
        self._go_on = go_on

    def check(self) -> None:
        """Report what the crawl shown left out, if anything."""
        self._reader.submit(left_out, self._show, key=_TRAP_LIMIT)

    def withdraw(self) -> None:
        """Withdraw the message: the crawl continues, or another one is shown."""
        self._reader.forget(_TRAP_LIMIT)
        self._messages.withdraw(_TRAP_LIMIT)

    def _show(self, found: TrapReport | None) -> None:
        if found is not None:
            go_on = MessageButton(self.tr("Raise the limit and continue"), self._go_on)
            self._messages.tell(_TRAP_LIMIT, "warning", spoken(found.sentence), go_on)


class ArchiveNotice:
    """Shows what went missing from the archive of the crawl shown, until a user has seen it."""

    def __init__(self, messages: MessageColumn) -> None:
        self._messages = messages
        self._told: Translatable | None = None

    def update(self, progress: Progress) -> None:
        """Report what is new since the last call. It is cheap, and may be called often."""
        if progress.archive_trouble == self._told:
            return
        self._told = progress.archive_trouble
        if self._told is None:
            self._messages.withdraw(_ARCHIVE)
        else:
            self._messages.tell(_ARCHIVE, "warning", spoken(self._told))


class SettingsWarningNotice(QObject):
    """Shows which certificates are not verified, as long as that is so.

    It also shows risky settings of a project that was opened, not begun here.
    """

    def __init__(self, crawl: CrawlController, messages: MessageColumn) -> None:
        super().__init__()
        self._crawl = crawl
        self._messages = messages
        self._session: SessionPort | None = None
        self._servers: tuple[str, ...] = ()

    def update(self) -> None:
        """Report what is new since the last call. It is cheap, and may be called often."""
        session = self._crawl.session
        if session is not self._session:
            self._session = session
            self._show_brought_settings(None if session is None else session.settings)
        servers = () if session is None else session.settings.insecure_hosts
        if servers != self._servers:
            self._servers = servers
            self._show_certificates(servers)

    def _show_brought_settings(self, settings: "CrawlSettings | None") -> None:
        said: list[str] = []
        if settings is not None and not self._crawl.began_here:
            found = cautions(settings)
            found.pop("insecure_hosts", None)  # has a message of its own, which stays
            said = [spoken(sentence) for sentence in found.values()]
        if said:
            self._messages.tell(_BROUGHT, "warning", sentences(said))
        else:
            self._messages.withdraw(_BROUGHT)

    def _show_certificates(self, servers: tuple[str, ...]) -> None:
        if not servers:
            self._messages.withdraw(_CERTIFICATES)
            return
        check = MessageButton(self.tr("Check again"), self._crawl.check_certificates)
        sentence = spoken(unchecked(servers))
        self._messages.tell(_CERTIFICATES, "warning", sentence, check, stays=True)


LONG_S: Final = 20.0
"""After a shorter wait, the user is still watching."""
_SHOWN_MS: Final = 10_000
_AT_WORK: Final = frozenset({CrawlState.RUNNING, CrawlState.PAUSING})


class DesktopNotifier(QObject):
    """Shows desktop notifications and alerts in the task bar."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None

    @property
    def can_show(self) -> bool:
        """Whether this desktop shows notifications of windows."""
        return QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()

    def show(self, title: str, text: str) -> None:
        """Show a notification that brings the window to the front when it is clicked."""
        QApplication.alert(self._window)
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._tray is None:
            # Exists only while there is something to show: the program lives in its window.
            self._tray = QSystemTrayIcon(icon("gossamer"), self._window)
            self._tray.messageClicked.connect(self._raise)
            self._tray.activated.connect(self._raise)
        self._tray.show()
        self._window.installEventFilter(self)
        self._tray.showMessage(title, text, icon("gossamer"), _SHOWN_MS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Put the icon away when the user comes to the window without it."""
        if event.type() == QEvent.Type.WindowActivate:
            self._put_away()
        return super().eventFilter(watched, event)

    def _put_away(self) -> None:
        if self._tray is not None:
            self._tray.hide()
        self._window.removeEventFilter(self)

    def _raise(self) -> None:
        self._put_away()
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()


FindFailure = Callable[[Callable[[Translatable | None], None]], None]
"""Finds out why a finished crawl has failed nevertheless, and reports that; None if it has not."""


class CrawlEndNotifications(QObject):
    """Notifies the user when a crawl ends while `window` is not in front."""

    def __init__(
        self, window: QWidget, find_failure: FindFailure, notify: Callable[[str, str], None]
    ) -> None:
        """`notify` shows title and text."""
        super().__init__(window)
        self._window = window
        self._find_failure = find_failure
        self._notify = notify
        self._before = CrawlState.NEW

    def begin(self, state: CrawlState) -> None:
        """Watch another crawl, which is in this state: how it came there is no news."""
        self._before = state

    def watch(self, progress: Progress, host: str) -> None:
        """Process new counters of the crawl of `host`."""
        before, self._before = self._before, progress.state
        ended = before in _AT_WORK and progress.state not in _AT_WORK
        if not ended or progress.seconds < LONG_S or self._window.isActiveWindow():
            return
        if progress.state is CrawlState.FINISHED:
            self._find_failure(lambda failure: self._show(progress, host, failure))
        else:
            self._show(progress, host, None)

    def _show(self, progress: Progress, host: str, failure: Translatable | None) -> None:
        words = self._words(progress, host, failure)
        if words is not None:
            self._notify(*words)

    def _words(
        self, progress: Progress, host: str, failure: Translatable | None
    ) -> tuple[str, str] | None:
        """Title and text; None for what the user did, and so knows."""
        if failure is not None:
            title, text = self.tr("{host}: crawl failed"), spoken(failure)
        elif progress.state is CrawlState.FINISHED:
            title = self.tr("{host}: crawl finished")
            text = self.tr("{pages}, {errors}, in {time}").format(
                pages=self.tr("%Ln page(s)", "", progress.pages),
                errors=self.tr("%Ln error(s)", "", progress.errors),
                time=clock(progress.seconds),
            )
        elif progress.state is CrawlState.PAUSED and progress.notice:
            title, text = self.tr("{host}: crawl paused"), spoken(progress.notice)
        elif progress.state is CrawlState.FAILED:
            title = self.tr("{host}: crawl stopped")
            text = self.tr("The results are saved, and you can resume the crawl.")
        else:
            return None
        return title.format(host=host), text
