"""Exception classes: known errors, with a sentence for the user, and bugs."""

from pathlib import Path
from typing import Final

from gossamer.model.translatable import Sentence, Translatable, said

DAMAGED: Final[Sentence] = (
    "{path} is damaged; use a backup, or rescue what is readable with 'gossamer rescue FILE -o "
    "NEW'."
)


class KnownError(Exception):
    """An expected error: something outside the program is wrong.

    It is made from one sentence that says what to do, as for `said`: a literal template, and its
    values by name. `exit_code` is that of the command line; docs/command-line.md lists the codes.
    """

    exit_code = 2

    def __init__(self, sentence: Sentence | Translatable, /, **values: object) -> None:
        self.said = sentence if isinstance(sentence, Translatable) else said(sentence, **values)
        super().__init__(str(self.said))


class UsageError(KnownError):
    """Invalid input from the user: a malformed root, a bad pattern, an unknown view."""


class NoBrowserError(UsageError):
    """There is no browser that can do what is requested, or no screen for its window."""

    exit_code = 6


class QueryLimitError(KnownError):
    """An SQL query that would have exceeded its limits of time or memory."""

    exit_code = 9


class BusyError(KnownError):
    """A schedule that cannot run now, because it or its site's project is being crawled."""

    exit_code = 7


class FailedCrawlError(KnownError):
    """A finished crawl that does not show its site: no root has responded, or it has moved."""

    exit_code = 3


class UpdateCheckError(KnownError):
    """Whether there is a newer version cannot be determined. Everything else works."""

    exit_code = 3


class ProjectError(KnownError):
    """A project file that is missing, locked, damaged, foreign, newer or not writable."""

    exit_code = 4


class DiskError(ProjectError):
    """A project file that the disk refuses now: full, read-only, gone or in use.

    It may pass, and a running crawl waits for that.
    """


class OutputError(KnownError):
    """A file that was requested cannot be written. Nothing was left half-written."""


class CrawlHostError(KnownError):
    """The crawl process ended without being asked to. What it had committed is safe."""

    exit_code = 4


class BugError(Exception):
    """A bug: the program violated its own invariants. Never presented as the user's mistake."""


def damaged_file(sentence: Translatable) -> Path | None:
    """The project file that a sentence calls damaged; None if it says something else."""
    return Path(str(sentence.values["path"])) if sentence.template == DAMAGED else None


def cause_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one exception of a group to report: one that a user can act on, if there is any."""
    first: BaseException = group.subgroup(KnownError) or group
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return first
