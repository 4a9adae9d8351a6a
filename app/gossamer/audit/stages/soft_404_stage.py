"""Soft 404: pages that say so, and those that are a host's response to made-up URLs."""

from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, found
from gossamer.audit.soft_404_hosts import MadeUpResponses, is_home, made_up_responses, names_error
from gossamer.audit.stages.onward_paths import ends_of, on_cycle
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.sketches import share_of
from gossamer.store.auditing.number_arrays import Flags, distinct
from gossamer.urls.url_parsing import host_of

_RULE: Final = "Content: Soft 404 Pages"
_ROWS: Final = 20_000
_PAGES: Final = """
    SELECT u.id, u.url, v.title, v.sketch, v.content_hash
    FROM visit v CROSS JOIN url u ON u.id = v.id
    WHERE v.word_count IS NOT NULL AND v.status BETWEEN 200 AND 299
"""
_ALIKE: Final = 0.98
"""The share of its phrases that a page has in common with a response that never varies."""
_TOLERANCE: Final = 0.03
"""How much less a page may have in common with the responses than they have with each other."""
_VARYING: Final = 0.9
"""Responses that have less in common are also recognised by their title."""
_SHELL_PAGES: Final = 10
"""With more pages than this, most are not all made up."""


class _Page(NamedTuple):
    id: int
    url: str
    title: str | None
    sketch: bytes | None
    content_hash: bytes | None


def soft_404_pages(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rule."""
    del settings
    flags = crawl.urls.is_indexable & crawl.urls.has_outcome({Outcome.PAGE_SOFT_ERROR})
    responses = made_up_responses(crawl.file.site_checks())
    with_pages = {host: response for host, response in responses.items() if response.pages}
    if with_pages:
        flags |= crawl.flags(_alike(crawl, with_pages)) & crawl.urls.is_indexable
    redirecting = {host: response for host, response in responses.items() if response.redirected_to}
    if redirecting:
        flags |= _redirected_alike(crawl, redirecting)
    yield found(_RULE, flags)


def _alike(crawl: AuditedCrawl, responses: dict[str, MadeUpResponses]) -> list[int]:
    """The ids of pages that are their host's response to made-up URLs."""
    hosts = {host: _Host(response) for host, response in responses.items()}
    for page in _pages(crawl):
        host = hosts.get(host_of(page.url))
        if host is not None:
            host.add(page)
    return [url_id for host in hosts.values() for url_id in host.soft_pages()]


def _pages(crawl: AuditedCrawl) -> Iterator[_Page]:
    with crawl.file.reading() as connection:
        rows = connection.execute(_PAGES)
        while part := rows.fetchmany(_ROWS):
            crawl.file.check_cancelled()
            yield from (_Page(*row) for row in part if row[0] < len(crawl.urls))


def _redirected_alike(crawl: AuditedCrawl, responses: dict[str, MadeUpResponses]) -> Flags:
    """URLs that are redirected to the home page, or to an error page, as made-up URLs are."""
    onward = crawl.onward(LinkKind.REDIRECT)
    onward[~crawl.urls.is_redirect] = 0
    ends = ends_of(onward, on_cycle(onward))
    leads = ends != np.arange(len(ends))
    sources = np.flatnonzero(leads & crawl.urls.is_internal)
    targets = distinct(ends[sources])
    urls = _urls(crawl, targets.tolist())
    homes = set(ends[crawl.urls.is_root].tolist())
    soft = crawl.urls.has_outcome({Outcome.PAGE_SOFT_ERROR})
    is_page = crawl.urls.is_html
    of_made_up = {response.redirected_to for response in responses.values()}
    to_home_or_error = {
        target: url
        for target, url in urls.items()
        if is_page[target]
        and url in of_made_up
        and (target in homes or soft[target] or is_home(url) or names_error(url))
    }
    sources = sources[np.isin(ends[sources], list(to_home_or_error))]
    found_ids = [
        source
        for source, url in _urls(crawl, sources.tolist()).items()
        if _leads_astray(url, to_home_or_error[int(ends[source])], responses)
    ]
    return crawl.flags(found_ids)


def _leads_astray(url: str, target: str, responses: dict[str, MadeUpResponses]) -> bool:
    """Whether a URL is redirected like made-up URLs of its host, and not to a better spelling."""
    response = responses.get(host_of(url))
    is_same_page = urlsplit(url).path.rstrip("/") == urlsplit(target).path.rstrip("/")
    is_alike = response is not None and response.redirected_to == target
    return is_alike and not is_same_page and not is_home(url)


def _urls(crawl: AuditedCrawl, ids: list[int]) -> dict[int, str]:
    rows = crawl.file.rows_of("SELECT id, url FROM url WHERE id IN ({marks})", ids)
    return {int(str(url_id)): str(url) for url_id, url in rows}


class _Host:
    """The pages of a host, compared with its responses to made-up URLs."""

    def __init__(self, responses: MadeUpResponses) -> None:
        self._hashes = {
            response.content_hash for response in responses.pages if response.content_hash
        }
        self._sketches = [response.sketch for response in responses.pages if response.sketch]
        self._titles = {_title(response.title, response.url) for response in responses.pages}
        self._agreement = self._agreement_of_responses()
        self._pages = 0
        self._alike: list[int] = []
        self._same_title: list[int] = []
        self._home_is_alike = False
        self._home_titles: set[str] = set()

    def add(self, page: _Page) -> None:
        """Compare a page."""
        self._pages += 1
        at_home = is_home(page.url)
        is_alike = self._is_alike(page)
        if at_home:
            self._home_is_alike |= is_alike
            self._home_titles.add(_title(page.title, page.url))
        elif is_alike:
            self._alike.append(page.id)
        elif self._has_same_title(page):
            self._same_title.append(page.id)

    def soft_pages(self) -> list[int]:
        """The ids of those that are soft 404 pages, as far as that can be known."""
        if self._home_is_alike and self._is_shell():
            return []
        is_usual_title = not self._titles.isdisjoint(self._home_titles)
        return self._alike + ([] if is_usual_title else self._same_title)

    def _is_shell(self) -> bool:
        """Whether it is unknown which pages exist, because scripts make all pages from one."""
        most_alike = 2 * len(self._alike) > self._pages > _SHELL_PAGES
        return not self._sketches or most_alike

    def _agreement_of_responses(self) -> float:
        if len(self._sketches) > 1:
            return share_of(self._sketches[0], self._sketches[1])
        return 1.0 if len(self._hashes) <= 1 or not self._sketches else 0.0

    def _similarity(self, page: _Page) -> float:
        if not page.sketch:
            return 0.0
        return max((share_of(page.sketch, other) for other in self._sketches), default=0.0)

    def _is_alike(self, page: _Page) -> bool:
        if page.content_hash in self._hashes:
            return True
        if self._agreement < _VARYING:
            return False
        least = _ALIKE if self._agreement == 1.0 else self._agreement - _TOLERANCE
        return self._similarity(page) >= least

    def _has_same_title(self, page: _Page) -> bool:
        """Whether it has the title of all responses, whose text varies, and a similar text."""
        if len(self._titles) > 1 or _title(page.title, page.url) not in self._titles - {""}:
            return False
        if not self._sketches:
            return not page.sketch
        return self._agreement < _VARYING and self._similarity(page) >= self._agreement / 2


def _title(title: str | None, url: str) -> str:
    """A title, without the last part of the URL, which some responses repeat."""
    name = url.rstrip("/").rpartition("/")[2]
    title = title or ""
    for said in (name, unquote(name)):
        if said:
            title = title.replace(said, "")
    return " ".join(title.split())
