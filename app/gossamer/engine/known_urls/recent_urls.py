"""A bounded memory of URLs already seen, so that few of them need a look into the project file."""

from collections.abc import Callable, Iterable
from itertools import islice

from gossamer.engine.known_urls.older_url_hashes import MOST_PLACES, BloomFilter, SeenHashes
from gossamer.model.rank import MAX_HOPS, RECORDED, UNLINKED, Rank, SitemapRole
from gossamer.model.store_batch import UrlRow
from gossamer.model.visit import Visit

RANK_BITS = 27
_NO_FILE = 1 << 24
"""Set in the packed entry of a URL that is not wanted as a file."""
_NOT_LISTED = 1 << 25
"""Likewise where no sitemap names it."""
_NO_SITEMAP = 1 << 26
"""Likewise where it is not wanted as a sitemap."""
_DEPTH = 0xFFFF
_HOPS = 0xFF << 16
_ROLES = (SitemapRole.SITEMAP, SitemapRole.NONE, SitemapRole.LISTED, SitemapRole.NONE)
"""By the two bits from _NOT_LISTED on."""


class SeenUrls:
    """URL → id and rank, packed into one integer.

    The most recent `capacity` URLs are in a dict, older ones in a table that takes a tenth of its
    memory and has room for millions. What it has no room for is forgotten. While nothing was ever
    left out (`complete`), a URL that is not here is new. Otherwise only the project file can tell,
    unless `may_be_forgotten` says no. URLs whose row is not committed yet are never forgotten: the
    file would deny them.
    """

    def __init__(self, capacity: int, *, complete: bool, hash_places: int = MOST_PLACES) -> None:
        """Take the bounds and whether the project is empty, so that nothing is missing here."""
        self._forgotten = BloomFilter() if complete else None
        self._capacity = capacity
        self._recent: dict[str, int] = {}
        self._older = SeenHashes(hash_places)
        self.recent = self._recent.get
        """The packed entry of a URL, or None if it is not among the most recent."""
        self.older: Callable[[str], int | None] = self.recent
        """Likewise among the older ones, if there are any: for who has asked for it among the most
        recent."""
        self.complete = complete

    def get(self, url: str) -> int | None:
        """The packed entry of a URL, or None; see `id_of` and `improves`."""
        found = self.recent(url)
        return self.older(url) if found is None else found

    def __len__(self) -> int:
        """How many are remembered in the dict."""
        return len(self._recent)

    def may_be_forgotten(self, url: str) -> bool:
        """Whether the project file may know `url`, of which `get` knows nothing."""
        return self._forgotten is None or self._forgotten.may_have(url)

    def unknown(self, visits: Iterable[Visit], named: Iterable[str]) -> list[str]:
        """The URLs pointed at or named that memory may have forgotten: look them up first."""
        if self.complete:
            return []
        get = self.get
        wanted = {url for url in named if get(url) is None}
        for visit in visits:
            wanted.update(url for url in visit.targets if get(url) is None)
            if visit.location is not None and get(visit.location) is None:
                wanted.add(visit.location)
        return list(filter(self.may_be_forgotten, wanted))

    def found(self, rows: dict[str, UrlRow]) -> None:
        """Take in what the project file knows."""
        for url, row in rows.items():
            self.put(url, row.id, row.rank)

    def put(self, url: str, url_id: int, rank: Rank) -> None:
        """Remember `url`."""
        self._recent[url] = pack(url_id, rank)

    def trim(self, committed_id: int) -> None:
        """Put the oldest tenth away when over capacity, of those with an id to `committed_id`."""
        excess = len(self._recent) - self._capacity
        if excess <= 0:
            return
        self.older = self._older.get
        limit = (committed_id + 1) << RANK_BITS
        wanted = excess + self._capacity // 10
        old = ((url, packed) for url, packed in self._recent.items() if packed < limit)
        for url, packed in list(islice(old, wanted)):
            del self._recent[url]
            if not self._older.put(url, packed):
                self._forget(url)

    def _forget(self, url: str) -> None:
        self.complete = False
        # What was looked up in the file is forgotten again: once is enough, and takes no more room.
        if self._forgotten is not None and not self._forgotten.may_have(url):
            self._forgotten.add([url])


def pack(url_id: int, rank: Rank) -> int:
    """Id and rank as one integer: id, a bit each for what it is not, 8 of hops, 16 of depth.

    Whether a sitemap was read is left out: no way that is found tells of that.
    """
    bits = (0 if rank.as_file else _NO_FILE) | (0 if rank.listed else _NOT_LISTED)
    bits |= 0 if rank.as_sitemap else _NO_SITEMAP
    return url_id << RANK_BITS | bits | min(rank.hops, MAX_HOPS) << 16 | rank.depth


def id_of(packed: int) -> int:
    """The id in a packed entry."""
    return packed >> RANK_BITS


def tied(known: Iterable[int], depths: Iterable[int], url_id: int, depth: int) -> int:
    """Of packed entries, how many are of other URLs that clicks lead to, and no fewer clicks.

    So are those that were left out so far: `depths` has those at which they would be by this way.
    0 stands for what is not known.
    """
    others = [
        packed
        for packed, reached in zip(known, depths, strict=True)
        if packed
        and packed >> RANK_BITS != url_id
        and (
            depth <= packed & _DEPTH < UNLINKED
            or (packed & _DEPTH == RECORDED and reached < UNLINKED)
        )
    ]
    return len(others)


def rank_of(packed: int) -> Rank:
    """The rank in a packed entry."""
    listed = _ROLES[packed >> 25 & 3]
    hops = (packed & _HOPS) >> 16
    return Rank(packed & _DEPTH, hops, not packed & _NO_FILE, listed)


def improvable_bits(rank: Rank) -> int:
    """The bits of packed entries of which `rank` may better one.

    An entry that has no more in them than the rank's depth is not bettered: all it has there is a
    depth, and none that is greater.
    """
    bits = _DEPTH | (_HOPS if rank.hops < MAX_HOPS else 0)
    bits |= _NO_SITEMAP if rank.as_sitemap else 0
    return bits | (_NO_FILE if rank.as_file else 0) | (_NOT_LISTED if rank.listed else 0)


def improves(packed: int, rank: Rank) -> bool:
    """Whether `rank` is better than the entry's in one part: see `Rank.merged`."""
    known = rank_of(packed)
    return known.merged(rank) != known
