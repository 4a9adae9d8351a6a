"""Decides whether a condition holds for a crawl, and what to report."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final, TypeAlias

from msgspec import Struct

from gossamer.audit.audit_rule import RulePriority
from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.number_format import number
from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.conditions import ConditionKind, EndKind, RuleCondition
from gossamer.notifying.crawl_facts import (
    ISSUES,
    CrawlFacts,
    IssueCount,
    PageDifference,
    SitemapState,
    TextState,
)
from gossamer.urls.url_filters import compile_search

MOST_ITEMS: Final = 10
MAX_ITEM: Final = 200
"""Characters of an address or name that a message shows."""
_DAY_S: Final = 86_400


class ConditionFinding(Struct, frozen=True):
    """The finding that a condition holds: a sentence, and its items, the first of `count`.

    `fingerprint` is the same as long as there is nothing else to report.
    """

    condition: RuleCondition
    sentence: Translatable
    items: tuple[Translatable, ...] = ()
    count: int = 0
    fingerprint: str = ""


Held: TypeAlias = ConditionFinding | None
"""None if the condition does not hold."""


def decide(condition: RuleCondition, facts: CrawlFacts, now_s: float) -> Held:
    """What there is to report; None if the condition does not hold. `now_s` is Unix time."""
    return _DECISIONS[condition.kind](condition, facts, now_s)


def _ended(condition: RuleCondition, facts: CrawlFacts, _now_s: float) -> Held:
    if facts.ending not in condition.argument.split(","):
        return None
    sentence = {
        EndKind.FINISHED: said("The crawl has finished"),
        EndKind.FAILED: said("The crawl has failed"),
        EndKind.PAUSED: said("The crawl has paused by itself"),
    }[facts.ending]
    why = (facts.why,) if facts.why is not None else ()
    seen = " ".join([facts.ending, facts.run, *map(str, why)])
    return ConditionFinding(condition, sentence, why, len(why), seen)


def _issues(condition: RuleCondition, facts: CrawlFacts, _now_s: float) -> Held:
    order = list(RulePriority)
    wanted = {str(each) for each in order[: order.index(RulePriority(condition.argument)) + 1]}
    held = [each for each in facts.issues if each.priority in wanted]
    if any(each.appeared is not None for each in held):
        new = [each for each in held if each.appeared]
        items = [_appeared_line(each) for each in new]
        found = _found(condition, said("Issues have appeared"), items)
        return found and _at_run(found, facts)
    items = [
        said("{name}: {count}", name=each.name, count=number(each.urls))
        for each in held
        if each.urls
    ]
    return _found(condition, said("There are issues"), items)


def _appeared_line(issue: IssueCount) -> Translatable:
    count, new = number(issue.appeared or 0), number(issue.on_new)
    if not issue.on_new:
        return said("{name}: +{count}", name=issue.name, count=count)
    return said("{name}: +{count} (on new pages: {new})", name=issue.name, count=count, new=new)


def _at_run(finding: ConditionFinding, facts: CrawlFacts) -> ConditionFinding:
    """What has appeared is reported for each crawl: the same may appear again."""
    return ConditionFinding(
        *(finding.condition, finding.sentence, finding.items, finding.count),
        fingerprint=f"{finding.fingerprint} {facts.run}",
    )


def _errors(condition: RuleCondition, facts: CrawlFacts, _now_s: float) -> Held:
    if facts.errors <= int(condition.argument):
        return None
    sentence = said(
        "Errors: {errors} (4xx: {client}, 5xx: {server}, no response: {none})",
        errors=number(facts.errors),
        client=number(facts.client_errors),
        server=number(facts.server_errors),
        none=number(facts.no_response),
    )
    counts = (facts.errors, facts.client_errors, facts.server_errors, facts.no_response)
    return ConditionFinding(condition, sentence, (), facts.errors, repr(counts))


def _pages(condition: RuleCondition, facts: CrawlFacts, _now_s: float) -> Held:
    search = compile_search(condition.argument)
    wanted = frozenset(condition.fields)

    def counts(page: PageDifference) -> bool:
        is_whole = not page.fields or not wanted
        return (is_whole or not wanted.isdisjoint(page.fields)) and bool(search(page.url))

    found = (_page_line(page) for page in facts.pages() if counts(page))
    seen = _found(condition, said("Pages have changed"), found)
    return seen and _at_run(seen, facts)


def _page_line(page: PageDifference) -> Translatable:
    headings = [*map(_heading, sorted(page.fields))]
    first, *others = headings or [Translatable(page.change.label)]
    for each in others:
        first = said("{some}, {next}", some=first, next=each)
    return said("{url} ({what})", url=_shown(page.url), what=first)


def _robots(condition: RuleCondition, facts: CrawlFacts, _now_s: float) -> Held:
    found = _found(condition, said("robots.txt has changed"), _changed_robots(facts))
    return found and _at_run(found, facts)


def _sitemaps(condition: RuleCondition, facts: CrawlFacts, _now_s: float) -> Held:
    found = _found(condition, said("Sitemaps have changed"), _changed_sitemaps(facts))
    return found and _at_run(found, facts)


def _heading(field: str) -> Translatable:
    if field == ISSUES:
        return said("issues found or gone")
    each = COMPARABLE.get(field)
    return Translatable(field if each is None else each.field.label)


def _changed_robots(facts: CrawlFacts) -> Iterator[Translatable]:
    if facts.files_before is None:
        return
    for origin, before in facts.files_before.robots.items():
        after = facts.files.robots.get(origin)
        if after is not None and _is_known(before) and _is_known(after) and after != before:
            url = f"{_shown(origin)}/robots.txt"
            yield said("{url} ({what})", url=url, what=_text_change(before, after))


def _is_known(text: TextState) -> bool:
    """Whether its existence is known: no response, or a server in trouble, says nothing."""
    return text.status is not None and text.status // 100 not in {1, 3, 5}


def _text_change(before: TextState, after: TextState) -> Translatable:
    if before.status == after.status:
        return said("its text has changed")
    return said("status {before} → {after}", before=before.status, after=after.status)


def _changed_sitemaps(facts: CrawlFacts) -> Iterator[Translatable]:
    """Those that differ; what an unfinished crawl has not reached is unknown."""
    if facts.files_before is None:
        return
    is_over = facts.ending is EndKind.FINISHED
    before, after = facts.files_before.sitemaps, facts.files.sitemaps
    for url in sorted({*before, *after}):
        missing = SitemapState(is_there=False if is_over else None)
        old, new = before.get(url, SitemapState(is_there=False)), after.get(url, missing)
        if None in {old.is_there, new.is_there} or old == new:
            continue
        counts = f"{number(old.urls)} → {number(new.urls)}"
        yield said("{url} ({what})", url=_shown(url), what=counts)


def _certificates(condition: RuleCondition, facts: CrawlFacts, now_s: float) -> Held:
    days = int(condition.argument)
    ending = sorted(
        (each.not_after, each.origin)
        for each in facts.certificates
        if each.not_after < now_s + days * _DAY_S
    )
    items = [
        said("{url} ({what})", url=_shown(origin), what=_date(not_after))
        for not_after, origin in ending
    ]
    return _found(condition, said("Certificates end soon or have ended"), items)


def _date(unix_s: float) -> str:
    return datetime.fromtimestamp(unix_s, UTC).date().isoformat()


def _found(condition: RuleCondition, sentence: Translatable, items: Iterable[Translatable]) -> Held:
    """The first of the items, the count of all, and a hash of all; None without any."""
    first: list[Translatable] = []
    count = 0
    seen = blake2b(digest_size=16)
    for item in items:
        count += 1
        seen.update(str(item).encode("utf-8", "replace") + b"\0")
        if len(first) < MOST_ITEMS:
            first.append(item)
    if not count:
        return None
    return ConditionFinding(condition, sentence, tuple(first), count, seen.hexdigest())


def _shown(url: str) -> str:
    return one_line(url, MAX_ITEM)


_DECISIONS: Final = {
    ConditionKind.ENDED: _ended,
    ConditionKind.ISSUE: _issues,
    ConditionKind.ERRORS: _errors,
    ConditionKind.PAGE: _pages,
    ConditionKind.ROBOTS: _robots,
    ConditionKind.SITEMAP: _sitemaps,
    ConditionKind.CERTIFICATE: _certificates,
}
