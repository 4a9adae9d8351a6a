"""Counts how URLs move between filters: by the sets of filters that have them before and after."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from gossamer.model.comparison_filters import INDEXABILITY, UrlTraits, filters_of
from gossamer.model.comparison_results import FilterCounts
from gossamer.model.fields.indexability import IndexableOrNot
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Facet, Value

_MOST_KNOWN: Final = 100_000
_Filter = tuple[Facet, Value]
_INDEXABLE: Final[_Filter] = (INDEXABILITY, IndexableOrNot.INDEXABLE.value)
NO_SET: Final = 0
"""Instead of a set, for the side that lacks the URL."""


class FilterSets:
    """Numbers the sets of filters that URLs are in, of which there are few."""

    def __init__(self) -> None:
        self._of_traits: dict[tuple[Any, ...], int] = {}
        self._numbers: dict[frozenset[_Filter], int] = {}
        self._sets: list[frozenset[_Filter]] = [frozenset()]
        self._moves: Counter[tuple[int, int]] = Counter()

    def number(self, traits: tuple[Any, ...]) -> int:
        """The number of the set for a row of `UrlTraits`; ValueError for an invalid one."""
        found = self._of_traits.get(traits)
        if found is not None:
            return found
        if len(self._of_traits) >= _MOST_KNOWN:
            self._of_traits.clear()
        outcome, is_external, *others = traits
        filters = frozenset(filters_of(UrlTraits(Outcome(outcome), bool(is_external), *others)))
        number = self._numbers.setdefault(filters, len(self._sets))
        if number == len(self._sets):
            self._sets.append(filters)
        self._of_traits[traits] = number
        return number

    def has_ended(self, before: int, after: int) -> bool:
        """Whether a URL that was in one set, and is in the other, is no longer indexable."""
        return _INDEXABLE in self._sets[before] and _INDEXABLE not in self._sets[after]

    def count(self, before: int, after: int) -> None:
        """Count a URL that was in one set, and is in the other."""
        self._moves[before, after] += 1

    def uncount(self, before: int, after: int) -> None:
        """Undo a `count`."""
        self._moves[before, after] -= 1

    def rows(self) -> Iterator[tuple[int, Facet, Value]]:
        """Each set with each of its filters."""
        for number, filters in enumerate(self._sets):
            for section, value in sorted(filters, key=str):
                yield number, section, value

    def counts(self) -> list[FilterCounts]:
        """How many URLs came into each filter, and how many left it."""
        totals: dict[_Filter, Counter[str]] = {}
        for (before, after), urls in self._moves.items():
            was, is_ = self._sets[before], self._sets[after]
            _add(totals, was, "before", urls)
            _add(totals, is_, "after", urls)
            _add(totals, is_ - was, "added" if before else "new", urls)
            _add(totals, was - is_, "removed" if after else "missing", urls)
        return [
            FilterCounts(section, value, **found)
            for (section, value), found in sorted(totals.items(), key=lambda each: _key(each[0]))
        ]


def _add(
    totals: dict[_Filter, Counter[str]], filters: Iterable[_Filter], what: str, urls: int
) -> None:
    for each in filters:
        totals.setdefault(each, Counter())[what] += urls


def _key(filter_: _Filter) -> tuple[Facet, bool, int, str]:
    section, value = filter_
    is_text = isinstance(value, str)
    return section, is_text, 0 if isinstance(value, str) else value, str(value)
