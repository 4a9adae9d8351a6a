"""Compares two projects into a comparison file."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec
import numpy as np

from gossamer.comparison.issue_differences import compare_issue
from gossamer.comparison.link_comparison import LinkComparison
from gossamer.comparison.moved_pages import MovedPages, MovedPageSearch
from gossamer.comparison.non_field_differences import AddedPageRows
from gossamer.comparison.page_differences import PageDifferences
from gossamer.comparison.site_file_differences import changed_site_files
from gossamer.comparison.undecided_issues import UndecidedIssues
from gossamer.comparison.url_matching import MatchedUrls, keep_passing, match_urls
from gossamer.model.comparison_field_choice import COMPARED
from gossamer.model.comparison_results import (
    ComparedSide,
    ComparisonSummary,
    FilterCounts,
    PageChange,
    SettingChange,
)
from gossamer.model.fields.comparison_only_fields import HREFLANG, OUTLINKS
from gossamer.model.project_queries import Filter
from gossamer.model.rule_comparability import RuleComparability
from gossamer.model.settings.crawl_settings import OF_ONE_CRAWL, SETTINGS, CrawlSettings
from gossamer.model.translatable import Sentence
from gossamer.store.comparing.compared_project import ComparedProject
from gossamer.store.comparing.comparison_file import ComparisonFile, new_comparison
from gossamer.urls.url_mapping import NO_MAPPING, UrlMapping

MATCHING: Final[Sentence] = "Matching addresses"
PAGES: Final[Sentence] = "Comparing pages"
LINKS: Final[Sentence] = "Comparing links"
ISSUES: Final[Sentence] = "Comparing issues"
FINISHING: Final[Sentence] = "Writing the comparison"
_STEPS: Final = 100
_PARTS: Final = {
    MATCHING: (0, 15),
    PAGES: (15, 55),
    LINKS: (55, 85),
    ISSUES: (85, 95),
    FINISHING: (95, 100),
}
"""The first and last step of each stage."""


class ComparisonProgress(NamedTuple):
    """The progress of a comparison: `done` of `total` steps, and the current activity."""

    stage: Sentence
    done: int
    total: int


_EVERYTHING: Final = Filter()


class ComparisonOptions(NamedTuple):
    """What to compare, and how: mapped addresses, the names of fields, and which URLs.

    URLs that pass the filter in the later project are compared, and missing ones that pass it in
    the earlier one. Links are compared if their targets pass.
    """

    mapping: UrlMapping = NO_MAPPING
    fields: Sequence[str] = COMPARED
    filter_: Filter = _EVERYTHING
    bases: Mapping[int, RuleComparability] = MappingProxyType({})
    """What the decisions of each rule are based on, by its number; others are always comparable."""


_DEFAULTS: Final = ComparisonOptions()


def compare(
    before: Path,
    after: Path,
    result: Path,
    options: ComparisonOptions = _DEFAULTS,
    progress: Callable[[ComparisonProgress], None] = lambda _: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> ComparisonSummary:
    """Write the differences between two projects to the comparison file `result`.

    Each project is read as it is at the beginning, even if it is being written. Memory grows by
    some bytes per URL. ProjectError if a project cannot be read, OutputError and DiskError if the
    file cannot be written; ComparisonCancelled soon after `is_cancelled` is true. The file appears
    once it is complete.
    """
    with ExitStack() as opened:
        sides = [
            opened.enter_context(ComparedProject(path, is_cancelled)) for path in (before, after)
        ]
        file = opened.enter_context(new_comparison(result))
        return _ProjectComparison(sides[0], sides[1], file, options, progress).run()


class _ProjectComparison:
    def __init__(
        self,
        before: ComparedProject,
        after: ComparedProject,
        file: ComparisonFile,
        options: ComparisonOptions,
        progress: Callable[[ComparisonProgress], None],
    ) -> None:
        self._before = before
        self._after = after
        self._file = file
        self._fields = options.fields
        self._filter = options.filter_
        self._bases = options.bases
        directed = options.mapping.directed(before.settings.roots, after.settings.roots)
        self._mapping = directed.turned(before.has_below)
        self._progress = progress

    def run(self) -> ComparisonSummary:
        """Compare, and write."""
        self._report(MATCHING, 0, 1)
        matched = match_urls(self._before, self._after, self._mapping)
        if self._filter != _EVERYTHING:
            keep_passing(
                matched, self._before.passing(self._filter), self._after.passing(self._filter)
            )
        # Now, not at the end: an invalid project is reported at once.
        sides = self._before.side(matched.counts[0]), self._after.side(matched.counts[1])
        # The progress of pages is measured by those of both sides.
        total = len(matched.before_of) + len(matched.after_of)
        projects = (self._before, self._after)
        pages = PageDifferences(projects, matched, self._mapping, self._fields, self._file)
        pages.run(lambda done: self._report(PAGES, done, total))
        pages.finish()
        rows = AddedPageRows(projects, matched, self._mapping, pages, self._file)
        comparison = LinkComparison(projects, matched, self._mapping, self._file)
        if HREFLANG.name in self._fields:
            comparison.run_hreflang(pages, rows)
        links = comparison.run(
            pages,
            rows,
            compares_outlinks=OUTLINKS.name in self._fields,
            done=lambda percent: self._report(LINKS, percent, 100),
        )
        issues = list(self._compare_issues(matched, pages, rows))
        self._report(FINISHING, 0, 1)
        self._file.add_filters([*pages.sets.counts(), *links, *issues])
        self._file.add_filter_sets(pages.sets.rows())
        self._compare_folders()
        self._file.add_site_files(changed_site_files(self._before, self._after, self._mapping))
        moved = self._find_moved(matched)
        summary = self._summary(sides, matched, pages, moved)
        self._file.finish(summary)
        return summary

    def _compare_issues(
        self, matched: MatchedUrls, pages: PageDifferences, rows: AddedPageRows
    ) -> Iterator[FilterCounts]:
        rules = sorted(self._before.issue_rules() | self._after.issue_rules())
        doubts = UndecidedIssues((self._before, self._after), matched, self._bases)
        for place, rule in enumerate(rules):
            self._report(ISSUES, place, len(rules))
            ids = self._before.issue_ids(rule), self._after.issue_ids(rule)
            indexable = pages.began, pages.ended
            moved = compare_issue(rule, matched, ids, indexable, doubts.of(rule))
            rows.add(moved.known(known=True))
            rows.add_unknown(moved.known(known=False))
            self._file.add_issue_changes(rule, moved.pages, moved.moves)
            yield moved.counts

    def _find_moved(self, matched: MatchedUrls) -> MovedPages:
        moved = MovedPageSearch(self._before, self._after, matched, self._mapping).run()
        ours = matched.file_ids(moved.before)
        self._file.mark_moved(ours, moved.after, moved.by)
        # A new page that several lead to gets the first of them.
        new, first = np.unique(moved.after, return_index=True)
        self._file.mark_moved(new, ours[first], moved.by[first])
        return moved

    def _compare_folders(self) -> None:
        for project, is_after in ((self._before, False), (self._after, True)):
            for part in project.folders():
                self._file.add_folders(
                    (address, 0, urls) if is_after else (self._mapping.map(address), urls, 0)
                    for address, urls in part
                )
        self._file.sum_folders()

    def _summary(
        self,
        sides: tuple[ComparedSide, ComparedSide],
        matched: MatchedUrls,
        pages: PageDifferences,
        moved: MovedPages,
    ) -> ComparisonSummary:
        return ComparisonSummary(
            before=sides[0],
            after=sides[1],
            compared_at=time.time(),
            mapping=tuple((each.before, each.after) for each in self._mapping.prefixes),
            mapped=matched.mapped,
            new=pages.changes[PageChange.NEW],
            missing=pages.changes[PageChange.MISSING],
            changed=pages.changes[PageChange.CHANGED],
            fields={name: pages.fields[name] for name in self._fields},
            fates=dict(sorted(pages.fates.items())),
            settings=tuple(
                _changed_settings(self._before.settings, self._after.settings, self._mapping)
            ),
            name_other_copy=pages.name_other_copy,
            moved=len(moved.before),
            rewrites=moved.rewrites,
        )

    def _report(self, stage: Sentence, done: int, total: int) -> None:
        first, last = _PARTS[stage]
        part = (last - first) * min(done, total) // max(total, 1)
        self._progress(ComparisonProgress(stage, first + part, _STEPS))


def _changed_settings(
    before: CrawlSettings, after: CrawlSettings, mapping: UrlMapping
) -> Iterator[SettingChange]:
    """The settings that differ and can explain differences; roots may be mapped."""
    was, now = msgspec.to_builtins(before), msgspec.to_builtins(after)
    was["roots"] = [mapping.map(root) for root in was["roots"]]
    now["roots"] = list(now["roots"])
    for name, value in now.items():
        is_told = name not in OF_ONE_CRAWL and SETTINGS[name].changes_results
        if was[name] != value and is_told:
            yield SettingChange(name, was[name], value)
