"""Formats checked redirects: as text for people, as JSON for programs."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gossamer.audit.redirect_check import CheckedRedirect, RedirectResult
from gossamer.cli.terminal import printable
from gossamer.model.number_format import number
from gossamer.model.outcome import sentence_of

_SHOWN: Final = 50
"""Wrong pairs that are listed."""


def redirects_object(project: Path, found: Sequence[CheckedRedirect]) -> dict[str, object]:
    """The results, with the keys that docs/command-line.md lists."""
    counts = Counter(each.result for each in found)
    return {
        "project": str(project.absolute()),
        "pairs": len(found),
        **{each.value.replace(" ", "_"): counts[each] for each in RedirectResult},
        "chains": sum(each.is_chain for each in found),
        "temporary": sum(each.is_temporary for each in found),
        "redirects": [_redirect_object(each) for each in found],
    }


def _redirect_object(each: CheckedRedirect) -> dict[str, object]:
    return {
        "line": each.expected.line,
        "old": each.expected.old,
        "new": each.expected.new,
        "result": each.result.value,
        "chain_type": each.type and each.type.value,
        "hops": [
            {"url": hop.url, "status": hop.status, "outcome": hop.outcome.name.lower()}
            for hop in each.chain
        ],
    }


def redirects_text(project: Path, found: Sequence[CheckedRedirect]) -> str:
    """The same for a user: each pair that is not right, with what happens; then the counts."""
    wrong = [each for each in found if not each.is_right]
    lines = [line for each in wrong[:_SHOWN] for line in (*_pair_lines(each), "")]
    if len(wrong) > _SHOWN:
        lines += [f"{number(len(wrong) - _SHOWN)} more; -o FILE.csv writes all of them.", ""]
    lines += _count_lines(found)
    lines += ["", f"Project: {project.absolute()}"]
    return "".join(f"{printable(line)}\n" for line in lines)


def _pair_lines(each: CheckedRedirect) -> list[str]:
    head = each.result.value.capitalize()
    lines = [f"{head}: {each.expected.old}", f"  should lead to  {each.expected.new}"]
    if not each.chain:
        return [*lines, "  is not in the crawl"]
    steps = [str(hop.status or "-") + f"  {hop.url}" for hop in each.chain]
    lines += [f"  {step}" for step in steps]
    end = each.chain[-1]
    if each.result in {RedirectResult.BROKEN, RedirectResult.NOT_CHECKED}:
        lines.append(f"  {sentence_of(end.outcome, end.status)}")
    return lines


def _count_lines(found: Sequence[CheckedRedirect]) -> list[str]:
    counts = Counter(each.result for each in found)
    rows = [("Pairs", len(found)), ("  right", counts[RedirectResult.RIGHT])]
    rows += [
        ("    of these by several redirects", sum(each.is_chain for each in found)),
        ("    of these temporary", sum(each.is_temporary for each in found)),
    ]
    others = [each for each in RedirectResult if each is not RedirectResult.RIGHT]
    rows += [(f"  {each.value}", counts[each]) for each in others]
    return [f"{label:34}{number(count):>9}" for label, count in rows]
