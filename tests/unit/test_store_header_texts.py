"""Headers are stored as two texts, and read as they were."""

from gossamer.store.header_texts import HeaderTexts
from tests.cases import each_case


@each_case(
    "headers",
    [
        [],
        [("Server", "nginx"), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("ETag", '"1: 2"')],
        [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("Vary", "Accept")],
        [("server", ""), ("X-Empty", ""), ("Vary", "a: b"), ("X-Last", "")],
        [("Last-Modified", "Wed, 16 Nov 1994 08:49:37 GMT"), ("Date", "16 Nov 1994 08:49:37")],
        [("Date", "Sun, 16 Nov 1994 08:49:37 GMT"), ("Expires", "Thu, 99 Foo 1994 00:00:00 GMT")],
        [("Date", "Tue, 30 Feb 1994 08:49:37 GMT"), ("Expires", "0"), ("Odd;", "1"), ("A", "2")],
        [("Content-Security-Policy", "script-src 'nonce-1f'"), ("", "without a name")],
    ],
)
def test_headers_are_read_as_they_were(headers: list[tuple[str, str]]) -> None:
    assert HeaderTexts.of(headers).headers == headers


def test_what_responses_have_in_common_is_one_text() -> None:
    one, other = (
        HeaderTexts.of([("Server", "nginx"), ("Content-Length", length), ("ETag", f'"{length}"')])
        for length in ("37283", "12")
    )
    assert one.names == other.names == "Server: nginx\nContent-Length\nETag\n"
    assert other.values == '12\n"12"'


def test_dates_are_stored_without_what_follows_from_the_rest() -> None:
    stored = HeaderTexts.of([("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Age", "1")])
    assert stored == ("Date;\nAge\n", "06 Nov 1994 08:49:37\n1")


def test_what_is_made_for_one_response_is_not_kept_in_common() -> None:
    policy = ("Content-Security-Policy", "script-src 'nonce-1f'")
    assert HeaderTexts.of([policy]).names == "Content-Security-Policy\n"


def test_line_breaks_within_headers_become_spaces() -> None:
    stored = HeaderTexts.of([("X-A", "one\r\ntwo"), ("Server", "three\nfour")])
    assert stored.headers == [("X-A", "one two"), ("Server", "three four")]
