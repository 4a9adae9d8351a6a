"""Folders from which pages have moved to another folder, inferred from pairs of addresses."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

_FEWEST: Final = 3
"""Pairs of pages that suggest a rewrite; fewer may be chance."""
_MOST_KNOWN: Final = 100_000
_MOST_TRIED: Final = 50
_ORIGIN: Final = 3
"""Parts of an address before its first folder: scheme, nothing, host."""


class Rewrite(NamedTuple):
    """Addresses that begin with `before` begin with `after` now. Both end with a slash."""

    before: str
    after: str


def rewrite_between(before: str, after: str) -> Rewrite | None:
    """The rewrite that turns one address into the other, and keeps as much as possible."""
    old, new = (each.partition("?")[0].split("/") for each in (before, after))
    same = 0
    while min(len(old), len(new)) - same > _ORIGIN and old[-1 - same] == new[-1 - same]:
        same += 1
    # The empty name after a final slash says nothing.
    if not any(old[len(old) - same :]):
        return None
    return Rewrite("/".join([*old[:-same], ""]), "/".join([*new[:-same], ""]))


class PathRewrites:
    """Collects votes for rewrites."""

    def __init__(self) -> None:
        self._votes: Counter[Rewrite] = Counter()

    def vote(self, before: str, after: str) -> None:
        """Count a page that has moved from one address to another."""
        found = rewrite_between(before, after)
        if found is not None and (found in self._votes or len(self._votes) < _MOST_KNOWN):
            self._votes[found] += 1

    def likely(self) -> list[Rewrite]:
        """Those that several pages suggest, the most suggested first."""
        found = [each for each in self._votes.most_common(_MOST_TRIED) if each[1] >= _FEWEST]
        return [each for each, _ in found]


class RewriteTrial:
    """Counts how many of the pages in old folders are in the new ones."""

    def __init__(self, rewrites: list[Rewrite]) -> None:
        self.rewrites: Final = rewrites
        self._by_folder: dict[str, list[int]] = {}
        for number, each in enumerate(rewrites):
            self._by_folder.setdefault(each.before, []).append(number)
        self._tried: Counter[int] = Counter()
        self._hits: Counter[int] = Counter()
        self._stayed: Counter[int] = Counter()

    def tries(self, url: str) -> Iterator[tuple[int, str]]:
        """The number of each rewrite of a folder above a missing page, and its new address."""
        for number in self._concerned(url):
            self._tried[number] += 1
            rewrite = self.rewrites[number]
            yield number, rewrite.after + url[len(rewrite.before) :]

    def keep(self, url: str) -> None:
        """Count a page that is where it was."""
        self._stayed.update(self._concerned(url))

    def _concerned(self, url: str) -> Iterator[int]:
        end = url.find("/", url.find("//") + 2)
        stop = len(url) if "?" not in url else url.index("?")
        while 0 <= end < stop:
            yield from self._by_folder.get(url[: end + 1], ())
            end = url.find("/", end + 1)

    def note(self, number: int) -> None:
        """Count a page that is where a rewrite says."""
        self._hits[number] += 1

    def accepted(self) -> dict[int, int]:
        """The rewrites that suit most pages a folder lost, with their number; of two, the better.

        If two are equally good, neither.
        """
        good = {
            number: hits
            for number, hits in self._hits.items()
            if hits >= _FEWEST and 2 * hits >= self._tried[number]
        }
        best: dict[int, int] = {}
        for numbers in self._by_folder.values():
            found = sorted(((good[each], each) for each in numbers if each in good), reverse=True)
            if found and (len(found) == 1 or found[0][0] > found[1][0]):
                best[found[0][1]] = found[0][0]
        return best

    def suits(self, number: int) -> bool:
        """Whether a rewrite suits most pages of the folder, those that stayed included."""
        return 2 * self._hits[number] >= self._tried[number] + self._stayed[number]
