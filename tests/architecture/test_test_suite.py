"""What holds for the tests themselves."""

import ast
import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from tests.architecture.checkout import ROOT, committed_files

TESTS: Final = [
    path
    for path in committed_files()
    if path.suffix == ".py" and path.relative_to(ROOT).parts[0] == "tests"
]
TEST_MODULES: Final = [path for path in TESTS if path.name.startswith("test_")]
CONSTANT: Final = re.compile(r"_?[A-Z][A-Z0-9_]+")

Function = ast.FunctionDef | ast.AsyncFunctionDef

FAIL_BY_OTHER_EXCEPTIONS: Final = {"test_any_bytes_are_parsed_or_refused"}
"""Tests that hold what a call raises at most."""

PATCHED_CONSTANTS: Final = {
    "BUSY_TIMEOUT_S": "SQLite waits in real time",
    "CHOSEN": "a project of thousands of pages would be needed",
    "CLOSE_LIMIT_S": "the window waits in real time",
    "DNS_CACHE_S": "aiohttp remembers in real time",
    "FAR_BEHIND": "an index of many megabytes would be needed",
    "HEAVY": "a project with words at hundreds of thousands of positions would be needed",
    "FEWEST": "a project of a million rows would be needed",
    "LEAST_PAGES": "a project of thousands of pages would be needed",
    "LEAST_SAMPLED": "a project of thousands of pages would be needed",
    "MOST_LISTS": "texts with hundreds of common prefixes would be needed",
    "LOOKED_UP": "a project of hundreds of pages would be needed",
    "LOOK_S": "the search indexer waits in real time",
    "MAX_BYTES": "a sitemap of 50 MB would be needed",
    "MAX_FOLLOWED": "a table of thousands of rows would be needed",
    "MAX_LINKS": "a project of millions of links would be needed",
    "MAX_ROWS": "more rows than a sheet holds would be needed",
    "MAX_TAB_BYTES": "a page would fill 2 GB of memory",
    "MAX_TEXTS": "a million texts would be needed",
    "MAX_URLS": "a sitemap of 50,000 URLs would be needed",
    "MERGE_STEPS": "an index of many megabytes would be needed",
    "MOST_AT_ONCE": "a project of a million rows would be needed",
    "MOST_LINKS": "a project of a million links would be needed",
    "MOST_RANKED": "a project of thousands of pages would be needed",
    "MOST_WAITING": "a project of a million links would be needed",
    "PAGES_AT_ONCE": "a project of many megabytes would be needed",
    "RANKED": "a project of thousands of pages would be needed",
    "PART": "a project of a million rows would be needed",
    "PER_PAGE": "a project of a million links would be needed",
    "REACH": "chains of thousands of redirects would be needed",
    "SEARCH_S": "an expression is searched for in real time",
    "SMALL_FILE": "a project of many megabytes would be needed",
    "WAIT_S": "the search indexer waits in real time",
    "_AT_ONCE": "tens of thousands of rows would be needed",
    "_FEW_LINKS": "a project of millions of links would be needed",
    "_MERGED": "an index of many megabytes would be needed",
    "_MOUNTS": "only root can mount",
    "_REPORTED_EVERY": "tens of thousands of rows would be needed",
    "_STREAMED": "tens of thousands of rows would be needed",
}
"""Constants that tests patch, and why: nothing but a test would give another as an argument."""


class Told(NamedTuple):
    """What a function calls, by last names, and whether it can fail by itself."""

    name: str
    called: frozenset[str]
    can_fail: bool


class Facts(NamedTuple):
    """What is asked of a module: its syntax tree is large, and searched for garbage while kept."""

    imported: tuple[str, ...]
    functions: tuple[Told, ...]
    patched: frozenset[str]


@cache
def facts_of(path: Path) -> Facts:
    """What the tests below want to know of a module."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return Facts(
        tuple(each.module or "" for each in nodes if isinstance(each, ast.ImportFrom)),
        tuple(told_of(each) for each in nodes if isinstance(each, Function)),
        frozenset(chain.from_iterable(patched_by(each) for each in nodes)),
    )


def told_of(function: Function) -> Told:
    """It can fail by itself if it asserts, raises or expects an exception or a signal."""
    nodes = list(ast.walk(function))
    funcs = [node.func for node in nodes if isinstance(node, ast.Call)]
    methods = {each.attr for each in funcs if isinstance(each, ast.Attribute)}
    called = methods | {each.id for each in funcs if isinstance(each, ast.Name)}
    can_fail = bool(called & {"raises", "warns", "fail", "waitUntil", "waitSignal"})
    can_fail = can_fail or any(isinstance(node, ast.Assert | ast.Raise) for node in nodes)
    return Told(function.name, frozenset(called), can_fail)


def patched_by(node: ast.AST) -> set[str]:
    """The constants that a call of `setattr` gives another value."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return set()
    if node.func.attr != "setattr":
        return set()
    names = (each.value for each in node.args[:2] if isinstance(each, ast.Constant))
    last = {str(name).rpartition(".")[2] for name in names}
    return set(filter(CONSTANT.fullmatch, last))


def test_no_helper_is_imported_from_a_test_module() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in TESTS
        for module in facts_of(path).imported
        if any(part.startswith("test_") for part in module.split("."))
    ]
    assert found == []


def test_every_test_asserts_something_by_itself_or_through_a_helper() -> None:
    functions = [each for path in TESTS for each in facts_of(path).functions]
    asserting = {each.name for each in functions if each.can_fail}
    while True:
        further = {each.name for each in functions if each.called & asserting} - asserting
        if not further:
            break
        asserting |= further
    tests = {
        each.name
        for path in TEST_MODULES
        for each in facts_of(path).functions
        if each.name.startswith("test_")
    }
    assert tests - asserting == FAIL_BY_OTHER_EXCEPTIONS


def test_constants_are_patched_only_for_the_listed_reasons() -> None:
    patched = {name for path in TESTS for name in facts_of(path).patched}
    assert patched == PATCHED_CONSTANTS.keys()
