"""Expressions that people type find what they say, or end."""

import pytest

from gossamer.model.errors import UsageError
from gossamer.urls import regex_search as table_regex
from gossamer.urls.regex_search import Expression, SlowExpressionError, check_expression
from tests.cases import each_case


@each_case(
    ("pattern", "text", "found"),
    [
        (r"/a/\d+$", "https://example.com/A/12", True),
        (r"/a/\d+$", "https://example.com/a/12/", False),
        ("^https", "https://example.com/", True),
        ("x", None, False),
        ("x", "", False),
        ("ß", "STRASSE ß", True),
    ],
)
def test_matching_texts(pattern: str, text: str | None, found: bool) -> None:
    assert Expression(pattern).found_in(text) is found


@each_case("pattern", ["(", "[a", "*", "a{2,1}", "(?P<n>a)(?P=m)", "x" * 1_001])
def test_an_invalid_regex_is_reported_in_one_sentence(pattern: str) -> None:
    with pytest.raises(UsageError, match=r"^[^\n]*\.$"):
        check_expression(pattern)


def test_an_endless_regex_is_aborted() -> None:
    with pytest.raises(SlowExpressionError, match="takes too long"):
        Expression("(a|aa)+$").found_in("a" * 300 + "!")


def test_matching_many_texts_is_aborted_together() -> None:
    now = [100.0]
    expression = Expression("x", clock=lambda: now[0])
    assert expression.found_in("x")
    now[0] += table_regex.ALL_S
    assert expression.found_in("x")
    now[0] += 0.001
    with pytest.raises(SlowExpressionError):
        expression.found_in("x")


@pytest.mark.parametrize(
    "pattern", ["x*x*x*x*x*x*x*y", "(x|xx)" * 100 + "y", "(x|xx)*y", "(x?)" * 60]
)
def test_possibly_slow_patterns_are_watched(pattern: str) -> None:
    assert not table_regex._is_quick(pattern)  # noqa: SLF001 - what it takes cannot be waited for


@each_case("pattern", ["/blog/", r"\.html?$", "a.*z", "one|two|three", "[0-9]+$"])
def test_fast_patterns_are_not_watched(pattern: str) -> None:
    assert table_regex._is_quick(pattern)  # noqa: SLF001 - it is only quicker
    assert Expression(pattern).found_in("x" * 20_000) is False
