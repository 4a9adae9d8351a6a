"""How a URL was reached, in the words that archives have for it: where from, over which hops."""

from typing import Final

from msgspec import Struct

from gossamer.model.rank import UNLINKED, Rank

_MOST_SHOWN: Final = 50


class CrawlPath(Struct, frozen=True, array_like=True, gc=False):
    """The URL on which a URL was first found, "" for a seed, and the hops from the seed.

    `hops` has a letter for each, as Heritrix writes them: L for a link, R for a redirect, E for
    what a page loads, M for what a sitemap lists. Redirects before the last link are not told. Of
    more than 50 letters the last are there, after the number of the others and "+".
    """

    via: str = ""
    hops: str = ""

    @property
    def is_seed(self) -> bool:
        """Whether nothing led to it."""
        return not (self.via or self.hops)


def path_of(rank: Rank, found_on: CrawlPath | None, url: str) -> CrawlPath:
    """The path of what has this rank and was found on `url`, whose own path is `found_on`."""
    if rank.depth < UNLINKED:
        return CrawlPath(url, _shown("L" * rank.depth + "R" * rank.hops))
    if rank.as_file and found_on is not None:
        return CrawlPath(url, _extended(found_on.hops, "R" if rank.hops else "E"))
    return CrawlPath(url, "M" if rank.listed else "")


def _extended(hops: str, letter: str) -> str:
    number, plus, last = hops.rpartition("+")
    more = int(number) if plus else 0
    return _shown(last + letter, more)


def _shown(letters: str, more: int = 0) -> str:
    more += max(0, len(letters) - _MOST_SHOWN)
    return f"{more}+{letters[-_MOST_SHOWN:]}" if more else letters
