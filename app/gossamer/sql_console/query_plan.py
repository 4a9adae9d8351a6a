"""Describes how SQLite finds the result of a query, which steps take long, and what helps.

See https://www.sqlite.org/eqp.html.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from gossamer.model.translatable import Sentence, Translatable, said

_ALIASES: Final = {
    "u": "url",
    "v": "visit",
    "n": "inlink_count",
    "a": "url_audit",
    "r": "rendering",
    "l": "link",
    "s": "url",
    "sv": "visit",
    "i": "inlink",
    "o": "issue",
    "nd": "url",
    "dp": "url",
    "fu": "url",
    "fv": "visit",
    "w": "unindexed_source",
}
_READERS_WORDS: Final[dict[str, Sentence]] = {
    "url": "the URLs",
    "url_key": "the URLs",
    "visit": "the responses of servers",
    "inlink_count": "the counts of inlinks",
    "url_audit": "the figures of the audit",
    "rendering": "the rendered pages",
    "link": "the links",
    "inlink": "the links by where they lead",
    "unindexed_source": "the newest links",
    "issue": "the issues",
    "ignored_issue": "the ignored issues",
    "issue_rule": "the names of issues",
    "text": "the texts",
    "folder": "the folders",
    "host": "the hosts",
}
_LARGE: Final = frozenset({"link", "inlink"})
_SOME: Final = frozenset({"url", "visit", "inlink_count", "url_audit", "rendering", "issue"})
_SCAN: Final = re.compile(r"SCAN (?:TABLE )?(?P<table>\S+)(?: AS \S+)?(?P<index> USING .*)?")
_SEARCH: Final = re.compile(r"SEARCH (?:TABLE )?(?P<table>\S+)(?: AS \S+)? USING (?P<how>.*)")
_SORT: Final = re.compile(r"USE TEMP B-TREE FOR (?P<what>.*)")
_MADE: Final = re.compile(r"(?P<way>CO-ROUTINE|MATERIALIZE) (?P<name>.*)")
_UNION: Final = re.compile(r"(?:MERGE \()?(?P<how>UNION ALL|UNION|INTERSECT|EXCEPT)\b.*")
_COLUMN: Final = re.compile(r"(?:[\w.]+\.)?(\w+)\s*[=<>]")
_IDS: Final = frozenset({"rowid", "id"})


class PlanStep(Struct, frozen=True):
    """One step: its nesting depth, what it does, and whether it may take long."""

    depth: int
    text: Translatable
    advice: Translatable | None = None


_SCANS: Final[Sentence] = "reads every row of {table}"
_SCANS_LARGE: Final[Sentence] = (
    "there is a row for every link: name a page with source_id or destination_id, or its address "
    "with source = '…' or destination = '…', and take the view inlinks for links to a page, "
    "outlinks for those on it"
)
_SCANS_SOME: Final[Sentence] = (
    "that is fast for thousands of URLs and takes seconds for millions; url_id = … or "
    "address = '…' finds one at once"
)
_SEARCHES: Final[Sentence] = "finds rows of {table} at once, by {how}"
_SEARCHES_ID: Final[Sentence] = "finds rows of {table} at once, by their number"
_AUTOMATIC: Final[Sentence] = "makes an index of {table} for this query alone"
_AUTOMATIC_HELP: Final[Sentence] = (
    "join by url_id, source_id and destination_id instead of addresses: those have indexes"
)
_SORTS: Final[Sentence] = "sorts the rows, for {what}"
_SORTS_HELP: Final[Sentence] = "with many rows that takes memory and time; filter first"
_COMES_FIRST: Final[Sentence] = "works out {name} first, and keeps it"
_COMES_ALONG: Final[Sentence] = "works out {name} row by row"
_JOINS_ANSWERS: Final[Sentence] = "puts the rows of several queries together ({how})"
_FILTERS: Final[Sentence] = "leaves out early what cannot match in {table}"
_FIXED: Final[dict[str, Sentence]] = {
    "CORRELATED SCALAR SUBQUERY": "runs a subquery again for each row",
    "CORRELATED LIST SUBQUERY": "runs a subquery again for each row",
    "SCALAR SUBQUERY": "runs a subquery once",
    "LIST SUBQUERY": "runs a subquery once, and keeps its rows",
    "REUSE LIST SUBQUERY": "takes the rows kept before",
    "REUSE SUBQUERY": "takes the rows kept before",
    "MULTI-INDEX OR": "finds the rows of each condition by itself",
    "INDEX": "one of these conditions",
    "COMPOUND QUERY": "runs several queries",
    "LEFT-MOST SUBQUERY": "the first of them",
    "SETUP": "where the recursion begins",
    "RECURSIVE STEP": "the step that is repeated",
    "LEFT": "one side",
    "RIGHT": "the other side",
    "SCAN CONSTANT ROW": "takes values that the query names",
}
_OTHER: Final[Sentence] = "takes a step that SQLite calls {detail}"
_NUMBER: Final = re.compile(r" \d+$|(?<=SCAN) \d+(?= CONSTANT)|(?<=ROW)S$")
"""What distinguishes steps of one kind."""


def plan_steps(rows: Iterable[Sequence[Any]]) -> list[PlanStep]:
    """The steps of a plan, from the rows of EXPLAIN QUERY PLAN: id, parent, unused, detail."""
    depths: dict[int, int] = {}
    steps = []
    for step_id, parent, _, detail in rows:
        depth = depths.get(parent, -1) + 1
        depths[step_id] = depth
        steps.append(_step(depth, str(detail)))
    return steps


def _step(depth: int, detail: str) -> PlanStep:
    if fixed := _FIXED.get(_NUMBER.sub("", detail)):
        return PlanStep(depth, Translatable(fixed))
    if found := _SCAN.match(detail):
        return _scan(depth, found["table"])
    if found := _SEARCH.match(detail):
        return _search(depth, found["table"], found["how"])
    if found := _SORT.match(detail):
        return PlanStep(depth, said(_SORTS, what=found["what"]), said(_SORTS_HELP))
    return PlanStep(depth, _made(detail))


def _made(detail: str) -> Translatable:
    """What a step makes from the rows of others."""
    if found := _MADE.match(detail):
        sentence = _COMES_FIRST if found["way"] == "MATERIALIZE" else _COMES_ALONG
        return said(sentence, name=found["name"])
    if found := _UNION.match(detail):
        return said(_JOINS_ANSWERS, how=found["how"])
    if detail.startswith("BLOOM FILTER ON "):
        return said(_FILTERS, table=_words_for(_table(detail.split()[3])))
    return said(_OTHER, detail=detail.lower())


def _scan(depth: int, alias: str) -> PlanStep:
    table = _table(alias)
    advice = None
    if table in _LARGE:
        advice = said(_SCANS_LARGE)
    elif table in _SOME:
        advice = said(_SCANS_SOME)
    return PlanStep(depth, said(_SCANS, table=_words_for(table)), advice)


def _search(depth: int, alias: str, how: str) -> PlanStep:
    table = _words_for(_table(alias))
    if "AUTOMATIC" in how:
        return PlanStep(depth, said(_AUTOMATIC, table=table), said(_AUTOMATIC_HELP))
    columns = list(dict.fromkeys(_COLUMN.findall(how)))
    if not columns or _IDS.issuperset(columns):
        return PlanStep(depth, said(_SEARCHES_ID, table=table))
    return PlanStep(depth, said(_SEARCHES, table=table, how=", ".join(columns)))


def _table(alias: str) -> str:
    known = _ALIASES.get(alias, alias)
    is_text = known not in _READERS_WORDS and known.startswith(("visit_", "url_", "link_"))
    return "text" if is_text else known


def _words_for(table: str) -> Translatable | str:
    """The name of a table for the reader of a query; a view has its own name."""
    words = _READERS_WORDS.get(table)
    return table if words is None else Translatable(words)


def plan_text(rows: Iterable[Sequence[Any]]) -> list[str]:
    """The plan as lines of text: each step, and below it what helps."""
    lines = []
    for step in plan_steps(rows):
        space = "  " * step.depth
        lines.append(f"{space}{step.text}")
        if step.advice is not None:
            lines.append(f"{space}  ! {step.advice}")
    return lines
