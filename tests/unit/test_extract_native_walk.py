"""What C finds in a page is what Python finds there."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import selectolax
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from gossamer.extract import lexbor_backend
from gossamer.extract import native_dom_walk as native_walk
from gossamer.extract.content_text import CONTENT_EXCLUDE
from gossamer.extract.html_page import extract
from gossamer.extract.lexbor_backend import find_in, prose_in
from gossamer.extract.markup_shape import markup_shape
from gossamer.extract.native_dom_walk import NATIVE_WALK, NativeWalk, numbered
from gossamer.extract.parsed_elements import FOUND, MAX_ELEMENTS, ParsedElements
from gossamer.extract.parser_limits import left_open
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Extract
from tests.architecture.checkout import ROOT
from tests.cases import each_case
from tests.fakes.parsed_pages import comparable
from tests.fakes.walk_documents import CHARACTERS, MANY_ELEMENTS, PAGES
from tests.property.markup import pages

pytestmark = pytest.mark.skipif(
    NATIVE_WALK is None and shutil.which("cc") is None, reason="there is no C compiler"
)


@pytest.fixture(scope="module")
def compiled() -> NativeWalk:
    assert NATIVE_WALK is not None, "packaging/dev.py compiles it where there is a compiler"
    return NATIVE_WALK


URL = "https://example.com/docs/page.html"


def same(body: bytes, max_links: int = 1000, text_bytes: int = 1_000_000) -> Extract:
    """Compare what both make of a page and return it."""
    quickly, slowly = (
        extract(
            body,
            URL,
            "utf-8",
            Parser.SELECTOLAX,
            max_links=max_links,
            text_bytes=text_bytes,
            native=native,
        )
        for native in (NATIVE_WALK, None)
    )
    assert quickly == slowly
    return quickly


def same_elements(
    markup: bytes, content_exclude: tuple[str, ...] = CONTENT_EXCLUDE
) -> ParsedElements | None:
    """Compare all that both find in a page and return it, unless it is left to Python."""
    assert NATIVE_WALK
    quickly = NATIVE_WALK.find(LexborHTMLParser(markup), b"", content_exclude)
    if quickly is not None:
        tree = LexborHTMLParser(markup)
        slowly = find_in(tree, len(markup), content_exclude=content_exclude)
        assert comparable(quickly) == comparable(slowly)
    assert NATIVE_WALK.markup_shape(markup) == markup_shape(markup)
    prose = NATIVE_WALK.prose(LexborHTMLParser(markup), ("nav", ".code", "pre"))
    if prose is not None:
        assert prose == prose_in(LexborHTMLParser(markup), ("nav", ".code", "pre"))
    return quickly


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page[:30])
def test_both_find_the_same_in_pages_with_everything(page: str) -> None:
    assert same(page.encode())
    assert same_elements(page.encode()), "none of these is left to Python"


def test_both_stop_at_the_same_element(compiled: NativeWalk) -> None:
    quickly = compiled.find(LexborHTMLParser(MANY_ELEMENTS))
    slowly = find_in(LexborHTMLParser(MANY_ELEMENTS), len(MANY_ELEMENTS))
    assert quickly
    assert len(quickly.elements) == MAX_ELEMENTS
    assert comparable(quickly) == comparable(slowly)


@given(body=pages)
@example(body=b"<a>" * 50)
def test_both_find_the_same_in_any_bytes(body: bytes) -> None:
    assert same(body)
    same_elements(body)


@pytest.mark.parametrize(
    ("body", "runs"),
    [
        ("<p>one<p>two <b>th</b>ree<br>four", [("", "one\0two three four")]),
        ("<p>one<pre>int x</pre>two<nav>menu</nav>three", [("", "one\0two\0three")]),
        (
            "<p>one <i lang=fr>deux <b lang=de>drei</b> trois</i> four",
            [("", "one "), ("fr", "deux "), ("de", "drei"), ("fr", " trois"), ("", " four")],
        ),
        ("<p lang=''>one</p>two", [("", "one"), ("", "two")]),
        ("one<script>x</script> two<!-- three -->", [("", "one two")]),
        ("one <b translate=no>Gossamer</b> two", [("", "one \0 two")]),
        ("one <b translate=NO lang=de>zwei</b> two", [("", "one \0 two")]),
        ("one <b translate>two</b> <b translate=yes>three</b>", [("", "one two three")]),
        ("<body translate=no class=notranslate>one", [("", "one")]),
        ("one <b class='x notranslate'>two <i>three</i></b>", [("", "one ")]),
        ("", []),
    ],
)
def test_both_find_the_prose_of_a_page_by_language(
    body: str, runs: list[tuple[str, str]], compiled: NativeWalk
) -> None:
    exclude = ("nav", "pre", ".notranslate")
    assert compiled.prose(LexborHTMLParser(body), exclude) == runs
    assert prose_in(LexborHTMLParser(body), exclude) == runs


def test_both_keep_the_same_text_however_much_is_wanted() -> None:
    page = "<p>Die  Straße\n<b>heißt</b><p>\u0e01\u0e34\u0e19 \u4f60\u597d<footer>Fuß"
    whole = "Die Straße heißt\n\u0e01\u0e34\u0e19 \u4f60\u597d".encode()
    assert same(page.encode(), text_bytes=0).text is None
    for most in range(1, len(whole) + 2):
        text = same(page.encode(), text_bytes=most).text
        assert text is not None
        assert whole.startswith(text)
        assert len(text) > most - 4 or text == whole
        assert text.decode() == text.decode().strip()


@each_case("limit", range(5))
def test_both_stop_at_the_same_link(limit: int) -> None:
    body = b"<a href=/1>1</a><a href=/1#x>2</a><a href=javascript:x>3</a><img src=/2><a href=/3>4"
    kept = same(body, limit)
    assert len(kept.links) == min(limit, 4)


@each_case("at", range(0, len(CHARACTERS), 1000))
def test_both_count_the_same_words(at: int) -> None:
    # Each alone, and each between letters.
    characters = re.sub("[<&\r]", "", CHARACTERS[at : at + 1000])
    text = " ".join(characters) + " " + " ".join(f"a{each}b" for each in characters)
    markup = f"<p>{text}".encode()
    found = same_elements(markup)
    assert found
    assert found.words >= len(characters), "of Python as of C"


@given(
    parts=st.lists(
        st.sampled_from(
            [
                *(
                    "the",
                    "Made",
                    "ables",
                    "used",
                    "houses",
                    "table",
                    "while",
                    "naïve",
                    "élève",
                    "3.5",
                ),
                *(". ", "! ", "? ", "...", ".", " ", "\n", "\u00a0", ",", "\u2019", "(", ")", "-"),
                *("<br>", "<p>", "<b>", "</b>", "<td>", "<nav>", "</nav>", "<footer>", "<li>x"),
                *(
                    "日",
                    "本",
                    "。",
                    "か",
                    "ไทย",
                    "ภาษา",
                    "१२",
                    "।",
                    "한국어",
                    "\U0001f600",
                    "\U00020000",
                ),
                *(
                    "<a href=/x>",
                    "</a>",
                    "<script>x</script>",
                    "<!--c-->",
                    "<p class=note>",
                    "<i id=e>",
                ),
                *("\U0001d4d0", "x" * 9, "ÉÀ", "Яблоко", "λόγος", "<x-y>", "</x-y>", "</p>"),
            ]
        ),
        max_size=60,
    )
)
def test_both_read_the_same_text(parts: list[str]) -> None:
    markup = "".join(parts).encode()
    same_elements(markup)
    same_elements(markup, ("aside", "x-y", ".note", "#e"))


@given(
    parts=st.lists(
        st.sampled_from(
            [
                *("<nav>", "</nav>", "<header>", "</header>", "<footer>", "</footer>", "<main>"),
                *("<aside>", "</aside>", "<article>", "</article>", "<p>", "</p>", "<ul>", "<li>"),
                *("<div class='", "<div id='", "<ul class=", "<section id=a ", "<div role=' "),
                *("nav", "Menu", "has-sidebar", "pageHeader", "site-footer", "mainContent", "navy"),
                *(
                    "navigation ",
                    "banner",
                    "MAIN ",
                    "complementary",
                    "a1 ",
                    " ",
                    "'>",
                    ">",
                    "' id='",
                ),
                *("HTMLMenu", "ü", "x" * 25, "A", "b c", "</div>", "</div>", "</ul>"),
                *("<a href=/x>x</a>", "<img src=/i>", "<a class=b href=/y>y</a>", "<x-y>", "<h2>h"),
                *(
                    "<button>",
                    "<label>",
                    "<input>",
                    "</label>",
                    "<select>",
                    "<option>o",
                    "</select>",
                ),
                *("<a name=n>", "<b id=i>", "<b itemprop=p>", "<a href=/t target=_blank>", "<svg>"),
                *(
                    "<a href=/l aria-label=l></a>",
                    "<a href=/l title=l>",
                    "<script type=' application/LD+json'>{}</script>",
                ),
            ]
        ),
        max_size=60,
    )
)
def test_both_find_the_same_places_and_paths(parts: list[str]) -> None:
    same_elements("".join(parts).encode())


@given(
    parts=st.lists(
        st.sampled_from(
            [
                *("<html>", "<HTML lang=de>", "<head>", "<head a='<body>'>", "</head>", "<body>"),
                *("<body class=x>", "</body>", "</html>", "<frameset>", "<!doctype html>", "<!--"),
                *("-->", "<!-->", "<meta>", "<link>", "<div>", "<DIV\n", "<x-y a=", "x", " ", "\n"),
                *("<title>", "</title>", "<script>", "</script", "<template>", "</template>", ">"),
                *("<", "</", "<?php", "'", '"', "=", "<header>", "</title\t", "<ü", "/", "<img"),
            ]
        ),
        max_size=40,
    )
)
def test_both_see_the_same_frame(parts: list[str]) -> None:
    same_elements("".join(parts).encode())


@each_case("bad", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf"])
@each_case("place", [b"<p>%s", b"<a href='%s'>", b"<a %s>", b"<html lang='%s'>"])
def test_bytes_that_are_no_utf_8_are_left_to_python(
    bad: bytes, place: bytes, compiled: NativeWalk
) -> None:
    body = b"<body>x" + place % bad
    body = place % bad if place.startswith(b"<html") else body
    assert compiled.find(LexborHTMLParser(body)) is None
    assert same(body)


@given(
    parts=st.lists(
        st.sampled_from(
            [
                *"<b<FONT<code<i<span<nobr",
                *("<b a>", "<FONT\n", "<strike/", "<u\t", "<em\f", "</b>", "x"),
                *('<B a="x">', "<b\na=x>", "<b ='", "</B>", "</b >", "<i>", "</i>", '"', ">", "</"),
                *("<span>", '<SPAN a="<b>">', "</span>", "<spans>", "<a>", "<b-c>", "\0"),
            ]
        )
    )
)
@example(parts=["<b a>", "x", "</b>"])
@example(parts=["<b a>", "<i>", "x", "</i>", "<span>", "</b>"])
@example(parts=["<b a>", "<i>", "<i>", "x", "</i>", "</b>"])
@example(parts=["<b a>", "<i>", "x", "</b>", "</i>"])
def test_formatting_is_never_underestimated(parts: list[str]) -> None:
    assert NATIVE_WALK
    source = "".join(parts).encode()
    tags, most, _ = NATIVE_WALK.count_tags(source)
    assert tags == source.count(b"<")
    assert most >= left_open(source)


@each_case(
    ("markup", "still_open"),
    [
        (b"<b a>x</b>", 0),
        (b'<em class="x">a<span\nid=y>b</SPAN><CODE>c</code>d</EM>', 1),
        (b'<em class="x">a<span\nid="y">b</SPAN><CODE a>c</code>d</EM>', 0),
        (b"<b a><i>x</i><i b>y</i></b><b a><span>", 1),
        (b"<b a><i><tt>x</tt></i></b>", 1),
        (b"<b a><a>x</a></b>", 1),
        (b"<b a>x</b a>", 1),
        (b"<b a=x>x</b>", 1),
        (b"<b a", 1),
        (b"<b a>", 1),
        (b"<b a></", 1),
        (b"<b a></b", 1),
        (b"<code><a>x</a></code>", 0),
        (b"<img src=x><footer a><s-b a>", 0),
    ],
)
def test_formatting_that_is_closed_soon_does_not_count(
    markup: bytes, still_open: int, compiled: NativeWalk
) -> None:
    assert left_open(markup) == still_open
    assert compiled.count_tags(markup)[:2] == (markup.count(b"<"), still_open)


def test_an_element_that_lexbor_has_no_number_for_is_found_by_its_name() -> None:
    found = FOUND | {"portal", "x-y"}
    html = "<a rel=x href=/x>x</a><PORTAL src=/y></PORTAL><z-z></z-z><svg><x-y src=/z></x-y></svg>"
    slowly = lexbor_backend.find_in(LexborHTMLParser(html), len(html), wanted=numbered(found))
    quickly = NativeWalk(found=found).find(LexborHTMLParser(html))
    assert quickly
    assert quickly.elements == slowly.elements
    assert [element.tag for element in quickly.elements] == ["a", "portal", "x-y"]


@pytest.mark.parametrize("linking", [(), ("x", "ping"), ("hreflang",)])
def test_links_with_another_attribute_that_links_are_left_to_python(
    linking: tuple[str, ...],
) -> None:
    html = "<p><a href=/1 ping=/p>a</a><a href=/2>b</a><a hreflang=en href=/3>c</a>"
    found = NativeWalk(linking=linking).find(LexborHTMLParser(html))
    assert found
    left = {"ping": "/1", "hreflang": "/3"}
    expected = [left[name] for name in left if name in linking]
    assert [element.attributes["href"] for element in found.elements] == expected
    assert found.anchors.hrefs == [href for href in ("/1", "/2", "/3") if href not in expected]


def test_a_library_that_misreads_a_page_is_not_used() -> None:
    with pytest.raises(ValueError, match="misreads a page whose contents are known"):
        NativeWalk(found=FOUND - {"img"}).prove()


def test_the_release_that_is_pinned_is_known() -> None:
    assert selectolax.__version__ in native_walk.KNOWN_RELEASES


def test_a_library_that_is_missing_is_done_without(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="libnativewalk"):
        NativeWalk(tmp_path / "libnativewalk.so")


def test_another_release_of_selectolax_is_refused() -> None:
    with pytest.raises(ValueError, match=r"does not know selectolax 1\.0\.1"):
        NativeWalk(release="1.0.1")


def test_a_library_compiled_for_something_else_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "other.c"
    source.write_text("int interface_number(void) { return 0; }")
    library = tmp_path / "other.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    with pytest.raises(ValueError, match="compiled for another release"):
        NativeWalk(library)


def test_only_releases_that_the_library_knows_are_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [pinned] = [each for each in project["dependencies"] if each.startswith("selectolax")]
    assert {pinned.removeprefix("selectolax==")} == native_walk.KNOWN_RELEASES


def test_why_it_is_off_is_told(tmp_path: Path) -> None:
    found, state = native_walk.load(tmp_path / "none.so")
    assert found is None
    assert state.startswith("off (")
    assert "none.so" in state
    assert "install a C compiler" in state
    if NATIVE_WALK is None:
        return
    assert native_walk.STATE == "on"
    found, state = native_walk.load(release="9.9")
    assert found is None
    assert "it does not know selectolax 9.9" in state
    assert "'pip install selectolax==1.0.2'" in state
