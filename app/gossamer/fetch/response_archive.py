"""The archive as the fetcher uses it."""

from typing import Protocol

from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.wire_exchange import ArchivePolicy
from gossamer.model.visit import Visit


class ResponseArchive(ArchivePolicy, Protocol):
    """Keeps answers."""

    async def keep(
        self, url: str, response: HttpResponse, visit: Visit, loaded_by: str = ""
    ) -> Visit:
        """Keep the answer to the request for `url`; the visit, with where it is kept.

        `loaded_by` is the rendered page that loads it, "" for none.
        """
