"""Shows the errors of spelling and grammar, looks for suggestions, and ignores words and rules."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from gossamer.audit.proofreading_gaps import proofreading_gaps
from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import SessionPort
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text.translated_sentences import sentences, spoken
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import KnownError
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.text_errors import ErrorKind, ErrorLocation, ErrorSummary, TextError
from gossamer.model.translatable import Translatable
from gossamer.session.settings_warnings import missing_dictionaries

if TYPE_CHECKING:
    from gossamer.gui.proofreading.proofreading_window import ProofreadingWindow

_ERRORS: Final = "proofreading errors"
_LOCATIONS: Final = "proofreading locations"
_GAPS: Final = "proofreading gaps"
_IGNORING: Final = frozenset({"ignored_words", "ignored_grammar_rules"})


class ProofreadingController(QObject):
    """Has at most one window of errors, of the project shown."""

    def __init__(self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._window: ProofreadingWindow | None = None
        self._wanted: ErrorSummary | None = None
        """The misspelt word that gets suggestions next."""
        self._is_looking = False
        self._state = crawl.state
        crawl.opened.connect(self._turn_to)
        crawl.progressed.connect(self._follow)
        crawl.changed.connect(self._apply_settings)
        parts.workspace.details.ignore_error_wanted.connect(self.ignore)
        parts.workspace.table.issues_area.when_made(
            lambda issues: issues.text_errors_wanted.connect(self.show)
        )

    @performs(WindowAction.PROOFREADING)
    def show(self) -> None:
        """Show the errors of the site."""
        if self._crawl.session is None:
            return
        if self._window is None:
            from gossamer.gui.proofreading.proofreading_window import ProofreadingWindow  # noqa: PLC0415 - the start does without

            window = self._window = ProofreadingWindow(self._parts.window)
            window.locations.home = self._parts.workspace.table.view.home
            window.error_chosen.connect(self._look_closer)
            window.ignore_wanted.connect(self.ignore)
            window.page_wanted.connect(self._show_page)
            window.finished.connect(self._forget_window)
        self.refresh()
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    def refresh(self) -> None:
        """List the current errors."""
        session = self._crawl.session
        if self._window is None or session is None:
            return
        settings = session.settings

        def read(rows: ProjectRows) -> tuple[list[ErrorSummary], list[Translatable]]:
            return rows.error_summaries(), proofreading_gaps(rows, settings)

        self._parts.reader.submit(read, self._list, key=_ERRORS, background=True)

    def ignore(self, error: TextError) -> None:
        """Stop reporting a word, or the finds of a grammar rule: stored in the project."""
        session = self._crawl.session
        if session is None:
            return
        settings = session.settings
        if error.kind is ErrorKind.GRAMMAR:
            rules = dict.fromkeys((*settings.ignored_grammar_rules, error.rule))
            self._crawl.change({"ignored_grammar_rules": tuple(rules)})
        else:
            words = dict.fromkeys((*settings.ignored_words, error.text))
            self._crawl.change({"ignored_words": tuple(words)})

    def _list(self, found: tuple[list[ErrorSummary], list[Translatable]]) -> None:
        session = self._crawl.session
        if self._window is None or session is None:
            return
        errors, gaps = found
        settings = session.settings
        if settings.check_spelling or settings.languagetool:
            empty = self.tr("No errors.")
        else:
            empty = self.tr(
                "This crawl checked neither spelling nor grammar. Switch that on in the settings, "
                "and crawl again."
            )
        self._window.show_errors(errors, empty)
        self._window.show_gaps(sentences([spoken(each) for each in gaps]) if gaps else "")

    def _show_page(self, url_id: int) -> None:
        """Show a page in the table and in the details."""
        space = self._parts.workspace
        space.table.select_url(url_id)
        space.details.select_url(url_id)

    def _look_closer(self, chosen: ErrorSummary) -> None:
        error = chosen.error
        self._parts.reader.submit(
            lambda rows: (error, rows.error_locations(error)), self._show_locations, key=_LOCATIONS
        )
        self._wanted = chosen if error.kind is ErrorKind.SPELLING else None
        if self._wanted is not None and not self._is_looking:
            self._is_looking = self._tasks.start("suggestions", self._suggest()) is not None

    def _show_locations(self, found: tuple[TextError, list[ErrorLocation]]) -> None:
        error, locations = found
        window = self._window
        if window is not None and window.errors.current and window.errors.current.error == error:
            window.show_locations(locations)

    async def _suggest(self) -> None:
        """Find suggestions, until there are those for the word chosen last.

        Words that were skipped meanwhile are left out; breaking off would end the process that
        suggests.
        """
        try:
            while (wanted := self._wanted) is not None and self._crawl.session is not None:
                self._wanted = None
                error = wanted.error
                inspection = self._crawl.session.inspection
                try:
                    words = await inspection.suggest(error.text, wanted.language)
                except KnownError as e:
                    if self._window is not None:
                        self._window.show_problem(spoken(e.said))
                else:
                    if self._window is not None:
                        self._window.show_suggestions(error, words)
        finally:
            self._is_looking = False

    def _apply_settings(self, names: Collection[str]) -> None:
        if not _IGNORING.isdisjoint(names):
            self.refresh()
            self._parts.workspace.refresh()

    def _turn_to(self, session: SessionPort | None) -> None:
        """Another project is shown, or none."""
        if self._window is not None:
            self._window.close()
        self._parts.reader.forget(_GAPS)
        self._parts.messages.withdraw(_GAPS)
        self._state = CrawlState.NEW if session is None else session.state
        if session is not None and self._crawl.began_here:
            self._show_gaps(missing_dictionaries(session.settings))

    def _follow(self, progress: Progress) -> None:
        before, self._state = self._state, progress.state
        session = self._crawl.session
        if session is None or before is progress.state:
            return
        if progress.state is CrawlState.FINISHED:
            settings = session.settings
            self._parts.reader.submit(
                lambda rows: proofreading_gaps(rows, settings), self._show_gaps, key=_GAPS
            )
            self.refresh()

    def _show_gaps(self, gaps: list[Translatable]) -> None:
        if gaps:
            words = sentences([spoken(each) for each in gaps])
            self._parts.messages.tell(_GAPS, "warning", words)

    def _forget_window(self) -> None:
        self._window = self._wanted = None
