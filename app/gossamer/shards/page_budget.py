"""Divides the pages that a crawl may fetch among its shards.

Each has a part of them. What a shard does not need, as it has nothing left to fetch, goes to those
for which URLs wait; so that as many pages are fetched as by a crawl without shards.
"""

from collections.abc import Iterator, Sequence

from gossamer.model.messages.shard_messages import GrantPages, PageShare


class PageBudget:
    """The pages that each shard may fetch: never more in all than the crawl may.

    What is taken from a shard is given to others when it has said that it has heard of that.
    """

    def __init__(self, limit: int, fetched: Sequence[int]) -> None:
        """Take how many pages the crawl may fetch, and how many each shard has."""
        left = max(limit - sum(fetched), 0)
        parts = _parts(left, len(fetched))
        self._limits = [has + part for has, part in zip(fetched, parts, strict=True)]
        self._orders = [0] * len(fetched)
        """How often each was told another limit since its process was started."""
        self._shares: dict[int, PageShare] = {}
        """What those that run have said last."""
        self._free = 0
        """Pages that were taken from a shard, and are nobody's now."""

    def limit_of(self, shard: int) -> int:
        """How many pages a shard may fetch in all; to be told when it is started."""
        return self._limits[shard]

    def report(self, shard: int, share: PageShare) -> list[tuple[int, GrantPages]]:
        """Take in what a shard says of its pages; what is to be told to which shards."""
        self._shares[shard] = share
        if share.order == self._orders[shard]:
            self._free += self._limits[shard] - share.limit
            self._limits[shard] = share.limit
        return list(self._moves())

    def lost(self, shard: int) -> None:
        """The process of a shard is gone; what it was not heard to give away is still its own."""
        self._shares.pop(shard, None)
        self._orders[shard] = 0

    @property
    def is_settled(self) -> bool:
        """Whether nobody can have more pages than now, or needs more."""
        shares = self._shares.items()
        if any(share.order != self._orders[shard] for shard, share in shares):
            return False
        is_some_left = self._free > 0 or any(share.spare for _, share in shares)
        return not (is_some_left and any(share.wants_more for _, share in shares))

    def _moves(self) -> Iterator[tuple[int, GrantPages]]:
        heard = {n: share for n, share in self._shares.items() if share.order == self._orders[n]}
        wanting = [shard for shard, share in heard.items() if share.wants_more]
        if wanting and self._free:
            for shard, part in zip(wanting, _parts(self._free, len(wanting)), strict=True):
                self._limits[shard] += part
                yield self._told(shard, self._limits[shard])
            self._free = 0
        elif wanting:
            for shard, share in heard.items():
                if share.spare:
                    yield self._told(shard, share.limit - share.spare)

    def _told(self, shard: int, limit: int) -> tuple[int, GrantPages]:
        self._orders[shard] += 1
        return shard, GrantPages(limit, self._orders[shard])


def _parts(whole: int, number: int) -> list[int]:
    """So many parts, as equal as can be."""
    return [whole // number + (place < whole % number) for place in range(number)]
