"""Crawls a project again, and offers what follows its end: compare, or replace."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, Signal

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import SessionFactoryPort
from gossamer.gui.runtime.file_checks import is_file
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.project_reopening import shown_again
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.tables.table_columns import value_text
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled, listed, sentences, spoken
from gossamer.gui.widgets.message_bar import MessageButton
from gossamer.model.crawl_state import CrawlState
from gossamer.model.facets import FACET_FIELDS, FacetCount, as_member
from gossamer.model.failure_changes import SINCE_LAST_CRAWL, changed_failures
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import FORMER_PAGES
from gossamer.model.project_queries import Facet, Filter, View
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.translatable import Translatable

if TYPE_CHECKING:
    from gossamer.gui.crawl.session_interfaces import SessionPort
    from gossamer.model.settings.crawl_settings import CrawlSettings
    from gossamer.session.session_factory import SessionFactory

_MESSAGE: Final = "recrawl"
_SINCE: Final = SINCE_LAST_CRAWL
_OUTCOME: Final = "outcome"


@dataclass(frozen=True, slots=True)
class EarlierCrawl:
    """The project that a crawl followed, if it still exists."""

    path: Path
    created_at: float
    is_updated: bool
    """Whether the crawl is to replace it."""
    failure: Translatable | None = None
    """Why the crawl after it has failed, or may not replace it."""


class RecrawlController(QObject):
    """`comparison_wanted` carries the paths of the earlier and the later crawl."""

    comparison_wanted = Signal(object, object)

    def __init__(self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._state = crawl.state
        self._earlier: EarlierCrawl | None = None
        crawl.opened.connect(self._turn_to)
        crawl.progressed.connect(self._follow)

    @performs(WindowAction.CRAWL_AGAIN)
    def ask(self) -> None:
        """Ask how to crawl the project shown again."""
        session = self._crawl.session
        if session is not None:
            self._ask(session.path, session.settings)

    def ask_about(self, project: Path) -> None:
        """Ask how to crawl another project again."""
        self._tasks.start("look at project", self._look(project))

    async def _look(self, project: Path) -> None:
        self._ask(project, await asyncio.to_thread(_settings_of, project))

    def _ask(self, project: Path, settings: "CrawlSettings") -> None:
        from gossamer.gui.crawl.recrawl_dialog import RecrawlDialog  # noqa: PLC0415 - the start does without

        for asked in self._parts.window.findChildren(RecrawlDialog):
            asked.close()  # or the second of two would begin a crawl that ends the first
        dialog = RecrawlDialog(project, settings, self._parts.window)

        def start(changes: Mapping[str, object], is_update: bool) -> None:  # noqa: FBT001 - a signal's argument
            secrets = self._secrets_for(project)
            self._crawl.begin(partial(_recrawl, project, changes, is_update, secrets))

        dialog.recrawl_wanted.connect(start)
        dialog.show()

    def _secrets_for(self, project: Path) -> Secrets:
        """The secrets of the crawl shown, if that is the one to crawl again."""
        session = self._crawl.session
        if session is None or session.path != project:
            return NO_SECRETS
        return session.secrets_for_recrawl

    # ------------------------------------------------------------ afterwards

    def _turn_to(self, session: "SessionPort | None") -> None:
        self._parts.messages.withdraw(_MESSAGE)
        self._earlier = None
        self._state = CrawlState.NEW if session is None else session.state

    def _follow(self, progress: Progress) -> None:
        before, self._state = self._state, progress.state
        session = self._crawl.session
        if session is None or before is progress.state:
            return
        if progress.state is CrawlState.FINISHED:
            self._tasks.start("earlier crawl", self._find(session.path))
        else:
            self._parts.messages.withdraw(_MESSAGE)

    async def _find(self, project: Path) -> None:
        earlier = await asyncio.to_thread(_earlier_of, project)
        if earlier is None or not self._is_shown(project):
            return
        self._earlier = earlier
        self._parts.reader.submit(
            lambda rows: (
                rows.facet(View.PAGES, Filter(), _SINCE),
                rows.facet(View.ALL, Filter(), _OUTCOME),
                changed_failures(rows),
            ),
            self._tell,
            key=_MESSAGE,
        )

    def _tell(self, found: tuple[Sequence[FacetCount], Sequence[FacetCount], int]) -> None:
        """What is the same as before, what is gone, what fails now, and what can be done."""
        counts, outcomes, failures = found
        earlier, session = self._earlier, self._crawl.session
        if earlier is None or session is None:
            return
        date = formatting.moment(earlier.created_at)
        if earlier.failure is not None:
            self._tell_of_failure(earlier, date, earlier.failure)
            return
        later = session.path
        words = self.tr("The site was crawled again, after the crawl of {date}.").format(date=date)
        buttons = [
            MessageButton(
                self.tr("Compare with the crawl of {date}").format(date=date),
                lambda: self.comparison_wanted.emit(earlier.path, later),
            )
        ]
        if earlier.is_updated:
            replace = self.tr("Replace {name}").format(name=earlier.path.name)
            buttons.append(MessageButton(replace, lambda: self._replace(earlier.path)))
        told = [words]
        former = [each for each in outcomes if each.value in FORMER_PAGES]
        if on_pages := listed([*_words_on(_SINCE, counts), *_words_on(_OUTCOME, former)]):
            told.append(self.tr("Pages: {counts}.").format(counts=on_pages))
        if failures:
            told.append(
                self.tr(
                    "Errors and redirects with a different response than before: {count}"
                ).format(count=formatting.number(failures))
            )
        self._parts.messages.tell(_MESSAGE, "finished", sentences(told), *buttons)

    def _tell_of_failure(self, earlier: EarlierCrawl, date: str, why: Translatable) -> None:
        name = earlier.path.name
        if earlier.is_updated:  # one without pages has not failed, and replaces nothing
            words = self.tr("The site was crawled again, but {name} was not replaced. {reason}")
        else:
            words = self.tr("The site was crawled again, but the crawl failed. {reason}")
        stays = self.tr("The crawl of {date} is as it was.").format(date=date)
        show = self.tr("Show the crawl of {date}").format(date=date)
        self._parts.messages.tell(
            _MESSAGE,
            "warning",
            sentences([words.format(name=name, reason=spoken(why)), stays]),
            MessageButton(show, lambda: self._crawl.open(earlier.path)),
        )

    def _replace(self, file: Path) -> None:
        self._tasks.start("replace project", self._put_in_place(file))

    async def _put_in_place(self, file: Path) -> None:
        """Have the update that is shown replace the project at `file`, and show that."""
        from gossamer.session.recrawl import finish_update  # noqa: PLC0415 - the start does without

        async with shown_again(self._crawl, file):
            await self._crawl.put_aside(renews=True)
            await asyncio.to_thread(finish_update, file)

    def _is_shown(self, project: Path) -> bool:
        session = self._crawl.session
        return session is not None and session.path == project


def _recrawl(
    previous: Path,
    changes: Mapping[str, object],
    is_update: bool,  # noqa: FBT001 - one of two ways
    secrets: Secrets,
    sessions: SessionFactoryPort,
) -> "SessionPort":
    """A session that crawls a project again."""
    from gossamer.session.recrawl import start_recrawl, start_update  # noqa: PLC0415 - the start does without

    start = start_update if is_update else start_recrawl
    # It only uses of the factory what the port has.
    factory = cast("SessionFactory", sessions)
    return start(previous, changes=changes, secrets=secrets, sessions=factory)


def _words_on(facet: Facet, counts: Sequence[FacetCount]) -> list[str]:
    """How many pages have each value, such as "Changed: 3"."""
    field = FACET_FIELDS[facet]
    return [
        labelled(value_text(field, as_member(facet, count.value)), formatting.number(count.count))
        for count in counts
        if count.value
    ]


def _settings_of(project: Path) -> "CrawlSettings":
    from gossamer.store.project import stored_settings  # noqa: PLC0415 - the start does without

    return stored_settings(project)


def _earlier_of(project: Path) -> EarlierCrawl | None:
    """The project that this one was crawled after, if it exists; ProjectError."""
    from gossamer.session.crawl_failure import crawl_failure  # noqa: PLC0415 - likewise
    from gossamer.session.recrawl import update_failure, update_path  # noqa: PLC0415 - the start does without
    from gossamer.store.reading.reader import Reader  # noqa: PLC0415 - likewise

    with Reader(project) as reader:
        previous = reader.summary().previous
    if previous is None or not is_file(path := Path(previous.path)):
        return None
    is_updated = update_path(path) == project
    why = update_failure(path) if is_updated else crawl_failure(project)
    return EarlierCrawl(path, previous.created_at, is_updated, why)
