"""Writes issues as SARIF 2.1.0, which code hosts show as alerts.

The standard: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. What GitHub supports
of it: https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote, urlsplit

from gossamer import __version__
from gossamer.audit.audit_rule import RulePriority
from gossamer.audit.site_rule import SiteRule
from gossamer.export.junit_report import ListedIssue
from gossamer.model.settings.crawl_settings import CrawlSettings

MOST_RESULTS: Final = 25_000
"""Results per file: code hosts accept no more."""
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {
    RulePriority.HIGH: "error",
    RulePriority.MEDIUM: "warning",
    RulePriority.LOW: "note",
    None: "note",
}
_SEVERITIES: Final = {"error": "error", "warning": "warning", "note": "recommendation"}
"""GitHub's sort key of alerts, for each level."""
_IN_PATHS: Final = "/%:@!$&'()*+,;=~"
"""Characters allowed in the path of a URI besides letters, digits, `-`, `.` and `_`: RFC 3986,
3.3."""
_OF_MARKDOWN: Final = re.compile(r"[<>*_`\[\]\\]")
_BARE_PERCENT: Final = re.compile("%(?![0-9A-Fa-f]{2})")


def shares(counts: Sequence[int], most: int = MOST_RESULTS) -> list[int]:
    """How many URLs of each issue to list, so that there are no more than `most` in total.

    Each issue has an equal share; what it does not need goes to the others, the gravest first.
    """
    equal = most // max(len(counts), 1)
    found = [min(count, equal) for count in counts]
    left = most - sum(found)
    for place, count in enumerate(counts):
        more = min(count - found[place], left)
        found[place] += more
        left -= more
    return found


def sarif_json(issues: Sequence[ListedIssue], settings: CrawlSettings) -> bytes:
    """The document: a result for each URL that is listed, at most MOST_RESULTS in all.

    Those of ignored issues are suppressed.
    """
    rules = list(dict.fromkeys(each.issue.rule for each in issues))
    results = [
        _result(rules.index(each.issue.rule), each, url) for each in issues for url in each.examples
    ]
    driver = {
        "name": "Gossamer",
        "semanticVersion": __version__,
        "rules": [_rule(rule, settings) for rule in rules],
    }
    found = [each for each in issues if each.ignored is None]
    left_out = sum(each.issue.urls - len(each.examples) for each in found)
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True, **_notification(left_out)}],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=True, indent=1).encode() + b"\n"


def _notification(left_out: int) -> dict[str, Any]:
    """The notification that there are more results than a file may have."""
    if not left_out:
        return {}
    text = f"{left_out:,} more URLs are not listed; see gossamer export."
    return {"toolExecutionNotifications": [{"level": "note", "message": {"text": text}}]}


def _rule(rule: SiteRule, settings: CrawlSettings) -> dict[str, Any]:
    level = _LEVELS[rule.priority]
    name = rule.full_name(settings)
    return {
        "id": rule.slug,
        "name": "".join(word.capitalize() for word in rule.slug.split("-")),
        "shortDescription": {"text": name},
        "fullDescription": {"text": f"{rule.meaning} {rule.reason}"},
        "help": {
            "text": f"{rule.meaning} {rule.reason} {rule.remedy}",
            "markdown": f"{_markdown(f'{rule.meaning} {rule.reason}')}\n\n"
            f"**How to fix:** {_markdown(rule.remedy)}\n\n[Reference]({rule.reference})",
        },
        "helpUri": rule.reference,
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": [str(rule.group), rule.kind.value],
            "precision": "high",
            "problem.severity": _SEVERITIES[level],
        },
    }


def _markdown(text: str) -> str:
    """A plain text as Markdown, which would take <head> for HTML and show nothing of it."""
    return _OF_MARKDOWN.sub(r"\\\g<0>", text)


def _result(place: int, listed: ListedIssue, url: str) -> dict[str, Any]:
    rule = listed.issue.rule
    fingerprint = hashlib.sha256(f"{rule.slug} {url}".encode()).hexdigest()[:16]
    return {
        "ruleId": rule.slug,
        "ruleIndex": place,
        "level": _LEVELS[rule.priority],
        "message": {"text": f"{listed.issue.name}: {url}\n{rule.meaning}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": path_of(url)},
                    "region": {"startLine": 1},
                }
            }
        ],
        "partialFingerprints": {"primaryLocationLineHash": f"{fingerprint}:1"},
        "properties": {"url": url},
        **_suppressions(listed),
    }


def _suppressions(listed: ListedIssue) -> dict[str, Any]:
    """The statement that an issue is ignored, and why."""
    if listed.ignored is None:
        return {}
    suppression = {"kind": "external", "status": "accepted"}
    if listed.ignored:
        suppression["justification"] = listed.ignored
    return {"suppressions": [suppression]}


def path_of(url: str) -> str:
    """A URL as the path of a file, host first: code hosts refuse any scheme but file."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    path = quote(f"{parts.path.rstrip('/')}{query}", safe=_IN_PATHS)
    return quote(parts.netloc, safe="") + _BARE_PERCENT.sub("%25", path)
