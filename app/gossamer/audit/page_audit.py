"""Decides the page rules: those that the facts of one page decide, when it is read."""

from collections.abc import Callable
from operator import attrgetter
from typing import Final, NamedTuple

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AuditedPage, Measure, PageRule, PageScope
from gossamer.model.fields.indexability import (
    indexability_of_answer,
    is_canonicalised,
    says_noindex,
)
from gossamer.model.fields.page_facts import PageFields
from gossamer.model.page_flags import Indexability
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit


class _Bound(NamedTuple):
    """A rule by number, the limit in the settings that it reads, and whether it is the most."""

    number: int
    limit: Callable[[CrawlSettings], float]
    is_most: bool


class _ScopeRules:
    """The page rules of one scope.

    Those that flags or bounds decide are apart: most pages have few flags and lack some facts.
    """

    def __init__(self, scope: PageScope) -> None:
        rules = {
            number: rule.decision
            for number, rule in RULES.items()
            if isinstance(rule.decision, PageRule) and rule.decision.scope is scope
        }
        self._checks = [
            (number, rule.check) for number, rule in rules.items() if not (rule.flag or rule.bound)
        ]
        by_bit: dict[str, dict[int, list[int]]] = {}
        by_fact: dict[tuple[str, Measure], list[_Bound]] = {}
        for number, rule in rules.items():
            if rule.flag:
                field, bit = rule.flag
                by_bit.setdefault(field, {}).setdefault(bit, []).append(number)
            if rule.bound:
                field, measure, limit, is_most = rule.bound
                bound = _Bound(number, attrgetter(limit), is_most)
                by_fact.setdefault((field, measure), []).append(bound)
        self._flags = [
            (attrgetter(field), sum(numbers), numbers) for field, numbers in by_bit.items()
        ]
        self._bounds = [
            (attrgetter(field), measure, bounds) for (field, measure), bounds in by_fact.items()
        ]

    def holding(self, page: AuditedPage, settings: CrawlSettings) -> list[int]:
        """The numbers of those that hold for a page."""
        facts = page.facts
        found = [number for number, holds in self._checks if holds(page, settings)]
        for read, mask, numbers in self._flags:
            bits = (read(facts) or 0) & mask
            while bits:
                lowest = bits & -bits
                found += numbers[lowest]
                bits ^= lowest
        for read, measure, bounds in self._bounds:
            if value := read(facts):
                size = measure(value)
                for number, limit, is_most in bounds:
                    if size > limit(settings) if is_most else size < limit(settings):
                        found.append(number)
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
    if facts is None or not visit.is_page_read:
        return []
    indexability = page_indexability(url, visit, facts)
    page = AuditedPage(url, visit, facts, indexability)
    found = _FOR_ALL.holding(page, settings)
    if indexability is Indexability.INDEXABLE:
        found += _FOR_INDEXABLE.holding(page, settings)
    return found
