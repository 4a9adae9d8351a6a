from hashlib import sha256

import pytest

from gossamer.extract.html_page import extract
from gossamer.extract.text_statistics import text_statistics
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case

URL = "https://example.com/docs/page.html"

both_parsers = pytest.mark.parametrize("parser", list(Parser))


def facts(html: str, parser: Parser) -> PageFacts:
    return extract(html.encode(), URL, "utf-8", parser).facts


@both_parsers
def test_a_page_says_what_it_is_about(parser: Parser) -> None:
    page = facts(
        """<!doctype html><html lang="de-AT"><head><title> The\n title </title>
        <meta name="Description" content=" What it\n is about ">
        <meta name="ROBOTS" content="noindex, nofollow">
        <link rel="canonical" href="../canonical#x">
        </head><body><h1>The <em>heading</em></h1><p>Five words of visible text.</p></body>""",
        parser,
    )
    assert page.title == "The title"
    assert page.h1 == "The heading"
    assert page.description == "What it is about"
    assert page.robots == "noindex, nofollow"
    assert page.canonical == "https://example.com/canonical"
    assert page.language == "de-AT"
    assert page.word_count == 7


@both_parsers
def test_what_is_missing_is_none(parser: Parser) -> None:
    page = facts("<p>x</p>", parser)
    said = (page.title, page.h1, page.description, page.robots, page.canonical, page.language)
    assert said == (None,) * 6


@both_parsers
def test_what_is_there_but_empty_is_empty(parser: Parser) -> None:
    page = facts(
        "<html lang><title></title><meta name=description content><meta name=robots content=' '>"
        "<link rel=canonical href><h1> </h1>",
        parser,
    )
    said = (page.title, page.h1, page.description, page.robots, page.canonical, page.language)
    assert said == ("",) * 6


@both_parsers
def test_the_first_of_each_counts(parser: Parser) -> None:
    page = facts(
        "<title>1</title><meta name=description content=1><meta name=description content=2>"
        "<link rel=canonical href=/1><link rel=canonical href=/2><h1>1</h1><h1>2</h1>",
        parser,
    )
    assert (page.title, page.h1, page.description) == ("1", "1", "1")
    assert page.canonical == "https://example.com/1"


@both_parsers
@each_case(
    ("metas", "robots"),
    [
        (
            ["<meta name=robots content=max-snippet:9>", "<meta name=Robots content='NoIndex, x'>"],
            "max-snippet:9, NoIndex, x",
        ),
        (["<meta name=robots content=''>", "<meta name=robots content=none>"], "none"),
        (["<meta name=robots content=all>", "<meta name=robots content=' '>"], "all"),
        (["<meta name=Gossamer content=nofollow>"], "nofollow"),
        (["<meta name=otherbot content=nofollow>", "<meta name='' content=x>"], None),
        (["<meta name=otherbot content=none>", "<meta name=robots>"], ""),
        (["<meta name=robots content=a>"] * 5_000, ", ".join("a" * 100)),
    ],
)
def test_what_is_said_to_robots_holds_together(
    metas: list[str], robots: str | None, parser: Parser
) -> None:
    page = extract("".join(metas).encode(), URL, None, parser, robot="gossamer")
    assert page.facts.robots == robots


@both_parsers
@each_case(
    ("html", "h1"),
    [
        ("<h1>One<br>two</h1>", "One two"),
        ("<h1><a href=/><img src=l alt='The shop'></a></h1>", "The shop"),
        ("<h1>a\ud7ff\x00b\u202e</h1>".replace("\x00", ""), "a\ud7ffb\u202e"),
        ("<h1>a&#1;b</h1>", "a\ufffdb"),
        ("<h1>" + "x" * 20_000 + "</h1>", "x" * 9_999 + "…"),
    ],
)
def test_headings_are_read_as_a_person_would(html: str, h1: str, parser: Parser) -> None:
    assert facts(html, parser).h1 == h1


@both_parsers
def test_the_title_is_not_the_tool_tip_of_a_drawing(parser: Parser) -> None:
    assert facts("<body><svg><title>Tip</title></svg>", parser).title is None
    assert facts("<body><svg><g><title>Tip</title></g></svg><title>T</title>", parser).title == "T"
    page = facts("<title>T</title><body><math><mrow><title>Tip</title></mrow></math>", parser)
    assert (page.title, page.title_2) == ("T", None)


@both_parsers
def test_a_drawing_has_no_links_and_no_base_of_the_page(parser: Parser) -> None:
    html = (
        "<body><svg><base href=/b/></base><g><link rel=canonical href=/c></g></svg><a href=x>x</a>"
    )
    page = extract(html.encode(), URL, "utf-8", parser)
    assert page.facts.canonical is None
    assert page.targets == ["https://example.com/docs/x"]


@both_parsers
def test_a_title_in_a_template_is_no_title(parser: Parser) -> None:
    assert facts("<body><template><title>T</title><h1>H</h1></template>", parser).title is None
    assert facts("<body><template><title>T</title><h1>H</h1></template>", parser).h1 is None


@both_parsers
def test_a_canonical_that_is_no_url_stands_as_written(parser: Parser) -> None:
    assert facts("<link rel=canonical href=' http://exa mple '>", parser).canonical == (
        "http://exa mple"
    )


@both_parsers
def test_a_canonical_is_relative_to_the_base(parser: Parser) -> None:
    page = facts("<base href='https://other.example/a/'><link rel=canonical href=b>", parser)
    assert page.canonical == "https://other.example/a/b"


@both_parsers
@each_case(
    ("body", "words"),
    [
        ("<p>One two.</p><p>Three</p>", 3),
        ("<ul><li>One</li><li>Two</li></ul>", 2),
        ("One<script>var two = 3;</script><style>.a { }</style>", 1),
        ("One<noscript>Turn on scripts</noscript><template>two</template>", 1),
        ("One<iframe src=x>no frames here</iframe>", 1),
        ("One<!-- two -->", 1),
        ("One<svg><title>two</title><text>three</text></svg>", 2),
        ("<textarea>One two</textarea>", 2),
        ("", 0),
    ],
)
def test_only_words_that_can_be_seen_count(body: str, words: int, parser: Parser) -> None:
    html = f"<head><title>A title</title><style>p {{ }}</style></head><body>{body}</body>"
    assert facts(html, parser).word_count == words


@both_parsers
def test_the_hash_is_of_the_bytes_as_they_came(parser: Parser) -> None:
    body = b"\xef\xbb\xbf<p>x</p>"
    page = extract(body, URL, None, parser)
    assert page.facts.content_hash == sha256(body).digest()[:16]


@each_case(
    ("text", "words"),
    [
        ("", 0),
        (" \n\t", 0),
        ("one", 1),
        ("One, two -- three!", 3),
        ("don't e-mail user@example.com 3.14", 4),
        ("one\u00a0two", 2),
        ("a \u2013 b \u2022 c", 3),
        ("_ __ - |", 0),
        ("naïve café", 2),
        ("Привет, мир", 2),
        ("한국어 페이지입니다", 2),
        ("これは日本語です", 8),
        ("日本語。日本語", 6),
        ("Python 入門 3", 4),
        ("ｱｲｳ", 3),
    ],
)
def test_words_are_counted_as_word_processors_do(text: str, words: int) -> None:
    assert text_statistics(text).words == words
