"""Decides the page rules: those that the facts of one page decide, when it is read."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from operator import attrgetter
from typing import Any, Final, NamedTuple

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AuditedPage, Check, FactBound, Measure, PageRule, PageScope
from gossamer.audit.url_checks import url_traits
from gossamer.model.axe_rules import violated_numbers
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.fields.indexability import (
    Indexability,
    indexability_of_response,
    is_canonicalised,
    is_of_hash_route,
    says_noindex,
)
from gossamer.model.fields.page_facts import PageFields
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.visit import Visit


class PageTraits(NamedTuple):
    """The inputs of most rules, which the pages of a site have in common.

    `values` are those of facts made of flags, and the viewport, which take few values on a site;
    `are_there` says for each fact that rules name whether it is present.
    """

    is_indexable: bool
    outcome: Outcome
    is_https: bool
    url: int
    """Bits of UrlTrait."""
    values: tuple[object, ...]
    are_there: tuple[bool, ...]


class _Bound(NamedTuple):
    """Rules about the measure of a present fact: the limits, and whether each is a maximum."""

    read: Callable[[PageFields], Any]
    measure: Measure
    limits: list[tuple[int, float, bool]]


class _Decision(NamedTuple):
    """What traits decide about a page: the rules that hold, and those that need more."""

    holding: list[int]
    checks: list[tuple[int, Check]]
    bounds: list[_Bound]


class _PageRules:
    """Decides all page rules, and remembers the results for the same traits."""

    def __init__(self, settings: CrawlSettings) -> None:
        self._settings = settings
        rules = {
            number: rule.decision
            for number, rule in RULES.items()
            if isinstance(rule.decision, PageRule)
        }
        self._by_traits: dict[int, PageRule] = {}
        self._by_more: dict[int, PageRule] = {}
        for number, rule in rules.items():
            is_by_traits = rule.flag or rule.url_trait or rule.facts is not None
            (self._by_traits if is_by_traits else self._by_more)[number] = rule
        named = chain.from_iterable((*(rule.facts or ()), *rule.needs) for rule in rules.values())
        self._named = tuple(dict.fromkeys(named))
        self._are_there = attrgetter(*self._named)
        flags = (rule.flag.field for rule in rules.values() if rule.flag)
        self._values = attrgetter(*dict.fromkeys((*flags, "viewport")))
        self._decisions: dict[tuple[object, ...], _Decision] = {}

    def holding(self, page: AuditedPage, settings: CrawlSettings) -> list[int]:
        """The numbers of the rules that hold for a page."""
        if settings is not self._settings:
            self._settings = settings
            self._decisions.clear()
        url, visit, facts, indexability = page
        traits = (
            indexability is Indexability.INDEXABLE,
            visit.outcome,
            url.startswith("https:"),
            url_traits(url),
            self._values(facts),
            tuple(map(bool, self._are_there(facts))),
        )
        # A plain tuple equals a PageTraits, which takes four times as long to make.
        decision = self._decisions.get(traits)
        if decision is None:
            decision = self._decide(PageTraits(*traits), page)
        found = decision.holding.copy()
        for number, check in decision.checks:
            if check(page, settings):
                found.append(number)
        return found + _broken(decision.bounds, facts) if decision.bounds else found

    def _decide(self, traits: PageTraits, page: AuditedPage) -> _Decision:
        if len(self._decisions) >= _MAX_DECISIONS:
            drop_oldest(self._decisions)
        scopes = {PageScope.ALL, PageScope.INDEXABLE} if traits.is_indexable else {PageScope.ALL}
        there = {
            name for name, is_there in zip(self._named, traits.are_there, strict=True) if is_there
        }
        settings = self._settings
        open_rules = {
            number: rule
            for number, rule in self._by_more.items()
            if rule.scope in scopes and (not rule.needs or there.intersection(rule.needs))
        }
        decision = self._decisions[traits] = _Decision(
            [
                number
                for number, rule in self._by_traits.items()
                if rule.scope in scopes and rule.check(page, settings)
            ],
            [(number, rule.check) for number, rule in open_rules.items() if rule.bound is None],
            _bounds(
                {number: rule.bound for number, rule in open_rules.items() if rule.bound}, settings
            ),
        )
        return decision


def _bounds(bounds: Mapping[int, FactBound], settings: CrawlSettings) -> list[_Bound]:
    """The bounds of the same measure of a fact together."""
    limits: dict[tuple[str, Measure], list[tuple[int, float, bool]]] = {}
    for number, bound in bounds.items():
        limit = getattr(settings, bound.limit)
        limits.setdefault((bound.field, bound.measure), []).append((number, limit, bound.is_most))
    return [_Bound(attrgetter(field), measure, those) for (field, measure), those in limits.items()]


def _broken(bounds: Iterable[_Bound], facts: PageFields) -> list[int]:
    """The rules whose limits these facts break."""
    found = []
    for read, measure, limits in bounds:
        if value := read(facts):
            size = measure(value)
            for number, limit, is_most in limits:
                if size > limit if is_most else size < limit:
                    found.append(number)
    return found


_MAX_DECISIONS: Final = 1_000
"""More than the pages of most sites need; if all pages of a site differ, the latest."""
_RULES: Final = _PageRules(DEFAULTS)


def page_indexability(url: str, visit: Visit, facts: PageFields) -> Indexability:
    """Whether search engines may list a response, by `facts`, which may be empty."""
    indexability = indexability_of_response(visit.outcome, visit.status)
    if indexability is not Indexability.INDEXABLE:
        return indexability
    if is_of_hash_route(url):
        return Indexability.HASH_ROUTE
    if says_noindex(facts.directives, facts.robots, visit.robots_header):
        return Indexability.NOINDEX
    if is_canonicalised(url, facts):
        return Indexability.CANONICALISED
    return Indexability.INDEXABLE


def page_issues(url: str, visit: Visit, settings: CrawlSettings) -> list[int]:
    """The numbers of the page rules that hold for a visit; none unless it is a complete page."""
    facts = visit.facts
    if facts is None or not visit.is_page_read:
        return []
    indexability = page_indexability(url, visit, facts)
    page = AuditedPage(url, visit, facts, indexability)
    found = _RULES.holding(page, settings)
    if facts.violated_rules:
        found += violated_numbers(facts.violated_rules)
    return found
