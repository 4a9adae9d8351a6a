"""Compares the issues of two projects: which URLs came into each, and which left it."""

from typing import Final

import numpy as np

from gossamer.comparison.url_matching import MatchedUrls
from gossamer.model.comparison_filters import ISSUE_SECTION
from gossamer.model.comparison_results import FilterCounts, FilterMove
from gossamer.store.auditing.number_arrays import Flags, Ids, Numbers
from gossamer.store.comparing.compared_project import ABSENT

_PARTS: Final = tuple(FilterMove)


class MovedUrls:
    """The URLs that came into one issue, or left it, by the ids that pages have in the file."""

    def __init__(self, counts: FilterCounts, pages: Ids, moves: Numbers) -> None:
        self.counts = counts
        self.pages = pages
        self.moves = moves

    def known(self, *, known: bool) -> Ids:
        """The pages of which it is known what has become of them, or the others."""
        found: Ids = self.pages[(self.moves <= FilterMove.ENDED) == known]
        return found


def compare_issue(
    rule: int,
    matched: MatchedUrls,
    ids: tuple[Ids, Ids],
    indexable: tuple[Flags, Flags],
    doubtful: Flags,
) -> MovedUrls:
    """Compare the URLs that a rule holds for, by their ids in the two projects.

    `indexable` says, by the later ids, which have become indexable, and which no longer are;
    `doubtful`, for which it is unknown on either side whether the rule holds.
    """
    before, after = ids
    before = before[matched.before.presence[before] != ABSENT]
    after = after[matched.after.presence[after] != ABSENT]
    left, missing = _parted(before, matched.after_of, _flags(after, len(matched.before_of)))
    added, new = _parted(after, matched.before_of, _flags(before, len(matched.after_of)))
    gone = matched.after_of[left].astype(np.int64)
    begun, ended = indexable[0][added], indexable[1][gone]
    unsure, lost = doubtful[added] & ~begun, doubtful[gone] & ~ended
    parts = (
        *(added[~begun & ~unsure], new, added[begun]),
        *(gone[~ended & ~lost], missing + len(matched.before_of), gone[ended]),
        *(gone[lost], added[unsure]),
    )
    pages = np.concatenate(parts)
    moves = np.repeat(np.array(_PARTS, np.uint8), [len(part) for part in parts])
    order = np.argsort(pages, kind="stable")
    counts = FilterCounts(
        ISSUE_SECTION, rule, len(before), len(after), *(len(part) for part in parts)
    )
    return MovedUrls(counts, pages[order], moves[order])


def _parted(ids: Ids, partner_of: Numbers, has_other: Flags) -> tuple[Ids, Ids]:
    """Those whose URL the other side has without the issue; those that it lacks altogether."""
    partners = np.maximum(partner_of[ids], 0)
    return ids[(partners > 0) & ~has_other[partners]], ids[partners == 0]


def _flags(ids: Ids, length: int) -> Flags:
    flags = np.zeros(length, np.bool_)
    flags[ids] = True
    return flags
