"""Archives that are compressed in unusual ways: with Zstandard, or by the ZIP file."""

import gzip
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from gossamer.archive.archive_indexing import ensure_index
from gossamer.archive.captured_responses import read_capture
from gossamer.archive.captures import ScanReport, captures_in
from gossamer.archive.unpacked_archives import unpacked_file
from gossamer.archive.warc_parts import archive_parts
from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveRequest
from gossamer.export.row_counter import ExportCancelled
from gossamer.export.wacz_package import WaczPackage, add_archive
from gossamer.model.archive_captures import Capture, Packing
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.errors import DiskError, UsageError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.archive_index import ArchiveIndex, index_path
from gossamer.store.project import create
from tests.fakes.warc import write_warc
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


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where archives are unpacked."""
    folder = tmp_path / "cache"
    monkeypatch.setattr("gossamer.archive.unpacked_archives.archive_cache", lambda: folder)
    return folder


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


@pytest.mark.parametrize(
    ("name", "compress"), [("a.warc.gz", gzip.compress), ("a.warc.zst", zstd.compress)]
)
def test_an_archive_that_is_compressed_as_a_whole_is_unpacked_once(
    tmp_path: Path, cache: Path, name: str, compress: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / name
    whole = compress(b"".join(RECORDS))
    path.write_bytes(whole)
    assert bodies_in(path) == PAGES
    (unpacked,) = cache.iterdir()
    before = unpacked.stat().st_ino
    assert bodies_in(path) == PAGES
    assert unpacked.stat().st_ino == before
    path.write_bytes(compress(b"".join(RECORDS[:2])) + compress(b"".join(RECORDS[2:])))
    assert bodies_in(path) == PAGES


def test_an_unpacked_archive_that_is_used_stays(tmp_path: Path) -> None:
    archives = [tmp_path / "a.warc.gz", tmp_path / "b.warc.gz"]
    for path in archives:
        path.write_bytes(gzip.compress(b"".join(RECORDS)))
    (part,) = archive_parts(archives[0])
    os.utime(part.path, (0, 0))
    archive_parts(archives[0])
    archive_parts(archives[1])  # which removes what was not used for long
    assert part.path.exists()
    assert ensure_index(ArchiveSource((str(archives[0]),)))
    os.utime(part.path, (0, 0))
    ArchiveIndex(index_path(archives[:1])).close()
    assert part.path.stat().st_mtime > 0


def test_of_a_whole_that_is_cut_the_records_before_are_read(tmp_path: Path, cache: Path) -> None:
    bodies = [os.urandom(9_000).hex().encode() for _ in range(9)]  # which gzip does not hold back
    whole = gzip.compress(b"".join(record(f"http://a.test/{b[:9]!r}", b) for b in bodies))
    path = tmp_path / "a.warc.gz"
    path.write_bytes(whole[: len(whole) // 2])
    (part,) = archive_parts(path)
    report = ScanReport()
    assert len(list(captures_in(part, report))) == 4
    assert report.damaged == 1
    assert part.path.parent == cache


def test_a_whole_that_a_wacz_file_holds_is_unpacked(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "a.wacz"
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(path, "w", method) as package:
            package.writestr("archive/data.warc.gz", gzip.compress(b"".join(RECORDS)))
        assert bodies_in(path) == PAGES
    assert len(list(cache.iterdir())) == 3, "the second package has a file to unpack in it"


def test_a_whole_that_does_not_fit_leaves_nothing(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(b"".join(RECORDS)))
    with pytest.raises(ExportCancelled):
        archive_parts(path, cancelled)
    monkeypatch.setattr("gossamer.archive.unpacked_archives.disk_usage", lambda _: Room(free=100))
    with pytest.raises(DiskError, match="full"):
        archive_parts(path)
    assert not list(cache.iterdir())


class Room(NamedTuple):
    """What a disk has."""

    free: int


def cancelled() -> None:
    raise ExportCancelled


def test_a_zip_file_that_compresses_its_archives_is_unpacked_once(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("archive/data.warc", b"".join(RECORDS))
    with monkeypatch.context() as full:
        full.setattr("gossamer.archive.unpacked_archives.disk_usage", lambda _: Room(free=100))
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


def test_reading_a_long_record_ends_within_a_block(tmp_path: Path) -> None:
    """However well it is compressed: the position in the file hardly moves meanwhile."""
    path = write_warc(tmp_path / "a.warc.gz", [record("http://a.test/", bytes(8 << 20))])
    (part,) = archive_parts(path)
    told: list[int] = []

    def end_at_the_third(position: int) -> None:
        told.append(position)
        if len(told) == 3:
            cancelled()

    with pytest.raises(ExportCancelled):
        list(captures_in(part, ScanReport(), end_at_the_third))
    assert told == [0, 0, 0]


def test_an_index_of_a_long_record_can_be_cancelled_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.store.archive_index.archive_cache", lambda: tmp_path / "cache")
    path = write_warc(tmp_path / "a.warc.gz", [record("http://a.test/", bytes(8 << 20))])
    told: list[int] = []

    def end_at_the_third(done: int, _of: int) -> None:
        told.append(done)
        if len(told) == 3:
            cancelled()

    with pytest.raises(ExportCancelled):
        ensure_index(ArchiveSource((str(path),)), end_at_the_third)
    assert told == [0, 0, 0]


def test_the_search_for_a_record_behind_damage_ends_within_a_block(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(RECORDS[0]) + b"x" * (5 << 20))
    (part,) = archive_parts(path)
    told: list[int] = []
    list(captures_in(part, ScanReport(), told.append))
    assert len(told) > 5


def test_an_export_can_be_cancelled_while_an_archive_is_unpacked_for_it(
    tmp_path: Path, cache: Path
) -> None:
    archive, project = tmp_path / "a.wacz", tmp_path / "a.gossamer"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("archive/data.warc", b"".join(RECORDS))
    source = ArchiveSource((str(archive),))
    create(project, CrawlSettings(roots=("http://a.test/0",), source=source))
    request = ArchiveRequest(ARCHIVE_EXPORTS["wacz"], tmp_path / "b.wacz")
    with pytest.raises(ExportCancelled):
        request.write(project, None, lambda: True)
    assert not list(cache.iterdir()), "what was unpacked so far is gone"
    assert not (tmp_path / "b.wacz").exists()


def test_an_export_can_be_cancelled_within_a_long_record(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", [record("http://a.test/", bytes(8 << 20))])
    (part,) = archive_parts(path)
    asked: list[None] = []

    def end_in_the_index() -> None:
        asked.append(None)
        if len(asked) == 6:
            cancelled()

    with zipfile.ZipFile(tmp_path / "b.wacz", "w") as package:
        wacz = WaczPackage(package, end_in_the_index)
        with pytest.raises(ExportCancelled):
            add_archive(wacz, [part], tmp_path, end_in_the_index, lambda _done, _of: None)
    assert len(asked) == 6


def test_what_is_unpacked_of_an_unpacked_file_is_found_again(tmp_path: Path) -> None:
    """Though each use of a file in the cache changes its time."""

    def inner() -> Path:
        first = unpacked_file(archive, "member", [b"packed"], lambda: None)
        os.utime(first, (0, 0))
        return unpacked_file(first, "whole", [b"unpacked"], lambda: None)

    archive = tmp_path / "a.wacz"
    archive.write_bytes(b"archive")
    place = inner()
    second = unpacked_file(archive, "member", [b"packed"], lambda: None)
    assert unpacked_file(second, "whole", [b"other"], lambda: None) == place
    assert place.read_bytes() == b"unpacked"
    archive.write_bytes(b"another archive")
    assert inner() != place
