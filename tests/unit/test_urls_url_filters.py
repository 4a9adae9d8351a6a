import re

import pytest

from gossamer.model.errors import UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.urls import url_filters
from gossamer.urls.scope_and_limits import Scope
from gossamer.urls.url_filters import compile_search
from tests.cases import each_case


@each_case(
    "pattern",
    [
        r"(a+)+$",
        r"(a*)*b",
        r"(a|a)*$",
        r"(a|aa)+$",
        r"^(\w+\s?)*$",
        r"(.*/)*$",
        r"^https?://(.*)*$",
        r"(x+x+)+y",
        r"([a-z]{2,10})+\d",
        r"^(([a-z])+.)+[A-Z]([a-z])+$",
        r"(.*)*\.pdf$",
        r"(?:\d+|\w+)*!",
        r"(a?b?)*c",
        r"((ab)*c?)*d",
        r"((a?)?b)*$",
        r"(?:(?:|)b)*$",
        r"(\d+)*\b",
        r"(a+?)+?$",
        r"(a+)+(?=b)",
        r"((a|b)+|c)*d",
        r"(([^/]|%2F)+/)*x",
        r"(?i:(ax|A[x-z])*)b",
        r"(?>(a+)+)b",
        r"(?P<x>(\D|[^/])*)#",
        r"^https?://(?!(\w+\.?)+/ok$)",
        r"(?=(a+)+$)b",
        r"(?:(?!x)a+)+$",
        r"(a+\B)+$",
        r"(?:a|\b-|-)*$",
        r"(\w+)(\1+)+$",
        r"(x*)(a+\1)+$",
        r"(?:(?:(?:a?){8}){8}){8}b",
        r"(?:a?){30}b",
        r"((a?){8})*b",
        r"([a-z]{2,3})*$",
        "x" * 1_100 + r"|(a+)+$",
        "y" * 1_100 + r"(a+)+$",
    ],
)
def test_a_pattern_that_could_run_for_ever_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match="could take forever"):
        compile_search(pattern)


@each_case(
    ("pattern", "url"),
    [
        (r"", "https://example.com/"),
        (r"/docs/", "https://example.com/docs/a"),
        (r"\.pdf$", "https://example.com/a.pdf"),
        (r"[?&]sort=", "https://example.com/?sort=up"),
        (r"^https://example\.com/(\w+/)+$", "https://example.com/a/b/"),
        (r"(/[^/]+)+\.html$", "https://example.com/a/b.html"),
        (r"(?:[\w-]+\.)+com/", "https://a.b.example.com/"),
        (r"^https?://[^/]+/\d{4}/\d{2}/", "https://example.com/2024/05/x"),
        (r"(e+)+", "https://example.com/"),
        (r".*\.(jpg|png|gif)$", "https://example.com/a.png"),
        (r"(\d{1,3}\.){3}\d{1,3}/$", "http://127.0.0.1/"),
        (r"(foo|bar|baz)*$", "https://example.com/foobar"),
        (r"(\w{1,3}){2}$", "https://example.com/abc"),
        (r"(?i)\.(PDF|zip)$", "https://example.com/a.Zip"),
        (r"^(?!.*(?:logout|cart)).*$", "https://example.com/a"),
        (r"/(en|de)(/|$)", "https://example.com/de"),
        (r"(?:page=\d+&?)+$", "https://example.com/?page=1&page=2"),
        (r"([^?]*)\?(.*)$", "https://example.com/?a"),
        (r"(p)\1", "https://example.com/app"),
        (r"(a)?(?(1)b|m)", "https://example.com/"),
        (r"(?:/[a-z]+){2,}$", "https://example.com/a/b"),
        (r"(/[\w.-]*)*$", "https://example.com/a//b"),
        (r"(?<!x)y$", "https://example.com/y"),
        (r"\S+[^\s\d]$", "https://example.com/y"),
        (r"^(?!(?:.*/)?private/)", "https://example.com/y"),
        (r"(?=(e+)+)e", "https://example.com/y"),
        (r"(/[^/]+)\1{2,}$", "https://example.com/a/a/a"),
        (r".*(/[^/]+)/[^/]+\1/[^/]+\1/", "https://example.com/a/b/a/c/a/"),
        (r"(.+)\1+$", "https://example.com/aa"),
        (r"(?:[0-9a-f]{2})+$", "https://example.com/0a"),
        (r"^(?:(?!/tag/).)*+$", "https://example.com/y"),
        ("/(" + "|".join(f"word{n}" for n in range(2_000)) + ")/", "https://example.com/word7/"),
        ("(" + "|".join(f"word{n}" for n in range(400)) + ")*$", "https://example.com/word1word2"),
    ],
)
def test_common_patterns_are_accepted(pattern: str, url: str) -> None:
    assert compile_search(pattern)(url)


LONG = "https://example.com/" + "foo" * 2_700
"""On which three repetitions in a row could be tried for days."""


@each_case(
    ("pattern", "decided"),
    [
        (r".*foo.*bar", False),
        (r".*foo.*bar.*baz", False),
        (r".*f.*(foo)*$", True),
        (r"(f.*)o.*o.*foo$", True),
    ],
)
def test_a_long_url_is_searched_in_time(pattern: str, decided: bool) -> None:
    for undecided in (False, True):
        assert bool(compile_search(pattern, undecided=undecided)(LONG)) is decided


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search has so little time that it is given up soon."""
    monkeypatch.setattr(url_filters, "SEARCH_S", 0.02)


@pytest.mark.usefixtures("hasty")
@each_case("pattern", [r"(f.*)o.*x.*y", r"(?:f.*){3}y"])
def test_a_search_that_takes_too_long_is_given_up(pattern: str) -> None:
    for undecided in (False, True):
        assert compile_search(pattern, undecided=undecided)(LONG) is undecided


@pytest.mark.usefixtures("hasty")
def test_a_url_that_a_pattern_cannot_decide_on_is_not_fetched() -> None:
    slow = r"(f.*)o.*x.*y"
    for settings, refusal in (
        (CrawlSettings(roots=("example.com",), exclude=(slow,)), Outcome.EXCLUDED),
        (CrawlSettings(roots=("example.com",), include=(slow,)), Outcome.NOT_INCLUDED),
    ):
        scope = Scope(settings)
        assert scope.refusal(LONG) is refusal
        assert scope.refusal("https://example.com/foxy") is (
            Outcome.EXCLUDED if settings.exclude else None
        )


@each_case(
    ("pattern", "url"),
    [
        (".*a|b", "https://example.com/b"),
        (".*?m/$", "https://example.com/"),
        (".*+", "https://example.com/"),
        (".*", "https://example.com/"),
        (".*.*.*m/$", "https://example.com/"),
        (".*(?<=m)/", "https://example.com/"),
        ("(?i).*COM", "https://example.com/"),
    ],
)
def test_what_a_pattern_begins_with_does_not_change_what_it_finds(pattern: str, url: str) -> None:
    assert compile_search(pattern)(url)
    assert bool(compile_search(pattern)("x")) is (re.search(pattern, "x") is not None)


@each_case("pattern", ["(", "[", "*a", "(?P<1>x)", "a{99999999999}", "(" * 5000 + ")" * 5000])
def test_an_invalid_regex_is_refused_in_one_sentence(pattern: str) -> None:
    settings = CrawlSettings(roots=("example.com",), exclude=(pattern,))
    for check in (lambda: compile_search(pattern), settings.checked):
        with pytest.raises(UsageError, match="is not a regular expression") as caught:
            check()
        assert len(str(caught.value)) < 400


@each_case(
    "pattern",
    [
        "a?" * 3_000,
        "((" + "|".join(f"{number}a" for number in range(900)) + ")?){8}b",
        "(?:" * 80 + "|".join(f"{number}a" for number in range(2_000)) + "|b)" * 80,
    ],
)
def test_a_pattern_that_would_take_long_to_check_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match="is too long to check"):
        compile_search(pattern)


def test_a_crawl_with_an_unbounded_pattern_does_not_start() -> None:
    with pytest.raises(UsageError, match="could take forever"):
        Scope(CrawlSettings(roots=("example.com",), exclude=("(a+)+$",)))
