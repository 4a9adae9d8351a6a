"""Issues as documents for machines: JUnit XML and SARIF."""

import json
from xml.etree import ElementTree as ET

from gossamer.audit.rules import page_titles, pagination
from gossamer.audit.site_rule import SiteRule
from gossamer.export.issue_views import FoundIssue
from gossamer.export.junit_report import ListedIssue, junit_xml
from gossamer.export.sarif_report import MOST_RESULTS, sarif_json
from gossamer.model.settings.crawl_settings import CrawlSettings

SETTINGS = CrawlSettings(roots=("a.test",), title_max_length=50)


def listed(rule: SiteRule, urls: int, *examples: str) -> ListedIssue:
    return ListedIssue(FoundIssue(rule, rule.full_name(SETTINGS), urls, 12.5), examples)


def test_a_rule_is_a_test_case_that_fails_if_it_is_to() -> None:
    long = listed(page_titles.TOO_LONG, 3, "http://a.test/<&>\x00")
    counted = listed(pagination.CONTAINS_PAGINATION, 1, "http://a.test/")
    document = junit_xml(
        [long, counted], SETTINGS, "a", lambda issue: issue.rule is page_titles.TOO_LONG
    )
    root = ET.fromstring(document)  # noqa: S314 - our own document
    assert root.tag == "testsuites"
    suites = {suite.get("name"): suite for suite in root}
    titles = suites["Page Titles"]
    assert (titles.get("failures"), root.get("failures")) == ("1", "1")
    assert int(titles.get("tests", "")) == len(titles)
    assert int(root.get("tests", "")) == sum(len(suite) for suite in root)
    (failed,) = [case for case in titles if case.find("failure") is not None]
    assert failed.get("name") == "Over 50 Characters"
    (failure,) = failed
    assert failure.get("message") == "3 URLs (12.5 %)"
    assert (failure.text or "").splitlines()[-2:] == ["http://a.test/<&>\ufffd", "and 2 more"]
    (other,) = [case for case in suites["Pagination"] if len(case)]
    assert [each.tag for each in other] == ["system-out"]


def test_sarif_has_a_result_for_each_url_that_names_its_rule() -> None:
    missing = listed(page_titles.MISSING, 2, "http://a.test/", "http://a.test/b")
    long = listed(page_titles.TOO_LONG, 1, "http://a.test/c")
    document = json.loads(sarif_json([missing, long], SETTINGS))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["page-titles-missing", "page-titles-over-characters"]
    assert [rule["defaultConfiguration"]["level"] for rule in rules] == ["error", "warning"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
    places = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in run["results"]
    ]
    assert places == ["http://a.test/", "http://a.test/b", "http://a.test/c"]


def test_sarif_has_no_more_results_than_code_hosts_take() -> None:
    many = listed(page_titles.MISSING, MOST_RESULTS + 5, *["http://a.test/"] * (MOST_RESULTS + 5))
    (run,) = json.loads(sarif_json([many], SETTINGS))["runs"]
    assert len(run["results"]) == MOST_RESULTS
