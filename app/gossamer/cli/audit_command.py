"""Runs `gossamer audit`: crawls if need be, decides the rules, lists the issues."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from textwrap import wrap
from typing import Final, NamedTuple

from msgspec import structs

from gossamer.audit.audit_rule import RuleKind
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.soft_404_hosts import host_sentences
from gossamer.cli import EXIT_INTERRUPTED
from gossamer.cli.crawl_command import crawl_for_audit, gate
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.export_command import wanted_exports, write_exports
from gossamer.cli.fail_on import FailThreshold, bounds_of
from gossamer.cli.foreground_audit import ensure_audited
from gossamer.cli.foreground_child_task import ShowStep, run_in_foreground
from gossamer.cli.ignore_options import change_ignored, ignored_of
from gossamer.cli.parsed_commands import AuditCommand
from gossamer.cli.terminal import complain, counted, printable, remark, write_out
from gossamer.cli.where_option import chosen_filter, filter_of
from gossamer.export.export_columns import moment
from gossamer.export.issue_views import FoundIssue, found_issues
from gossamer.export.junit_report import ListedIssue, junit_xml
from gossamer.export.output_files import OutputFiles, check_folder, output_errors
from gossamer.export.sarif_report import MOST_RESULTS, sarif_json, shares
from gossamer.model.audit_totals import AuditTotals
from gossamer.model.crawl_progress import progress_of
from gossamer.model.errors import BugError, UsageError
from gossamer.model.facets import IGNORED, ISSUE, OF_LINKS, choose
from gossamer.model.ignored_issues import EVERY_URL, IgnoredIssue
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import number
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Facet, Filter, View
from gossamer.model.segments import segment_names
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.session_factory import SessionFactory
from gossamer.store.project import stored_settings
from gossamer.store.reading.reader import Reader

_EXAMPLES: Final = 20
"""URLs that JUnit XML has for each issue."""
_EXPLAINED: Final = 3
"""Issues that are explained below the table, each with as many of its URLs."""
_OUTCOME: Final = "outcome"
_WIDTH: Final = 79
"""Characters of a line of the explanations."""


class AuditResult(NamedTuple):
    """The issues of a project, the number of their URLs, and what is ignored."""

    project: Path
    settings: CrawlSettings
    issues: Sequence[FoundIssue]
    totals: AuditTotals
    ignored: Sequence[IgnoredIssue]
    hosts: Sequence[str] = ()
    """Sentences on hosts that respond to URLs that do not exist."""
    segment: str | None = None
    """The segment that the issues are limited to."""
    among: Filter = Filter()
    """The URLs that the issues are limited to, those of the segment."""
    saved_filter: str | None = None
    """The name of the saved filter, as typed, that the URLs pass."""
    with_ignored: bool = False
    """Whether ignored issues count and are listed like all others."""


def audit(command: AuditCommand) -> int:
    """Run `gossamer audit` and return the exit code."""
    settings = _settings(command)
    bounds = bounds_of(command.fail_on, settings)
    wanted = _wanted_urls(command, settings)
    ignored_of([*command.ignore, *command.stop_ignoring], settings)
    exports = wanted_exports(command.exports, command.project, settings)
    for file in (command.junit, command.sarif):
        if file is not None:
            check_folder(file)
    project, code = _audited_project(command)
    if code:
        return code
    change_ignored(project, command, settings)
    if not ensure_audited(project, quiet=command.quiet):
        complain("The audit was interrupted; run it again to complete it.")
        return EXIT_INTERRUPTED
    with Reader(project) as reader:
        settings = reader.summary().settings
        segment = _segment(command.segment, settings)
        among = wanted if segment is None else choose(wanted, "segment", [segment])
        found = found_issues(reader, settings, with_ignored=command.include_ignored, among=among)
        ignored = [each for each in reader.ignored_issues() if each.rule in RULES]
        hosts = list(map(str, host_sentences(reader.site_checks())))
        totals = reader.audit_totals(among)
        of = (segment, among, command.saved_filter, command.include_ignored)
        result = AuditResult(project, settings, found, totals, ignored, hosts, *of)
        progress = _progress(reader, among)
        _write(command, result, reader, bounds)
    if exports and write_exports(project, exports, quiet=command.quiet):
        return EXIT_INTERRUPTED
    return gate(bounds, progress, {each.rule.number: each.urls for each in found})


def _progress(reader: Reader, among: Filter) -> Progress:
    """The counts of the crawl, those of outcomes limited to the URLs that pass `among`."""
    summary = reader.summary()
    if among == Filter():
        return progress_of(summary)
    chosen = among.values(_OUTCOME)  # the counts of a facet leave these aside
    outcomes = {
        Outcome(int(each.value)): each.count
        for each in reader.facet(View.ALL, among, _OUTCOME)
        if not chosen or each.value in chosen
    }
    return progress_of(structs.replace(summary, outcomes=outcomes))


def _settings(command: AuditCommand) -> CrawlSettings:
    """The settings with the thresholds that will apply: they are in the names of issues."""
    if command.crawl is not None:
        return command.crawl.settings
    return structs.replace(stored_settings(_project(command)), **dict(command.changes)).checked()


def _wanted_urls(command: AuditCommand, settings: CrawlSettings) -> Filter:
    """The URLs whose issues are wanted; UsageError for conditions that are not about URLs."""
    if command.project is None:
        wanted = filter_of(command.where, lambda: settings)
    else:
        wanted = chosen_filter(command.project, command.where, command.saved_filter)
    if not OF_LINKS.isdisjoint(facet for facet, _ in wanted.facets):
        raise UsageError("An audit is of URLs; choose a filter that is not about links.")
    return wanted


def _audited_project(command: AuditCommand) -> tuple[Path, int]:
    """The project to audit, and an exit code other than 0 if there is none."""
    if command.crawl is not None:
        return crawl_for_audit(command.crawl)
    project = _project(command)
    if command.again:
        return project, _read_again(project, command)
    if command.changes:
        session = SessionFactory().open(project)
        session.ensure_free()
        asyncio.run(session.change(dict(command.changes)))
    return project, 0


def _read_again(project: Path, command: AuditCommand) -> int:
    """Read the pages of its archive again; the exit code."""
    from gossamer.session.audit_again import AuditedAgain, audit_again  # noqa: PLC0415 - few audits do

    done = AuditedAgain()

    async def work(show: ShowStep) -> None:
        nonlocal done
        done = await audit_again(project, dict(command.changes), show)

    if not run_in_foreground("Audit again", work, quiet=command.quiet):
        complain(f"The audit was interrupted; {project} is as it was.")
        return EXIT_INTERRUPTED
    if done.kept_facts:
        complain(
            "Pages and files that the archive does not have, or has damaged, or that could not be "
            f"rendered from it; their facts are those of the crawl: {number(done.kept_facts)}."
        )
    return 0


def _project(command: AuditCommand) -> Path:
    if command.project is None:
        raise BugError("an audit of neither a project nor a crawl")
    return command.project


def _write(
    command: AuditCommand, result: AuditResult, reader: Reader, bounds: Sequence[FailThreshold]
) -> None:
    """Print the issues, and write the requested files."""
    makers: dict[str, Callable[[], bytes]] = {
        "text": lambda: _audit_text(result, reader).encode(),
        "json": lambda: as_json(audit_object(result)).encode(),
        "junit": lambda: _junit(result, reader, bounds),
        "sarif": lambda: _sarif(result, reader),
    }
    for format_, file in (("junit", command.junit), ("sarif", command.sarif)):
        if file is not None:
            with OutputFiles(file) as output, output_errors(file):
                with output.part() as part:
                    part.write(makers[format_]())
                output.put_in_place()
            if not command.quiet:
                remark(f"Saved {file}.")
    write_out(makers[command.format]().decode(errors="replace"))


def audit_object(result: AuditResult) -> dict[str, object]:
    """The issues with the keys that docs/command-line.md lists."""
    return {
        "project": str(result.project.absolute()),
        "urls": result.totals.internal_urls,
        "indexable_pages": result.totals.indexable_pages,
        "segment": result.segment,
        "saved_filter": result.saved_filter,
        "issues": [
            {
                "name": each.name,
                "group": str(each.rule.group),
                "type": each.kind,
                "priority": each.priority,
                "urls": each.urls,
                "percent": each.percent,
                "percent_of": each.rule.share_base.value,
                "ignored": each.ignored,
                "description": f"{each.rule.meaning} {each.rule.reason}",
                "how_to_fix": each.rule.remedy,
                "help_url": each.rule.reference,
            }
            for each in result.issues
        ],
        "ignored": [
            {
                "name": RULES[each.rule].full_name(result.settings),
                "pattern": each.pattern,
                "urls": each.urls,
                "reason": each.reason,
                "by": each.author,
                "at": moment(each.ignored_at),
            }
            for each in result.ignored
        ],
        "hosts": list(result.hosts),
    }


def _audit_text(result: AuditResult, reader: Reader) -> str:
    """The same as a table for a user, with the first URLs of the gravest issues."""
    rows = [("Issue", "Type", "Priority", "URLs", "% of Total")]
    rows += [
        (each.name, each.kind, each.priority, number(each.urls), f"{each.percent:.2f}")
        for each in result.issues
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths) for row in rows]
    graver = [each for each in result.issues if each.rule.kind is not RuleKind.COUNT]
    for each in graver[:_EXPLAINED]:
        urls = _urls_with_issue(result, reader, each, _EXPLAINED)
        lines += ["", *_explanation(each, urls)]
    totals = result.totals
    total = (
        f"{number(totals.internal_urls)} URLs, "
        f"{number(totals.indexable_pages)} of them indexable HTML pages"
    )
    lines += [
        "",
        f"{number(len(graver))} issues on {total}.",
        *(['All URLs of an issue: gossamer export FILE "issue:NAME"'] if graver else ()),
        *map(printable, result.hosts),
        *_ignored_lines(result),
        f"Project: {printable(str(result.project.absolute()))}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _explanation(issue: FoundIssue, urls: Sequence[str]) -> list[str]:
    """The first URLs of an issue, what it means, why it matters, and how to fix it."""
    rule = issue.rule
    texts = (f"{rule.meaning} {rule.reason}", f"How to fix it: {rule.remedy}", rule.reference)
    lines = [
        f"{issue.name}: {counted(issue.urls, 'URL')}",
        *(f"    {printable(url)}" for url in urls),
    ]
    if issue.urls > len(urls):
        lines.append(f"    and {number(issue.urls - len(urls))} more")
    for text in texts:
        lines += wrap(
            text,
            _WIDTH,
            initial_indent="  ",
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines


def _segment(name: str | None, settings: CrawlSettings) -> str | None:
    """The segment of this name; UsageError with the known ones if there is none."""
    if name is None:
        return None
    known = segment_names(settings.segments)
    for each in known:
        if each.casefold() == name.casefold():
            return each
    hint = f"the segments are {', '.join(known)}" if known else "define it with NAME=CONDITION"
    raise UsageError(f"There is no segment {name!r}; {hint}.")


def _ignored_lines(result: AuditResult) -> list[str]:
    """What is ignored, issue by issue, and why."""
    if not result.ignored:
        return []
    lines = ["", "Ignored:"]
    for each in result.ignored:
        name = RULES[each.rule].full_name(result.settings)
        pattern = "" if each.pattern == EVERY_URL else f"={each.pattern}"
        reason = f"; {each.reason}" if each.reason else ""
        lines.append(printable(f"  {name}{pattern} ({counted(each.urls, 'URL')}{reason})"))
    return [*lines, ""]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    texts, numbers = row[:3], row[3:]
    left = [f"{text:{width}}" for text, width in zip(texts, widths, strict=False)]
    right = [f"{text:>{width}}" for text, width in zip(numbers, widths[3:], strict=True)]
    return "  ".join([*left, *right])


def _junit(result: AuditResult, reader: Reader, bounds: Sequence[FailThreshold]) -> bytes:
    """Failures are what makes `--fail-on` fail; without it, all but what is only counted."""
    urls = {each.rule.number: each.urls for each in result.issues}
    of_issues = (bound for bound in bounds if bound.is_of_issues)
    broken = [bound for bound in of_issues if bound.count_issues(urls) > bound.most]

    def fails(issue: FoundIssue) -> bool:
        if not bounds:
            return issue.rule.kind is not RuleKind.COUNT
        return any(bound.concerns(issue.rule.number) for bound in broken)

    listed = [
        ListedIssue(each, _urls_with_issue(result, reader, each, _EXAMPLES))
        for each in result.issues
    ]
    return junit_xml(listed, result.settings, result.project.name, fails, _reasons(result))


def _sarif(result: AuditResult, reader: Reader) -> bytes:
    issues = [each for each in result.issues if each.rule.kind is not RuleKind.COUNT]
    most = shares([each.urls for each in issues])
    listed = [
        ListedIssue(each, _urls_with_issue(result, reader, each, number))
        for each, number in zip(issues, most, strict=True)
    ]
    left = MOST_RESULTS - sum(most)
    for rule, reason in _reasons(result).items():
        urls = _urls_of(reader, IGNORED, rule, left, result.among)
        left -= len(urls)
        name = RULES[rule].full_name(result.settings)
        listed.append(ListedIssue(FoundIssue(RULES[rule], name, 0, 0.0, len(urls)), urls, reason))
    return sarif_json(listed, result.settings)


def _reasons(result: AuditResult) -> dict[int, str]:
    """Why rules are ignored that hold for URLs, by number; none if ignored issues count."""
    if result.with_ignored:
        return {}
    reasons: dict[int, list[str]] = {}
    for each in result.ignored:
        if each.urls:
            reasons.setdefault(each.rule, []).append(each.reason)
    return {rule: "; ".join(dict.fromkeys(filter(None, some))) for rule, some in reasons.items()}


def _urls_with_issue(
    result: AuditResult, reader: Reader, issue: FoundIssue, most: int
) -> list[str]:
    """The first URLs that count for an issue; those for which it is ignored come last."""
    rule, among = issue.rule.number, result.among
    found = _urls_of(reader, ISSUE, rule, most, among)
    if result.with_ignored:
        found += _urls_of(reader, IGNORED, rule, most - len(found), among)
    return found


def _urls_of(reader: Reader, facet: Facet, rule: int, most: int, among: Filter) -> list[str]:
    found = reader.iterate(View.ALL, choose(among, facet, [rule]))
    if among.values(facet):  # of URLs with one issue, those that have this one too
        own = set(reader.ids(View.ALL, among))
        found = (record for record in found if record.id in own)
    return [record.url for record in islice(found, most)]
