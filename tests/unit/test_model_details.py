import msgspec
import pytest

from gossamer.engine.traps.budget_keys import budget_detail, budget_key
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import (
    Detail,
    DetailCode,
    Value,
    detail_of,
    detail_text,
    free_text,
    in_english,
    joined,
    unforeseen,
)
from gossamer.model.visit import Visit
from tests.cases import each_case

_ADDRESS = "https://a.example/robots.txt"


def made(code: DetailCode) -> Detail:
    """A detail with numbers where numbers are written with separators, with texts elsewhere."""
    values: dict[str, Value] = dict.fromkeys(code.names, "x {y} ;")
    return code(**values | ({"number": 1234} if "number" in values else {}))


def test_every_detail_has_a_code_and_words_of_its_own() -> None:
    assert len({code.value for code in DetailCode}) == len(list(DetailCode))
    assert len({code.template for code in DetailCode}) == len(list(DetailCode))
    assert not [code for code in DetailCode if code.template.endswith(":")]


@each_case("code", DetailCode)
def test_every_detail_is_stored_and_read_as_it_was_made(code: DetailCode) -> None:
    detail = made(code)
    stored = detail_text(detail)
    assert stored is not None
    assert stored.startswith(f'["{code.value}",[')
    assert detail_of(stored) == detail


@each_case("code", DetailCode)
def test_every_detail_has_english_words_with_all_its_values(code: DetailCode) -> None:
    words = str(made(code))
    assert words == str(made(code).said)
    assert words.count("x {y} ;") == len([name for name in code.names if name != "number"])
    assert ("1,234" in words) == ("number" in code.names)


@each_case("code", DetailCode)
def test_a_detail_is_not_made_without_its_values_or_with_others(code: DetailCode) -> None:
    with pytest.raises(TypeError):
        code(**dict.fromkeys(code.names[1:], "x"), other="x")


@each_case(
    ("detail", "stored", "words"),
    [
        (DetailCode.DEADLINE(), '["deadline",[]]', "the deadline passed"),
        (
            DetailCode.ROBOTS_LINE(robots_txt=_ADDRESS, line=3, rule="Disallow: /ü"),
            '["robots-line",["https://a.example/robots.txt",3,"Disallow: /ü"]]',
            "https://a.example/robots.txt, line 3: Disallow: /ü",
        ),
        (
            DetailCode.PROXY(why=DetailCode.NO_CONNECTION_WITHIN(seconds=10.0)),
            '["proxy",[["no-connection-within",[10]]]]',
            "the proxy: no connection within 10 s",
        ),
        (
            DetailCode.NO_WHOLE_ANSWER(seconds=1.5),
            '["no-whole-answer",[1.5]]',
            "no complete response within 1.5 s",
        ),
        (
            joined(DetailCode.CHALLENGE(service="X"), None, DetailCode.CUT(size=10)),
            '["both",[["challenge",["X"]],["cut",[10]]]]',
            "by X; cut at 10 bytes",
        ),
        (
            joined(DetailCode.EMPTY(), DetailCode.DEADLINE(), DetailCode.CODING_CUT()),
            '["both",[["both",[["empty",[]],["deadline",[]]]],["coding-cut",[]]]]',
            "it is empty; the deadline passed; the compressed data ended too early",
        ),
        (
            DetailCode.FIRST_BYTES(number=8388608),
            '["first-bytes",[8388608]]',
            "only its first 8,388,608 bytes were read",
        ),
        (free_text("{a}; {b}"), '["text",["{a}; {b}"]]', "{a}; {b}"),
        (joined(None, None), None, None),
    ],
)
def test_what_is_stored_and_what_is_said(
    detail: Detail | None, stored: str | None, words: str | None
) -> None:
    assert detail_text(detail) == stored
    assert detail_of(stored) == detail
    assert in_english(detail) == words


@each_case(
    "damaged",
    [
        "certificate has expired",
        "[1]",
        "[]",
        '["cut"]',
        '["cut",[]]',
        '["cut",[1,2]]',
        '["no such code",[]]',
        '["first-bytes",["many"]]',
        '["proxy",[["cut",[]]]]',
        '["text",["\\ud800"]]',
        '["proxy",[' * 5000 + "]]" * 5000,
    ],
)
def test_what_is_no_detail_stands_as_it_is(damaged: str) -> None:
    assert detail_of(damaged) == free_text(damaged)
    assert in_english(detail_of(damaged)) == damaged


def test_values_can_be_stored_and_sent_whatever_they_are() -> None:
    visit = Visit(Outcome.TIMEOUT, detail=free_text("a\x00\ud800b"))
    sent = msgspec.msgpack.encode(visit)
    assert msgspec.msgpack.decode(sent, type=Visit).detail == free_text("a\ufffd\ufffdb")


def test_an_exception_that_nobody_foresaw_is_told_by_its_kind_and_words() -> None:
    detail = unforeseen(ValueError("a\n b"))
    assert detail == DetailCode.EXCEPTION(kind="ValueError", message="a b")
    assert str(detail) == "ValueError: a b"


@each_case(
    "key",
    [
        "http://a.test/c?",
        "far http://a.test/c?",
        "session http://a.test/c",
        "order http://a.test/",
        "folder http://a.test/far",
        "folders",
        "hosts",
    ],
)
def test_the_key_of_a_budget_is_what_its_detail_says(key: str) -> None:
    detail = budget_detail(key)
    assert budget_key(detail) == key
    assert budget_key(detail_of(detail_text(detail))) == key


def test_without_a_detail_there_is_no_budget() -> None:
    assert budget_key(None) == ""
