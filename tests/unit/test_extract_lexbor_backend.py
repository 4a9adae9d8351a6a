"""What only the fast back end has: two ways to read the text of a link, and SVG told from HTML."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from gossamer.extract.html_page import extract
from gossamer.extract.lexbor_backend import find_in
from gossamer.extract.native_dom_walk import numbered
from gossamer.extract.parsed_elements import BREAKS, UNREAD, UNSEEN, WITH_TEXT
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Extract
from tests.cases import each_case

URL = "https://example.com/docs/page.html"
ENDLESS_BYTES = 1_000_000_000_000
"""The size of a page in which texts are read in part, as links may be nested in it."""
LINKS = [
    "plain",
    "",
    " \n ",
    "<b>a</b>b",
    "<div>a</div>b",
    " <span><i>a</i></span> ",
    "<i></i><b><span>deep</span></b>",
    "a<br>b",
    "a<b>b</b><br>c<b>d</b>",
    "<div>a<p>b</p><b>c</b>d</div><i>e</i>f",
    "<p>" + "<b>" * 30 + "a<i>b</i>",
    "<img alt=image>",
    "text<img alt=image>",
    "<svg><title>drawing</title></svg>",
    "<!-- icon --><i aria-label=' home '></i>",
    "<?icon?><svg aria-label=' '><title>drawing</title></svg><i aria-label=home></i>",
    "<svg><title>drawing</title><text>drawn</text></svg>",
    "a<script>script</script>",
    "<div><style>style</style>a</div>b",
    "<!--comment-->a",
    "<b>a</b><!--comment--><b>b</b>",
    "a<noscript>b</noscript>",
    "<table><tr><td>a<td>b</table>",
    "<i>x</i>" * 2000,
]


def read(html: str) -> Extract:
    return extract(html.encode(), URL, "utf-8", Parser.SELECTOLAX)


@each_case("inner", LINKS)
@each_case("tag", ["a href=/x", "h1"])
def test_texts_are_the_same_whether_links_may_be_nested_without_end_or_not(
    inner: str, tag: str
) -> None:
    html = f"<body><p>before<{tag}>{inner}</{tag.split(maxsplit=1)[0]}>after<a href=/y>y</a>"
    assert find_in(LexborHTMLParser(html), ENDLESS_BYTES) == find_in(LexborHTMLParser(html), 100)


@pytest.mark.parametrize("tags", [BREAKS, UNREAD, UNSEEN, WITH_TEXT])
def test_lexbor_has_a_number_for_every_element_that_is_told_by_its_number(
    tags: frozenset[str],
) -> None:
    found = numbered(tags)
    assert set(found.by_number.values()) == tags
    assert not found.unnumbered


def test_an_element_that_lexbor_has_no_number_for_is_found_by_its_name() -> None:
    wanted = numbered({"a", "portal", "x-y"})
    assert wanted.unnumbered == ("portal", "x-y")
    html = "<a href=/x>x</a><PORTAL src=/y></PORTAL><z-z></z-z><x-y src=/z></x-y><p style=a:url(b)>"
    elements = find_in(LexborHTMLParser(html), len(html), wanted=wanted).elements
    assert [(tag, text) for tag, _, text, *_ in elements] == [
        *(("a", "x"), ("portal", ""), ("x-y", ""), ("p", ""))
    ]


def test_links_nested_in_each_other_do_not_take_quadratic_time() -> None:
    # Each would be read to the end of the page: 800 million elements in all.
    page = read("<object><a href=/x>" * 40_000)
    assert len(page.links) == 40_000


def test_xlink_links_in_drawings_alone() -> None:
    html = (
        "<a xlink:href=/no>html</a><svg><a xlink:href=/svg>svg</a></svg>"
        "<svg><foreignObject><a xlink:href=/no>html</a></foreignObject></svg>"
        "<a xlink:href=/no href=/yes>html</a>"
    )
    assert read(html).targets == ["https://example.com/svg", "https://example.com/yes"]


def test_a_style_with_a_url_is_found_on_any_element() -> None:
    html = "<p style='background: URL(/a)'><x-y style='a:u&#114;l(/b)'><a href=/c>c</a></x-y>"
    page = read(html)
    assert [page.targets[link.target][-2:] for link in page.links] == ["/a", "/b", "/c"]
    assert [link.element for link in page.links] == ["p style", "x-y style", "a"]
