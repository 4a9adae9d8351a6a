"""Style sheets of a copy load what the copy has, and nothing else."""

import pytest

from gossamer.extract.offline_styles import offline_css
from tests.cases import each_case


def local(url: str) -> str | None:
    return "here.png" if url.endswith("known") else None


@each_case(
    ("css", "rewritten"),
    [
        ("a{b:url(known)}", 'a{b:url("here.png")}'),
        ("a{b:url( 'known' )}", 'a{b:url("here.png")}'),
        ("a{b:url(//out/x)}", 'a{b:url("data:,")}'),
        ("a{b:url(#id)}", 'a{b:url("#id")}'),
        ("a{b:url(data:image/png;base64,AA==)}", 'a{b:url("data:image/png;base64,AA==")}'),
        ('@import "known" screen;a{}', '@import "here.png" screen;a{}'),
        ("@import url(//out/x.css) print;a{}", "a{}"),
        ("@im\\70ort '//out/x';a{}", "a{}"),
        ("@import/**/'//out/x';a{}", "a{}"),
        ("a{b:\\75rl(//out/x)}", 'a{b:url("data:,")}'),
        ("a{b:u\\72 \\6c(//out/x)}", 'a{b:url("data:,")}'),
        ('a{b:image-set("//out/x" 1x)}', 'a{b:image-set(url("data:,") 1x)}'),
        (
            "a{b:-webkit-image-set('known' type('image/avif') 1x,url(known)2x)}",
            'a{b:-webkit-image-set(url("here.png") type(\'image/avif\') 1x,url("here.png")2x)}',
        ),
        (
            'a{b:image-set(calc(x)"//out/x" 1x)}',
            'a{b:-not-in-a-copy-image-set(calc(x)"//out/x" 1x)}',
        ),
        (
            'a{b:image-set(/*"*/"//out/x"/*"*/ 1x)}',
            'a{b:-not-in-a-copy-image-set( "//out/x"  1x)}',
        ),
        ('a{b:image-set("//out/x" 1x', 'a{b:-not-in-a-copy-image-set("//out/x" 1x'),
        ('a{content:"url(x) </style>"}', 'a{content:"url(x) <\\/style>"}'),
        (".md\\:flex{c:d}", ".md\\:flex{c:d}"),
    ],
)
def test_what_loads_is_rewritten(css: str, rewritten: str) -> None:
    assert offline_css(css, local) == rewritten


@pytest.mark.parametrize(
    ("again", "last"),
    [
        ("image-set(url(", '"'),
        ('image-set("a" ', "x"),
        ("image-set('", "x"),
        ("url(", '"'),
        ("url(", "\\"),
        ("@import url(;", '"'),
        ("url('", "\\"),
        ('"\n', "\\"),
    ],
)
def test_what_never_ends_is_read_once(again: str, last: str) -> None:
    # Read to its end from each of these, it would take hours.
    assert "url(//out" not in offline_css(again * 100_000 + "//out" + last, lambda _: None)


def test_no_escape_is_made_of_two() -> None:
    assert "url(" not in offline_css("a{b:ur\\6\\63(//out/x)}", local).replace(" ", "_")
