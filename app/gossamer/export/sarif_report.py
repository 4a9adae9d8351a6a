"""Writes issues as SARIF 2.1.0, which code hosts show as alerts.

The standard: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

import json
from collections.abc import Iterable
from typing import Any, Final

from gossamer import __version__
from gossamer.audit.audit_rule import RulePriority
from gossamer.audit.site_rule import SiteRule
from gossamer.export.junit_report import ListedIssue
from gossamer.model.settings.crawl_settings import CrawlSettings

MOST_RESULTS: Final = 25_000
"""Results of one file: code hosts take no more."""
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {
    RulePriority.HIGH: "error",
    RulePriority.MEDIUM: "warning",
    RulePriority.LOW: "note",
    None: "none",
}


def sarif_json(issues: Iterable[ListedIssue], settings: CrawlSettings) -> bytes:
    """The document: a result for each URL that is listed, up to MOST_RESULTS.

    Those of ignored issues are suppressed.
    """
    issues = list(issues)
    rules = list(dict.fromkeys(each.issue.rule for each in issues))
    results = [
        _result(rules.index(each.issue.rule), each, url) for each in issues for url in each.examples
    ]
    driver = {
        "name": "Gossamer",
        "version": __version__,
        "rules": [_rule(rule, settings) for rule in rules],
    }
    document = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": results[:MOST_RESULTS],
            }
        ],
    }
    return json.dumps(document, ensure_ascii=True, indent=1).encode() + b"\n"


def _rule(rule: SiteRule, settings: CrawlSettings) -> dict[str, Any]:
    return {
        "id": rule.slug,
        "name": rule.full_name(settings),
        "shortDescription": {"text": rule.full_name(settings)},
        "fullDescription": {"text": f"{rule.meaning} {rule.reason}"},
        "help": {"text": rule.remedy},
        "helpUri": rule.reference,
        "defaultConfiguration": {"level": _LEVELS[rule.priority]},
        "properties": {"tags": [str(rule.group), rule.kind.value]},
    }


def _result(place: int, listed: ListedIssue, url: str) -> dict[str, Any]:
    rule = listed.issue.rule
    suppressed: dict[str, Any] = {}
    if listed.ignored is not None:
        suppression = {"kind": "external", "status": "accepted"}
        if listed.ignored:
            suppression["justification"] = listed.ignored
        suppressed = {"suppressions": [suppression]}
    return {
        **suppressed,
        "ruleId": rule.slug,
        "ruleIndex": place,
        "level": _LEVELS[rule.priority],
        "message": {"text": f"{listed.issue.name}. {rule.meaning} {rule.remedy}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": url}}}],
    }
