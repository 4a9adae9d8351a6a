"""Crawls planted sites, audits them, and compares which URLs each rule lists."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from gossamer.audit.live_image_issues import IMAGE_TRAITS
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rules.images import ALT_TEXT_TOO_LONG
from gossamer.audit.site_audit import run_site_audit
from gossamer.audit.site_rule import StageRule
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import crawl_all
from tests.sites.audit_site.planted_crawls import PlantedCrawl

Listed: TypeAlias = dict[str, set[str]]
"""The URLs of each rule, by its full name."""
LIVE_RULES: Final = frozenset(
    rule.full_name(DEFAULTS)
    for rule in RULES.values()
    if isinstance(rule.decision, StageRule) and rule.decision.is_live
)
"""The rules that are decided with each response, and again by a stage."""
IMAGE_RULES: Final = frozenset(
    rule.full_name(DEFAULTS) for rule in (*IMAGE_TRAITS, ALT_TEXT_TOO_LONG)
)
"""The rules that list what a page links to when the page is read, and again by a stage."""
_BLOCKED: Final = tuple(
    f"Response Codes: {scope} Blocked by Robots.txt" for scope in ("Internal", "External")
)
_OF_FIRST_PAGE: Final = (
    "Response Codes: Internal Blocked Resource",
    "Response Codes: External Blocked Resource",
    "Validation: Resource Over 2MB",
    "Images: Background Images",
)
"""Until the stage runs, only the page that a file was found on counts."""
_PARTLY_LIVE: Final = "Security: Bad Content Type"
"""Only the stage knows how pages use a file."""


def listed_urls(path: Path) -> Listed:
    """What each rule lists in a project."""
    with Reader(path) as reader:
        urls = {record.id: record.url for record in reader.iterate(View.ALL)}
        return {
            RULES[number].full_name(DEFAULTS): {
                urls[each]
                for each in reader.ids(View.ALL, Filter(facets=facet_values(issue={number})))
            }
            for number in reader.issue_counts()
        }


def crawl_and_audit(path: Path, crawl: PlantedCrawl, **settings: Any) -> Listed:
    """What each rule lists after a crawl of a planted site."""
    crawl_all(path, crawl.site.url("/"), **{"max_tries": 1, **crawl.settings, **settings})
    before = listed_urls(path)
    run_site_audit(path)
    found = listed_urls(path)
    _check_live_rules(path, before, found)
    return found


def _check_live_rules(path: Path, before: Listed, after: Listed) -> None:
    """What was decided with each response is what the stage decides of URLs that were requested."""
    with Reader(path) as reader:
        asked = {each.url for each in reader.iterate(View.ALL) if each.fetched_at is not None}
    for rule in LIVE_RULES:
        live, listed = before.get(rule, set()), after.get(rule, set()) & asked
        assert live <= listed if rule == _PARTLY_LIVE else live == listed, rule
    for rule in (*IMAGE_RULES, *_BLOCKED):
        assert before.get(rule, set()) == after.get(rule, set()), rule
    for rule in _OF_FIRST_PAGE:
        assert before.get(rule, set()) <= after.get(rule, set()), rule


class Difference(NamedTuple):
    """Where a rule lists other URLs than it should."""

    missed: list[str]
    invented: list[str]

    def __str__(self) -> str:
        """One URL per line."""
        return "\n".join(
            [
                *(f"missed    {url}" for url in self.missed),
                *(f"invented  {url}" for url in self.invented),
            ]
        )


def difference(
    rule: str,
    crawls: Mapping[str, PlantedCrawl],
    found: Mapping[str, Listed],
    *,
    by_standard: bool = True,
) -> Difference:
    """Compare what a rule lists in each crawl, by the names of the crawls.

    Without `by_standard`, pages are left out that only a parser of the HTML standard builds right.
    """
    missed, invented = [], []
    for name, crawl in crawls.items():
        site = crawl.site
        left_out = set() if by_standard else site.for_standard
        listed = found[name].get(rule, set()) - left_out
        for url, holds in site.holds.items():
            if rule in holds and url not in listed | left_out:
                missed.append(f"{name}: {url}")
        invented += [
            f"{name}: {url}"
            for url in listed
            if rule not in site.holds.get(url, ()) and not site.is_unclear(url, rule)
        ]
    return Difference(sorted(missed), sorted(invented))


def planted_rules(crawls: Mapping[str, PlantedCrawl]) -> set[str]:
    """The rules that hold for some planted URL."""
    return {
        rule for crawl in crawls.values() for holds in crawl.site.holds.values() for rule in holds
    }
