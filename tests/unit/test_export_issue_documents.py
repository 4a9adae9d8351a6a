"""Issues as documents for machines: JUnit XML and SARIF."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rules import page_titles, pagination
from gossamer.audit.site_rule import AccessibilityCheck, SiteRule
from gossamer.export.issue_views import FoundIssue
from gossamer.export.junit_report import ListedIssue, junit_xml
from gossamer.export.sarif_report import MOST_RESULTS, path_of, sarif_json, shares
from gossamer.model.axe_rules import AXE_RULES, AccessibilityLevel, Guideline
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from tests.cases import each_case
from tests.fakes.report_shapes import junit_suites, sarif_log

SETTINGS = CrawlSettings(roots=("a.test",), title_max_length=50)


def listed(rule: SiteRule, urls: int, *examples: str) -> ListedIssue:
    return ListedIssue(FoundIssue(rule, rule.full_name(SETTINGS), urls, 12.5), examples)


def test_a_rule_is_a_test_case_that_fails_if_it_is_to() -> None:
    long = listed(page_titles.TOO_LONG, 3, "http://a.test/<&>\x00")
    counted = listed(pagination.CONTAINS_PAGINATION, 1, "http://a.test/")
    document = junit_xml(
        [long, counted], SETTINGS, "a", lambda issue: issue.rule is page_titles.TOO_LONG
    )
    root = junit_suites(document)
    suites = {suite.get("name"): suite for suite in root}
    titles = suites["Page Titles"]
    assert (titles.get("failures"), root.get("failures")) == ("1", "1")
    (failed,) = [case for case in titles if case.find("failure") is not None]
    assert failed.get("name") == "Over 50 Characters"
    (failure,) = failed
    assert failure.get("message") == "3 URLs (12.5 %)"
    assert (failure.text or "").splitlines()[-2:] == ["http://a.test/<&>\ufffd", "and 2 more"]
    (other,) = [case for case in suites["Pagination"] if len(case)]
    assert [each.tag for each in other] == ["system-out"]


def test_rules_that_were_not_decided_have_not_passed() -> None:
    rendered = replace(SETTINGS, render=RenderMode.ON, accessibility=AccessibilityLevel.A)
    assert "Page Titles: Missing" in passed(SETTINGS)
    rules = {rule.full_name(SETTINGS): rule for rule in RULES.values()}
    level_a = {name for name, rule in rules.items() if is_axe_rule(rule, Guideline.A_20)}
    level_aaa = {name for name, rule in rules.items() if is_axe_rule(rule, Guideline.AAA_20)}
    assert len(level_a) > 30
    assert level_aaa
    assert passed(SETTINGS).isdisjoint({*level_a, *level_aaa})
    assert level_a <= passed(rendered)
    assert passed(rendered).isdisjoint(level_aaa)
    assert "JavaScript: H1 Updated by JavaScript" in passed(rendered) - passed(SETTINGS)


def is_axe_rule(rule: SiteRule, guideline: Guideline) -> bool:
    return (
        isinstance(rule.decision, AccessibilityCheck)
        and AXE_RULES[rule.decision.axe_id].guideline is guideline
    )


def passed(settings: CrawlSettings) -> set[str]:
    """The names of the rules that have passed where nothing was found."""
    root = junit_suites(junit_xml([], settings, "a", everything))
    return {f"{case.get('classname')}: {case.get('name')}" for case in root.iter("testcase")}


def sarif_run(*issues: ListedIssue) -> dict[str, Any]:
    """The one run of the document, which is as the standard and code hosts want it."""
    document = sarif_json(issues, SETTINGS)
    sarif_log(document)
    run: dict[str, Any]
    (run,) = json.loads(document)["runs"]
    return run


STRANGE_URLS = (
    "http://a.test/",
    "https://a.test:8443/b c/%zz?x=<&>\"'#{}|[1]",
    "http://ünï.test/\u2028\U0001f600",
    "https://user@a.test//b//?",
    "mailto:a@a.test",
)


def everything(_: FoundIssue) -> bool:
    return True


def nothing(_: FoundIssue) -> bool:
    return False


def test_all_rules_make_documents_that_machines_read() -> None:
    issues = [listed(rule, 7, *STRANGE_URLS) for rule in RULES.values()]
    ignored = [each._replace(ignored=reason) for each in issues for reason in ("", "It is meant.")]
    for some in (issues, [ignored[0], ignored[3]], []):
        (run,) = sarif_log(sarif_json(some, SETTINGS)).runs
        assert len(run.results) == len(some) * len(STRANGE_URLS)
        for fails in (everything, nothing):
            junit_suites(junit_xml(some, SETTINGS, "a & b", fails))
    reasons = dict.fromkeys(RULES, "It is meant.\x00") | {page_titles.MISSING.number: ""}
    root = junit_suites(junit_xml([], SETTINGS, "a", lambda _: True, reasons))
    assert root.find(".//skipped") is not None


def test_texts_are_in_junit_xml_as_they_are_where_xml_can_hold_them() -> None:
    reasons = {next(iter(RULES)): "like _x0041_ \x01"}
    root = junit_suites(junit_xml([], SETTINGS, "a\udcff\x02", lambda _: True, reasons))
    assert root.get("name") == "Gossamer audit of a\ufffd\ufffd"
    skipped = root.find(".//skipped")
    assert skipped is not None
    assert skipped.get("message") == "ignored: like _x0041_ \ufffd"


def test_a_document_that_is_not_in_shape_is_told_from_one_that_is() -> None:
    good = sarif_json([listed(page_titles.MISSING, 1, "http://a.test/")], SETTINGS)
    for wanted, instead in (
        (b'"ruleIndex": 0', b'"ruleIndex": -1'),
        (b'"startLine": 1', b'"startLine": 0'),
        (b'"level": "error"', b'"level": "fatal"'),
        (b'"uri": "a.test"', b'"uri": "http://a.test"'),
        (b'"columnKind"', b'"columnkind"'),
    ):
        assert wanted in good
        with pytest.raises(ValueError, match=r"Invalid|unknown|Expected"):
            sarif_log(good.replace(wanted, instead, 1))
    junit = junit_xml([], SETTINGS, "a", lambda _: True)
    for wanted, instead in ((b'failures="0"', b'failures="1"'), (b'time="0"', b'seconds="0"')):
        with pytest.raises(ValueError, match=r"counts|has"):
            junit_suites(junit.replace(wanted, instead, 1))


def test_sarif_has_a_result_for_each_url_that_names_its_rule() -> None:
    missing = listed(page_titles.MISSING, 2, "http://a.test/", "http://a.test/b")
    long = listed(page_titles.TOO_LONG, 1, "http://a.test/c")
    run = sarif_run(missing, long)
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["page-titles-missing", "page-titles-over-characters"]
    assert [rule["defaultConfiguration"]["level"] for rule in rules] == ["error", "warning"]
    assert [result["properties"]["url"] for result in run["results"]] == [
        *("http://a.test/", "http://a.test/b", "http://a.test/c"),
    ]
    assert run["invocations"] == [{"executionSuccessful": True}]


@each_case(
    ("url", "path"),
    [
        ("https://a.test/", "a.test"),
        ("https://a.test/b/", "a.test/b"),
        ("http://127.0.0.1:8000/b?c=d", "127.0.0.1%3A8000/b%3Fc=d"),
        ("http://[::1]/a", "%5B%3A%3A1%5D/a"),
        ("https://a.test/100%?x=[1|2]", "a.test/100%25%3Fx=%5B1%7C2%5D"),
        ("https://a.test/%C3%BC", "a.test/%C3%BC"),
    ],
)
def test_a_code_host_takes_any_url_for_the_path_of_a_file(url: str, path: str) -> None:
    assert path_of(url) == path
    (result,) = sarif_run(listed(page_titles.MISSING, 1, url))["results"]
    assert result["properties"]["url"] == url


def test_the_fingerprint_of_a_result_keeps_and_is_its_own() -> None:
    def fingerprints() -> list[str]:
        results = sarif_run(
            listed(page_titles.MISSING, 2, "http://a.test/a", "http://a.test/a/"),
            listed(page_titles.TOO_LONG, 1, "http://a.test/a"),
        )["results"]
        return [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]

    assert fingerprints() == fingerprints()
    assert len(set(fingerprints())) == 3


@each_case(
    ("counts", "found"),
    [
        ([], []),
        ([3, 4], [3, 4]),
        ([20, 1, 20], [6, 1, 3]),
        ([20, 20, 20], [4, 3, 3]),
        ([1, 2, 100], [1, 2, 7]),
    ],
)
def test_each_issue_has_its_share_of_what_a_file_may_list(
    counts: list[int], found: list[int]
) -> None:
    assert shares(counts, 10) == found


def test_what_looks_like_markup_in_an_explanation_is_shown_as_it_is() -> None:
    outside = listed(page_titles.OUTSIDE_HEAD, 1, "http://a.test/")
    (rule,) = sarif_run(outside)["tool"]["driver"]["rules"]
    assert "<head>" in rule["help"]["text"]
    assert "\\<head\\>" in rule["help"]["markdown"]
    assert " <head>" not in rule["help"]["markdown"]


def test_what_is_not_listed_is_told() -> None:
    run = sarif_run(listed(page_titles.MISSING, MOST_RESULTS + 5, "http://a.test/"))
    ((notification,),) = [each["toolExecutionNotifications"] for each in run["invocations"]]
    assert notification["message"]["text"].startswith("25,004 more URLs")
