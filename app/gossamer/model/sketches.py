"""How much of their texts two pages share, by their sketches.

A sketch is made of the hashes of a text's phrases. It samples those that are lowest in each of
`BINS` ranges, and has three parts:

- `MINHASH_BITS` bits of a MinHash. Two texts agree in as many bits as they share phrases, and in
  half of the others by chance (Li, König: "b-Bit Minwise Hashing", 2010). They tell which pages are
  worth comparing.
- `PARITY_BITS` bits, each of which says whether it was hit by an odd number of sampled phrases. The
  fewer differ, the fewer phrases are in one text alone (Mitzenmacher, Pagh, Pham: "Efficient
  Estimation for High Similarities using Odd Sketches", 2014).
- the number of sampled phrases, in two bytes, the lower one first.

For texts that share 90 % of their phrases, the standard error is half a percentage point to 1,000
phrases, and one point for texts of any length. Below 60 %, only the MinHash is meaningful.
"""

from functools import cache
from math import exp, log, sqrt
from typing import Any, Final, NamedTuple, TypeAlias

SKETCH_BYTES: Final = 128
MINHASH_BYTES: Final = 32
MINHASH_BITS: Final = 8 * MINHASH_BYTES
COUNT_BYTES: Final = 2
PARITY_BITS: Final = 8 * (SKETCH_BYTES - MINHASH_BYTES - COUNT_BYTES)
BINS: Final = 2048
_Number: TypeAlias = Any
"""A number, or a column of them: numpy's, which only the site audit may load."""
_LEAST_SIGNAL: Final = 1 / PARITY_BITS
_EMPTY: Final = 1 - 1 / BINS
"""The share of bins that stay empty with each phrase."""


def _distance(signal: float) -> float:
    return log(max(signal, _LEAST_SIGNAL)) / log(1 - 2 / PARITY_BITS)


def _variance(signal: float) -> float:
    """The variance of the distance. Signals near noise count for less: two errors are taken off."""
    error = sqrt(max(1 - signal * signal, 0) / PARITY_BITS)
    distance = _distance(signal - 2 * error)
    return PARITY_BITS / 4 * (exp(4 * distance / PARITY_BITS) - 1) - distance


def _phrases(sampled: int) -> float:
    return log(max(1 - sampled / BINS, 0.5 / BINS)) / log(_EMPTY)


class SketchEstimates(NamedTuple):
    """What numbers of bits and of sampled phrases say."""

    distances: tuple[float, ...]
    """By the number of differing parity bits: how many sampled phrases are in one of two texts
    alone."""
    variances: tuple[float, ...]
    """The squares of their standard errors."""
    phrases: tuple[float, ...]
    """By the number of sampled phrases: how many there are."""


@cache
def sketch_estimates() -> SketchEstimates:
    """Made at the first use: every process of a crawl imports this module, and few compare."""
    signals = [1 - 2 * odd / PARITY_BITS for odd in range(PARITY_BITS + 1)]
    return SketchEstimates(
        tuple(map(_distance, signals)),
        tuple(map(_variance, signals)),
        tuple(map(_phrases, range(BINS + 1))),
    )


def estimated_share(
    distance: _Number, variance: _Number, sampled: _Number, phrases: _Number, agreeing: _Number
) -> _Number:
    """What two texts share, from about 0 to about 1.

    `distance` and `variance` come from `sketch_estimates`; `sampled` and `phrases` are the
    sums of both texts, `agreeing` the bits of the MinHash that agree.
    """
    both = (sampled - distance) / 2
    both = (both + abs(both)) / 2  # 0 at least
    share = both / BINS
    for _ in range(4):  # Newton's method, from below: both texts have sampled `occupied` phrases
        union = phrases / (1 + share)
        empty = _EMPTY**union
        occupied = BINS * (1 - empty)
        slope = occupied - share * empty * union / (1 + share)
        share = share - (share * occupied - both) / slope
    chance = (agreeing + 1) / (MINHASH_BITS + 2)
    weight = variance / (2 * occupied) ** 2
    other_weight = 4 * chance * (1 - chance) / MINHASH_BITS
    by_minhash = 2 * agreeing / MINHASH_BITS - 1
    return (share * other_weight + by_minhash * weight) / (weight + other_weight)


def share_of(sketch: bytes, other: bytes) -> float:
    """How much of their phrases two texts share, as far as their sketches tell, from 0 to 1."""
    if sketch == other:
        return 1.0
    counts = [int.from_bytes(each[-COUNT_BYTES:], "little") for each in (sketch, other)]
    if len(sketch) != SKETCH_BYTES or len(other) != SKETCH_BYTES or not all(counts):
        return 0.0
    differing = int.from_bytes(sketch[:-COUNT_BYTES], "little") ^ int.from_bytes(
        other[:-COUNT_BYTES], "little"
    )
    odd = (differing >> MINHASH_BITS).bit_count()
    estimates = sketch_estimates()
    share = estimated_share(
        estimates.distances[odd],
        estimates.variances[odd],
        sum(counts),
        sum(estimates.phrases[min(each, BINS)] for each in counts),
        MINHASH_BITS - (differing & (1 << MINHASH_BITS) - 1).bit_count(),
    )
    return min(max(float(share), 0.0), 1.0)
