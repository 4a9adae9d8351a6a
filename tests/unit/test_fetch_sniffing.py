import pytest

from gossamer.fetch.mime_sniffing import SniffPolicy, looks_like_html, sniff_of, sniffed_type
from tests.cases import each_case


@each_case(
    ("essence", "header", "no_sniff", "expected"),
    [
        ("", "", False, SniffPolicy.ANYTHING),
        ("", "nonsense", False, SniffPolicy.ANYTHING),
        ("*/*", "*/*", False, SniffPolicy.ANYTHING),
        ("unknown/unknown", "unknown/unknown", False, SniffPolicy.ANYTHING),
        ("application/unknown", "application/unknown", True, SniffPolicy.NO_PAGE),
        ("text/plain", "text/plain", False, SniffPolicy.TEXT_OR_BINARY),
        ("text/plain", "text/plain; charset=ISO-8859-1", False, SniffPolicy.TEXT_OR_BINARY),
        ("text/plain", "text/plain; charset=iso-8859-1", False, SniffPolicy.TEXT_OR_BINARY),
        ("text/plain", "text/plain; charset=UTF-8", False, SniffPolicy.TEXT_OR_BINARY),
        ("text/plain", "text/plain", True, SniffPolicy.NOT),
        ("text/plain", "text/plain; charset=utf-8", False, SniffPolicy.NOT),
        ("text/plain", "TEXT/PLAIN", False, SniffPolicy.NOT),
        ("image/png", "image/png", False, SniffPolicy.NOT),
    ],
)
def test_which_types_are_doubted(
    essence: str, header: str, no_sniff: bool, expected: SniffPolicy
) -> None:
    assert sniff_of(essence, header, no_sniff=no_sniff) is expected


@each_case(
    ("start", "expected"),
    [
        (b"\n<!doctype HTML>", "text/html"),
        (b"<b>x", "text/html"),
        (b"<!--", "text/html"),
        (b"<bx>", "text/plain"),
        (b"  <?xml version='1.0'?>", "text/xml"),
        (b"%PDF-1.7", "application/pdf"),
        (b"%!PS-Adobe-3.0", "application/postscript"),
        (b"\xfe\xff\x00a", "text/plain"),
        (b"\xff\xfea\x00", "text/plain"),
        (b"\xef\xbb\xbfabc\x00", "text/plain"),
        (b"\x00\x00\x01\x00\x01", "image/x-icon"),
        (b"BM\x00\x01", "image/bmp"),
        (b"GIF89a\x01", "image/gif"),
        (b"RIFF\n\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"\x89PNG\r\n\x1a\n\x00", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF\x01\x00\x00\x00WAVEfmt", "audio/wave"),
        (b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00", "video/mp4"),
        (b"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41", "video/mp4"),
        (b"\x1f\x8b\x08\x00", "application/x-gzip"),
        (b"PK\x03\x04\x14", "application/zip"),
        (b"ID3\x03", "audio/mpeg"),
        (b"plain words", "text/plain"),
        (b"", "text/plain"),
        (b"words\x1bwith an escape", "text/plain"),
        (b"words\x00with a zero", "application/octet-stream"),
    ],
)
def test_what_anything_turns_out_to_be(start: bytes, expected: str) -> None:
    assert sniffed_type(start, SniffPolicy.ANYTHING) == expected


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (b"<html>", "text/plain"),
        (b"%PDF-1.7", "text/plain"),
        (b"GIF87a", "image/gif"),
        (b"\x01", "application/octet-stream"),
    ],
)
def test_a_server_that_forbids_guessing_gets_no_page(start: bytes, expected: str) -> None:
    assert sniffed_type(start, SniffPolicy.NO_PAGE) == expected


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (b"<html>", "text/plain"),
        (b"\xfe\xff\x00\x01", "text/plain"),
        (b"\xef\xbb\xbf\x00", "text/plain"),
        (b"\x89PNG\r\n\x1a\n\x00", "application/octet-stream"),
    ],
)
def test_text_that_may_be_none(start: bytes, expected: str) -> None:
    assert sniffed_type(start, SniffPolicy.TEXT_OR_BINARY) == expected


@each_case(
    "start",
    [b"<!DOCTYPE html>", b"\t\r\n <html lang=en", b"<!--", b"<TITLE>", b"\xef\xbb\xbf<p>", b"<h1 "],
)
def test_beginnings_of_pages(start: bytes) -> None:
    assert looks_like_html(start)


@each_case(
    "start",
    [b"", b"<", b"<?xml ?>", b"<svg>", b"<pre>", b"text <p>", b"PK\x03\x04", b"<htmlx>", b"{}"],
)
def test_beginnings_of_other_things(start: bytes) -> None:
    assert not looks_like_html(start)
