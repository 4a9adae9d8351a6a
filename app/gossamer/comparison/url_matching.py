"""Matches the URLs of one project with the other's: by their keys, verified by their texts."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from gossamer.model.outcome import PAGES
from gossamer.store.auditing.number_arrays import Flags, Ids, Numbers, contains, distinct
from gossamer.store.comparing.compared_project import (
    ABSENT,
    REQUESTED,
    WAITING,
    ComparedProject,
    KnownCounts,
    UrlPresence,
)
from gossamer.urls.url_mapping import UrlMapping

_AT_ONCE: Final = 10_000
_IS_PAGE: Final = np.isin(np.arange(256), [int(each) for each in PAGES])


class MatchedUrls(NamedTuple):
    """Arrays by id: the id of the same URL on the other side, 0 for none.

    Negative if both sides know the URL, but only one requested it. What is not compared, because
    one side has yet to request it, is ABSENT from both presences. `mapped` counts the URLs of the
    earlier side whose address was mapped.
    """

    after_of: Numbers
    before_of: Numbers
    before: UrlPresence
    after: UrlPresence
    mapped: int
    counts: tuple[KnownCounts, KnownCounts]
    """The number of all URLs of either side."""
    requested: tuple[Flags, Flags]
    """By ids, which URLs either side requested and are compared, before any filter."""
    names: Numbers
    """The name of each URL of the earlier side in both: its id in the later one, whatever that
    knows of it; if it does not know it, its own id beyond all of those."""
    after_names: Numbers
    """The same for the later side: mostly its own ids. An address of the other copy of a mapped
    site has the name of the one of this copy."""

    @property
    def border(self) -> int:
        """The offset between the ids and the names of URLs that only the earlier side knows."""
        return len(self.before_of)

    def names_of(self, *, is_before: bool) -> Numbers:
        """The name of each URL of a side, by its id there."""
        return self.names if is_before else self.after_names

    def file_ids(self, before: Ids) -> Ids:
        """The ids that URLs of the earlier side have in a comparison file."""
        both = self.after_of[before]
        found: Ids = np.where(both > 0, both, before + self.border).astype(np.int64)
        return found

    def pairs(self) -> tuple[Ids, Ids]:
        """The ids of URLs that both sides requested, in the order of the later one."""
        wanted = (self.before_of > 0) & (self.after.presence == REQUESTED)
        after = np.flatnonzero(wanted)
        return self.before_of[after].astype(np.int64), after

    def new(self) -> Ids:
        """The ids of those that only the later side requested."""
        return np.flatnonzero((self.before_of <= 0) & (self.after.presence == REQUESTED))

    def missing(self) -> Ids:
        """The ids of those that only the earlier side requested."""
        return np.flatnonzero((self.after_of <= 0) & (self.before.presence == REQUESTED))

    def part(self, before: int, after: int) -> None:
        """Separate two URLs, whose keys are equal by accident."""
        self.after_of[before] = self.before_of[after] = 0


def match_urls(before: ComparedProject, after: ComparedProject, mapping: UrlMapping) -> MatchedUrls:
    """Match the URLs of two projects, of which the first is mapped.

    If several of one side have the same address once they are mapped, the page among them counts,
    or else the first; the others are not compared.
    """
    of_before, of_after = before.presence(), after.presence()
    keys, ids, mapped = before.keys(mapping.map if mapping else None)
    of_before_by_key = _by_key(keys, ids)
    keys, ids, _ = after.keys(None)
    of_after_by_key = _by_key(keys, ids)
    del keys, ids
    found = MatchedUrls(
        np.zeros(len(of_before.presence), np.int32),
        np.zeros(len(of_after.presence), np.int32),
        of_before,
        of_after,
        mapped,
        (of_before.counts(), of_after.counts()),
        (np.zeros(len(of_before.presence), np.bool_), np.zeros(len(of_after.presence), np.bool_)),
        np.zeros(len(of_before.presence), np.int64),
        np.arange(len(of_after.presence)),
    )
    matcher = _Matcher(before, after, mapping, found)
    matcher.match(of_before_by_key, of_after_by_key)
    _name(found, matcher.twins)
    if mapping:
        _name_other_copy(found, after.keys(mapping.map)[:2], of_after_by_key, of_before_by_key)
    _settle(found)
    for flags, known in zip(found.requested, (found.before, found.after), strict=True):
        flags[:] = known.presence == REQUESTED
    return found


def keep_passing(found: MatchedUrls, before: Ids, after: Ids) -> None:
    """Compare only what passes a filter: these ids after, or before for missing URLs."""
    fails = _all_but(after, len(found.before_of))
    partners = found.before_of[fails]
    found.after.presence[fails] = ABSENT
    found.before.presence[partners[partners > 0]] = ABSENT
    alone = _all_but(before, len(found.after_of))
    found.before.presence[alone[found.after_of[alone] <= 0]] = ABSENT


def _all_but(ids: Ids, length: int) -> Ids:
    flags = np.ones(length, np.bool_)
    flags[ids] = False
    return np.flatnonzero(flags)


def _name(found: MatchedUrls, twins: Sequence[tuple[int, int]]) -> None:
    """Fill in `names`; URLs with the same address once they are mapped get the same name."""
    ids = np.arange(len(found.names))
    found.names[:] = np.where(found.after_of > 0, found.after_of, ids + found.border)
    for twin, best in twins:
        found.names[twin] = found.names[best]


def _name_other_copy(
    found: MatchedUrls, mapped: tuple[Ids, Numbers], after: "_Keys", before: "_Keys"
) -> None:
    """Give addresses of the other copy, which the later side leads to, the names of this copy's."""
    keys, ids = mapped
    for others, names in ((before, found.names), (after, np.arange(found.border))):
        if len(others.keys):
            places = np.minimum(np.searchsorted(others.keys, keys), len(others.keys) - 1)
            same = others.keys[places] == keys
            found.after_names[ids[same]] = names[others.ids[places[same]]]


class _Keys(NamedTuple):
    keys: Ids
    ids: Numbers

    def where(self, flags: Flags) -> "_Keys":
        return _Keys(self.keys[flags], self.ids[flags])

    def repeated(self) -> Ids:
        """The keys that occur more than once."""
        return distinct(self.keys[1:][self.keys[1:] == self.keys[:-1]])

    def between(self, first: int, last: int) -> "_Keys":
        start = np.searchsorted(self.keys, first, "left")
        stop = np.searchsorted(self.keys, last, "right")
        return _Keys(self.keys[start:stop], self.ids[start:stop])


def _by_key(keys: Ids, ids: Numbers) -> _Keys:
    order = np.argsort(keys, kind="stable")
    return _Keys(keys[order], ids[order])


class _Matcher:
    def __init__(
        self,
        before: ComparedProject,
        after: ComparedProject,
        mapping: UrlMapping,
        found: MatchedUrls,
    ) -> None:
        self._before = before
        self._after = after
        self._mapping = mapping
        self._found = found
        self.twins: list[tuple[int, int]] = []
        """For the earlier side: a URL, and the one with the same address that counts."""

    def match(self, before: _Keys, after: _Keys) -> None:
        unclear = distinct(np.concatenate([before.repeated(), after.repeated()]))
        if not len(unclear):
            self._match_single(before, after)
            return
        is_unclear = contains(unclear, before.keys), contains(unclear, after.keys)
        self._match_single(before.where(~is_unclear[0]), after.where(~is_unclear[1]))
        self._match_repeated(unclear, before.where(is_unclear[0]), after.where(is_unclear[1]))

    def _match_single(self, before: _Keys, after: _Keys) -> None:
        if not len(before.keys) or not len(after.keys):
            return
        places = np.minimum(np.searchsorted(after.keys, before.keys), len(after.keys) - 1)
        same = after.keys[places] == before.keys
        self._link(before.ids[same], after.ids[places[same]])

    def _match_repeated(self, unclear: Ids, before: _Keys, after: _Keys) -> None:
        """By text, some thousand keys at a time."""
        for start in range(0, len(unclear), _AT_ONCE):
            first, last = unclear[start], unclear[min(start + _AT_ONCE, len(unclear)) - 1]
            ours = self._best(self._before, before.between(first, last).ids, self._found.before)
            others = self._best(self._after, after.between(first, last).ids, self._found.after)
            both = [(ours[url], others[url]) for url in ours if url in others]
            linked = np.array(both, np.int64).reshape(-1, 2)
            self._link(linked[:, 0], linked[:, 1])

    def _best(self, project: ComparedProject, ids: Ids, known: UrlPresence) -> dict[str, int]:
        """The id that counts for each address; the others are removed."""
        best: dict[str, int] = {}
        texts = project.urls(ids.tolist())
        for url_id in sorted(texts, key=lambda each: _preference(known, each)):
            url = texts[url_id]
            url = self._mapping.map(url) if project is self._before else url
            if best.setdefault(url, url_id) != url_id:
                known.presence[url_id] = ABSENT
                if project is self._before:
                    self.twins.append((url_id, best[url]))
        return best

    def _link(self, before: Numbers, after: Numbers) -> None:
        self._found.after_of[before] = after
        self._found.before_of[after] = before


def _preference(known: UrlPresence, url_id: int) -> tuple[bool, bool, int]:
    requested = known.presence[url_id] == REQUESTED
    return not (requested and _IS_PAGE[known.outcome[url_id]]), not requested, url_id


def _settle(found: MatchedUrls) -> None:
    """Remove what waits on one side, and separate what only one side requested."""
    for ours, others, known, other in _both_ways(found):
        waiting = known.presence == WAITING
        partners = ours[waiting]
        other.presence[partners[partners > 0]] = ABSENT
        others[partners[partners > 0]] = 0
        known.presence[waiting] = ABSENT
        ours[waiting] = 0
    after = np.flatnonzero(found.before_of > 0)
    before = found.before_of[after]
    parted = found.after.presence[after] != found.before.presence[before]
    found.before_of[after[parted]] *= -1
    found.after_of[before[parted]] *= -1


def _both_ways(
    found: MatchedUrls,
) -> Iterator[tuple[Numbers, Numbers, UrlPresence, UrlPresence]]:
    yield found.after_of, found.before_of, found.before, found.after
    yield found.before_of, found.after_of, found.after, found.before
