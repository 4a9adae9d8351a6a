"""--fail-on: which crawls end with a code of their own."""

import pytest

from gossamer.audit.rules import h1, h2, page_titles
from gossamer.cli.fail_on import FailThreshold, bounds_of, exceeded
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.cases import each_case

PROGRESS = Progress(
    CrawlState.FINISHED,
    seconds=1.0,
    errors=3,
    redirects=2,
    outcomes={Outcome.CLIENT_ERROR: 3, Outcome.REDIRECT: 2},
)


def test_totals_and_outcomes_can_be_bounded() -> None:
    assert bounds_of(["errors", "Client-Error:10", "redirects: 2"]) == (
        FailThreshold("errors"),
        FailThreshold("client_error", 10),
        FailThreshold("redirects", 2),
    )


@each_case("text", ["", "pages", "errors:", "errors:-1", "errors:x", "404", ":3"])
def test_an_invalid_bound_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="--fail-on"):
        bounds_of([text])


@each_case(
    ("text", "fails"),
    [
        ("errors", True),
        ("errors:2", True),
        ("errors:3", False),
        ("skipped", False),
        ("client_error", True),
        ("server_error", False),
        ("redirect:1", True),
    ],
)
def test_a_count_over_its_bound_fails(text: str, *, fails: bool) -> None:
    assert bool(exceeded(bounds_of([text]), PROGRESS)) == fails


def test_each_exceeded_bound_is_reported() -> None:
    found = exceeded(bounds_of(["errors:1", "redirects:9", "client_error"]), PROGRESS)
    assert found == [
        "--fail-on errors: 3 found, 1 allowed.",
        "--fail-on client_error: 3 found, 0 allowed.",
    ]


def test_issues_are_bounded_by_priority_and_by_name() -> None:
    settings = CrawlSettings(roots=(), title_max_length=50)
    high, long, usual = bounds_of(
        ["high:1", "page titles: over 50 characters", "Page Titles: Over 60 Characters:3"], settings
    )
    assert (high, high.is_of_issues) == (FailThreshold("high", 1), True)
    assert (long.rule, long.most) == (usual.rule, 0)
    assert usual.most == 3
    assert not bounds_of(["errors"])[0].is_of_issues


@each_case(
    ("text", "fails"),
    [
        ("high", True),
        ("high:1", False),
        ("medium:1", True),
        ("low:3", False),
        ("H1: Missing:4", True),
        ("H1: Missing:5", False),
        ("H1: Duplicate", False),
        ("h1-missing", True),
        ("h1_missing:5", False),
    ],
)
def test_issues_over_a_bound_fail(text: str, *, fails: bool) -> None:
    issues = {page_titles.MISSING.number: 2, h1.MISSING.number: 5, h2.MISSING.number: 9}
    assert bool(exceeded(bounds_of([text]), PROGRESS, issues)) == fails


def test_issues_of_rules_of_another_version_do_not_count() -> None:
    assert not exceeded(bounds_of(["low"]), PROGRESS, {99_999: 3})


def test_an_unknown_issue_is_answered_with_similar_names() -> None:
    with pytest.raises(UsageError, match=r"did you mean H1: Missing, .* or "):
        bounds_of(["H1: Mising"])
