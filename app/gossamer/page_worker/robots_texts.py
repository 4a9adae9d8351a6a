"""Keeps the robots.txt files that a crawl has fetched, to parse their rules again."""

from typing import Final

from gossamer.engine.interfaces import TextFetcher
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.visit import Visit

MAX_TEXTS: Final = 2_000
MAX_CHARACTERS: Final = 32 * 1024
"""Of one that is kept: the few that are longer, of up to 500 KiB, are requested again."""
_NAME: Final = "/robots.txt"


class RobotsTexts:
    """A TextFetcher that gives each text the crawl has just fetched once; others are requested."""

    def __init__(self, fetcher: TextFetcher) -> None:
        self._fetcher = fetcher
        self._kept: dict[str, tuple[Visit, str]] = {}

    def note(self, url: str, visit: Visit, text: str) -> None:
        """Note a text that the crawl has fetched."""
        if not url.endswith(_NAME) or visit.transient or visit.not_modified:
            return
        if len(text) > MAX_CHARACTERS:
            return
        if len(self._kept) >= MAX_TEXTS:
            drop_oldest(self._kept)
        self._kept[url] = visit, text

    async def fetch_text(self, url: str) -> tuple[Visit, str]:
        """The visit and the text."""
        kept = self._kept.pop(url, None)
        return await self._fetcher.fetch_text(url) if kept is None else kept
