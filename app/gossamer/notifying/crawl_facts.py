"""The values that conditions are decided from, read from projects and comparisons."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from gossamer.model.comparison_results import PageChange
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.translatable import Translatable
from gossamer.notifying.conditions import ConditionKind, EndKind

ISSUES: Final = "issues"
"""Stands among the fields of a page for the issues that it has gained or lost."""


class TextState(Struct, frozen=True):
    """A robots.txt: the status of its response, None if there was none, and its hash."""

    status: int | None
    digest: str = ""


class SitemapState(Struct, frozen=True):
    """A sitemap: whether it exists, None if unknown, and the set of its URLs."""

    is_there: bool | None
    urls: int = 0
    digest: str = ""


class SiteFiles(Struct, frozen=True):
    """The files of a site for crawlers: by origin, and by address."""

    robots: Mapping[str, TextState]
    sitemaps: Mapping[str, SitemapState]


class PageDifference(Struct, frozen=True):
    """A page that differs from the crawl before: new, missing or changed, and in which fields."""

    url: str
    change: PageChange
    fields: frozenset[str] = frozenset()


class IssueCount(Struct, frozen=True):
    """An issue: its name, its priority, how many URLs it has, and how many more than before.

    `appeared` is None if there is no crawl to compare with; `on_new` are those of it that are on
    pages which the crawl before did not have.
    """

    rule: int
    name: Translatable
    priority: str
    urls: int
    appeared: int | None = None
    on_new: int = 0


class CrawlFacts(Struct, frozen=True):
    """A crawl that has ended, and the one before it. What no condition needs is empty.

    `run` identifies this run of the crawl. `files_before` is None without a crawl before. `pages`
    returns the pages that differ, each time from the beginning.
    """

    ending: EndKind
    run: str
    why: Translatable | None = None
    """Why it failed or paused."""
    errors: int = 0
    client_errors: int = 0
    server_errors: int = 0
    no_response: int = 0
    issues: Sequence[IssueCount] = ()
    files: SiteFiles = SiteFiles({}, {})
    files_before: SiteFiles | None = None
    certificates: Sequence[ServerCertificate] = ()
    pages: Callable[[], Iterable[PageDifference]] = tuple
    decidable: frozenset[ConditionKind] = frozenset(ConditionKind)
    """The conditions that can be decided; of the others, what was reported stays reported."""
