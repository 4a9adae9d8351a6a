"""What a user does in the real window, and what came of it.

The latter is read from the project file, by another process than the window's.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import psutil

from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.profile_store import ProfileStore
from gossamer.store.reading.reader import Reader
from tests.e2e.desktop import Desktop, Program, reads, until
from tests.integration.crawling import assert_gone
from tests.patience import PATIENCE_S

# ---------------------------------------------------------------- what a user does


def begin(desk: Desktop, root: str) -> None:
    """Type a root and press Enter; the cursor waits in the field."""
    desk.write(root)
    desk.press("Return")
    desk.focus("127.0.0.1:.* Gossamer$")


def leave(desk: Desktop, program: Program) -> None:
    """Quit with the keyboard: the exit code is 0, and no process of the program is left."""
    children = psutil.Process(program.pid).children(recursive=True)
    desk.focus("Gossamer$")
    desk.press("ctrl+q")
    assert program.wait(PATIENCE_S) == 0
    assert_gone(children)
    assert program.stderr is not None
    assert "Traceback" not in program.stderr.read()


# ---------------------------------------------------------------- what came of it


def comes_to(desk: Desktop, wanted: CrawlState) -> None:
    """Wait until the crawl is in this state."""
    until(lambda: state(desk) is wanted, lambda: f"it is {state(desk)}: {counts(desk)}")


def remember(desk: Desktop, settings: CrawlSettings) -> None:
    """Have new crawls of the window begin with these settings."""
    ProfileStore(desk.config.parent).save_defaults(settings)


def project(desk: Desktop) -> Path:
    """The only project on the desk; where it is going to be, as long as there is none."""
    folder = desk.home / "data" / "gossamer" / "projects"
    return next(folder.glob("*.gossamer"), folder / "none")


def counts(desk: Desktop) -> Counter[Outcome]:
    with Reader(project(desk)) as reader:
        return Counter(reader.outcome_counts())


def pages(desk: Desktop) -> int:
    """How many pages are committed."""
    found = 0

    def look(reader: Reader) -> bool:
        nonlocal found
        found = reader.outcome_counts().get(Outcome.PAGE, 0)
        return True

    reads(project(desk), look)
    return found


def state(desk: Desktop) -> CrawlState:
    with Reader(project(desk)) as reader:
        return reader.summary().state


def fate(desk: Desktop, url: str) -> UrlState | None:
    """How a URL stands in the project, None as long as it is not there."""
    (found,) = fates(desk, [url])
    return found


def fates(desk: Desktop, urls: Iterable[str]) -> set[UrlState | None]:
    """The different ways in which some URLs stand in the project."""
    with Reader(project(desk)) as reader:
        found = {record.url: record.state for record in reader.iterate(View.ALL)}
    return {found.get(url) for url in urls}
