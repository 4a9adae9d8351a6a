"""Reads what a crawl knows of robots.txt files and sitemaps, to compare it with another crawl."""

from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from gossamer.model.discovery_rank import SitemapRole
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import FILES, Outcome, UrlState
from gossamer.store.database import open_for_reading, translated_reading

_SITEMAPS: Final = "SELECT id, url, outcome FROM url WHERE listed >= ?"
_NAMED: Final = (
    "SELECT count(*), coalesce(sum(crc), 0), coalesce(sum(length(url)), 0),"  # noqa: S608 - our own numbers
    " coalesce(sum(crc % 65521 * length(url)), 0) FROM url WHERE id IN"
    f" (SELECT target FROM link WHERE source = ? AND kind = {int(LinkKind.SITEMAP)})"
)
"""Sums of check sums: they do not depend on the order, and no list of a million is kept."""

ROBOTS_TEXTS: Final = "SELECT origin, status, text FROM robots ORDER BY origin"
_Read: TypeAlias = Callable[[str, Sequence[int]], list[tuple[Any, ...]]]


class StoredRobots(NamedTuple):
    """The robots.txt of an origin: status, None if nothing came, and a hash of its text."""

    origin: str
    status: int | None
    digest: str


class StoredSitemap(NamedTuple):
    """A sitemap: whether it exists, None if unknown; and the set of its URLs."""

    url: str
    is_there: bool | None
    urls: int
    digest: str


def read_robots(project: Path) -> list[StoredRobots]:
    """The robots.txt files of a project; ProjectError if it cannot be read."""
    with translated_reading(project), closing(open_for_reading(project)) as connection:
        rows = connection.execute(ROBOTS_TEXTS)
        return [StoredRobots(str(site), status, _digest(str(text))) for site, status, text in rows]


def read_sitemaps(project: Path) -> list[StoredSitemap]:
    """The sitemaps of a project, in as many seconds as they name millions of URLs; ProjectError."""
    with translated_reading(project), closing(open_for_reading(project)) as connection:
        connection.execute("BEGIN")
        return sitemaps_in(lambda sql, values: connection.execute(sql, values).fetchall())


def sitemaps_in(read: _Read) -> list[StoredSitemap]:
    """The sitemaps of a project in which `read` runs a query and gives its rows."""
    return [_sitemap(read, *row) for row in read(_SITEMAPS, (int(SitemapRole.SITEMAP),))]


def _sitemap(read: _Read, url_id: int, url: str, outcome: int) -> StoredSitemap:
    found = Outcome(outcome)
    if found in FILES:
        ((count, *sums),) = read(_NAMED, (url_id,))
        return StoredSitemap(url, is_there=True, urls=count, digest=" ".join(map(str, sums)))
    is_gone = found is Outcome.CLIENT_ERROR
    is_unknown = found.state is not UrlState.DONE or found is Outcome.SERVER_ERROR
    return StoredSitemap(
        url, is_there=None if is_unknown and not is_gone else False, urls=0, digest=""
    )


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest() if text else ""
