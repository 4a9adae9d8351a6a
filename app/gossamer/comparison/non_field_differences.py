"""Adds rows for pages that differ in something other than their fields: issues, links."""

from typing import Final

import numpy as np

from gossamer.comparison.page_differences import ALONE, UNCHANGED, PageDifferences
from gossamer.comparison.url_matching import MatchedUrls
from gossamer.model.comparison_results import PageChange
from gossamer.store.auditing.number_arrays import Ids
from gossamer.store.bulk_insert import NULL, Value
from gossamer.store.comparing.compared_project import ComparedProject
from gossamer.store.comparing.comparison_file import PAGE_WIDTH, ComparisonFile
from gossamer.urls.url_mapping import UrlMapping

_AT_ONCE: Final = 20_000


class AddedPageRows:
    """Adds rows for pages that have none yet, and notes that they have changed."""

    def __init__(
        self,
        sides: tuple[ComparedProject, ComparedProject],
        matched: MatchedUrls,
        mapping: UrlMapping,
        pages: PageDifferences,
        file: ComparisonFile,
    ) -> None:
        self._before, self._after = sides
        self._matched = matched
        self._mapping = mapping
        self._pages = pages
        self._file = file

    def add(self, ids: Ids) -> None:
        """Have a row for each of these pages, identified by their ids in the comparison file."""
        pages = self._pages
        known = pages.change_of[ids]
        moved = ids[known == UNCHANGED]
        self._file.mark_changed(moved)
        pages.change_of[moved] = int(PageChange.CHANGED)
        pages.changes[PageChange.NONE] -= len(moved)
        pages.changes[PageChange.CHANGED] += len(moved)
        self._add_fresh(ids[known == 0], PageChange.CHANGED)

    def add_unknown(self, ids: Ids) -> None:
        """Likewise, though it is unknown whether they have changed."""
        self._add_fresh(ids[self._pages.change_of[ids] == 0], PageChange.NONE)

    def _add_fresh(self, fresh: Ids, change: PageChange) -> None:
        border = self._matched.border
        for project, found, base in (
            (self._after, fresh[fresh < border], 0),
            (self._before, fresh[fresh >= border] - border, border),
        ):
            for start in range(0, len(found), _AT_ONCE):
                self._add(project, found[start : start + _AT_ONCE], base, change)

    def _add(self, project: ComparedProject, ids: Ids, base: int, change: PageChange) -> None:
        """Rows of URLs without changed fields; or which one side knows, and neither requested.

        The latter are not changes of their own.
        """
        is_after = project is self._after
        pages, matched = self._pages, self._matched
        partners = (matched.before_of if is_after else matched.after_of)[ids]
        changes = np.where(partners > 0, int(change), int(PageChange.NONE))
        pages.change_of[ids + base] = np.where(partners > 0, int(change) or UNCHANGED, ALONE)
        pages.changes[change] += int(np.count_nonzero(partners > 0))
        urls = project.urls(ids.tolist())
        rows: list[Value] = []
        for url_id, partner, stored in zip(
            ids.tolist(), partners.tolist(), changes.tolist(), strict=True
        ):
            pair = (partner if partner > 0 else NULL, url_id) if is_after else (url_id, NULL)
            url = urls[url_id] if is_after else self._mapping.map(urls[url_id])
            row = (base + url_id, url, NULL, *pair, stored)
            rows += (*row, *[NULL] * (PAGE_WIDTH - len(row)))
        self._file.add_pages(rows)
