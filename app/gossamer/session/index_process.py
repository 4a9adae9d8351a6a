"""Updates the search index of a project in its own process, with progress."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from gossamer.ipc import ChildRole
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.messages.search_messages import IndexTexts
from gossamer.model.translatable import Sentence
from gossamer.session.child_task import run_child_task
from gossamer.store.reading.reader import Reader
from gossamer.store.searching.incremental_indexing import FAR_BEHIND

_DIED: Final[Sentence] = (
    "The search index process exited unexpectedly; see the log, then try again."
)


def is_far_behind(project: Path) -> bool:
    """Whether so many texts are missing from the index that a search would have to wait."""
    with Reader(project) as reader:
        return reader.texts_to_enter() >= FAR_BEHIND


async def index_project(project: Path, on_step: Callable[[ProcessStep], None]) -> None:
    """Enter the texts of a project that its index does not have.

    Cancelled, it ends the process at once: what that has entered stays. KnownError if the project
    cannot be read or the index cannot be written.
    """
    await run_child_task(ChildRole.SEARCH_INDEX, project, IndexTexts(str(project)), on_step, _DIED)
