import pytest

from gossamer.model.errors import UsageError
from gossamer.urls.url_parsing import (
    host_and_port,
    is_http,
    join,
    of_other_origins,
    origin,
    parse_root,
    serialised_fragment,
    without_fragment,
)
from tests.cases import each_case


@each_case(
    ("typed", "meant"),
    [
        ("example.com", "https://example.com/"),
        ("  HTTPS://Example.com  ", "https://example.com/"),
        ("example.com/a b", "https://example.com/a%20b"),
        ("//example.com/x", "https://example.com/x"),
        ("https://example.com/a?q=1#part", "https://example.com/a?q=1"),
        ("http:example.com", "http://example.com/"),
        ("bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("\u200bexample.com\u00a0", "https://example.com/"),
        ("https://user:word@example.com/", "https://user:word@example.com/"),
        ("intranet", "https://intranet/"),
        ("localhost", "http://localhost/"),
        ("localhost:8000", "http://localhost:8000/"),
        ("LOCALHOST:8000/x", "http://localhost:8000/x"),
        ("site.localhost", "http://site.localhost/"),
        ("127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("10.0.0.7", "http://10.0.0.7/"),
        ("[::1]", "http://[::1]/"),
        ("[::1]:8000", "http://[::1]:8000/"),
        ("example.com:8000", "http://example.com:8000/"),
        ("intranet:8000/a:b", "http://intranet:8000/a:b"),
        ("example.com:80", "http://example.com/"),
        ("example.com:443/x", "https://example.com/x"),
        ("example.com/a:8000", "https://example.com/a:8000"),
    ],
)
def test_what_people_type_becomes_the_url_they_mean(typed: str, meant: str) -> None:
    assert parse_root(typed) == meant


@each_case(
    ("typed", "complaint"),
    [
        ("", "Enter the URL of a website"),
        (" \n\t", "Enter the URL of a website"),
        ("a.example\nb.example", "one URL at a time"),
        ("ftp://example.com/", "not ftp: URLs"),
        ("mailto:someone@example.com", "not mailto: URLs"),
        ("javascript:alert(1)", "not javascript: URLs"),
        ("file:///etc/hosts", "not file: URLs"),
        ("C:\\site\\index.html", "not c: URLs"),
        ("tel:12345", "not tel: URLs"),
        ("view-source:https://example.com/", "not view-source: URLs"),
        ("https://", "has no host"),
        ("/docs/index.html", "has no host"),
        ("?q=1", "has no host"),
        ("https://example.com:99999/", "The port in"),
        ("example.com:99999", "The port in"),
        ("example.com:80x", "The port in"),
        ("https://example.com:8o/", "The port in"),
        ("exa mple.com", "is not a URL"),
        ("https://a%00b/", "is not a URL"),
        ("http://[::1", "is not a URL"),
        ("\ud800.example", "is not a URL"),
        ("x" * 100_000 + " y", "is not a URL"),
    ],
)
def test_what_cannot_be_crawled_is_refused_in_one_sentence(typed: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_root(typed)
    sentence = str(caught.value)
    assert complaint in sentence
    assert sentence.endswith(".")
    assert len(sentence) < 300
    assert "\n" not in sentence
    sentence.encode()


@each_case(
    ("href", "target"),
    [
        ("b.html", "https://example.com/docs/b.html"),
        ("../b.html", "https://example.com/b.html"),
        ("/b c", "https://example.com/b%20c"),
        ("//other.example/x", "https://other.example/x"),
        ("", "https://example.com/docs/a.html?q"),
        ("#part", "https://example.com/docs/a.html?q"),
        ("?page=2", "https://example.com/docs/a.html?page=2"),
        ("  \n b.html\t", "https://example.com/docs/b.html"),
        ("b\n.html", "https://example.com/docs/b.html"),
        ("a #x", "https://example.com/docs/a%20"),
        ("http:\\\\other.example\\x", "http://other.example/x"),
        ("https:b.html", "https://example.com/docs/b.html"),
        ("mailto:someone@example.com#x", "mailto:someone@example.com"),
        ("\ud83d\ude00", "https://example.com/docs/%F0%9F%98%80"),
        ("\ude00x", "https://example.com/docs/%EF%BF%BDx"),
        ("http://[::1", None),
        ("http://exa mple/", None),
        ("https://example.com:99999/", None),
        ("http://ü\ud800/", None),
    ],
)
def test_hrefs_are_joined_as_browsers_do(href: str, target: str | None) -> None:
    assert join("https://example.com/docs/a.html?q", href) == target


def test_the_origin_is_scheme_host_and_a_port_worth_naming() -> None:
    assert origin("https://example.com/a@b:1?c") == "https://example.com"
    assert origin("http://user:word@example.com:8080/") == "http://example.com:8080"
    assert origin("https://[2001:db8::1]:8443/") == "https://[2001:db8::1]:8443"
    assert origin("mailto:someone@example.com") == ""


def test_host_and_port_of_an_origin() -> None:
    assert host_and_port("https://example.com") == ("example.com", 443)
    assert host_and_port("http://example.com") == ("example.com", 80)
    assert host_and_port("http://example.com:8080") == ("example.com", 8080)
    assert host_and_port("http://[::1]") == ("[::1]", 80)
    assert host_and_port("http://[::1]:8080") == ("[::1]", 8080)


def test_only_http_and_https_are_web_addresses() -> None:
    assert is_http("http://example.com/")
    assert is_http("https://example.com/")
    assert not is_http("ftp://example.com/")
    assert not is_http("httpx://example.com/")


def test_a_fragment_begins_at_the_first_hash() -> None:
    assert without_fragment("https://example.com/a?b#c#d") == "https://example.com/a?b"
    assert without_fragment("https://example.com/a") == "https://example.com/a"


@each_case(
    ("written", "serialised"),
    [
        ("", ""),
        ("#", "#"),
        ("# ", "#"),
        ("#part", "#part"),
        ("#a b", "#a%20b"),
        ("#ü", "#%C3%BC"),
        ('#"<>`', "#%22%3C%3E%60"),
        ("#a#b?c/d:e@f%", "#a#b?c/d:e@f%"),
        ("#{|}^\\[]'", "#{|}^\\[]'"),
        ("#:~:text=a,-b", "#:~:text=a,-b"),
        ("#a\tb\nc ", "#abc"),
        ("#a\x00\x7f", "#a%00%7F"),
        ("#\ud800", "#%EF%BF%BD"),
    ],
)
def test_fragments_are_serialised_as_the_standard_does(written: str, serialised: str) -> None:
    assert serialised_fragment(written) == serialised


def test_other_origins_are_told_by_all_that_precedes_the_path() -> None:
    own = ["https://example.com/", "https://example.com/a"]
    others = ["http://example.com/", "https://example.com:8000/", "mailto:x", "", "https://e"]
    assert of_other_origins([*own, *others, own[0]], "https://example.com") == others
