"""The values of project queries: views, filters, sort orders, and the rows returned."""

from collections.abc import Collection
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from gossamer.model.fields.link_record import LINK_COLUMNS
from gossamer.model.fields.url_record import URL_COLUMNS
from gossamer.model.outcome import PAGES, Outcome, Verdict, verdict
from gossamer.model.outcome_counts import (
    ERRORS,
    FORMER,
    KNOWN,
    LEFT_OUT,
    REDIRECTS,
    REPORTED,
    RESOURCES,
)
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.search_query import Search


class View(StrEnum):
    """A set of URLs, defined by outcomes (see `VIEW_OUTCOMES`); or the links between them."""

    ALL = "all"
    """Every known URL, except former pages."""
    PAGES = "pages"
    REDIRECTS = "redirects"
    ERRORS = "errors"
    BROKEN_LINKS = "broken-links"
    """Links to what is in ERRORS."""
    INTERNAL = "internal"
    """URLs on hosts that are crawled: requested, or not because of robots.txt."""
    EXTERNAL = "external"
    """URLs on hosts that are not crawled, whatever their outcome."""
    RESOURCES = "resources"
    """Addresses that work and are not pages: images, style sheets, downloads, checked targets."""
    SKIPPED = "skipped"
    """Never requested: skipped by a rule, or cancelled."""
    FORMER = "former-pages"
    """Pages of the previous crawl that this recrawl lacks: gone, or no longer linked."""
    LINKS = "links"
    """Links, each with both its ends. Filters are about the target, except for the kind."""

    @property
    def outcomes(self) -> frozenset[Outcome]:
        """The outcomes that URLs in this view, or targets of its links, may have."""
        return VIEW_OUTCOMES[self]

    @property
    def columns(self) -> "frozenset[Column]":
        """The columns that rows of this view have."""
        return _LINK_COLUMN_NAMES if self.is_of_links else _URL_COLUMN_NAMES

    @property
    def is_of_links(self) -> bool:
        """Whether its rows are links rather than URLs."""
        return self in LINK_TARGETS

    @property
    def targets(self) -> "View":
        """The view that has the targets of the links in this one."""
        return LINK_TARGETS[self]


VIEW_OUTCOMES: dict[View, frozenset[Outcome]] = {
    View.ALL: KNOWN,
    View.PAGES: PAGES,
    View.REDIRECTS: REDIRECTS,
    View.ERRORS: ERRORS,
    View.BROKEN_LINKS: ERRORS,
    View.INTERNAL: REPORTED,
    View.EXTERNAL: KNOWN,
    View.RESOURCES: RESOURCES,
    View.SKIPPED: LEFT_OUT,
    View.FORMER: FORMER,
    View.LINKS: KNOWN,
}
LINK_TARGETS: dict[View, View] = {View.LINKS: View.ALL, View.BROKEN_LINKS: View.ERRORS}


Column: TypeAlias = str
"""The name of a column that a table can show and sort by, as its field declares it."""
_LINK_COLUMN_NAMES = frozenset(each.column for each in LINK_COLUMNS)
_URL_COLUMN_NAMES = frozenset(each.column for each in URL_COLUMNS)

Facet: TypeAlias = str
"""The name of a property that rows can be filtered by, as it is declared."""
Value: TypeAlias = int | str
"""One value of a facet."""

MAX_LINKS = 1_000_000
"""The most links that a table has, the first ones found: each costs 8 bytes there, and a site can
have any number."""
NO_RESPONSE = 0
"""The status class of URLs without a status."""


class Filter(Struct, frozen=True):
    """Which URLs of a view to return. The default returns them all; conditions add up.

    Hashable; `msgspec.json` encodes and decodes it.

    `text` is a substring of address or title (of links: of either address or the anchor text); case
    does not matter for ASCII letters. With `expression` it is a regular expression, searched
    without regard to case. `folder` is the id of a folder; the folders below count. `found_on` is
    the id of the URL that they were first found on; of links, of the one that they are on.
    `time_ms` is a response time from the first value to below the second, None for no bound.
    `facets` are the values that let a row pass, by facet (see `facet_values`): it has at least one
    of each. `search` looks in the texts of pages; for links, in those of their targets.
    """

    text: str = ""
    expression: bool = False
    folder: int | None = None
    found_on: int | None = None
    time_ms: tuple[int | None, int | None] | None = None
    facets: tuple[tuple[Facet, frozenset[Value]], ...] = ()
    search: Search | None = None

    def values(self, facet: Facet) -> frozenset[Value]:
        """The values of one of the `facets`; empty: any."""
        return next((values for name, values in self.facets if name == facet), frozenset())


def facet_values(**values: Collection[Value]) -> tuple[tuple[Facet, frozenset[Value]], ...]:
    """The value of `Filter.facets`: `facet_values(status={404, 410}, depth={1})`."""
    return tuple(sorted((name, frozenset(some)) for name, some in values.items() if some))


class Order(Struct, frozen=True):
    """The sort order of rows; without a column, by discovery, which is by id.

    Columns that the rows lack do not count. Equal rows are sorted by the columns in `then`, finally
    in order of discovery. Those without a value come last either way.
    """

    column: Column | None = None
    descending: bool = False
    then: "tuple[Order, ...]" = ()

    @property
    def keys(self) -> "tuple[Order, ...]":
        """The single orders, in sequence; none for the order of discovery."""
        return () if self.column is None else (Order(self.column, self.descending), *self.then)


class Totals(Struct, frozen=True):
    """Totals of some URLs. `elapsed_ms` sums up the `timed` ones that have a time."""

    size_bytes: int = 0
    elapsed_ms: int = 0
    timed: int = 0


class Table(Struct, frozen=True):
    """Exactly what a table of URLs shows: which rows, in which order, with which columns."""

    view: View
    filter_: Filter = Filter()
    order: Order = Order()
    columns: tuple[Column, ...] = ("address",)


class LinkEnd(StrEnum):
    """The end from which links are looked up: links to a URL, or links on it."""

    INLINKS = "inlinks"
    OUTLINKS = "outlinks"


class LinksOf(Struct, frozen=True):
    """The links to some URLs, or on them: of any kind, URL by URL."""

    end: LinkEnd
    urls: tuple[int, ...]


class TreeNode(Struct, frozen=True, array_like=True):
    """A URL as a node of a tree.

    `children` is the number of URLs first found there, `errors` how many of them are errors, and
    `worst` the gravest verdict on those; `redirect` is as in `UrlRecord`.
    """

    id: int
    url: str
    parent: int | None
    outcome: Outcome
    status: int | None = None
    title: str | None = None
    children: int = 0
    redirect: str | None = None
    errors: int = 0
    worst: Verdict | None = None

    @property
    def verdict(self) -> Verdict:
        """What a user should think of this URL."""
        return verdict(self.outcome, self.status)


class FolderNode(Struct, frozen=True, array_like=True):
    """A folder of URL paths. Folders without a parent are origins ("https://example.com").

    `urls` and `errors` count the folder and all below it; `direct` counts the URLs in the folder
    itself, `subfolders` the folders directly below; `worst` is the gravest verdict on the errors.
    URLs never requested because a rule refused them are in no folder.
    """

    id: int
    parent: int | None
    name: str
    urls: int
    errors: int
    subfolders: int
    direct: int
    worst: Verdict | None = None


class LinkCounts(Struct, frozen=True, array_like=True):
    """Links to a URL and on it, as a `UrlRecord` counts them; all other references separately.

    The others are canonicals, redirects, forms and the like; on it, also files.
    """

    inlinks: int = 0
    unique_inlinks: int = 0
    outlinks: int = 0
    other_inlinks: int = 0
    other_outlinks: int = 0


class ChainHop(Struct, frozen=True):
    """One URL of a redirect chain. `redirect_kind` says by what means it leads on, if it does.

    `sources` counts the URLs that redirect to it, up to MAX_SOURCES.
    """

    id: int
    url: str
    status: int | None
    outcome: Outcome
    elapsed_ms: int | None = None
    redirect_kind: RedirectKind | None = None
    sources: int = 0
    repeats: int = 0
    """For the last URL of a loop: its earlier position in the chain, from 1."""


MAX_SOURCES = 1_000
"""Redirects to one URL that are counted."""


class UrlCounts(Struct, frozen=True):
    """How many URLs there are: by outcome, by HTTP status and, if requested, by depth."""

    outcomes: dict[Outcome, int] = {}
    statuses: dict[int, int] = {}
    depths: dict[int, int] = {}
