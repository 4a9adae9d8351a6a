"""How much of their texts two pages share, by their sketches."""

from typing import Final

SKETCH_BYTES: Final = 128
CHANCE: Final = 1 / 256
"""How many bytes of two sketches agree by chance."""


def shared_percent(sketch: bytes, other: bytes) -> int:
    """How much two texts share, as far as their sketches tell, from 0 to 100."""
    difference = int.from_bytes(sketch) ^ int.from_bytes(other)
    agree = difference.to_bytes(SKETCH_BYTES).count(0) / SKETCH_BYTES
    return int(100 * max((agree - CHANCE) / (1 - CHANCE), 0) + 0.5)
