"""Compares the links of two projects, and writes the differences."""

from collections.abc import Callable
from typing import Final

import numpy as np

from gossamer.comparison.broken_link_differences import BrokenLinkDifferences
from gossamer.comparison.hreflang_differences import HreflangDifferences
from gossamer.comparison.non_field_differences import AddedPageRows
from gossamer.comparison.outlink_differences import OutlinkDifferences
from gossamer.comparison.page_differences import PageDifferences
from gossamer.comparison.url_matching import MatchedUrls
from gossamer.model.comparison_results import FilterCounts
from gossamer.model.fields.comparison_only_fields import HREFLANG, OUTLINKS
from gossamer.store.auditing.number_arrays import Flags, Ids, distinct
from gossamer.store.bulk_insert import NULL, Value
from gossamer.store.comparing.compared_project import ComparedProject
from gossamer.store.comparing.comparison_file import ComparisonFile
from gossamer.urls.url_mapping import UrlMapping

_AT_ONCE: Final = 20_000
_Responses = dict[int, tuple[int, str | None]]


class LinkComparison:
    """Compares outlinks, and links to broken URLs."""

    def __init__(
        self,
        sides: tuple[ComparedProject, ComparedProject],
        matched: MatchedUrls,
        mapping: UrlMapping,
        file: ComparisonFile,
    ) -> None:
        self._before, self._after = sides
        self._matched = matched
        self._mapping = mapping
        self._file = file
        self._written: Flags = np.zeros(matched.border + len(matched.names), np.bool_)
        """By names, whose addresses are in the file."""

    def run(
        self,
        pages: PageDifferences,
        rows: AddedPageRows,
        *,
        compares_outlinks: bool,
        done: Callable[[int], None],
    ) -> list[FilterCounts]:
        """Compare, and write; returns the number of links. `done` receives the percentage."""
        broken = BrokenLinkDifferences(self._before, self._after, self._matched)
        are_broken = broken.are_broken()
        found: list[FilterCounts] = []
        if compares_outlinks:
            outlinks = OutlinkDifferences(self._before, self._after, self._matched)
            for changed in outlinks.run(are_broken, done):
                rows.add(changed.pages)
                counts = zip(
                    changed.pages.tolist(),
                    changed.lost.tolist(),
                    changed.gained.tolist(),
                    strict=True,
                )
                values: list[Value] = []
                for page, lost, gained in counts:
                    values += (page, OUTLINKS.name, lost, gained)
                self._file.add_field_changes(values)
                self._file.add_link_changes(changed.links.ravel().tolist())
                self._add_addresses(distinct(changed.links[:, 1]), are_broken)
                pages.fields[OUTLINKS.name] += len(changed.pages)
            found.append(outlinks.counts())
        for moved in broken.run():
            ends = np.concatenate([moved.sources, moved.targets])
            self._add_addresses(distinct(ends), are_broken)
            links = np.stack([moved.moves, moved.sources, moved.targets], axis=1)
            self._file.add_broken_links(links.ravel().tolist())
        return [*found, broken.counts()]

    def run_hreflang(self, pages: PageDifferences, rows: AddedPageRows) -> None:
        """Compare the pages' versions in other languages, and write the differences."""
        sides = self._before, self._after
        for changed in HreflangDifferences(*sides, self._matched, self._mapping).run():
            rows.add(np.array([each.page for each in changed], np.int64))
            values: list[Value] = []
            for page, lost, gained in changed:
                values += (page, HREFLANG.name, NULL if lost is None else lost)
                values.append(NULL if gained is None else gained)
            self._file.add_field_changes(values)
            pages.fields[HREFLANG.name] += len(changed)

    def _add_addresses(self, names: Ids, are_broken: Flags) -> None:
        """Write the addresses of these URLs, and the statuses of broken ones."""
        fresh = names[~self._written[names]]
        self._written[fresh] = True
        for start in range(0, len(fresh), _AT_ONCE):
            part = fresh[start : start + _AT_ONCE]
            self._write(part, part[are_broken[part]])

    def _write(self, names: Ids, broken: Ids) -> None:
        matched, border = self._matched, self._matched.border
        own = names[names >= border] - border
        urls = self._after.urls(names[names < border].tolist())
        ours = {each + border: url for each, url in self._before.urls(own.tolist()).items()}
        urls |= {name: self._mapping.map(url) for name, url in ours.items()}
        before = self._before_ids(names)
        responses = (
            self._responses(self._before, self._before_ids(broken)),
            self._responses(self._after, broken[broken < border]),
        )
        values: list[Value] = []
        for name, before_id in zip(names.tolist(), before.tolist(), strict=True):
            after_id = name if name < border else 0
            values += (name, urls.get(name, ""))
            values += _response(matched.before.outcome, before_id, responses[0])
            values += _response(matched.after.outcome, after_id, responses[1])
        self._file.add_addresses(values)

    def _before_ids(self, names: Ids) -> Ids:
        """The ids in the earlier project, 0 if it does not know the URL."""
        matched, border = self._matched, self._matched.border
        known = np.minimum(names, border - 1)
        return np.where(names < border, np.abs(matched.before_of[known]), names - border)

    def _responses(self, project: ComparedProject, ids: Ids) -> _Responses:
        return project.responses(ids[ids > 0].tolist())


def _response(outcome: Ids, url_id: int, responses: _Responses) -> tuple[Value, Value]:
    """Outcome and status of a URL on one side; NULL if that does not know it."""
    if not url_id:
        return NULL, NULL
    status = responses.get(url_id)
    return int(outcome[url_id]), NULL if status is None else status[0]
