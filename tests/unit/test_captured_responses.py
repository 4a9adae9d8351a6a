"""Answers come from archives as servers sent them, with headers that are true for the body."""

import gzip
from pathlib import Path

import pytest

from gossamer.archive.captured_responses import CapturedResponse, read_capture, sound_head
from gossamer.archive.captures import ScanReport, archived_time, captures_in
from gossamer.archive.decoded_responses import decoded_pieces
from gossamer.archive.record_reader import RecordError
from gossamer.archive.warc_parts import archive_parts
from gossamer.model.archive_captures import ArchivePart, Capture, CaptureKind, Packing
from tests.fakes.warc import SITE, http, record, write_warc

PACKED = gzip.compress(b"<p>x" * 50, mtime=0)


def headers(raw: bytes, body: bytes, size: int | None) -> list[bytes]:
    return sound_head(raw, body, size).split(b"\r\n")[1:-2]


@pytest.mark.parametrize(
    ("stored", "body", "kept"),
    [
        (b"Transfer-Encoding: chunked", b"4\r\nabcd\r\n0\r\n\r\n", [b"Transfer-Encoding: chunked"]),
        (b"Transfer-Encoding: chunked", b"<html>", []),
        (b"Content-Encoding: gzip", PACKED[:9], [b"Content-Encoding: gzip"]),
        (b"Content-Encoding: gzip", b"<html>", []),
        (b"Content-Encoding: br", b"<html>", []),
        (
            b"Content-Encoding: br\r\nContent-Encoding: gzip",
            PACKED,
            [b"Content-Encoding: br", b"Content-Encoding: gzip"],
        ),
        (b"Content-Length: 99", b"<html>", []),
        (b"Content-Length: 99", b"", [b"Content-Length: 99"]),
        (b"Content-Length: 6", b"<html>", [b"Content-Length: 6"]),
        (b"X-Crawler-Transfer-Encoding: chunked", b"<html>", [b"Transfer-Encoding: chunked"]),
    ],
)
def test_headers_tell_how_the_body_is_stored(stored: bytes, body: bytes, kept: list[bytes]) -> None:
    assert headers(b"HTTP/1.1 200 OK\r\n" + stored, body, len(body)) == kept


def test_a_body_that_the_archive_has_cut_keeps_its_length() -> None:
    raw = b"HTTP/1.1 200 OK\r\nContent-Length: 99"
    assert headers(raw, b"<html>", None) == [b"Content-Length: 99"]


def test_a_body_with_a_line_for_each_coding_is_decoded() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Encoding: gzip\r\n\r\n"
    answer = CapturedResponse(head, iter([gzip.compress(PACKED)]), is_cut=False)
    assert b"".join(decoded_pieces(answer)) == b"<p>x" * 50


def test_http_2_is_read_as_1() -> None:
    assert sound_head(b"HTTP/2 200\nX: y\n", b"", 0) == b"HTTP/1.1 200\r\nX: y\r\n\r\n"


@pytest.mark.parametrize("interim", ["100 Continue", "103 Early Hints\r\nLink: </a>"])
def test_interim_answers_are_none(tmp_path: Path, interim: str) -> None:
    block = f"HTTP/1.1 {interim}\r\n\r\n".encode() * 2 + http("<p>")
    path = write_warc(tmp_path / "a.warc", [record(f"{SITE}/", block)])
    [part] = archive_parts(path)
    [capture] = captures_in(part, ScanReport())
    assert isinstance(capture, Capture)
    assert (capture.status, capture.is_page) == (200, True)
    with path.open("rb") as file:
        answer = read_capture(file, part, 0, CaptureKind.RESPONSE)
        assert answer.head.startswith(b"HTTP/1.1 200 OK")
        assert b"".join(answer.body) == b"<p>"


def test_interim_answers_may_be_read_in_pieces(tmp_path: Path) -> None:
    for size in range(65_300, 65_330):  # somewhere there, a piece ends amid "HTTP/"
        block = f"HTTP/1.1 103 Early Hints\r\nLink: {'a' * size}\r\n\r\n".encode() + http("<p>")
        path = write_warc(tmp_path / "a.warc", [record(f"{SITE}/", block + b"x" * 70_000)])
        [part] = archive_parts(path)
        [capture] = captures_in(part, ScanReport())
        assert isinstance(capture, Capture)
        assert capture.status == 200, size


def test_the_first_segment_of_an_answer_is_not_all_of_it(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc", [record(f"{SITE}/", http("<p>"), Segment_Number="1")])
    [part] = archive_parts(path)
    with path.open("rb") as file:
        assert read_capture(file, part, 0, CaptureKind.RESPONSE).is_cut


@pytest.mark.parametrize(
    ("date", "time"),
    [
        ("2024", 1704067200.0),
        ("2024-05", 1714521600.0),
        ("2024-05-01", 1714521600.0),
        ("20240501", 1714521600.0),
        ("202405011200", 1714564800.0),
    ],
)
def test_a_date_may_be_as_short_as_a_year(date: str, time: float) -> None:
    assert archived_time(date) == time


def test_a_large_body_comes_in_pieces(tmp_path: Path) -> None:
    body = bytes(range(256)) * 4_000
    whole = gzip.compress(record(f"{SITE}/", http(body, Content_Type="image/png")))
    path = tmp_path / "a.warc.gz"
    path.write_bytes(whole)
    with path.open("rb") as file:
        part = ArchivePart(path, 0, len(whole), Packing.GZIP)
        answer = read_capture(file, part, 0, CaptureKind.RESPONSE)
        pieces = list(answer.body)
    assert b"".join(pieces) == body
    assert max(map(len, pieces)) <= 1 << 16
    assert not answer.is_cut


def test_a_record_that_is_read_at_once_cannot_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    torn = record(f"{SITE}/", http()).replace(b"Content-Length: ", b"Content-Length: 99999999")
    path.write_bytes(gzip.compress(torn))
    part = ArchivePart(path, 0, path.stat().st_size, Packing.GZIP)
    with path.open("rb") as file, pytest.raises(RecordError, match="too large"):
        read_capture(file, part, 0, CaptureKind.RESPONSE, payload=bytes(32))
