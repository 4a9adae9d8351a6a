"""Protocol for the project queries that the window's views make."""

from collections.abc import Collection, Container, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.audit_state import AuditState
from gossamer.model.audit_totals import AuditTotals
from gossamer.model.custom_definitions import CustomCounts
from gossamer.model.evidence_links import LinkTest
from gossamer.model.facets import FacetCount
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.index_progress import Indexing
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.overview_data import OverviewData
from gossamer.model.project_queries import (
    ChainHop,
    Facet,
    Filter,
    FolderNode,
    LinkCounts,
    Order,
    Totals,
    TreeNode,
    View,
)
from gossamer.model.rendering import RenderingDetails
from gossamer.model.search_query import Search
from gossamer.model.series_contents import Note
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.site_checks import SiteCheckRow
from gossamer.model.text_errors import ErrorLocation, ErrorSummary, TextError, UncheckedPages

if TYPE_CHECKING:
    from array import array
    from collections.abc import Mapping

    from gossamer.model.search_excerpts import Excerpt

Ids: TypeAlias = "array[int]"
"""Ids of rows, typecode "q"."""


class ProjectRows(Protocol):
    """A project file open for reading, used by one thread; `store.reading.reader.Reader` is one."""

    def close(self) -> None:
        """Close the file."""

    def interrupt(self) -> None:
        """Make the running query raise. May be called from another thread."""

    def outcome_counts(self) -> dict[Outcome, int]:
        """How many URLs there are of each outcome."""
        ...

    def figures(self) -> OverviewData:
        """The project in figures."""
        ...

    def ids(self, view: View, filter_: Filter = ..., order: Order = ..., after: int = ...) -> Ids:
        """All ids that match, in order; only those above `after`."""
        ...

    def first_ids(self, view: View, filter_: Filter, order: Order) -> "Ids | None":
        """The first of them, if they are found much sooner than all; else None."""
        ...

    def lookup(self, url: str) -> int | None:
        """The id of this URL; None if unknown."""
        ...

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        """The URLs with these ids, in this order; unknown ones are left out."""
        ...

    def excerpts(self, ids: Sequence[int], search: Search) -> "Mapping[int, Excerpt]":
        """For those of these pages that have a text, the part with the words of a search."""
        ...

    def choose_indexing(self, indexing: Indexing) -> None:
        """Set what searches do if very many texts are not in the index yet."""

    def page_text(self, url_id: int) -> str | None:
        """The content of a page, one block per line; None if the project has not kept it."""
        ...

    def link_records(self, ids: Sequence[int]) -> list[LinkRecord]:
        """The links with these ids, in this order; unknown ones are left out."""
        ...

    def view_counts(self) -> dict[View, int]:
        """How many rows each view has."""
        ...

    def has_former_pages(self) -> bool:
        """Whether pages of an earlier crawl were searched for, whatever has become of them."""
        ...

    def facet(self, view: View, filter_: Filter, facet: Facet) -> list[FacetCount]:
        """The values of a facet and their counts, ignoring the filter on that facet."""
        ...

    def audit_state(self) -> AuditState:
        """Whether the results of the audit are up to date."""
        ...

    def audit_totals(self, among: Filter = ...) -> AuditTotals:
        """How many URLs there are of the kinds that rules are about, of those that pass `among`."""
        ...

    def issue_counts(self, *, among: Filter = ...) -> dict[int, int]:
        """How many URLs each audit rule holds for, by number; without rules that hold for none.

        Only URLs that pass `among` count.
        """
        ...

    def count_segments(self, texts: Sequence[str]) -> dict[str, int]:
        """How many URLs would be in each segment if these were the segments; no empty ones."""
        ...

    def custom_counts(self, segments: Collection[str] = ...) -> dict[int, CustomCounts]:
        """On how many pages each custom definition found something, nothing, or failed."""
        ...

    def notes(self) -> Sequence[Note]:
        """All notes of the series, the oldest first."""
        ...

    def ignored_issues(self) -> list[IgnoredIssue]:
        """What is ignored, rule by rule, with how many URLs that is now."""
        ...

    def issues_of(self, url_id: int) -> "Mapping[int, int | float | str | bytes | None]":
        """The rules that hold for a URL, by number, and what each measured."""
        ...

    def issue_values(
        self, rule: int, ids: Sequence[int]
    ) -> "Mapping[int, int | float | str | bytes | None]":
        """The values that a rule measured of those of these URLs for which it holds."""
        ...

    def tested_links(self, rule: int, ids: Sequence[int], test: LinkTest) -> "Mapping[int, str]":
        """The first links of these URLs that pass a test, as text; for URLs that have any."""
        ...

    def violation_nodes(self, rule: int, ids: Sequence[int]) -> "Mapping[int, tuple[int, str]]":
        """How many nodes of these pages break an accessibility rule, and the first's selector."""
        ...

    def same_issue(self, rule: int, url_id: int, limit: int) -> list[int]:
        """Other URLs for which a rule about duplicates holds for the same reason, by id."""
        ...

    def near_duplicates(self, rule: int, url_id: int, limit: int) -> list[tuple[int, int]]:
        """Other URLs for which the rule on near duplicates holds, with the shared percentage.

        The most similar first.
        """
        ...

    def totals(self, ids: Sequence[int]) -> Totals:
        """The totals of the URLs with these ids."""
        ...

    def folder_at(self, address: str) -> int | None:
        """The id of the folder with this address; None if unknown."""
        ...

    def folder_address(self, folder: int) -> str:
        """The address of a folder; "" if unknown."""
        ...

    def children(self, parent: int | None, after: int = ..., limit: int = ...) -> list[TreeNode]:
        """URLs first found on `parent` (None: the roots), by id, with ids above `after`."""
        ...

    def nodes(self, ids: Sequence[int]) -> list[TreeNode]:
        """The nodes with these ids."""
        ...

    def path_to(self, url_id: int) -> list[int]:
        """The ids from a root down to this URL."""
        ...

    def folders(
        self, parent: int | None, known: Container[int] = ..., limit: int = ...
    ) -> list[FolderNode]:
        """Folders in `parent` (None: the origins), by name, with unknown ids."""
        ...

    def folder_nodes(self, ids: Sequence[int]) -> list[FolderNode]:
        """The folders with these ids."""
        ...

    def folder_path(self, names: Sequence[str]) -> list[int]:
        """The ids of an origin, of a folder in it, and so on; empty if one is unknown."""
        ...

    def folder_urls(self, folder: int, after: int = ..., limit: int = ...) -> list[TreeNode]:
        """URLs directly in `folder`, by id, with ids above `after`."""
        ...

    def inlinks(
        self, url_id: int, after: tuple[int, int] = ..., limit: int = ...
    ) -> list[LinkRecord]:
        """Links to this URL by (source, position), those above `after`."""
        ...

    def link_counts(self, url_id: int) -> LinkCounts:
        """How many links `inlinks` and `outlinks` have, by whether a table counts them."""
        ...

    def lacks_browser(self) -> bool:
        """Whether pages were not rendered because no browser started."""
        ...

    def rendering_details(self, url_id: int) -> RenderingDetails:
        """What a rendered page loaded, wrote to the console and shows."""
        ...

    def screenshot(self, url_id: int) -> bytes | None:
        """The screenshot of a rendered page, a JPEG; None if there is none."""
        ...

    def outlinks(self, url_id: int, after: int = ..., limit: int = ...) -> list[LinkRecord]:
        """Links on this URL by position, those above `after`."""
        ...

    def links_of_kinds(
        self, url_id: int, kinds: Collection[LinkKind], limit: int, after: int = ...
    ) -> list[LinkRecord]:
        """The links on this URL of these kinds by position, those above `after`."""
        ...

    def sitemap_alternates(self, url_id: int) -> list[LinkRecord]:
        """The versions of this URL in other languages, by entries of sitemaps."""
        ...

    def chain(self, url_id: int) -> list[ChainHop]:
        """The redirect chain through this URL."""
        ...

    def redirect_sources(self, url_id: int, limit: int = ...) -> list[TreeNode]:
        """URLs that redirect to this one."""
        ...

    def text_errors_of(self, url_id: int) -> list[TextError]:
        """The errors of spelling and grammar in a page, without ignored ones."""
        ...

    def error_summaries(self) -> list[ErrorSummary]:
        """Each different error of the site."""
        ...

    def error_locations(self, error: TextError) -> list[ErrorLocation]:
        """The pages with an error."""
        ...

    def unchecked_pages(self) -> UncheckedPages:
        """How many pages were not proofread."""
        ...

    def robots_origins(self) -> list[str]:
        """The origins whose robots.txt was requested."""
        ...

    def robots_txt(self, origin: str) -> tuple[int | None, str] | None:
        """Status and text of the robots.txt of an origin; None if it was not requested."""
        ...

    def archive_record(self, url_id: int) -> ArchiveRecord | None:
        """Where the last response of a URL itself is archived; None if it is not."""
        ...

    def dom_record(self, url_id: int) -> ArchiveRecord | None:
        """Where the DOM that scripts made of a page is archived; None if it is not."""
        ...

    def certificate(self, origin: str) -> ServerCertificate | None:
        """The certificate that an https origin showed; None if none was seen."""
        ...

    def site_checks(self) -> list[SiteCheckRow]:
        """The responses of hosts to made-up URLs, and for their llms.txt."""
        ...

    def urls_of(self, origin: str, after: int, limit: int) -> list[tuple[int, str]]:
        """URLs of an origin with ids above `after`, by id."""
        ...

    def headers(self, url_id: int) -> list[tuple[str, str]]:
        """The headers of its response, as received."""
        ...
