"""The CDXJ index has a line for each capture, in the order and with the keys of replay tools."""

import json
import zipfile
from pathlib import Path

import pytest

from gossamer.archive.archive_parts import archive_parts
from gossamer.archive.cdxj import cdxj_lines, sorted_lines, surt
from gossamer.export.wacz_package import WaczPackage, add_archive
from tests.fakes.warc import SITE, http, page, record, write_warc


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.Example.com/", "com,example)/"),
        ("https://www2.example.com/A/B/", "com,example)/a/b"),
        ("https://wwwx.example.com/", "com,example,wwwx)/"),
        ("https://user:pw@example.com:8443/x?b=2&a=1#top", "com,example:8443)/x?a=1&b=2"),
        ("http://127.0.0.1:8000/", "1,0,0,127:8000)/"),
        ("http://[2001:db8::1]:8000/", "[2001:db8::1]:8000)/"),
        ("http://xn--bcher-kva.example/%C3%BC", "example,xn--bcher-kva)/%c3%bc"),
    ],
)
def test_keys_turn_hosts_round(url: str, key: str) -> None:
    assert surt(url) == key


def test_a_line_leads_to_its_record(tmp_path: Path) -> None:
    asked = record(f"{SITE}/head", b"HEAD /head HTTP/1.1\r\n\r\n", "request", Concurrent_To="<h>")
    path = write_warc(
        tmp_path / "a.warc.gz",
        [
            record("", b"x", "warcinfo"),
            record(f"{SITE}/", http(page("Home")), Payload_Digest="sha1:H"),
            asked,
            record(f"{SITE}/head", http(), Record_ID="<h>"),
            record(f"{SITE}/", http(), "revisit", Payload_Digest="sha1:H"),
        ],
    )
    [part] = archive_parts(path)
    lines = [line.split(" ", 2) for line in cdxj_lines(part, "a.warc.gz")]
    assert [(key, stamp) for key, stamp, _ in lines] == [("test,archived)/", "20240501120000")] * 2
    told = [json.loads(text) for *_, text in lines]
    assert [(each["mime"], each["status"]) for each in told] == [
        ("text/html", "200"),
        ("warc/revisit", "200"),
    ]
    data = path.read_bytes()
    first = told[0]
    start, length = int(first["offset"]), int(first["length"])
    again = tmp_path / "one.warc.gz"
    again.write_bytes(data[start : start + length])
    [one] = archive_parts(again)
    [line] = cdxj_lines(one, "a.warc.gz")
    assert json.loads(line.split(" ", 2)[2]) == {**first, "offset": "0"}


def test_whichever_names_the_other_an_answer_to_another_method_has_no_line(tmp_path: Path) -> None:
    asked = record(f"{SITE}/form", b"POST /form HTTP/1.1\r\n\r\n", "request", Record_ID="<p>")
    answer = record(f"{SITE}/form", http(), Record_ID="<a>", Concurrent_To="<p>")
    [part] = archive_parts(write_warc(tmp_path / "a.warc", [asked, answer]))
    assert list(cdxj_lines(part, "a.warc")) == []


@pytest.mark.parametrize(
    "date",
    ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1970-01-01T00:00:00+14:00"],
)
def test_a_date_that_no_calendar_has_is_none(tmp_path: Path, date: str) -> None:
    odd = record(f"{SITE}/", http()).replace(b"2024-05-01T12:00:00Z", date.encode())
    [part] = archive_parts(write_warc(tmp_path / "a.warc", [odd]))
    [line] = cdxj_lines(part, "a.warc")
    assert line.split(" ")[1] == "19700101000000"


def test_lines_are_sorted_by_their_bytes(tmp_path: Path) -> None:
    lines = [f"key{number % 7},ü {number}" for number in range(200)]
    assert list(sorted_lines(lines, tmp_path)) == sorted(f"{line}\n".encode() for line in lines)


def test_each_part_of_a_package_has_a_name_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    names = ["a-2.warc", "a.warc", "other/a.warc"]
    files = [write_warc(tmp_path / each, [record(f"{SITE}/", http())]) for each in names]
    parts = [part for each in files for part in archive_parts(each)]
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as package:
        add_archive(
            WaczPackage(package, lambda: None),
            parts,
            tmp_path,
            lambda: None,
            lambda _done, _of: None,
        )
        found = [name for name in package.namelist() if name.startswith("archive/")]
    assert found == ["archive/a-2.warc", "archive/a.warc", "archive/a-3.warc"]
