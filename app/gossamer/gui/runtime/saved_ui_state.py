"""Saves the window's state in one INI file: layout, recent projects, unfinished crawl.

A missing or damaged value counts as never remembered: this file is a convenience.
"""

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, get_args
from urllib.parse import quote_from_bytes, unquote_to_bytes

import msgspec
from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from gossamer.gui.look.theme import ThemeChoice
from gossamer.gui.text.language import Language, is_language
from gossamer.model.errors import UsageError
from gossamer.model.file_names import is_text
from gossamer.model.query_list import MAX_QUERIES, with_query
from gossamer.session.default_paths import config_folder
from gossamer.urls.url_list import typed_roots
from gossamer.urls.url_parsing import split_userinfo

MAX_URLS: Final = 20
_QUERY_LIMITS: Final = 3
"""Numbers: seconds, megabytes, rows."""
MAX_PROJECTS: Final = 100
"""Far more than are offered: a large crawl is not forgotten because of some that failed."""
_RECENT_FIELDS: Final = (2, 3)
_ESCAPED: Final = "%"
"""What an encoded path begins with; no absolute one does."""
_LAYOUT_VERSION: Final = 2


@dataclass(frozen=True, slots=True)
class RecentProject:
    """A project file and the first root it was made for; `more` are the other roots."""

    path: Path
    root: str
    more: int = 0


class TourStage(StrEnum):
    """How much of the tour was shown."""

    NONE = ""
    STARTED = "started"
    """Its first half, on the start page."""
    OVER = "offered"
    """All of it, or it is not wanted."""


class UnfinishedCrawl(msgspec.Struct, frozen=True):
    """A crawl that had not ended when the window closed, or whose window was lost."""

    path: str
    root: str


def default_path() -> Path:
    """Where the ini file is kept on this system."""
    return config_folder() / "window.ini"


class UiState:
    """Reads and writes the INI file at `path`; every change is written at once."""

    def __init__(self, path: Path) -> None:
        self._store = QSettings(str(path), QSettings.Format.IniFormat)

    @property
    def folder(self) -> Path:
        """The folder of the ini file and of everything that the user has chosen."""
        return Path(self._store.fileName()).parent

    # ------------------------------------------------------------ crawls

    def urls(self) -> list[str]:
        """Root URLs as typed, newest first, at most MAX_URLS."""
        return self._texts("crawl/urls")[:MAX_URLS]

    def remember_url(self, url: str) -> None:
        """Put `url`, one or more roots as typed, first in the history, without a password.

        What is no address is not remembered: without a password, it may be another one. Nor is an
        address with spaces and another "@", which several with passwords may have become.
        """
        try:
            roots = {root: split_userinfo(root)[0] for root in typed_roots(url)}
        except UsageError:
            return
        if any("@" in bare and len(root.split()) > 1 for root, bare in roots.items()):
            return
        url = " ".join(roots.values())
        urls = [url, *(known for known in self.urls() if known != url)]
        self._store.setValue("crawl/urls", urls[:MAX_URLS])

    def projects(self) -> list[RecentProject]:
        """Projects, the last used first, at most MAX_PROJECTS; see `existing`."""
        entries = (entry.split("\t") for entry in self._texts("projects/recent"))
        known = [_recent(*entry) for entry in entries if len(entry) in _RECENT_FIELDS]
        return known[:MAX_PROJECTS]

    def remember_project(self, path: Path, root: str, more: int = 0) -> None:
        """Put a project first among the recent ones."""
        others = [project for project in self.projects() if project.path != path]
        entries = [RecentProject(path, root, more), *others][:MAX_PROJECTS]
        texts = [f"{_written(each.path)}\t{each.root}\t{each.more}" for each in entries]
        self._store.setValue("projects/recent", texts)

    def unfinished(self) -> UnfinishedCrawl | None:
        """The crawl to offer to continue; see `existing`."""
        try:
            return msgspec.json.decode(self._text("projects/unfinished"), type=UnfinishedCrawl)
        except msgspec.DecodeError:
            return None

    def remember_unfinished(self, crawl: UnfinishedCrawl | None) -> None:
        """Store the crawl to offer at the next start; None offers nothing.

        Nor is one offered whose path is no text: no crawl process can open it.
        """
        is_offered = crawl is not None and is_text(crawl.path)
        text = msgspec.json.encode(crawl).decode() if is_offered else ""
        self._store.setValue("projects/unfinished", text)

    def queries(self) -> list[str]:
        """Queries in SQL that were executed or written, newest first, at most MAX_QUERIES."""
        return self._texts("sql/queries")[:MAX_QUERIES]

    def remember_query(self, sql: str) -> None:
        """Put a query first, unless it is empty or very long."""
        self._store.setValue("sql/queries", with_query(self.queries(), sql))

    def query_limits(self) -> list[int]:
        """What a query may take: seconds, megabytes, rows that are shown; [] for the default."""
        numbers = [int(text) for text in self._texts("sql/limits") if text.isdecimal()]
        return numbers if len(numbers) == _QUERY_LIMITS else []

    def remember_query_limits(self, numbers: list[int]) -> None:
        """Store the value of `query_limits`."""
        self._store.setValue("sql/limits", list(map(str, numbers)))

    # ------------------------------------------------------------ looks

    def theme(self) -> ThemeChoice:
        """The theme chosen; "system" unless the user chose another."""
        text = self._text("window/theme")
        return text if text in get_args(ThemeChoice) else "system"  # type: ignore[return-value] # checked

    def remember_theme(self, choice: ThemeChoice) -> None:
        """Keep the theme."""
        self._store.setValue("window/theme", choice)

    def language(self) -> Language:
        """The language chosen; "system" unless the user chose another."""
        text = self._text("window/language")
        return text if is_language(text) else "system"  # type: ignore[return-value] # checked

    def remember_language(self, choice: Language) -> None:
        """Keep the language."""
        self._store.setValue("window/language", choice)

    def shows(self, part: str, *, usually: bool) -> bool:
        """Whether the part of the window called `part` is shown; `usually` if unknown."""
        return {"yes": True, "no": False}.get(self._text(f"window/shows-{part}"), usually)

    def remember_shown(self, part: str, shown: bool) -> None:  # noqa: FBT001 - a signal passes it
        """Keep whether a part of the window is shown."""
        self._store.setValue(f"window/shows-{part}", "yes" if shown else "no")

    def restore_layout(self, window: QMainWindow) -> bool:
        """Restore the window's position, on an existing screen, and those of its splitters.

        False if no position was remembered.
        """
        self.restore_splitters(window)
        geometry = self._store.value(f"layout-{_LAYOUT_VERSION}/window")
        return isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)

    def restore_splitters(self, part: QWidget) -> None:
        """Restore the positions of the splitters with a name in a part of the window."""
        for splitter in _splitters(part):
            state = self._store.value(f"layout-{_LAYOUT_VERSION}/{splitter.objectName()}")
            if isinstance(state, QByteArray):
                splitter.restoreState(state)

    def remember_layout(self, window: QMainWindow) -> None:
        """Store the window's position and those of all splitters that have a name.

        One that was never shown has none: its earlier position stays.
        """
        self._store.setValue(f"layout-{_LAYOUT_VERSION}/window", window.saveGeometry())
        for splitter in _splitters(window):
            if not splitter.testAttribute(Qt.WidgetAttribute.WA_WState_Created):
                continue
            key = f"layout-{_LAYOUT_VERSION}/{splitter.objectName()}"
            self._store.setValue(key, splitter.saveState())

    def panel(self, name: str) -> bytes:
        """The layout of a panel as the panel saved it; b"" for none."""
        state = self._store.value(f"layout-{_LAYOUT_VERSION}/panel-{name}")
        return bytes(state.data()) if isinstance(state, QByteArray) else b""

    def remember_panel(self, name: str, state: bytes) -> None:
        """Store a panel's layout as saved by it."""
        self._store.setValue(f"layout-{_LAYOUT_VERSION}/panel-{name}", QByteArray(state))

    def export_folder(self) -> str:
        """Where the last export was written; "" before the first."""
        return self._text("export/folder")

    def export_suffix(self) -> str:
        """The suffix of the format of the last export; "" before the first."""
        return self._text("export/suffix")

    def remember_export(self, folder: str, suffix: str) -> None:
        """Keep where an export was written, and in which format."""
        self._store.setValue("export/folder", folder)
        self._store.setValue("export/suffix", suffix)

    def tour(self) -> TourStage:
        """How much of the tour the user has seen."""
        found = self._text("window/tour")
        return TourStage(found) if found in set(TourStage) else TourStage.NONE

    def remember_tour(self, stage: TourStage) -> None:
        """Keep how much of it was shown."""
        self._store.setValue("window/tour", stage)

    # ------------------------------------------------------------ newer versions

    def looks_for_updates(self) -> bool | None:
        """Whether to check for newer versions; None if the user was not asked."""
        return {"yes": True, "no": False}.get(self._text("updates/daily"))

    def remember_looking_for_updates(self, *, wanted: bool) -> None:
        """Store whether to check."""
        self._store.setValue("updates/daily", "yes" if wanted else "no")

    def looked_for_updates_at(self) -> float:
        """When the last check was, in seconds since 1970; 0 if never."""
        text = self._text("updates/looked-at")
        return float(text) if text.isdecimal() else 0.0

    def remember_looked_for_updates(self, at: float) -> None:
        """Store the time of a check."""
        self._store.setValue("updates/looked-at", str(int(at)))

    def count_start(self) -> int:
        """Which start of the program this is, from 1."""
        text = self._text("window/starts")
        number = 1 + (int(text) if text.isdecimal() else 0)
        self._store.setValue("window/starts", str(number))
        return number

    def flush(self) -> None:
        """Write the file now."""
        self._store.sync()

    def _text(self, key: str) -> str:
        value = self._store.value(key)
        return value if isinstance(value, str) else ""

    def _texts(self, key: str) -> list[str]:
        value = self._store.value(key)
        if isinstance(value, str):  # an ini file does not distinguish one text from a list of one
            return [value] if value else []
        return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _recent(path: str, root: str, more: str = "0") -> RecentProject:
    if path.startswith(_ESCAPED):
        path = os.fsdecode(unquote_to_bytes(path.removeprefix(_ESCAPED)))
    return RecentProject(Path(path), root, int(more) if more.isdecimal() else 0)


def _written(path: Path) -> str:
    """The path in the file, which has neither bytes that are no text nor tabs within an entry."""
    text = str(path)
    if is_text(text) and "\t" not in text and not text.startswith(_ESCAPED):
        return text
    return f"{_ESCAPED}{quote_from_bytes(os.fsencode(path))}"


def _splitters(window: QWidget) -> list[QSplitter]:
    return [splitter for splitter in window.findChildren(QSplitter) if splitter.objectName()]
