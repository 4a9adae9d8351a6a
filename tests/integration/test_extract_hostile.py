import tracemalloc

import pytest
from selectolax.lexbor import LexborHTMLParser

from gossamer.extract.html_page import ExtractError, extract, header_links
from gossamer.extract.links import MAX_LINKS
from gossamer.extract.native_dom_walk import NATIVE_WALK, MarkupTags, NativeWalk
from gossamer.extract.parsed_elements import (
    MAX_TEXT_NODES,
    USUAL_SHAPE,
    MarkupShape,
    ParsedElements,
)
from gossamer.extract.parser_limits import FEW_TAGS, MAX_DEPTH, MAX_TAGS, Markup, flattened
from gossamer.model.outcome_details import DetailCode
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.request_settings import Parser

URL = "https://example.com/docs/page.html"
NESTED = 20_000


@pytest.mark.parametrize(
    ("body", "links"),
    [
        (b"<div>" * NESTED + b"<a href=/x>x</a>", {Parser.SELECTOLAX: 1}),
        (b"<b>" * NESTED + b"<a href=/x>x</a>", {Parser.SELECTOLAX: 1}),
        (b"<a href=/x>" * (MAX_LINKS + 1), {Parser.SELECTOLAX: MAX_LINKS}),
        (b"<object><a href=/x>" * 1_500, {Parser.SELECTOLAX: 1_500}),
        (b"<div>" * 60_000 + b"</div>" * 60_000 + b"<a href=/x>x</a>", {Parser.SELECTOLAX: 1}),
        (b"<ul><li><a href=/x>x</a>" * 6_000, {Parser.SELECTOLAX: 6_000}),
        (b"<div style='a:url(/x)'>" * 5_000, {Parser.SELECTOLAX: 5_000}),
        (b"<style>a{b:url(/x)}</style>" * 5_000, dict.fromkeys(Parser, 5000)),
        (b"<meta http-equiv=refresh content='0;/x'>" * 5_000, dict.fromkeys(Parser, 5000)),
        (b"<img srcset='" + b"/x, " * 20_000 + b"'>", dict.fromkeys(Parser, 20000)),
        (b"<svg>" * 5_000 + b"<title>x</title>" * 5_000, {Parser.SELECTOLAX: 0}),
        (b"<p " + b"".join(b"a%d=1 " % number for number in range(10_000)) + b">", {}),
        (b"<!--" * 50_000 + b"\xff", {}),
        (b"<" * 1_000_000 + b"\xff", {}),
        (b"<a href='" + b"x" * 1_000_000 + b"'>" + b"x" * 1_000_000, {}),
        (b"<a href=/x>" + b"<i>x" * (2 * MAX_TEXT_NODES), {}),
        (b"[" * 100_000, {}),
        (b"<?xml version='1.0'?><rss><channel><link>x</link></channel></rss>", {}),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><a href='/x'/></svg>", {}),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", {}),
    ],
    ids=lambda value: value[:24].decode("latin-1") if isinstance(value, bytes) else "",
)
@pytest.mark.parametrize("parser", list(Parser))
def test_pages_made_to_break_parsers_are_read(
    body: bytes, links: dict[Parser, int], parser: Parser
) -> None:
    extracted = extract(body, URL, None, parser)
    assert len(extracted.links) == links.get(parser, len(extracted.links))
    assert {link.target for link in extracted.links} == set(range(len(extracted.targets)))
    for text in (extracted.facts.title, *extracted.targets, *(x.text for x in extracted.links)):
        assert "\x00" not in (text or "")
        (text or "").encode()


DEEP = 100
AROUND = b"<object><a href=/x>" * DEEP
LONG = b"a word in a text... " * 8_000
MOST_BYTES = 13_000_000
"""Less than `LONG` for each link around it."""


@pytest.mark.parametrize(
    "inner",
    [
        b"<p>" + LONG,
        b"<img alt='" + LONG + b"'>",
        b"<svg><title>" + LONG + b"</title></svg>",
        b"<svg>" + b"<style>" * DEEP + LONG,
    ],
    ids=["text", "alternative", "drawing", "styles"],
)
@pytest.mark.parametrize(
    ("parser", "native"),
    [(Parser.SELECTOLAX, NATIVE_WALK), (Parser.SELECTOLAX, None), (Parser.BEAUTIFULSOUP, None)],
    ids=["compiled", "python", "beautifulsoup"],
)
def test_a_text_in_many_links_is_not_kept_for_each(
    inner: bytes, parser: Parser, native: NativeWalk | None
) -> None:
    tracemalloc.start()
    try:
        extract(AROUND + inner, URL, None, parser, native=native)
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES < DEEP * len(LONG)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("parser", list(Parser))
def test_a_page_of_ordinary_size_is_read_whole(parser: Parser) -> None:
    assert extract(b"<p>x<a href=/x>x</a>" * 1000, URL, None, parser).cut is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_a_page_with_too_many_tags_is_cut_and_says_so(encoding: str) -> None:
    body = ("<p>ü</p>" * MAX_TAGS).encode(encoding)
    extracted = extract(body, URL, encoding, Parser.SELECTOLAX)
    assert extracted.facts.word_count == MAX_TAGS // 2
    assert str(extracted.cut) == "only the first 150,000 tags were read"
    assert extracted.limits == (ResponseWarning.ELEMENT_LIMIT,)


def test_a_page_with_too_many_links_is_truncated_and_has_a_detail() -> None:
    extracted = extract(b"<a href=/x>x</a>" * (MAX_LINKS + 1), URL, None, Parser.SELECTOLAX)
    assert str(extracted.cut) == "only the first 50,000 links were kept"
    assert extract(b"<a href=/x>x</a>" * MAX_LINKS, URL, None, Parser.SELECTOLAX).cut is None


@pytest.mark.parametrize("parser", list(Parser))
@pytest.mark.parametrize(
    ("body", "kept", "is_cut"),
    [
        (b"<a href=1>x</a><a href=2>x</a><a href=3>x</a><a href=1>x</a>", "12", True),
        (b"<a href=1>x</a><a href=1>x</a><a href=1>x</a>", "1", True),
        (b"<a href=1>x</a><a href=2>x</a><p href=3>x</p><img>", "12", False),
        (b"<img src=1 srcset='2, 3, 4, 5' style='a:url(6)'>", "12", True),
    ],
)
def test_of_links_beyond_the_limit_no_target_is_left(
    body: bytes, kept: str, is_cut: bool, parser: Parser
) -> None:
    page = extract(body, "http://e.com/", None, parser, max_links=2)
    assert len(page.links) == 2
    assert "".join(target[-1] for target in page.targets) == kept
    assert page.cut == (DetailCode.FIRST_LINKS(number=2) if is_cut else None)


def test_link_headers_count_towards_the_limit() -> None:
    headers = [("Link", "<1>; rel=next, <2>; rel=next, <3>; rel=next")]
    page = extract(b"<a href=4>", "http://e.com/", None, Parser.SELECTOLAX, headers, max_links=2)
    targets = ["http://e.com/1", "http://e.com/2"]
    assert (page.targets, [link.target for link in page.links]) == (targets, [0, 1])
    assert str(page.cut) == "only the first 2 links were kept"
    assert header_links(headers, "http://e.com/", max_links=2) == (
        page.targets,
        page.links,
    )


@pytest.mark.parametrize(
    "markup",
    [
        b"<p>x<li>y<br>" * 20_000,
        b"<div><span>x</span></div>" * 20_000,
        b"<table>" + b"<tr><td>x" * 20_000 + b"</table>",
        b"<b>" * FEW_TAGS,
        b"<" * 100_000,
    ],
)
def test_what_is_not_deep_stays_as_it_is(markup: bytes) -> None:
    assert flattened(Markup(markup)).source == markup


def test_what_is_deep_keeps_its_links_and_texts() -> None:
    link = b"<a href=/x title='a>b'>x</a><script src=y></script><IMG src=z>"
    deep = (b"<div>" * 10 + link) * 3000
    flat = flattened(Markup(deep + b"</div>" * 30_000)).source
    assert flat.count(link) == 3000
    assert flat.count(b"<div>") == MAX_DEPTH == flat.count(b"</div>")


class Failing(NativeWalk):
    """A walk that fails on every page."""

    def __init__(self) -> None:
        self.fault = RecursionError("too deep")

    def find(
        self,
        tree: LexborHTMLParser,
        address: bytes = b"",
        content_exclude: tuple[str, ...] = (),
        text_bytes: int = 0,
    ) -> ParsedElements | None:
        del tree, address, content_exclude, text_bytes
        raise self.fault

    def count_tags(self, markup: bytes) -> MarkupTags:
        return MarkupTags(markup.count(b"<"), 0, 0)

    def markup_shape(self, markup: bytes, tags: MarkupTags | None = None) -> MarkupShape:
        del markup, tags
        return USUAL_SHAPE


def test_a_parser_that_gives_up_is_an_extract_error_with_its_cause() -> None:
    native = Failing()
    with pytest.raises(ExtractError, match="too deep") as caught:
        extract(b"<p>x</p>", URL, None, Parser.SELECTOLAX, native=native)
    assert caught.value.__cause__ is native.fault
