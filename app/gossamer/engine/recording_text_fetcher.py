"""Fetches texts of hosts, such as robots.txt, and records where the archive has the responses."""

from gossamer.engine.interfaces import TextFetcher
from gossamer.engine.pending_batch import PendingBatch
from gossamer.model.visit import Visit


class RecordingTextFetcher:
    """A TextFetcher that adds the archive records of what it fetches to the batch."""

    def __init__(self, fetcher: TextFetcher, batch: PendingBatch) -> None:
        """Fetch with `fetcher`, and add the records to `batch`."""
        self._fetcher = fetcher
        self._batch = batch

    async def fetch_text(self, url: str) -> tuple[Visit, str]:
        """Fetch `url` as the wrapped fetcher does."""
        visit, text = await self._fetcher.fetch_text(url)
        self._batch.add_host_response(url, visit)
        return visit, text
