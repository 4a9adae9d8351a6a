"""The rows of a result as they are sent and kept: each packed for itself, as bytes.

A window with a hundred thousand rows has no more objects for Python's garbage collection to visit,
and unpacks the rows that are in sight.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(tuple[Any, ...])


def packed(row: Sequence[Any]) -> bytes:
    """A row, whose cells are texts, numbers and None."""
    return _encoder.encode(row)


def unpacked(row: bytes) -> tuple[Any, ...]:
    """The cells of a packed row."""
    return _decoder.decode(row)
