"""Gathers the data of the report: counts, distributions, and the worst of each kind."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from gossamer.audit.audit_rule import RuleKind
from gossamer.export.export_selection import Check, ExportSelection
from gossamer.export.issue_views import FoundIssue, found_issues, issue_view
from gossamer.export.redirect_views import type_of
from gossamer.export.sheet import Row
from gossamer.export.view_sheets import sheet
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import FILES, PAGES, Outcome, UrlState, Verdict
from gossamer.model.outcome_counts import DONE, ERRORS, FORMER, REDIRECTS, count
from gossamer.model.project_queries import ChainHop
from gossamer.model.redirect_types import BAD_TYPES, ChainType
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.series_contents import Note
from gossamer.store.reading.reader import Reader

WORST = 15
"""Rows per list."""
EXAMPLES = 10
"""URLs per issue."""
SCREENSHOTS = 12
"""Pictures of pages: some 50 KB each."""
SOURCES = 3
"""Pages listed that link to an error."""
LAST_DEPTH = 12
"""Deeper URLs are counted with these."""
TIME_STEPS_MS = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""The bounds of steps of response times."""
NO_RESPONSE = 0
"""The status class of URLs that were requested in vain."""
_EXACT_MS = 1_000


@dataclass(frozen=True, slots=True)
class ResponseTimes:
    """Times of responses. `bins` has one more entry than TIME_STEPS_MS."""

    bins: list[int]
    percentiles: dict[int, int]
    """50, 90 and 99 → milliseconds; empty if there were no responses."""


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A broken URL, and some of the links to it."""

    record: UrlRecord
    links: list[LinkRecord]


@dataclass(frozen=True, slots=True)
class IssueExamples:
    """The first URLs of an issue, and what is shown with each, as in exports."""

    columns: Sequence[str]
    rows: Sequence[Row]


@dataclass(slots=True)
class ReportData:
    """The data of a report, gathered in one pass over URLs and one over redirect chains."""

    urls: int = 0
    asked: int = 0
    size_bytes: int = 0
    truncated: int = 0
    """How many requested URLs were not read to their end."""
    warnings: Counter[ResponseWarning] = field(default_factory=Counter)
    trap_example: str = ""
    """The first address that was left out at the trap limit."""
    status_classes: Counter[int] = field(default_factory=Counter)
    """1 to 9 for 1xx to 9xx, or NO_RESPONSE → URLs that were requested."""
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    depths: Counter[int] = field(default_factory=Counter)
    content_types: Counter[str] = field(default_factory=Counter)
    times: ResponseTimes = field(default_factory=lambda: ResponseTimes([], {}))
    slowest: list[UrlRecord] = field(default_factory=list)
    largest: list[UrlRecord] = field(default_factory=list)
    errors: list[BrokenLink] = field(default_factory=list)
    chains: list[tuple[ChainType, list[ChainHop]]] = field(default_factory=list)
    """Those that do not end well and those of more than one hop, the longest of each first."""
    chain_types: Counter[ChainType] = field(default_factory=Counter)
    missing: Counter[Outcome] = field(default_factory=Counter)
    """For a recrawl, what became of pages that only the crawl before has."""
    issues: list[FoundIssue] = field(default_factory=list)
    """The gravest first."""
    examples: dict[int, IssueExamples] = field(default_factory=dict)
    """For each issue, by the number of its rule."""
    screenshots: list[tuple[str, bytes]] = field(default_factory=list)
    notes: Sequence[Note] = ()
    """The addresses of the pages found first, each with a JPEG of it as a browser shows it."""
    screenshot_count: int = 0
    is_audited: bool = True
    """Whether they are up to date."""

    @property
    def pages(self) -> int:
        """Web pages received."""
        return count(self.outcomes, PAGES)

    @property
    def redirects(self) -> int:
        """Redirects received."""
        return count(self.outcomes, REDIRECTS)

    @property
    def failures(self) -> int:
        """URLs that do not work, or not for us."""
        return count(self.outcomes, ERRORS)


def gather(
    records: Iterable[UrlRecord],
    chains: Iterable[list[ChainHop]],
    reader: Reader,
    check: Check = lambda: None,
) -> ReportData:
    """The figures of a project: `records` are those of View.ALL, `chains` its redirect chains.

    Keeps no more of either than is shown.
    """
    figures = ReportData()
    times: Counter[int] = Counter()
    worst = _Worst()
    for record in records:
        _count(figures, record)
        if record.state is UrlState.DONE and record.elapsed_ms is not None:
            times[_coarse(record.elapsed_ms)] += 1
        worst.look_at(record)
    figures.times = ResponseTimes(_bins(times), _percentiles(times))
    figures.slowest, figures.largest = worst.slowest(), worst.largest()
    figures.errors = [
        BrokenLink(record, reader.inlinks(record.id, limit=SOURCES)) for record in worst.errors()
    ]
    figures.chains = heapq.nlargest(
        WORST,
        _worth_telling(figures.chain_types, chains),
        key=lambda found: (found[0] in BAD_TYPES, len(found[1])),
    )
    outcomes = reader.outcome_counts()
    figures.missing = Counter({each: outcomes[each] for each in FORMER if outcomes.get(each)})
    settings = reader.summary().settings
    figures.issues = found_issues(reader, settings)
    for issue in figures.issues:
        if issue.rule.kind is not RuleKind.COUNT:
            check()
            view = issue_view(issue.rule, settings)
            found = sheet(reader, ExportSelection(view), check)
            examples = IssueExamples(found.columns, list(islice(found.rows, EXAMPLES)))
            figures.examples[issue.rule.number] = examples
    figures.notes = reader.notes()
    figures.screenshots = reader.first_screenshots(SCREENSHOTS)
    figures.screenshot_count = reader.screenshot_count()
    figures.is_audited = reader.audit_state().is_current
    return figures


def _count(figures: ReportData, record: UrlRecord) -> None:
    figures.urls += 1
    figures.outcomes[record.outcome] += 1
    figures.verdicts[record.verdict] += 1
    figures.truncated += record.truncated
    if record.warnings:
        figures.warnings.update(record.warnings)
    if record.outcome is Outcome.OVER_BUDGET:
        figures.trap_example = figures.trap_example or record.url
    if record.outcome not in DONE:
        return
    figures.asked += 1
    figures.status_classes[NO_RESPONSE if record.status is None else record.status // 100] += 1
    figures.size_bytes += record.raw_bytes or 0
    if record.depth is not None:
        figures.depths[min(record.depth, LAST_DEPTH)] += 1
    if record.state is UrlState.DONE and not record.outcome.is_redirect:
        figures.content_types[record.content_type or ""] += 1


class _Worst:
    """The worst URLs of each kind, as many as are shown."""

    def __init__(self) -> None:
        self._kept: dict[str, list[tuple[int, int, UrlRecord]]] = {
            kind: [] for kind in ("slow", "large", "error")
        }

    def look_at(self, record: UrlRecord) -> None:
        if record.outcome in PAGES or record.outcome in FILES:
            self._offer("slow", record.elapsed_ms or 0, record)
            self._offer("large", record.size_bytes or 0, record)
        if record.outcome in ERRORS:
            self._offer("error", record.unique_inlinks, record)

    def slowest(self) -> list[UrlRecord]:
        return self._sorted("slow")

    def largest(self) -> list[UrlRecord]:
        return self._sorted("large")

    def errors(self) -> list[UrlRecord]:
        return self._sorted("error")

    def _offer(self, kind: str, weight: int, record: UrlRecord) -> None:
        kept = self._kept[kind]
        entry = (weight, -record.id, record)  # of equals, the one found first
        if len(kept) < WORST:
            heapq.heappush(kept, entry)
        elif entry[:2] > kept[0][:2]:
            heapq.heapreplace(kept, entry)

    def _sorted(self, kind: str) -> list[UrlRecord]:
        return [record for *_, record in sorted(self._kept[kind], key=lambda e: e[:2])[::-1]]


def _worth_telling(
    types: Counter[ChainType], chains: Iterable[list[ChainHop]]
) -> Iterator[tuple[ChainType, list[ChainHop]]]:
    """The chains that somebody should shorten or mend; all are counted in `types`."""
    for chain in chains:
        kind = type_of(chain)
        types[kind] += 1
        if kind in BAD_TYPES or len(chain) > 2:  # noqa: PLR2004 - where it starts, and where it leads
            yield kind, chain


def _coarse(elapsed_ms: int) -> int:
    """Two digits of long times, to limit the number of different times."""
    if elapsed_ms < _EXACT_MS:
        return elapsed_ms
    step: int = 10 ** (len(str(elapsed_ms)) - 2)
    return elapsed_ms // step * step


def _bins(times: Counter[int]) -> list[int]:
    bins = [0] * (len(TIME_STEPS_MS) + 1)
    for elapsed_ms, number in times.items():
        bins[sum(elapsed_ms >= step for step in TIME_STEPS_MS)] += number
    return bins


def _percentiles(times: Counter[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    total, seen = times.total(), 0
    for elapsed_ms in sorted(times):
        seen += times[elapsed_ms]
        for percent in (50, 90, 99):
            if percent not in found and seen * 100 >= total * percent:
                found[percent] = elapsed_ms
    return found
