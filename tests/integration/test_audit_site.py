"""Every audit rule on sites with planted faults: what it lists, and that it lists nothing else."""

import ssl
from collections.abc import Iterator
from typing import Final

import pytest

from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_rule import PageRule, StageRule
from gossamer.model.settings.crawl_settings import DEFAULTS
from tests.integration.audited_sites import Listed, crawl_and_audit, difference, planted_rules
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


@pytest.fixture(scope="module", params=["selectolax", "beautifulsoup"])
def found(
    request: pytest.FixtureRequest,
    crawls: dict[str, PlantedCrawl],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Listed]:
    """What each rule lists, for each crawl by its name."""
    folder = tmp_path_factory.mktemp("audited")
    return {
        name: crawl_and_audit(folder / f"{name}.gossamer", crawl, parser=request.param)
        for name, crawl in crawls.items()
    }


@pytest.mark.parametrize("rule", RULE_NAMES)
def test_rule_lists_the_planted_urls_and_no_others(
    rule: str,
    crawls: dict[str, PlantedCrawl],
    found: dict[str, Listed],
    request: pytest.FixtureRequest,
) -> None:
    parser = request.node.callspec.params["found"]
    wrong = difference(rule, crawls, found, by_standard=parser == "selectolax")
    assert not any(wrong), f"{rule}\n{wrong}"


def test_every_rule_that_is_decided_is_planted(crawls: dict[str, PlantedCrawl]) -> None:
    decided = {
        rule.full_name(DEFAULTS)
        for rule in RULES.values()
        if isinstance(rule.decision, PageRule | StageRule)
    }
    planted = planted_rules(crawls)
    assert {rule for rule in planted if rule_named(rule) is None} == set()
    assert decided - planted == set(NOT_PLANTED)
