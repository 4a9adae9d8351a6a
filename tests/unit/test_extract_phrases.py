"""What a page says, in a few numbers, whoever reads the page."""

from random import Random

import pytest

from gossamer.engine.traps.repeated_content import Novelty
from gossamer.extract.html_page import extract
from gossamer.extract.native_dom_walk import NATIVE_WALK
from gossamer.extract.phrase_hashes import MAX_PHRASES, phrase_hashes_in
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case

URL = "https://example.com/shop/red-shoes?size=7&name=caf%C3%A9"
BACK_ENDS = pytest.mark.parametrize("back_end", ["C", "Python", "soup"])


def said(body: str, back_end: str = "C", url: str = URL) -> list[int]:
    parser = Parser.BEAUTIFULSOUP if back_end == "soup" else Parser.SELECTOLAX
    native = NATIVE_WALK if back_end == "C" else None
    return extract(body.encode(), url, "utf-8", parser, native=native).facts.phrases


@BACK_ENDS
def test_text_outside_of_links_makes_phrases(back_end: str) -> None:
    text = "One two three four five six"
    page = f"<p>{text}</p><ul><li>seven<li><a href=/x>Not <b>this</b></a> eight nine</ul>"
    assert said(page, back_end) == phrase_hashes_in([text, "seven", " eight nine"])
    assert len(phrase_hashes_in([text])) == 2
    assert len(phrase_hashes_in(["One two three four five"])) == 1


@BACK_ENDS
@each_case(
    ("one", "other"),
    [
        ("<p>Page 1 of the list</p>", "<p>page 3,141 of the LIST</p>"),
        ("<p>The café of red shoes</p>", "<p>The of</p>"),
        ("<p>Words</p>", "<p>Words</p><script>x</script><a href=/y>y</a><style>z</style>"),
        ("<p>Words, and: more!</p>", "<div><i> Words and\nmore</i></div>"),
        ("<p>", "<p>7 + 8 = 15"),
    ],
)
def test_numbers_addresses_and_marks_make_no_difference(
    back_end: str, one: str, other: str
) -> None:
    assert said(one, back_end) == said(other, back_end)


@BACK_ENDS
@each_case(
    ("one", "other"),
    [
        ("<p>Words of wisdom</p>", "<p>Words of folly</p>"),
        ("<p>one two</p>", "<p>one</p><p>two</p>"),
        ("<p>日本の本</p>", "<p>日本の木</p>"),
        ("<title>A story</title>", "<title>A tale</title>"),
        ("<meta name=description content='A story'>", "<p>"),
    ],
)
def test_other_words_do(back_end: str, one: str, other: str) -> None:
    assert said(one, back_end) != said(other, back_end)


@BACK_ENDS
def test_of_long_texts_a_few_phrases_are_kept(back_end: str) -> None:
    text = " ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}" for n in range(9000))
    kept = said(f"<p>{text}</p>", back_end)
    assert len(kept) == MAX_PHRASES
    assert kept == sorted(set(kept))
    assert kept == phrase_hashes_in([text])


def test_links_in_links_are_left_out_once() -> None:
    page = "<p>said<a href=/1>one<table><td><a href=/2>two</a></table>three</a>here"
    assert said(page, "Python") == said(page, "C")


def test_thousands_of_texts_in_the_same_few_words_are_new_each() -> None:
    chance, novelty = Random(1), Novelty()
    words = [f"w{chr(97 + n % 7)}{chr(97 + n // 7)}" for n in range(42)]
    texts = (" ".join(chance.choices(words, k=40)) for _ in range(4_000))
    assert all(novelty.is_new(phrase_hashes_in([text])) for text in texts)
