"""Reads from a project what crawlers may do with a URL, and what is known of its host."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from gossamer.audit.crawler_access import CrawlerAccess, PageDirectives, crawler_access
from gossamer.audit.llms_txt import (
    CheckedLink,
    LlmsTxt,
    checked_links,
    has_llms_txt,
    llms_check,
    parse_llms_txt,
)
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.site_checks import SiteCheckRow
from gossamer.urls.meta_robots import named_directives
from gossamer.urls.url_parsing import origin


class AccessRows(Protocol):
    """What is read from a project."""

    def robots_txt(self, origin: str) -> tuple[int | None, str] | None:
        """Status and text of the robots.txt of an origin; None if it was not requested."""
        ...

    def site_checks(self) -> list[SiteCheckRow]:
        """The responses of hosts to checks."""
        ...

    def lookup(self, url: str) -> int | None:
        """The id of a URL; None if unknown."""
        ...

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        """The URLs with these ids."""
        ...

    def headers(self, url_id: int) -> list[tuple[str, str]]:
        """The headers of its response."""
        ...


class HostLlmsTxt(NamedTuple):
    """The llms.txt of a host: the response, its contents, and where its links lead.

    `text` is None if there is none.
    """

    check: SiteCheckRow
    text: LlmsTxt | None
    links: tuple[CheckedLink, ...] = ()

    @property
    def broken(self) -> int:
        """How many links lead to URLs that failed."""
        return sum(each.is_broken for each in self.links)

    @property
    def not_indexable(self) -> int:
        """How many lead to URLs that search engines may not list."""
        return sum(each.is_not_indexable for each in self.links)


def url_access(rows: AccessRows, url: str) -> list[CrawlerAccess] | None:
    """What each known crawler may do with a URL; None if its robots.txt was not requested."""
    stored = rows.robots_txt(origin(url))
    if stored is None:
        return None
    status, text = stored
    return crawler_access(url, text, page_directives(rows, url), status=status)


def page_directives(rows: AccessRows, url: str) -> PageDirectives:
    """A page's directives for robots, as far as it was read."""
    url_id = rows.lookup(url)
    record = next(iter(rows.records([url_id])), None) if url_id is not None else None
    if url_id is None or record is None:
        return PageDirectives()
    headers = [value for name, value in rows.headers(url_id) if name.lower() == "x-robots-tag"]
    meta = named_directives(record.crawler_robots or "")
    if record.robots and not any(name == "robots" for name, _ in meta):
        meta.append(("robots", record.robots))
    return PageDirectives(meta, headers)


def host_llms_txt(rows: AccessRows, site: str) -> HostLlmsTxt | None:
    """The llms.txt of an origin; None if it was not requested."""
    check = llms_check(rows.site_checks(), site)
    if check is None or check.outcome is None:
        return None
    if not has_llms_txt(check):
        return HostLlmsTxt(check, None)
    found = parse_llms_txt(check.text, check.final_url)

    def record_of(url: str) -> UrlRecord | None:
        url_id = rows.lookup(url)
        return None if url_id is None else next(iter(rows.records([url_id])), None)

    return HostLlmsTxt(check, found, tuple(checked_links(found, record_of)))
