"""Says in words how SQLite finds the answer to a query, which steps take long, and what helps.

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
}
_LARGE: Final = frozenset({"link", "inlink"})
_SCAN: Final = re.compile(r"SCAN (?:TABLE )?(?P<table>\S+)(?: AS \S+)?(?P<index> USING .*)?")
_SEARCH: Final = re.compile(r"SEARCH (?:TABLE )?(?P<table>\S+)(?: AS \S+)? USING (?P<how>.*)")
_SORT: Final = re.compile(r"USE TEMP B-TREE FOR (?P<what>.*)")


class PlanStep(Struct, frozen=True):
    """One step: how deep it is in others, what it does, and whether it may take long."""

    depth: int
    text: Translatable
    advice: Translatable | None = None


_SCANS: Final[Sentence] = "reads every row of {table}"
_SCANS_LARGE: Final[Sentence] = (
    "{table} has a row for every link: name a page with source_id or destination_id, and take the "
    "view inlinks for links to a page, outlinks for those on it"
)
_SCANS_SOME: Final[Sentence] = (
    "that is fast for thousands of URLs and takes seconds for millions; url_id finds one at once"
)
_SEARCHES: Final[Sentence] = "finds rows of {table} at once, by {how}"
_AUTOMATIC: Final[Sentence] = "makes an index of {table} for this query alone"
_AUTOMATIC_HELP: Final[Sentence] = (
    "join by url_id, source_id and destination_id instead of addresses: those have indexes"
)
_SORTS: Final[Sentence] = "sorts all rows for {what}"
_SORTS_HELP: Final[Sentence] = "with many rows that takes memory and time; filter first"


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
    if found := _SCAN.match(detail):
        table = _ALIASES.get(found["table"], found["table"])
        advice = _SCANS_LARGE if table in _LARGE else _SCANS_SOME
        told = table in _LARGE or table in _ALIASES.values()
        return PlanStep(
            depth, said(_SCANS, table=table), said(advice, table=table) if told else None
        )
    if found := _SEARCH.match(detail):
        table = _ALIASES.get(found["table"], found["table"])
        if "AUTOMATIC" in found["how"]:
            return PlanStep(depth, said(_AUTOMATIC, table=table), said(_AUTOMATIC_HELP))
        return PlanStep(depth, said(_SEARCHES, table=table, how=_how(found["how"])))
    if found := _SORT.match(detail):
        return PlanStep(depth, said(_SORTS, what=found["what"]), said(_SORTS_HELP))
    return PlanStep(depth, Translatable(detail.lower()))


def _how(text: str) -> str:
    """Such as "INTEGER PRIMARY KEY (rowid=?)" as "rowid=?"."""
    found = re.search(r"\((.*)\)", text)
    return found[1] if found else text.lower()


def plan_text(rows: Iterable[Sequence[Any]]) -> list[str]:
    """The plan as lines of text: each step, and below it what helps."""
    lines = []
    for step in plan_steps(rows):
        space = "  " * step.depth
        lines.append(f"{space}{step.text}")
        if step.advice is not None:
            lines.append(f"{space}  ! {step.advice}")
    return lines
