"""The demo site teaches by example: each rule of the audit breaks somewhere on it."""

from pathlib import Path

import pytest

from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_audit import run_site_audit
from gossamer.audit.site_rule import PageRule, StageRule
from gossamer.demo.server import serve
from gossamer.demo.site import EXAMPLES, target_of
from gossamer.demo.workshop.access_examples import ACCESS_PAGES
from gossamer.demo.workshop.example_page import WORKSHOP, ExamplePage
from gossamer.model.axe_rules import AXE_RULES, AccessibilityLevel
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.settings.rendering_choices import RenderDevice, RenderMode
from gossamer.session.demo_process import demo_settings
from tests.fakes.axe import NEEDS_AXE
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration import audited_sites
from tests.integration.crawling import crawl_all
from tests.sites.axe_pages import UNDECIDED

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


def _listed(path: Path, at: str = "", **settings: object) -> audited_sites.Listed:
    """The targets that each rule lists on the demo site, with a URL of its own for the origin."""
    with serve() as origin:
        crawl_all(path, origin + at, **settings)
        run_site_audit(path)
    found = audited_sites.listed_urls(path)
    return {rule: {url.removeprefix(origin) for url in urls} for rule, urls in found.items()}


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> audited_sites.Listed:
    """What is listed without rendering."""
    path = tmp_path_factory.mktemp("demo") / "demo.gossamer"
    return _listed(path, use_sitemaps=demo_settings(DEFAULTS, "http://a.test").use_sitemaps)


def test_every_rule_that_is_decided_breaks_somewhere_on_the_demo_site(
    listed: audited_sites.Listed,
) -> None:
    assert _decided(needs_rendering=False) - listed.keys() == EXCUSED.keys()


def _needs_rendering(name: str) -> bool:
    rule = rule_named(name)
    return rule is not None and rule.needs_rendering


def _decided(*, needs_rendering: bool) -> set[str]:
    return {
        rule.full_name(DEFAULTS)
        for rule in RULES.values()
        if isinstance(rule.decision, PageRule | StageRule)
        and " External " not in f" {rule.name}"
        and rule.needs_rendering is needs_rendering
    }


@NEEDS_BROWSER
def test_every_rule_that_needs_rendering_breaks_somewhere_once_the_site_is_rendered(
    tmp_path: Path,
) -> None:
    pages = [
        page
        for page in EXAMPLES
        if page not in ACCESS_PAGES and any(map(_needs_rendering, page.rules))
    ]
    patterns = tuple(f"{page.address}$" for page in pages)
    listed = _listed(
        tmp_path / "d.gossamer",
        WORKSHOP,
        include=patterns,
        render=RenderMode.ON,
        device=RenderDevice.MOBILE,
    )
    assert _decided(needs_rendering=True) <= listed.keys()
    for page in pages:
        _assert_listed(page, listed, needs_rendering=True)


@NEEDS_BROWSER
@NEEDS_AXE
def test_pages_that_keep_visitors_out_break_the_rules_of_axe_that_they_name_and_no_others(
    tmp_path: Path,
) -> None:
    listed = _listed(
        tmp_path / "d.gossamer",
        WORKSHOP,
        include=(f"{WORKSHOP}access/",),
        render=RenderMode.ON,
        accessibility=AccessibilityLevel.ALL,
    )
    rules = {rule.number: rule.full_name(DEFAULTS) for rule in RULES.values()}
    names = {each.id: rules[each.number] for each in AXE_RULES.values()}
    found = {
        page.path: {name for name in names.values() if page.address in listed.get(name, set())}
        for page in ACCESS_PAGES
    }
    # The colours of the museum do not reach the contrast of level AAA anywhere.
    everywhere = {names["color-contrast-enhanced"]}
    expected = {page.path: set(page.rules) for page in ACCESS_PAGES}
    assert {path: found[path] - everywhere for path in found} == {
        path: wanted - everywhere for path, wanted in expected.items()
    }
    broken = set.union(*expected.values())
    assert set(names.values()) - broken == {names[each] for each in UNDECIDED}


def test_an_example_page_has_the_faults_that_it_speaks_of(listed: audited_sites.Listed) -> None:
    for page in EXAMPLES:
        _assert_listed(page, listed, needs_rendering=False)


def _assert_listed(
    page: ExamplePage, listed: audited_sites.Listed, *, needs_rendering: bool
) -> None:
    for name in page.rules:
        rule = rule_named(name)
        assert rule is not None, name
        if rule.needs_rendering is not needs_rendering:
            continue
        assert name in listed, (page.path, name)
        if isinstance(rule.decision, PageRule):
            assert target_of(page.address) in listed[name], (page.path, name)


def test_the_museum_itself_is_not_drowned_by_the_workshop() -> None:
    assert sum(page.listed for page in EXAMPLES) <= 100, "show more on an example that is there"
