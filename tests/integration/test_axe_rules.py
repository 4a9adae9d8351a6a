"""Each rule of axe-core that can be decided holds where it is broken, and not where it is kept."""

import pytest

from gossamer.model.accessibility_report import Violation
from gossamer.model.axe_rules import AXE_RULES, AccessibilityLevel
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.store.reading.reader import Reader
from tests.fakes.axe import NEEDS_AXE
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import crawl_all
from tests.sites import Response, Site
from tests.sites.axe_pages import ELEMENT_RULES, PAGE_RULES, PAGES, UNDECIDED, axe_pages

pytestmark = [NEEDS_BROWSER, NEEDS_AXE]
Found = dict[str, dict[str, Violation]]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What each page violates, by path and rule."""
    path = tmp_path_factory.mktemp("axe") / "a.gossamer"
    with Site() as site:
        for at, html in axe_pages().items():
            site.respond(at, Response(body=html.encode()))
        crawl_all(
            *(path, site.url("/kept")),
            roots=tuple(map(site.url, axe_pages())),
            list_only=True,
            render=RenderMode.ON,
            accessibility=AccessibilityLevel.ALL,
        )
        with Reader(path) as reader:
            seen = dict(reader.violations())
        return {at: {each.rule: each for each in seen.get(site.url(at), ())} for at in axe_pages()}


def test_every_rule_that_can_be_broken_has_its_snippet_or_page() -> None:
    assert ELEMENT_RULES.keys() | PAGE_RULES == AXE_RULES.keys() - UNDECIDED


@pytest.mark.parametrize("rule", ELEMENT_RULES)
def test_a_rule_about_an_element_names_the_one_that_breaks_it_only(rule: str, found: Found) -> None:
    def elements(path: str) -> list[str]:
        violation = found[path].get(rule)
        return [] if violation is None else [node.html for node in violation.nodes]

    assert any(f'id="{rule}"' in html for html in elements("/elements/broken"))
    assert not [html for html in elements("/elements/kept") if f'id="{rule}"' in html]


@pytest.mark.parametrize("name", PAGES)
def test_rules_about_pages_are_broken_where_they_are(name: str, found: Found) -> None:
    assert found[f"/{name}"].keys() & PAGE_RULES >= {*PAGES[name][1]}


def test_a_page_that_just_keeps_to_them_breaks_none_of_the_rules_about_pages(found: Found) -> None:
    assert found["/kept"].keys() & PAGE_RULES == set()
    assert "meta-refresh" not in found["/language"]
    assert "meta-viewport" not in found["/large"]
