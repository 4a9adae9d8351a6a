"""Decides the page rules: those that the facts of one page decide, when it is read."""

from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AuditedPage, Check, PageRule, PageScope
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


def _checks(scope: PageScope) -> list[tuple[int, Check]]:
    return [
        (number, rule.decision.check)
        for number, rule in RULES.items()
        if isinstance(rule.decision, PageRule) and rule.decision.scope is scope
    ]


_FOR_ALL: Final = _checks(PageScope.ALL)
_FOR_INDEXABLE: Final = _checks(PageScope.INDEXABLE)


def page_indexability(url: str, visit: Visit, facts: PageFields) -> Indexability:
    """Whether search engines may list what was answered, by `facts`, which may be empty."""
    answer = indexability_of_answer(visit.outcome, visit.status, visit.redirect_delay_s)
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
    found = [number for number, holds in _FOR_ALL if holds(page, settings)]
    if indexability is Indexability.INDEXABLE:
        found += [number for number, holds in _FOR_INDEXABLE if holds(page, settings)]
    return found
