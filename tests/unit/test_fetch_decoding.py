import gzip
import random
import zlib
from collections.abc import Callable, Iterable
from functools import cache

import brotli
import pytest

from gossamer.fetch.content_decoding import (
    MAX_MEMBERS,
    PIECE_BYTES,
    Decoder,
    DecodingError,
    decoder_for,
)
from gossamer.model.outcome_details import DetailCode
from tests.cases import each_case
from tests.zstandard import zstd

TEXT = b"<p>a page that compresses well</p>\n" * 500
NOISE = random.Random(1).randbytes(3 * PIECE_BYTES + 17)


def raw_deflate(data: bytes) -> bytes:
    squeeze = zlib.compressobj(wbits=-15)
    return squeeze.compress(data) + squeeze.flush()


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: bytes(brotli.compress(data, quality=5)),
    "zstd": zstd.compress,
}
NAMES = sorted(COMPRESS)


@cache
def compressed(name: str, data: bytes) -> bytes:
    return COMPRESS[name](data)


WIDE_WINDOW = zstd.compress(
    TEXT + bytes(16 << 20), options={zstd.CompressionParameter.window_log: 27}
)


def decoder(name: str) -> Decoder:
    found = decoder_for(name)
    assert found is not None
    return found


def decoded(name: str, chunks: Iterable[bytes]) -> tuple[bytes, bool]:
    """The plain bytes of those chunks, and whether the stream came to its end."""
    undoing = decoder(name)
    plain = b"".join(piece for chunk in chunks for piece in undoing.pieces(chunk))
    return plain, undoing.complete


def bytewise(data: bytes) -> list[bytes]:
    return [data[i : i + 1] for i in range(len(data))]


@each_case("name", NAMES)
@each_case("plain", [b"", b"x", TEXT], ids=["empty", "one byte", "text"])
def test_each_coding_is_undone_at_once_and_byte_by_byte(name: str, plain: bytes) -> None:
    data = compressed(name, plain)
    assert decoded(name, [data]) == (plain, True)
    assert decoded(name, bytewise(data)) == (plain, True)


@each_case("name", NAMES)
def test_large_bodies_come_in_pieces(name: str) -> None:
    undoing = decoder(name)
    pieces = list(undoing.pieces(compressed(name, NOISE)))
    assert b"".join(pieces) == NOISE
    assert max(map(len, pieces)) <= 2 * PIECE_BYTES
    assert undoing.complete


@each_case("name", NAMES)
def test_a_bomb_is_not_unpacked_further_than_asked(name: str) -> None:
    bomb = compressed(name, bytes(16 * PIECE_BYTES))
    first = next(decoder(name).pieces(bomb))
    assert 0 < len(first) <= 2 * PIECE_BYTES


@each_case("name", NAMES)
@each_case("size", [PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 4 * PIECE_BYTES])
def test_the_end_is_seen_at_the_border_of_a_piece(name: str, size: int) -> None:
    plain, complete = decoded(name, [compressed(name, bytes(size))])
    assert (len(plain), complete) == (size, True)


def test_the_end_of_raw_deflate_is_seen_at_the_border_of_a_piece() -> None:
    plain, complete = decoded("deflate", [raw_deflate(bytes(PIECE_BYTES))])
    assert (len(plain), complete) == (PIECE_BYTES, True)


@each_case("name", NAMES)
def test_a_stream_that_ends_early_gives_what_came_and_says_so(name: str) -> None:
    data = compressed(name, NOISE)
    plain, complete = decoded(name, [data[: len(data) // 2]])
    assert NOISE.startswith(plain)
    assert len(plain) > PIECE_BYTES
    assert not complete


@each_case(
    ("name", "data", "why"),
    [
        ("gzip", b"<html>not compressed at all", DetailCode.DATA_FORMAT),
        ("deflate", b"<html>not compressed at all" * 9, DetailCode.DATA_DAMAGED),
        ("br", b"<html>not compressed at all" * 9, DetailCode.DATA_DAMAGED),
        ("zstd", b"<html>not compressed at all", DetailCode.DATA_FORMAT),
        ("gzip", gzip.compress(TEXT)[:-8] + bytes(8), DetailCode.DATA_CHECKSUM),
        ("gzip", gzip.compress(TEXT)[:-4] + bytes(4), DetailCode.DATA_CHECKSUM),
        ("deflate", zlib.compress(TEXT)[:-4] + bytes(4), DetailCode.DATA_CHECKSUM),
        ("zstd", WIDE_WINDOW, DetailCode.DATA_MEMORY),
    ],
)
def test_what_is_wrong_with_compressed_data_is_told(
    name: str, data: bytes, why: DetailCode
) -> None:
    with pytest.raises(DecodingError) as caught:
        decoded(name, [data])
    assert caught.value.detail == DetailCode.CODING_DAMAGED(coding=name, why=why())


def test_deflate_without_zlib_header_is_undone_too() -> None:
    data = raw_deflate(TEXT)
    assert decoded("deflate", [data]) == (TEXT, True)
    assert decoded("deflate", bytewise(data)) == (TEXT, True)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_members_follow_each_other(name: str) -> None:
    data = compressed(name, b"one ") + compressed(name, b"two ") + compressed(name, b"three")
    assert decoded(name, [data]) == (b"one two three", True)
    assert decoded(name, bytewise(data)) == (b"one two three", True)


@each_case("name", NAMES)
@each_case("garbage", [b"\0", b"\0\0\0\0\0\0\0\0", b"<!-- cached -->"])
def test_what_follows_the_end_is_ignored(name: str, garbage: bytes) -> None:
    data = compressed(name, TEXT)
    assert decoded(name, [data, garbage, garbage]) == (TEXT, True)
    if name != "br":  # whose library does not tell the end from what follows it
        assert decoded(name, [data + garbage]) == (TEXT, True)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_a_flood_of_members_is_an_error(name: str) -> None:
    with pytest.raises(DecodingError) as caught:
        decoded(name, [compressed(name, b"") * (MAX_MEMBERS + 1)])
    assert caught.value.detail == DetailCode.CODING_MEMBERS(coding=name, most=MAX_MEMBERS)


def test_nested_codings_are_undone_in_the_right_order() -> None:
    data = brotli.compress(gzip.compress(TEXT))
    assert decoded("gzip, br", [data]) == (TEXT, True)
    assert decoded("GZIP,  Br", bytewise(data)) == (TEXT, True)


def test_nested_codings_end_when_both_end() -> None:
    inner_cut = brotli.compress(gzip.compress(TEXT)[:-4])
    assert decoded("gzip, br", [inner_cut]) == (TEXT, False)


def test_too_many_codings_are_an_error() -> None:
    with pytest.raises(DecodingError) as caught:
        decoder_for("gzip, gzip, gzip, gzip")
    assert caught.value.detail == DetailCode.CODING_TIMES(times=4)


@each_case("value", ["", "identity", "none", "utf-8", "compress", "chunked,"])
def test_unknown_codings_undo_nothing(value: str) -> None:
    assert decoder_for(value) is None
