"""Shows the reports of a crawl in the widgets of the window."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.next_crawl import NextCrawl
from gossamer.gui.crawl.session_interfaces import SessionPort
from gossamer.gui.shell.crawl_notices import (
    ArchiveNotice,
    CrawlEndNotifications,
    CrawlHintNotice,
    SettingsWarningNotice,
    TrapLimitNotice,
)
from gossamer.gui.shell.session_restore import RecentCrawls, SessionRestore
from gossamer.gui.shell.settings_controller import MESSAGE as SETTINGS
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import host_of, named_site, spoken
from gossamer.gui.widgets.message_bar import MessageButton
from gossamer.model.crawl_state import PAUSES, Command, CrawlState, allowed
from gossamer.model.errors import damaged_file
from gossamer.model.messages.crawl_messages import BulkActionKind, Progress, UrlSelection
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import got_nothing
from gossamer.model.translatable import Translatable
from gossamer.session.crawl_failure import failure_in
from gossamer.urls.url_folders import display_url
from gossamer.urls.url_parsing import origin, parse_root

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gossamer.model.lock_owner import LockOwner

COUNTERS_S: Final = 0.2
"""Counters that grow are shown at most this often: nobody reads faster, and painting them takes
processor time that the crawl could have."""
PANELS_S: Final = 0.4
"""Charts and panels are shown at most this often, all at a time: each change to the window has it
painted and sent to the screen."""
_YOUNG_S: Final = 1.0
"""A crawl that has run no longer than this updates the panels as often as its counters."""

_ROOTS_COMPARED: Final = 100
"""Roots that identify the site of a crawl: a list may have very many."""
_FAILURE: Final = "failure of the crawl"
_NO_NOTICE: Final = (None, False)
_CRAWL_SUBJECTS: Final = (
    "crawl",
    "unfinished",
    "held",
    "aside",
    "excluded",
    "cancelled",
    "instead",
    "queue",
)
"""The subjects of messages that do not apply to another crawl."""


class CrawlPresenter(QObject):
    """Shows the state of `crawl` in the window: its project, counters and troubles.

    `progress` is the latest; mere counters are shown with a short delay, the rest at once, and so
    are the first rows of a project.

    `rescue_wanted` carries the path of a damaged project, `login_wanted` the URL of a page that
    asks for the login, `ended_unseen` title and text about the end of a crawl, for the desktop.
    """

    rescue_wanted = Signal(object)
    login_wanted = Signal(str)
    ended_unseen = Signal(str, str)

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        next_crawl: NextCrawl,
        recollection: SessionRestore,
        recent: RecentCrawls,
        hint_notice: CrawlHintNotice,
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._next = next_crawl
        self._recollection = recollection
        self._recent = recent
        self._hint_notice = hint_notice
        self._settings_warning = SettingsWarningNotice(crawl, parts.messages)
        self._archive_notice = ArchiveNotice(parts.messages)
        self._traps = TrapLimitNotice(parts.reader, parts.messages, crawl.raise_trap_limit)
        self._notice: tuple[Translatable | None, bool] = _NO_NOTICE
        """Why the crawl paused by itself, and whether it waits for that, as last reported."""
        self._lock_owner: LockOwner | None = None
        self._notifications = CrawlEndNotifications(
            parts.window, self._find_failure, self.ended_unseen.emit
        )
        self._path: Path | None = None
        self.progress = Progress(state=CrawlState.NEW)
        self._shown = self.progress
        throttle = parts.reader.throttle
        self._counters = throttle.add(self._refresh_counters, COUNTERS_S)
        self._panels = throttle.add(self._refresh_panels, PANELS_S)
        crawl.opened.connect(self._show_session)
        crawl.progressed.connect(self._receive)
        crawl.troubled.connect(self._show_trouble)
        crawl.not_renewed.connect(self._show_renewal_error)
        crawl.refused.connect(self.refuse)
        crawl.performed.connect(self._confirm_action)
        parts.reader.failed.connect(self._show_read_error)

    def refuse(self, sentence: Translatable) -> None:
        """Say why something cannot be done, where the user is looking."""
        text, rescue = self._with_rescue(sentence)
        self._parts.refuse(text, *filter(None, [rescue]))

    def show_project(self, session: SessionPort | None) -> None:
        """Show this project from its beginning, or the start page."""
        parts, has_project = self._parts, session is not None
        progress = session.progress if session else Progress(state=CrawlState.NEW)
        self.progress = self._shown = progress
        self._notifications.begin(progress.state)
        parts.progress_line.clear()
        self._panels.reset()
        parts.workspace.set_project(session.path if session else None, progress.revision)
        parts.show_project(shown=has_project)
        if session is None:
            parts.window.setWindowTitle("Gossamer")
            parts.edit_address()
        else:
            settings = session.settings
            site = named_site(self._host(), len(settings.roots) - 1)
            parts.window.setWindowTitle(f"{site} — Gossamer")
            parts.show_roots(settings)
            parts.top_bar.show_numbers(settings.workers, settings.max_redirects)
            parts.workspace.set_home(_home(session))
            self._path = session.path
        self._show_progress()
        if progress.seconds > _YOUNG_S:
            self._panels.request()

    def _show_session(self, session: SessionPort | None) -> None:
        messages = self._parts.messages
        messages.withdraw(*_CRAWL_SUBJECTS, SETTINGS)
        self._notice, self._lock_owner = _NO_NOTICE, None
        self._hint_notice.withdraw()
        self._traps.withdraw()
        self._parts.start_page.message.hide()
        if session is not None and session.path != self._path:
            self._parts.workspace.table.reset_view()
        self.show_project(session)
        if session is None:
            self._recollection.offer_unfinished()
            return
        self._parts.workspace.table.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._next.begin_anew()
        self._recent.remember_shown()
        if self._lock_owner is None:
            self._recollection.save_unfinished()
        if session.state is CrawlState.FINISHED and got_nothing(session.progress.outcomes):
            self._hint_notice.check(session.settings)

    def _receive(self, progress: Progress) -> None:
        before, self.progress = self._shown, progress
        has_first_rows = progress.revision > self._parts.workspace.revision() == 0
        if _is_at_work(progress) and _is_at_work(before) and not has_first_rows:
            self._counters.request()
        else:
            self._show_progress()
        if progress.state is before.state and progress.seconds > _YOUNG_S:
            self._panels.request()

    def _refresh_counters(self) -> None:
        self._show_progress()
        self._counters.finished()

    def _refresh_panels(self) -> None:
        self._parts.workspace.show_progress(self.progress)
        self._panels.finished()

    def _show_progress(self) -> None:
        parts, progress = self._parts, self.progress
        before, self._shown = self._shown.state, progress
        elsewhere = self._crawl.is_elsewhere
        possible = replace(
            parts.actions.state,
            commands=allowed(progress.state, elsewhere=elsewhere),
            has_project=self._crawl.session is not None,
            has_errors=progress.errors > 0 and not elsewhere,
        )
        if possible != parts.actions.state or progress.state is not before:
            parts.top_bar.offer(possible, has_crawl=progress.state is not CrawlState.NEW)
            parts.workspace.set_read_only(read_only=elsewhere)
        self._show_lock_owner()
        self._settings_warning.update()
        self._archive_notice.update(progress)
        parts.progress_line.show_progress(progress, elsewhere=self._lock_owner is not None)
        if progress.state is not before or progress.seconds <= _YOUNG_S:
            parts.workspace.show_progress(progress)
        self._notifications.watch(progress, self._host())
        if progress.state is not before:
            self._show_new_state(progress)
        told, self._notice = self._notice, _notice_of(progress)
        if self._notice != told:
            self._show_notice(progress)

    def _find_failure(self, tell: "Callable[[Translatable | None], None]") -> None:
        """Find out whether a finished crawl has failed: it does not show its site."""
        if (session := self._crawl.session) is None:
            return
        settings = session.settings
        self._parts.reader.submit(lambda rows: failure_in(rows, settings), tell, key=_FAILURE)

    def _show_lock_owner(self) -> None:
        """Who else crawls the project, or that nobody does any more."""
        session, before = self._crawl.session, self._lock_owner
        self._lock_owner = holder = None if session is None else session.held_by
        if holder == before or session is None:
            return
        messages = self._parts.messages
        if holder is not None:
            sentence = self.tr(
                "This project is being crawled by another process ({holder}). It is read-only here."
            )
            messages.tell("held", "warning", sentence.format(holder=spoken(holder.said)))
        elif Command.RESUME in allowed(session.state):
            sentence = self.tr(
                "The other process has stopped crawling this project. You can resume it here."
            )
            messages.tell("held", "info", sentence, self._resume())
        else:
            messages.withdraw("held")

    def _show_new_state(self, progress: Progress) -> None:
        self._recollection.save_unfinished()
        if progress.state is CrawlState.RUNNING:
            self._parts.messages.withdraw("crawl", "held", "aside", "queue", "renewal")
            self._hint_notice.withdraw()
            self._traps.withdraw()
        elif progress.state is CrawlState.FINISHED and self._crawl.session is not None:
            self._hint_notice.check(self._crawl.session.settings)
            self._traps.check()
            self._show_held(progress.outcomes.get(Outcome.HELD, 0))

    def _show_notice(self, progress: Progress) -> None:
        """Why the crawl paused by itself, or that this has passed."""
        notice, it_waits = _notice_of(progress)
        if not notice:
            if progress.state is CrawlState.PAUSED:
                self._parts.messages.withdraw("crawl")
            return
        sentence = spoken(notice)
        if it_waits:
            waits = self.tr("The crawl is waiting and will resume automatically.")
            sentence = f"{sentence} {waits}"
        buttons = [self._resume()]
        if url := progress.login_url:
            self._parts.messages.withdraw("login")  # of which that is no longer true
            log_in = MessageButton(self.tr("Log in again…"), lambda: self.login_wanted.emit(url))
            buttons.insert(0, log_in)
        self._parts.messages.tell("crawl", "warning", sentence, *buttons)

    def repeat_notice(self) -> None:
        """Repeat why the crawl is paused: the offered remedy was not used."""
        self._notice = _NO_NOTICE
        self._show_progress()

    def _show_trouble(self, trouble: Translatable) -> None:
        sentence, rescue = self._with_rescue(trouble)
        self._parts.messages.tell("crawl", "error", sentence, rescue or self._resume())

    def _show_renewal_error(self, trouble: Translatable) -> None:
        self._parts.messages.tell("renewal", "error", spoken(trouble))

    def _show_read_error(self, trouble: Translatable) -> None:
        sentence, rescue = self._with_rescue(trouble)
        self._parts.messages.tell("reading", "error", sentence, *filter(None, [rescue]))

    def _with_rescue(self, trouble: Translatable) -> tuple[str, MessageButton | None]:
        """The message about trouble; for a damaged project, with the button that helps."""
        path = damaged_file(trouble)
        if path is None:
            return spoken(trouble), None
        sentence = self.tr(
            "{path} is damaged. Use a backup, or rescue what is readable into a new project."
        )
        rescue = MessageButton(self.tr("Rescue…"), lambda: self.rescue_wanted.emit(path))
        return sentence.format(path=path), rescue

    def _confirm_action(self, action: BulkActionKind, selection: UrlSelection) -> None:
        """What was done, and how to continue or undo it."""
        messages, folder = self._parts.messages, formatting.clean(display_url(selection.folder))
        if action is BulkActionKind.RECRAWL:
            self._show_requeued()
        elif action is BulkActionKind.EXCLUDE:
            sentence = self.tr("{folder} is now excluded from this crawl.")
            undo = self._undo(BulkActionKind.INCLUDE, selection)
            messages.tell("excluded", "info", sentence.format(folder=folder), undo)
        elif action is BulkActionKind.CANCEL:
            sentence = self.tr("Cancelled: %Ln URL(s).", "", len(selection.ids))
            if folder:
                sentence = self.tr("Cancelled: {folder} and everything below it.").format(
                    folder=folder
                )
            elif selection.below is not None:
                sentence = self.tr("Cancelled: the selected URL and everything below it.")
            messages.tell(
                "cancelled", "info", sentence, self._undo(BulkActionKind.RESTORE, selection)
            )

    def _undo(self, action: BulkActionKind, selection: UrlSelection) -> MessageButton:
        return MessageButton(self.tr("Undo"), lambda: self._crawl.perform(action, selection))

    def _show_requeued(self) -> None:
        """If a crawl does not continue by itself with what is to be crawled again: say so."""
        state = self._crawl.state
        if Command.RESUME in allowed(state) and state is not CrawlState.PAUSING:
            sentence = self.tr("Back in the queue. Press Resume to fetch everything queued.")
            self._parts.messages.tell("queue", "info", sentence, self._resume())

    def _show_held(self, urls: int) -> None:
        """If a crawl is finished except for what the user holds back."""
        if urls:
            release = MessageButton(
                self.tr("Put all back"),
                lambda: self._crawl.perform(BulkActionKind.RELEASE, UrlSelection()),
            )
            sentence = self.tr("Finished, except for %Ln URL(s) skipped for now.", "", urls)
            self._parts.messages.tell("aside", "info", sentence, release)

    def _host(self) -> str:
        """The first host of the crawl shown, "" if there is none."""
        session = self._crawl.session
        roots = () if session is None else session.settings.roots
        return host_of(roots[0]) if roots else ""

    def _resume(self) -> MessageButton:
        def resume() -> None:
            self._notice = _NO_NOTICE  # what still keeps the crawl from it is reported again
            self._crawl.command(Command.RESUME, self._parts.top_bar.workers.value())

        return MessageButton(self.tr("Resume"), resume)


def _notice_of(progress: Progress) -> tuple[Translatable | None, bool]:
    """Why the crawl paused by itself, if so, and whether it continues by itself."""
    return (progress.notice, progress.waits) if progress.state in PAUSES else _NO_NOTICE


def _is_at_work(progress: Progress) -> bool:
    """Whether there is nothing to report but counters."""
    return progress.state is CrawlState.RUNNING and progress.why_nothing_yet is None


def _home(session: SessionPort) -> str:
    """The origin of the only site that is crawled, by the first roots; "" for several."""
    origins = {origin(parse_root(root)) for root in session.settings.roots[:_ROOTS_COMPARED]}
    return origins.pop() if len(origins) == 1 else ""
