"""The CDXJ index has a line for each capture, in the order and with the keys of replay tools."""

import json
import zipfile
from pathlib import Path

import pytest

from gossamer.archive.capture_keys import dom_key, surt
from gossamer.archive.cdxj import cdxj_lines, sorted_lines
from gossamer.archive.warc_parts import archive_parts
from gossamer.export.wacz_package import WaczPackage, add_archive
from tests.cases import each_case
from tests.fakes.warc import SITE, http, page, record, write_warc


@each_case(
    ("url", "key"),
    [
        ("http://www.Example.com/", "com,example)/"),
        ("https://www2.example.com/A/B/", "com,example)/a/b"),
        ("https://wwwx.example.com/", "com,example,wwwx)/"),
        ("https://user:pw@example.com:8443/x?b=2&a=1#top", "com,example:8443)/x?a=1&b=2"),
        ("http://127.0.0.1:8000/", "1,0,0,127:8000)/"),
        ("http://[2001:db8::1]:8000/", "2001:db8::1:8000)/"),
        ("http://xn--bcher-kva.example/%C3%BC", "example,xn--bcher-kva)/%c3%bc"),
        ("http://a.test/operator%2B%3D.html", "test,a)/operator+=.html"),
        ("http://a.test/x//y%2Fz/%252B%23%20", "test,a)/x/y/z/+%23%20"),
        ("http://a.test/%2e%2e/x/%2E", "test,a)/../x"),
        ("http://a.test/x?b=1&a-b=2&a=3&a", "test,a)/x?a&a=3&a-b=2&b=1"),
        (f"http://a.test/x?b&PHPSESSID={'0aF9' * 8}&a", "test,a)/x?a&b"),
        (f"http://a.test/(S({'a1' * 12}))/p.aspx", "test,a)/p.aspx"),
        ("http://www.test/?", "test)/"),
    ],
)
def test_keys_are_those_of_replay_tools(url: str, key: str) -> None:
    """As the library gives them that pywb looks them up with."""
    assert surt(url) == key


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://A.test:81/", "http://a.test:81"),
        ("https://www.a.test/B/?b=1&a=2", "https://www.a.test/b?a=2&b=1"),
        ("http://a.test/#/cart", "http://a.test"),
        (f"http://a.test/\u00fc?PHPSESSID={'0aF9' * 8}", "http://a.test/%c3%bc"),
    ],
)
def test_keys_of_doms_are_those_of_replay_tools(url: str, key: str) -> None:
    """As the library gives them that pywb and py-wacz make indexes with."""
    assert dom_key(f"urn:dom:{url}") == f"urn:dom:{key}"


def test_a_dom_has_a_line_and_other_records_without_a_web_address_have_none(tmp_path: Path) -> None:
    path = write_warc(
        tmp_path / "a.warc.gz",
        [
            record(f"urn:dom:{SITE}/", b"<p>", "resource", "text/html"),
            record(f"urn:pageinfo:{SITE}/", b"{}", "resource", "application/json"),
        ],
    )
    [part] = archive_parts(path)
    [line] = cdxj_lines(part, "a.warc.gz")
    assert line.startswith(f"urn:dom:{SITE} 20240501120000 ")
    assert json.loads(line.split(" ", 2)[2])["mime"] == "text/html"


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


def test_whichever_comes_first_and_names_the_other_an_answer_to_another_method_has_no_line(
    tmp_path: Path,
) -> None:
    post = b"POST /form HTTP/1.1\r\n\r\n"
    asked = record(f"{SITE}/form", post, "request", Record_ID="<p>")
    naming = record(f"{SITE}/form", post, "request", Record_ID="<q>", Concurrent_To="<b>")
    answers = [
        record(f"{SITE}/form", http(), Record_ID="<a>", Concurrent_To="<p>"),
        record(f"{SITE}/form", http(), Record_ID="<b>"),
    ]
    page = record(f"{SITE}/", http(), Record_ID="<c>")
    for records in ([asked, naming, page, *answers], [*answers, page, naming, asked]):
        [part] = archive_parts(write_warc(tmp_path / "a.warc", records))
        [line] = cdxj_lines(part, "a.warc")
        assert line.startswith("test,archived)/ ")


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


def test_a_package_is_found_in_by_names_and_by_its_directory_alone(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    names = ["a-2.warc", "a.warc", "other/a.warc"]
    files = [write_warc(tmp_path / each, [record(f"{SITE}/", http())]) for each in names]
    parts = [part for each in files for part in archive_parts(each)]
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as package:
        wacz = WaczPackage(package, lambda: None)
        add_archive(
            wacz,
            parts,
            tmp_path,
            lambda: None,
            lambda _done, _of: None,
        )
        wacz.add("pages/pages.jsonl", [b"pages"])
        found = [name for name in package.namelist() if name.startswith("archive/")]
        members = package.infolist()
    assert found == ["archive/a-2.warc", "archive/a.warc", "archive/a-3.warc"]
    data = (tmp_path / "a.wacz").read_bytes()
    for member in members:
        local = data[member.header_offset : member.header_offset + 30]
        extra = int.from_bytes(local[28:30], "little")
        # ReplayWeb.page looks at the local header of those alone that have something here.
        assert member.extra or not extra
    assert "indexes/index.cdx" in package.namelist()  # the name that pywb looks for
