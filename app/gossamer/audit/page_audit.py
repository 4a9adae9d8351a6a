"""Decides the page rules: those that the facts of one page decide, when it is read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import attrgetter, or_
from typing import Final, NamedTuple

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AuditedPage, FactBound, Measure, PageRule, PageScope
from gossamer.audit.url_checks import url_traits
from gossamer.model.axe_rules import violated_numbers
from gossamer.model.fields.indexability import (
    indexability_of_answer,
    is_canonicalised,
    says_noindex,
)
from gossamer.model.fields.page_facts import PageFields
from gossamer.model.page_flags import Indexability
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit


class _BitRules(NamedTuple):
    """Rules of which each is decided by a bit of one number."""

    mask: int
    """The bits that decide rules."""
    holding: Callable[[int], Sequence[int]]
    """The numbers of the rules that hold where these bits of `mask` are set, at least one."""


def _bit_rules(bits: Iterable[tuple[int, int]]) -> _BitRules:
    """Of pairs of a bit and the number of a rule."""
    pairs = sorted(bits)

    @lru_cache(maxsize=1_000)  # few numbers occur on a site
    def holding(value: int) -> Sequence[int]:
        return [number for bit, number in pairs if value & bit]

    return _BitRules(reduce(or_, (bit for bit, _ in pairs), 0), holding)


class _BoundRules:
    """Rules about what facts measure; most pages lack some of these facts."""

    def __init__(self, bounds: Mapping[int, FactBound]) -> None:
        """`bounds` are by the numbers of the rules."""
        by_fact: dict[tuple[str, Measure], list[tuple[int, int, bool]]] = {}
        for place, (number, bound) in enumerate(bounds.items()):
            measured = by_fact.setdefault((bound.field, bound.measure), [])
            measured.append((number, place, bound.is_most))
        self._limits = attrgetter(*(bound.limit for bound in bounds.values()))
        self._facts = attrgetter(*(field for field, _ in by_fact))
        self._rules = [(measure, rules_of_it) for (_, measure), rules_of_it in by_fact.items()]

    def holding(self, facts: PageFields, settings: CrawlSettings) -> list[int]:
        """The numbers of those that hold for these facts."""
        limits = self._limits(settings)
        found = []
        for value, (measure, rules) in zip(self._facts(facts), self._rules, strict=True):
            if value:
                size = measure(value)
                for number, place, is_most in rules:
                    if size > limits[place] if is_most else size < limits[place]:
                        found.append(number)
        return found


class _ScopeRules:
    """The page rules of one scope.

    Those that bits or bounds decide are apart: together they take little time.
    """

    def __init__(self, scope: PageScope) -> None:
        rules = {
            number: rule.decision
            for number, rule in RULES.items()
            if isinstance(rule.decision, PageRule) and rule.decision.scope is scope
        }
        self._checks = [
            (number, rule.check)
            for number, rule in rules.items()
            if not (rule.flag or rule.bound or rule.url_trait)
        ]
        flags = [(rule.flag, number) for number, rule in rules.items() if rule.flag]
        self._flags = [
            (
                attrgetter(field),
                _bit_rules((flag.bit, n) for flag, n in flags if flag.field == field),
            )
            for field in dict.fromkeys(flag.field for flag, _ in flags)
        ]
        traits = [(rule.url_trait, number) for number, rule in rules.items() if rule.url_trait]
        self._url_traits = _bit_rules(traits)
        bounds = {number: rule.bound for number, rule in rules.items() if rule.bound}
        self._bounds = _BoundRules(bounds) if bounds else None

    def holding(self, page: AuditedPage, settings: CrawlSettings) -> list[int]:
        """The numbers of those that hold for a page."""
        facts = page.facts
        found = [number for number, holds in self._checks if holds(page, settings)]
        for read, (mask, holding) in self._flags:
            if bits := (read(facts) or 0) & mask:
                found += holding(bits)
        mask, holding = self._url_traits
        if mask and (bits := url_traits(page.url) & mask):
            found += holding(bits)
        if self._bounds:
            found += self._bounds.holding(facts, settings)
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
    if facts.violated_rules:
        found += violated_numbers(facts.violated_rules)
    return found
