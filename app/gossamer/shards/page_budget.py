"""Divides the pages that a crawl may fetch among its shards.

Each gets a share. What a shard with nothing left to fetch does not need goes to those with waiting
URLs, so that as many pages are fetched as in a crawl without shards.
"""

from collections.abc import Iterator, Sequence

from gossamer.model.messages.shard_messages import GrantPages, PageShare


class PageBudget:
    """The pages that each shard may fetch: never more in all than the crawl may.

    What is taken from a shard is given to others once it has acknowledged that.
    """

    def __init__(self, limit: int, fetched: Sequence[int]) -> None:
        """`limit` is for the whole crawl; `fetched` is what each shard has."""
        left = max(limit - sum(fetched), 0)
        parts = _parts(left, len(fetched))
        self._limits = [has + part for has, part in zip(fetched, parts, strict=True)]
        self._orders = [0] * len(fetched)
        """How often each got another limit since its process was started."""
        self._shares: dict[int, PageShare] = {}
        """The last reports of running shards."""
        self._free = 0
        """Pages that were taken from a shard and not given to another yet."""

    def limit_of(self, shard: int) -> int:
        """How many pages a shard may fetch in all; send it when the shard is started."""
        return self._limits[shard]

    def report(self, shard: int, share: PageShare) -> list[tuple[int, GrantPages]]:
        """Take a shard's report of its pages; returns the grants to send, by shard."""
        self._shares[shard] = share
        if share.order == self._orders[shard]:
            self._free += self._limits[shard] - share.limit
            self._limits[shard] = share.limit
        return list(self._moves())

    def lost(self, shard: int) -> None:
        """Note that a shard's process is gone; it keeps what it has not given away yet."""
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
    """So many parts, as equal as possible."""
    return [whole // number + (place < whole % number) for place in range(number)]
