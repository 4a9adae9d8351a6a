"""A stored page becomes markup that can do nothing: of a hostile one, too."""

import re

import pytest

from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.page_view import MAX_ELEMENTS, MAX_IMAGES, MAX_TEXT, page_view
from tests.cases import each_case

URL = "http://a.example/docs/page"
TAG = re.compile(r"<(/?)([a-z0-9]+)((?: [a-z]+=\"[^\"<>]*\")*)>")
ATTRIBUTES = {"href", "name", "src", "alt", "title", "colspan", "rowspan"}
ATTRIBUTES |= {"cellspacing", "cellpadding"}


def view(markup: str) -> str:
    return page_view(utf_8_markup(markup.encode(), "utf-8"), URL).html.strip()


@each_case(
    ("markup", "shown"),
    [
        ("<p>a <b>b</b>", "<p>a <b>b</b></p>"),
        ("<script>alert(1)</script>x", "x"),
        ("<style>a{b:url(x)}</style><link rel=stylesheet href=x>x", "x"),
        ("<p style='background:url(//e.example/x)' onclick=x() class=c>x", "<p>x</p>"),
        ("<p hidden>x</p><p style='color:red;display:none'>y</p><p>z", "<p>z</p>"),
        ("<form action=/send><input name=a><button>Go</button></form>", "<div>Go</div>"),
        ("<iframe src=/a>x</iframe><object data=a>y</object><svg><script>z</script></svg>", ""),
        ("<noscript><p>plain</noscript>", "<p>plain</p>"),
        ("<meta http-equiv=refresh content='0;url=/x'>x", "x"),
        (
            "<base href='http://b.example/c/'><a href=d>x</a>",
            '<a href="http://b.example/c/d">x</a>',
        ),
        ("<base href='javascript:x'><a href=d>x</a>", '<a href="http://a.example/docs/d">x</a>'),
        ("<a href='java\nscript:alert(1)'>x</a>", "x"),
        ("<a href='data:text/html,x'>x</a><a href='file:///etc/passwd'>y</a>", "xy"),
        ("<img src='data:image/png;base64,AA' alt='A <b>'>", "<i>A &lt;b&gt;</i>"),
        ("<img src=p.png alt=P>", '<img src="image:0" alt="P" title="P">'),
        ("<img src=file:///p.png><img srcset='a.png 2x'>", ""),
        (
            "<a href=#x>x</a><p id=x>y<p id=z>z",
            '<a href="#x">x</a><p><a name="x"></a>y</p><p>z</p>',
        ),
        (f"<a href='{URL}#x'>x</a>", '<a href="#x">x</a>'),
        ("<table><tr><td colspan=99 rowspan=x>a</table>", '<td colspan="20">a</td>'),
        ("a\u202eb\u200ec\x07d", "abcd"),
        ("<pre>a\n  b</pre>", "<pre>a\n  b</pre>"),
    ],
)
def test_what_is_left_of_a_page(markup: str, shown: str) -> None:
    found = view(markup)
    assert found == shown or ("<table" in markup and shown in found)


def test_tables_that_lay_out_a_page_are_none() -> None:
    found = view("<table><tr><td>a<table><tr><td>b<td>c</table></table>")
    assert found.count("<table") == 1
    assert found.count("<td>") == 2
    assert found.startswith("<div>")


HOSTILE = {
    "deep": "<div>" * 6_000 + "x",
    "deep tables": "<table><tr><td>" * 3_000 + "x",
    "deep lists": "<ul><li><blockquote>" * 3_000 + "x",
    "many cells": "<table>" + ("<tr>" + "<td>x" * 40) * 500,
    "many elements": "<i>x</i>" * 20_000,
    "long": "<p>" + "word " * 100_000,
    "one word": "<p>" + "w" * 300_000,
    "many images": "".join(f"<img src={n}.png>" for n in range(500)),
    "unclosed": "<a href='" + "x" * 100_000,
    "nested wrongly": "<b><table><a href=x><tr><p></b><td></a>" * 2_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_stays_within_bounds(name: str) -> None:
    """What comes of it is short, well-formed, and has only the elements that are known."""
    found = page_view(utf_8_markup(HOSTILE[name].encode(), "utf-8"), URL)
    html = found.html
    assert len(html) < MAX_TEXT + 60 * MAX_ELEMENTS
    assert len(found.images) <= MAX_IMAGES
    assert html.count("<table") <= html.count("<td") + 1
    assert html.count("<td") <= 601
    assert not re.search(r"[^\s<>\u200b]{1000}", html), "a word that is wider than any window"
    left = TAG.sub("", html)
    assert not re.search("[<>]", left)
    open_tags: list[str] = []
    for ending, tag, attributes in TAG.findall(html):
        assert {each.partition("=")[0] for each in attributes.split()} - ATTRIBUTES == set()
        if ending:
            assert open_tags.pop() == tag
        elif tag not in {"br", "hr", "img"}:
            open_tags.append(tag)
    assert open_tags == []
    assert len(open_tags) < 500
    assert found.is_cut or name in {"unclosed", "nested wrongly", "deep tables", "many images"}
