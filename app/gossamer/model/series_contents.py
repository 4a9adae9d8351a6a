"""The values of a series: snapshots of the crawls of one site, notes, saved filters."""

from datetime import date
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.text_cleaning import clean_text, one_line
from gossamer.model.timestamps import Time

_LONGEST_NOTE: Final = 10_000
_LONGEST_NAME: Final = 200
_LONGEST_SUBJECT: Final = 65_536


_ID: Final = lazy_pattern("[0-9a-f]{32}")


def is_series_id(value: object) -> bool:
    """Whether it is the id of a series. A project may be a stranger's, and the id names a file.

    >>> is_series_id("5e" * 16), is_series_id("../" + "5e" * 16), is_series_id(None)
    (True, False, False)
    """
    return isinstance(value, str) and _ID.fullmatch(value) is not None


class CrawlSnapshot(Struct, frozen=True, kw_only=True):
    """The figures of one crawl, as its series keeps them when the project file is gone.

    Times are Unix seconds. `created_at` is that of the project, and distinguishes one crawl of the
    series from the others, wherever its file is. `project` is where the file was seen last; "" if
    another crawl has its path now. `urls` counts the known ones, as a progress does.
    """

    created_at: Time
    project: str = ""
    root: str = ""
    """The first one."""
    state: CrawlState = CrawlState.NEW
    """FAILED if it has finished without showing its site."""
    ended_at: Time = 0.0
    """When the last response came."""
    seconds: float = 0.0
    """Spent crawling, pauses excluded."""
    urls: int = 0
    pages: int = 0
    redirects: int = 0
    errors: int = 0
    median_ms: int | None = None
    """Of the response times; None without any."""
    p90_ms: int | None = None
    """The time within which 90 % of the responses came."""
    high: int = 0
    """URLs with issues of high priority: each counts once per issue. Ignored ones do not count."""
    medium: int = 0
    low: int = 0
    audited: bool = False
    """Whether the site audit was up to date: without it, issues that need it are missing."""

    @property
    def has_failed(self) -> bool:
        """Whether it does not show its site: its figures then say nothing about that."""
        return self.state is CrawlState.FAILED

    @property
    def issues(self) -> int:
        """URLs with issues of any priority, one for each issue."""
        return self.high + self.medium + self.low


class ProjectLocation(StrEnum):
    """Whether the project of a crawl is where the series has seen it last."""

    HERE = "here"
    """Its file is there."""
    REMOVED = "removed"
    """It was deleted with Gossamer, or another project has its path."""
    MISSING = "missing"
    """Its folder exists, but not the file: it was moved, renamed, or deleted by other means."""
    OUT_OF_REACH = "out of reach"
    """Its folder cannot be read, as on a disk that is not connected."""


BETWEEN_NOTES: Final = " · "
"""Between two notes in one line."""


class NoteSubject(StrEnum):
    """What a note is about."""

    SITE = "site"
    """The site as a whole."""
    URL = "url"
    """One URL, by its text, in every crawl of the series."""
    ISSUE = "issue"
    """An audit rule, by its number."""
    DATE = "date"
    """A day, as 2026-11-23."""
    CRAWL = "crawl"
    """A crawl, by `CrawlSnapshot.created_at`."""


class Note(Struct, frozen=True, kw_only=True):
    """What somebody has written about a site, a URL of it, an issue, a day or a crawl.

    `about` says which one, depending on the subject; "" for the site. `id` is 0 before it is kept.
    """

    text: str
    subject: NoteSubject = NoteSubject.SITE
    about: str = ""
    author: str = ""
    created_at: Time = 0.0
    id: int = 0

    @property
    def day(self) -> date | None:
        """The day that it is about; None if it is about none, or the text is not ours."""
        if self.subject is not NoteSubject.DATE:
            return None
        try:
            return date.fromisoformat(self.about)
        except ValueError:
            return None

    def checked(self) -> "Note":
        """Return it with clean texts; UsageError if it cannot be kept."""
        text = clean_text(self.text.strip(), _LONGEST_NOTE + 1)
        if not text:
            raise UsageError("Enter the text of the note.")
        if len(text) > _LONGEST_NOTE:
            raise UsageError("A note has at most {most:,} characters.", most=_LONGEST_NOTE)
        about = one_line(self.about, _LONGEST_SUBJECT)
        if (self.subject is NoteSubject.SITE) == bool(about):
            raise UsageError("Say what the note is about: a URL, an issue, a date or a crawl.")
        if self.subject is NoteSubject.DATE:
            about = _day(about)
        return replace(self, text=text, about=about, author=one_line(self.author, _LONGEST_NAME))


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise UsageError(
            "{text!r} is not a date; write it as year-month-day, such as 2026-11-23.", text=text
        ) from None
