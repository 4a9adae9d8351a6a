"""How long a session waits for its crawl host, and how often it looks."""

from typing import Final

from msgspec import Struct


class SessionTimings(Struct, frozen=True):
    """How long a session waits, in seconds."""

    silence_s: float = 30.0
    """For any sign of a crawl process, before that is replaced."""
    command_s: float = 10.0
    """For a command to be obeyed, before the crawl process is ended."""
    opening_s: float = 3.0
    """For a project to be opened, before the user is told that it takes long."""
    rule_s: float = 5.0
    """For a selector to be tested: some never finish."""
    observe_every_s: float = 1.0
    """Between two checks of a project that another process crawls."""


USUAL_TIMINGS: Final = SessionTimings()
