from aiohttp.http import HttpVersion11, RawResponseMessage
from multidict import CIMultiDict, CIMultiDictProxy

from gossamer.fetch.response_head import (
    MAX_HEAD_CHARACTERS,
    MAX_VALUE_CHARACTERS,
    BodyHandling,
    ResponseHead,
    head_of,
    reading_of,
)
from gossamer.fetch.response_outcome import outcome_of, redirect_of
from gossamer.model.outcome import Outcome
from tests.cases import each_case

PAGE_URL = "http://example.com/a/b?q"


def head(status: int = 200, *headers: tuple[str, bytes], reason: str = "OK") -> ResponseHead:
    raw = tuple((name.encode(), value) for name, value in headers)
    parsed = CIMultiDict(
        (name, value.decode("utf-8", "surrogateescape")) for name, value in headers
    )
    message = RawResponseMessage(
        version=HttpVersion11,
        code=status,
        reason=reason,
        headers=CIMultiDictProxy(parsed),
        raw_headers=raw,
        should_close=False,
        compression=None,
        upgrade=False,
        chunked=False,
    )
    return head_of(message)


def typed(*values: bytes, status: int = 200) -> ResponseHead:
    return head(status, *(("Content-Type", value) for value in values))


@each_case(
    ("values", "expected"),
    [
        ([], ("", None)),
        ([b"text/html"], ("text/html", None)),
        ([b"Text/HTML; Charset=UTF-8"], ("text/html", "UTF-8")),
        ([b'text/html;charset="koi8-r"'], ("text/html", "koi8-r")),
        ([b"text/html; charset = 'latin1' ; x=y"], ("text/html", "latin1")),
        ([b"text/html; x=charset=no"], ("text/html", None)),
        ([b"text/html; charset="], ("text/html", None)),
        ([b"text/html, text/html;charset=utf-8"], ("text/html", "utf-8")),
        ([b"text/plain", b"text/html"], ("text/html", None)),
        ([b"text/html", b"nonsense"], ("text/html", None)),
        ([b"html"], ("", None)),
        ([b"text/"], ("", None)),
        ([b"\xff\xfe/\x01"], ("", None)),
        ([b"text/html;charset=" + b"x" * 100], ("text/html", "x" * 64)),
        ([b"text/html;charset=\xff"], ("text/html", None)),
    ],
)
def test_content_types(values: list[bytes], expected: tuple[str, str | None]) -> None:
    seen = typed(*values)
    assert (seen.content_type, seen.charset) == expected


@each_case(
    ("headers", "codings"),
    [
        ([], ""),
        ([("Content-Encoding", b"GZIP, br")], "GZIP, br"),
        ([("Content-Encoding", b"gzip"), ("content-encoding", b"br")], "gzip, br"),
        (
            [("Transfer-Encoding", b"gzip, chunked"), ("Content-Encoding", b"br")],
            "br, gzip, chunked",
        ),
        ([("Transfer-Encoding", b"chunked")], "chunked"),
    ],
)
def test_codings_of_all_headers_count(headers: list[tuple[str, bytes]], codings: str) -> None:
    assert head(200, *headers).codings == codings


@each_case(
    ("value", "length"),
    [
        (b"0", 0),
        (b"17", 17),
        (b"9223372036854775808", 2**63 - 1),
        (b"99999999999999999999", None),
        (b"-1", None),
        (b"", None),
        (b"1e3", None),
    ],
)
def test_lengths_fit_a_column(value: bytes, length: int | None) -> None:
    assert head(200, ("Content-Length", value)).length == length


def test_headers_are_kept_in_order_and_made_safe() -> None:
    seen = head(
        200,
        ("X-B", "ü".encode()),
        ("x-b", b"\xfc"),
        ("X-A", b"a\x1b\x7fb"),
        reason="Ver\x1b \n  y\udcff OK",
    )
    assert seen.headers == [("X-B", "ü"), ("x-b", "ü"), ("X-A", "a\ufffd\ufffdb")]
    assert seen.reason == "Ver\ufffd y\ufffd OK"


def test_long_headers_are_cut_and_too_many_dropped() -> None:
    seen = head(200, *(("X", b"a" * 60_000) for _ in range(1000)))
    assert len(seen.headers) == MAX_HEAD_CHARACTERS // (MAX_VALUE_CHARACTERS + 1)
    assert {len(value) for _, value in seen.headers} == {MAX_VALUE_CHARACTERS}


def test_headers_that_come_again_are_read_as_the_first_time() -> None:
    for value in ("a", "b"):
        seen = head(200, ("X-A", value.encode()), ("x-b", b""))
        assert seen.headers == [("X-A", value), ("x-b", "")]
    unprintable = head(200, ("X-A", b"a\xff"), ("x-b", b"b"))
    assert unprintable.headers == [("X-A", "a\xff"), ("x-b", "b")]
    secret = head(200, ("X-A", b"a"), ("Set-Cookie", b"a=b; Path=/"))
    assert secret.headers == [("X-A", "a"), ("Set-Cookie", "a=…; Path=/")]


def test_many_headers_are_all_kept() -> None:
    many = [(f"X-{number}", b"x") for number in range(200)]
    assert head(200, *many).headers == [(name, "x") for name, _ in many]


@each_case(
    ("status", "content_type", "reading"),
    [
        (200, b"text/html", BodyHandling.PAGE),
        (203, b"application/xhtml+xml", BodyHandling.PAGE),
        (206, b"text/html", BodyHandling.PAGE),
        (200, b"", BodyHandling.SNIFFED),
        (200, b"*/*", BodyHandling.SNIFFED),
        (200, b"text/plain", BodyHandling.SNIFFED),
        (200, b"text/plain;charset=utf-8", BodyHandling.NONE),
        (204, b"text/html", BodyHandling.NONE),
        (205, b"text/html", BodyHandling.NONE),
        (301, b"text/html", BodyHandling.NONE),
        (404, b"text/html", BodyHandling.ERROR_PAGE),
        (404, b"", BodyHandling.NONE),
        (503, b"application/xhtml+xml", BodyHandling.ERROR_PAGE),
        (503, b"application/json", BodyHandling.NONE),
        (101, b"text/html", BodyHandling.NONE),
        (999, b"text/html", BodyHandling.NONE),
    ],
)
def test_what_is_read(status: int, content_type: bytes, reading: BodyHandling) -> None:
    assert reading_of(typed(content_type, status=status)) is reading


@each_case(
    ("status", "outcome"),
    [
        (200, Outcome.FILE),
        (299, Outcome.FILE),
        (400, Outcome.CLIENT_ERROR),
        (499, Outcome.CLIENT_ERROR),
        (500, Outcome.SERVER_ERROR),
        (599, Outcome.SERVER_ERROR),
        (101, Outcome.UNEXPECTED_STATUS),
        (304, Outcome.UNEXPECTED_STATUS),
        (600, Outcome.UNEXPECTED_STATUS),
        (999, Outcome.UNEXPECTED_STATUS),
    ],
)
def test_what_the_status_alone_tells(status: int, outcome: Outcome) -> None:
    assert outcome_of(head(status)) is outcome


@each_case(
    ("location", "target"),
    [
        (b"c", "http://example.com/a/c"),
        (b"?x", "http://example.com/a/b?x"),
        (b"#top", PAGE_URL),
        (b"//other.example", "http://other.example/"),
        (b"HTTPS://Example.COM:443/\\x", "https://example.com//x"),
        (b"http:/d", "http://example.com/d"),
        (b"/%zz", "http://example.com/%zz"),
        (b"http://127.1/", "http://127.0.0.1/"),
    ],
)
def test_redirect_targets_are_resolved_as_browsers_do(location: bytes, target: str) -> None:
    redirect = redirect_of(PAGE_URL, head(302, ("location", location)))
    assert redirect == (Outcome.REDIRECT, target, None)


def test_the_first_of_two_locations_counts() -> None:
    both = head(302, ("Location", b"/1"), ("Location", b"/2"))
    assert redirect_of(PAGE_URL, both) == (Outcome.REDIRECT, "http://example.com/1", None)


@each_case("status", [200, 304, 305, 306, 404])
def test_a_location_alone_is_no_redirect(status: int) -> None:
    assert redirect_of(PAGE_URL, head(status, ("Location", b"/x"))) is None
