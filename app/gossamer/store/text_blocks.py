"""The stored texts of pages: in blocks of several, compressed together.

A block is Zstandard over MessagePack: an array of arrays of URL id and text. The texts of a site
are alike: together they take half the room that each takes for itself. Where a text stands is its
*place*: the number of its block and its position there.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any, Final, NamedTuple

from msgspec import DecodeError, Meta
from msgspec.msgpack import Decoder, Encoder

from gossamer.model.stored_text_limit import MAX_TEXT_BYTES

BLOCK_BYTES: Final = 128 * 1024
"""Of texts; one that reaches it is the last of its block."""
POSITION_BITS: Final = 8
_MOST: Final = 1 << POSITION_BITS
_MAX_BYTES: Final = BLOCK_BYTES + MAX_TEXT_BYTES + 16 * _MOST
_LEVEL: Final = 3


class PageText(NamedTuple):
    """The text of a page, in UTF-8."""

    id: Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
    text: bytes


_encode = Encoder().encode
_decode = Decoder(Annotated[list[PageText], Meta(max_length=_MOST)]).decode


def text_location(block: int, position: int) -> int:
    """The place of a text."""
    return block << POSITION_BITS | position


def block_of(place: int) -> int:
    """The block that a text is in."""
    return place >> POSITION_BITS


def position_of(place: int) -> int:
    """The position of a text in its block."""
    return place & (_MOST - 1)


def split(texts: Iterable[PageText]) -> Iterator[list[PageText]]:
    """These texts by block."""
    block: list[PageText] = []
    size = 0
    for text in texts:
        block.append(text)
        size += len(text.text)
        if size >= BLOCK_BYTES or len(block) == _MOST:
            yield block
            block, size = [], 0
    if block:
        yield block


def pack(texts: Sequence[PageText]) -> bytes:
    """A block of these."""
    packed: bytes = _zstd().compress(_encode(texts), _LEVEL)
    return packed


def unpack(block: bytes) -> list[PageText]:
    """The texts of a block; ValueError where it is none of ours."""
    if not block:
        return []
    zstd = _zstd()
    try:
        size = zstd.get_frame_info(block).decompressed_size
        if size is None or size > _MAX_BYTES:
            raise ValueError("a block of texts is too long")
        # One frame: there is no telling what more of them would come to.
        unpacked = zstd.ZstdDecompressor().decompress(block, max_length=_MAX_BYTES)
        texts: list[PageText] = _decode(unpacked)
    except (zstd.ZstdError, DecodeError, EOFError) as e:
        raise ValueError("a block of texts is damaged") from e
    return texts


@cache
def _zstd() -> Any:  # noqa: ANN401 - two modules with one interface
    """The library, which only those projects need that have texts."""
    import sys  # noqa: PLC0415 - with what it decides

    if sys.version_info >= (3, 14):
        from compression import zstd  # noqa: PLC0415 - likewise
    else:
        from backports import zstd  # noqa: PLC0415 - likewise
    return zstd
