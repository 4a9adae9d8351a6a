"""Near duplicates: indexable pages that share most of their text, found by their sketches.

Bands are some bytes of the MinHash of a sketch. Only pages that agree in a whole band are compared,
never all pairs.
"""

from collections.abc import Callable, Iterator
from math import ceil, log
from typing import Final, NamedTuple

import numpy as np

from gossamer.audit.audited_crawl import UNMEASURED, AuditedCrawl, Finding
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.sketches import (
    COUNT_BYTES,
    MINHASH_BITS,
    MINHASH_BYTES,
    SKETCH_BYTES,
    estimated_share,
    sketch_estimates,
)
from gossamer.store.auditing.number_arrays import (
    Flags,
    Ids,
    Numbers,
    contains,
    distinct,
    first_of,
    pair_keys,
    second_of,
)

LIMITS: Final = ("duplicate_min_percent",)
_SURE: Final = 0.999
"""The least probability with which pages as similar as the threshold are compared."""
_WIDTHS: Final = {8: 40, 4: 40, 3: 48, 2: 256}
"""The bytes of a band, and the most bands that are sorted."""
_MOST_COMPARED: Final = 8_000_000
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_MINHASH_WORDS: Final = MINHASH_BYTES // 8
_COUNT_SHIFT: Final = np.uint64(64 - 8 * COUNT_BYTES)
_PARITY_MASK: Final = np.uint64((1 << 64 - 8 * COUNT_BYTES) - 1)
_DISTANCES, _VARIANCES, _PHRASES = map(np.array, sketch_estimates())
_AT_ONCE: Final = 50_000
_ROWS: Final = 20_000
_RULE: Final = "Content: Near Duplicates"
_READ: Final = f"""
    SELECT id, sketch, content_hash FROM visit WHERE length(sketch) = {SKETCH_BYTES} ORDER BY id
"""  # noqa: S608 - a number


def near_duplicates(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rule; the value is the id of the most similar page."""
    ids, sketches, contents = _read(crawl)
    texts = _Texts(sketches, contents)
    sketches = _moved_to_front(sketches, texts.samples)
    pairs = similar_pairs(
        sketches, settings.duplicate_min_percent / 100, crawl.file.check_cancelled
    )
    similar = _similar_pages(texts, pairs, _shares(sketches, pairs))
    is_near = similar.pages > 0
    near, others = ids[is_near], ids[similar.closest[is_near]]
    for name, values in (
        ("near_duplicates", similar.pages[is_near]),
        ("near_duplicate_match", similar.percent[is_near]),
        ("near_duplicate_id", others),
    ):
        crawl.measured[name] = np.full(len(crawl.urls), UNMEASURED, np.int32)
        crawl.measured[name][near] = values
    yield Finding(_RULE, near, others.tolist())


def _read(crawl: AuditedCrawl) -> tuple[Ids, Numbers, Ids]:
    """The ascending ids of indexable pages with a sketch; sketches; positions of equal content."""
    is_indexable = crawl.urls.is_indexable
    count = int(is_indexable.sum())
    sketches = np.zeros((count, SKETCH_BYTES), np.uint8)
    ids, contents = np.zeros(count, np.int64), np.zeros(count, np.int64)
    done = 0
    with crawl.file.reading() as connection:
        rows = connection.execute(_READ)
        while part := rows.fetchmany(_ROWS):
            crawl.file.check_cancelled()
            kept = [row for row in part if row[0] < len(is_indexable) and is_indexable[row[0]]]
            end = done + len(kept)
            data = b"".join(row[1] for row in kept)
            sketches[done:end] = np.frombuffer(data, np.uint8).reshape(-1, SKETCH_BYTES)
            ids[done:end] = [row[0] for row in kept]
            contents[done:end] = [hash(row[2]) for row in kept]
            done = end
    return ids[:done], sketches[:done], _first_places(contents[:done])


def _moved_to_front(sketches: Numbers, samples: Ids) -> Numbers:
    """The sketches at these positions, which ascend, without a copy of them all."""
    for start in range(0, len(samples), _AT_ONCE):
        part = samples[start : start + _AT_ONCE]
        sketches[start : start + len(part)] = sketches[part]
    return sketches[: len(samples)]


def _keys(sketches: Numbers) -> Numbers:
    """A hash of each sketch."""
    factors = np.random.default_rng(1).integers(1, 2**63, SKETCH_BYTES // 8, np.uint64) | 1
    keys = np.zeros(len(sketches), np.uint64)
    for start in range(0, len(sketches), _AT_ONCE):
        words = sketches[start : start + _AT_ONCE].view(np.uint64)
        keys[start : start + _AT_ONCE] = (words * factors).sum(axis=1)
    return keys


def _first_places(values: Ids) -> Ids:
    """For each, the position of the first equal value."""
    order = np.argsort(values, kind="stable")
    starts = _starts(values[order])
    first = np.empty_like(order)
    first[order] = order[np.flatnonzero(starts)[np.cumsum(starts) - 1]]
    return first


class _Texts:
    """Which pages have the same sketch, and so the same text: they are adjacent in `order`.

    All numbers are positions in the columns of pages. Pages of a text that also have the same
    content are exact duplicates, not near ones.
    """

    def __init__(self, sketches: Numbers, contents: Ids) -> None:
        keys = _keys(sketches)
        order = np.lexsort((contents, keys))
        starts_text = _starts(keys[order])
        starts_content = starts_text | _starts(contents[order])
        text_of = np.cumsum(starts_text) - 1
        firsts = order[starts_text]
        text_of = np.argsort(np.argsort(firsts))[text_of]
        self.samples = np.sort(firsts)
        """The first page of each text, ascending."""
        self.sizes = np.bincount(text_of, minlength=len(self.samples))
        """The pages with each text."""
        content_of = np.cumsum(starts_content) - 1
        self.of_page = np.empty_like(text_of)
        """The text of each page."""
        self.of_page[order] = text_of
        self.duplicates = np.empty_like(text_of)
        """The pages with the content of each page, itself included."""
        self.duplicates[order] = np.bincount(content_of)[content_of] if len(order) else text_of
        self.others = self._others(order, contents, starts_text, starts_content)
        """For each page, the first one of its text with other content; itself if there is none."""

    def _others(self, order: Ids, contents: Ids, starts_text: Flags, starts_content: Flags) -> Ids:
        second = self.samples.copy()  # of each text, the first page with other content than these
        places = np.flatnonzero(starts_content & ~starts_text)[::-1]
        second[self.of_page[order[places]]] = order[places]
        samples, seconds = self.samples[self.of_page], second[self.of_page]
        pages = np.arange(len(order))
        differs = contents != contents[samples]
        return np.where(differs, samples, np.where(seconds != samples, seconds, pages))


class _SimilarPages(NamedTuple):
    """For each page: how many are similar to it, the closest one, and how much both share."""

    pages: Numbers
    closest: Numbers
    percent: Numbers


def _similar_pages(texts: _Texts, pairs: Ids, shares: Numbers) -> _SimilarPages:
    """`pairs` of texts are similar, and share this much."""
    count = len(texts.samples)
    first, second = first_of(pairs).astype(np.int32), second_of(pairs).astype(np.int32)
    similar, share = np.zeros(count, np.int64), np.zeros(count, np.float32)
    closest = np.full(count, count, np.int32)
    for here, there in ((first, second), (second, first)):
        similar += np.bincount(here, texts.sizes[there], minlength=count).astype(np.int64)
        np.maximum.at(share, here, shares)
    for here, there in ((first, second), (second, first)):
        is_best = shares == share[here]
        np.minimum.at(closest, here[is_best], there[is_best])
    closest[closest == count] = 0  # of what has none
    alike = texts.sizes[texts.of_page] - texts.duplicates
    percent = np.where(alike > 0, 100, np.floor(100 * share[texts.of_page] + 0.5))
    other_text = texts.samples[closest[texts.of_page]] if count else texts.of_page
    return _SimilarPages(
        alike + similar[texts.of_page], np.where(alike > 0, texts.others, other_text), percent
    )


def similar_pairs(sketches: Numbers, least: float, check: Callable[[], None]) -> Ids:
    """The pairs of sketches that share at least this much, each once; see `pair_keys`.

    At most `_MOST_COMPARED` are compared, beginning with those that are adjacent when the bands are
    sorted. `check` is called now and then, and may raise.
    """
    bands = _bands(least, len(sketches))
    found = np.zeros(0, np.int64)
    for band, next_band in zip(bands, bands[1:] + bands[:1], strict=True):
        keys = _keys_of_band(sketches, band)
        order = np.argsort(keys << np.uint64(32) | _keys_of_band(sketches, next_band))
        parts = [found]
        for left, right in _neighbours(order, keys[order], _MOST_COMPARED // len(bands)):
            check()
            pairs = pair_keys(np.minimum(left, right), np.maximum(left, right))
            pairs = pairs[~contains(found, pairs)]
            parts.append(pairs[_shares(sketches, pairs) >= least])
        found = distinct(np.concatenate(parts))
    return found


def _bands(least: float, pages: int) -> list[Ids]:
    """The columns of each band: as wide as possible to find the pairs that share `least`.

    If none would, and pages are few, one band has no columns: all pairs agree in that.
    """
    agree = (1 + least) / 2
    for width, most in _WIDTHS.items():
        is_missed = 1 - agree ** (8 * width)
        count = ceil(log(1 - _SURE) / log(is_missed)) if is_missed else 1
        if count <= most:
            break
    if count > most and pages * pages // 2 <= _MOST_COMPARED:
        return [np.zeros(0, np.int64)]
    count = min(count, most)
    random = np.random.default_rng(1)
    bands: list[Ids] = []
    while len(bands) < count:
        columns = random.permutation(MINHASH_BYTES)
        bands += [columns[at : at + width] for at in range(0, MINHASH_BYTES - width + 1, width)]
    return bands[:count]


def _keys_of_band(sketches: Numbers, columns: Ids) -> Numbers:
    """Numbers of 32 bits: for wider bands, hashes."""
    keys = np.zeros(len(sketches), np.uint64)
    for column in columns:
        keys = keys * _FACTOR ^ sketches[:, column]
    return keys * _FACTOR >> np.uint64(32)


def _neighbours(order: Ids, keys: Numbers, most: int) -> Iterator[tuple[Ids, Ids]]:
    """Pairs that agree in their sorted keys, the closest ones first, about `most` of them."""
    is_first = _starts(keys)
    starts = np.flatnonzero(is_first)
    ends = np.append(starts[1:], len(keys))[np.cumsum(is_first) - 1] if len(keys) else starts
    places = np.arange(len(keys))
    distance = 0
    while most > 0:
        distance += 1
        places = places[places + distance < ends[places]]
        if not len(places):
            return
        for start in range(0, len(places), _AT_ONCE):
            part = places[start : start + _AT_ONCE]
            yield order[part], order[part + distance]
        most -= len(places)


def _shares(sketches: Numbers, pairs: Ids) -> Numbers:
    """How much of their texts pairs share, by their sketches."""
    shares = np.zeros(len(pairs), np.float32)
    words = sketches.view(np.uint64)
    for start in range(0, len(pairs), _AT_ONCE):
        part = pairs[start : start + _AT_ONCE]
        one, other = words[first_of(part)], words[second_of(part)]
        counts, other_counts = one[:, -1] >> _COUNT_SHIFT, other[:, -1] >> _COUNT_SHIFT
        one ^= other
        one[:, -1] &= _PARITY_MASK
        differing = np.bitwise_count(one)
        odd = differing[:, _MINHASH_WORDS:].sum(axis=1)
        estimated = estimated_share(
            _DISTANCES[odd],
            _VARIANCES[odd],
            counts + other_counts,
            _PHRASES[counts] + _PHRASES[other_counts],
            MINHASH_BITS - differing[:, :_MINHASH_WORDS].sum(axis=1, dtype=np.int64),
        )
        shares[start : start + len(part)] = np.clip(estimated, 0, 1)
    return shares


def _starts(ordered: Numbers) -> Flags:
    """Which of the sorted numbers differ from the one before."""
    starts = np.ones(len(ordered), np.bool_)
    starts[1:] = ordered[1:] != ordered[:-1]
    return starts
