"""Checks robots.txt before a fetch; fetches it once per origin and caches it for the crawl."""

import asyncio
from collections.abc import Callable, Collection
from typing import NamedTuple

from gossamer.engine.conditional_requests import text_validators
from gossamer.engine.interfaces import RobotsPolicy, RulesFor, TextFetcher
from gossamer.model.bounded_dict import drop_oldest, make_newest
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.freshness import NO_VALIDATORS
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.outcome_details import Detail, DetailCode
from gossamer.model.store_batch import RobotsRow
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import origin, without_fragment

MAX_ORIGINS = 2_000
_MAX_REDIRECTS = 5
_NOT_FOUND = 404
_MAX_TRIES = 3
_RETRY_S = 1.0
_MAX_RETRY_S = 30.0


class _RobotsResponse(NamedTuple):
    """The result of requesting a robots.txt, and whether the file itself responded."""

    visit: Visit
    text: str
    is_direct: bool


class RobotsUnreachableError(Exception):
    """The server did not respond to the request for robots.txt (`visit` says how)."""

    def __init__(self, visit: Visit) -> None:
        """Take the failed visit."""
        super().__init__(str(visit.detail))
        self.visit = visit


class RobotsCache:
    """Decides whether robots.txt allows a URL to be fetched.

    All callers that need one origin wait for one fetch. It belongs to the first; if that one is
    cancelled, the next in line fetches.
    """

    def __init__(
        self,
        fetcher: TextFetcher,
        rules_for: RulesFor,
        user_agent: str,
        on_rules: Callable[[str, RobotsPolicy, RobotsRow], None],
        max_origins: int = MAX_ORIGINS,
        sites: Collection[str] = (),
    ) -> None:
        """The rules of up to `max_origins` origins are kept: those in use, and those of `sites`.

        `on_rules` gets the origin, its rules and the row to keep.
        """
        self._max_origins = max_origins
        self._sites = frozenset(sites)
        self._fetcher = fetcher
        self._rules_for = rules_for
        self._user_agent = user_agent
        self._on_rules = on_rules
        self._rules: dict[str, RobotsPolicy] = {}
        self._troubles: dict[str, Detail] = {}
        """Why URLs are forbidden if no line says so, by origin."""
        self._locks: dict[str, asyncio.Lock] = {}
        self._failures: dict[str, Visit] = {}

    def rules(self, url: str) -> RobotsPolicy | None:
        """The rules for `url`; None if its robots.txt is not known."""
        return self._rules.get(origin(url))

    def refusal(self, url: str) -> Visit | None:
        """The visit of a forbidden `url`, which says by which file and line.

        None if it is allowed, or if its robots.txt is not known.
        """
        site = origin(url)
        url = without_fragment(url)
        make_newest(self._rules, site)
        rules = self._rules.get(site)
        if rules is None or rules.allowed(url):
            return None
        line = rules.blocking_line(url)
        where = f"{site}/robots.txt"
        if line is not None:
            number, rule = line
            detail = DetailCode.ROBOTS_LINE(robots_txt=where, line=number, rule=rule)
            return Visit(Outcome.BLOCKED_BY_ROBOTS, detail=detail)
        trouble = self._troubles.get(site) or DetailCode.ROBOTS_TXT(robots_txt=where)
        return Visit(Outcome.ROBOTS_UNAVAILABLE, detail=trouble)

    async def learn(self, url: str) -> bool:
        """Fetch the robots.txt for `url` unless it is known; returns whether it was fetched.

        RobotsUnreachableError if that failed without a response: RFC 9309 then forbids fetching
        anything, and what failed for robots.txt would fail for the URL.
        """
        site = origin(url)
        if site in self._rules:
            return False
        lock = self._locks.setdefault(site, asyncio.Lock())
        failures = self._failures.get(site)
        try:
            async with lock:
                failed = self._failures.get(site)
                if failed is not None and failed is not failures:
                    # It failed while this one waited: another try would fail too, and late.
                    raise RobotsUnreachableError(failed)
                if site not in self._rules:
                    await self._fetch(site)
        finally:
            if not lock.locked():
                self._locks.pop(site, None)
        return True

    async def _response(self, url: str) -> _RobotsResponse:
        """The response for a robots.txt: redirects followed, retried where that may help.

        The whole site depends on it, so a momentary failure must not decide. Of files that broke
        off, the longest counts. A server that does not respond at all is tried again with the URL.
        """
        best = await self._redirected(url)
        for retry in range(1, _MAX_TRIES):
            if not best.visit.transient or best.visit.status is None:
                break
            wait_s = max(_RETRY_S * retry, best.visit.retry_after_s or 0.0)
            if wait_s > _MAX_RETRY_S:
                break
            await asyncio.sleep(wait_s)
            again = await self._redirected(url)
            if not (again.visit.transient and len(again.text) < len(best.text)):
                best = again
        return best

    async def _redirected(self, url: str) -> _RobotsResponse:
        named = url
        for _ in range(_MAX_REDIRECTS + 1):
            visit, text = await self._fetcher.fetch_text(url)
            if visit.location is None:
                break
            url = visit.location
        return _RobotsResponse(visit, text, is_direct=url == named)

    async def _fetch(self, site: str) -> None:
        where = f"{site}/robots.txt"
        response = await self._response(where)
        visit, text = response.visit, response.text
        if visit.outcome is Outcome.NOT_IN_ARCHIVE:
            row = RobotsRow(site, None, "", visit.detail, CLOCK.now())
            self._keep(site, self._rules_for(_NOT_FOUND, "", self._user_agent), row)
            return
        in_vain = visit.outcome.state in {UrlState.FAILED, UrlState.SKIPPED}
        is_unreadable = in_vain and visit.status is not None
        if in_vain and not is_unreadable:
            if len(self._failures) >= self._max_origins:
                drop_oldest(self._failures)
            self._failures[site] = visit
            raise RobotsUnreachableError(visit)
        status = None if is_unreadable else visit.status
        if visit.outcome.is_redirect:
            status = _NOT_FOUND
        if is_unreadable and visit.detail is not None:
            why = visit.detail
            self._troubles[site] = DetailCode.ROBOTS_UNREADABLE(robots_txt=where, why=why)
        elif not visit.outcome.is_redirect and not text and visit.status is not None:
            self._troubles[site] = DetailCode.ROBOTS_STATUS(robots_txt=where, status=visit.status)
        rules = self._rules_for(status, text, self._user_agent)
        if len(self._troubles) > self._max_origins:
            drop_oldest(self._troubles)
        known_by = text_validators(visit) if response.is_direct else NO_VALIDATORS
        row = RobotsRow(
            *(site, status, text, visit.detail, CLOCK.now()), known_by.etag, known_by.last_modified
        )
        self._keep(site, rules, row)

    def _keep(self, site: str, rules: RobotsPolicy, row: RobotsRow) -> None:
        if len(self._rules) >= self._max_origins:
            drop_oldest(self._rules, self._sites.__contains__)
        self._rules[site] = rules
        self._on_rules(site, rules, row)
