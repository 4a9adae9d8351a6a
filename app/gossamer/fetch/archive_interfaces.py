"""The archive as the fetcher uses it; `archive/warc_writer.py` is the one that exists."""

from typing import Protocol

from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.wire_exchange import ArchivePolicy
from gossamer.model.visit import Visit


class ResponseArchive(ArchivePolicy, Protocol):
    """Keeps responses."""

    async def keep(
        self, url: str, response: HttpResponse, visit: Visit, loaded_by: str = ""
    ) -> Visit:
        """Keep the response to the request for `url`; returns the visit with its archive record.

        `loaded_by` is the rendered page that loads it, "" for none.
        """

    async def keep_dom(self, url: str, dom: str, visit: Visit, *, is_cut: bool) -> Visit:
        """Keep the DOM that scripts made of the page at `url`; returns the visit with its record.

        `is_cut` if there was more of it.
        """
