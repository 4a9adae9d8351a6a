"""Opens a project, unless its crawl is under way in the window already."""

from pathlib import Path

from gossamer.gui.crawl.session_interfaces import SessionFactoryPort, SessionPort
from gossamer.gui.runtime.file_checks import is_same_file
from gossamer.model.crawl_state import LIVE


def is_under_way(session: SessionPort | None) -> bool:
    """Whether the crawl of a session is at work here, or waits here for a command."""
    return session is not None and session.state in LIVE and session.held_by is None


def opened_project(
    sessions: SessionFactoryPort, shown: SessionPort | None, path: Path
) -> SessionPort:
    """A session of the project at `path`, or the one `shown` if that crawls it. Reads files.

    Opened once more, a crawl under way would be put aside, and so be paused.
    """
    if shown is not None and is_under_way(shown) and is_same_file(shown.path, path):
        return shown
    return sessions.open(path)
