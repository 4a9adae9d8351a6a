"""Finds the pages that lead elsewhere than before: sums first, then the differing links."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from gossamer.comparison.url_matching import MatchedUrls
from gossamer.model.comparison_filters import VIEW
from gossamer.model.comparison_results import FilterCounts
from gossamer.model.outcome import PAGES
from gossamer.model.project_queries import View
from gossamer.store.auditing.number_arrays import (
    Flags,
    Ids,
    Numbers,
    contains,
    distinct,
    first_of,
    pair_keys,
    second_of,
)
from gossamer.store.comparing.compared_links import LinkedUrls, outlinks, outlinks_of_staged
from gossamer.store.comparing.compared_project import REQUESTED, ComparedProject

MOST_TOLD: Final = 20
"""Targets that are listed of a page for each direction; their number is known for all."""
_AT_ONCE: Final = 20_000
_READ: Final = 60
"""The percentage of the work that sums take."""
_IS_PAGE: Final = np.isin(np.arange(256), [int(each) for each in PAGES])
_MIX: Final = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9))


class ChangedLinks(NamedTuple):
    """Pages that have other outlinks than before, by their ids in the later project.

    `lost` and `gained` count the targets of each page; `links` has some of them, as rows of page,
    target and whether it was gained: targets that are broken now before others.
    """

    pages: Ids
    lost: Ids
    gained: Ids
    links: Ids


class OutlinkDifferences:
    """Compares the links that visitors can follow, each target of a page once."""

    def __init__(
        self, before: ComparedProject, after: ComparedProject, matched: MatchedUrls
    ) -> None:
        self._before = before
        self._after = after
        self._matched = matched
        self._added = self._removed = 0
        self._totals = FilterCounts(VIEW, View.LINKS.value)

    def run(self, is_broken: Flags, done: Callable[[int], None]) -> Iterator[ChangedLinks]:
        """The differences, thousands of pages at a time; `done` receives the percentage.

        `is_broken` says about which targets, by their names, more must be known.
        """
        was, now = self._sums(self._before), self._sums(self._after)
        done(_READ)
        before_ids, after_ids = self._matched.pairs()
        differ = was.sums[before_ids] != now.sums[after_ids]
        before_ids, after_ids = before_ids[differ], after_ids[differ]
        # An error has no links to lose: it is an error, and that is reported.
        are_pages = _IS_PAGE[self._matched.before.outcome[before_ids]]
        are_pages &= _IS_PAGE[self._matched.after.outcome[after_ids]]
        self._removed = int(was.targets[before_ids[~are_pages]].sum())
        self._added = int(now.targets[after_ids[~are_pages]].sum())
        self._totals = self._sum_up(was, now)
        del was, now
        before_ids, after_ids = before_ids[are_pages], after_ids[are_pages]
        for start in range(0, len(after_ids), _AT_ONCE):
            done(_READ + (100 - _READ) * start // len(after_ids))
            part = slice(start, start + _AT_ONCE)
            yield self._changed(before_ids[part], after_ids[part], is_broken)

    def counts(self) -> FilterCounts:
        """How many links there are, each target of a page once. Call it after `run`."""
        return replace(self._totals, added=self._added, removed=self._removed)

    def _sum_up(self, was: "_Sums", now: "_Sums") -> FilterCounts:
        matched = self._matched
        return FilterCounts(
            VIEW,
            View.LINKS.value,
            int(was.targets[matched.before.presence == REQUESTED].sum()),
            int(now.targets[matched.after.presence == REQUESTED].sum()),
            new=int(now.targets[matched.new()].sum()),
            missing=int(was.targets[matched.missing()].sum()),
        )

    def _sums(self, project: ComparedProject) -> "_Sums":
        known = self._matched.before if project is self._before else self._matched.after
        size = len(known.presence)
        targets, sums = np.zeros(size, np.int32), np.zeros(size, np.uint64)
        for part in outlinks(project):
            keys = self._keys(project, part)
            ends = first_of(keys)
            if ends[0] < 0 or ends[-1] >= size:
                raise project.damaged()
            firsts = np.flatnonzero(np.diff(ends, prepend=-1))
            sources = ends[firsts]
            targets[sources] = np.diff(firsts, append=len(ends))
            sums[sources] = np.add.reduceat(mixed(second_of(keys)), firsts)
        return _Sums(targets, sums)

    def _keys(self, project: ComparedProject, part: LinkedUrls) -> Ids:
        """Sources and names of targets, each pair once, ascending."""
        names = self._matched.names_of(is_before=project is self._before)
        if part.others.max() >= len(names):
            raise project.damaged()
        return distinct(pair_keys(part.ends, names[part.others]))

    def _changed(self, before: Ids, after: Ids, is_broken: Flags) -> ChangedLinks:
        was, now = self._staged(self._before, before), self._staged(self._after, after)
        gone, came = was[~contains(now, was)], now[~contains(was, now)]
        self._removed += len(gone)
        self._added += len(came)
        told = [_told(keys, after, is_broken, came=keys is came) for keys in (gone, came)]
        return ChangedLinks(
            after,
            np.bincount(first_of(gone), minlength=len(after)),
            np.bincount(first_of(came), minlength=len(after)),
            np.concatenate(told),
        )

    def _staged(self, project: ComparedProject, ids: Ids) -> Ids:
        project.stage(ids)
        found = [self._keys(project, part) for part in outlinks_of_staged(project)]
        return np.concatenate([np.zeros(0, np.int64), *found])


class _Sums(NamedTuple):
    """For each URL, how many different targets it has, and a sum that identifies their set."""

    targets: Numbers
    sums: Numbers


def _told(keys: Ids, pages: Ids, is_broken: Flags, *, came: bool) -> Ids:
    """Rows of page, target and whether it was gained; for each page the first ones."""
    places, targets = first_of(keys), second_of(keys)
    order = np.lexsort((targets, ~is_broken[targets], places))
    places, targets = places[order], targets[order]
    firsts = np.flatnonzero(np.diff(places, prepend=-1))
    ranks = np.arange(len(places)) - np.repeat(firsts, np.diff(firsts, append=len(places)))
    places, targets = places[ranks < MOST_TOLD], targets[ranks < MOST_TOLD]
    return np.stack([pages[places], targets, np.full(len(places), came)], axis=1)


def mixed(names: Numbers) -> Numbers:
    """Numbers whose sums differ if sets do: those of splitmix64 (Steele et al., 2014)."""
    mixed = names.astype(np.uint64) * _MIX[0]
    mixed ^= mixed >> np.uint64(30)
    mixed *= _MIX[1]
    mixed ^= mixed >> np.uint64(27)
    return mixed
