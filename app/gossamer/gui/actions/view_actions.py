"""The actions of tables and trees, in the order of their context menus."""

from collections.abc import Callable
from enum import Enum
from typing import Final

from PySide6.QtGui import QKeySequence

from gossamer.gui.actions.action_spec import SelectionState
from gossamer.gui.actions.action_spec import ViewActionSpec as Spec
from gossamer.model.messages.crawl_messages import Action


def _has_urls(state: SelectionState) -> bool:
    return state.has_urls


def _may_redirect(state: SelectionState) -> bool:
    return state.has_urls and state.may_redirect


def _crawl_can(action: Action) -> Callable[[SelectionState], bool]:
    return lambda state: action in state.crawl_actions


class FilterAction(Enum):
    """The keys of the filter above a table, which has no menu."""

    FILTER_ROWS = Spec("Filter rows", 0, QKeySequence.StandardKey.Find)
    REGULAR_EXPRESSION = Spec("Regular expression", 0, "Alt+R")


class ViewAction(Enum):
    """Each action on the rows of a view, with its declaration."""

    COPY_ADDRESS = Spec("Copy address", 0, QKeySequence.StandardKey.Copy, "copy", enabled=_has_urls)
    COPY_ROWS = Spec("Copy rows for a spreadsheet", 0, "Ctrl+Shift+C", "copy", enabled=_has_urls)
    OPEN_IN_BROWSER = Spec("Open in browser", 0, "Ctrl+Return", "external", enabled=_has_urls)
    SHOW_IN_TREE = Spec("Show in tree", 1, "Ctrl+T", "tree", enabled=_has_urls)
    SHOW_IN_TABLE = Spec("Show in table", 1, "Ctrl+Shift+T", "table", enabled=_has_urls)
    SHOW_INLINKS = Spec("Show what links here", 1, "Ctrl+I", "links", enabled=_has_urls)
    FOLLOW_REDIRECT = Spec("Follow the redirect", 1, "Ctrl+J", "redirect", enabled=_may_redirect)
    REDIRECTS = Spec("Redirects", 1, enabled=_has_urls, has_submenu=True)
    LINKS = Spec("Inlinks and outlinks", 1, icon="links", enabled=_has_urls, has_submenu=True)
    SHOW_IN_SOURCE = Spec("Show in source", 1, "Ctrl+U")
    WHOLE_LIST = Spec("This whole list", 1, icon="links", has_submenu=True)

    RECRAWL = Spec(
        "Crawl again",
        2,
        "F5",
        "resume",
        "Crawl again with all below",
        _crawl_can(Action.RECRAWL),
    )
    CRAWL_FIRST = Spec(
        "Crawl first",
        2,
        icon="start",
        text_with_all_below="Crawl first with all below",
        enabled=_crawl_can(Action.FIRST),
    )
    HOLD = Spec(
        "Skip for now",
        2,
        icon="pause",
        text_with_all_below="Skip for now with all below",
        enabled=_crawl_can(Action.HOLD),
    )
    RELEASE = Spec(
        "Put back in the queue",
        2,
        icon="queued",
        text_with_all_below="Put back in the queue with all below",
        enabled=_crawl_can(Action.RELEASE),
    )
    CANCEL = Spec(
        "Cancel",
        2,
        "Del",
        "cancel",
        "Cancel with all below",
        _crawl_can(Action.CANCEL),
    )
    EXCLUDE_FOLDER = Spec(
        "Exclude this folder", 2, icon="skipped", enabled=_crawl_can(Action.EXCLUDE)
    )

    FIND_IN_TREE = Spec("Find in tree…", 3, "Ctrl+Shift+F", "search")
    EXPAND = Spec("Expand", 3, has_submenu=True)
    COLLAPSE_ALL = Spec("Collapse all", 3)
    SHOW_FOUND_HERE = Spec(
        "Show only what was found here in the table", 3, icon="filter", enabled=_has_urls
    )
    SHOW_FOLDER = Spec("Show only this folder in the table", 3, icon="filter")

    SORT_BY = Spec("Sort by this column", 4)
    THEN_SORT_BY = Spec("Then by this column", 4)
    COLUMNS = Spec("Columns…", 4)


EXPAND_SHORTCUTS: Final = {levels: f"Alt+{levels}" for levels in range(1, 6)}
"""The keys that open so many levels of a tree below the selected row."""
