"""Archives by anybody are listed record by record, however they are written or damaged."""

import gzip
import json
import zipfile
from copy import copy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.archive.captures import ScanReport, archived_time, captures_in
from gossamer.archive.wacz_page_list import listed_roots
from gossamer.archive.warc_parts import archive_parts
from gossamer.model.archive_captures import (
    ArchivePart,
    Capture,
    CaptureKind,
    FetchTime,
    IndexEntry,
    OtherMethod,
    Packing,
)
from gossamer.model.errors import UsageError
from gossamer.urls.url_parsing import url_key
from tests.fakes.warc import DATE, SITE, gzipped, http, page, record, write_wacz, write_warc

THREE = [record(f"{SITE}/{n}", http(page(f"Page {n}"))) for n in range(3)]


def scanned(path: Path) -> tuple[list[IndexEntry], ScanReport]:
    report = ScanReport()
    return [each for part in archive_parts(path) for each in captures_in(part, report)], report


def urls(path: Path) -> list[str]:
    return [each.url for each in scanned(path)[0] if isinstance(each, Capture)]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_captures_say_what_was_answered_and_when(tmp_path: Path, name: str) -> None:
    records = [
        record("", b"software: x", "warcinfo", "application/warc-fields"),
        record(f"{SITE}", http("", "301 Moved", Location="/a"), Record_ID="<urn:1>"),
        record(f"<{SITE}/a b#top>", http(page("A"))),
        record("dns:archived.test", b"...", content_type="text/dns"),
        record(f"{SITE}/x.png", b"PNG", "resource", "image/png"),
        record(f"{SITE}/a", b"", "revisit", Payload_Digest="sha1:ABC"),
    ]
    found, report = scanned(write_warc(tmp_path / name, records))
    captures = [each for each in found if isinstance(each, Capture)]
    assert [(each.url, each.kind, each.status, each.is_page) for each in captures] == [
        (f"{SITE}/", CaptureKind.RESPONSE, 301, False),
        (f"{SITE}/a%20b", CaptureKind.RESPONSE, 200, True),
        (f"{SITE}/x.png", CaptureKind.RESOURCE, 200, False),
        (f"{SITE}/a", CaptureKind.REVISIT, 0, False),
    ]
    assert {each.time for each in captures} == {archived_time(DATE)} == {1714564800.0}
    assert report.records == len(records)
    assert not report.damaged


def test_answers_to_other_methods_are_told_apart(tmp_path: Path) -> None:
    asked = record(
        f"{SITE}/form", b"POST /form HTTP/1.1\r\n\r\n", "request", Concurrent_To="<urn:7>"
    )
    path = write_warc(tmp_path / "a.warc", [asked, record(f"{SITE}/", b"GET / ", "request")])
    [other] = scanned(path)[0]
    assert isinstance(other, OtherMethod)
    assert not other.is_head


@pytest.mark.parametrize("name", ["old", "an old page 7"])
@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "-"])
def test_an_arc_file_is_read(tmp_path: Path, name: str, address: str) -> None:
    body = http(page("Old"))
    head = b"filedesc://x.arc 0.0.0.0 20010101000000 text/plain 4\nabc\n\n"
    line = f"{SITE}/{name} {address} 20010203040506 text/html {len(body)}\n".encode()
    path = write_warc(tmp_path / "a.arc.gz", [head, line + body + b"\n"])
    [found] = scanned(path)[0]
    assert isinstance(found, Capture)
    assert (found.url, found.time, found.is_page) == (
        f"{SITE}/{name.replace(' ', '%20')}",
        981173106.0,
        True,
    )


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_a_torn_tail_hides_only_the_last_record(tmp_path: Path, name: str) -> None:
    path = write_warc(tmp_path / name, THREE)
    path.write_bytes(path.read_bytes()[:-30])
    found, report = scanned(path)
    assert [each.url for each in found if isinstance(each, Capture)] == [f"{SITE}/0", f"{SITE}/1"]
    assert report.damaged == 1


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_damage_in_the_middle_is_skipped(tmp_path: Path, name: str) -> None:
    path = write_warc(tmp_path / name, [THREE[0], b"", THREE[2]])
    pieces = gzipped([THREE[1]]) if path.suffix == ".gz" else THREE[1]
    middle = b"\x00junk" + pieces[:10] + b"\xff" * 40
    first = gzipped(THREE[:1]) if path.suffix == ".gz" else THREE[0]
    last = gzipped(THREE[2:]) if path.suffix == ".gz" else THREE[2]
    path.write_bytes(first + middle + last)
    found, report = scanned(path)
    assert [each.url for each in found if isinstance(each, Capture)] == [f"{SITE}/0", f"{SITE}/2"]
    assert report.damaged >= 1


def test_records_in_one_member_behind_others_are_refused_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "mixed.warc.gz"
    path.write_bytes(gzip.compress(THREE[0]) + gzip.compress(b"".join(THREE[1:])))
    with pytest.raises(UsageError, match="gunzip"):
        scanned(path)


def test_fetch_times_belong_to_the_response_that_their_record_names(tmp_path: Path) -> None:
    def metadata(content: bytes, **fields: str) -> bytes:
        return record(f"{SITE}/", content, "metadata", "application/warc-fields", **fields)

    records = [
        metadata(b"fetchTimeMs: 120\r\ntimeToFirstByteMs: 7\r\n", Concurrent_To="<urn:1>"),
        metadata(b"seed: \r\nfetchTimeMs: 4\r\n", Concurrent_To="<urn:2>"),
        metadata(b"fetchTimeMs: 120\r\n"),
        metadata(b"fetchTimeMs: \xb2\r\n", Concurrent_To="<urn:3>"),
        metadata(b"fetchTimeMs: " + b"9" * 400, Concurrent_To="<urn:4>"),
        record(f"{SITE}/", b'{"fetchTimeMs": 1}', "metadata", "text/json", Concurrent_To="<urn:5>"),
    ]
    found, report = scanned(write_warc(tmp_path / "a.warc", records))
    assert found == [
        FetchTime(url_key("<urn:1>"), ttfb_ms=7, elapsed_ms=120),
        FetchTime(url_key("<urn:2>"), ttfb_ms=0, elapsed_ms=4),
    ]
    assert not report.damaged


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<html>", "not a web archive"),
        (b"", "not a web archive"),
        (b"PK\x03\x04 not really", "damaged ZIP"),
    ],
)
def test_what_is_no_archive_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        archive_parts(path)


def test_a_wacz_file_has_its_records_in_place(tmp_path: Path) -> None:
    assert urls(write_wacz(tmp_path / "a.wacz", gzipped(THREE))) == [
        f"{SITE}/{n}" for n in range(3)
    ]


@given(st.binary(max_size=300), st.booleans())
def test_no_bytes_make_the_scan_fail_or_hang(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, is_gzip: bool
) -> None:
    path = tmp_path_factory.mktemp("junk") / "a.warc"
    beginning = gzipped(THREE[:1]) if is_gzip else THREE[0]
    path.write_bytes(beginning + junk)
    part = ArchivePart(path, 0, len(beginning) + len(junk), Packing(is_gzip))
    found = list(captures_in(part, ScanReport()))
    assert isinstance(found[0], Capture)


def test_an_empty_member_hides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzipped([THREE[0], b"", b"\r\n", THREE[1]]))
    assert urls(path) == [f"{SITE}/0", f"{SITE}/1"]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_line_ends_and_short_lines_are_read_once(tmp_path: Path, name: str) -> None:
    # Each one copied with all that follows in memory, they would take minutes.
    lines = b"a\n" * 30_000
    odd = THREE[1].replace(b"WARC-Date", lines + b"WARC-Date")
    blank = b"\r\n" * 500_000
    path = write_warc(tmp_path / name, [THREE[0], blank + odd, *[odd] * 15, blank + THREE[2]])
    assert urls(path) == [f"{SITE}/0", *[f"{SITE}/1"] * 16, f"{SITE}/2"]


def test_a_zip_file_far_behind_its_end_is_damaged(tmp_path: Path) -> None:
    path = write_wacz(tmp_path / "a.wacz", gzipped(THREE))
    data = path.read_bytes()
    start, end = data.rindex(b"PK\1\2"), data.index(b"PK\5\6")
    extra = b"\x01\x00\x08\x00" + b"\xff" * 8  # where the file begins, by ZIP64
    entry, tail = bytearray(data[start:end] + extra), bytearray(data[end:])
    entry[30:32], entry[42:46] = len(extra).to_bytes(2, "little"), b"\xff" * 4
    tail[12:16] = (int.from_bytes(tail[12:16], "little") + len(extra)).to_bytes(4, "little")
    path.write_bytes(data[:start] + entry + tail)
    with pytest.raises(UsageError, match="damaged ZIP"):
        archive_parts(path)


def test_a_wacz_file_that_names_its_data_many_times_is_read_once(tmp_path: Path) -> None:
    """Its directory may have a million names for one file, or files that overlap."""
    data = gzipped([record(f"{SITE}/", http(page("Home")))])
    path = write_wacz(tmp_path / "a.wacz", data)
    with zipfile.ZipFile(path, "a") as package:
        member = package.getinfo("archive/data.warc.gz")
        for number in range(5):
            again = copy(member)
            again.filename = f"archive/{number}.warc.gz"
            package.filelist.append(again)
        package.writestr("datapackage.json", "{}")
    assert len(archive_parts(path)) == 1
    with zipfile.ZipFile(path, "a") as package:
        within = copy(member)
        within.filename, within.header_offset = "archive/x.warc.gz", member.header_offset + 1
        package.filelist.append(within)
        package.writestr("datapackage-digest.json", "{}")
    with pytest.raises(UsageError, match="damaged ZIP file"):
        archive_parts(path)


def test_a_zip_file_with_names_that_cannot_be_read_is_damaged(tmp_path: Path) -> None:
    path = write_wacz(tmp_path / "a.wacz", gzipped(THREE))
    data = path.read_bytes()
    odd = bytearray(data.replace(b"data.warc", b"d\xff\xfea.warc"))
    odd[data.rindex(b"PK\1\2") + 9] |= 0x08  # said to be UTF-8
    path.write_bytes(odd)
    with pytest.raises(UsageError, match="damaged ZIP"):
        archive_parts(path)
    assert listed_roots(path) == []


def test_a_page_list_gives_a_thousand_seeds_and_none_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "a.wacz"
    long = {"url": f"https://a.example/{'x' * 100_000}", "seed": True}
    seeds = [{"url": f"https://a.example/{n}", "seed": True} for n in range(2_000)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("pages/pages.jsonl", "\n".join(map(json.dumps, [long, *seeds])))
    assert listed_roots(path) == [f"https://a.example/{n}" for n in range(1_000)]


def test_a_page_list_that_cannot_be_unpacked_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("pages/pages.jsonl", "x" * 100_000)
    data = bytearray(path.read_bytes())
    start = data.index(b"pages.jsonl") + len(b"pages.jsonl")
    data[start : start + 20] = b"\xff" * 20
    path.write_bytes(data)
    assert listed_roots(path) == []
