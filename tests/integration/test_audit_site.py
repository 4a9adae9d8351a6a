"""Every audit rule on sites with planted faults: what it lists, and that it lists nothing else."""

import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_rule import PageRule, RuleGroup, StageRule
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.settings.rendering_choices import RenderMode
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.audited_sites import (
    IMAGE_RULES,
    LIVE_RULES,
    crawl_and_audit,
    difference,
    planted_rules,
)
from tests.integration.fetching import TLS_FOLDER
from tests.sites.audit_site.planted_crawls import PlantedCrawl, planted_crawls, rendered_pages

NOT_PLANTED: Final = {
    "Response Codes: External Redirection (Meta Refresh)": "other sites' pages are not read",
    "Response Codes: External Redirection (JavaScript)": "likewise",
    "AMP: Non-Indexable Canonical": "not defined closely enough",
    "Content: Spelling Errors": "needs a dictionary of the computer",
    "Content: Grammar Errors": "needs a LanguageTool server",
    "Mobile: Target Size": "planted in pages that phones show, tests/sites/phone_pages.py",
    "Mobile: Content Not Sized Correctly": "likewise",
    "Mobile: Illegible Font Size": "likewise",
    "Mobile: Intrusive Overlay": "likewise",
}
"""Rules that no planted URL breaks, with the reason; they must still list none."""
RULES_OF_JAVASCRIPT: Final = sum(
    rule.group is RuleGroup.JAVASCRIPT and rule.needs_rendering for rule in RULES.values()
)
"""There are such rules in other groups, too."""
RULES_BY_NAME: Final = {rule.full_name(DEFAULTS): rule for rule in RULES.values()}
RULE_NAMES: Final = list(RULES_BY_NAME)


@pytest.fixture(scope="module")
def crawls() -> Iterator[dict[str, PlantedCrawl]]:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(TLS_FOLDER / "localhost.pem", TLS_FOLDER / "key.pem")
    with planted_crawls(tls) as planted:
        yield planted


@pytest.mark.parametrize("parser", ["selectolax", "beautifulsoup"])
def test_each_rule_lists_the_planted_urls_and_no_others(
    parser: str, crawls: dict[str, PlantedCrawl], tmp_path: Path
) -> None:
    """All rules in one test: each part of a test run that had one of them would crawl it all."""
    by_standard = parser == "selectolax"
    # Sitemaps, large ones, are not read by the parsers of pages.
    parsed = {name: crawl for name, crawl in crawls.items() if by_standard or name != "sitemaps"}
    found = {
        name: crawl_and_audit(tmp_path / f"{name}.gossamer", crawl, parser=parser)
        for name, crawl in parsed.items()
    }
    wrong = {rule: difference(rule, parsed, found, by_standard=by_standard) for rule in RULE_NAMES}
    assert "\n".join(f"{rule}\n{lists}" for rule, lists in wrong.items() if any(lists)) == ""
    live = {
        rule
        for rule in LIVE_RULES | IMAGE_RULES
        if not RULES_BY_NAME[rule].needs_rendering and "External Redirection (Meta" not in rule
    }
    assert planted_rules(crawls) >= live, "crawl_and_audit compares these"


@NEEDS_BROWSER
def test_each_rule_lists_the_planted_urls_of_rendered_pages_and_no_others(tmp_path: Path) -> None:
    with rendered_pages() as crawl:
        found = {"rendered": crawl_and_audit(tmp_path / "r.gossamer", crawl)}
        wrong = {rule: difference(rule, {"rendered": crawl}, found) for rule in RULE_NAMES}
    assert "\n".join(f"{rule}\n{lists}" for rule, lists in wrong.items() if any(lists)) == ""


def test_rules_that_need_rendering_list_nothing_where_nothing_was_rendered(tmp_path: Path) -> None:
    with rendered_pages() as crawl:
        found = crawl_and_audit(tmp_path / "r.gossamer", crawl, render=RenderMode.OFF)
    assert found
    needing = {rule.full_name(DEFAULTS) for rule in RULES.values() if rule.needs_rendering}
    assert len(needing) > RULES_OF_JAVASCRIPT
    assert {name: found[name] for name in needing if found.get(name)} == {}


def test_every_rule_that_is_decided_is_planted(crawls: dict[str, PlantedCrawl]) -> None:
    decided = {
        rule.full_name(DEFAULTS)
        for rule in RULES.values()
        if isinstance(rule.decision, PageRule | StageRule)
    }
    with rendered_pages() as rendered:
        planted = planted_rules({**crawls, "rendered": rendered})
    assert {rule for rule in planted if rule_named(rule) is None} == set()
    assert decided - planted == set(NOT_PLANTED)
