"""Protocols for what the comparison window reads and asks for; tests supply fakes."""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gossamer.model.comparison_results import (
    BrokenLinkChange,
    BrokenLinkFilter,
    ComparedPage,
    ComparisonFilter,
    ComparisonOrder,
    ComparisonSummary,
    FilterCounts,
    FolderCounts,
)
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.project_queries import Facet
from gossamer.model.series_contents import CrawlSnapshot
from gossamer.model.site_file_changes import SiteFileChange
from gossamer.urls.url_mapping import UrlMapping

if TYPE_CHECKING:
    from gossamer.gui.project.reader_interfaces import Ids


class ComparisonRows(Protocol):
    """A comparison that is read; see `gossamer.store.comparing.comparison_reader`."""

    def close(self) -> None:
        """Close the file."""

    def interrupt(self) -> None:
        """End the query that is running; from any thread."""

    def summary(self) -> ComparisonSummary:
        """The comparison as a whole."""

    def filters(self, sections: Collection[Facet] = ...) -> list[FilterCounts]:
        """What came into each filter and issue, and what left it."""

    def folders(self, parent: str | None = ...) -> list[FolderCounts]:
        """The folders right below one, by address; below "" the sites."""

    def ids(self, filter_: ComparisonFilter = ..., order: ComparisonOrder = ...) -> "Ids":
        """The ids of the pages that pass a filter, sorted."""

    def broken_link_ids(
        self, filter_: BrokenLinkFilter = ..., order: ComparisonOrder = ...
    ) -> "Ids":
        """The ids of the broken links that pass a filter, sorted."""

    def broken_links(self, ids: Sequence[int]) -> list[BrokenLinkChange]:
        """The links with these ids, in this order."""

    def site_files(self) -> list[SiteFileChange]:
        """The robots.txt files and sitemaps that differ."""

    def pages(self, ids: Sequence[int]) -> list[ComparedPage]:
        """The pages with these ids, in this order."""


class ComparisonPort(Protocol):
    """Finds crawls, and compares two of them; see `ProjectComparer`."""

    def crawls_of(self, project: Path) -> list[CrawlSnapshot]:
        """The crawls of the series of a project whose files are there, the latest first.

        KnownError where the project cannot be read. On any thread.
        """

    def others(self, remembered: Sequence[Path], beside: Path | None) -> list[CrawlSnapshot]:
        """Crawls that were opened before, or are where crawls are kept, or in the same folder.

        The latest first. On any thread.
        """

    def look(self, project: Path) -> CrawlSnapshot:
        """The description of a project; ProjectError. On any thread."""

    def comparison(
        self,
        before: Path,
        after: Path,
        mapping: UrlMapping,
        on_step: Callable[[ProcessStep], None],
    ) -> AbstractAsyncContextManager[Path]:
        """The file of the differences, which exists inside; KnownError if that fails."""

    async def audit(self, project: Path, on_step: Callable[[ProcessStep], None]) -> None:
        """Bring the audit of a project up to date; KnownError."""

    def export(
        self,
        comparison: Path,
        target: Path,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> None:
        """Write a comparison to a file of another format, by its suffix. On any thread.

        KnownError; ExportCancelled.
        """
