"""Decides how the links of a page reach their targets."""

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


class LinkPath(Struct, frozen=True, gc=False):
    """The rank at which a link leads to a URL, as far as decisions depend on it."""

    rank: Rank
    depth: int
    """That of the rank."""
    improvable_bits: int
    """See `improvable_bits`."""

    @classmethod
    def of(cls, rank: Rank) -> Self:
        """The way of this rank."""
        return cls(rank, rank.depth, improvable_bits(rank))

    def merged(self, other: "LinkPath") -> "LinkPath":
        """Both of these at once; one of the two itself, where it is as good."""
        rank = self.rank.merged(other.rank)
        for way in (self, other):
            if way.rank == rank:
                return way
        return LinkPath.of(rank)


_RECORDED: Final = LinkPath.of(JUST_RECORDED)
_OF_SITEMAPS: Final = {
    int(LinkKind.SITEMAP): LinkPath.of(LISTED),
    int(LinkKind.SITEMAP_INDEX): LinkPath.of(SITEMAP),
}
_SITEMAP, _SITEMAP_INDEX = _OF_SITEMAPS
# By numbers: looking up a member of an enum costs ten times as much.
_BY_ACTION: Final = {
    int(LinkAction.CHECK): LinkPath.of(AS_FILE),
    int(LinkAction.NOFOLLOW): LinkPath.of(JUST_NOFOLLOWED),
}
_FOLLOW: Final = int(LinkAction.FOLLOW)
# For `bytes.translate`: 1 for a link that is clicked, and for any other.
_MARKS_CLICKED: Final = bytes(action == _FOLLOW for action in range(256))
_MARKS_OTHER: Final = bytes(action != _FOLLOW for action in range(256))


class LinkPaths(Struct, frozen=True, gc=False):
    """How each target of a page is reached: nearly all of them the `usual` way, by a click."""

    usual: LinkPath
    others: dict[int, LinkPath]
    """Of those that are reached otherwise, by their index."""

    def to(self, target: int) -> LinkPath:
        """How the target with this index is reached."""
        return self.others.get(target, self.usual)

    def depths(self, targets: int) -> list[int]:
        """The depths by which so many targets are reached."""
        found = [self.usual.depth] * targets
        for target, way in self.others.items():
            found[target] = way.depth
        return found


@lru_cache
def _clicked(rank: Rank) -> LinkPath:
    return LinkPath.of(rank.clicked())


@lru_cache
def _loaded_by_file(rank: Rank) -> LinkPath:
    return LinkPath.of(replace(AS_FILE, hops=rank.redirected().hops))


def link_paths(rank: Rank, visit: Visit, actions: bytes) -> LinkPaths:
    """How each of `visit.targets` is reached from a page that is itself reached by `rank`.

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
    others: dict[int, LinkPath] = {}
    for place in places:
        target, action = targets[place], actions[place]
        if action == _FOLLOW:
            way = _OF_SITEMAPS.get(kinds[place], usual)
        else:
            way = by_action.get(action, _RECORDED)
        found = others.get(target) or (usual if target in clicked else way)
        others[target] = found if found is way else found.merged(way)
    if len(clicked.union(others)) < len(visit.targets):
        unlinked = set(range(len(visit.targets))) - clicked - others.keys()
        others.update(dict.fromkeys(unlinked, _RECORDED))
    return LinkPaths(usual, others)


def ids_unless_bettered(known: list[int], paths: LinkPaths) -> list[int]:
    """The ids in packed entries of targets, 0 for those that are not known or better reached so."""
    bits, depth = paths.usual.improvable_bits, paths.usual.depth
    # What is not known is 0, and stays it.
    ids = [packed >> RANK_BITS if packed & bits <= depth else 0 for packed in known]
    for target, way in paths.others.items():
        packed = known[target]
        ids[target] = packed >> RANK_BITS if packed & way.improvable_bits <= way.depth else 0
    return ids


def _ones(marks: bytes) -> Iterator[int]:
    """The places of the ones, of which there are few."""
    place = marks.find(1)
    while place >= 0:
        yield place
        place = marks.find(1, place + 1)


def zeros(numbers: list[int]) -> Iterator[int]:
    """The places of the zeros, of which there are few: found without looking at each in Python."""
    place = -1
    for _ in range(numbers.count(0)):
        place = numbers.index(0, place + 1)
        yield place
