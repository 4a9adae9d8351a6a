"""Offers the bulk actions on selected rows: recrawl, cancel, hold and others."""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView

from gossamer.gui.actions.action_declaration import SelectionState
from gossamer.gui.actions.view_actions import ViewAction, add_view_action, offer_actions
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.outcome import NEVER_ASKED, Outcome, UrlState
from gossamer.urls.url_folders import folders

MAX_ROWS: Final = 10_000
"""Rows of a table that are handled at once; a folder or a node stands for any number."""

_MORE_THAN_SITE: Final = 2


@dataclass(frozen=True, slots=True)
class ActionTarget:
    """What a bulk action applies to. Exactly one field is set.

    `rows` are rows of a table, whose URLs `targets` returns on the reader thread.
    """

    rows: Sequence[int] = ()
    below: int | None = None
    folder: str = ""


_POSSIBLE: Final[dict[UrlState, frozenset[BulkActionKind]]] = {
    UrlState.QUEUED: frozenset({BulkActionKind.FIRST, BulkActionKind.HOLD, BulkActionKind.CANCEL}),
    UrlState.HELD: frozenset({BulkActionKind.FIRST, BulkActionKind.RELEASE, BulkActionKind.CANCEL}),
    UrlState.DONE: frozenset({BulkActionKind.RECRAWL}),
    UrlState.FAILED: frozenset({BulkActionKind.RECRAWL}),
    UrlState.SKIPPED: frozenset({BulkActionKind.RECRAWL}),
    UrlState.CANCELLED: frozenset({BulkActionKind.RECRAWL}),
}
"""The actions that change anything about a URL in this state."""


def possible_actions(outcomes: AbstractSet[Outcome]) -> frozenset[BulkActionKind]:
    """The actions that would change URLs with these outcomes; all if none is known."""
    states = {outcome.state for outcome in outcomes - NEVER_ASKED}
    if outcomes and not states:
        return frozenset()
    return frozenset({BulkActionKind.EXCLUDE}).union(
        *(_POSSIBLE[state] for state in states or _POSSIBLE)
    )


class BulkActionMenu(QObject):
    """The bulk actions of a view. `wanted` has kind and selection, `said` a sentence.

    `outcomes` are those of the selected URLs; empty if they are unknown, or stand for more.
    """

    wanted = Signal(object, object)
    said = Signal(str)

    def __init__(
        self,
        view: QAbstractItemView,
        reader: ProjectReader,
        target: Callable[[], ActionTarget | None],
        targets: Callable[[ProjectRows, Sequence[int]], Sequence[int]] = lambda _, ids: ids,
        *,
        outcomes: Callable[[], Iterable[Outcome]] = tuple,
        is_tree: bool = False,
    ) -> None:
        super().__init__(view)
        self._outcomes = outcomes
        self._read_only = False
        self._view = view
        self._reader = reader
        self._action_target = target
        self._targets = targets
        performed: dict[ViewAction, Callable[[], None]] = {
            ViewAction.RECRAWL: lambda: self._perform(BulkActionKind.RECRAWL),
            ViewAction.CRAWL_FIRST: lambda: self._perform(BulkActionKind.FIRST),
            ViewAction.HOLD: lambda: self._perform(BulkActionKind.HOLD),
            ViewAction.RELEASE: lambda: self._perform(BulkActionKind.RELEASE),
            ViewAction.CANCEL: lambda: self._perform(BulkActionKind.CANCEL),
            ViewAction.EXCLUDE_FOLDER: self._exclude,
        }
        self.actions = {
            declared: add_view_action(view, declared, perform, with_all_below=is_tree)
            for declared, perform in performed.items()
        }
        view.selectionModel().selectionChanged.connect(self.update_enabled)
        # What was selected before its row was read, or changes while the crawl goes on. Once for
        # all the ranges of rows that change together.
        self._update = QTimer(self, singleShot=True, interval=0)
        self._update.timeout.connect(self.update_enabled)
        view.model().dataChanged.connect(lambda *_: self._update.start())
        view.model().modelReset.connect(self._update.start)
        self.update_enabled()

    def update_enabled(self) -> None:
        """Enable what can be done with the current selection."""
        has_urls = self._view.selectionModel().hasSelection()
        can = has_urls and not self._read_only
        crawl_actions = possible_actions(set(self._outcomes())) if can else frozenset()
        offer_actions(self.actions, SelectionState(has_urls, crawl_actions=crawl_actions))

    def set_read_only(self, *, read_only: bool) -> None:
        """Set whether nothing can be done, because another process crawls the project."""
        self._read_only = read_only
        self.update_enabled()

    def _perform(self, kind: BulkActionKind) -> None:
        target = self._action_target()
        if target is None:
            return
        if len(target.rows) > MAX_ROWS:
            words = self.tr("Too many rows: select at most {n}")
            self.said.emit(words.format(n=formatting.number(MAX_ROWS)))
        elif target.rows:
            rows, targets = target.rows, self._targets
            self._reader.submit(
                lambda project: tuple(dict.fromkeys(targets(project, rows))),
                lambda ids: self.wanted.emit(kind, UrlSelection(ids=ids)),
                key=f"bulk action {id(self)}",
            )
        elif target.folder or target.below is not None:
            self.wanted.emit(kind, UrlSelection(folder=target.folder, below=target.below))

    def _exclude(self) -> None:
        target = self._action_target()
        if target is None:
            return
        if target.folder:
            self._exclude_folder(target.folder)
            return
        rows, targets = target.rows[:1], self._targets

        def read(project: ProjectRows) -> str:
            ids = [target.below] if target.below is not None else targets(project, rows)
            return next((_folder(record.url) for record in project.records(ids)), "")

        self._reader.submit(read, self._exclude_folder, key=f"bulk action {id(self)}")

    def _exclude_folder(self, folder: str) -> None:
        if len(folders(folder)) < _MORE_THAN_SITE:
            self.said.emit(self.tr("This is the whole site, not a folder"))
            return
        self.wanted.emit(BulkActionKind.EXCLUDE, UrlSelection(folder=folder))


def _folder(url: str) -> str:
    return "".join(f"{name}/" for name in folders(url))
