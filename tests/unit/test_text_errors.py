"""Errors in texts: how they are kept, and which are reported."""

import pytest

from gossamer.fetch.languagetool import (
    MAX_CHARACTERS,
    GrammarResult,
    check_url,
    grammar_result,
    plain_text,
)
from gossamer.model.fields.derived_measures import language_match
from gossamer.model.page_prose import PageProse, ProseRun
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.text_errors import (
    ErrorKind,
    LanguageMatch,
    TextError,
    count_errors,
    decode_errors,
    encode_errors,
    ignored_errors,
)
from tests.cases import each_case

ERRORS = [
    TextError(ErrorKind.SPELLING, "teh", 2, "This is teh text"),
    TextError(ErrorKind.SPELLING, "Gossamer"),
    TextError(ErrorKind.GRAMMAR, "an", 1, "an test", "EN_A_VS_AN", "Use a.", ["a"]),
]


def test_errors_come_back_as_they_were_kept() -> None:
    assert decode_errors(encode_errors(ERRORS)) == ERRORS


@each_case("text", [None, "", "[", "[[7]]", "{}", "\0"])
def test_damaged_errors_are_none(text: str | None) -> None:
    assert decode_errors(text) == []


@pytest.mark.parametrize(
    ("settings", "spelling", "grammar"),
    [
        ({}, 3, 1),
        ({"ignored_words": ("TEH",)}, 1, 1),
        ({"ignored_words": ("gossamer", "teh")}, 0, 1),
        ({"ignored_words": ("an",), "ignored_grammar_rules": ("EN_A_VS_AN",)}, 3, 0),
    ],
)
def test_ignored_words_and_rules_do_not_count(
    settings: dict[str, tuple[str, ...]], spelling: int, grammar: int
) -> None:
    ignored = ignored_errors(CrawlSettings(roots=(), **settings))  # type: ignore[arg-type]  # field by field
    text = encode_errors(ERRORS)
    assert count_errors(text, ErrorKind.SPELLING, ignored) == spelling
    assert count_errors(text, ErrorKind.GRAMMAR, ignored) == grammar


@each_case(
    ("said", "found", "match"),
    [
        ("en-GB", "en", LanguageMatch.SAME),
        (" DE_at ", "de", LanguageMatch.SAME),
        ("en", "de", LanguageMatch.DIFFERENT),
        ("", "de", LanguageMatch.NOT_SAID),
        (None, "de", LanguageMatch.NOT_SAID),
        ("de", None, None),
    ],
)
def test_a_page_says_its_language_a_wrong_one_or_none(
    said: str | None, found: str | None, match: LanguageMatch | None
) -> None:
    assert language_match(said, found) is match


@each_case(
    "typed",
    [
        "http://localhost:8081",
        "http://localhost:8081/",
        "http://localhost:8081/v2",
        "http://localhost:8081/v2/",
        "http://localhost:8081/v2/check",
    ],
)
def test_the_address_of_a_server_may_be_written_with_its_path_or_without(typed: str) -> None:
    assert check_url(typed) == "http://localhost:8081/v2/check"


def test_a_text_is_sent_in_paragraphs_and_not_endlessly() -> None:
    prose = PageProse("en", [ProseRun("", "Title"), ProseRun("", "one\n two\0\0three")])
    assert plain_text(prose) == "Title\n\none two\n\nthree"
    assert len(plain_text(PageProse("en", [ProseRun("", "x" * 99_999)]))) == MAX_CHARACTERS


def test_offsets_of_answers_count_in_units_of_utf_16() -> None:
    answer = b"""{"language": {"code": "en-US"}, "matches": [{"offset": 3, "length": 2,
        "message": "Use a.", "replacements": [{"value": "a"}], "rule": {"id": "R"}}]}"""
    error = TextError(ErrorKind.GRAMMAR, "an", 1, "😀 an test", "R", "Use a.", ["a"])
    assert grammar_result(answer, "😀 an test") == GrammarResult("en-US", [error])


def test_context_of_a_match_in_a_long_text_is_what_stands_around_it() -> None:
    text = "A word of it and " * 20 + "then we can not go " + "on and on with it " * 20
    for wrong in ("can not", "not", "can not g"):
        match = f'{{"offset": {text.index(wrong)}, "length": {len(wrong)}}}'
        (error,) = grammar_result(f'{{"matches": [{match}]}}'.encode(), text).errors
        assert error.text == wrong
        assert error.context in text
        assert f"then we {wrong}" in error.context or f"we can {wrong}" in error.context


@pytest.mark.parametrize(
    "match",
    [
        '{"offset": 99, "length": 2}',
        '{"offset": -1, "length": 2}',
        '{"offset": 0, "length": 2, "rule": {"id": "X", "issueType": "misspelling"}}',
    ],
)
def test_matches_outside_the_text_and_those_of_spelling_do_not_count(match: str) -> None:
    answer = f'{{"matches": [{match}]}}'.encode()
    assert grammar_result(answer, "an test").errors == []


@pytest.mark.parametrize("answer", [b"", b"<html>", b"[]", b'{"matches": [{"offset": "x"}]}'])
def test_what_is_no_answer_is_an_error(answer: bytes) -> None:
    with pytest.raises(ValueError, match=r"JSON|Expected|truncated|malformed"):
        grammar_result(answer, "an test")
