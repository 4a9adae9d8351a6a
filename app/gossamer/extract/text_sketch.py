"""Sketches a text by its phrases, to find near duplicates: see `gossamer.model.sketches`.

C does the same (`app/gossamer/extract/native/sketch.h`).
"""

from collections.abc import Iterable
from typing import Final

from gossamer.extract.phrase_hashes import mix
from gossamer.model.sketches import (
    BINS,
    COUNT_BYTES,
    MINHASH_BITS,
    MINHASH_BYTES,
    PARITY_BITS,
    SKETCH_BYTES,
)

MIN_SKETCH_WORDS: Final = 20
_VALUE_BITS: Final = 21
"""The bits of a phrase of 32 bits that are left besides its bin."""
_VALUE: Final = 2**_VALUE_BITS - 1
_BINS_PER_BIT: Final = BINS // MINHASH_BITS


def sketch_of(phrases: Iterable[int]) -> bytes:
    """The sketch of at least one hash of 32 bits."""
    lowest: dict[int, int] = {}
    for phrase in phrases:
        where = phrase >> _VALUE_BITS
        lowest[where] = min(phrase, lowest.get(where, phrase))
    parity = 0
    for phrase in lowest.values():
        parity ^= 1 << ((mix(phrase) >> 32) * PARITY_BITS >> 32)
    parity_bytes = SKETCH_BYTES - MINHASH_BYTES - COUNT_BYTES
    return (
        _minhash(lowest).to_bytes(MINHASH_BYTES, "little")
        + parity.to_bytes(parity_bytes, "little")
        + len(lowest).to_bytes(COUNT_BYTES, "little")
    )


def _minhash(lowest: dict[int, int]) -> int:
    """A bit of the lowest phrase in each of `MINHASH_BITS` bins, wider than those of the sample.

    An empty bin takes the phrase of the next (Shrivastava, Li 2014), but another bit of it.
    """
    kept: dict[int, int] = {}
    for where in sorted(lowest):
        phrase, wide = lowest[where], where // _BINS_PER_BIT
        if wide not in kept or phrase & _VALUE < kept[wide] & _VALUE:
            kept[wide] = phrase
    last = kept[min(kept)]
    bits = 0
    for where in reversed(range(MINHASH_BITS)):
        last = kept.get(where, last)
        bits |= (mix(mix(last)) >> where % 64 & 1) << where
    return bits
