"""Compares two projects in its own process."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from gossamer.ipc import ChildRole
from gossamer.model.comparison_field_choice import COMPARED
from gossamer.model.errors import OutputError
from gossamer.model.messages.comparison_messages import StartComparison
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.project_queries import Filter
from gossamer.model.translatable import Sentence, system_reason
from gossamer.session.child_task import run_child_task
from gossamer.store.atomic_files import StagingFolder, make_private
from gossamer.store.project import check
from gossamer.urls.url_mapping import NO_MAPPING, UrlMapping

_DIED: Final[Sentence] = "The comparison process exited unexpectedly; see the log, then try again."

_EVERYTHING: Final = Filter()


async def compare_projects(  # noqa: PLR0913 - what is compared, how, and where it goes
    before: Path,
    after: Path,
    result: Path,
    *,
    mapping: UrlMapping = NO_MAPPING,
    fields: Sequence[str] = COMPARED,
    filter_: Filter = _EVERYTHING,
    on_step: Callable[[ProcessStep], None] = lambda _: None,
) -> None:
    """Write what differs between two projects to the comparison file `result`.

    Either may be crawled meanwhile: it is compared as it is at the beginning. Cancelled, it ends
    the process at once, and there is no file. KnownError if a project cannot be read, the file
    cannot be written, or the process cannot be started. ComparisonReader reads the result.
    """
    for project in (before, after):
        await asyncio.to_thread(check, project)
    start = StartComparison(
        str(before),
        str(after),
        str(result),
        tuple((each.before, each.after) for each in mapping.prefixes),
        tuple(fields),
        filter_,
    )
    await run_child_task(ChildRole.COMPARISON, after, start, on_step, _DIED)


@contextmanager
def comparison_folder() -> Iterator[Path]:
    """Inside, a new folder for comparison files in the cache folder; afterwards, there is none.

    Leftovers of killed processes are removed. OutputError if it cannot be made.
    """
    folder = user_cache_path("gossamer", appauthor=False) / "comparisons"
    try:
        make_private(folder)
        aside = StagingFolder(folder)
    except OSError as e:
        raise OutputError(
            "The folder {folder} cannot be written ({reason}); make room, or set XDG_CACHE_HOME.",
            folder=folder,
            reason=system_reason(e),
        ) from e
    with aside:
        yield aside.path
