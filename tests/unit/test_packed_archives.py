"""Archives that are compressed in unusual ways: with Zstandard, or by the ZIP file."""

import struct
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from gossamer.archive.archive_parts import archive_parts
from gossamer.archive.captured_responses import read_capture
from gossamer.archive.captures import ScanReport, captures_in
from gossamer.export.row_counter import ExportCancelled
from gossamer.model.archive_captures import Capture, Packing
from gossamer.model.errors import DiskError, UsageError
from tests.zstandard import zstd

PAGES = {f"http://a.test/{number}": f"<title>{number}</title>".encode() * 50 for number in range(9)}
DICTIONARY_MAGIC = 0x184D2A5D


def record(url: str, body: bytes) -> bytes:
    """A response of a WARC file."""
    content = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:{url}>"
        f"\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content + b"\r\n\r\n"


RECORDS = [record(url, body) for url, body in PAGES.items()]


def bodies_in(path: Path) -> dict[str, bytes]:
    """What a scan finds and reading at that place gives."""
    (part,) = archive_parts(path)
    report = ScanReport()
    found = {}
    with part.path.open("rb") as file:
        for each in captures_in(part, report):
            assert isinstance(each, Capture)
            answer = read_capture(file, part, each.offset, each.kind)
            found[each.url] = b"".join(answer.body)
    assert report.damaged == 0
    return found


def test_records_in_frames_of_zstandard_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.zst"
    path.write_bytes(b"".join(map(zstd.compress, RECORDS)))
    assert archive_parts(path)[0].packing is Packing.ZSTD
    assert bodies_in(path) == PAGES


@pytest.mark.parametrize("is_packed", [False, True])
def test_frames_may_need_the_dictionary_at_the_beginning(
    tmp_path: Path, *, is_packed: bool
) -> None:
    dictionary = zstd.train_dict(
        [each + bytes(number) for number, each in enumerate(RECORDS * 9)], 4096
    )
    told = dictionary.dict_content
    told = zstd.compress(told) if is_packed else told
    frames = [zstd.compress(each, zstd_dict=dictionary) for each in RECORDS]
    path = tmp_path / "a.warc.zst"
    head = struct.pack("<II", DICTIONARY_MAGIC, len(told))
    path.write_bytes(head + told + b"".join(frames))
    assert bodies_in(path) == PAGES
    path.write_bytes(
        struct.pack("<II", DICTIONARY_MAGIC, 4) + b"\x28\xb5\x2f\xfd" + b"".join(frames)
    )
    (part,) = archive_parts(path)
    report = ScanReport()
    assert list(captures_in(part, report)) == []
    assert report.damaged, "a damaged dictionary is told, not raised"


def test_a_damaged_frame_costs_only_itself(tmp_path: Path) -> None:
    frames = [zstd.compress(each) for each in RECORDS]
    frames[3] = frames[3][:40] + bytes(20) + frames[3][60:]
    path = tmp_path / "a.warc.zst"
    path.write_bytes(b"".join(frames))
    (part,) = archive_parts(path)
    report = ScanReport()
    urls = {each.url for each in captures_in(part, report) if isinstance(each, Capture)}
    assert urls >= set(list(PAGES)[4:]) | set(list(PAGES)[:3])
    assert report.damaged >= 1


def test_an_archive_that_is_one_frame_says_how_to_unpack_it(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.zst"
    path.write_bytes(zstd.compress(b"".join(RECORDS)))
    with pytest.raises(UsageError, match="zstd -d"):
        bodies_in(path)


class Room(NamedTuple):
    """What a disk has."""

    free: int


def cancelled() -> None:
    raise ExportCancelled


def test_a_zip_file_that_compresses_its_archives_is_unpacked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setattr("gossamer.archive.archive_parts.archive_cache", lambda: cache)
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("archive/data.warc", b"".join(RECORDS))
    with monkeypatch.context() as full:
        full.setattr("gossamer.archive.archive_parts.disk_usage", lambda _: Room(free=100))
        with pytest.raises(DiskError, match="full"):
            archive_parts(path)
    with pytest.raises(ExportCancelled):
        archive_parts(path, cancelled)
    assert not list(cache.iterdir())
    assert bodies_in(path) == PAGES
    (unpacked,) = cache.iterdir()
    before = unpacked.stat().st_ino
    assert bodies_in(path) == PAGES
    assert unpacked.stat().st_ino == before
    data = path.read_bytes()
    path.write_bytes(data[:60] + bytes(9) + data[69:])
    with pytest.raises(UsageError, match="damaged"):
        bodies_in(path)
    assert [each.suffix for each in cache.iterdir()] == [".warc"]
