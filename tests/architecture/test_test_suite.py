"""What holds for the tests themselves."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

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
    "CLOSE_LIMIT_S": "the window waits in real time",
    "DNS_CACHE_S": "aiohttp remembers in real time",
    "FEWEST": "a project of a million rows would be needed",
    "LOOK_S": "the search indexer waits in real time",
    "MAX_BYTES": "a sitemap of 50 MB would be needed",
    "MAX_LINKS": "a project of millions of links would be needed",
    "MAX_ROWS": "more rows than a sheet holds would be needed",
    "MAX_TEXTS": "a million texts would be needed",
    "MAX_URLS": "a sitemap of 50,000 URLs would be needed",
    "MERGE_STEPS": "an index of many megabytes would be needed",
    "MOST_AT_ONCE": "a project of a million rows would be needed",
    "MOST_LINKS": "a project of a million links would be needed",
    "MOST_WAITING": "a project of a million links would be needed",
    "PAGES_AT_ONCE": "a project of many megabytes would be needed",
    "RANKED": "a project of thousands of pages would be needed",
    "PART": "a project of a million rows would be needed",
    "PER_PAGE": "a project of a million links would be needed",
    "REACH": "chains of thousands of redirects would be needed",
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


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def functions_in(tree: ast.AST) -> Iterator[Function]:
    """All functions, also those in classes and in other functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def called_in(function: Function) -> set[str]:
    """The last names of all that the function calls."""
    called = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    methods = {each.attr for each in called if isinstance(each, ast.Attribute)}
    return methods | {each.id for each in called if isinstance(each, ast.Name)}


def asserts(function: Function) -> bool:
    """Whether it can fail by itself: it asserts, raises or expects an exception or a signal."""
    return bool(
        called_in(function) & {"raises", "warns", "fail", "waitUntil", "waitSignal"}
    ) or any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(function))


def test_no_helper_is_imported_from_a_test_module() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {node.module}"
        for path in TESTS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom)
        and any(part.startswith("test_") for part in (node.module or "").split("."))
    ]
    assert found == []


def test_every_test_asserts_something_by_itself_or_through_a_helper() -> None:
    functions = [each for path in TESTS for each in functions_in(tree_of(path))]
    asserting = {each.name for each in functions if asserts(each)}
    called = [(each.name, called_in(each)) for each in functions]
    while True:
        further = {name for name, others in called if others & asserting} - asserting
        if not further:
            break
        asserting |= further
    tests = {
        each.name
        for path in TEST_MODULES
        for each in functions_in(tree_of(path))
        if each.name.startswith("test_")
    }
    assert tests - asserting == FAIL_BY_OTHER_EXCEPTIONS


def test_constants_are_patched_only_for_the_listed_reasons() -> None:
    patched = set()
    for path in TESTS:
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr == "setattr":
                names = (each.value for each in node.args[:2] if isinstance(each, ast.Constant))
                last = {str(name).rpartition(".")[2] for name in names}
                patched |= set(filter(CONSTANT.fullmatch, last))
    assert patched == PATCHED_CONSTANTS.keys()
