"""The rank at which each target of a page is reached by its links."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import compress
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from gossamer.engine.seen_urls import RANK_BITS, improvable_bits
from gossamer.model.discovery_rank import (
    AS_FILE,
    JUST_NOFOLLOWED,
    JUST_RECORDED,
    LISTED,
    SITEMAP,
    Rank,
)
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import FILES
from gossamer.model.visit import Visit


class TargetRank(Struct, frozen=True, gc=False):
    """The rank at which a link leads to a URL, as far as decisions depend on it."""

    rank: Rank
    depth: int
    """That of the rank."""
    improvable_bits: int
    """See `improvable_bits`."""

    @classmethod
    def of(cls, rank: Rank) -> Self:
        """That of `rank`."""
        return cls(rank, rank.depth, improvable_bits(rank))

    def merged(self, other: "TargetRank") -> "TargetRank":
        """Both of these at once; one of the two itself, where it is as good."""
        rank = self.rank.merged(other.rank)
        for ranked in (self, other):
            if ranked.rank == rank:
                return ranked
        return TargetRank.of(rank)


_RECORDED: Final = TargetRank.of(JUST_RECORDED)
_OF_SITEMAPS: Final = {
    int(LinkKind.SITEMAP): TargetRank.of(LISTED),
    int(LinkKind.SITEMAP_INDEX): TargetRank.of(SITEMAP),
}
_SITEMAP, _SITEMAP_INDEX = _OF_SITEMAPS
# By numbers: looking up a member of an enum costs ten times as much.
_BY_ACTION: Final = {
    int(LinkAction.CHECK): TargetRank.of(AS_FILE),
    int(LinkAction.NOFOLLOW): TargetRank.of(JUST_NOFOLLOWED),
}
_FOLLOW: Final = int(LinkAction.FOLLOW)
# For `bytes.translate`: 1 for a link that is clicked, and for any other.
_MARKS_CLICKED: Final = bytes(action == _FOLLOW for action in range(256))
_MARKS_OTHER: Final = bytes(action != _FOLLOW for action in range(256))


class TargetRanks(Struct, frozen=True, gc=False):
    """The rank of each target of a page: for nearly all of them the `usual` one, of a click."""

    usual: TargetRank
    others: dict[int, TargetRank]
    """Those of the targets that are reached otherwise, by the index of the target."""

    def to(self, target: int) -> TargetRank:
        """That of the target with this index."""
        return self.others.get(target, self.usual)

    def depths(self, targets: int) -> list[int]:
        """The depths by which so many targets are reached."""
        found = [self.usual.depth] * targets
        for target, ranked in self.others.items():
            found[target] = ranked.depth
        return found


@lru_cache
def _clicked(rank: Rank) -> TargetRank:
    return TargetRank.of(rank.clicked())


@lru_cache
def _loaded_by_file(rank: Rank) -> TargetRank:
    return TargetRank.of(replace(AS_FILE, hops=rank.redirected().hops))


def target_ranks(rank: Rank, visit: Visit, actions: bytes) -> TargetRanks:
    """The rank of each of `visit.targets`, linked from a page that is itself reached by `rank`.

    `actions` are those of its links, as `Policy.actions` gives them. Of a hundred links, only the
    few are looked at that are not clicked.
    """
    targets, kinds = visit.links.targets, visit.links.kinds
    usual = _clicked(rank)
    by_action = _BY_ACTION
    if visit.outcome in FILES and LinkKind.CSS in kinds:
        # Style sheets that import style sheets, which servers can make up without end.
        usual = _loaded_by_file(rank)
        by_action = {**_BY_ACTION, int(LinkAction.CHECK): usual}
    if _SITEMAP in kinds or _SITEMAP_INDEX in kinds:
        clicked, places = set[int](), iter(range(len(kinds)))
    else:
        clicked = set(compress(targets, actions.translate(_MARKS_CLICKED)))
        places = _ones(actions.translate(_MARKS_OTHER))
    others: dict[int, TargetRank] = {}
    for place in places:
        target, action = targets[place], actions[place]
        if action == _FOLLOW:
            ranked = _OF_SITEMAPS.get(kinds[place], usual)
        else:
            ranked = by_action.get(action, _RECORDED)
        found = others.get(target) or (usual if target in clicked else ranked)
        others[target] = found if found is ranked else found.merged(ranked)
    if len(clicked.union(others)) < len(visit.targets):
        unlinked = set(range(len(visit.targets))) - clicked - others.keys()
        others.update(dict.fromkeys(unlinked, _RECORDED))
    return TargetRanks(usual, others)


def ids_not_reached_better(known: list[int], ranks: TargetRanks) -> list[int]:
    """The ids in packed entries of targets, 0 for those that are not known or better reached so."""
    bits, depth = ranks.usual.improvable_bits, ranks.usual.depth
    # What is not known is 0, and stays it.
    ids = [packed >> RANK_BITS if packed & bits <= depth else 0 for packed in known]
    for target, ranked in ranks.others.items():
        packed = known[target]
        ids[target] = packed >> RANK_BITS if packed & ranked.improvable_bits <= ranked.depth else 0
    return ids


def _ones(marks: bytes) -> Iterator[int]:
    """The places of the ones, of which there are few."""
    place = marks.find(1)
    while place >= 0:
        yield place
        place = marks.find(1, place + 1)


def positions_of_zeros(numbers: list[int]) -> Iterator[int]:
    """The places of the zeros, of which there are few: found without looking at each in Python."""
    place = -1
    for _ in range(numbers.count(0)):
        place = numbers.index(0, place + 1)
        yield place
