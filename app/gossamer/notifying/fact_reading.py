"""Reads the facts that conditions need: of a project, the one before, and their comparison."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from gossamer.audit.rule_catalogue import RULES
from gossamer.model.comparison_results import PageChange
from gossamer.model.outcome import ERROR_OUTCOMES, Outcome, UrlState
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Translatable
from gossamer.notifying.conditions import ConditionKind, EndKind
from gossamer.notifying.crawl_facts import (
    ISSUES,
    CrawlFacts,
    IssueCount,
    PageDifference,
    SiteFiles,
    SitemapState,
    TextState,
)
from gossamer.store.comparing.comparison_reader import ComparisonReader
from gossamer.store.reading.reader import Reader
from gossamer.store.reading.site_files import read_robots, read_sitemaps

_FILES: Final = frozenset({ConditionKind.ROBOTS, ConditionKind.SITEMAP})


class CrawlEnd(Struct, frozen=True):
    """A run of a crawl that has ended: which, how, and what to compare it with, if anything.

    `before` is the project of the crawl before, `comparison` the file of their comparison. `run`
    distinguishes runs that failed before they had a project, and are reported by an earlier one:
    that one's contents are no news.
    """

    project: Path
    ending: EndKind
    why: Translatable | None = None
    before: Path | None = None
    comparison: Path | None = None
    run: str = ""

    @property
    def decidable(self) -> frozenset[ConditionKind]:
        """The conditions that can be decided: without a project, those about the end alone."""
        return frozenset({ConditionKind.ENDED} if self.run else ConditionKind)


def read_facts(
    end: CrawlEnd, kinds: Collection[ConditionKind]
) -> tuple[CrawlFacts, ProjectSummary]:
    """The facts of a crawl, as far as conditions of these kinds need them; ProjectError."""
    with Reader(end.project) as reader:
        summary = reader.summary()
        counts = error_counts(summary.outcomes)
        issues = _issues(reader, summary, end) if ConditionKind.ISSUE in kinds else ()
        shown = reader.certificates() if ConditionKind.CERTIFICATE in kinds else ()
    has_before = end.before is not None and not _FILES.isdisjoint(kinds)
    return (
        CrawlFacts(
            end.ending,
            run=f"{summary.created_at} {summary.seconds:.0f} {summary.last_id} {end.run}".rstrip(),
            why=end.why,
            **counts,
            issues=issues,
            files=_files(end.project, kinds) if has_before else SiteFiles({}, {}),
            files_before=_files(end.before, kinds) if end.before and has_before else None,
            certificates=shown,
            pages=partial(_pages, end),
            decidable=end.decidable,
        ),
        summary,
    )


def error_counts(outcomes: Mapping[Outcome, int]) -> dict[str, int]:
    """The errors as the program counts them, and which of them are 4xx, 5xx or no response."""
    return {
        "errors": sum(outcomes.get(each, 0) for each in ERROR_OUTCOMES),
        "client_errors": outcomes.get(Outcome.CLIENT_ERROR, 0),
        "server_errors": outcomes.get(Outcome.SERVER_ERROR, 0),
        "no_response": sum(
            outcomes.get(each, 0) for each in ERROR_OUTCOMES if each.state is UrlState.FAILED
        ),
    }


def _issues(reader: Reader, summary: ProjectSummary, end: CrawlEnd) -> tuple[IssueCount, ...]:
    counts = reader.issue_counts()
    appeared = _appeared(end, counts)
    return tuple(
        IssueCount(
            *(number, rule.said_name(summary.settings), str(rule.priority)),
            urls=counts.get(number, 0),
            appeared=None if appeared is None else appeared.get(number, (0, 0))[0],
            on_new=0 if appeared is None else appeared.get(number, (0, 0))[1],
        )
        for number, rule in RULES.items()
        if rule.priority is not None
    )


def _appeared(end: CrawlEnd, counts: Mapping[int, int]) -> dict[int, tuple[int, int]] | None:
    """For each rule, the URLs that it newly holds for, and how many of them are new.

    None without a crawl before. Without a comparison, the increase of their number: those that came
    as others left are not seen.
    """
    if end.comparison is not None:
        with ComparisonReader(end.comparison) as compared:
            return {rule: (each.gained, each.new) for rule, each in compared.issues().items()}
    if end.before is None:
        return None
    with Reader(end.before) as reader:
        before = reader.issue_counts()
    return {rule: (max(0, urls - before.get(rule, 0)), 0) for rule, urls in counts.items()}


def _pages(end: CrawlEnd) -> Iterator[PageDifference]:
    """The pages that differ, according to their comparison; none without one.

    What an unfinished crawl lacks is not missing.
    """
    if end.comparison is None:
        return
    with ComparisonReader(end.comparison) as compared:
        for page in compared.iterate():
            if page.change is PageChange.MISSING and end.ending is not EndKind.FINISHED:
                continue
            names = frozenset(each.field for each in page.fields)
            is_change = page.change is PageChange.CHANGED
            has_moved = is_change and any(each.move.is_known for each in page.issues)
            issues = frozenset({ISSUES}) if has_moved else frozenset[str]()
            yield PageDifference(page.url, page.change, names | issues)


def _files(project: Path, kinds: Collection[ConditionKind]) -> SiteFiles:
    robots = read_robots(project) if ConditionKind.ROBOTS in kinds else []
    sitemaps = read_sitemaps(project) if ConditionKind.SITEMAP in kinds else []
    return SiteFiles(
        {each.origin: TextState(each.status, each.digest) for each in robots},
        {each.url: SitemapState(each.is_there, each.urls, each.digest) for each in sitemaps},
    )
