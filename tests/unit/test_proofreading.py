"""Spelling and language: which words are looked up, what is found, with which dictionary."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model.errors import UsageError
from gossamer.model.page_prose import PageProof, PageProse, ProseRun
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.text_errors import MAX_ERRORS, ErrorKind, decode_errors
from gossamer.proofreading.dictionary_files import (
    dictionary_folders,
    dictionary_for,
    find_dictionaries,
)
from gossamer.proofreading.language_detector import LanguageDetector
from gossamer.proofreading.page_words import WordRules, words_in
from gossamer.proofreading.proofreader import Proofreader
from gossamer.proofreading.spell_checker import SpellChecker, context_of, open_dictionary
from gossamer.proofreading.suggestions import SuggestionSource
from tests.cases import each_case
from tests.fakes.dictionaries import ENGLISH, GERMAN, write_dictionary


@each_case(
    ("token", "words"),
    [
        ("recieve,", ["recieve"]),
        ("“recieve”", ["recieve"]),
        ("don\u2019t", ["don't"]),
        ("Gossamer's", ["Gossamer"]),
        ("well-known", ["well-known"]),
        ("and/or", ["and"]),
        ("e\u0301tude", ["étude"]),
        ("Übung.", ["Übung"]),
        ("(word)", ["word"]),
        ("end.Next", []),
        ("https://exampel.com/x", []),
        ("someone@exampel.com", []),
        ("www.exampel.com", []),
        ("/usr/lokal/bin", []),
        ("foo_bar", []),
        ("std::vectr", []),
        ("getElementById", []),
        ("iPhone", []),
        ("HTML", []),
        ("utf8", []),
        ("ab", []),
        ("x" * 61, []),
        ("--verbos", []),
        ("$nmae", []),
        ("'''", []),
    ],
)
def test_words_that_are_looked_up_in_a_piece_of_text(token: str, words: list[str]) -> None:
    assert words_in(token, WordRules()) == words


def test_rules_decide_on_capitals_digits_names_and_length() -> None:
    assert words_in("HTML", WordRules(check_capitals=True)) == ["HTML"]
    assert words_in("utf8", WordRules(check_numbers=True)) == ["utf8"]
    assert words_in("London", WordRules(skip_names=True)) == []
    assert words_in("to", WordRules(min_length=2)) == ["to"]


@given(st.text(max_size=200))
def test_no_text_is_too_odd_to_be_taken_apart(token: str) -> None:
    for word in words_in(token, WordRules(min_length=1, check_capitals=True, check_numbers=True)):
        assert 1 <= len(word) <= 60


def test_many_apostrophes_do_not_reach_the_dictionary_as_one_word() -> None:
    assert max(map(len, words_in("ab" + "'ab" * 18, WordRules(min_length=2)))) == 2


@pytest.fixture
def checker(tmp_path: Path) -> SpellChecker:
    return SpellChecker(open_dictionary(write_dictionary(tmp_path)), WordRules())


def test_unknown_words_come_with_their_count_and_their_first_context(checker: SpellChecker) -> None:
    checked = checker.check(["The first eror is teh error.\0Teh eror has a text, eror"])
    assert [(each.text, each.count) for each in checked.errors] == [
        ("eror", 3),
        ("teh", 1),
        ("Teh", 1),
    ]
    assert checked.errors[0].context == "The first eror is teh error."
    assert checked.errors[2].context == "Teh eror has a text, eror"


def test_a_text_is_checked_the_same_the_second_time(checker: SpellChecker) -> None:
    text = ["this is teh first text", "an eror"]
    assert checker.check(text) == checker.check(text)


def test_words_of_another_script_are_not_for_the_dictionary(checker: SpellChecker) -> None:
    assert checker.check(["this text is русский and 中文"]).errors == []


def test_hidden_characters_are_not_part_of_words(checker: SpellChecker) -> None:
    assert checker.check(["de\u00adscrip\u00adtion er\u200brors"]).errors == []


def test_hyphenated_words_are_right_if_their_parts_are(checker: SpellChecker) -> None:
    assert [each.text for each in checker.check(["page-title page-titel"]).errors] == ["page-titel"]


def test_abbreviations_are_right_with_their_point(tmp_path: Path) -> None:
    words = f"{ENGLISH} approx. etc."
    checker = SpellChecker(open_dictionary(write_dictionary(tmp_path, words=words)), WordRules())
    assert checker.check(["the text, etc.) in approx. a page."]).errors == []
    assert [each.text for each in checker.check(["etc of teh. approx"]).errors] == [
        *("etc", "teh", "approx"),
    ]


def test_only_so_many_errors_of_a_page_are_kept(checker: SpellChecker) -> None:
    letters = "abcdefghij"
    noise = " ".join(f"zz{a}{b}{c}" for a in letters for b in letters for c in letters)
    assert len(checker.check([noise]).errors) == MAX_ERRORS


def test_context_is_that_of_the_word_not_of_a_longer_one() -> None:
    assert context_of("Enumerated types\0an Enum here", "Enum") == "an Enum here"


@given(before=st.text(max_size=300), after=st.text(max_size=300))
def test_context_is_one_short_line_with_the_word(before: str, after: str) -> None:
    context = context_of(f"{before} teh {after}", "teh")
    assert "teh" in context
    assert len(context) <= 110
    assert "\n" not in context


def test_a_dictionary_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        open_dictionary(tmp_path / "none.dic")


def test_dictionaries_need_both_files_and_the_first_folder_counts(tmp_path: Path) -> None:
    first = write_dictionary(tmp_path / "1")
    write_dictionary(tmp_path / "2")
    german = write_dictionary(tmp_path / "2", "de-AT")
    (tmp_path / "2" / "fr.dic").write_text("0\n")
    found = find_dictionaries([tmp_path / "none", tmp_path / "1", tmp_path / "2"])
    assert found == {"en_US": first, "de_AT": german}


def test_the_home_folder_of_nobody_has_no_dictionaries(tmp_path: Path) -> None:
    first = next(dictionary_folders("~nobody-is-called-so/words", tmp_path))
    assert first == Path("~nobody-is-called-so/words")
    assert find_dictionaries([first]) == {}


def test_a_folder_that_may_be_listed_but_not_entered_has_no_dictionaries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("closed", "open"):
        write_dictionary(tmp_path / folder, "en_US", ENGLISH)
    usual = Path.is_file

    def is_file(path: Path) -> bool:
        if path.parent.name == "closed":
            raise PermissionError
        return usual(path)

    monkeypatch.setattr(Path, "is_file", is_file)
    found = find_dictionaries([tmp_path / "closed", tmp_path / "open"])
    assert found == {"en_US": tmp_path / "open" / "en_US.dic"}


@each_case(
    ("code", "name"),
    [
        ("en", "en_US"),
        ("en-GB", "en_GB"),
        ("en_gb", "en_GB"),
        ("en-AU", "en_US"),
        ("de", "de_AT"),
        ("fr-CA", "fr"),
        ("pl", None),
        ("eng", None),
        ("", None),
    ],
)
def test_the_dictionary_of_the_region_comes_first_then_the_usual_one(
    code: str, name: str | None
) -> None:
    assert dictionary_for(code, ["en_GB", "en_US", "de_AT", "fr"]) == name


def no_language(_text: str) -> tuple[str, float]:
    raise AssertionError("nobody should ask")


def proofread(
    tmp_path: Path,
    *runs: tuple[str, str],
    language: str = "en",
    found: str = "",
    **settings: object,
) -> PageProof:
    """What is made of a page with these runs, on a computer with two dictionaries."""
    dictionaries = {
        "en_US": write_dictionary(tmp_path, "en_US", ENGLISH),
        "de_DE": write_dictionary(tmp_path, "de_DE", GERMAN),
    }
    names = settings.get("spelling_languages") or dictionaries
    assert isinstance(names, (tuple, dict))
    classify = (lambda _: (found, 1.0)) if found else no_language
    reader = Proofreader(
        CrawlSettings(roots=(), **{"check_spelling": True, **settings}),  # type: ignore[arg-type]  # field by field
        {name: dictionaries[name] for name in names},
        LanguageDetector(lambda: classify),
    )
    return reader(PageProse(language, [ProseRun(*run) for run in runs]))


def errors(proof: PageProof) -> list[str]:
    return [each.text for each in decode_errors(proof.text_errors)]


GERMAN_TEXT = "Das ist ein deutscher Text mit Feler und das ist die Seite mit der Seite. " * 2


def test_the_language_that_a_page_says_decides_on_the_dictionary(tmp_path: Path) -> None:
    proof = proofread(tmp_path, ("", "das ist ein Feler"), language="de-AT")
    assert (proof.dictionary, errors(proof), proof.language_found) == ("de_DE", ["Feler"], None)


def test_of_a_page_without_language_it_is_found(tmp_path: Path) -> None:
    proof = proofread(tmp_path, ("", GERMAN_TEXT), language="", found="de")
    assert (proof.language_found, proof.dictionary, errors(proof)) == ("de", "de_DE", ["Feler"])


def test_a_page_that_says_a_wrong_language_is_checked_in_the_right_one(tmp_path: Path) -> None:
    text = (
        "Das ist ein deutscher Text mit Feler und der die Seite " + "text das ist ein und der " * 9
    )
    words = " ".join(f"{text} Wort{chr(97 + n)}" for n in range(12))
    proof = proofread(tmp_path, ("", words), language="en", found="de")
    assert (proof.language_found, proof.dictionary) == ("de", "de_DE")


def test_elements_in_another_language_have_its_dictionary_or_none(tmp_path: Path) -> None:
    proof = proofread(
        tmp_path,
        ("", "this is teh text"),
        ("de", "das ist ein Feler"),
        ("en-GB", "teh eror"),
        ("pl", "zażółć gęślą"),
    )
    assert errors(proof) == ["teh", "eror", "Feler"]
    assert decode_errors(proof.text_errors)[0].count == 2


@pytest.mark.parametrize("language", ["ja", "zh-CN", "th", "pl"])
def test_pages_in_a_language_without_dictionary_have_an_empty_one(
    tmp_path: Path, language: str
) -> None:
    proof = proofread(tmp_path, ("", "日本語 zażółć"), language=language)
    assert (proof.dictionary, proof.text_errors) == ("", None)


def test_named_dictionaries_are_the_only_ones_and_the_first_is_for_pages_without_language(
    tmp_path: Path,
) -> None:
    for language, runs, dictionary in (("", ("", "das"), "de_DE"), ("en", ("", "this"), "")):
        proof = proofread(tmp_path, runs, language=language, spelling_languages=("de_DE",))
        assert proof.dictionary == dictionary


def test_what_is_ignored_is_kept_for_those_who_change_their_mind(tmp_path: Path) -> None:
    assert errors(proofread(tmp_path, ("", "teh"), ignored_words=("teh",))) == ["teh"]


def test_the_language_alone_can_be_looked_for(tmp_path: Path) -> None:
    proof = proofread(
        tmp_path, ("", GERMAN_TEXT), found="de", find_language=True, check_spelling=False
    )
    assert proof == PageProof(language_found="de")


def test_a_text_too_short_to_tell_has_no_language(tmp_path: Path) -> None:
    assert proofread(tmp_path, ("", "das"), language="", found="de").language_found is None


def test_the_text_is_handed_on_if_a_server_is_to_read_it(tmp_path: Path) -> None:
    proof = proofread(
        tmp_path,
        ("", "this text"),
        ("de", "das"),
        check_spelling=False,
        languagetool="http://127.0.0.1:1",
    )
    assert proof.prose == PageProse("en", [ProseRun("", "this text")])


def test_what_follows_decides_where_a_text_begins_in_no_language() -> None:
    names = "dpkg apt zlib gcc vim " * 200
    detector = LanguageDetector(lambda: lambda text: ("en", 1.0 if "This" in text else 0.5))
    assert detector.language_of(names + "This " * 2_000) == "en"
    assert detector.language_of(names * 3) is None


def test_py3langid_tells_languages_apart() -> None:
    detector = LanguageDetector()
    assert detector.language_of("This is an English text about nothing at all. " * 3) == "en"
    assert detector.language_of("Dies ist ein deutscher Text über gar nichts. " * 3) == "de"
    assert detector.language_of("これは日本語の文章です。特に意味はありません。") == "ja"


def test_suggestions_are_like_the_word(tmp_path: Path) -> None:
    assert "title" in open_dictionary(write_dictionary(tmp_path)).suggest("titel")


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("hte", ["the"]),
        ("Hte", ["The"]),
        ("THEE", ["THE"]),
        ("errrors", ["errors"]),
        ("titel", ["title"]),
        ("discription", ["description"]),
        ("pge", ["page"]),
        ("thispage", ["this page"]),
        ("page", []),
        ("xqzzw", []),
        ("d" * 30, []),
    ],
)
def test_words_one_slip_away_are_near(tmp_path: Path, word: str, near: list[str]) -> None:
    write_dictionary(tmp_path, "en_XX")
    assert SuggestionSource(str(tmp_path)).near(word, "en_XX") == near


@pytest.mark.parametrize("affixes", [b"SET UTF-9\nTRY abc\n", b"SET UTF-8\nTRY \xff\xfe\n", b""])
def test_a_dictionary_that_does_not_tell_its_letters_still_has_some_near_words(
    tmp_path: Path, affixes: bytes
) -> None:
    file = write_dictionary(tmp_path, "en_XX", "the title")
    file.with_suffix(".aff").write_bytes(affixes)
    assert SuggestionSource(str(tmp_path)).near("titel", "en_XX") == ["title"]


def test_errors_have_a_kind(checker: SpellChecker) -> None:
    assert {each.kind for each in checker.check(["teh"]).errors} == {ErrorKind.SPELLING}
