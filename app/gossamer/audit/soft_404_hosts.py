"""How hosts respond to URLs that do not exist, by the made-up URLs that they were asked for."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from gossamer.model.outcome import PAGES
from gossamer.model.site_checks import MADE_UP_URLS, SiteCheck, SiteCheckRow
from gossamer.model.translatable import Translatable, said
from gossamer.urls.url_parsing import host_of

_SUCCESS: Final = 2
_REDIRECTION: Final = 3
_HOME: Final = re.compile(r"/(?:(?:index|default|home)(?:\.\w{2,5})?/?)?", re.IGNORECASE)
_ERROR_PAGE: Final = re.compile(
    r".*/(?:404|error|error[-_]?404|404[-_]?error|(?:page[-_]?)?not[-_]?found)(?:\.\w{2,5})?/?",
    re.IGNORECASE,
)


class MadeUpResponses(NamedTuple):
    """A host's responses to made-up URLs, if these were not errors as they should be.

    `pages` are those that came with a status of success from the made-up URL itself;
    `redirected_to` is the page that it led to; "" for none.
    """

    pages: tuple[SiteCheckRow, ...] = ()
    redirected_to: str = ""


def made_up_responses(rows: Iterable[SiteCheckRow]) -> dict[str, MadeUpResponses]:
    """The hosts, by name and port, for which made-up URLs exist."""
    found: dict[str, MadeUpResponses] = {}
    for row in rows:
        if row.kind not in MADE_UP_URLS or not _is_page(row):
            continue
        host = host_of(f"{row.origin}/")
        known = found.get(host, MadeUpResponses())
        if row.final_url == row.url:
            found[host] = known._replace(pages=(*known.pages, row))
        elif row.kind is SiteCheck.MADE_UP_URL:
            found[host] = known._replace(redirected_to=row.final_url)
    return found


def is_home(url: str) -> bool:
    """Whether a URL is, by its path, the home page of its host."""
    return _HOME.fullmatch(urlsplit(url).path or "/") is not None


def names_error(url: str) -> bool:
    """Whether a URL is, by its path, that of an error page."""
    return _ERROR_PAGE.fullmatch(urlsplit(url).path) is not None


def host_sentence(row: SiteCheckRow) -> Translatable | None:
    """What a user should know of a host's response to a made-up URL; None for nothing."""
    if row.kind is not SiteCheck.MADE_UP_URL or row.outcome is None or row.status is None:
        return None
    host = host_of(f"{row.origin}/")
    if row.final_url != row.url:
        if not (_is_page(row) or row.status // 100 == _REDIRECTION):
            return None
        return said(
            "{host} redirects URLs that do not exist to {url}.", host=host, url=row.final_url
        )
    if not _is_page(row):
        return None
    return said(
        "{host} returns a page with status {status} for URLs that do not exist.",
        host=host,
        status=row.status,
    )


def host_sentences(rows: Iterable[SiteCheckRow]) -> list[Translatable]:
    """The same for all hosts."""
    return [sentence for row in rows if (sentence := host_sentence(row)) is not None]


def _is_page(row: SiteCheckRow) -> bool:
    return row.outcome in PAGES and (row.status or 0) // 100 == _SUCCESS
