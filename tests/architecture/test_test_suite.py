"""What holds for the tests themselves."""

import ast
import re
from functools import cache
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
EXPECTING: Final = frozenset({"raises", "warns", "fail", "waitUntil", "waitSignal"})
LEAVES: Final = (ast.Constant, ast.Name, ast.expr_context, ast.operator, ast.cmpop, ast.alias)

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
    "MAX_POPUPS": "a page would open twenty windows",
    "MAX_RESOURCES": "a page would make hundreds of requests",
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
    imported: list[str] = []
    functions: list[Told] = []
    patched: set[str] = set()
    told_below(ast.parse(path.read_text(encoding="utf-8")), imported, functions, patched)
    return Facts(tuple(imported), tuple(functions), frozenset(patched))


def told_below(
    node: ast.AST, imported: list[str], functions: list[Told], patched: set[str]
) -> tuple[set[str], bool]:
    """Add what a node and all within tell; what they call, and whether they can fail by themselves.

    That they do if they assert, raise or expect an exception or a signal. Each node is looked at
    once, and what cannot contain a statement or call is left out: `ast.walk` takes twice as long.
    """
    called: set[str] = set()
    can_fail = isinstance(node, ast.Assert | ast.Raise)
    if isinstance(node, ast.Call):
        func = node.func
        if isinstance(func, ast.Attribute | ast.Name):
            called.add(func.attr if isinstance(func, ast.Attribute) else func.id)
        can_fail = bool(called & EXPECTING)
        patched |= patched_by(node)
    elif isinstance(node, ast.ImportFrom):
        imported.append(node.module or "")
    for field in node._fields:
        value = getattr(node, field, None)
        for each in value if isinstance(value, list) else (value,):
            if isinstance(each, ast.AST) and not isinstance(each, LEAVES):
                called_there, can_fail_there = told_below(each, imported, functions, patched)
                called |= called_there
                can_fail = can_fail or can_fail_there
    if isinstance(node, Function):
        functions.append(Told(node.name, frozenset(called), can_fail))
    return called, can_fail


def patched_by(node: ast.Call) -> set[str]:
    """The constants that a call of `setattr` gives another value."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "setattr":
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
