"""The views of audit issues: their overview, and the URLs of one issue with the links to them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rule_evidence import Evidence
from gossamer.audit.site_rule import SiteRule
from gossamer.export.export_columns import cell_of, moment
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.link_reports import REPORT_LINK_HEADINGS, link_report_rows
from gossamer.export.link_sheets import inlinks_of
from gossamer.export.sheet import Cell, Row, Sheet, free_headings
from gossamer.export.url_cells import CELLS
from gossamer.export.url_reports import urls_of_issue
from gossamer.model.facets import ISSUE, choose
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import URL_FIELDS, UrlRecord
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import FORMER, KNOWN, Count, count
from gossamer.model.project_queries import Filter, View
from gossamer.model.segments import segment_names
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.reading.reader import Reader

ISSUE_PREFIX: Final = "issue:"
INLINKS_PREFIX: Final = "issue_inlinks:"
_INLINKS_END: Final = "_inlinks"
_THRESHOLD: Final = "threshold"
_AT_ONCE: Final = 1000
_TYPES: Final = 50
"""Content types that the overview lists."""
_FIELDS: Final = {each.name: each for each in URL_FIELDS}
_SHOWN: Final = {
    each.name: heading
    for each in URL_FIELDS
    if each.name != "url" and (heading := str(each.field.export or each.field.label))
}
"""The headings of fields. Fields without one have what rules are decided from again."""
_PRIORITIES: Final = {priority: place for place, priority in enumerate(RulePriority)}
OVERVIEW_HEADINGS: Final = (
    *("Issue Name", "Issue Type", "Issue Priority", "URLs", "% of Total"),
    *("Description", "How To Fix", "Help URL"),
)


_ALL: Final = Filter()


class FoundIssue(NamedTuple):
    """A rule that holds for some URLs; `percent` is their share of those that it is about.

    `ignored` counts others for which it is ignored.
    """

    rule: SiteRule
    name: str
    urls: int
    percent: float
    ignored: int = 0

    @property
    def kind(self) -> str:
        """Such as "Issue"."""
        return self.rule.kind.value.capitalize()

    @property
    def priority(self) -> str:
        """Such as "High"; "" for what is only counted."""
        return "" if self.rule.priority is None else self.rule.priority.value.capitalize()


def found_issues(
    reader: Reader,
    settings: CrawlSettings,
    *,
    with_ignored: bool = False,
    among: Filter = _ALL,
) -> list[FoundIssue]:
    """The rules that hold for at least one URL, by priority; those with most URLs first.

    Ignored ones do not count, unless `with_ignored`; only URLs that pass `among` do.
    """
    counts = reader.issue_counts(with_ignored=with_ignored, among=among)
    ignored = {} if with_ignored else reader.ignored_counts()
    totals = reader.audit_totals(among)
    found = []
    for number, rule in RULES.items():
        if urls := counts.get(number):
            percent = _percent(urls, rule.share_base.of(totals))
            name = rule.full_name(settings)
            found.append(FoundIssue(rule, name, urls, percent, ignored.get(number, 0)))
    return sorted(found, key=_order)


def _percent(count: int, total: int) -> float:
    """A project that is being crawled may have more by the time the total is read."""
    return min(round(100 * count / total, 2), 100.0) if total else 0.0


def _order(issue: FoundIssue) -> tuple[bool, int, int]:
    rule = issue.rule
    priority = len(_PRIORITIES) if rule.priority is None else _PRIORITIES[rule.priority]
    return rule.kind is RuleKind.COUNT, priority, -issue.urls


def _overview(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
    found = found_issues(reader, reader.summary().settings)
    rows: Iterator[Row] = (
        (
            *(each.name, each.kind, each.priority, each.urls, each.percent),
            *(f"{each.rule.meaning} {each.rule.reason}", each.rule.remedy, each.rule.reference),
        )
        for each in found
    )
    return Sheet(OVERVIEW_HEADINGS, rows, len(found), is_exact=True)


_of_issue = partial(ExportView, has_facets=True, needs_audit=True)


def issue_view(rule: SiteRule, settings: CrawlSettings) -> ExportView:
    """The URLs of an issue, with the facts that are shown for them."""
    name, title = f"{ISSUE_PREFIX}{rule.full_name(settings)}", rule.name
    return _of_issue(name, title, partial(_urls, rule), file=issue_file_name(rule, settings))


def issue_inlinks_view(rule: SiteRule, settings: CrawlSettings) -> ExportView:
    """The links to the URLs of an issue."""
    name, title = f"{INLINKS_PREFIX}{rule.full_name(settings)}", rule.name
    file = f"{issue_file_name(rule, settings)}{_INLINKS_END}"
    return _of_issue(name, title, partial(_inlinks, rule), file=file, is_of_links=True)


def issue_file_name(rule: SiteRule, settings: CrawlSettings) -> str:
    """The name of its file, after its full name: page_titles_over_60_characters."""
    return _file_name(rule.full_name(settings))


def issue_file_pattern(rule: SiteRule) -> str:
    """Matches the names that its file has with any threshold."""
    name = rule.name.format(limit=_THRESHOLD) if rule.limit else rule.name
    return re.escape(_file_name(f"{rule.group} {name}")).replace(_THRESHOLD, r"\d+")


def inlinks_file_pattern(rule: SiteRule) -> str:
    """The same for the file with its inlinks."""
    return f"{issue_file_pattern(rule)}{_INLINKS_END}"


def _file_name(name: str) -> str:
    """As in other crawlers, for scripts that rely on it: hyphens go, brackets stay.

    >>> _file_name("Canonicals: Non-Indexable Canonical")
    'canonicals_nonindexable_canonical'
    >>> _file_name("Response Codes: Internal Client Error (4xx)")
    'response_codes_internal_client_error_(4xx)'
    """
    return re.sub(r"[^a-z0-9()]+", "_", name.lower().replace("-", "")).strip("_")


def _urls(rule: SiteRule, reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    fields = [_FIELDS[name] for name in rule.fields if name in _SHOWN]
    # As in other reports: a script that joins them finds the same under the same heading.
    cells = [CELLS.get(_SHOWN[each.name]) or cell_of(each) for each in fields]
    headings = ["Address", *(_SHOWN[each.name] for each in fields)]
    evidence = rule.evidence
    if evidence is not None:
        headings += (str(each.heading) for each in evidence.columns)
        nothing = (None,) * len(evidence.columns)

    def rows() -> Iterator[Row]:
        records = urls_of_issue(reader, rule.number, selection.filter_)
        while some := list(islice(records, _AT_ONCE)):
            check()
            shown = {} if evidence is None else _shown(evidence, rule.number, reader, some)
            for record in some:
                row = (record.url, *(cell(record) for cell in cells))
                yield row if evidence is None else (*row, *shown.get(record.id, nothing))

    expected = reader.issue_counts().get(rule.number, 0)
    is_exact = selection.filter_ == Filter()
    return Sheet(tuple(headings), rows(), expected, is_exact=is_exact)


def _shown(
    evidence: Evidence, rule: int, reader: Reader, records: Sequence[UrlRecord]
) -> Mapping[int, tuple[Cell, ...]]:
    """What broke the rule, by the id of the URL; no status code is 0, as in all reports."""
    is_status = [each.kind is FieldKind.STATUS for each in evidence.columns]
    found = evidence.read(reader, rule, records)
    if not any(is_status):
        return found
    return {
        url_id: tuple(
            [cell or 0 if is_one else cell for cell, is_one in zip(cells, is_status, strict=True)]
        )
        for url_id, cells in found.items()
    }


def _inlinks(rule: SiteRule, reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    def links() -> Iterator[LinkRecord]:
        if selection.filter_ != Filter():
            wanted = choose(selection.filter_, ISSUE, [rule.number])
            yield from reader.matching_links(View.LINKS, wanted)
            return
        for record in urls_of_issue(reader, rule.number):
            check()
            yield from inlinks_of(reader, record.id)

    expected = reader.issue_counts().get(rule.number, 0)
    return Sheet(REPORT_LINK_HEADINGS, link_report_rows(reader, links()), expected)


ISSUES_OVERVIEW: Final = ExportView(
    "issues_overview", "Issues overview", _overview, needs_audit=True
)


IGNORED_HEADINGS: Final = (
    *("Issue Name", "Addresses", "URLs", "Reason", "Ignored By", "Ignored At"),
)


def _ignored_issues(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
    """What is ignored, why, by whom and since when."""
    settings = reader.summary().settings
    rows: list[Row] = [
        (
            *(RULES[each.rule].full_name(settings), each.pattern, each.urls, each.reason),
            *(each.author, moment(each.ignored_at)),
        )
        for each in reader.ignored_issues()
        if each.rule in RULES
    ]
    return Sheet(IGNORED_HEADINGS, iter(rows), len(rows), is_exact=True)


IGNORED_ISSUES: Final = ExportView(
    "ignored_issues", "Ignored issues", _ignored_issues, needs_audit=True
)


def _issues_by_segment(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
    """How many URLs each issue has in each segment, and in none."""
    settings = reader.summary().settings
    segments: list[str | None] = [*segment_names(settings.segments), None]
    counts = reader.issues_by_segment()
    rows: list[Row] = []
    for each in found_issues(reader, settings):
        of_rule = counts.get(each.rule.number, {})
        cells = (of_rule.get(segment, 0) for segment in segments)
        rows.append((each.name, each.kind, each.priority, each.urls, *cells))
    headings = ("Issue Name", "Issue Type", "Issue Priority", "URLs")
    names = (_NO_SEGMENT if segment is None else segment for segment in segments)
    columns = (*headings, *free_headings(names, headings))
    return Sheet(columns, iter(rows), len(rows), is_exact=True)


_NO_SEGMENT: Final = "(no segment)"
ISSUES_BY_SEGMENT: Final = ExportView(
    "issues_by_segment", "Issues by segment", _issues_by_segment, needs_audit=True
)


def _crawl_overview(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
    """What a crawl found, in figures: outcomes, statuses, depths, types, issues."""
    counts, figures = reader.counts(), reader.figures(_TYPES)
    total = count(counts.outcomes, KNOWN)
    totals = reader.audit_totals()
    rows: list[tuple[str, str, int, int]] = [
        ("Summary", "Known URLs", total, total),
        ("Summary", "Internal URLs", totals.internal_urls, total),
        ("Summary", "External URLs", len(reader.ids(View.EXTERNAL)), total),
        (
            *("Summary", "Indexable internal HTML pages"),
            *(totals.indexable_pages, totals.internal_urls),
        ),
    ]
    for section, found in (
        ("Outcome", _sentences(counts.outcomes, KNOWN)),
        ("Status Code", dict(sorted(counts.statuses.items()))),
        ("Crawl Depth", dict(sorted(counts.depths.items()))),
        ("Content Type", figures.types),
    ):
        rows += [(section, str(name), number, total) for name, number in found.items()]
    cells: list[Row] = [(*row[:3], _percent(row[2], row[3])) for row in rows]
    issues = found_issues(reader, reader.summary().settings)
    missing = _sentences(counts.outcomes, FORMER)
    cells += [("Missing since the last crawl", *each, None) for each in missing.items()]
    cells += [("Issue", each.name, each.urls, each.percent) for each in issues]
    return Sheet(("Section", "Name", "URLs", "% of Total"), iter(cells), len(cells), is_exact=True)


def _sentences(outcomes: Mapping[Outcome, int], wanted: Count) -> dict[str, int]:
    return {each.sentence: outcomes[each] for each in sorted(wanted) if outcomes.get(each)}


CRAWL_OVERVIEW: Final = ExportView(
    "crawl_overview", "Crawl overview", _crawl_overview, needs_audit=True
)
