"""The messages between a shard's crawl host and the coordinator of the shards."""

from msgspec import Struct, field

from gossamer.model.shards import HandedLink, PeerCounts

# ---------------------------------------------------------------- both ways


class LinkBatch(Struct, tag=True, frozen=True):
    """Links from one shard to another, numbered from `first` on without gaps."""

    sender: int
    receiver: int
    first: int
    links: list[HandedLink]

    @property
    def last(self) -> int:
        """The number of the last of them."""
        return self.first + len(self.links) - 1


# ---------------------------------------------------------------- coordinator → shard


class LinksTaken(Struct, tag=True, frozen=True):
    """The shard `receiver` has committed all links of this shard up to this number."""

    receiver: int
    number: int
    again: bool = False
    """Whether it has lost what was sent to it since, which is to be sent again."""


class FinishShard(Struct, tag=True, frozen=True):
    """No shard has anything left to do: end the crawl."""


class GrantPages(Struct, tag=True, frozen=True):
    """Fetch up to this many pages in total, unless there are more already."""

    limit: int
    order: int
    """Counts these messages since the process was started."""


# ---------------------------------------------------------------- shard → coordinator


class PageShare(Struct, frozen=True):
    """A shard's report on the pages that it may fetch, if the crawl has a limit."""

    limit: int
    """Its limit in total."""
    order: int = 0
    """The last `GrantPages` that it has received."""
    spare: int = 0
    """How many of these it does not need, as it has nothing left to fetch."""
    wants_more: bool = False
    """Whether URLs wait for which no pages are left."""


class ShardReport(Struct, tag=True, frozen=True):
    """What a shard had exchanged with the others when its file and memory last agreed."""

    run: int
    """Rises when the crawl restarts from its file; what was sent to it before is lost."""
    is_idle: bool
    """Whether there was nothing left to fetch, to admit and to commit."""
    peers: dict[int, PeerCounts] = field(default_factory=dict)
    pages: PageShare | None = None
    """None without a limit."""
