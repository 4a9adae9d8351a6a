"""Declares the actions of the main window, in menu order.

A new button is a member here and the method that performs it: see `performs` in `action_set`.
"""

from collections.abc import Callable
from enum import Enum
from typing import Final

from PySide6.QtCore import QLocale
from PySide6.QtGui import QAction, QKeySequence

from gossamer.gui.actions.action_declaration import Menu, ToolBarStyle, WindowState
from gossamer.gui.actions.action_declaration import WindowActionSpec as Spec
from gossamer.gui.text.language import NAMES
from gossamer.model.crawl_state import Command

_LANGUAGES: Final[dict[str, str]] = dict(NAMES.items())


def _has_project(state: WindowState) -> bool:
    return state.has_project


def _can_audit(state: WindowState) -> bool:
    return state.has_project and not state.is_auditing


def _is_auditing(state: WindowState) -> bool:
    return state.is_auditing


def _can_crawl_again(state: WindowState) -> bool:
    return state.has_project and Command.START in state.commands


def _has_errors(state: WindowState) -> bool:
    return state.has_errors


def _allows(*commands: Command) -> Callable[[WindowState], bool]:
    return lambda state: not state.commands.isdisjoint(commands)


def _english_name(language: str) -> str:
    """Somebody who is looking for another language may only know its English name."""
    if language not in NAMES:
        return ""
    return QLocale.languageToString(QLocale(language).language())


class WindowAction(Enum):
    """Each action of the window as a whole, with its declaration."""

    # ------------------------------------------------------------ File

    NEW = Spec("&New crawl", Menu.FILE, shortcut="Ctrl+N", icon="new")
    DUPLICATE = Spec(
        "New crawl with t&hese settings",
        Menu.FILE,
        shortcut="Ctrl+Shift+N",
        enabled=_has_project,
    )
    OPEN = Spec(
        "&Open project…",
        Menu.FILE,
        shortcut="Ctrl+O",
        icon="open",
        label="Open a project…",
    )
    IMPORT = Spec(
        "&Import web archive…",
        Menu.FILE,
        icon="archive",
        label="Import archive…",
        tip="Make a project from the archive of a website, without a request to it",
    )
    OPEN_RECENT = Spec("Open &recent", Menu.FILE, has_submenu=True)
    COMPARE = Spec(
        "&Compare…",
        Menu.FILE,
        shortcut="Ctrl+Shift+D",
        icon="compare",
        tip="See what differs between two crawls",
    )
    SAVE_COPY = Spec("&Save a copy…", Menu.FILE, 1, shortcut="Ctrl+Shift+S", enabled=_has_project)
    EXPORT = Spec(
        "&Export…", Menu.FILE, 1, shortcut="Ctrl+Shift+E", icon="export", enabled=_has_project
    )
    RESCUE = Spec("Resc&ue a damaged project…", Menu.FILE, 2)
    DELETE = Spec("&Delete project…", Menu.FILE, 2, enabled=_has_project)
    QUIT = Spec("&Quit", Menu.FILE, 3, shortcut="Ctrl+Q", role=QAction.MenuRole.QuitRole)

    # ------------------------------------------------------------ Crawl

    START = Spec(
        "&Start",
        Menu.CRAWL,
        icon="start",
        repeat_label="&Start again",
        tip="Start a new crawl of this URL, which transfers everything (Enter)",
        enabled=_allows(Command.START),
    )
    PAUSE_OR_RESUME = Spec(
        "&Pause or resume",
        Menu.CRAWL,
        icon="pause",
        shown_key="Space",
        enabled=_allows(Command.PAUSE, Command.RESUME),
    )
    PAUSE = Spec(
        "Pause",
        None,
        icon="pause",
        tip="Start no new requests; press again to stop those in flight too (Space)",
        enabled=_allows(Command.PAUSE),
    )
    PAUSE_NOW = Spec(
        "Pause &now",
        Menu.CRAWL,
        shortcut="Ctrl+Space",
        icon="pause",
        tip="Stop requests in flight too; they go back into the queue",
        enabled=_allows(Command.PAUSE_NOW),
    )
    RESUME = Spec(
        "Resume",
        None,
        icon="resume",
        tip="Resume this crawl (Space)",
        enabled=_allows(Command.RESUME),
    )
    CANCEL = Spec(
        "&Cancel",
        Menu.CRAWL,
        shortcut="Ctrl+.",
        icon="cancel",
        tip="End this crawl and keep its results",
        toolbar=ToolBarStyle.TEXT,
        enabled=_allows(Command.CANCEL),
        in_full="Cancel the crawl",
    )
    RETRY_ERRORS = Spec("Crawl e&rrors again", Menu.CRAWL, shortcut="Ctrl+R", enabled=_has_errors)
    CRAWL_AGAIN = Spec(
        "Crawl a&gain…",
        Menu.CRAWL,
        shortcut="Ctrl+Shift+G",
        icon="reset",
        tip="With the settings of this crawl: transfer only what changed since, and compare",
        enabled=_can_crawl_again,
        in_full="Crawl the whole site again",
    )
    RUN_AUDIT = Spec(
        "Run &audit",
        Menu.CRAWL,
        1,
        shortcut="Ctrl+Shift+A",
        icon="audit",
        tip="Decide the rules about the whole site",
        enabled=_can_audit,
    )
    AUDIT_AGAIN = Spec(
        "Audit again from the arc&hive",
        Menu.CRAWL,
        1,
        tip="Read all archived pages again, without requests to the site, and check the rules "
        "again; notes and times stay",
        enabled=_can_crawl_again,
    )
    CANCEL_AUDIT = Spec("Cancel aud&it", Menu.CRAWL, 1, enabled=_is_auditing)
    AUDIT_AFTER_CRAWL = Spec("Audit &when a crawl ends or pauses", Menu.CRAWL, 1, checkable=True)
    PROOFREADING = Spec(
        "Spelling and gra&mmar…",
        Menu.CRAWL,
        1,
        icon="search",
        tip="Misspelt words and grammar errors of the site",
        enabled=_has_project,
    )
    HISTORY = Spec(
        "Crawl histor&y…",
        Menu.CRAWL,
        1,
        shortcut="Ctrl+H",
        icon="recent",
        tip="All crawls of this site: figures, trends, notes",
        enabled=_has_project,
    )
    NOTES = Spec(
        "N&otes…",
        Menu.CRAWL,
        1,
        icon="note",
        tip="All notes about this site, its URLs, issues, days and crawls",
        enabled=_has_project,
    )
    CRAWLER_ACCESS = Spec(
        "Crawlers and ro&bots.txt…",
        Menu.CRAWL,
        1,
        shortcut="Ctrl+Shift+R",
        tip="Which search engines and AI services may crawl this site",
        enabled=_has_project,
    )
    CHECK_REDIRECTS = Spec(
        "Chec&k redirects…",
        Menu.CRAWL,
        1,
        icon="compare",
        tip="Check a table of old and new addresses, as for a migration",
    )
    SQL = Spec(
        "S&QL console…",
        Menu.CRAWL,
        1,
        icon="table",
        tip="Ask this crawl questions in SQL",
        enabled=_has_project,
    )
    SCHEDULES = Spec(
        "Sched&ules…",
        Menu.CRAWL,
        1,
        icon="recent",
        tip="Have sites crawled every day or every week",
    )
    NOTIFICATIONS = Spec(
        "Notifications…",
        Menu.CRAWL,
        1,
        icon="info",
        tip="Get a notification when a crawl ends or finds something",
    )
    EDIT_ADDRESS = Spec("Edi&t URL", Menu.CRAWL, 2, shortcut="Ctrl+L")
    SETTINGS = Spec(
        "Crawl s&ettings…",
        Menu.CRAWL,
        2,
        shortcut="Ctrl+,",
        icon="settings",
        label="Settings…",
        tip="Settings of this crawl",
        toolbar=ToolBarStyle.ICON,
    )
    DEFAULT_SETTINGS = Spec("De&fault settings…", Menu.CRAWL, 2)
    LOG_IN = Spec(
        "&Log in…",
        Menu.CRAWL,
        2,
        tip="Log in to the site in a browser window, and crawl it as you see it",
    )
    DEMO = Spec("Crawl the &demo site", Menu.CRAWL, 3, icon="site")

    # ------------------------------------------------------------ View

    THEME = Spec(
        "T&heme",
        Menu.VIEW,
        choices={"system": "&System default", "light": "&Light", "dark": "&Dark"},
    )
    LANGUAGE = Spec(
        "&Language",
        Menu.VIEW,
        choices={"system": "S&ystem default", **_LANGUAGES},
        also=_english_name,
    )
    TABLE = Spec("T&able", Menu.VIEW, 1, enabled=_has_project, has_submenu=True)
    TREES = Spec("&Trees", Menu.VIEW, 1, shortcut="Ctrl+1", checkable=True)
    DETAILS = Spec("&Details", Menu.VIEW, 1, shortcut="Ctrl+2", checkable=True)
    SIDE = Spec("&Overview and in flight", Menu.VIEW, 1, shortcut="Ctrl+3", checkable=True)
    PANELS = Spec("Panel&s", Menu.VIEW, 1, has_submenu=True, enabled=_has_project)
    RESET_LAYOUT = Spec("&Reset layout", Menu.VIEW, 1, enabled=_has_project)
    NEXT_PANE = Spec("&Next pane", Menu.VIEW, 2, shortcut="F6")
    PREVIOUS_PANE = Spec("&Previous pane", Menu.VIEW, 2, shortcut="Shift+F6")
    COMMANDS = Spec("&Commands…", Menu.VIEW, 2, shortcut="Ctrl+K")

    # ------------------------------------------------------------ Help

    HELP = Spec(
        "&Help",
        Menu.HELP,
        shortcut=QKeySequence.StandardKey.HelpContents,
        in_dialogs=True,
    )
    DOCUMENTATION = Spec("D&ocumentation", Menu.HELP)
    TUTORIAL = Spec("&Tutorial", Menu.HELP)
    SHORTCUTS = Spec("&Keyboard shortcuts", Menu.HELP, shortcut="Ctrl+?")
    TOUR = Spec("Take the to&ur", Menu.HELP)
    WHATS_NEW = Spec("&What is new", Menu.HELP)
    REPORT = Spec("&Report a problem", Menu.HELP, 1)
    OPEN_LOG = Spec("Open the &log", Menu.HELP, 1)
    COPY_DIAGNOSTICS = Spec("&Copy diagnostics", Menu.HELP, 1)
    UPDATES = Spec("Look for a &newer version", Menu.HELP, 2)
    UPDATES_DAILY = Spec("Look for newer versions &daily", Menu.HELP, 2, checkable=True)
    ABOUT = Spec("&About Gossamer", Menu.HELP, 2, role=QAction.MenuRole.AboutRole)


NEXT_STEPS: Final = (
    WindowAction.PAUSE,
    WindowAction.PAUSE_NOW,
    WindowAction.RESUME,
    WindowAction.START,
)
"""They share the main button of the tool bar: the first that is enabled, the others in its menu."""
NEXT_STEPS_IN_MENU: Final = (*NEXT_STEPS, WindowAction.CRAWL_AGAIN)
