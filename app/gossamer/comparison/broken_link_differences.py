"""Finds links to broken URLs that are new, and those that are gone."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from gossamer.comparison.url_matching import MatchedUrls
from gossamer.model.comparison_filters import VIEW
from gossamer.model.comparison_results import FilterCounts, FilterMove
from gossamer.model.outcome_counts import ERRORS
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
from gossamer.store.comparing.compared_links import inlink_counts, inlinks_of_staged
from gossamer.store.comparing.compared_project import REQUESTED, ComparedProject, UrlPresence

_AT_ONCE: Final = 1_000_000
"""Links that are processed together."""
_IS_ERROR: Final = np.isin(np.arange(256), [int(each) for each in ERRORS])


class MovedLinks(NamedTuple):
    """Links that are broken on only one side: what has become of each, and its ends by name."""

    moves: Numbers
    sources: Ids
    targets: Ids


class BrokenLinkDifferences:
    """Compares the links to broken URLs, target by target; a page counts once per target."""

    def __init__(
        self, before: ComparedProject, after: ComparedProject, matched: MatchedUrls
    ) -> None:
        self._matched = matched
        self._broken = (
            _Broken(before, matched.names, matched.before, matched.requested[0]),
            _Broken(after, matched.after_names, matched.after, matched.requested[1]),
        )
        self._numbers = np.zeros(len(FilterMove) + 1, np.int64)
        self._before = self._after = 0

    def are_broken(self) -> Flags:
        """By names, which URLs are broken on either side."""
        found = np.zeros(self._matched.border + len(self._matched.names), np.bool_)
        for side in self._broken:
            found[side.targets] = True
        return found

    def counts(self) -> FilterCounts:
        """How many links are broken; after all of `run`."""
        moves = {each.name.lower(): int(self._numbers[each]) for each in FilterMove}
        return FilterCounts(VIEW, View.BROKEN_LINKS.value, self._before, self._after, **moves)

    def run(self) -> Iterator[MovedLinks]:
        """The differences, at most about a million links at a time."""
        targets = distinct(np.concatenate([side.targets for side in self._broken]))
        links = np.zeros(len(targets), np.int64)
        for side in self._broken:
            np.add.at(links, np.searchsorted(targets, side.targets), side.inlinks)
        blocks = np.cumsum(links) // _AT_ONCE
        for block in distinct(blocks):
            yield self._compare(targets[blocks == block])

    def _compare(self, targets: Ids) -> MovedLinks:
        was, now = (side.links_to(targets) for side in self._broken)
        self._before += len(was)
        self._after += len(now)
        came, gone = now[~contains(was, now)], was[~contains(now, was)]
        moves = np.concatenate([self._came(second_of(came)), self._gone(second_of(gone))])
        links = np.concatenate([came, gone])
        np.add.at(self._numbers, moves, 1)
        return MovedLinks(moves, second_of(links), first_of(links))

    def _came(self, sources: Ids) -> Numbers:
        is_new = self._matched.before_of[sources] <= 0
        return np.where(is_new, int(FilterMove.NEW), int(FilterMove.ADDED))

    def _gone(self, sources: Ids) -> Numbers:
        """The pages requested on the earlier side that the later one lacks."""
        matched = self._matched
        known = np.minimum(sources, matched.border - 1)
        stays = (sources < matched.border) & (matched.before_of[known] > 0)
        return np.where(stays, int(FilterMove.REMOVED), int(FilterMove.MISSING))


class _Broken:
    """The broken URLs of a side by ascending name: their ids there, and numbers of links there."""

    def __init__(
        self, project: ComparedProject, names: Numbers, known: UrlPresence, is_source: Flags
    ) -> None:
        self._project = project
        self._names = names
        self._is_source = is_source
        ids = np.flatnonzero((known.presence == REQUESTED) & _IS_ERROR[known.outcome])
        order = np.argsort(names[ids], kind="stable")
        self._ids = ids[order]
        self.targets: Final[Ids] = names[self._ids].astype(np.int64)
        project.stage(self._ids)
        self.inlinks: Final = inlink_counts(project, len(self._ids))

    def links_to(self, targets: Ids) -> Ids:
        """The names of those of some targets that are broken here, and of their sources."""
        some = contains(targets, self.targets)
        names = self.targets[some]
        self._project.stage(self._ids[some])
        found = [np.zeros(0, np.int64)]
        for part in inlinks_of_staged(self._project):
            if part.others.max() >= len(self._names):
                raise self._project.damaged()
            are_compared = self._is_source[part.others]
            sources = self._names[part.others[are_compared]]
            found.append(pair_keys(names[part.ends[are_compared]], sources))
        return distinct(np.concatenate(found))
