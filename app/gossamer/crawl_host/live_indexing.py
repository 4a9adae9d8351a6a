"""Runs a process that enters the texts of a crawl into the search index as they come.

The crawl does not need it: if it does not start, or ends, searches enter what is missing.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.process_messages import ProcessEnded, ProcessReport
from gossamer.model.messages.search_messages import IndexTexts

END_S: Final = 2.0
"""What is left when the crawl ends is entered within that time, or by the first search."""
_log = logging.getLogger(__name__)


@asynccontextmanager
async def live_indexing(project: Path, log: str, *, is_wanted: bool) -> AsyncIterator[None]:
    """While inside, the index follows what is committed to the project, if wanted."""
    if not is_wanted:
        yield
        return
    async with asyncio.TaskGroup() as group:
        starting = group.create_task(_started(project, log), name="start search index")
        try:
            yield
        finally:
            if not starting.done():
                starting.cancel()
            elif (child := starting.result()) is not None:
                await child.end(END_S)


async def _started(project: Path, log: str) -> ChildProcess[ProcessReport] | None:
    try:
        child: ChildProcess[ProcessReport] = await adopt(
            launch(ChildRole.SEARCH_INDEX, log),
            message_type=ProcessReport,
            on_messages=_receive,
            on_closed=lambda: None,
        )
    except CrawlHostError as e:
        _log.warning("no search index while crawling", extra={"reason": str(e)})
        return None
    child.send(IndexTexts(str(project), follows=True))
    return child


def _receive(reports: list[ProcessReport]) -> None:
    for report in reports:
        if isinstance(report, ProcessEnded) and report.reason is not None:
            _log.warning("search index", extra={"reason": str(report.reason)})
