"""A large body is copied once at most on its way to the archive and to those who read it."""

import asyncio
import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from aiohttp import StreamReader
from aiohttp.base_protocol import BaseProtocol

from gossamer.archive.archive_files import ArchiveFiles
from gossamer.archive.gzip_members import gzip_member
from gossamer.fetch.content_decoding import Decoder, decoder_for
from gossamer.fetch.response_body import ResponseBody, read_chunk

SIZE = 8 << 20


def peak_of(work: Callable[[], object]) -> float:
    """The most memory that was taken at once, in sizes of the body."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / SIZE
    finally:
        tracemalloc.stop()


def test_a_stored_body_is_copied_once_into_its_member() -> None:
    body = [bytes(SIZE // 2), bytes(SIZE // 2)]
    assert peak_of(lambda: gzip_member(b"head", body, b"tail", is_stored=True)) < 1.2


def test_a_member_is_written_without_a_copy(tmp_path: Path) -> None:
    files, member = ArchiveFiles(tmp_path, "agent"), bytes(SIZE)
    files.begin()
    assert peak_of(lambda: files.append([b"request", member])) < 0.2
    place = files.append([b"request", b"response"])
    files.close()
    data = (tmp_path / place.file).read_bytes()
    assert data[place.offset :] == b"response"
    assert data.endswith(b"request" + member + b"requestresponse")


def test_a_body_in_several_pieces_is_copied_once_for_all_who_want_it_whole() -> None:
    body = ResponseBody(data=bytearray(SIZE))
    assert peak_of(lambda: (body.whole(), body.whole())) < 1.2
    assert body.whole() is body.whole()


def test_a_body_that_came_as_it_is_kept_is_in_memory_once() -> None:
    """Not while it is parsed, beside its pieces: that is the peak of a page worker."""
    body = received([b"one ", b"two"], None)
    assert body.whole() == b"one two"
    assert body.wire == [b"one two"]
    assert body.wire[0] is body.whole()


def test_a_decoded_or_cut_body_leaves_what_came_alone() -> None:
    packed = gzip.compress(b"one two")
    pieces = [packed[:12], packed[12:]]
    decoded = received(pieces, decoder_for("gzip"))
    assert decoded.whole() == b"one two"
    assert decoded.wire == pieces
    cut = received([b"one ", b"two"], None, cap_bytes=5)
    assert cut.whole() == b"one t"
    assert cut.wire == [b"one ", b"two"]


def received(pieces: list[bytes], decoder: Decoder | None, cap_bytes: int = 100) -> ResponseBody:
    """What is left of a body in these pieces, if it is archived."""

    async def main() -> ResponseBody:
        loop = asyncio.get_running_loop()
        payload = StreamReader(BaseProtocol(loop), 1 << 16, loop=loop)
        body = ResponseBody(wire=[])
        for number, piece in enumerate(pieces, 1):
            payload.feed_data(piece)
            if number == len(pieces):
                payload.feed_eof()
            await read_chunk(body, payload, decoder, cap_bytes, lambda _: None)
        return body

    return asyncio.run(main())
