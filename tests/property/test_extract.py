import sqlite3
from html import escape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.extract.charset_detection import decoded, prescan, sniff
from gossamer.extract.css_and_srcset_urls import css_urls, srcset_urls
from gossamer.extract.html_page import extract, header_links
from gossamer.extract.links import MAX_LINKS
from gossamer.extract.text_statistics import text_statistics
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Extract, PageLinks
from gossamer.urls.refresh_directive import parse_refresh
from tests.property.markup import pages

URL = "https://example.com/docs/page.html"

labels = st.sampled_from(
    [None, "utf-8", "iso-8859-1", "utf-16", "gb2312", "nonsense", "replacement"]
)


def check_links(targets: list[str], links: PageLinks) -> None:
    assert len(targets) == len(set(targets))
    assert {link.target for link in links} == set(range(len(targets)))
    assert len(links) <= MAX_LINKS
    for link in links:
        assert link.element
        for text in (targets[link.target], link.text, link.rel, link.element, link.fragment):
            assert "\x00" not in text
            text.encode()


def check(page: Extract) -> None:
    """Whatever the page was, what is made of it can be stored, sent and shown."""
    check_links(page.targets, page.links)
    facts = page.facts
    texts = [
        facts.title,
        facts.h1,
        facts.description,
        facts.robots,
        facts.canonical,
        facts.language,
    ]
    texts += [
        *page.targets,
        *(link.text for link in page.links),
        *(link.rel for link in page.links),
        *(link.element for link in page.links),
        *(link.fragment for link in page.links),
        *([page.refresh.url] if page.refresh else []),
    ]
    with sqlite3.connect(":memory:") as connection:
        for text in texts:
            assert connection.execute("SELECT ?", (text,)).fetchone() == (text,)
            assert text is None or "\x00" not in text
    connection.close()
    assert facts.word_count is not None
    assert facts.word_count >= 0
    assert len(facts.content_hash or b"") == 16


@given(pages, labels)
@settings(max_examples=100)
@pytest.mark.parametrize("parser", list(Parser))
@example(b"", None)
@example(b"\x00", None)
@example(b"\xff\xfe\x00\xd8", None)
@example(b"<base href='http://['><a href=x>", None)
@example(b"<head><x-a><body>", None)
def test_any_bytes_yield_an_extract(parser: Parser, body: bytes, label: str | None) -> None:
    check(extract(body, URL, label, parser))


@given(pages, labels)
def test_every_page_has_an_encoding(body: bytes, label: str | None) -> None:
    encoding, mark_bytes = sniff(body, label)
    assert mark_bytes in {0, 2, 3}
    decoded(body[mark_bytes:], encoding).encode()


@given(
    st.lists(
        st.sampled_from([b"<meta ", b"<!--", b"-->", b"charset", b"=", b'"', b"'", b" ", b">"])
    )
)
def test_meta_charset_search_terminates_on_any_input(parts: list[bytes]) -> None:
    assert prescan(b"".join(parts)) is None


_BEFORE_META = (
    *(b"<!DOCTYPE html>", b"<html lang=en>", b"<head>", b"<title>", b"a charset", b"</title>\n"),
    *(b'<p title="', b'<p x"="', b"<p a=b>", b"<p a='<b>'>", b'">', b"'>", b"> ", b"<3", b"="),
    *(b"<!--", b"-->", b"<script>", b"<meta name='x' content=\"y\">", b"<META CHARSET=KOI8-R>"),
)
_METAS = (
    *(b"<meta charset=utf-8>", b'<meta charset="KOI8-R" />', b'<meta charset="none">'),
    *(b'<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">', b"<meta charset="),
    *(b"<meta charset=x-user-defined>", b"<meta charset='utf-16'>", b"<meta content=charset>"),
)


@given(st.lists(st.sampled_from((*_BEFORE_META, *_METAS)), max_size=8), st.sampled_from(_METAS))
def test_a_usual_meta_is_found_as_by_scanning_all_before_it(
    parts: list[bytes], meta: bytes
) -> None:
    """Whatever stands behind a comment is scanned."""
    head = b"".join(parts) + meta
    assert prescan(head) is prescan(b"<!---->" + head)


@given(st.text(st.sampled_from("ab1_ \n\t\x1c\x85.,-'\xa0\u2003\u200e\u2013üяあ日\U0001f600")))
def test_word_count_is_the_same_for_ascii_and_other_scripts(text: str) -> None:
    rare, frequent = " a" * 1000, " ü" * 1000
    assert text_statistics(text + rare).words == text_statistics(text + frequent).words


# ---------------------------------------------------------------- attributes and headers

srcsets = st.one_of(
    st.text(st.sampled_from("a,( )\t1xwh.e-+0\xa0"), max_size=40),
    st.lists(st.sampled_from(["a", "b,", " ", ",", "1x", "2w", "3h", "(", ")", "-1x"])).map(
        "".join
    ),
)


@given(srcsets)
def test_srcset_candidates_keep_their_order(text: str) -> None:
    position = 0
    for url in srcset_urls(text):
        assert url
        assert not url.startswith(",")
        assert not url.endswith(",")
        assert not set(url) & set(" \t\n\f\r")
        position = text.index(url, position) + len(url)


@given(srcsets)
def test_spaces_and_commas_around_srcset_candidates_are_ignored(text: str) -> None:
    assert srcset_urls(f" ,\t{text}") == srcset_urls(text)


sheets = st.lists(
    st.sampled_from(
        [
            *("url(", ")", "'", '"', "\\", "\n", "/*", "*/", "@import ", "@namespace ", ";", "{"),
            *("}", "a", "#", " ", "\\61", "\\d800 ", "\ud800", "\x00", "é", "-"),
        ]
    ),
    max_size=20,
).map("".join)


@given(sheets)
def test_any_style_sheet_is_scanned_to_its_end(css: str) -> None:
    urls = list(css_urls(css))
    assert all(url and not url.startswith("#") for url in urls)
    # What a comment says counts for nothing, wherever it stands between rules.
    assert list(css_urls("/* url(no) '*/" + css)) == urls


@given(st.text(st.sampled_from("abc()'\" \\\n\t#é\0"), max_size=20))
def test_an_escaped_css_url_is_unescaped(url: str) -> None:
    escaped = "".join(f"\\{ord(character):x} " for character in url)
    expected = url.replace("\0", "\ufffd")
    found = [] if not url or url.startswith("#") else [expected]
    assert list(css_urls(f"a{{b:url({escaped})}}")) == found
    assert list(css_urls(f"a{{b:url('{escaped}')}}")) == found


header_parts = st.sampled_from(
    [
        "<",
        ">",
        ";",
        ",",
        "=",
        '"',
        "\\",
        " ",
        "rel",
        "next",
        "title*",
        "utf-8''%ff",
        "/a",
        "#b",
        "ü",
    ]
)


@given(st.lists(st.lists(header_parts, max_size=20).map("".join), max_size=3))
@example(["</a>; rel=next; title*=utf-8''%00"])
def test_any_link_header_is_parsed(values: list[str]) -> None:
    targets, links = header_links([("Link", value) for value in values], URL)
    check_links(targets, links)


@given(st.text(st.sampled_from("0123.;, \turlURL='\"x/#"), max_size=20))
def test_meta_refresh_and_refresh_header_are_parsed_alike(text: str) -> None:
    refresh = parse_refresh(text, URL)
    markup = f'<meta http-equiv=refresh content="{escape(text)}">'.encode()
    for parser in Parser:
        in_page = extract(markup, URL, "utf-8", parser).refresh
        assert in_page == (None if refresh is None or refresh.url == URL else refresh)


attributes = st.sampled_from(
    [
        *(
            "href=a",
            "href=#",
            "href=a#",
            "href='a #b '",
            "href='#\n'",
            "src=#",
            "src=b",
            "srcset='c 1x, d 2x'",
            "style='e:url(f#g)'",
            "poster=h",
            "data=i",
        ),
        *("action=j", "formaction=k", "type=image", "rel=alternate", "hreflang=de", "alt=l"),
        *("http-equiv=refresh", "content='0;m'", "property=og:image", "xlink:href=n", "rel=icon"),
    ]
)
tags = st.sampled_from(
    [
        *(
            "a",
            "area",
            "img",
            "input",
            "source",
            "link",
            "meta",
            "video",
            "audio",
            "embed",
            "track",
        ),
        *("script", "object", "div", "button", "span", "section", "x-y"),
    ]
)
VOID = {"area", "img", "input", "source", "link", "meta", "embed", "track"}


@given(
    st.lists(st.tuples(tags, st.lists(attributes, max_size=5)), max_size=6),
    st.sampled_from(["utf-8", "latin1", "shift_jis"]),
)
def test_both_back_ends_find_the_same_links(
    elements: list[tuple[str, list[str]]], label: str
) -> None:
    markup = "".join(
        f"<{' '.join([tag, *said])}>" + ("" if tag in VOID else f"x</{tag}>")
        for tag, said in elements
    )
    body = f"<body><p>x</p>{markup}".encode()
    fast = extract(body, URL, label, Parser.SELECTOLAX)
    slow = extract(body, URL, label, Parser.BEAUTIFULSOUP)
    assert fast == slow
    check(fast)
