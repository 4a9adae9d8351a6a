"""What is searched for: parsed, written for FTS5, found as a brute-force search finds it."""

import re
import sqlite3
import unicodedata
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model.errors import UsageError
from gossamer.model.search_excerpts import EXCERPT_CHARACTERS, excerpt
from gossamer.model.search_query import (
    Query,
    SearchAll,
    SearchAny,
    SearchFacet,
    SearchField,
    SearchNarrowing,
    SearchNot,
    SearchTerm,
    parse_query,
    terms_of,
)
from gossamer.model.search_words import EVERY_WORD, TOKENIZER, indexable, normal
from gossamer.store.searching.index_columns import COLUMN_WEIGHTS, EVERY
from gossamer.store.searching.match_expression import match_expression
from tests.architecture.checkout import ROOT
from tests.cases import each_case

RED, BLUE, SHOES = SearchTerm("red"), SearchTerm("blue"), SearchTerm("shoes")


@each_case(
    ("text", "query"),
    [
        ("red", RED),
        ("red shoes", SearchAll((RED, SHOES))),
        ("red AND shoes", SearchAll((RED, SHOES))),
        ("red OR blue shoes", SearchAny((RED, SearchAll((BLUE, SHOES))))),
        ("(red OR blue) shoes", SearchAll((SearchAny((RED, BLUE)), SHOES))),
        ("shoes -red", SearchAll((SHOES, SearchNot(RED)))),
        ("shoes NOT (red OR blue)", SearchAll((SHOES, SearchNot(SearchAny((RED, BLUE)))))),
        ("NOT NOT red", RED),
        ('"red shoes"', SearchTerm("red shoes")),
        ("\u201cred shoes\u201d", SearchTerm("red shoes")),
        ("shoe*", SearchTerm("shoe", is_prefix=True)),
        ('"red sh"*', SearchTerm("red sh", is_prefix=True)),
        (
            "shoes status:4xx -lang:de",
            SearchAll(
                (
                    SHOES,
                    SearchNarrowing(SearchFacet.STATUS, "4xx"),
                    SearchNot(SearchNarrowing(SearchFacet.LANGUAGE, "de")),
                )
            ),
        ),
        ('segment:"Our blog"', SearchNarrowing(SearchFacet.SEGMENT, "Our blog")),
        ("folder:/docs/a", SearchNarrowing(SearchFacet.FOLDER, "/docs/a")),
        ("folder:https://a.b/c", SearchNarrowing(SearchFacet.FOLDER, "https://a.b/c")),
        ("title:red shoes", SearchAll((SearchTerm("red", field=SearchField.TITLE), SHOES))),
        (
            "in:title red OR blue",
            SearchAny(
                (
                    SearchTerm("red", field=SearchField.TITLE),
                    SearchTerm("blue", field=SearchField.TITLE),
                )
            ),
        ),
        ("(in:url red) shoes", SearchAll((SearchTerm("red", field=SearchField.ADDRESS), SHOES))),
        ("std::vector", SearchTerm("std::vector")),
        ("urn:isbn:123", SearchTerm("urn:isbn:123")),
        ("-urn:isbn:12*", SearchNot(SearchTerm("urn:isbn:12", is_prefix=True))),
        ("a:b: shoes", SearchAll((SearchTerm("a:b:"), SHOES))),
        ("https://a.example/b", SearchTerm("https://a.example/b")),
        ("well-known", SearchTerm("well-known")),
        ("or and", SearchAll((SearchTerm("or"), SearchTerm("and")))),
    ],
)
def test_a_query_is_parsed(text: str, query: Query) -> None:
    assert parse_query(text) == query


@each_case(
    "text",
    [
        *("", " ", "(", ")", "(red", "red)", '"red', "red OR", "OR red", "AND red", "NOT", "-"),
        *("red AND", "in:title", "in:colour red", "...", '""', "*", "a*", "x" * 1001),
        *("(" * 40 + "red" + ")" * 40, " ".join(["red"] * 101), "title:OR"),
    ],
)
def test_what_is_no_query_is_told_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"^[^\n]+$"):
        parse_query(text)


@pytest.mark.parametrize("text", ["red -in:title blue", "NOT in:title blue"])
def test_not_with_in_says_what_to_write(text: str) -> None:
    with pytest.raises(UsageError, match="-title:word"):
        parse_query(text)


DATA = ROOT / "tests/data/search"
TEXTS = tuple((DATA / "texts.txt").read_text("utf-8").splitlines())
"""In Latin, Cyrillic, Greek, Arabic, Hebrew, Chinese, Thai, Japanese, Korean and Devanagari."""
WORDS = tuple((DATA / "words.txt").read_text("utf-8").splitlines())


def is_unspaced(character: str) -> bool:
    """By its name, so that the tables of the program are not taken for the truth."""
    name = unicodedata.name(character, "")
    return name.startswith(("CJK UNIFIED", "THAI", "HIRAGANA", "KATAKANA", "HANGUL"))


def is_emoji(character: str) -> bool:
    code = ord(character)
    return 0x2600 <= code < 0x27C0 or 0x2B00 <= code < 0x2C00 or 0x1F000 <= code < 0x1FB00


def grep(text: str, words: str, *, is_prefix: bool) -> bool:
    """Whether words stand in a text, looked for one character after the other."""
    text, words = bare(text), bare(words)
    for place in range(len(text)):
        if not text.startswith(words, place):
            continue
        end = place + len(words)
        parted_before = place == 0 or is_apart(text[place - 1], text[place])
        parted_after = end == len(text) or is_prefix or is_apart(text[end - 1], text[end])
        if parted_before and parted_after:
            return True
    return False


def bare(text: str) -> str:
    """In lower case without Latin and Greek diacritics and vowel points, punctuation as space."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    kept = []
    for character in text:
        category = unicodedata.category(character)
        name = unicodedata.name(character, "")
        if category == "Cf" or name.startswith(("HEBREW POINT", "ARABIC SHADDA", "ARABIC KASRA")):
            continue
        if name == "ARABIC TATWEEL" or name.startswith("VARIATION SELECTOR"):
            continue
        letter = (
            unicodedata.normalize("NFD", character)[0]
            if name.startswith(("LATIN", "GREEK"))
            else character
        )
        kept.append(letter if category[0] in "LNM" or is_emoji(letter) else " ")
    return " ".join("".join(kept).split())


def is_apart(one: str, other: str) -> bool:
    return any(each == " " or is_unspaced(each) or is_emoji(each) for each in (one, other))


def found(texts: tuple[str, ...], query: Query) -> set[int]:
    """What the index finds."""
    columns = ", ".join(COLUMN_WEIGHTS)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            f'CREATE VIRTUAL TABLE page USING fts5 ({columns}, content="", tokenize="{TOKENIZER}")'
        )
        connection.executemany(
            f"INSERT INTO page (rowid, text, {EVERY}) VALUES (?, ?, ?)",  # noqa: S608 - our own names
            [(number, indexable(text), EVERY_WORD) for number, text in enumerate(texts)],
        )
        rows = connection.execute(
            "SELECT rowid FROM page WHERE page MATCH ?", (match_expression(query),)
        )
        return {number for (number,) in rows}


def holds(text: str, query: Query) -> bool:
    """Whether a text is one that is searched for, by brute force."""
    match query:
        case SearchTerm():
            return grep(text, query.words, is_prefix=query.is_prefix)
        case SearchNarrowing():
            raise NotImplementedError
        case SearchNot():
            return not holds(text, query.part)
        case SearchAll():
            return all(holds(text, part) for part in query.parts)
        case SearchAny():
            return any(holds(text, part) for part in query.parts)


terms = st.sampled_from(WORDS).map(lambda word: SearchTerm(word.rstrip("*"), word.endswith("*")))
queries = st.recursive(
    terms,
    lambda parts: st.one_of(
        st.builds(SearchNot, parts),
        st.lists(parts, min_size=2, max_size=3).map(lambda some: SearchAll(tuple(some))),
        st.lists(parts, min_size=2, max_size=3).map(lambda some: SearchAny(tuple(some))),
    ),
    max_leaves=6,
)


@each_case("word", WORDS)
def test_words_of_all_scripts_are_found_as_grep_finds_them(word: str) -> None:
    term = SearchTerm(word.rstrip("*"), word.endswith("*"))
    assert found(TEXTS, term) == {n for n, text in enumerate(TEXTS) if holds(text, term)}


@given(query=queries)
def test_any_query_finds_what_brute_force_finds(query: Query) -> None:
    assert found(TEXTS, query) == {n for n, text in enumerate(TEXTS) if holds(text, query)}


@given(text=st.text(max_size=60), words=st.text(max_size=20))
def test_no_text_is_taken_for_an_expression(text: str, words: str) -> None:
    try:
        query = parse_query(words)
    except UsageError:
        return
    assert found((text,), query) <= {0}


@given(text=st.text("ab \u4f60\u597d\u4e16\u0e01\u0e34", max_size=30), at=st.data())
def test_each_part_of_a_text_is_found(text: str, at: st.DataObject) -> None:
    words = text.split()
    if not words:
        return
    first = at.draw(st.integers(0, len(words) - 1))
    last = at.draw(st.integers(first, len(words) - 1))
    assert found((text,), SearchTerm(" ".join(words[first : last + 1]))) == {0}


def test_a_snippet_shows_the_words_where_most_of_them_stand() -> None:
    text = "red " + "x " * 300 + "\u00c9t\u00e9 and\nShoes of red leather " + "y " * 300
    cut = excerpt(
        text,
        [
            SearchTerm("ete"),
            SearchTerm("shoe", is_prefix=True),
            SearchTerm("red"),
            SearchTerm("no"),
        ],
    )
    assert [cut.text[start:end] for start, end in cut.marks] == ["\u00c9t\u00e9", "Shoes", "red"]
    assert cut.text.startswith("… x")
    assert cut.text.endswith(" …")
    assert len(cut.text) < EXCERPT_CHARACTERS + 5
    assert excerpt("a text", [SearchTerm("absent")]) == ("a text", [])


@each_case(
    ("text", "words", "marked"),
    [
        ("Ein A\u030angstro\u0308m lang", "angstrom", "A\u030angstro\u0308m"),
        ("ex\u00adtra\u00adordinary", "extraordinary", "ex\u00adtra\u00adordinary"),
        ("a zero\u200bwidth space", "zerowidth", "zero\u200bwidth"),
        ("\ufb01nance", "finance", "\ufb01nance"),
        ("chapter \u2167.", "viii", "\u2167"),
        ("hot\U0001f525deal", "\U0001f525", "\U0001f525"),
        ("in \U0001f1e9\U0001f1ea", "\U0001f1e9\U0001f1ea", "\U0001f1e9\U0001f1ea"),
        (
            "\u1f48\u03b4\u03c5\u03c3\u03c3\u03b5\u03cd\u03c2",
            "οδυσσευς",
            "\u1f48\u03b4\u03c5\u03c3\u03c3\u03b5\u03cd\u03c2",
        ),
        ("שָׁלוֹם עולם", "שלום", "שָׁלוֹם"),
        ("كتابـــة", "كتابة", "كتابـــة"),
    ],
)
def test_words_are_marked_however_they_are_written(text: str, words: str, marked: str) -> None:
    assert found((text,), SearchTerm(words)) == {0}
    cut = excerpt(text, [SearchTerm(words)])
    assert [cut.text[start:end] for start, end in cut.marks] == [marked]


@given(text=st.text(max_size=400), words=st.text(min_size=1, max_size=5))
def test_marks_lie_in_the_snippet(text: str, words: str) -> None:
    cut = excerpt(text, [SearchTerm(words)])
    assert all(0 <= start < end <= len(cut.text) for start, end in cut.marks)
    assert re.sub(r"^… | …$", "", cut.text) in " ".join(text.split())


def test_only_terms_that_must_be_there_are_marked() -> None:
    assert terms_of(parse_query("a1 -b1 (c1 OR NOT d1)")) == [SearchTerm("a1"), SearchTerm("c1")]


@given(text=st.text())
def test_normal_texts_are_normal(text: str) -> None:
    assert normal(normal(text)) == normal(text)


def test_the_word_that_each_page_has_cannot_be_searched_for() -> None:
    texts = ("plain", "every", f"odd{EVERY_WORD} {EVERY_WORD}")
    assert found(texts, SearchTerm("every")) == {1}
    assert found(texts, SearchTerm(EVERY_WORD)) == set()
    assert found(texts, SearchTerm(EVERY_WORD, is_prefix=True)) == set()
    assert found(texts, SearchTerm(f"odd{EVERY_WORD}")) == {2}
    assert found(texts, SearchNot(SearchTerm("plain"))) == {1, 2}
