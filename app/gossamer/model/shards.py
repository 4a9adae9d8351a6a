"""The shards of a crawl: which one a project is, and what they hand over to each other."""

import re
from enum import IntEnum
from typing import Final

from msgspec import Struct

from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import ProjectError

MOST_SHARDS = 1000
"""More would exchange more batches than a coordinator can carry."""
SHARD_FILE: Final = re.compile(r"shard-(\d+)-of-(\d+)\.gossamer")
"""The name of a shard's file: its number, which counts from 1, and how many there are."""


class ShardIdentity(Struct, frozen=True):
    """Which shard of which crawl a project is. `number` counts from 0."""

    crawl: str
    """The id of the crawl, the same in all its shards: 32 hexadecimal digits."""
    number: int
    shards: int
    """How many the crawl has, from beginning to end."""

    def share_of(self, whole: int) -> int:
        """This shard's share of something that is divided among all; at least 1."""
        return max(whole // self.shards + (self.number < whole % self.shards), 1)


class PeerCounts(Struct, frozen=True):
    """What a shard has exchanged with another, as its own file has it.

    Links from one shard to another are numbered from 1, without gaps.
    """

    sent: int = 0
    """The number of the last link to the other."""
    acknowledged: int = 0
    """The number of the last one that the other has committed, and that is no longer kept."""
    received: int = 0
    """The number of the last link from the other that is committed here."""


NOTHING_EXCHANGED = PeerCounts()


class StaleShardError(ProjectError):
    """A shard's file is older than what others know of it: a copy has replaced it."""

    def __init__(self, shard: int, other: int) -> None:
        super().__init__(
            "Shard {shard} is older than what shard {other} has exchanged with it, so links would "
            "be lost; restore the latest file of each shard.",
            shard=shard + 1,
            other=other + 1,
        )


def ensure_fresh(shard: int, here: PeerCounts, other: int, there: PeerCounts) -> None:
    """Raise StaleShardError if one of two shards knows more of the other than that itself.

    `here` is what `shard` has exchanged with `other`, `there` what `other` has with it.
    """
    if here.sent < there.received or here.received < there.acknowledged:
        raise StaleShardError(shard, other)
    if there.sent < here.received or there.received < here.acknowledged:
        raise StaleShardError(other, shard)


class PageJudgement(Struct, frozen=True, array_like=True, gc=False):
    """What decides whether links on a page count against trap budgets: see `engine.traps`."""

    spread: int = 0
    """How many pages in a row spread, up to this one."""
    is_new: bool = True
    """Whether it says something that no page said before."""
    is_alike: bool = False
    """Whether it looks just like a page seen before."""


UNSUSPICIOUS = PageJudgement()


class HandedAs(IntEnum):
    """Why a link is handed over. Stored in `outgoing_link.handed_as`."""

    FREE = 0
    """A link that no trap budget counts: the URL is fetched if its rank and the settings allow."""
    COUNTED = 1
    """A link that the budgets of the shard that owns the URL may count, and refuse."""
    PROPAGATED = 2
    """A link that was handed over before, on a page that is reached at a better rank by now."""


class CountedLink(Struct, frozen=True, gc=False):
    """A link to a URL of another shard, whose budgets may refuse it."""

    id: int
    """Of the URL, here."""
    rank: Rank
    page: int
    """The id of the page that it is on."""
    judgement: PageJudgement


class HandedLink(Struct, frozen=True, array_like=True, gc=False):
    """A URL of another shard, and a rank at which it is reached here."""

    url: str
    rank: Rank
    referrer: str = ""
    """The page with the link; "" where robots.txt or the user names it."""
    act: str = ""
    """The words of a link to it that looks like it signs out or deletes something; "" for none."""
    handed_as: HandedAs = HandedAs.FREE
    judgement: PageJudgement = UNSUSPICIOUS
    """That of the referrer."""
