"""A large body is copied once at most on its way to the archive and to those who read it."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

from gossamer.archive.archive_files import ArchiveFiles
from gossamer.archive.gzip_members import gzip_member
from gossamer.fetch.response_body import ResponseBody

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
    files, member = ArchiveFiles(tmp_path / "a.archive", "agent"), bytes(SIZE)
    files.begin()
    assert peak_of(lambda: files.append([b"request", member])) < 0.2
    place = files.append([b"request", b"response"])
    files.close()
    data = (tmp_path / "a.archive" / place.file).read_bytes()
    assert data[place.offset :] == b"response"
    assert data.endswith(b"request" + member + b"requestresponse")


def test_a_body_in_several_pieces_is_copied_once_for_all_who_want_it_whole() -> None:
    body = ResponseBody(data=bytearray(SIZE))
    assert peak_of(lambda: (body.whole(), body.whole())) < 1.2
    assert body.whole() is body.whole()
