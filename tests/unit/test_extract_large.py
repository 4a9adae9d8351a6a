"""Pages larger than anyone writes by hand: read in part, in bounded memory, and said so."""

import pytest

from gossamer.extract.html_page import MAX_MARKUP_BYTES, extract
from gossamer.extract.text_statistics import text_statistics
from gossamer.model.settings.request_settings import Parser

URL = "http://example.com/"


def test_a_page_too_long_is_read_up_to_the_limit() -> None:
    body = b"<title>long</title>" + b"word " * (MAX_MARKUP_BYTES // 5 + 100) + b"<a href=late>"
    result = extract(body, URL, None, Parser.SELECTOLAX)
    assert result.facts.title == "long"
    assert list(result.links) == []
    assert str(result.cut) == "only its first 8,388,608 bytes were read"


def test_a_page_within_the_limit_is_read_whole() -> None:
    body = b"<title>long</title>" + b"word " * 300_000 + b"<a href=late>"
    result = extract(body, URL, None, Parser.SELECTOLAX)
    assert result.targets == ["http://example.com/late"]
    assert result.cut is None
    assert result.facts.word_count == 300_000


def test_nuls_in_bulk_are_left_out() -> None:
    result = extract(b"<title>a</title><p>one t\0wo" + bytes(5_000), URL, None, Parser.SELECTOLAX)
    assert result.facts.word_count == 2


def test_utf_16_keeps_its_nuls() -> None:
    text = "<title>für</title>" + "ab " * 3_000
    body = b"\xff\xfe" + text.encode("utf-16-le")
    result = extract(body, URL, None, Parser.SELECTOLAX)
    assert (result.facts.title, result.facts.word_count) == ("für", 3_000)


@pytest.mark.parametrize("separator", [" ", "\n", "\x1c", "\t \r\n"])
def test_words_of_long_texts_are_counted_as_those_of_short_ones(separator: str) -> None:
    text = separator.join(["word", "another"] * 5_000)
    assert text_statistics(text).words == 10_000


def test_a_text_without_a_space_is_one_word_and_an_empty_one_has_none() -> None:
    assert text_statistics("x" * 500_000).words == 1
    assert text_statistics("").words == 0
