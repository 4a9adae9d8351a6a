"""Declares the context menu actions of tables and trees, in menu order.

They act on the selected rows. What acts on the whole window, and so has a place in its menu bar,
its tool bar or the command palette, is in `window_actions`.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from gossamer.gui.actions.action_declaration import SelectionState, translated
from gossamer.gui.actions.action_declaration import ViewActionSpec as Spec
from gossamer.gui.look.icons import icon
from gossamer.model.messages.crawl_messages import BulkActionKind


def _has_urls(state: SelectionState) -> bool:
    return state.has_urls


def _may_redirect(state: SelectionState) -> bool:
    return state.has_urls and state.may_redirect


def _crawl_can(action: BulkActionKind) -> Callable[[SelectionState], bool]:
    return lambda state: action in state.crawl_actions


class FilterAction(Enum):
    """The keys of the filter above a table, which has no menu."""

    FILTER_ROWS = Spec("Filter rows", 0, QKeySequence.StandardKey.Find, place="In tables")
    FULL_TEXT = Spec("Search in the texts of pages", 0, "Ctrl+Shift+F", place="In tables")
    REGULAR_EXPRESSION = Spec("Regular expression", 0, "Alt+R", place="In the filter field")


class ViewAction(Enum):
    """Each action on the rows of a view, with its declaration."""

    COPY_ADDRESS = Spec("Copy URL", 0, QKeySequence.StandardKey.Copy, "copy", enabled=_has_urls)
    COPY_ROWS = Spec("Copy rows for a spreadsheet", 0, "Ctrl+Shift+C", "copy", enabled=_has_urls)
    OPEN_IN_BROWSER = Spec("Open in browser", 0, "Ctrl+Return", "external", enabled=_has_urls)
    SHOW_IN_TREE = Spec("Show in tree", 1, "Ctrl+T", "tree", enabled=_has_urls)
    SHOW_IN_TABLE = Spec("Show in table", 1, "Ctrl+Shift+T", "table", enabled=_has_urls)
    SHOW_INLINKS = Spec("Show inlinks", 1, "Ctrl+I", "links", enabled=_has_urls)
    RENDER_PAGE = Spec("Render this page", 1, "Ctrl+Shift+B", "page", enabled=_has_urls)
    MEASURE_LOADING = Spec("Measure loading…", 1, "Ctrl+Shift+M", "recent", enabled=_has_urls)
    FOLLOW_REDIRECT = Spec("Go to redirect target", 1, "Ctrl+J", "redirect", enabled=_may_redirect)
    REDIRECTS = Spec("Redirects", 1, enabled=_has_urls, has_submenu=True)
    LINKS = Spec("Inlinks and outlinks", 1, icon="links", enabled=_has_urls, has_submenu=True)
    SHOW_IN_SOURCE = Spec("Show in page source", 1, "Ctrl+U")
    EXPORT_URLS = Spec("Export its URLs…", 1, icon="export")
    EXPORT_INLINKS = Spec("Export the inlinks of its URLs…", 1, icon="export")
    IGNORE_ISSUE = Spec("Ignore this issue…", 1, icon="skipped")
    IGNORE_FOR_URLS = Spec(
        "Ignore this issue for the selected URLs…", 1, icon="skipped", enabled=_has_urls
    )
    TAKE_BACK = Spec("Stop ignoring", 1, "Del", "reset", place="In the list of ignored issues")
    IGNORE_ERROR = Spec(
        "Ignore this word or rule",
        1,
        "Ctrl+Del",
        "skipped",
        place="In the details tab Spelling",
    )
    WHOLE_LIST = Spec("This whole list", 1, icon="links", has_submenu=True)

    RECRAWL = Spec(
        "Crawl again",
        2,
        "F5",
        "resume",
        "Crawl again with everything below",
        _crawl_can(BulkActionKind.RECRAWL),
        in_full="Crawl the selected URLs again",
    )
    CRAWL_FIRST = Spec(
        "Crawl first",
        2,
        icon="start",
        text_with_all_below="Crawl first with everything below",
        enabled=_crawl_can(BulkActionKind.FIRST),
    )
    HOLD = Spec(
        "Skip for now",
        2,
        icon="pause",
        text_with_all_below="Skip for now with all below",
        enabled=_crawl_can(BulkActionKind.HOLD),
    )
    RELEASE = Spec(
        "Put back in the queue",
        2,
        icon="queued",
        text_with_all_below="Put back in the queue with all below",
        enabled=_crawl_can(BulkActionKind.RELEASE),
    )
    CANCEL = Spec(
        "Cancel",
        2,
        "Del",
        "cancel",
        "Cancel with everything below",
        _crawl_can(BulkActionKind.CANCEL),
        in_full="Cancel the selected URLs",
    )
    EXCLUDE_FOLDER = Spec(
        "Exclude this folder", 2, icon="skipped", enabled=_crawl_can(BulkActionKind.EXCLUDE)
    )

    FIND_IN_TREE = Spec("Find in tree…", 3, "Ctrl+Alt+F", "search", place="In trees")
    EXPAND = Spec("Expand", 3, has_submenu=True, place="In trees")
    COLLAPSE_ALL = Spec("Collapse all", 3)
    SHOW_FOUND_HERE = Spec(
        "Show only links found here in the table", 3, icon="filter", enabled=_has_urls
    )
    SHOW_FOLDER = Spec("Filter table to this folder", 3, icon="filter")

    SORT_BY = Spec("Sort by this column", 4)
    THEN_SORT_BY = Spec("Then by this column", 4)
    COLUMNS = Spec("Columns…", 4)


EXPAND_SHORTCUTS: Final = {levels: f"Alt+{levels}" for levels in range(1, 6)}
"""The keys that open this many levels of a tree below the selected row."""


_ORDER: Final = {declared: place for place, declared in enumerate(ViewAction)}
_LINES: Final = {
    group: min(_ORDER[each] for each in ViewAction if each.value.group == group) - 0.5
    for group in {each.value.group for each in ViewAction}
}
"""The positions of the lines above the groups."""
_PLACE: Final = "place"
"""The property of a QAction with its position in the menu; that of a line is between two
positions."""


def add_view_action(
    view: QWidget,
    declared: ViewAction,
    perform: Callable[[], None],
    *,
    with_all_below: bool = False,
) -> QAction:
    """Put an action into the context menu of `view`. Its shortcut works inside the view."""
    spec = declared.value
    text = (spec.text_with_all_below if with_all_below else "") or spec.text
    action = QAction(translated(text), view)
    if spec.icon:
        action.setIcon(icon(spec.icon))
    if spec.shortcut:
        action.setShortcut(QKeySequence(spec.shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(lambda _on: perform())
    _insert(view, declared, action)
    return action


def add_view_menu(view: QWidget, declared: ViewAction, menu: QMenu) -> None:
    """Put a submenu into the context menu of `view`."""
    spec = declared.value
    menu.setTitle(translated(spec.text))
    if spec.icon:
        menu.setIcon(icon(spec.icon))
    _insert(view, declared, menu.menuAction())


def offer_actions(actions: Mapping[ViewAction, QAction], state: SelectionState) -> None:
    """Enable what can be done with a selection, and nothing else."""
    for declared, action in actions.items():
        enabled = declared.value.enabled(state)
        if action.isEnabled() != enabled:
            action.setEnabled(enabled)


def _insert(view: QWidget, declared: ViewAction, action: QAction) -> None:
    """Insert it at its position; the first of its group has a line above it."""
    place, line_place = _ORDER[declared], _LINES[declared.value.group]
    has_line, later = False, None
    for each in view.actions():
        other = each.property(_PLACE) or 0.0
        has_line = has_line or other == line_place
        if other > place:
            later = each
            break
    if not has_line:
        line = QAction(view)
        line.setSeparator(True)
        _insert_before(view, later, line, line_place)
    _insert_before(view, later, action, place)


def _insert_before(view: QWidget, later: QAction | None, action: QAction, place: float) -> None:
    action.setProperty(_PLACE, float(place))
    view.insertAction(later, action)  # type: ignore[arg-type] # None puts it last
