"""A bounded memory of URLs already seen, so that few of them need a look into the project file."""

from app.model.rows import MAX_HOPS, Rank

RANK_BITS = 25
_NO_FILE = 1 << 24
"""Set in the packed entry of a URL that is not wanted as a file."""
_HOPS = 0xFF


class KnownUrls:
    """URL → id and rank, packed into one integer, for the most recent `capacity` URLs.

    While nothing was ever left out (`complete`), a URL that is not here is new. Otherwise only
    the project file can tell. URLs whose row is not committed yet are never dropped: the file
    would deny them.
    """

    def __init__(self, capacity: int, *, complete: bool) -> None:
        """Take the bound and whether the project is empty, so that nothing is missing here."""
        self._capacity = capacity
        self._packed: dict[str, int] = {}
        self.get = self._packed.get
        """The packed entry of a URL, or None; see `id_of` and `reached_better`."""
        self.complete = complete

    def __len__(self) -> int:
        """How many URLs are remembered."""
        return len(self._packed)

    def put(self, url: str, url_id: int, rank: Rank) -> None:
        """Remember `url`."""
        self._packed[url] = pack(url_id, rank)

    def trim(self, committed_id: int) -> None:
        """Drop the oldest tenth when over capacity; only URLs with an id up to `committed_id`."""
        excess = len(self._packed) - self._capacity
        if excess <= 0:
            return
        limit = (committed_id + 1) << RANK_BITS
        wanted = excess + self._capacity // 10
        dropped: list[str] = []
        for url, packed in self._packed.items():
            if len(dropped) == wanted:
                break
            if packed < limit:
                dropped.append(url)
        for url in dropped:
            del self._packed[url]
        self.complete = self.complete and not dropped


def pack(url_id: int, rank: Rank) -> int:
    """Id and rank as one integer: id, a bit that is 0 for a file, 16 of depth, 8 of hops."""
    no_file = 0 if rank.as_file else _NO_FILE
    return url_id << RANK_BITS | no_file | rank.depth << 8 | min(rank.hops, MAX_HOPS)


def id_of(packed: int) -> int:
    """The id in a packed entry."""
    return packed >> RANK_BITS


def rank_of(packed: int) -> Rank:
    """The rank in a packed entry."""
    return Rank(packed >> 8 & 0xFFFF, packed & _HOPS, not packed & _NO_FILE)


def bits_bettered(rank: Rank) -> int:
    """The bits of packed entries of which `rank` may better one, depth aside.

    Where none of them is set, only a lower depth changes the entry.
    """
    return (_HOPS if rank.hops < MAX_HOPS else 0) | (_NO_FILE if rank.as_file else 0)


def reached_better(packed: int, rank: Rank) -> bool:
    """Whether `rank` is better than the entry's in one part: see `Rank.merged`."""
    return (
        rank.depth < packed >> 8 & 0xFFFF
        or rank.hops < packed & _HOPS
        or (rank.as_file and bool(packed & _NO_FILE))
    )
