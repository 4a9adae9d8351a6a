"""The report's section on issues: all in a table, then each with explanation and first URLs."""

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.site_rule import SiteRule
from gossamer.export.issue_views import FoundIssue
from gossamer.export.report_data import IssueExamples, ReportData
from gossamer.export.report_markup import (
    Say,
    address,
    badge,
    heading,
    html_text,
    reference,
    section,
    table,
)
from gossamer.export.sheet import Cell, Row
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence, Translatable, Word, said

_KINDS: Final[dict[RuleKind, Sentence]] = {
    RuleKind.ISSUE: "Issue",
    RuleKind.WARNING: "Warning",
    RuleKind.OPPORTUNITY: "Opportunity",
    RuleKind.COUNT: "Count",
}
_PRIORITIES: Final[dict[RulePriority, Sentence]] = {
    RulePriority.HIGH: "High",
    RulePriority.MEDIUM: "Medium",
    RulePriority.LOW: "Low",
}
_COLOURS: Final = {
    RulePriority.HIGH: "error",
    RulePriority.MEDIUM: "warning",
    RulePriority.LOW: "pending",
}
_LABELS: Final = {each.field.export: each.field.label for each in URL_FIELDS if each.field.label}
"""The window's names of the columns of exports, by their headings."""
_WORDED: Final = {
    each.field.export
    for each in URL_FIELDS
    if each.type is Outcome or (isinstance(each.type, type) and issubclass(each.type, Word))
}
"""The headings of columns whose values are sentences or words of ours."""
_LONGEST: Final = 120
"""Characters of a value that are shown."""


def issues_section(figures: ReportData, settings: CrawlSettings, say: Say) -> str:
    """The issues found, the gravest first, and what to do about each."""
    title = html_text(say, said("Issues"))
    old = said("Pages were crawled, or thresholds changed, since the audit.")
    note = "" if figures.is_audited else html_text(say, old)
    if not figures.issues:
        nothing = html_text(say, said("The audit found no issues."))
        return section(title, f"<p class='nothing'>{nothing}</p>", note)
    rows = [_row(each, settings, say) for each in figures.issues]
    headings = (
        heading(html_text(say, said("Issue")))
        + heading(html_text(say, said("Type")))
        + heading(html_text(say, said("Priority")))
        + heading(html_text(say, said("URLs")), is_number=True)
        + heading(html_text(say, said("Share")), is_number=True)
    )
    explained = [
        _explanation(each, figures.examples.get(each.rule.number), settings, say)
        for each in figures.issues
        if each.rule.kind is not RuleKind.COUNT
    ]
    whole = section(title, table(headings, rows, is_short=True), note)
    if not explained:
        return whole
    fixes = html_text(say, said("What the issues mean, and how to fix them"))
    return whole + section(fixes, "".join(explained))


def issue_name(rule: SiteRule, settings: CrawlSettings, say: Say) -> str:
    """The full name of a rule, as HTML."""
    return html_text(say, rule.said_name(settings))


def priority_badge(rule: SiteRule, say: Say) -> str:
    """The priority of a rule, as HTML; nothing for what is only counted."""
    priority = rule.priority
    if priority is None:
        return ""
    return badge(html_text(say, Translatable(_PRIORITIES[priority])), _COLOURS[priority])


def _row(issue: FoundIssue, settings: CrawlSettings, say: Say) -> str:
    name = issue_name(issue.rule, settings, say)
    if issue.rule.kind is not RuleKind.COUNT:
        name = f"<a href='#{issue.rule.slug}'>{name}</a>"
    kind = html_text(say, Translatable(_KINDS[issue.rule.kind]))
    label = html_text(say, said("URLs: "))
    return (
        f"<tr><td>{name}</td><td>{kind}</td><td>{priority_badge(issue.rule, say)}</td>"
        f"<td class='number' data-label='{label}'>{issue.urls:,}</td>"
        f"<td class='number'>{issue.percent:.1f} %</td></tr>"
    )


def _explanation(
    issue: FoundIssue, examples: IssueExamples | None, settings: CrawlSettings, say: Say
) -> str:
    """An issue: its name, what it means, why it matters, how to fix it, and its first URLs."""
    rule = issue.rule
    both = {"meaning": Translatable(rule.meaning), "reason": Translatable(rule.reason)}
    meaning = html_text(say, said("{meaning} {reason}", **both))
    fix = html_text(say, said("How to fix:"))
    more = reference(rule.reference, html_text(say, said("Read more")))
    return (
        f"<article class='issue' id='{rule.slug}'><h3>{priority_badge(rule, say)} "
        f"{issue_name(rule, settings, say)} <span class='muted'>{issue.urls:,}</span></h3>"
        f"<p>{meaning}</p><p><b>{fix}</b> {html_text(say, Translatable(rule.remedy))}</p>"
        f"<p>{more}</p>"
        f"{_urls(issue, examples, say) if examples else ''}</article>"
    )


def _urls(issue: FoundIssue, examples: IssueExamples, say: Say) -> str:
    columns = _columns(issue.rule, examples.columns[1:])
    items = [
        f"<li>{address(str(row[0]))}{_values(columns, row, say)}</li>" for row in examples.rows
    ]
    more = issue.urls - len(items)
    if more > 0:
        text = html_text(say, said("and {count} more", count=f"{more:,}"))
        items.append(f"<li class='muted'>{text}</li>")
    return f"<ul>{''.join(items)}</ul>"


class _Column(NamedTuple):
    """What a value is called, and whether it is a sentence or word of ours, or a status code."""

    label: Translatable
    is_worded: bool
    is_status: bool

    def shows(self, cell: Cell) -> bool:
        """Whether there is something to show: without a response, the status code is 0."""
        return cell is not None and cell != "" and not (self.is_status and cell == 0)


def _columns(rule: SiteRule, headings: Sequence[str]) -> list[_Column]:
    evidence = () if rule.evidence is None else rule.evidence.columns
    found = {str(each.heading): each for each in evidence}
    return [
        _Column(
            found[name].heading,
            found[name].kind is FieldKind.NAMED,
            found[name].kind is FieldKind.STATUS,
        )
        if name in found
        else _Column(
            Translatable(_LABELS.get(name) or name), name in _WORDED, name == "Status Code"
        )
        for name in headings
    ]


def _values(columns: Sequence[_Column], row: Row, say: Say) -> str:
    """What broke the rule."""
    values = [
        html_text(say, said("{label}: ", label=column.label))
        + f"<bdi>{_cell(column, cell, say)}</bdi>"
        for column, cell in zip(columns, row[1:], strict=True)
        if column.shows(cell)
    ]
    return f"<p class='muted'>{' · '.join(values)}</p>" if values else ""


def _cell(column: _Column, cell: Cell, say: Say) -> str:
    text = str(cell)
    return escape((say(Translatable(text)) if column.is_worded else text)[:_LONGEST])
