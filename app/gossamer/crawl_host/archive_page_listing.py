"""Lists the pages of an archive, in its own thread, in parallel with the writer."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from gossamer.model.archive_source import ArchiveSource
from gossamer.model.previous_crawl import PreviousPage
from gossamer.store.archive_index import ArchiveIndex, index_path
from gossamer.store.sqlite_locks import call_and_release


class ArchivedPages:
    """The engine's PageList of an archive that has an index."""

    def __init__(self, source: ArchiveSource) -> None:
        """Open the index; ProjectError if it cannot be read."""
        self._index = ArchiveIndex(index_path([Path(each) for each in source.archives]))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="archive")

    async def pages(self, after: int, limit: int) -> list[PreviousPage]:
        """Up to `limit` pages with an id above `after`, by id."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._thread, call_and_release, partial(self._index.pages, after, limit)
        )

    async def close(self) -> None:
        """Close the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._index.close)
        self._thread.shutdown(wait=False)
