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

from gossamer.extract import extract, formatting_limit, lexbor_backend, native_walk, nesting_limit
from gossamer.extract.native_walk import SPEEDUPS, Speedups
from gossamer.extract.parsed_elements import MAX_ELEMENTS, MAX_TEXT_NODES, MAX_TITLES
from gossamer.extract.word_count import count_words
from gossamer.model.page import Extract
from gossamer.model.settings import Parser
from tests.architecture.checkout import ROOT
from tests.property.markup import pages

pytestmark = pytest.mark.skipif(
    SPEEDUPS is None and shutil.which("cc") is None, reason="there is no C compiler"
)

PAGES = [
    "",
    "<html lang>",
    "<html lang=de-CH><title>a</title><h1>b</h1>",
    "<title>a</title>" * (MAX_TITLES + 5),
    "<svg><title>tip</title></svg><title>late</title>",
    "<frameset><frame src=x></frameset>",
    "<title>\u00a0</title><h1> </h1><a href=/x>\n\u2003</a>",
    "<p style='background:uRL(x)'><x-y style=url></x-y><b style=none>",
    "<a href=/x><img alt='\u00a0'><img alt=' \u3000first '><img alt=second></a>",
    "<a href=/x>\u2003<svg><title> tip </title></svg></a>",
    "<a href=/x>\u0085\u180e<img alt=no></a>",
    "<h1>a<br>b<i>c</i></h1><h1>a<i>b</i>c</h1>",
    "<a href=/x>a<script>b</script><style>c</style></a>",
    "<a>" + "<i>x</i>" * MAX_TEXT_NODES + "</a>",
    "<a " + " ".join(f"a{n}={n}" for n in range(20)) + ">",
    "<a xlink:href=/no " + " ".join(f"a{n}={n}" for n in range(15)) + ">",
    "<svg><a xlink:href=/svg></a></svg><a xlink:href=/no></a><a xlink:href=/no href=/yes></a>",
    "<noscript><meta http-equiv=Refresh content=0></noscript><meta http-equiv=refresh>",
    "<div>" * 30 + "<noscript>" + "<div>" * 19 + "<meta http-equiv=refresh>",
    "<div>" * 30 + "<noscript>" + "<div>" * 25 + "<meta http-equiv=refresh>",
    "<iframe>a</iframe><noscript>b</noscript><script>c</script>d e<title>f</title>",
    "<template><a href=/x>x</a></template>",
    "<a href=/x>a</a><a href=>b</a><a href='/x #f'>c</a><a href=#>d</a><a href=#f>e</a><a href=?#>",
    "<a href='#\n'>a</a><a href='/x#\u00fc '>b</a><a rel='A b' href=/x>c</a><a href=/x rel>d</a>",
    "<a href=javascript:x>a</a><a href=/x>b</a><img src=/i><a href=mailto:x>c</a><a href=' /y '>d",
    "<a href=/x> a \n\t b\u00a0 </a><a href=/x>\x0b a\x7fb</a><a href=/x>\u2028a\x1c</a>",
    f"<a href=/x>{'long ' * 200}</a><a href=/x>{'ü' * 400}</a><a href=/x>{'x' * 500}</a>",
    "<a style='a:url(/s)' href=/x>a</a><a style=none href=/y>b</a><svg><a href=/z xlink:href=/w>c",
    "<p>don't stop\u2014now \u201cquoted\u201d 1_000 __ \u00bd \u00a0 x\u00a0y",
    "<p>words \u65e5\u672c \U0001f600 \u0e01\u0e02",
    "<img>" * (MAX_ELEMENTS + 10),
]
CHARACTERS = "".join(
    map(chr, (*range(1, 0xD800), *range(0xE000, 0x11000), *range(0x1F600, 0x20010)))
)


@pytest.fixture(scope="module")
def compiled() -> Speedups:
    assert SPEEDUPS is not None, "packaging/dev.py compiles it where there is a compiler"
    return SPEEDUPS


URL = "https://example.com/docs/page.html"


def read(body: bytes) -> Extract:
    return extract(body, URL, "utf-8", Parser.SELECTOLAX)


def same(body: bytes) -> Extract:
    """Compare what both make of a page and return it."""
    quickly = read(body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexbor_backend, "SPEEDUPS", None)
        patch.setattr(nesting_limit, "SPEEDUPS", None)
        assert read(body) == quickly
    return quickly


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page[:30])
def test_both_find_the_same_in_pages_with_everything(page: str, compiled: Speedups) -> None:
    assert same(page.encode())
    assert compiled.find(LexborHTMLParser(page)), "none of these is left to Python"


@given(body=pages)
@example(body=b"<a>" * 50)
def test_both_find_the_same_in_any_bytes(body: bytes) -> None:
    assert same(body)


@pytest.mark.parametrize("limit", range(5))
def test_both_stop_at_the_same_link(limit: int) -> None:
    body = b"<a href=/1>1</a><a href=/1#x>2</a><a href=javascript:x>3</a><img src=/2><a href=/3>4"
    kept = extract(body, URL, "utf-8", Parser.SELECTOLAX, max_links=limit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexbor_backend, "SPEEDUPS", None)
        assert extract(body, URL, "utf-8", Parser.SELECTOLAX, max_links=limit) == kept
    assert len(kept.links) == min(limit, 4)


@pytest.mark.parametrize("at", range(0, len(CHARACTERS), 1000))
def test_both_count_the_same_words(at: int) -> None:
    # Each alone, and each between letters.
    characters = re.sub("[<&\r]", "", CHARACTERS[at : at + 1000])
    text = " ".join(characters) + " " + " ".join(f"a{each}b" for each in characters)
    assert same(f"<p>{text}".encode()).facts.word_count == count_words(text)


@pytest.mark.parametrize(
    "bad", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf"]
)
@pytest.mark.parametrize("place", [b"<p>%s", b"<a href='%s'>", b"<a %s>", b"<html lang='%s'>"])
def test_bytes_that_are_no_utf_8_are_left_to_python(
    bad: bytes, place: bytes, compiled: Speedups
) -> None:
    body = b"<body>x" + place % bad
    body = place % bad if place.startswith(b"<html") else body
    assert compiled.find(LexborHTMLParser(body)) is None
    assert read(body)


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
    assert SPEEDUPS
    source = "".join(parts).encode()
    tags, most = SPEEDUPS.count_tags(source)
    assert tags == source.count(b"<")
    assert most >= formatting_limit.left_open(source)


@pytest.mark.parametrize(
    ("markup", "left_open"),
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
    ],
)
def test_formatting_that_is_closed_soon_does_not_count(
    markup: bytes, left_open: int, compiled: Speedups
) -> None:
    assert formatting_limit.left_open(markup) == left_open
    assert compiled.count_tags(markup) == (markup.count(b"<"), left_open)


def test_the_release_that_is_pinned_is_known() -> None:
    assert selectolax.__version__ in native_walk.KNOWN_RELEASES


def test_a_library_that_is_missing_is_done_without(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="libspeedups"):
        Speedups(tmp_path / "libspeedups.so")


def test_another_release_of_selectolax_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectolax, "__version__", "1.0.1")
    with pytest.raises(ValueError, match=r"does not know selectolax 1\.0\.1"):
        Speedups()


def test_a_library_compiled_for_something_else_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "other.c"
    source.write_text("int interface_number(void) { return 0; }")
    library = tmp_path / "other.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    with pytest.raises(ValueError, match="compiled for another release"):
        Speedups(library)


def test_only_releases_that_the_library_knows_are_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [pinned] = [each for each in project["dependencies"] if each.startswith("selectolax")]
    assert {pinned.removeprefix("selectolax==")} == native_walk.KNOWN_RELEASES


def test_why_it_is_off_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, state = native_walk.load(tmp_path / "none.so")
    assert found is None
    assert state.startswith("off (")
    assert "none.so" in state
    if SPEEDUPS is None:
        return
    assert native_walk.STATE == "on"
    monkeypatch.setattr("selectolax.__version__", "9.9")
    assert native_walk.load() == (None, "off (it does not know selectolax 9.9)")
