"""Requests URLs of the previous project conditionally, and takes over what did not change."""

import logging
from typing import Final

from gossamer.engine.conditional_requests import (
    compared,
    conditions_for,
    contradicts,
    is_due,
    is_of_another,
    may_be_page,
    not_due,
    not_modified,
    same_text,
    text_conditions,
)
from gossamer.engine.follow_policy import Policy
from gossamer.engine.interfaces import Fetcher, PreviousCrawl
from gossamer.engine.sitemap_dates import SitemapDates
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.previous_crawl import PreviousResponse, PreviousText
from gossamer.model.visit import FetchMode, Visit
from gossamer.urls.url_parsing import without_userinfo

_REFUSED: Final = frozenset({400, 412})
"""Statuses of servers that choke on conditions."""
_log = logging.getLogger(__name__)


class Revisits:
    """Fetches the URLs of a recrawl."""

    def __init__(
        self, fetcher: Fetcher, previous: PreviousCrawl, policy: Policy, dates: SitemapDates
    ) -> None:
        """`previous` is what is known of the site."""
        self._fetcher = fetcher
        self._previous = previous
        self._policy = policy
        self._dates = dates

    async def fetch(
        self, entry: FrontierEntry, kind: FetchKind, path: CrawlPath | None = None
    ) -> Visit | None:
        """Request an entry; what is not modified comes as if it had been fetched.

        None if the response to a conditional request does not help: the entry then takes its turn
        once more, and is requested without conditions.
        """
        known = await self._previous.response(entry.url)
        visit = None
        if known is not None and self._may_take_over(entry, kind, known):
            settings = self._policy.settings
            if not self._is_due(entry, known, kind):
                before = await self._previous.visit(entry.url, known, settings)
                visit = before and not_due(known, before)
            elif settings.conditional_requests and (conditions := conditions_for(known, kind)):
                visit = await self._conditional(entry, known, kind, conditions, path)
                if visit is None:
                    entry.asked_again = True
                    return None
        if visit is None:
            visit = await self._fetcher.fetch(entry.url, kind, entry.mode, path=path)
        return compared(known, visit) if visit.freshness is None else visit

    async def fetch_text(self, url: str) -> tuple[Visit, str]:
        """As TextFetcher: request a robots.txt, and at once again if the first response is no help.

        Robots.txt files are exempt from the pace of the crawl.
        """
        found = await self.text(url)
        return await self._fetcher.fetch_text(url) if found is None else found

    async def text(self, url: str) -> tuple[Visit, str] | None:
        """Request a text file of a host once; None if that does not help, see `fetch`."""
        known = await self._known_text(url)
        conditions = NO_CONDITIONS if known is None else text_conditions(known)
        visit, text = await self._fetcher.fetch_text(url, conditions)
        if known is None or not conditions:
            return visit, text
        if not visit.not_modified:
            return None if visit.status in _REFUSED else (visit, text)
        if is_of_another(visit, conditions):
            _log_useless(url)
            return None
        before = await self._previous.confirmed_text(url, known)
        return None if before is None else (same_text(before, visit), known.text)

    async def _known_text(self, url: str) -> PreviousText | None:
        settings = self._policy.settings
        # Workers that render pages want the robots.txt itself, for what pages load.
        if settings.renders_pages or not settings.conditional_requests:
            return None
        known = await self._previous.text(url) if self._previous.reads_alike else None
        if known is None or known.referred is not None or not settings.archive:
            return known
        return None

    def _may_take_over(
        self, entry: FrontierEntry, kind: FetchKind, known: PreviousResponse
    ) -> bool:
        """Whether what the previous project has of an entry might suffice."""
        is_usual = entry.mode is FetchMode.USUAL and not entry.asked_again
        # An archive is self-contained: it must include what is not sent again.
        is_usual &= known.referred is not None or not self._policy.settings.archive
        # A browser needs the very bytes of a page, and what it shows depends on files that may have
        # changed while the page has not.
        renders = kind is FetchKind.PAGE and self._policy.settings.renders_pages
        return is_usual and self._previous.reads_alike and not (renders and may_be_page(known))

    def _is_due(self, entry: FrontierEntry, known: PreviousResponse, kind: FetchKind) -> bool:
        is_always = kind is not FetchKind.PAGE or not entry.rank.depth
        if is_always or is_due(known, self._policy.settings, CLOCK.now()):
            return True
        return self._dates.may_be_modified(entry)

    async def _conditional(
        self,
        entry: FrontierEntry,
        known: PreviousResponse,
        kind: FetchKind,
        conditions: Conditions,
        path: CrawlPath | None,
    ) -> Visit | None:
        visit = await self._fetcher.fetch(entry.url, kind, entry.mode, conditions, path)
        if not visit.not_modified:
            return None if visit.status in _REFUSED else visit
        before = None
        if not contradicts(known, visit, conditions):
            before = await self._previous.visit(entry.url, known, self._policy.settings)
        if before is not None:
            return not_modified(known, before, visit)
        _log_useless(entry.url)
        return None


def _log_useless(url: str) -> None:
    named = without_userinfo(url)[0]
    _log.info("status 304 does not help, asking again", extra={"url": named})
