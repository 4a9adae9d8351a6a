"""Notes which URLs, by a sitemap, were modified since the previous project requested them."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Final

from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.interfaces import PreviousCrawl, Store
from gossamer.engine.queue_refill import QueueRefill
from gossamer.engine.seen_urls import id_of
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.link_kinds import LinkKind
from gossamer.model.visit import Visit

MOST_URLS: Final = 200_000
_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_DAY: Final = timedelta(days=1)
_MONTH: Final = timedelta(days=31)
"""From the first day of any month it leads into the next."""
_SITEMAP: Final = int(LinkKind.SITEMAP)
_AT_ONCE: Final = 2_000


def lastmod_s(text: str) -> float | None:
    """A `<lastmod>`, a date or moment by ISO 8601, as Unix time: the last moment that it may be.

    None for anything else. A moment without a zone is in UTC.
    """
    text = text.strip()
    try:
        if _DATE.fullmatch(text):
            return _end_of(text).timestamp()
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _end_of(date: str) -> datetime:
    """The end of a year, month or day; ValueError or OverflowError if there is none."""
    year, *rest = map(int, date.split("-"))
    month, day = (*rest, 1, 1)[:2]
    begin = datetime(year, month, day, tzinfo=UTC)
    if len(rest) == 2:  # noqa: PLR2004 - month and day
        return begin + _DAY
    return begin.replace(year=year + 1) if not rest else (begin + _MONTH).replace(day=1)


def dates_in(visit: Visit) -> dict[str, float]:
    """What a sitemap says of the URLs it lists: when each was last modified, as Unix time."""
    links = visit.links
    if _SITEMAP not in links.kinds:
        return {}
    found = {}
    for target, kind, text in zip(links.targets, links.kinds, links.texts, strict=True):
        if kind == _SITEMAP and text and (modified_s := lastmod_s(text)) is not None:
            found[visit.targets[target]] = modified_s
    return found


def _latest_s(texts: str) -> float:
    """The last of some dates with spaces between; if there are none, long ago."""
    dates = (lastmod_s(each) for each in texts.split())
    return max((each for each in dates if each is not None), default=0.0)


class SitemapDates:
    """Which URLs sitemaps say were modified since, by id, in bounded memory."""

    def __init__(
        self, previous: PreviousCrawl, memory: CrawlMemory, refill: QueueRefill, *, is_resumed: bool
    ) -> None:
        """`previous` is what is known of the site; `refill` reads what has no room in memory.

        In a resumed crawl, sitemaps may have been read before.
        """
        self._previous = previous
        self._policy = memory.policy
        self._known = memory.known
        self._tracker = memory.tracker
        self._frontier = memory.frontier
        self._refill = refill
        self._modified: set[int] = set()
        self._may_lack = is_resumed

    async def modified_in(self, visits: Iterable[Visit]) -> list[str]:
        """The URLs that these visits say were modified since, if that matters."""
        settings = self._policy.settings
        if not (settings.lastmod_first or settings.adaptive_interval):
            return []
        found: list[str] = []
        for visit in visits:
            if dates := dates_in(visit):
                asked_at = await self._previous.fetched_at(list(dates))
                found += [url for url, at in asked_at.items() if at < dates[url]]
        return found

    async def recover(self, store: Store) -> None:
        """Prefer URLs that sitemaps called modified before the crawl was resumed, if still queued.

        Only as many as there is room for.
        """
        if not (self._may_lack and self._policy.settings.lastmod_first):
            return
        after, room = 0, MOST_URLS
        while room > 0 and (rows := await store.listed_dates(after, _AT_ONCE)):
            asked_at = await self._previous.fetched_at([url for _, url, _ in rows])
            found = [
                url_id
                for url_id, url, texts in rows
                if url in asked_at and asked_at[url] < _latest_s(texts)
            ][:room]
            self._modified.update(found)
            self._prefer(found)
            after, room = rows[-1][0], room - len(found)

    def note(self, urls: Iterable[str]) -> None:
        """Note modified URLs, once they are admitted, and have them fetched first."""
        packed = filter(None, map(self._known.get, urls))
        found = dict.fromkeys(each for each in map(id_of, packed) if each not in self._modified)
        ids = list(islice(found, MOST_URLS - len(self._modified)))
        self._may_lack = self._may_lack or len(ids) < len(found)
        self._modified.update(ids)
        if self._policy.settings.lastmod_first:
            self._prefer(ids)

    def _prefer(self, ids: Iterable[int]) -> None:
        on_file = []
        for url_id in ids:
            entry = self._tracker.entry(url_id)
            if entry is None:
                on_file.append(url_id)
            elif entry.is_queued:
                self._frontier.prefer(entry)
        self._refill.prefer_ids(sorted(on_file))

    def may_be_modified(self, entry: FrontierEntry) -> bool:
        """Whether a sitemap says so, or may have said so and was forgotten."""
        return entry.id in self._modified or (self._may_lack and bool(entry.rank.listed))
