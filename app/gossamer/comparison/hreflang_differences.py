"""Finds the pages that name versions in other languages than before, or other ones for them.

Only the pages' own entries count, in their HTML and headers: sums first, then the entries of those
that differ.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

import numpy as np

from gossamer.comparison.outlink_differences import mixed
from gossamer.comparison.url_matching import MatchedUrls
from gossamer.model.outcome import PAGES
from gossamer.model.shortened_listing import shortened
from gossamer.store.auditing.number_arrays import Flags, Ids, Numbers
from gossamer.store.comparing.compared_links import hreflang_entries, hreflang_of_staged
from gossamer.store.comparing.compared_project import ComparedProject
from gossamer.urls.url_mapping import UrlMapping

MOST_TOLD: Final = 20
"""Entries that are reported of a page for each direction."""
_AT_ONCE: Final = 5_000
_IS_PAGE: Final = np.isin(np.arange(256), [int(each) for each in PAGES])


class ChangedEntries(NamedTuple):
    """A page, by its id in the later project: the entries that are gone, and the new ones."""

    page: int
    lost: str | None
    gained: str | None


class HreflangDifferences:
    """Compares the sets of languages, in any case, and addresses that pages name."""

    def __init__(
        self,
        before: ComparedProject,
        after: ComparedProject,
        matched: MatchedUrls,
        mapping: UrlMapping,
    ) -> None:
        self._before = before
        self._after = after
        self._matched = matched
        self._mapping = mapping

    def run(self) -> Iterator[list[ChangedEntries]]:
        """The differences, thousands of pages at a time."""
        was, now = self._sums(self._before), self._sums(self._after)
        before_ids, after_ids = self._matched.pairs()
        differ: Flags = was[before_ids] != now[after_ids]
        differ &= _IS_PAGE[self._matched.before.outcome[before_ids]]
        differ &= _IS_PAGE[self._matched.after.outcome[after_ids]]
        before_ids, after_ids = before_ids[differ], after_ids[differ]
        for start in range(0, len(after_ids), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            yield list(self._changed(before_ids[part], after_ids[part]))

    def _sums(self, project: ComparedProject) -> Numbers:
        """For each URL, a sum that distinguishes sets of entries; 0 without any."""
        is_before = project is self._before
        known = self._matched.before if is_before else self._matched.after
        names = self._matched.names_of(is_before=is_before)
        sums = np.zeros(len(known.presence), np.uint64)
        for part in hreflang_entries(project):
            if part.ends.max() >= len(sums) or part.others.max() >= len(names):
                raise project.damaged()
            codes = np.array([_code(each) for each in part.languages], np.uint64)
            numbers = mixed(mixed(names[part.others].astype(np.int64)) ^ codes)
            firsts = np.flatnonzero(np.diff(part.ends, prepend=-1))
            sums[part.ends[firsts]] = np.add.reduceat(numbers, firsts)
        return sums

    def _changed(self, before: Ids, after: Ids) -> Iterator[ChangedEntries]:
        was, now = self._entries(self._before, before), self._entries(self._after, after)
        for place, page in enumerate(after.tolist()):
            old, new = was.get(place, set()), now.get(place, set())
            if old != new:
                yield ChangedEntries(page, _listed(sorted(old - new)), _listed(sorted(new - old)))

    def _entries(self, project: ComparedProject, ids: Ids) -> dict[int, set[str]]:
        """The entries by position; addresses are mapped: a copy may name its own, or others."""
        project.stage(ids)
        found: dict[int, set[str]] = {}
        for place, language, url in hreflang_of_staged(project):
            entry = f"{language.strip().lower()} {self._mapping.map(url)}"
            found.setdefault(place, set()).add(entry)
        return found


@lru_cache(maxsize=1_000)  # sites have few languages; what pages write there may be anything
def _code(language: str) -> int:
    return int.from_bytes(blake2b(language.encode(), digest_size=8).digest(), "big")


def _listed(entries: Sequence[str]) -> str | None:
    if not entries:
        return None
    return str(shortened(entries, MOST_TOLD, len(entries), ", "))
