"""Shows the history of the site of the project shown, and keeps its notes."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import RuleGroup
from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import SessionPort
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.issues.rule_texts import full_rule_name, group_name
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.tables.table_tabs import ISSUES
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import host_of, spoken
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import KnownError
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.series_contents import Note, NoteSubject

if TYPE_CHECKING:
    from gossamer.audit.site_rule import SiteRule
    from gossamer.gui.history.crawl_table import ListedCrawl
    from gossamer.gui.history.history_window import HistoryWindow
    from gossamer.gui.history.site_history import SiteHistory
    from gossamer.gui.issues.issue_counts import IssueCounts
    from gossamer.gui.notes.notes_dialog import NotesDialog
    from gossamer.gui.notes.url_notes import UrlNotes
    from gossamer.store.series_file import Series

T = TypeVar("T")
_REPAIRED: Final = "series"
_UNKNOWN: Final = "noted url"
_tr = translator("CrawlHistory")


class SeriesController(QObject):
    """Has at most one history window, of the site of the project shown.

    `comparison_wanted` carries the project files of two crawls, the earlier one first.
    """

    comparison_wanted = Signal(object, object)

    def __init__(self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._window: HistoryWindow | None = None
        self._state = crawl.state
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By name: later requests to the series are shown later."""
        space = parts.workspace
        space.details.views.when_made(DetailViews.notes, self._connect_notes)
        space.table.issues_area.when_made(
            lambda issues: issues.notes_wanted.connect(self.show_notes_on_issue)
        )
        crawl.opened.connect(self._turn_to)
        crawl.progressed.connect(self._follow)

    def _connect_notes(self, notes: "UrlNotes") -> None:
        notes.add_wanted.connect(lambda text: self._add_note(NoteSubject.URL, notes.url, text))
        notes.change_wanted.connect(self.change_note)
        notes.remove_wanted.connect(self.remove_note)

    # ------------------------------------------------------------ the history

    @performs(WindowAction.HISTORY)
    def show_history(self) -> None:
        """Show the crawls of the site, or bring their window to the front."""
        if self._crawl.session is None:
            return
        if self._window is None:
            from gossamer.gui.history.history_window import HistoryWindow  # noqa: PLC0415 - the start does without

            window = self._window = HistoryWindow(self._parts.window)
            window.trend_wanted.connect(self._read_trend)
            crawls, notes = window.crawls, window.notes
            crawls.open_wanted.connect(self._open)
            crawls.comparison_wanted.connect(self._compare)
            crawls.relink_wanted.connect(self._relink)
            window.forget_wanted.connect(self._forget_crawl)
            for source in (crawls.note_wanted, notes.add_wanted):
                source.connect(self._add)
            notes.change_wanted.connect(self.change_note)
            notes.remove_wanted.connect(self.remove_note)
            notes.subject_wanted.connect(self._show_subject)
            window.finished.connect(self._forget_window)
            self._read("find projects", _find_moved, self._refresh_if)
        self.refresh()
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    def refresh(self) -> None:
        """Read the history again, if it is visible."""
        if self._window is not None:
            self._read("crawl history", _read_history, self._show_history)

    def _refresh_if(self, found: bool) -> None:  # noqa: FBT001 - what was read
        if found:
            self.refresh()

    def _show_history(self, history: "SiteHistory") -> None:
        window, session = self._window, self._crawl.session
        if window is None or session is None:
            return
        site = host_of(next(iter(session.settings.roots), ""))
        window.show_crawls(site, history.crawls, history.flags)
        window.offer_trends(_trends(history.rules, session))
        window.show_notes(history.notes, session.settings)

    def _read_trend(self, rules: tuple[int, ...] | None) -> None:
        if rules is None:
            return

        def read(series: "Series", _project: Path) -> Mapping[float, int]:
            return series.issue_trend(rules)

        def show(urls: Mapping[float, int]) -> None:
            if self._window is not None:
                self._window.show_trend(rules, urls)

        self._read("trend", read, show)

    def _open(self, crawl: "ListedCrawl") -> None:
        self._crawl.open(crawl.path)

    def _relink(self, crawl: "ListedCrawl", file: Path) -> None:
        from gossamer.session.project_locations import relink_crawl  # noqa: PLC0415 - the start does without

        begun = crawl.snapshot.created_at
        self._write(lambda series: relink_crawl(series, begun, file))

    def _forget_crawl(self, crawl: "ListedCrawl") -> None:
        from gossamer.session.project_locations import forget_crawls  # noqa: PLC0415 - likewise

        begun = crawl.snapshot.created_at
        self._write(lambda series: forget_crawls(series, [begun]))

    def _compare(self, before: "ListedCrawl", after: "ListedCrawl") -> None:
        self.comparison_wanted.emit(before.path, after.path)

    # ------------------------------------------------------------ notes

    def show_notes_on_issue(self) -> None:
        """Show the notes about the issue that is chosen in the Issues tab."""
        from gossamer.gui.notes.notes_dialog import NotesDialog  # noqa: PLC0415 - the start does without

        rule, counts = self._parts.workspace.table.issues_area.rule, self._counts
        if rule is None:
            return
        dialog = NotesDialog(full_rule_name(rule, counts.settings), self._parts.window)
        notes, show = dialog.notes, partial(_show_notes_on, counts, rule, dialog)
        notes.add_wanted.connect(partial(self._add_note, NoteSubject.ISSUE, str(rule.number)))
        notes.change_wanted.connect(self.change_note)
        notes.remove_wanted.connect(self.remove_note)
        counts.changed.connect(show)
        dialog.finished.connect(lambda: counts.changed.disconnect(show))
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        show()
        dialog.show()

    @performs(WindowAction.NOTES)
    def show_notes(self) -> None:
        """Show all notes of the site, in the window of its history."""
        self.show_history()
        if self._window is not None:
            self._window.turn_to_notes()

    def _show_subject(self, note: Note) -> None:
        """Go to what a note is about."""
        window = self._window
        if note.subject is NoteSubject.URL:
            self._show_url(note.about)
        elif note.subject is NoteSubject.ISSUE:
            self._show_issue(note.about)
        elif note.day is not None and window is not None:
            window.turn_to_day(note.day)
        elif note.subject is NoteSubject.CRAWL and window is not None:
            with suppress(ValueError):  # of a file that somebody else has written
                window.turn_to_crawl(float(note.about))

    def _show_url(self, url: str) -> None:
        def show(url_id: int | None) -> None:
            if url_id is None:
                sentence = _tr("This crawl does not know {url}.").format(url=formatting.clean(url))
                self._parts.messages.tell(_UNKNOWN, "info", sentence)
            else:
                self._parts.messages.withdraw(_UNKNOWN)
                self._parts.workspace.table.select_url(url_id)
                self._parts.workspace.details.show_notes(url_id)
            self._raise_main()

        self._parts.reader.submit(lambda rows: rows.lookup(url), show, key=f"noted url {id(self)}")

    def _show_issue(self, number: str) -> None:
        rules = (rule for known, rule in RULES.items() if str(known) == number)
        rule = next(rules, None)
        if rule is not None:
            self._parts.workspace.table.set_view(ISSUES)
            self._parts.workspace.table.issues.choose(rule)
            self._raise_main()

    def _raise_main(self) -> None:
        self._parts.window.raise_()
        self._parts.window.activateWindow()

    def change_note(self, note: Note) -> None:
        """Give a note another text."""
        self._write(lambda series: series.change_note(note))

    def remove_note(self, note: Note) -> None:
        """Remove a note."""
        self._write(lambda series: series.remove_note(note.id))

    def _add_note(self, subject: NoteSubject, about: str, text: str) -> None:
        self._add(Note(text=text, subject=subject, about=about))

    def _add(self, note: Note) -> None:
        from gossamer.session.series import write_note  # noqa: PLC0415 - the start does without

        self._write(lambda series: write_note(series, note))

    # ------------------------------------------------------------ reading and writing

    def _write(self, change: "Callable[[Series], object]") -> None:
        self._read("write series", lambda series, _: change(series), self._show_change)

    def _show_change(self, _written: object) -> None:
        """Show everywhere what was written."""
        self._counts.refresh(at_once=True)
        self._parts.workspace.refresh()
        self.refresh()

    @property
    def _counts(self) -> "IssueCounts":
        return self._parts.workspace.table.issue_counts

    def work(self, name: str, work: "Callable[[Series], T]", then: Callable[[T], None]) -> None:
        """Do something with the series of the project shown, on a thread; then continue.

        Work of the same name is done one after the other.
        """
        self._read(name, lambda series, _: work(series), then)

    def _read(
        self, name: str, read: "Callable[[Series, Path], T]", then: Callable[[T], None]
    ) -> None:
        """Read something of the series, or write to it, on a thread; then continue."""
        session = self._crawl.session
        if session is not None:
            self._tasks.start(name, self._work(self._turns[name], session, read, then))

    async def _work(
        self,
        turn: asyncio.Lock,
        session: SessionPort,
        read: "Callable[[Series, Path], T]",
        then: Callable[[T], None],
    ) -> None:
        from gossamer.session.series import series_of  # noqa: PLC0415 - the start does without

        def work() -> "tuple[Series, T]":
            series = series_of(session.path)
            return series, read(series, session.path)

        async with turn:
            try:
                series, found = await asyncio.to_thread(work)
            except KnownError as e:
                if self._window is None:
                    raise
                self._window.message.show_text("error", spoken(e.said))
                return
            if session is self._crawl.session:
                if series.repaired is not None:
                    self._parts.messages.tell(_REPAIRED, "warning", spoken(series.repaired))
                then(found)

    # ------------------------------------------------------------ the crawl

    def _turn_to(self, session: SessionPort | None) -> None:
        """Another project is shown, or none: a history of the same site stays."""
        self._state = CrawlState.NEW if session is None else session.state
        if session is None and self._window is not None:
            self._window.close()
        self.refresh()

    def _follow(self, progress: Progress) -> None:
        before, self._state = self._state, progress.state
        if before is not progress.state:
            self.refresh()

    def _forget_window(self) -> None:
        self._window = None


def _show_notes_on(counts: "IssueCounts", rule: "SiteRule", dialog: "NotesDialog") -> None:
    dialog.notes.show_notes(counts.notes_on(rule))


def _find_moved(series: "Series", project: Path) -> bool:
    from gossamer.session.project_locations import find_moved  # noqa: PLC0415 - the start does without

    return find_moved(series, project)


def _read_history(series: "Series", project: Path) -> "SiteHistory":
    from gossamer.gui.history.site_history import read_history  # noqa: PLC0415 - the start does without
    from gossamer.session.series import created_at_of  # noqa: PLC0415 - likewise

    return read_history(series, created_at_of(project))


def _trends(rules: Sequence[int], session: SessionPort) -> list[tuple[str, object]]:
    """The tabs and issues of which any crawl of the series had URLs: their name, their rules."""
    known = [RULES[number] for number in RULES if number in set(rules)]
    groups = [
        (
            _tr("All issues of {tab}").format(tab=group_name(group)),
            tuple(each.number for each in known if each.group is group),
        )
        for group in RuleGroup
    ]
    single = [(full_rule_name(each, session.settings), (each.number,)) for each in known]
    return [(name, found) for name, found in (*groups, *single) if found]
