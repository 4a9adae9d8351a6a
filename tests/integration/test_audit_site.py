"""Every audit rule on sites with planted faults: what it lists, and that it lists nothing else."""

import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_rule import PageRule, StageRule
from gossamer.model.settings.crawl_settings import DEFAULTS
from tests.integration.audited_sites import crawl_and_audit, difference, planted_rules
from tests.integration.fetching import TLS_FOLDER
from tests.sites.audit_site.planted_crawls import PlantedCrawl, planted_crawls

NOT_PLANTED: Final = {
    "Response Codes: External Redirection (Meta Refresh)": "other sites' pages are not read",
    "AMP: Non-Indexable Canonical": "not defined closely enough",
    "Content: Spelling Errors": "needs a dictionary of the computer",
    "Content: Grammar Errors": "needs a LanguageTool server",
}
"""Rules that no planted URL breaks, with the reason; they must still list none."""
RULE_NAMES: Final = [rule.full_name(DEFAULTS) for rule in RULES.values()]


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
    found = {
        name: crawl_and_audit(tmp_path / f"{name}.gossamer", crawl, parser=parser)
        for name, crawl in crawls.items()
    }
    wrong = {
        rule: difference(rule, crawls, found, by_standard=parser == "selectolax")
        for rule in RULE_NAMES
    }
    assert "\n".join(f"{rule}\n{lists}" for rule, lists in wrong.items() if any(lists)) == ""


def test_every_rule_that_is_decided_is_planted(crawls: dict[str, PlantedCrawl]) -> None:
    decided = {
        rule.full_name(DEFAULTS)
        for rule in RULES.values()
        if isinstance(rule.decision, PageRule | StageRule)
    }
    planted = planted_rules(crawls)
    assert {rule for rule in planted if rule_named(rule) is None} == set()
    assert decided - planted == set(NOT_PLANTED)
