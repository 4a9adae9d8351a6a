import sqlite3

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.extract import extract
from app.extract.charset import decoded, prescan, sniff
from app.extract.links import MAX_LINKS
from app.extract.words import count_words
from app.model.page import Extract
from app.model.settings import Parser

URL = "https://example.com/docs/page.html"

markup = st.sampled_from(
    [
        *("<", ">", "</", "/>", "<!--", "-->", "<!doctype html>", "<![CDATA[", "]]>", "<?xml ?>"),
        *(
            "<html lang=de>",
            "<head>",
            "<body>",
            "</body>",
            "</html>",
            "<frameset>",
            "<frame src=f>",
        ),
        *(
            "<a href=/a>",
            "<a href>",
            "</a>",
            "<a href='",
            "'>",
            '"',
            "<img src=i alt=I>",
            "<base href=",
        ),
        *("<title>", "</title>", "<h1>", "</h1>", "<table>", "<tr>", "<td>", "</table>", "<p>"),
        *("<svg>", "</svg>", "<math>", "<template>", "</template>", "<noscript>", "</noscript>"),
        *("<script>", "</script>", "<style>", "</style>", "<textarea>", "<plaintext>", "<select>"),
        *("<meta charset=utf-16>", "<meta charset=koi8-r>", "<meta name=robots content=x>"),
        *("<link rel=canonical href=/c>", "<iframe src=x>", "<object data=o>", "<form action=f>"),
        *(
            "\x00",
            "\ud800",
            "\u202e",
            "ü",
            "日本",
            "&amp;",
            "&#0;",
            "&#xD800;",
            "&",
            " ",
            "\n",
            "x",
        ),
    ]
)
pages = st.one_of(
    st.binary(max_size=200),
    st.lists(markup, max_size=30).map(
        lambda parts: "".join(parts).encode("utf-8", "surrogatepass")
    ),
    st.lists(markup, max_size=30).map(lambda parts: "".join(parts).encode("utf-16-le", "replace")),
)
labels = st.sampled_from(
    [None, "utf-8", "iso-8859-1", "utf-16", "gb2312", "nonsense", "replacement"]
)


def check(page: Extract) -> None:
    """Whatever the page was, what is made of it can be stored, sent and shown."""
    assert len(page.targets) == len(set(page.targets))
    assert {link.target for link in page.links} == set(range(len(page.targets)))
    assert len(page.links) <= MAX_LINKS
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
    ]
    with sqlite3.connect(":memory:") as connection:
        for text in texts:
            assert connection.execute("SELECT ?", (text,)).fetchone() == (text,)
            assert text is None or "\x00" not in text
    connection.close()
    assert facts.word_count >= 0
    assert len(facts.content_hash) == 16


@given(pages, labels)
@settings(max_examples=200)
@pytest.mark.parametrize("parser", list(Parser))
@example(b"", None)
@example(b"\x00", None)
@example(b"\xff\xfe\x00\xd8", None)
@example(b"<base href='http://['><a href=x>", None)
def test_no_page_is_so_bad_that_nothing_comes_back(
    parser: Parser, body: bytes, label: str | None
) -> None:
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
def test_looking_for_meta_comes_to_an_end(parts: list[bytes]) -> None:
    assert prescan(b"".join(parts)) is None


@given(st.text(st.sampled_from("ab1_ \n\t\x1c\x85.,-'\xa0\u2003\u200e\u2013üяあ日\U0001f600")))
def test_words_are_counted_alike_however_many_are_beyond_ascii(text: str) -> None:
    rare, frequent = " a" * 1000, " ü" * 1000
    assert count_words(text + rare) == count_words(text + frequent)
