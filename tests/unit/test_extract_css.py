from gossamer.extract.css_and_srcset_urls import css_urls
from tests.cases import each_case


@each_case(
    ("css", "urls"),
    [
        ("", []),
        ("p { color: red }", []),
        ("a{background:url(a.png)}b{background:url(b.png)}", ["a.png", "b.png"]),
        ("a{background:URL( \t\n'a b.png'\f )}", ["a b.png"]),
        ('@font-face{src:url("a.woff2") format("woff2"),url(b.woff)}', ["a.woff2", "b.woff"]),
        ("background:url(a?b=1,2;3)", ["a?b=1,2;3"]),
        ("background:url(a", ["a"]),
        ("background:url('a", ["a"]),
        ("background:url('a)b')", ["a)b"]),
        ("background:url()", []),
        ("background:url('')", []),
        ("background:url(data:image/png;base64,AA==)", ["data:image/png;base64,AA=="]),
        ("fill:url(#gradient)", []),
        ("fill:url('#gradient')", []),
        ("fill:url(a.svg#gradient)", ["a.svg#gradient"]),
        ("-webkit-image-set(url(a) 1x, url(b) 2x)", ["a", "b"]),
        ("image-set('a' 1x, \"b\" type('image/avif') 2x,/**/'c' 3x);content:'no'", ["a", "b", "c"]),
        ("image-set('a' 1x) } b{font-family:x, 'no'", ["a"]),
        (r"a{b:\75rl(a)}@\69mport 'b';ima\67 e-set('c' 1x)", ["a", "b", "c"]),
        ("@document url(no), url(no){a{b:url(a)}} @-moz-document url(no){}", ["a"]),
    ],
)
def test_urls_are_found(css: str, urls: list[str]) -> None:
    assert list(css_urls(css)) == urls


@each_case(
    ("css", "urls"),
    [
        ("@import 'a.css';", ["a.css"]),
        ('@IMPORT"a.css" screen;', ["a.css"]),
        ("@import url(a.css) layer(x);@import\n url('b.css');", ["a.css", "b.css"]),
        ("@import/**//* x */ 'a.css';", ["a.css"]),
        ("@import /* url(no) */ 'a.css'", ["a.css"]),
        ("@import x 'no.css';", []),
        ("@imported 'no.css';", []),
        ("@import; a{content:'no.css'}", []),
        ("content:'@import'; font-family:'no'", []),
        ("@namespace url(http://www.w3.org/1999/xhtml);a{b:url(c)}", ["c"]),
        ("@namespace svg url(http://www.w3.org/2000/svg);a{b:url(c)}", ["c"]),
        ("@namespace 'http://no.example/';a{b:url(c)}", ["c"]),
        ("@namespace svg; a{b:url(c)}", ["c"]),
    ],
)
def test_imports_are_links_and_namespaces_are_not(css: str, urls: list[str]) -> None:
    assert list(css_urls(css)) == urls


@each_case(
    ("css", "urls"),
    [
        ("/* url(no) */ url(a)", ["a"]),
        ("/* url(no)", []),
        ("'url(no)' \"url(no)\" url(a)", ["a"]),
        (r"'\'url(no)' url(a)", ["a"]),
        ("'broken\nurl(a)", ["a"]),
        ("myurl(no) my-url(no) _url(no) éurl(no)", []),
        ("url (no)", []),
        # Bad URLs, by the standard, up to the next parenthesis that ends them.
        ("url(a b) url(c)", ["c"]),
        ("url(a'b) url(c)", ["c"]),
        ("url(a(b) url(c)", ["c"]),
        (r"url(a b\) url(no)) url(c)", ["c"]),
    ],
)
def test_what_only_looks_like_a_url_is_none(css: str, urls: list[str]) -> None:
    assert list(css_urls(css)) == urls


@each_case(
    ("css", "url"),
    [
        (r"url(a\)b)", "a)b"),
        (r"url('a\'b')", "a'b"),
        (r"url(\61\20 b)", "a b"),
        (r"url(\000061b)", "ab"),
        (r"url('\61 b')", "ab"),
        ("url('a\\\nb')", "ab"),
        ("url('a\\\r\nb')", "ab"),
        (r"url(\0 \d800 \110000 )", "\ufffd\ufffd\ufffd"),
        ("url('a\\", "a"),
    ],
)
def test_escapes_are_read(css: str, url: str) -> None:
    assert list(css_urls(css)) == [url]


@each_case(
    "part",
    [
        *("url(", "url('", "url('\\", "url(\\a", "url( ", "url(a ", "@import ", "@import/*", "/*"),
        *("'", "'\\", "\\", "@import'", "url(a(", "@namespace ", "@import/**/", "url(')"),
    ],
)
def test_long_unclosed_constructs_do_not_hide_the_urls_before(part: str) -> None:
    # Nobody would see the end of this test if each looked through all that follows.
    found = list(css_urls("url(a)" + part * 100_000))
    assert found[0] == "a"
    assert len(found) <= 1 + 100_000
