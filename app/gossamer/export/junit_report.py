"""Writes issues as JUnit XML, which CI systems show as test results.

A rule is a test case and a group of rules a test suite, in the dialect that Jenkins, GitLab and
GitHub read: https://github.com/testmoapp/junitxml.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import SiteRule
from gossamer.export.issue_views import FoundIssue
from gossamer.export.xml_text import xml_text
from gossamer.model.settings.crawl_settings import CrawlSettings

NOTHING_IGNORED: Final[Mapping[int, str]] = {}


class ListedIssue(NamedTuple):
    """An issue with the first of its URLs; if it is `ignored` for these, the reason, or ""."""

    issue: FoundIssue
    examples: Sequence[str]
    ignored: str | None = None


def junit_xml(
    issues: Iterable[ListedIssue],
    settings: CrawlSettings,
    project: str,
    fails: Callable[[FoundIssue], bool],
    ignored: Mapping[int, str] = NOTHING_IGNORED,
) -> bytes:
    """The document. Issues for which `fails` holds are failures; the others become output.

    Rules that hold for no URL have passed, if they are decided with `settings`. Rules that only
    hold where they are ignored are skipped tests, with their reasons.
    """
    found = {each.issue.rule.number: each for each in issues}
    root = ET.Element("testsuites", name=xml_text(f"Gossamer audit of {project}"))
    tests = failures = 0
    known = {*found, *ignored}
    for group, rules in _groups(settings, known).items():
        failed = sum(
            1 for rule in rules if rule.number in found and fails(found[rule.number].issue)
        )
        skipped = sum(rule.number in ignored and rule.number not in found for rule in rules)
        counts = _counts(len(rules), failed)
        suite = ET.SubElement(root, "testsuite", {"name": group, **counts, "skipped": str(skipped)})
        for rule in rules:
            case = ET.SubElement(
                suite,
                "testcase",
                name=rule.short_name(settings),
                classname=group,
                time="0",
            )
            if rule.number in found:
                _add_finding(case, found[rule.number], fails)
            elif rule.number in ignored:
                reason = xml_text(ignored[rule.number])
                ET.SubElement(case, "skipped", message=f"ignored: {reason}".rstrip(": "))
        tests, failures = tests + len(rules), failures + failed
    root.attrib.update(_counts(tests, failures))
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _counts(tests: int, failures: int) -> dict[str, str]:
    return {
        "tests": str(tests),
        "failures": str(failures),
        "errors": "0",
        "time": "0",
    }


def _groups(settings: CrawlSettings, known: Container[int]) -> Mapping[str, Sequence[SiteRule]]:
    """The rules that are decided, by group, and those that are `known` to hold."""
    groups: dict[str, list[SiteRule]] = {}
    for rule in RULES.values():
        if rule.number in known or rule.is_decided(settings):
            groups.setdefault(str(rule.group), []).append(rule)
    return groups


def _add_finding(
    case: ET.Element, listed: ListedIssue, fails: Callable[[FoundIssue], bool]
) -> None:
    issue = listed.issue
    head = f"{issue.urls} URL{'s' if issue.urls != 1 else ''} ({issue.percent} %)"
    more = issue.urls - len(listed.examples)
    lines = [
        issue.rule.meaning,
        issue.rule.remedy,
        *listed.examples,
        *([f"and {more} more"] if more > 0 else ()),
    ]
    text = xml_text("\n".join(lines))
    if fails(issue):
        failure = ET.SubElement(case, "failure", message=head, type=issue.priority or issue.kind)
        failure.text = text
    else:
        ET.SubElement(case, "system-out").text = f"{head}\n{text}"
