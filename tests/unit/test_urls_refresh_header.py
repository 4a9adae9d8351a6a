from gossamer.model.visit import Refresh
from gossamer.urls.refresh_directive import MAX_DELAY_S, parse_refresh, read_refresh
from tests.cases import each_case

BASE = "https://example.com/docs/page.html?q"


@each_case(
    ("text", "delay_s"),
    [
        *(("1", 1), ("0", 0), ("007", 7), (" \t\n\f\r1", 1), ("1 ", 1), ("1\t", 1), ("1;", 1)),
        *(("1,", 1), ("1 ; ", 1), ("1.", 1), ("1.9", 1), (".5", 0), (".", 0), ("1.9..5.", 1)),
        *(("9" * 10_000, MAX_DELAY_S), ("0" * 10_000 + "1", 1)),
    ],
)
def test_without_a_url_the_page_is_loaded_again(text: str, delay_s: int) -> None:
    assert read_refresh(text) == (delay_s, None)
    assert parse_refresh(text, BASE) is None


@each_case(
    ("text", "href"),
    [
        *(("1; url=x", "x"), ("1, url=x", "x"), ("1 url=x", "x"), ("1;url=x", "x")),
        *(("1\turl=x", "x"), ("1;\fURL=x", "x"), ("1 , uRl \n=\r x", "x"), ("1  url  =  x", "x")),
        *(("1;x", "x"), ("1 x", "x"), ("1;;url=x", ";url=x"), ("1 ;,url=x", ",url=x")),
        *(("1 x;url=y", "x;url=y"), ("1;url x", "url x"), ("1;urlx", "urlx"), ("1;urx", "urx")),
        *(("1;u", "u"), ("1;url", "url"), ("1;URL ", "URL "), ("1;url=", ""), ("1;url = ", "")),
        *(("1;url='x'y", "x"), ('1;url="x"y', "x"), ("1;'x'y", "x"), ('1;"x', "x")),
        *(("1;url=\"x'y", "x'y"), ("1;url='", ""), ("1;url=''x", ""), ("1;url=x'y'", "x'y'")),
        *(("1.9; url=x", "x"), ("1.9..5.;url=x", "x"), (".9 url=x", "x")),
        *(("1;url=x ", "x "), ("1;url=url=x", "url=x"), ("1;url==x", "=x")),
    ],
)
def test_the_url_is_what_the_standard_says(text: str, href: str) -> None:
    read = read_refresh(text)
    assert read is not None
    assert read[1] == href


@each_case(
    "text",
    [
        *("", " ", "x", "url=x", ";url=x", ", x", "-1", "+1;url=x", "-0;url=x", "1x", "1url=x"),
        *("1x;url=y", "1e0;url=x", "1:url=x", "\xa01", "\x0b1;url=x", "\u0661;url=x", "1\xa0url=x"),
    ],
)
def test_what_is_no_refresh_does_nothing(text: str) -> None:
    assert read_refresh(text) is None
    assert parse_refresh(text, BASE) is None


@each_case(
    ("text", "refresh"),
    [
        ("5; url=../x?ü#part", Refresh(5, "https://example.com/x?%C3%BC")),
        ("0;url=", Refresh(0, BASE)),
        ("0;url=#part", Refresh(0, BASE)),
        ("0;url=f\to\no ", Refresh(0, "https://example.com/docs/foo")),
        ("0;//other.example", Refresh(0, "https://other.example/")),
        ("0;url=javascript:alert(1)", None),
        ("0;url=java\nscript:alert(1)", None),
        ("0;url=data:text/html,x", None),
        ("0;url=mailto:someone@example.com", None),
        ("0;url=http://[", None),
    ],
)
def test_it_leads_to_web_addresses_only(text: str, refresh: Refresh | None) -> None:
    assert parse_refresh(text, BASE) == refresh
