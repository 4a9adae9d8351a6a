"""Tells how URLs were reached, for the archive."""

from typing import Final

from gossamer.engine.interfaces import Store
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.crawl_path import CrawlPath, path_of
from gossamer.model.errors import ProjectError
from gossamer.model.visit import Visit

_MOST_KEPT: Final = 10_000


class CrawlPaths:
    """Keeps the URLs that were asked last: they are those on which the next ones were found."""

    def __init__(self, store: Store) -> None:
        """Take who knows the others."""
        self._store = store
        self._asked: dict[int, tuple[str, CrawlPath]] = {}
        self._redirecting: dict[int, None] = {}
        """Those of them that redirect."""

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

    def answered(self, entry: FrontierEntry, visit: Visit) -> None:
        """Take in what came of an entry: what it leads to was linked to, or redirected to."""
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
        except ProjectError:  # whoever writes next tells of it
            return None
        for row in rows:
            path, is_redirect = path_of(row.rank, None, ""), row.outcome.is_redirect
            return path_of(entry.rank, path, row.url, is_redirect=is_redirect)
        return None
