"""Fetches texts of hosts, such as robots.txt, and has the project name their records."""

from gossamer.engine.interfaces import TextFetcher
from gossamer.engine.pending_batch import PendingBatch
from gossamer.model.visit import Visit


class HostTexts:
    """A TextFetcher whose answers are noted in the batch if there is an archive."""

    def __init__(self, fetcher: TextFetcher, batch: PendingBatch) -> None:
        """Take who fetches, and where it is noted."""
        self._fetcher = fetcher
        self._batch = batch

    async def fetch_text(self, url: str) -> tuple[Visit, str]:
        """Ask `url` once, as the other does."""
        visit, text = await self._fetcher.fetch_text(url)
        self._batch.add_host_response(url, visit)
        return visit, text
