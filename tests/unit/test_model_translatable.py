"""Sentences that are said in another language than the one they were made in."""

import msgspec
import pytest

from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.translatable import Translatable, enumerated, said

FRENCH = {
    "{what} is {how}.": "{what} est {how}.",
    "full": "plein",
    "{some} and {last}": "{some} et {last}",
}


def in_french(text: str) -> str:
    return FRENCH.get(text, text)


def test_a_sentence_and_the_sentences_in_it_are_translated() -> None:
    sentence = said("{what} is {how}.", what="/a {b}", how=said("full"))
    assert str(sentence) == "/a {b} is full."
    assert sentence.translated(in_french) == "/a {b} est plein."


def test_values_keep_their_format() -> None:
    assert str(said("{low:g} to {high:g}: {name!r}", low=1.0, high=5, name="a")) == "1 to 5: 'a'"


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("Not sent: {why}.", "Not sent: The disk is full."),
        ("Not sent: {why}; see the log.", "Not sent: The disk is full; see the log."),
        ("Not sent ({why}).", "Not sent (The disk is full)."),
        ("未发送：{why}；请查看日志。", "未发送：The disk is full；请查看日志。"),
        ("Not sent: {why}", "Not sent: The disk is full."),
        ("{why} It was not sent.", "The disk is full. It was not sent."),
    ],
)
def test_a_sentence_in_another_one_has_one_mark_at_its_end(template: str, shown: str) -> None:
    assert str(Translatable(template, {"why": said("The disk is full.")})) == shown


def test_a_chinese_sentence_in_another_one_has_one_mark_at_its_end() -> None:
    sentence = said("Not sent: {why}; see the log.", why=said("The disk is full."))
    chinese = {
        "Not sent: {why}; see the log.": "未发送：{why}；请查看日志。",
        "The disk is full.": "磁盘已满。",
    }
    assert sentence.translated(chinese.__getitem__) == "未发送：磁盘已满；请查看日志。"


def test_a_text_that_is_no_sentence_keeps_its_full_stop() -> None:
    sentence = said("{path}; {why}…", path="/a.", why=said("Wait…"))
    assert str(sentence) == "/a.; Wait……"


def test_a_text_without_values_may_have_braces() -> None:
    assert str(said("a{2,3}")) == "a{2,3}"


def test_it_travels_as_a_message() -> None:
    sentence = said("{a}{b}{c}{d}", a=1, b=2.5, c="x", d=said("{e}", e="y"))
    packed = msgspec.msgpack.encode(sentence)
    assert msgspec.msgpack.decode(packed, type=Translatable) == sentence


@pytest.mark.parametrize(
    ("parts", "listed"), [("", ""), ("a", "a"), ("ab", "a et b"), ("abc", "a, b et c")]
)
def test_parts_are_enumerated(parts: str, listed: str) -> None:
    assert enumerated([said(part) for part in parts]).translated(in_french) == listed


def test_an_error_tells_its_sentence_and_hands_it_on() -> None:
    error = UsageError("{what} is {how}.", what="a", how=3)
    assert str(error) == "a is 3."
    assert error.said.translated(in_french) == "a est 3."
    assert str(ProjectError(error.said)) == "a is 3."
