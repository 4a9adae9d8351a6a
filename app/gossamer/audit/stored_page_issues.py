"""Decides page rules again, from what the project file keeps of the pages.

That is needed after thresholds have changed, and where pages were written without their issues.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AccessibilityCheck, AuditedPage, PageRule, PageScope, SiteRule
from gossamer.model.axe_rules import violated_numbers
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.settings.crawl_settings import (
    RULES_VERSION_NAME,
    CrawlSettings,
    changed_thresholds,
)
from gossamer.model.visit import Visit
from gossamer.store.auditing.audited_project import AuditedProject
from gossamer.store.auditing.stored_pages import STORED, stored_pages

_FLAGS: Final = ("markup", "content", "directives", "javascript")
"""What rules need besides the fields that they show."""


def redecide_page_rules(file: AuditedProject, before: str | None, settings: CrawlSettings) -> None:
    """Decide the rules whose thresholds differ from those that they were decided with.

    `before` has the latter as stored by `note_settings`; None if unknown. If no rule was ever
    decided, all are decided.
    """
    rules = [
        rule for rule in RULES.values() if isinstance(rule.decision, (PageRule, AccessibilityCheck))
    ]
    columns: Sequence[str] = STORED
    if file.has_page_issues():
        changed = changed_thresholds(before, settings)
        if RULES_VERSION_NAME not in changed:
            rules = [rule for rule in rules if rule.limit in changed]
        needed = {*_FLAGS, *(name for rule in rules for name in rule.fields)}
        columns = [name for name in STORED if name in needed]
    for rule, ids in _decided(file, settings, rules, columns).items():
        there = np.array(file.issue_ids(rule), np.int64)
        now = np.frombuffer(ids, np.int64) if ids else np.zeros(0, np.int64)
        added, removed = np.setdiff1d(now, there), np.setdiff1d(there, now)
        file.change_issues(rule, added.tolist(), removed.tolist())
    file.note_page_rules(settings)


def _decided(
    file: AuditedProject, settings: CrawlSettings, rules: Iterable[SiteRule], columns: Sequence[str]
) -> dict[int, "array[int]"]:
    """The ids of the pages for which each rule holds, by its number."""
    found = {rule.number: array("q") for rule in rules}
    checks = {
        scope: [
            (found[rule.number].append, rule.decision.check)
            for rule in rules
            if isinstance(rule.decision, PageRule) and rule.decision.scope is scope
        ]
        for scope in PageScope
    }
    for url_id, page in _pages(file, columns) if found else ():
        for note, holds in checks[PageScope.ALL]:
            if holds(page, settings):
                note(url_id)
        if page.indexability is Indexability.INDEXABLE:
            for note, holds in checks[PageScope.INDEXABLE]:
                if holds(page, settings):
                    note(url_id)
        for number in found.keys() & violated_numbers(page.facts.violated_rules or ""):
            found[number].append(url_id)
    return found


def _pages(file: AuditedProject, columns: Sequence[str]) -> Iterator[tuple[int, AuditedPage]]:
    """Each page with its facts among `columns`."""
    for stored in stored_pages(file, columns):
        facts = PageFacts(**stored.facts)
        visit = Visit(facts=facts, **stored.response)
        yield stored.id, AuditedPage(stored.url, visit, facts, stored.indexability)
