"""Base panel of the trees over the project file, which grow while a crawl runs."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QCoreApplication,
    QItemSelection,
    QModelIndex,
    QPoint,
    Qt,
    QTimer,
)
from PySide6.QtGui import QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.actions.view_actions import (
    EXPAND_SHORTCUTS,
    ViewAction,
    add_view_action,
    add_view_menu,
)
from gossamer.gui.context_menu.bulk_action_menu import ActionTarget, BulkActionMenu
from gossamer.gui.context_menu.url_menu import UrlActions, ViewSelection
from gossamer.gui.project.project_panel import ProjectPanel
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.trees.find_bar import FindBar
from gossamer.gui.trees.lazy_tree import LazyTreeModel
from gossamer.gui.trees.row_tree import RowTree
from gossamer.gui.trees.tree_expander import TreeExpander
from gossamer.gui.trees.tree_source import TreeSource
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, TreeNode, View, facet_values

if TYPE_CHECKING:
    from collections.abc import Callable

_SETTLE_MS: Final = 60
_MAX_SHOWN: Final = 500
"""Rows requested at once; more never fit on a screen."""


class TreePanel(ProjectPanel):
    """A tree of URLs. Refreshes only visible nodes, so its cost stays constant.

    Its actions and its find bar are made when it is first shown: most windows show one tree.
    """

    def __init__(
        self, source: TreeSource, reader: ProjectReader, parent: QWidget | None = None
    ) -> None:
        super().__init__(reader, parent)
        self.model = LazyTreeModel(source, reader, self)
        self.view = RowTree(self.model)
        self._note = EmptyStateLabel(self.view)
        self._source = source
        self._is_complete = False
        self._waiting: list[Callable[[TreePanel], object]] = []
        self._current: int | None = None
        self._is_selecting_quietly = False
        self._moved = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.view)
        self.setFocusProxy(self.view)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._update_visible)
        self.view.verticalScrollBar().valueChanged.connect(self._mark_moved)
        self.view.expanded.connect(self._mark_moved)
        self.view.selectionModel().selectionChanged.connect(self._emit_selected)
        self.view.activated.connect(self._activate)
        self.model.updated.connect(self._take_rows)
        self.model.finished.connect(self._finish_refresh)
        self.model.revealed.connect(self._show_revealed)

    def when_complete(self, do: "Callable[[TreePanel], object]") -> None:
        """Call `do` with this tree once it has its actions: at once if it has."""
        if self._is_complete:
            do(self)
        else:
            self._waiting.append(do)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the actions, whose shortcuts work from then on."""
        if not self._is_complete:
            self._complete()
            self._is_complete = True
            while self._waiting:
                self._waiting.pop(0)(self)
        super().showEvent(event)

    def _complete(self) -> None:
        """Make the actions and the find bar."""
        self.url_actions = UrlActions(
            self.view,
            self._reader,
            ViewSelection(self._selected, may_redirect=self._may_redirect),
            possible=lambda: bool(self._selected()),
            without={ViewAction.SHOW_IN_TREE},
        )
        self.url_actions.table_wanted.connect(self.table_wanted)
        self.url_actions.inlinks_wanted.connect(self.inlinks_wanted)
        self.url_actions.rendering_wanted.connect(self.rendering_wanted)
        self.url_actions.url_wanted.connect(self._go)
        self.expander = TreeExpander(self.view, self.model)
        self.find_bar = FindBar()
        self._column.addWidget(self.find_bar)
        self.bulk_actions = BulkActionMenu(
            self.view, self._reader, self._action_target, outcomes=self._outcomes, is_tree=True
        )
        self.bulk_actions.wanted.connect(self.bulk_action_wanted)
        self._add_tree_actions()

    def select_url(self, url_id: int) -> None:
        """Open the path down to a URL and select it."""
        if self._project is not None:
            self.model.reveal(url_id)

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """Show it in tooltips and to screen readers."""
        self._source.in_flight = url_ids

    def follow(self, url_id: int) -> None:
        """Mark a URL that was selected elsewhere, now or when it is read; nothing is opened."""
        self._current = url_id
        self.view.setAutoScroll(False)
        index = self._index_of(url_id)
        if index.isValid():
            self._quietly_select(index)
        else:
            self.view.selectionModel().clear()
        self.view.setAutoScroll(True)

    def _add_tree_actions(self) -> None:
        """Find, and open several levels: in the context menu, and so also with the keyboard."""
        self.view.typed.connect(self._find)
        self.find_bar.search_requested.connect(self._read_found)
        self.find_bar.match_selected.connect(self._go)
        self.find_bar.closed.connect(self._stop_search)
        self.find_bar.closed.connect(self.view.setFocus)
        add_view_action(self.view, ViewAction.FIND_IN_TREE, lambda: self._find(""))
        menu = QMenu(self.view)
        for levels, keys in EXPAND_SHORTCUTS.items():
            words = QCoreApplication.translate("TreePanel", "%Ln level(s)", "", levels)
            action = menu.addAction(words)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(lambda _checked, levels=levels: self._expand(levels))
        add_view_menu(self.view, ViewAction.EXPAND, menu)
        add_view_action(self.view, ViewAction.COLLAPSE_ALL, self._collapse)

    def _action_target(self) -> ActionTarget | None:
        """The selected node with everything below it."""
        item = self.model.item(self._selected_index())
        return ActionTarget(below=item.id) if isinstance(item, TreeNode) else None

    def _outcomes(self) -> list[Outcome]:
        """The outcomes of the selected node, if nothing is below it."""
        item = self.model.item(self._selected_index())
        alone = isinstance(item, TreeNode) and not item.children
        return [item.outcome] if isinstance(item, TreeNode) and alone else []

    def _expand(self, levels: int) -> None:
        """Open the selected node to this depth; all top nodes if it has nothing to open."""
        index = self._selected_index()
        chosen = index if self.model.hasChildren(index) else QModelIndex()
        self.expander.expand(chosen, levels)

    def _collapse(self) -> None:
        self.expander.stop()
        self.view.collapseAll()

    def _find(self, typed: str) -> None:
        if self._project is not None:
            self.find_bar.open(typed, self._current or 0)

    def _read_found(self, text: str) -> None:
        filter_ = Filter(text, facets=facet_values(outcome=self._source.outcomes))
        self._reader.submit(
            lambda rows: rows.ids(View.ALL, filter_),
            self.find_bar.show_matches,
            key=self._search_key,
        )

    @property
    def _search_key(self) -> str:
        return f"find {id(self)}"

    def _stop_search(self) -> None:
        """What is found from now on would move the selection."""
        self._reader.forget(self._search_key)

    def _go(self, url_id: int) -> None:
        """Select a URL that was found, or that a redirect leads to."""
        self.select_url(url_id)
        self.url_selected.emit(url_id)

    def _start(self) -> None:
        self._current = None
        if self._is_complete:
            self.find_bar.forget()  # ids of another project mean others
        self._stop_search()
        self.model.set_active(active=self._project is not None)
        if self._project is not None:
            self.model.read_more(QModelIndex())

    def _read(self) -> None:
        shown, opened = self._in_sight()
        self.model.refresh(shown, opened)

    def _take_rows(self) -> None:
        """Rows have arrived. Their end may be visible, and a selected URL may have moved."""
        if self._current is not None and not self.view.selectionModel().hasSelection():
            self._quietly_select(self._index_of(self._current))
        self._settle.start()

    def _index_of(self, url_id: int) -> QModelIndex:
        return self.model.index_of(url_id)

    def _mark_moved(self) -> None:
        """Other rows are visible. What is known of them may be out of date."""
        self._moved = True
        self._settle.start()

    def _finish_refresh(self) -> None:
        self._refresh.finished()
        if self.model.has_more_growth:
            self.refresh()

    def _update_visible(self) -> None:
        """Read on where the end of what was read is visible; refresh what became visible."""
        if self._moved:
            self._moved = False
            self.refresh()
        shown, _ = self._in_sight()
        self.view.fit_numbers(shown)
        in_sight = {index.internalId() for index in shown}
        for index in shown:
            # Detached nodes would be pushed out of sight by those that belong before them.
            following = index.siblingAtRow(index.row() + 1).internalId()
            if self.model.is_last_in_order(index) and following not in in_sight:
                self.model.read_more(index.parent())
            if self.view.isExpanded(index) and not self.model.rowCount(index):
                self.model.read_more(index)

    def _in_sight(self) -> tuple[list[QModelIndex], list[QModelIndex]]:
        """The visible rows, and the open nodes among them and above them."""
        shown: list[QModelIndex] = []
        opened = {}
        bottom = self.view.viewport().height()
        index = self.view.indexAt(QPoint(0, 0))
        above = index.parent()
        while above.isValid():
            opened[above.internalId()] = above
            above = above.parent()
        # All rows are equally high.
        room = bottom // max(self.view.visualRect(index).height(), 1) + 1
        while index.isValid() and len(shown) < min(room, _MAX_SHOWN):
            shown.append(index)
            if self.view.isExpanded(index):
                opened[index.internalId()] = index
            index = self.view.indexBelow(index)
        return shown, list(opened.values())

    def _selected(self) -> list[int]:
        url_id = self.model.url_id(self._selected_index())
        return [] if url_id is None else [url_id]

    def _may_redirect(self) -> bool:
        item = self.model.item(self._selected_index())
        return isinstance(item, TreeNode) and item.redirect is not None

    def _selected_index(self) -> QModelIndex:
        """The selected row; the current one is not up to date while Qt emits the selection."""
        rows = self.view.selectionModel().selectedRows()
        return rows[0] if rows else QModelIndex()

    def _emit_selected(self, selected: QItemSelection) -> None:
        indexes = selected.indexes()
        if not indexes or self._is_selecting_quietly:
            return
        self._current = self.model.url_id(indexes[0])
        if self._current is not None:
            self.url_selected.emit(self._current)

    def _activate(self, index: QModelIndex) -> None:
        url_id = self.model.url_id(index)
        if url_id is not None:
            self.url_activated.emit(url_id)

    def _show_revealed(self, index: QModelIndex) -> None:
        self._current = self.model.url_id(index)
        self._quietly_select(index)
        self.view.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def _quietly_select(self, index: QModelIndex) -> None:
        if index.isValid():
            self._is_selecting_quietly = True
            self.view.setCurrentIndex(index)
            self._is_selecting_quietly = False
