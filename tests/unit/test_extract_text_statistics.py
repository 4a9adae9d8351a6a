"""Words, sentences, syllables and sketches of texts; what counts as content; ids."""

import pytest

from gossamer.extract.anchor_hashes import anchor_hash, anchor_ids
from gossamer.extract.html_page import extract
from gossamer.extract.text_sketch import MIN_SKETCH_WORDS
from gossamer.extract.text_statistics import text_statistics
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.settings.request_settings import Parser
from gossamer.model.sketches import share_of
from tests.cases import each_case

URL = "https://example.com/"
both_parsers = pytest.mark.parametrize("parser", Parser)


def facts(body: str, parser: Parser, exclude: tuple[str, ...] = ("nav", "footer")) -> PageFacts:
    return extract(body.encode(), URL, "utf-8", parser, content_exclude=exclude).facts


@each_case(
    ("text", "sentences"),
    [
        ("", 0),
        ("no stop", 1),
        ("One. Two! Three?", 3),
        ("Wait ... what?!", 2),
        ("Version 3.14 of a.b", 1),
        ("Heading\0A paragraph. More", 3),
        ("これは文です。次の文です。", 2),
        ("...", 0),
    ],
)
def test_sentences_end_at_stops_and_where_blocks_end(text: str, sentences: int) -> None:
    assert text_statistics(text).sentences == sentences


@each_case(
    ("word", "syllables"),
    [
        ("cat", 1),
        ("table", 2),
        ("made", 1),
        ("makes", 1),
        ("houses", 2),
        ("wanted", 2),
        ("called", 1),
        ("beautiful", 3),
        ("hmm", 1),
        ("élève", 2),
        ("(made).", 1),
    ],
)
def test_syllables_are_groups_of_vowels_without_a_silent_e(word: str, syllables: int) -> None:
    assert text_statistics(word).syllables == syllables


@pytest.mark.parametrize(("text", "words"), [("ไทย", 3), ("กำลัง ๑๒", 5), ("ខ្មែរ", 3)])
def test_scripts_without_spaces_have_a_word_for_each_letter(text: str, words: int) -> None:
    assert text_statistics(text).words == words


def test_texts_that_share_most_have_sketches_that_share_most() -> None:
    words = [f"word{number}" for number in range(400)]
    one = text_statistics(" ".join(words)).sketch
    other = text_statistics(" ".join([*words[:390], "new", *words[391:]])).sketch
    apart = text_statistics(" ".join(reversed(words))).sketch
    assert one
    assert other
    assert apart
    assert share_of(one, other) == pytest.approx(391 / 401, abs=0.01)
    assert share_of(one, apart) < 0.15
    assert share_of(one, one) == 1
    assert text_statistics(" ".join(words[: MIN_SKETCH_WORDS - 1])).sketch is None


@both_parsers
def test_inline_elements_do_not_part_words_and_blocks_do(parser: Parser) -> None:
    page = facts("<p>un<b>believ</b>able</p><p>one</p>two<br>three", parser)
    assert (page.word_count, page.sentence_count) == (4, 3)


@both_parsers
def test_navigation_and_footer_are_no_content(parser: Parser) -> None:
    body = "<nav>a b</nav><p class=note>c d</p><div id=e>f</div><footer>g</footer>h"
    assert facts(body, parser).word_count == 4
    assert facts(body, parser, ()).word_count == 7
    assert facts(body, parser, (".note", "#e")).word_count == 4
    assert facts(body, parser).text_length == len("c d f h") + len("a b g")


@both_parsers
def test_ids_and_names_of_links_can_be_led_to(parser: Parser) -> None:
    page = facts("<p id=a>x<a name=b></a><img name=c><i id>", parser)
    assert page.anchor_ids == b"".join(
        number.to_bytes(2, "big") for number in sorted(map(anchor_hash, "ab"))
    )


def test_of_many_ids_some_are_kept() -> None:
    few, many = (anchor_ids(map(str, range(number))) for number in (100, 20_000))
    assert not few.are_cut
    assert many.are_cut
    assert many.hashes is not None
    assert len(many.hashes) == 2 * 4096
