"""The faults of a page's structured data, as project files keep them: a text for each kind."""

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import Final

from gossamer.model.messages.page_contents_messages import FaultKind
from gossamer.model.text_cleaning import one_line

MAX_OF_KIND: Final = 300
"""Characters kept for the faults of a kind."""
_MAX_FAULTS: Final = 50
"""Faults of a kind that are considered."""


def encode_faults(faults: Iterable[tuple[FaultKind, str, str]]) -> str | None:
    """Faults, each with its kind, what it is in and what it is, in a line for each kind.

    >>> encode_faults([
    ...     (FaultKind.MISSING_REQUIRED, "Recipe", "image"),
    ...     (FaultKind.MISSING_REQUIRED, "Recipe", "name"),
    ... ])
    '7 Recipe: image, name'
    """
    by_kind: dict[FaultKind, dict[tuple[str, str], None]] = {}
    for kind, subject, name in faults:
        found = by_kind.setdefault(kind, {})
        if len(found) < _MAX_FAULTS:
            found[subject, name] = None
    lines = [f"{kind.value} {_said(by_kind[kind])}" for kind in FaultKind if kind in by_kind]
    return "\n".join(lines) or None


def _said(faults: Iterable[tuple[str, str]]) -> str:
    of_subjects = [
        (subject, ", ".join(name for _, name in group if name))
        for subject, group in groupby(faults, key=lambda fault: fault[0])
    ]
    said = (": ".join(filter(None, each)) for each in of_subjects)
    return one_line("; ".join(filter(None, said)), MAX_OF_KIND)


def faults_said(text: str | None, kinds: Collection[FaultKind]) -> str:
    """What `encode_faults` kept of these kinds; "" for none."""
    lines = (line.partition(" ") for line in (text or "").split("\n"))
    numbers = {str(kind.value) for kind in kinds}
    return "; ".join(said for number, _, said in lines if number in numbers and said)
