"""Possessive repetitions of groups, as in `(?:ab?c|)*+`, mean the same to every Python.

Up to 3.11.4, Python does not take back what the last attempt, which fails, had matched already:
`(?:ab?c)*+` matches the whole of "abca" (CPython's issue 106052; Debian 12 has 3.11.2). An attempt
that may be empty does not fail. Groups that capture raise SystemError there, in all of 3.11
(issue 101955). `(?>(?:…)*)` means the same, is right everywhere, and takes longer.
"""

import re
import sys

import pytest

from tests.architecture.checkout import ROOT

GROUP_REPEATED = re.compile(r"(?<![|(])\)[*?]\+|(?<!\()\)(?:\+|\{[\d,]*\})\+")
"""A possessive repetition of a group whose last alternative is not the empty one.

`()*+` stands in lists of characters."""
CAPTURED = re.compile(r"\((?!\?[:=!>(])(?:[^()\\]|\\.)*\|\)[*?]\+")


def wrong(source: str) -> list[str]:
    """The lines of a module that have such a repetition."""
    lines = source.splitlines()
    return [line for line in lines if GROUP_REPEATED.search(line) or CAPTURED.search(line)]


@pytest.mark.parametrize("folder", ["app", "packaging", "tests/sites", "tests/fakes"])
def test_groups_that_are_repeated_possessively_end_with_an_empty_alternative(folder: str) -> None:
    """They match the same with every Python that Gossamer runs on."""
    modules = sorted((ROOT / folder).rglob("*.py"))
    assert modules
    found = {str(path.relative_to(ROOT)): wrong(path.read_text("utf-8")) for path in modules}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "pattern",
    ["(?:ab?c)*+", "(?:a|b(?!c))?+", "(?:ab?c)++", "(?:ab?c|){2,}+", "(a|)*+", "(?P<x>a|)*+"],
)
def test_other_repetitions_are_found(pattern: str) -> None:
    """In each spelling."""
    assert wrong(f'    re.compile(r"{pattern}")') != []


@pytest.mark.parametrize(
    "pattern", ["(?:ab?c|)*+", "(?>(?:ab?c)*)", "(?:ab?c|)?+", "[ab]++", "!()*+,"]
)
def test_what_every_python_obeys_is_left_alone(pattern: str) -> None:
    """An empty alternative, an atomic group, a class of characters, a list of them."""
    assert wrong(f'    re.compile(r"{pattern}")') == []


def test_what_the_rule_is_for() -> None:
    """With the empty alternative, this Python is right; without, 3.11.5 and later are."""
    assert re.match(r"(?:ab?c|)*+", "abca")[0] == "abc"  # type: ignore[index] # it matches
    if sys.version_info >= (3, 11, 5):
        assert re.match(r"(?:ab?c)*+", "abca")[0] == "abc"  # type: ignore[index] # it matches
