"""Pages that a real browser checks for accessibility with axe-core."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_audit import run_site_audit
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.view_catalogue import VIEWS
from gossamer.model.accessibility_report import MAX_NODES, AccessibilityReport, Violation
from gossamer.model.axe_rules import (
    AXE_RULES,
    COLOR_RULES,
    AccessibilityLevel,
    Impact,
    rules_of_level,
)
from gossamer.model.facets import ISSUE, choose
from gossamer.model.fields.rendering_fields import AccessibilityOutcome
from gossamer.model.project_queries import Filter, View
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.render.accessibility_check import check_accessibility
from gossamer.render.devtools_connection import DevtoolsError, Params
from gossamer.render.page_requests import PageResponse
from gossamer.render.rendered_page import RenderedPage, RenderJob, RenderLimits
from gossamer.store.reading.reader import Reader
from tests.fakes.axe import NEEDS_AXE
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import crawl_all, records, run
from tests.integration.shared_renderer import SharedRenderer
from tests.sites import Response, Site
from tests.sites.odd_pages import LOOPS, SITE

pytestmark = [NEEDS_BROWSER, NEEDS_AXE]
ALL = rules_of_level(AccessibilityLevel.ALL)
HTML = [("Content-Type", "text/html; charset=utf-8")]
BROKEN = """<!doctype html><html><head><title>Broken</title>
<meta name=viewport content="width=device-width,user-scalable=no"></head><body>
<img src=/a.png><a href=/clean></a><button></button><input type=text>
<p style="color:#aaa;background:#fff">too faint to be read</p>
<ul><div>no item</div></ul><div role=foo>no role</div><p lang=xx-yy>no language</p>
<script>const button = document.createElement('div');
  button.setAttribute('role', 'button'); button.tabIndex = 5; document.body.append(button);
</script></body></html>"""
BREAKS = {
    *("image-alt", "link-name", "button-name", "label", "color-contrast", "list", "aria-roles"),
    *("valid-lang", "meta-viewport", "html-has-lang", "aria-command-name", "tabindex"),
}
CLEAN = """<!doctype html><html lang=en><head><title>Clean</title></head><body>
<header><h1>All is well</h1></header><main><p>Text that can be read.</p>
<img src=/a.png alt="A tree"><p><a href=/broken>Where nothing is</a></p></main></body></html>"""


SCREEN = 400
"""The width of a phone, in pixels."""


def rendered(
    renderer: SharedRenderer,
    html: str,
    rules: Sequence[str] = ALL,
    limits: RenderLimits | None = None,
) -> RenderedPage:
    limits = limits or RenderLimits(accessibility_rules=tuple(rules), timeout_s=10)
    return renderer.render(RenderJob(f"{SITE}/", PageResponse(200, HTML, html.encode()), limits))


def report_of(
    renderer: SharedRenderer,
    html: str,
    rules: Sequence[str] = ALL,
    limits: RenderLimits | None = None,
) -> AccessibilityReport:
    report = rendered(renderer, html, rules, limits).accessibility
    assert report is not None
    return report


def violations_in(renderer: SharedRenderer, html: str) -> dict[str, Violation]:
    return {each.rule: each for each in report_of(renderer, html).violations}


def test_a_page_that_signs_out_after_minutes_is_checked_and_goes_nowhere(
    renderer: SharedRenderer,
) -> None:
    signs_out = "<script>setTimeout(()=>location='/signed-out',900000)</script>"
    page = rendered(renderer, CLEAN + signs_out)
    assert page.redirect == ""
    assert page.accessibility is not None
    assert page.accessibility.outcome is AccessibilityOutcome.CHECKED


def test_a_page_breaks_the_rules_that_it_was_made_to_break(renderer: SharedRenderer) -> None:
    report = report_of(renderer, BROKEN, rules_of_level(AccessibilityLevel.ALL))
    assert report.outcome is AccessibilityOutcome.CHECKED
    assert {each.rule for each in report.violations} >= BREAKS


def test_a_clean_page_breaks_none(renderer: SharedRenderer) -> None:
    report = report_of(renderer, CLEAN)
    assert (report.outcome, report.violations) == (AccessibilityOutcome.CHECKED, [])


def test_only_the_rules_that_were_asked_for_are_checked(renderer: SharedRenderer) -> None:
    report = report_of(renderer, BROKEN, ["image-alt", "region"])
    assert {each.rule for each in report.violations} == {"image-alt", "region"}


def test_a_node_has_its_selector_its_snippet_its_reason_and_its_place(
    renderer: SharedRenderer,
) -> None:
    found = violations_in(renderer, BROKEN)["color-contrast"]
    assert (found.impact, found.count) == (Impact.SERIOUS, 1)
    [node] = found.nodes
    assert node.selector.startswith("p")
    assert "too faint to be read" in node.html
    assert "#aaaaaa" in node.message
    assert node.width > 100
    assert node.top > 0


@pytest.mark.parametrize("scale", [0.5, 2.0], ids=["zoomed out", "zoomed in"])
def test_the_place_of_a_node_is_that_in_the_picture_of_a_phone(
    renderer: SharedRenderer, scale: float
) -> None:
    """A page that is laid out wider than the screen is shown smaller, to fit."""
    width = round(SCREEN / scale)
    page = f"""<!doctype html><title>Wide</title><meta name=viewport
      content="width={width},initial-scale={scale}"><img src=/a.png
      style="position:absolute;left:40px;top:20px;width:100px;height:60px">"""
    limits = RenderLimits(
        width=SCREEN, height=800, is_mobile=True, accessibility_rules=("image-alt",)
    )
    report = report_of(renderer, page, limits=limits)
    [node] = report.violations[0].nodes
    shown = [node.left, node.top, node.width, node.height]
    assert shown == [round(each * scale) for each in (40, 20, 100, 60)]


def test_nodes_in_shadow_roots_are_found(renderer: SharedRenderer) -> None:
    html = """<!doctype html><html lang=en><title>Shadow</title><main><h1>A</h1><div id=host></div>
    <script>document.getElementById('host').attachShadow({mode: 'open'}).innerHTML =
    '<img src=/b.png>'</script></main>"""
    [node] = violations_in(renderer, html)["image-alt"].nodes
    assert node.selector.startswith("#host >>> img")


def test_of_many_nodes_the_first_are_kept_and_all_are_counted(renderer: SharedRenderer) -> None:
    html = f"<!doctype html><html lang=en><title>Many</title>{'<img src=/a.png>' * 50}"
    found = violations_in(renderer, html)["image-alt"]
    assert (found.count, len(found.nodes)) == (50, MAX_NODES)


def test_a_page_cannot_answer_for_axe(renderer: SharedRenderer) -> None:
    html = """<!doctype html><title>Sly</title><img src=/a.png><script>
    window.axe = {run: async () => ({violations: []})};
    Array.prototype.map = () => []; Document.prototype.querySelectorAll = () => [];</script>"""
    assert "image-alt" in violations_in(renderer, html)


def test_a_page_that_never_rests_is_checked_without_colors(renderer: SharedRenderer) -> None:
    endless = f"<script>onload = () => {{ {LOOPS} for (;;); }}</script>"
    report = report_of(renderer, BROKEN.replace("</body>", f"{endless}</body>"))
    assert report.outcome is AccessibilityOutcome.WITHOUT_CONTRAST
    assert "color-contrast" not in {each.rule for each in report.violations}
    assert {each.rule for each in report.violations} >= {"image-alt", "label"}


class SlowTab:
    """A tab in which a check with rules about colors takes too long."""

    def __init__(self, *, is_hopeless: bool = False) -> None:
        self.calls: list[str] = []
        self._is_hopeless = is_hopeless

    async def call(self, method: str, params: Params | None, timeout_s: float) -> Params:
        assert timeout_s > 0
        self.calls.append(method)
        expression = (params or {}).get("expression", "")
        if method == "Page.createIsolatedWorld":
            return {"executionContextId": 1}
        if "awaitPromise" in (params or {}):
            if self._is_hopeless or any(f'"{rule}"' in expression for rule in COLOR_RULES):
                raise DevtoolsError("no answer")
            return {
                "result": {"value": [["image-alt", 4, 1, [["img", "<img>"]]], ["new", 1, 1, []]]}
            }
        return {}


def test_a_check_that_takes_too_long_is_ended_and_made_without_colors() -> None:
    tab = SlowTab()
    report = run(check_accessibility(tab.call, "frame", ALL))
    assert report.outcome is AccessibilityOutcome.WITHOUT_CONTRAST
    assert [each.rule for each in report.violations] == ["image-alt"]
    assert set(report.rules) == set(ALL) - COLOR_RULES
    assert tab.calls.count("Runtime.terminateExecution") == 1
    assert tab.calls.count("Page.createIsolatedWorld") == 2


def test_a_check_that_never_ends_has_failed() -> None:
    report = run(check_accessibility(SlowTab(is_hopeless=True).call, "frame", ALL))
    assert report == AccessibilityReport(AccessibilityOutcome.FAILED)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as site:
        site.respond("/", Response(body=CLEAN.encode()))
        site.respond("/broken", Response(body=BROKEN.encode()))
        site.respond("/clean", Response(body=CLEAN.encode()))
        yield site


@pytest.fixture(scope="module")
def project(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The crawl of it, audited; no test changes it."""
    path = tmp_path_factory.mktemp("accessible") / "a.gossamer"
    level = AccessibilityLevel.ALL
    crawl_all(path, site.url("/"), render=RenderMode.ON, accessibility=level)
    run_site_audit(path)
    return path


def test_a_crawl_lists_what_each_page_breaks(project: Path, site: Site) -> None:
    pages = records(project)
    with Reader(project) as reader:
        for rule in BREAKS:
            wanted = choose(Filter(), ISSUE, [AXE_RULES[rule].number])
            found = reader.records(reader.ids(View.ALL, wanted))
            assert [each.url for each in found] == [site.url("/broken")], rule
    assert pages[site.url("/clean")].violations == 0
    assert (pages[site.url("/broken")].violations or 0) >= len(BREAKS)
    assert pages[site.url("/broken")].violations_20_aa == 3
    assert "color-contrast" in (pages[site.url("/broken")].violated_rules or "").split(", ")


def test_an_issue_shows_the_nodes_as_its_evidence(project: Path, site: Site) -> None:
    page = records(project)[site.url("/broken")]
    rule = RULES[AXE_RULES["aria-roles"].number]
    assert rule.evidence is not None
    with Reader(project) as reader:
        shown = rule.evidence.read(reader, rule.number, [page])
    assert shown == {page.id: (1, 'div[role="foo"]')}


def test_violations_are_exported_node_by_node(project: Path, site: Site, tmp_path: Path) -> None:
    selection = ExportSelection(VIEWS["accessibility_violations"])
    export(project, selection, tmp_path / "violations.csv")
    with (tmp_path / "violations.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["Rule"] == "aria-roles"]
    assert rows == [
        {
            "Address": site.url("/broken"),
            "Issue": "ARIA Roles Must Be Valid",
            "Guideline": "WCAG 2.0 A",
            "Impact": "Critical",
            "Nodes": "1",
            "Selector": 'div[role="foo"]',
            "Snippet": '<div role="foo">no role</div>',
            "Problem": "Role must be one of the valid ARIA roles: foo",
            "Rule": "aria-roles",
            "Help URL": "https://dequeuniversity.com/rules/axe/4.14/aria-roles",
        }
    ]


def test_the_tab_of_accessibility_counts_violations_by_guideline(
    project: Path, site: Site, tmp_path: Path
) -> None:
    export(project, ExportSelection(VIEWS["accessibility_all"]), tmp_path / "pages.csv")
    with (tmp_path / "pages.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["Address"]: row for row in csv.DictReader(file)}
    broken = rows[site.url("/broken")]
    assert broken["Accessibility"] == "Checked"
    assert int(broken["All Violations"]) >= len(BREAKS)
    assert broken["WCAG 2.0 AA Violations"] == "3"
    assert rows[site.url("/clean")]["All Violations"] == "0"
