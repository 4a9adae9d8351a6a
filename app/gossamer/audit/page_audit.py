"""Decides the page rules: those that the facts of one page decide, when it is read."""

from operator import attrgetter
from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AuditedPage, PageRule, PageScope
from gossamer.model.fields.indexability import (
    indexability_of_answer,
    is_canonicalised,
    says_noindex,
)
from gossamer.model.fields.page_facts import PageFields
from gossamer.model.page_flags import Indexability
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit

_SUCCESS: Final = 2


class _ScopeRules:
    """The page rules of one scope, those that flags decide apart: most pages have few flags."""

    def __init__(self, scope: PageScope) -> None:
        rules = {
            number: rule.decision
            for number, rule in RULES.items()
            if isinstance(rule.decision, PageRule) and rule.decision.scope is scope
        }
        self._checks = [(number, rule.check) for number, rule in rules.items() if not rule.flag]
        by_bit: dict[str, dict[int, list[int]]] = {}
        for number, rule in rules.items():
            if rule.flag:
                field, bit = rule.flag
                by_bit.setdefault(field, {}).setdefault(bit, []).append(number)
        self._flags = [
            (attrgetter(field), sum(numbers), numbers) for field, numbers in by_bit.items()
        ]

    def holding(self, page: AuditedPage, settings: CrawlSettings) -> list[int]:
        """The numbers of those that hold for a page."""
        found = [number for number, holds in self._checks if holds(page, settings)]
        for read, mask, numbers in self._flags:
            bits = (read(page.facts) or 0) & mask
            while bits:
                lowest = bits & -bits
                found += numbers[lowest]
                bits ^= lowest
        return found


_FOR_ALL: Final = _ScopeRules(PageScope.ALL)
_FOR_INDEXABLE: Final = _ScopeRules(PageScope.INDEXABLE)


def page_indexability(url: str, visit: Visit, facts: PageFields) -> Indexability:
    """Whether search engines may list what was answered, by `facts`, which may be empty."""
    answer = indexability_of_answer(visit.outcome, visit.status)
    if answer is not Indexability.INDEXABLE:
        return answer
    if says_noindex(facts.directives, facts.robots, visit.robots_header):
        return Indexability.NOINDEX
    if is_canonicalised(url, facts):
        return Indexability.CANONICALISED
    return Indexability.INDEXABLE


def page_issues(url: str, visit: Visit, settings: CrawlSettings) -> list[int]:
    """The numbers of the page rules that hold for a visit; none where it is no page read whole."""
    facts = visit.facts
    if facts is None or visit.status is None or visit.status // 100 != _SUCCESS:
        return []
    indexability = page_indexability(url, visit, facts)
    page = AuditedPage(url, visit, facts, indexability)
    found = _FOR_ALL.holding(page, settings)
    if indexability is Indexability.INDEXABLE:
        found += _FOR_INDEXABLE.holding(page, settings)
    return found
