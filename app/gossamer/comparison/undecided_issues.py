"""Finds the URLs for which two audits are not comparable: undecided, or decided differently."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import numpy as np

from gossamer.comparison.url_matching import MatchedUrls
from gossamer.model.rule_comparability import RuleComparability
from gossamer.model.settings.crawl_settings import RULES_VERSION_NAME
from gossamer.store.auditing.number_arrays import Flags
from gossamer.store.comparing.compared_project import ComparedProject


class UndecidedIssues:
    """The URLs for which it is unknown on either side, by the same measure, whether rules hold."""

    def __init__(
        self,
        sides: tuple[ComparedProject, ComparedProject],
        matched: MatchedUrls,
        bases: Mapping[int, RuleComparability],
    ) -> None:
        self._sides: Final = sides
        self._matched = matched
        self._bases = bases
        self._thresholds: Final = tuple(side.thresholds() for side in sides)

    def of(self, rule: int) -> Flags:
        """The URLs of both sides, by their later ids, for which that is so of a rule."""
        basis = self._bases.get(rule)
        if basis is None:
            return self._none
        if not all(basis.is_decided(side.settings) for side in self._sides):
            return ~self._none
        was, now = (each.of(basis) for each in self._thresholds)
        if not _are_comparable(basis, was, now):
            return ~self._none
        return self._unseen if basis.has_stage else self._none

    @cached_property
    def _none(self) -> Flags:
        return np.zeros(len(self._matched.before_of), np.bool_)

    @cached_property
    def _unseen(self) -> Flags:
        """The URLs that either audit has not seen."""
        before, after = (side.unseen for side in self._sides)
        found: Flags = after | before[np.maximum(self._matched.before_of, 0)]
        return found


def _are_comparable(
    basis: RuleComparability, was: Mapping[str, object], now: Mapping[str, object]
) -> bool:
    """Whether a rule was decided with the same threshold, and as it is now."""
    versions = [each.get(RULES_VERSION_NAME) for each in (was, now)]
    if any(not isinstance(each, int) or each < basis.since for each in versions):
        return False
    return not basis.limit or (
        was.get(basis.limit) is not None and was.get(basis.limit) == now.get(basis.limit)
    )
