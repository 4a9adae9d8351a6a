"""The states of a crawl, the transitions between them, and the commands each allows."""

from enum import StrEnum
from typing import Final

from gossamer.model.errors import BugError


class CrawlState(StrEnum):
    """The state of a crawl. Stored in `project.state`."""

    NEW = "new"
    RUNNING = "running"
    PAUSING = "pausing"
    """No new fetch starts; those in flight finish."""
    PAUSED = "paused"
    CANCELLING = "cancelling"
    CANCELLED = "cancelled"
    FINISHED = "finished"
    """The frontier is empty, or the page limit is reached."""
    FAILED = "failed"
    """The crawl process ended by itself; what was committed is safe and can be resumed."""


class Command(StrEnum):
    """A command for a crawl as a whole."""

    START = "start"
    PAUSE = "pause"
    PAUSE_NOW = "pause now"
    RESUME = "resume"
    CANCEL = "cancel"


_S = CrawlState
TRANSITIONS: dict[CrawlState, frozenset[CrawlState]] = {
    _S.NEW: frozenset({_S.RUNNING}),
    _S.RUNNING: frozenset({_S.PAUSING, _S.CANCELLING, _S.FINISHED}),
    _S.PAUSING: frozenset({_S.PAUSED, _S.RUNNING, _S.CANCELLING}),
    _S.PAUSED: frozenset({_S.RUNNING, _S.CANCELLING}),
    _S.CANCELLING: frozenset({_S.CANCELLED}),
    _S.CANCELLED: frozenset({_S.RUNNING}),
    _S.FINISHED: frozenset({_S.RUNNING}),
    _S.FAILED: frozenset(),
}
"""All transitions of an engine. FAILED is not among them: a session reports it for a crawl whose
process ended by itself, and the project file never has it."""

ALLOWED: dict[CrawlState, frozenset[Command]] = {
    _S.NEW: frozenset({Command.START}),
    _S.RUNNING: frozenset({Command.PAUSE, Command.PAUSE_NOW, Command.CANCEL}),
    _S.PAUSING: frozenset({Command.PAUSE_NOW, Command.RESUME, Command.CANCEL}),
    _S.PAUSED: frozenset({Command.RESUME, Command.CANCEL}),
    _S.CANCELLING: frozenset(),
    _S.CANCELLED: frozenset({Command.START, Command.RESUME}),
    _S.FINISHED: frozenset({Command.START}),
    _S.FAILED: frozenset({Command.START, Command.RESUME}),
}
"""START begins a new crawl (in the window: a new project); RESUME continues this one."""


def allowed(state: CrawlState, *, elsewhere: bool = False) -> frozenset[Command]:
    """The commands that a crawl allows; if crawled `elsewhere`, only those for another one."""
    return frozenset({Command.START}) if elsewhere else ALLOWED[state]


LIVE = frozenset({_S.RUNNING, _S.PAUSING, _S.PAUSED, _S.CANCELLING})
"""States in which a crawl process is at work or waits for a command."""

PAUSES = frozenset({_S.PAUSING, _S.PAUSED})

LONG_WAIT_S: Final = 600.0
"""People are notified of a crawl that has waited so long for a full disk or a lost network."""


def moved(old: CrawlState, new: CrawlState) -> CrawlState:
    """Return `new`; BugError if the table has no such move."""
    if new not in TRANSITIONS[old]:
        raise BugError(f"a crawl cannot go from {old} to {new}")
    return new


def at_rest(state: CrawlState) -> CrawlState:
    """The state of a project that nothing crawls: if the host was killed, it is paused."""
    return CrawlState.PAUSED if state in LIVE or state is CrawlState.FAILED else state
