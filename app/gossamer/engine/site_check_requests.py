"""Requests, once per host, what is no URL of the crawl: made-up URLs, and its llms.txt.

Such a request is an entry of the frontier like any other, so robots.txt, pace, slots, retries and
pauses hold for it. It has no row among the URLs: its id is negative, and its response is kept with
the host.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import accumulate, count
from logging import getLogger
from typing import Final

from msgspec import Struct

from gossamer.engine.conditional_requests import text_validators
from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.url_tracker import FrontierEntry, UrlStage
from gossamer.model.discovery_rank import Rank
from gossamer.model.freshness import NO_VALIDATORS
from gossamer.model.outcome import PAGES, UrlState
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.model.visit import Visit
from gossamer.urls.url_folders import folders
from gossamer.urls.url_parsing import host_of, origin, parse_root, without_fragment
from gossamer.urls.url_parts import path_of

MAX_HOSTS: Final = 1_000
"""No more hosts are checked: a list of addresses must not cost twice its requests."""
_MAX_REDIRECTS: Final = 5
_SUCCESS: Final = 2
_RANK: Final = Rank(0)
_log = getLogger(__name__)


class _Check(Struct, frozen=True):
    """A check that is under way, and how many redirects may follow."""

    origin: str
    kind: SiteCheck
    url: str
    hops: int = _MAX_REDIRECTS


def made_up_url(url: str, kind: SiteCheck) -> str:
    """A URL in the folder of `url` that cannot exist: always the same for a folder."""
    folder = url.partition("?")[0].rpartition("/")[0]
    token = sha256(f"{folder}/{int(kind)}".encode()).hexdigest()[:16]
    return f"{folder}/gossamer-made-up-{token}"


def _urls_to_ask_beside(page: str, root: str | None) -> Iterator[str]:
    """URLs beside which to try a made-up one, the first in scope; seldom dependent on `page`.

    That is the root of the host, if it has one; then the folders of the page, outermost first.
    """
    if root is not None:
        yield f"{origin(page)}{path_of(root)}"
    yield from accumulate(f"{folder}/" for folder in folders(page))


class SiteChecks:
    """Queues checks of hosts that sent a page, and has the responses written."""

    def __init__(self, memory: CrawlMemory, known: Iterable[SiteCheckRow]) -> None:
        """`known` are the checks that the project file has."""
        self._policy = memory.policy
        self._frontier = memory.frontier
        self._tracker = memory.tracker
        self._batch = memory.batch
        self._pending = [row for row in known if row.outcome is None]
        self._hosts = {host_of(f"{row.origin}/") for row in known}
        self._roots = _first_roots(map(parse_root, memory.policy.settings.roots))
        self._start_hosts = {
            host_of(f"{row.origin}/") for row in known if row.kind is SiteCheck.LLMS_TXT
        }
        self._checks: dict[int, _Check] = {}
        self._ids = count(-1, -1)

    def resume(self) -> None:
        """Queue the checks that the project file says are still to be made."""
        pending, self._pending = self._pending, []
        for row in pending:
            self._queue(_Check(row.origin, row.kind, row.url), row.url)

    def page_visited(self, entry: FrontierEntry, visit: Visit) -> None:
        """Queue the checks of a page's host, unless they were made before."""
        if visit.outcome not in PAGES or (visit.status or 0) // 100 != _SUCCESS:
            return
        settings, site = self._policy.settings, origin(entry.url)
        if _takes(self._hosts, entry.host) and settings.soft_404_probe:
            for beside in _urls_to_ask_beside(
                without_fragment(entry.url), self._roots.get(entry.host)
            ):
                made_up = made_up_url(beside, SiteCheck.MADE_UP_URL)
                if self._is_in_scope(made_up, entry.rank):
                    self._ask(SiteCheck.MADE_UP_URL, site, made_up)
                    break
        if entry.rank.depth == 0 and _takes(self._start_hosts, entry.host) and settings.llms_txt:
            self._ask(SiteCheck.LLMS_TXT, site, f"{site}/llms.txt")

    def visited(self, entry: FrontierEntry, visit: Visit, text: str = "") -> None:
        """Take the final visit of a check; a redirect in scope is followed."""
        check = self._checks.pop(entry.id)
        self._tracker.move(entry, UrlStage.DECIDED)
        self._batch.add_host_response(entry.url, visit)
        to = visit.location
        if to is not None and check.hops and self._is_in_scope(to, _RANK):
            self._queue(_Check(check.origin, check.kind, check.url, check.hops - 1), to)
            return
        row = _row_of(check, to or entry.url, visit, text)
        self._batch.add_site_check(row)
        is_page = visit.outcome in PAGES and (visit.status or 0) // 100 == _SUCCESS
        if check.kind is SiteCheck.MADE_UP_URL and is_page:
            about = {"url": row.url, "status": row.status, "final_url": row.final_url}
            _log.info("the host returns a page for a made-up URL", extra=about)
        if check.kind is SiteCheck.MADE_UP_URL and is_page and entry.url == check.url:
            second = made_up_url(check.url, SiteCheck.SECOND_MADE_UP_URL)
            self._ask(SiteCheck.SECOND_MADE_UP_URL, check.origin, second)

    def _is_in_scope(self, url: str, rank: Rank) -> bool:
        return self._policy.outcome_for(
            url, rank
        ).state is UrlState.QUEUED and not self._policy.external(url)

    def _ask(self, kind: SiteCheck, site: str, url: str) -> None:
        self._batch.add_site_check(SiteCheckRow(site, kind, url))
        self._queue(_Check(site, kind, url), url)

    def _queue(self, check: _Check, url: str) -> None:
        entry = FrontierEntry(next(self._ids), url, _RANK, None, host_of(url))
        entry.site_check = check.kind
        self._checks[entry.id] = check
        self._frontier.prefer(entry)


def _first_roots(urls: Iterable[str]) -> dict[str, str]:
    """For each host, the root that is first in the order of addresses."""
    return {host_of(url): url for url in sorted(urls, reverse=True)}


def _takes(hosts: set[str], host: str) -> bool:
    """Whether a host is to be checked: it is new, and there is room. It is noted."""
    if host in hosts or len(hosts) >= MAX_HOSTS:
        return False
    hosts.add(host)
    return True


def _row_of(check: _Check, final_url: str, visit: Visit, text: str) -> SiteCheckRow:
    facts = visit.facts
    is_text = check.kind is SiteCheck.LLMS_TXT
    known_by = text_validators(visit) if is_text else NO_VALIDATORS
    return SiteCheckRow(
        origin=check.origin,
        kind=check.kind,
        url=check.url,
        outcome=visit.outcome,
        status=visit.status,
        final_url=final_url,
        detail=visit.detail,
        fetched_at=visit.fetched_at,
        content_type=visit.content_type,
        size_bytes=visit.size_bytes or 0,
        title=facts.title if facts else None,
        word_count=facts.word_count if facts else None,
        content_hash=facts.content_hash if facts else None,
        sketch=facts.sketch if facts else None,
        text=text,
        etag=known_by.etag,
        last_modified=known_by.last_modified,
    )
