"""The set of known URLs in bounded memory, so that few checks need the project file.

Recent ones are kept as text, older ones only as hashes.
"""

from array import array
from collections.abc import Iterable
from itertools import islice, repeat
from typing import Final

from gossamer.model.discovery_rank import MAX_HOPS, RECORDED, UNLINKED, Rank, SitemapRole
from gossamer.model.store_batch import UrlRow
from gossamer.model.visit import Visit

_FIRST_WORDS: Final = 1 << 16
_MOST_WORDS: Final = 1 << 22
"""Most words of one part, 32 MiB."""
_TEXTS_PER_WORD: Final = 2


class BloomFilter:
    """A set of texts in four bytes each, with about 0.1 % false positives.

    It has no false negatives. It is a Bloom filter in which all bits of a text are in one word
    (Putze, Sanders, Singler: "Cache-, Hash- and Space-Efficient Bloom Filters", 2007). It grows by
    parts, each twice as large as the one before, because the bits do not tell whose they are.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._parts: list[tuple[array[int], int]] = []
        """Words of 64 bits, and the mask that makes an index of a hash."""
        self._room = 0

    def add(self, texts: Iterable[str]) -> None:
        """Add `texts`."""
        for text in texts:
            if not self._room:
                self._grow()
            words, mask = self._parts[-1]
            number = hash(text)
            words[number & mask] |= _bits(number)
            self._room -= 1

    def may_have(self, text: str) -> bool:
        """False if `text` was certainly never added."""
        number = hash(text)
        bits = _bits(number)
        for words, mask in self._parts:  # noqa: SIM110 - with `any` it takes three times as long
            if words[number & mask] & bits == bits:
                return True
        return False

    def _grow(self) -> None:
        size = min(2 * len(self._parts[-1][0]), _MOST_WORDS) if self._parts else _FIRST_WORDS
        self._parts.append((array("Q", bytes(8 * size)), size - 1))
        self._room = size * _TEXTS_PER_WORD


def _bits(number: int) -> int:
    """Three bits of a word, chosen by those bits of a hash that make no index."""
    return 1 << (number >> 46 & 63) | 1 << (number >> 52 & 63) | 1 << (number >> 58 & 63)


_PARTS: Final = 256
_PART_BITS: Final = 8
MOST_SLOTS = 1 << 14
"""Most slots of one part: 64 MiB in all."""


class SeenHashes:
    """A URL → a number of 64 bits, in 24 to 48 bytes for each URL, for up to 2.7 million.

    A URL is identified by its hash alone, 64 bits with a key that each process makes for itself:
    two among three million collide once in four million crawls. The table has parts that grow on
    their own, so that nobody waits for a rehash of all; in a part, the search starts at the slot
    that the hash names (linear probing).
    """

    def __init__(self, most_slots: int = MOST_SLOTS) -> None:
        """A part may have up to `most_slots` slots."""
        self._most_slots = most_slots
        self._hashes = [array("q", [0]) for _ in range(_PARTS)]
        self._numbers = [array("Q", [0]) for _ in range(_PARTS)]
        self._room = [0] * _PARTS

    def get(self, url: str) -> int | None:
        """The number of `url`; None if there is none."""
        url_hash = hash(url) or 1  # 0 marks an empty slot
        hashes = self._hashes[url_hash & 255]
        last = len(hashes) - 1
        slot = url_hash >> _PART_BITS & last
        while found := hashes[slot]:
            if found == url_hash:
                return self._numbers[url_hash & 255][slot]
            slot = slot + 1 & last
        return None

    def put(self, url: str, number: int) -> bool:
        """Remember the number of `url`; False if there is no room for another URL."""
        url_hash = hash(url) or 1
        part = url_hash & 255
        if self._room[part] <= 0 and not self._grown(part) and self.get(url) is None:
            return False
        self._put(part, url_hash, number)
        return True

    def _put(self, part: int, url_hash: int, number: int) -> None:
        hashes = self._hashes[part]
        last = len(hashes) - 1
        slot = url_hash >> _PART_BITS & last
        while (found := hashes[slot]) and found != url_hash:
            slot = slot + 1 & last
        if not found:
            hashes[slot] = url_hash
            self._room[part] -= 1
        self._numbers[part][slot] = number

    def _grown(self, part: int) -> bool:
        """Double the slots of a part, unless it has reached its limit."""
        hashes, numbers = self._hashes[part], self._numbers[part]
        slots = 2 * len(hashes)
        if slots > self._most_slots:
            return False
        self._hashes[part] = array("q", bytes(8 * slots))
        self._numbers[part] = array("Q", bytes(8 * slots))
        self._room[part] = _filled(slots)
        for url_hash, number in zip(hashes, numbers, strict=True):
            if url_hash:
                self._put(part, url_hash, number)
        return True


def _filled(slots: int) -> int:
    """How many slots may be taken: more would cluster too much. One is always free."""
    return 2 * slots // 3


RANK_BITS = 27
_NO_FILE = 1 << 24
"""Set in the packed entry of a URL that is not wanted as a file."""
_NOT_LISTED = 1 << 25
"""Set where no sitemap lists it."""
_NO_SITEMAP = 1 << 26
"""Set where it is not wanted as a sitemap."""
_DEPTH = 0xFFFF
_HOPS = 0xFF << 16
_ROLES = (SitemapRole.SITEMAP, SitemapRole.NONE, SitemapRole.LISTED, SitemapRole.NONE)
"""By the two bits from _NOT_LISTED on."""


class SeenUrls:
    """URL → id and rank, packed into one integer.

    The most recent `capacity` URLs are in a dict, older ones in a table that takes a tenth of its
    memory and has room for millions. What it has no room for is forgotten. As long as nothing was
    ever left out (`complete`), a URL that is not here is new. Otherwise only the project file can
    tell, unless `may_be_forgotten` says no. URLs whose row is not committed yet are never
    forgotten: the file does not have them.
    """

    def __init__(
        self,
        capacity: int,
        *,
        complete: bool,
        hash_slots: int = MOST_SLOTS,
        forgotten: BloomFilter | None = None,
    ) -> None:
        """`complete` is whether the project is empty, so that nothing is missing here.

        `forgotten` collects what is forgotten of such a project.
        """
        self._forgotten = forgotten or BloomFilter() if complete else None
        self._capacity = capacity
        self._recent: dict[str, int] = {}
        self._older = SeenHashes(hash_slots)
        self._has_older = False
        self.complete = complete

    def get(self, url: str) -> int | None:
        """The packed entry of a URL, or None; see `id_of` and `improves`."""
        found = self._recent.get(url)
        return self._older.get(url) if found is None and self._has_older else found

    def packed(self, urls: list[str]) -> list[int]:
        """The packed entries of all these, 0 for what is not remembered."""
        found = list(map(self._recent.get, urls, repeat(0)))
        if self._has_older and 0 in found:
            older = self._older.get
            found = [packed or older(url) or 0 for url, packed in zip(urls, found, strict=True)]
        return found

    def __len__(self) -> int:
        """The number of URLs in the dict."""
        return len(self._recent)

    def may_be_forgotten(self, url: str) -> bool:
        """Whether the project file may know `url`, which `get` does not."""
        return self._forgotten is None or self._forgotten.may_have(url)

    def unknown(self, visits: Iterable[Visit], named: Iterable[str]) -> list[str]:
        """The targets and named URLs that memory may have forgotten: look them up first."""
        if self.complete:
            return []
        get = self.get
        wanted = {url for url in named if get(url) is None}
        for visit in visits:
            found = self.packed(visit.targets)
            wanted.update(
                url for url, packed in zip(visit.targets, found, strict=True) if not packed
            )
            if visit.location is not None and get(visit.location) is None:
                wanted.add(visit.location)
        return list(filter(self.may_be_forgotten, wanted))

    def found(self, rows: dict[str, UrlRow]) -> None:
        """Add what the project file knows."""
        for url, row in rows.items():
            self.put(url, row.id, row.rank)

    def put(self, url: str, url_id: int, rank: Rank) -> None:
        """Remember `url`."""
        self._recent[url] = pack(url_id, rank)

    def trim(self, committed_id: int) -> None:
        """When over capacity, move the oldest tenth of those with ids up to `committed_id` away."""
        excess = len(self._recent) - self._capacity
        if excess <= 0:
            return
        self._has_older = True
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

    Whether a sitemap was read is left out: no link that is found says so.
    """
    bits = (0 if rank.as_file else _NO_FILE) | (0 if rank.listed else _NOT_LISTED)
    bits |= 0 if rank.as_sitemap else _NO_SITEMAP
    return url_id << RANK_BITS | bits | min(rank.hops, MAX_HOPS) << 16 | rank.depth


def id_of(packed: int) -> int:
    """The id in a packed entry."""
    return packed >> RANK_BITS


def tied(known: Iterable[int], depths: Iterable[int], url_id: int, depth: int) -> int:
    """How many packed entries are of other URLs that clicks reach, with no fewer than `depth`.

    Those left out so far count too: `depths` has the depths that this way would give them. 0 stands
    for what is not known.
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
