import pytest

from gossamer.urls.url_folders import display_host, display_name, display_url, folders
from gossamer.urls.url_parsing import url_key
from tests.cases import each_case


@each_case(
    ("url", "expected"),
    [
        ("https://example.com/docs/api/x.html", ("https://example.com", "docs", "api")),
        ("https://example.com/docs/api/", ("https://example.com", "docs", "api")),
        ("https://example.com/docs/api", ("https://example.com", "docs")),
        ("https://example.com/", ("https://example.com",)),
        ("http://user@example.com:8080/a//b?c/d/e", ("http://example.com:8080", "a", "")),
        ("https://example.com/%C3%BC/x", ("https://example.com", "%C3%BC")),
        ("mailto:someone@example.com", ()),
    ],
)
def test_folders_are_the_origin_and_the_path_above_the_page(
    url: str, expected: tuple[str, ...]
) -> None:
    assert folders(url) == expected


@each_case(
    ("segment", "shown"),
    [
        ("docs", "docs"),
        ("a%20b", "a b"),
        ("%C3%BC%e4%b8%ad", "ü中"),
        ("100%25", "100%"),
        ("%zz", "%zz"),
        ("", "/"),
        ("a%2Fb", "a%2Fb"),
        ("%ff%C3%BC", "%FFü"),
        ("%00%0A", "%00%0A"),
        ("%E2%80%AEgnp.exe", "%E2%80%AEgnp.exe"),
        ("\u202egnp.exe", "%E2%80%AEgnp.exe"),
        ("%C2%A0", "%C2%A0"),
    ],
)
def test_displayed_folder_names_hide_no_characters(segment: str, shown: str) -> None:
    assert display_name(segment) == shown


@each_case(
    ("url", "shown"),
    [
        ("https://example.com/a%20b", "https://example.com/a%20b"),
        ("https://xn--bcher-kva.example:8080/%C3%BC", "https://bücher.example:8080/ü"),
        ("https://xn--a@xn--bcher-kva.example/", "https://xn--a@bücher.example/"),
        ("https://example.com/%2F%3F?q=%26", "https://example.com/%2F%3F?q=%26"),
        ("https://example.com/%E2%80%AE", "https://example.com/%E2%80%AE"),
        ("https://example.com/%FF", "https://example.com/%FF"),
        ("not a\nurl \u2066", "not a%0Aurl %E2%81%A6"),
    ],
)
def test_displayed_urls_hide_no_characters(url: str, shown: str) -> None:
    assert display_url(url) == shown


def test_invalid_punycode_is_unchanged() -> None:
    assert display_host("xn--zzzzzz--.example") == "xn--zzzzzz--.example"
    assert display_host("xn--e1afmkfd.xn--p1ai") == "пример.рф"


@pytest.mark.parametrize(
    ("url", "b2sum"),  # as `b2sum -l 64` prints it
    [
        ("https://example.com/", "14ba2eb79c27555b"),
        ("https://example.com/a", "f24a9deb5f47e5a4"),
        ("", "e4a6a0577479b2b4"),
    ],
)
def test_url_hashes_are_stable(url: str, b2sum: str) -> None:
    assert url_key(url) % 2**64 == int(b2sum, 16)
    assert -(2**63) <= url_key(url) < 2**63
