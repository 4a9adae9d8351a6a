"""The shards of a crawl: which one a project is, and what they hand over to each other."""

from msgspec import Struct

from gossamer.model.rank import Rank

MOST_SHARDS = 1000
"""More would have more batches under way between them than a coordinator can carry."""


class ShardIdentity(Struct, frozen=True):
    """Which shard of which crawl a project is. `number` counts from 0."""

    crawl: str
    """The id of the crawl, the same in all its shards: 32 hexadecimal digits."""
    number: int
    shards: int
    """How many the crawl has, from its first to its last day."""

    def share_of(self, whole: int) -> int:
        """What this shard has of something that is divided among all; at least 1."""
        return max(whole // self.shards + (self.number < whole % self.shards), 1)


class PeerCounts(Struct, frozen=True):
    """What one shard and another have handed over to each other, as the file of the one has it.

    Links from one shard to another are numbered from 1, without gaps.
    """

    sent: int = 0
    """The number of the last link to the other."""
    acknowledged: int = 0
    """The number of the last one that the other has committed, and that is not kept any more."""
    received: int = 0
    """The number of the last link from the other that is committed here."""


NOTHING_EXCHANGED = PeerCounts()


class HandedLink(Struct, frozen=True, array_like=True, gc=False):
    """A URL of another shard, and a rank at which it is reached here."""

    url: str
    rank: Rank
    referrer: str = ""
    """The page on which it was first found; "" where robots.txt or the user names it."""
