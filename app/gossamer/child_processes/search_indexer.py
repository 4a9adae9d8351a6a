"""The process that enters the texts of a project into its search index: once, or as they come.

During a crawl it works in batches and rests between them, so that it takes only a share of one
processor. The further it falls behind, the larger that share becomes, so that the backlog stays
bounded.
"""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gossamer.ipc.single_task_process import TaskDefinition, serve_task
from gossamer.model.errors import ProjectError
from gossamer.model.index_progress import IndexProgress
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.messages.search_messages import IndexTexts
from gossamer.model.translatable import Sentence
from gossamer.store.searching.incremental_indexing import IncrementalIndexer, list_prefixes
from gossamer.store.searching.search_index import BLOCKS

LOOK_S: Final = 0.1
"""How often it checks for work."""
WAIT_S: Final = 5.0
"""A partial batch is entered when it has waited so long."""
SHARES: Final = ((4 * BLOCKS, 0.25), (16 * BLOCKS, 0.5))
"""The share of one processor that it takes with so many blocks waiting at most: 8 and 32 MiB."""
_EXTRA_BATCHES: Final = 3
"""Batches beyond those: on a damaged or foreign index, one only detects that."""
STAGE: Final[Sentence] = "Entering texts into the search index"
PREPARING: Final[Sentence] = "Preparing the full-text search"
STAGE_REMADE: Final[Sentence] = "Making a damaged search index again"

_log = logging.getLogger(__name__)


class _EndedError(Exception):
    """The work is no longer wanted."""


def is_due(waiting: int, waited_s: float) -> bool:
    """Whether to enter so many blocks now, the first of which has waited so long."""
    return waiting >= BLOCKS or (waiting > 0 and waited_s >= WAIT_S)


def rest_s(worked_s: float, waiting: int) -> float:
    """How long to rest after so much processor time, with so many blocks still waiting."""
    share = next((share for most, share in SHARES if waiting <= most), 1.0)
    return worked_s * (1 / share - 1)


def _index(
    start: IndexTexts, report: Callable[[ProcessStep], None], is_cancelled: Callable[[], bool]
) -> None:
    def go_on(progress: IndexProgress) -> None:
        if is_cancelled():
            raise _EndedError
        stage = STAGE_REMADE if progress.is_remade else STAGE
        report(ProcessStep(stage, progress.done, progress.total))

    with IncrementalIndexer(Path(start.project)) as texts:
        if start.follows:
            _follow(texts, is_cancelled)
            return
        texts.enter_all(go_on)
    prepare_searches(Path(start.project), report, is_cancelled)


def prepare_searches(
    project: Path, report: Callable[[ProcessStep], None], is_cancelled: Callable[[], bool]
) -> None:
    """Have the index list the common prefixes that it has not; searches do without, if need be."""

    def go_on(done: int, total: int) -> None:
        if is_cancelled():
            raise _EndedError
        report(ProcessStep(PREPARING, done, total))

    try:
        list_prefixes(project, go_on)
    except _EndedError:
        return
    except ProjectError as e:
        _log.warning("searches for prefixes were not prepared", extra={"reason": str(e)})


def _follow(texts: IncrementalIndexer, is_over: Callable[[], bool]) -> None:
    """Enter what is committed, in batches, until `is_over`; then what is left, without a rest."""
    first_s = time.monotonic()
    while not is_over():
        waiting, now_s = texts.waiting, time.monotonic()
        if not waiting:
            first_s = now_s
        if not is_due(waiting, now_s - first_s):
            time.sleep(LOOK_S)
            continue
        first_s, began_s = now_s, time.process_time()
        texts.enter_batch()
        _rest(rest_s(time.process_time() - began_s, texts.waiting), is_over)
    for _ in range(texts.waiting // BLOCKS + _EXTRA_BATCHES):
        if texts.waiting > 0:
            texts.enter_batch()


def _rest(seconds: float, is_over: Callable[[], bool]) -> None:
    until_s = time.monotonic() + seconds
    while not is_over() and (left_s := until_s - time.monotonic()) > 0:
        time.sleep(min(left_s, LOOK_S))


_UNFORESEEN: Final[Sentence] = (
    "The search index could not be built; see the log for details, and please report it."
)
SEARCH_INDEX: Final = TaskDefinition(IndexTexts, _index, _EndedError, _UNFORESEEN)


async def main(log: str) -> int:
    """Serve the process that started this one; write to the file `log`."""
    return await serve_task(SEARCH_INDEX, log)
