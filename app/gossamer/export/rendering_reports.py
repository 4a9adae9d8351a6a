"""The reports on rendered pages: blocked resources, the console, accessibility violations."""

from collections.abc import Iterator
from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Row, Sheet
from gossamer.export.url_views import size_of
from gossamer.model.accessibility_report import ViolationNode, impact_of
from gossamer.model.axe_rules import AXE_RULES
from gossamer.model.project_queries import View
from gossamer.store.reading.reader import Reader

_BLOCKED: Final = ("Address", "Blocked Resource", "Type", "Blocked By")
_VIOLATIONS: Final = (
    *("Address", "Issue", "Guideline", "Impact", "Nodes", "Selector", "Snippet"),
    *("Problem", "Rule", "Help URL"),
)
_CONSOLE: Final = ("Address", "Level", "Message", "Source", "Line")


def _blocked(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    return Sheet(_BLOCKED, _blocked_rows(reader, check), size_of(reader, View.PAGES))


def _blocked_rows(reader: Reader, check: Check) -> Iterator[Row]:
    for url, resources in reader.blocked_resources():
        check()
        yield from ((url, each.url, each.type, each.blocked_by) for each in resources)


def _console(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    return Sheet(_CONSOLE, _console_rows(reader, check), size_of(reader, View.PAGES))


def _console_rows(reader: Reader, check: Check) -> Iterator[Row]:
    for url, messages in reader.console_messages():
        check()
        for each in messages:
            level = "Error" if each.is_error else "Warning"
            yield (url, level, each.text, each.source or None, each.line or None)


def _violations(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    return Sheet(_VIOLATIONS, _violation_rows(reader, check), size_of(reader, View.PAGES))


def _violation_rows(reader: Reader, check: Check) -> Iterator[Row]:
    """A row for each stored node; one without a node for a violation of the page itself."""
    for url, violations in reader.violations():
        check()
        for each in violations:
            axe = AXE_RULES[each.rule]
            issue = RULES[axe.number]
            impact = impact_of(each, axe).label
            for node in each.nodes or (ViolationNode(""),):
                yield (
                    *(url, issue.name, axe.guideline.value, impact.value, each.count),
                    *(node.selector, node.html, node.message, axe.id, issue.reference),
                )


BLOCKED_RESOURCES: Final = ExportView("blocked_resources", "Pages with blocked resources", _blocked)
JAVASCRIPT_CONSOLE: Final = ExportView("javascript_console", "JavaScript console log", _console)
ACCESSIBILITY_VIOLATIONS: Final = ExportView(
    "accessibility_violations", "Accessibility violations", _violations
)
