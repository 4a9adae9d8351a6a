"""Tells how URLs were reached, for the archive."""

from typing import Final

from gossamer.engine.interfaces import Store
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.crawl_path import CrawlPath, path_of
from gossamer.model.errors import ProjectError

_MOST_KEPT: Final = 10_000


class CrawlPaths:
    """Keeps the URLs that were asked last: they are those on which the next ones were found."""

    def __init__(self, store: Store) -> None:
        """Take who knows the others."""
        self._store = store
        self._asked: dict[int, tuple[str, CrawlPath]] = {}

    async def of(self, entry: FrontierEntry) -> CrawlPath | None:
        """How an entry, which is about to be asked, was reached; None where nobody can tell now."""
        if entry.site_check is not None:
            return None
        path = await self._found(entry)
        if path is not None:
            self._asked[entry.id] = (entry.url, path)
            if len(self._asked) > _MOST_KEPT:
                drop_oldest(self._asked)
        return path

    async def _found(self, entry: FrontierEntry) -> CrawlPath | None:
        if entry.parent is None:
            return path_of(entry.rank, None, "")
        known = self._asked.get(entry.parent)
        if known is not None:
            return path_of(entry.rank, known[1], known[0])
        try:
            rows = await self._store.by_id([entry.parent])
        except ProjectError:  # whoever writes next tells of it
            return None
        found = ((row.url, path_of(row.rank, None, "")) for row in rows)
        return next((path_of(entry.rank, path, url) for url, path in found), None)
