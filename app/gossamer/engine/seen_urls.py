"""The set of known URLs in bounded memory, so that few checks need the project file.

Recent ones are kept with their text, older ones by their hashes alone.
"""

from array import array
from collections.abc import Iterable
from itertools import islice, repeat
from typing import Final

from gossamer.model.rank import MAX_HOPS, RECORDED, UNLINKED, Rank, SitemapRole
from gossamer.model.store_batch import UrlRow
from gossamer.model.visit import Visit

_FIRST_WORDS: Final = 1 << 16
_MOST_WORDS: Final = 1 << 22
"""Of one part, 32 MiB."""
_TEXTS_PER_WORD: Final = 2


class BloomFilter:
    """A set of texts in four bytes each, with about 0.1 % false positives.

    What was added is always said to be in it; of other texts, nearly none are. It is a Bloom filter
    in which all bits of a text stand in one word (Putze, Sanders, Singler: "Cache-, Hash- and
    Space-Efficient Bloom Filters", 2007). It grows by parts, each twice as large as the one before,
    because the bits do not tell whose they are.
    """

    def __init__(self) -> None:
        """Nothing is in it."""
        self._parts: list[tuple[array[int], int]] = []
        """Words of 64 bits, and what is left of a hash as the index of one."""
        self._room = 0

    def add(self, texts: Iterable[str]) -> None:
        """Take in `texts`."""
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
    """Three bits of a word, by those of a hash that no index is made of."""
    return 1 << (number >> 46 & 63) | 1 << (number >> 52 & 63) | 1 << (number >> 58 & 63)


_PARTS: Final = 256
_PART_BITS: Final = 8
MOST_PLACES = 1 << 14
"""Of one part: 64 MiB in all."""


class SeenHashes:
    """A URL → a number of 64 bits, in 24 to 48 bytes for each URL, for up to 2.7 million.

    A URL is told by its hash alone, 64 bits with a key that each process makes for itself: that two
    among three million have the same one happens once in four million crawls. They stand in parts
    that grow on their own, so that nobody waits for all of them to be put elsewhere; in a part they
    are looked for from the place that the hash names onwards (linear probing).
    """

    def __init__(self, most_places: int = MOST_PLACES) -> None:
        """Take how many places a part may have."""
        self._most_places = most_places
        self._hashes = [array("q", [0]) for _ in range(_PARTS)]
        self._numbers = [array("Q", [0]) for _ in range(_PARTS)]
        self._room = [0] * _PARTS

    def get(self, url: str) -> int | None:
        """The number of `url`; None if there is none."""
        told = hash(url) or 1  # 0 stands where nothing is
        hashes = self._hashes[told & 255]
        last = len(hashes) - 1
        place = told >> _PART_BITS & last
        while found := hashes[place]:
            if found == told:
                return self._numbers[told & 255][place]
            place = place + 1 & last
        return None

    def put(self, url: str, number: int) -> bool:
        """Remember the number of `url`; False if there is no room for another URL."""
        told = hash(url) or 1
        part = told & 255
        if self._room[part] <= 0 and not self._grown(part) and self.get(url) is None:
            return False
        self._put(part, told, number)
        return True

    def _put(self, part: int, told: int, number: int) -> None:
        hashes = self._hashes[part]
        last = len(hashes) - 1
        place = told >> _PART_BITS & last
        while (found := hashes[place]) and found != told:
            place = place + 1 & last
        if not found:
            hashes[place] = told
            self._room[part] -= 1
        self._numbers[part][place] = number

    def _grown(self, part: int) -> bool:
        """Give a part twice as many places, unless it has all it may have."""
        hashes, numbers = self._hashes[part], self._numbers[part]
        places = 2 * len(hashes)
        if places > self._most_places:
            return False
        self._hashes[part] = array("q", bytes(8 * places))
        self._numbers[part] = array("Q", bytes(8 * places))
        self._room[part] = _filled(places)
        for told, number in zip(hashes, numbers, strict=True):
            if told:
                self._put(part, told, number)
        return True


def _filled(places: int) -> int:
    """So many places may be taken; with more, too many are neighbours. One is always free."""
    return 2 * places // 3


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

    def __init__(
        self,
        capacity: int,
        *,
        complete: bool,
        hash_places: int = MOST_PLACES,
        forgotten: BloomFilter | None = None,
    ) -> None:
        """Take the bounds and whether the project is empty, so that nothing is missing here.

        `forgotten` is to have what is forgotten of such a project.
        """
        self._forgotten = forgotten or BloomFilter() if complete else None
        self._capacity = capacity
        self._recent: dict[str, int] = {}
        self._older = SeenHashes(hash_places)
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
            found = self.packed(visit.targets)
            wanted.update(
                url for url, packed in zip(visit.targets, found, strict=True) if not packed
            )
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
