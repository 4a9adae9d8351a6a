"""Records how URLs were reached, for the archive."""

from typing import Final

from gossamer.engine.interfaces import Store
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.crawl_path import CrawlPath, path_of
from gossamer.model.errors import ProjectError
from gossamer.model.visit import Visit

_MOST_KEPT: Final = 10_000


class CrawlPaths:
    """Keeps the URLs requested last: the next ones were found on them."""

    def __init__(self, store: Store) -> None:
        """`store` knows the URLs that are not kept here."""
        self._store = store
        self._asked: dict[int, tuple[str, CrawlPath]] = {}
        self._redirecting: dict[int, None] = {}
        """Those that redirect."""

    async def of(self, entry: FrontierEntry) -> CrawlPath | None:
        """How an entry that is about to be requested was reached; None if that is unknown."""
        if entry.site_check is not None:
            return None
        path = await self._found(entry)
        if path is not None:
            self._asked[entry.id] = (entry.url, path)
            if len(self._asked) > _MOST_KEPT:
                drop_oldest(self._asked)
        return path

    def visited(self, entry: FrontierEntry, visit: Visit) -> None:
        """Note the visit of an entry: whether it links or redirects to its targets."""
        if visit.location is not None:
            self._redirecting[entry.id] = None
            if len(self._redirecting) > _MOST_KEPT:
                drop_oldest(self._redirecting)

    async def _found(self, entry: FrontierEntry) -> CrawlPath | None:
        if entry.parent is None:
            return path_of(entry.rank, None, "")
        known = self._asked.get(entry.parent)
        if known is not None:
            is_redirect = entry.parent in self._redirecting
            return path_of(entry.rank, known[1], known[0], is_redirect=is_redirect)
        try:
            rows = await self._store.by_id([entry.parent])
        except ProjectError:  # the next write reports it
            return None
        for row in rows:
            path, is_redirect = path_of(row.rank, None, ""), row.outcome.is_redirect
            return path_of(entry.rank, path, row.url, is_redirect=is_redirect)
        return None
