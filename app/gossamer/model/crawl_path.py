"""How a URL was reached, in the terms of archives: from where, over which hops."""

from typing import Final

from msgspec import Struct

from gossamer.model.discovery_rank import UNLINKED, Rank

_MOST_SHOWN: Final = 50


class CrawlPath(Struct, frozen=True, array_like=True, gc=False):
    """The URL on which a URL was first found, "" for a seed, and the hops from the seed.

    `hops` has a letter for each, as Heritrix writes them: L for a link, R for a redirect, E for
    what a page or style sheet loads, M for what a sitemap lists. Beyond 50 letters, the last ones
    follow the number of the others and "+".
    """

    via: str = ""
    hops: str = ""

    @property
    def is_seed(self) -> bool:
        """Whether nothing led to it."""
        return not (self.via or self.hops)

    def extended(self, url: str, letter: str) -> "CrawlPath":
        """The path of a URL found on `url`, which has this path: one hop longer."""
        number, plus, last = self.hops.rpartition("+")
        return CrawlPath(url, _shown(last + letter, int(number) if plus else 0))


def path_of(
    rank: Rank, found_on: CrawlPath | None, url: str, *, is_redirect: bool = False
) -> CrawlPath:
    """The path of a URL of this rank that was found on `url`, or that it redirected to.

    `found_on` is the path of that URL. If it is unknown, the rank says what it can.
    """
    if is_redirect and found_on is not None:
        return found_on.extended(url, "R")
    if rank.depth < UNLINKED:
        if found_on is None:
            return CrawlPath(url, _shown("L" * rank.depth + "R" * rank.hops))
        return found_on.extended(url, "L")
    if rank.as_file and found_on is not None:
        return found_on.extended(url, "E")
    return CrawlPath(url, "M" if rank.listed else "")


def _shown(letters: str, more: int = 0) -> str:
    more += max(0, len(letters) - _MOST_SHOWN)
    return f"{more}+{letters[-_MOST_SHOWN:]}" if more else letters
