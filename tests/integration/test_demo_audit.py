"""The demo site teaches by example: each rule of the audit breaks somewhere on it."""

import pytest

from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_audit import run_site_audit
from gossamer.audit.site_rule import PageRule, StageRule
from gossamer.demo.server import serve
from gossamer.demo.site import EXAMPLES, target_of
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.session.demo_process import demo_settings
from tests.integration import audited_sites
from tests.integration.crawling import crawl_all

EXCUSED = {
    "Response Codes: Internal No Response": "a server that does not answer would hold up the crawl",
    "Content: Spelling Errors": "not every computer has dictionaries",
    "Content: Grammar Errors": "not every computer has a LanguageTool server",
    "Security: Mixed Content": "the site is not on HTTPS",
    "Security: Form URL Insecure": "the site is not on HTTPS",
    "Security: Missing HSTS Header": "the site is not on HTTPS",
    "Meta Keywords: Missing": "the setting is off",
    "Meta Keywords: Duplicate": "the setting is off",
    "Meta Keywords: Multiple": "the setting is off",
    "Links: Pages With High Internal Outlinks": "a thousand more pages would hide the others",
    "Sitemaps: XML Sitemap With Over 50k URLs": "fifty thousand more URLs would hide the others",
    "Sitemaps: XML Sitemap Over 50MB": "the program would be larger for it",
}
"""Rules that the site cannot break, and why. So are those on URLs of other sites, which are not
asked."""


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> audited_sites.Listed:
    """The targets that each rule lists on the demo site, with a URL of its own for the origin."""
    path = tmp_path_factory.mktemp("demo") / "demo.gossamer"
    with serve() as origin:
        crawl_all(path, origin, use_sitemaps=demo_settings(DEFAULTS, origin).use_sitemaps)
        run_site_audit(path)
    found = audited_sites.listed_urls(path)
    return {rule: {url.removeprefix(origin) for url in urls} for rule, urls in found.items()}


def test_every_rule_that_is_decided_breaks_somewhere_on_the_demo_site(
    listed: audited_sites.Listed,
) -> None:
    decided = {
        rule.full_name(DEFAULTS)
        for rule in RULES.values()
        if isinstance(rule.decision, PageRule | StageRule) and " External " not in f" {rule.name}"
    }
    assert decided - listed.keys() == EXCUSED.keys()


def test_an_example_page_has_the_faults_that_it_speaks_of(listed: audited_sites.Listed) -> None:
    for page in EXAMPLES:
        for name in page.rules:
            rule = rule_named(name)
            assert rule is not None, name
            assert name in listed, (page.path, name)
            if isinstance(rule.decision, PageRule):
                assert target_of(page.address) in listed[name], (page.path, name)


def test_the_museum_itself_is_not_drowned_by_the_workshop() -> None:
    assert sum(page.listed for page in EXAMPLES) < 90
