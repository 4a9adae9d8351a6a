import pytest

from gossamer.extract.charset_detection import (
    LABELS,
    REPLACEMENT,
    decoded,
    encoding_for,
    prescan,
    sniff,
)
from gossamer.extract.html_page import extract
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case

URL = "https://example.com/"


def name(body: bytes, header: str | None = None) -> str:
    return sniff(body, header)[0].name


@each_case(
    ("label", "encoding"),
    [
        ("UTF-8", "utf-8"),
        (" utf8\n", "utf-8"),
        ("iso-8859-1", "windows-1252"),
        ("latin1", "windows-1252"),
        ("US-ASCII", "windows-1252"),
        ("gb2312", "gbk"),
        ("Shift_JIS", "shift_jis"),
        ("ks_c_5601-1987", "euc-kr"),
        ("iso-8859-9", "windows-1254"),
        ("utf-16", "utf-16le"),
        ("iso-2022-kr", "replacement"),
    ],
)
def test_labels_mean_what_the_standard_says(label: str, encoding: str) -> None:
    found = encoding_for(label)
    assert found is not None
    assert found.name == encoding


@each_case("label", ["", "utf-7", "utf-32", "base64", "rot13", "nonsense", "idna"])
def test_other_labels_mean_nothing(label: str) -> None:
    assert encoding_for(label) is None


def test_every_label_can_be_decoded_with() -> None:
    assert len(LABELS) == 228
    for label in LABELS:
        encoding = encoding_for(label)
        assert encoding is not None
        assert isinstance(decoded(b"\x00<a>\x80\xff\x1b$", encoding), str)


def test_an_encoding_that_hides_markup_is_not_read() -> None:
    assert decoded(b"<script>", REPLACEMENT) == "\ufffd"
    assert decoded(b"", REPLACEMENT) == ""


@each_case(
    ("body", "header", "encoding"),
    [
        (b"\xef\xbb\xbf<meta charset=koi8-r>", "latin1", "utf-8"),
        (b"\xff\xfe<\x00", "utf-8", "utf-16le"),
        (b"\xfe\xff\x00<", "utf-8", "utf-16be"),
        (b"<meta charset=koi8-r>", "latin1", "windows-1252"),
        (b"<meta charset=koi8-r>", "nonsense", "koi8-r"),
        (b"<meta charset=koi8-r>", "", "koi8-r"),
        (b"<meta charset=nonsense><meta charset=koi8-r>", None, "koi8-r"),
        (b"<p>plain</p>", None, "utf-8"),
        ("<p>grün</p>".encode(), None, "utf-8"),
        (b"", None, "utf-8"),
        (b"<p>\xff\xfe\xfd</p>" + b" " * 2000 + b"<meta charset=koi8-r>", None, "koi8-r"),
    ],
)
def test_mark_then_header_then_meta_then_looks(
    body: bytes, header: str | None, encoding: str
) -> None:
    assert name(body, header) == encoding


@each_case(
    ("head", "encoding"),
    [
        (b"<META CHARSET='KOI8-R'>", "koi8-r"),
        (b'<meta name=x charset = "koi8-r" >', "koi8-r"),
        (b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "koi8-r"),
        (b"<meta content='text/html; charset=koi8-r' http-equiv=content-type>", "koi8-r"),
        (b"<meta http-equiv=content-type content='text/html; charset=\"koi8-r\"'>", "koi8-r"),
        (b"<meta charset=utf-16le>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<!doctype html><html><head><title>x</title><meta charset=koi8-r>", "koi8-r"),
        (b"<meta/charset=koi8-r>", "koi8-r"),
        (b"<!--><meta charset=koi8-r>", "koi8-r"),
        (b"<meta charset=latin1 charset=koi8-r>", "windows-1252"),
        (b"<meta content='charset=koi8-r'>", None),
        (b"<metacharset=koi8-r>", None),
        (b"<!-- <meta charset=koi8-r> -->", None),
        (b"<!-- <meta charset=koi8-r>", None),
        (b"<a title='<meta charset=koi8-r>'>", None),
        (b"<meta http-equiv=content-type content='text/html; charset'>", None),
        (b"charset=koi8-r", None),
        (b"<meta charset=>", None),
        (b"<?xml version='1.0' encoding = 'KOI8-R'?><p>", "koi8-r"),
        (b'<?xml version="1.0"\n encoding="koi8-r" ?><meta charset=nonsense>', "koi8-r"),
        (b"<?xml encoding='koi8-r'?><meta charset=big5>", "big5"),
        (b"<?xml encoding='utf-16'?>", "utf-8"),
        (b"\n<?xml encoding='koi8-r'?>", None),
        (b"<?xml version='1.0'?><p encoding='koi8-r'>", None),
        (b"<?xml encoding=koi8-r?>", None),
        (b"<?xml encoding='koi8-r", None),
        (b"<?xml encoding='koi8-r?>'", None),
        (b"<?xml encoding=' koi8-r'?>", None),
    ],
)
def test_a_declaration_is_found_as_browsers_find_it(head: bytes, encoding: str | None) -> None:
    found = prescan(head)
    assert (found.name if found else None) == encoding


@each_case(
    ("codec", "encoding", "text"),
    [
        (
            "cp1251",
            "windows-1251",
            "Привет, мир! Это простая страница на русском языке про погоду.",
        ),
        ("koi8-r", "koi8-r", "Привет, мир! Это простая страница на русском языке про погоду."),
        ("cp932", "shift_jis", "これは日本語のページです。今日は天気がいいですね。"),
        ("euc-jp", "euc-jp", "これは日本語のページです。今日は天気がいいですね。"),
        ("gb18030", "gb18030", "这是一个中文网页,介绍北京的天气和生活。欢迎访问我们的网站。"),
        ("cp949", "euc-kr", "이것은 한국어 페이지입니다. 오늘은 날씨가 좋습니다."),
        ("cp1252", "windows-1252", "Ceci est une page en français, très jolie, où l'été dure."),
        ("cp1253", "windows-1253", "Αυτή είναι μια απλή σελίδα στα ελληνικά."),
    ],
)
def test_undeclared_pages_are_recognised(codec: str, encoding: str, text: str) -> None:
    assert name(f"<html><title>{text}</title><p class=x>{text}</p>".encode(codec)) == encoding


@each_case("parser", list(Parser))
@each_case(
    ("body", "header"),
    [
        ("<title>Grüße</title>".encode(), None),
        (b"\xef\xbb\xbf" + "<title>Grüße</title>".encode(), "latin1"),
        ("<title>Grüße</title>".encode("latin-1"), "iso-8859-1"),
        ("<meta charset=latin1><title>Grüße</title>".encode("latin-1"), None),
        (b"\xff\xfe" + "<title>Grüße</title>".encode("utf-16-le"), None),
        (b"\xfe\xff" + "<title>Grüße</title>".encode("utf-16-be"), None),
        # The parser must not look for itself once it is told.
        ("<meta charset=koi8-r><title>Grüße</title>".encode(), "utf-8"),
        ("<meta charset=utf-8><title>Grüße</title>".encode("latin-1"), "latin1"),
    ],
)
def test_the_text_comes_out_right(body: bytes, header: str | None, parser: Parser) -> None:
    page = extract(body, URL, header, parser)
    assert page.facts.title == "Grüße"


@pytest.mark.parametrize("parser", list(Parser))
def test_bytes_that_are_wrong_become_replacement_characters(parser: Parser) -> None:
    page = extract(b"<title>a\xffb</title><a href='/\xff'>\xff</a>", URL, "utf-8", parser)
    assert page.facts.title == "a\ufffdb"
    assert page.targets == ["https://example.com/%EF%BF%BD"]
    assert page.charset == "utf-8"
