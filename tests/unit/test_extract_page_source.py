"""The source of a page for people, and where its links stand."""

from collections.abc import Callable

import pytest

from gossamer.extract.page_source import LONGEST_LINE, readable, span_of_line, spans_of
from gossamer.extract.selector_test import RuleError, matches
from gossamer.model.messages.inspection_messages import MAX_MATCHES
from tests.cases import each_case

URL = "https://example.com/docs/page.html"


def named(text: str, target: str) -> list[str]:
    """The pieces of `text` that name `target`."""
    return [text[start:end] for start, end in spans_of(text, URL, target)]


@each_case(
    ("text", "target", "pieces"),
    [
        ('<a href="other.html">', "https://example.com/docs/other.html", ["other.html"]),
        ("<a HREF = '/x?a=1&amp;b=2#f'>", "https://example.com/x?a=1&b=2", ["/x?a=1&amp;b=2#f"]),
        ("<a href=x.html>", "https://example.com/docs/x.html", ["x.html"]),
        ("<img src=//cdn.test/a.png>", "https://cdn.test/a.png", ["//cdn.test/a.png"]),
        (
            '<img srcset="a.png 1x, b.png 2x">',
            "https://example.com/docs/b.png",
            ["a.png 1x, b.png 2x"],
        ),
        (
            '<meta http-equiv=refresh content="3; url=/new">',
            "https://example.com/new",
            ["3; url=/new"],
        ),
        ('<base href="/deep/"><a href="x">', "https://example.com/deep/x", ["x"]),
        ('<a href="a"></a><a href="./a">', "https://example.com/docs/a", ["a", "./a"]),
        ('<a href="b">a</a>', "https://example.com/docs/a", []),
        ('<a href="http://[">', "https://example.com/docs/a", []),
    ],
)
def test_where_a_link_stands(text: str, target: str, pieces: list[str]) -> None:
    assert named(text, target) == pieces


def test_what_is_read_is_what_came_but_for_what_misleads() -> None:
    text, encoding = readable("a\r\nb\rc \u202ed\x00é".encode(), "utf-8")
    assert text == "a\nb\nc \ufffdd\ufffdé"
    assert encoding == "utf-8"
    assert readable(b"caf\xe9", "latin1") == ("café", "windows-1252")


def test_long_lines_are_broken_behind_tags() -> None:
    text, _ = readable(b"<p>abc</p>" * 1_000, "utf-8")
    lines = text.split("\n")
    assert max(map(len, lines)) <= LONGEST_LINE
    assert all(line.endswith(">") for line in lines)
    assert "".join(lines) == "<p>abc</p>" * 1_000
    assert max(map(len, readable(b"x" * 10_000, None)[0].split("\n"))) == LONGEST_LINE


def test_a_rule_finds_elements() -> None:
    text = '<html>\n<body>\n<p class="a b">One <b>two</b>\n</p><p>Three\n<a href=x>no</a>'
    count, found = matches(text, "p.a, a[href]")
    assert count == 2
    assert (found[0].tag, found[0].text, found[0].line) == ('<p class="a b">', "One two", 3)
    assert found[1].tag == '<a href="x">'
    assert matches(text, "video") == (0, [])


def test_a_rule_lists_some_and_counts_all() -> None:
    count, found = matches("<i>x</i>" * (MAX_MATCHES + 5), "i")
    assert (count, len(found)) == (MAX_MATCHES + 5, MAX_MATCHES)


@each_case("selector", ["p[", "", ":has(", "p:nonsense", "a::before", "@x"])
def test_what_is_no_rule_is_refused_in_a_line(selector: str) -> None:
    with pytest.raises(RuleError) as refused:
        matches("<p>", selector)
    assert "\n" not in str(refused.value)
    assert str(refused.value)


def test_a_line_is_told_only_where_it_is_certain() -> None:
    text = "<!-- <p> -->\n<p>one</p>\n<script>'<i>'</script>\n<i>two</i><table><tr><td>x</table>"
    assert [match.line for match in matches(text, "p, i, td")[1]] == [2, 4, 4]
    assert [match.line for match in matches("<p title='<b>'>\n<b>x</b>", "b")[1]] == [0]


@pytest.mark.parametrize(
    ("start", "read"),
    [
        ("<base ", lambda text: spans_of(text, URL, URL)),
        ('<a href="', lambda text: spans_of(text, URL, URL)),
        ("<!--", lambda text: matches(text, "p")),
        ("<style>", lambda text: matches(text, "p")),
    ],
)
def test_what_is_never_closed_is_not_looked_for_again_and_again(
    start: str, read: Callable[[str], object]
) -> None:
    # Nobody would see the end of this test if each looked through all that follows.
    assert read(start * 200_000) == read(start)


def test_a_line_of_the_page_is_found_in_its_readable_text_though_long_lines_are_broken() -> None:
    long = "x" * (LONGEST_LINE + 5)
    text, _ = readable(f"one\r\n{long}\nthree".encode(), "utf-8")
    lines = [span_of_line(text, line) for line in (1, 2, 3, 4, 0)]
    found = [text[span[0] : span[1]] if span else None for span in lines]
    assert found == ["one", f"{long[:LONGEST_LINE]}\n{long[LONGEST_LINE:]}", "three", None, None]
