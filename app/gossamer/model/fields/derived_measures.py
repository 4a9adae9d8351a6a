"""Measures derived from other fields of a URL: lengths, readability, text ratio, CO2.

Each has an equivalent in SQL, by which tables sort.
"""

from typing import Final

from gossamer.model.page_prose import primary_language
from gossamer.model.readability import reading_ease
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.text_errors import LanguageMatch
from gossamer.model.translatable import Word, word

_DIGITS: Final = 3


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def length(text: str | None) -> int:
    """The characters of a text; 0 where there is none."""
    return len(text or "")


def length_sql(name: str) -> str:
    """The SQL of `length` of a column of `visit`."""
    return f"coalesce(length(v.{name}), 0)"


# ------------------------------------------------------------------ readability


class Readability(Word):
    """How easy a text is to read, by its Flesch reading ease."""

    VERY_EASY = word("Very Easy")
    EASY = word("Easy")
    FAIRLY_EASY = word("Fairly Easy")
    STANDARD = word("Standard")
    FAIRLY_DIFFICULT = word("Fairly Difficult")
    DIFFICULT = word("Difficult")
    VERY_DIFFICULT = word("Very Difficult")


_LEAST_EASE: Final = (
    (90, Readability.VERY_EASY),
    (80, Readability.EASY),
    (70, Readability.FAIRLY_EASY),
    (60, Readability.STANDARD),
    (50, Readability.FAIRLY_DIFFICULT),
    (30, Readability.DIFFICULT),
)
"""The lowest reading ease of each level: R. Flesch, How to Write Plain English, 1979."""


def words_per_sentence(words: int | None, sentences: int | None) -> float | None:
    """The average; None without sentences."""
    return None if not sentences else _rounded((words or 0) / sentences)


def flesch_score(
    words: int | None, sentences: int | None, syllables: int | None, language: str | None
) -> float | None:
    """The Flesch reading ease to three places; None if there is none."""
    return _rounded(reading_ease(words, sentences, syllables, language))


def readability(
    words: int | None, sentences: int | None, syllables: int | None, language: str | None
) -> Readability | None:
    """How easy a text is to read; None if there is no reading ease."""
    ease = reading_ease(words, sentences, syllables, language)
    if ease is None:
        return None
    easy = (band for least, band in _LEAST_EASE if ease >= least)
    return next(easy, Readability.VERY_DIFFICULT)


WORDS_PER_SENTENCE: Final = "(coalesce(v.word_count, 0) * 1.0 / v.sentence_count)"
FLESCH_SCORE: Final = (
    "(CASE WHEN coalesce(visit_language.value, '') = '' OR visit_language.value LIKE 'en%' THEN"
    " 206.835 - 1.015 * v.word_count / v.sentence_count"
    " - 84.6 * coalesce(v.syllable_count, 0) / v.word_count END)"
)
READABILITY: Final = (
    "CASE "
    + " ".join(f"WHEN {FLESCH_SCORE} >= {least} THEN {each.value!r}" for least, each in _LEAST_EASE)
    + f" WHEN {FLESCH_SCORE} IS NOT NULL THEN {Readability.VERY_DIFFICULT.value!r} END"
)


def text_ratio(text_length: int | None, size_bytes: int | None) -> float | None:
    """The share of a page that is visible text, in percent; None for anything but a page."""
    if text_length is None or not size_bytes:
        return None
    return _rounded(100 * text_length / size_bytes)


TEXT_RATIO: Final = "(100.0 * v.text_length / v.size_bytes)"

# ------------------------------------------------------------------ CO2


class CarbonRating(Word):
    """The rating of a page view by its emissions, from the best to the worst."""

    A_PLUS = word("A+")
    A = word("A")
    B = word("B")
    C = word("C")
    D = word("D")
    E = word("E")
    F = word("F")


# Sustainable Web Design Model, version 4: operational and embodied energy of data centres,
# networks and devices, and what the world's electricity emits.
# https://sustainablewebdesign.org/estimating-digital-emissions/
_KWH_PER_GB: Final = 0.055 + 0.059 + 0.080 + 0.012 + 0.013 + 0.081
_GRAMS_PER_KWH: Final = 494
_MG_PER_BYTE: Final = _KWH_PER_GB * _GRAMS_PER_KWH * 1_000 / 1_000_000_000
_MOST_MG: Final = (
    (40, CarbonRating.A_PLUS),
    (79, CarbonRating.A),
    (145, CarbonRating.B),
    (209, CarbonRating.C),
    (278, CarbonRating.D),
    (359, CarbonRating.E),
)
"""The highest emissions of each rating of a page view, in mg; half of all sites emit less than:
https://sustainablewebdesign.org/digital-carbon-ratings/"""


HIGH_CARBON_BYTES: Final = int(_MOST_MG[-1][0] / _MG_PER_BYTE)
"""The most bytes that are not rated F."""


def co2_mg(transferred_bytes: int | None) -> float | None:
    """The estimated emissions of a first view of a page, in mg of CO2 equivalents."""
    return None if transferred_bytes is None else _rounded(transferred_bytes * _MG_PER_BYTE)


def carbon_rating(transferred_bytes: int | None) -> CarbonRating | None:
    """The rating of a view of a page."""
    if transferred_bytes is None:
        return None
    emitted = transferred_bytes * _MG_PER_BYTE
    return next((each for most, each in _MOST_MG if emitted <= most), CarbonRating.F)


CO2_MG: Final = f"(v.raw_bytes * {_MG_PER_BYTE!r})"
CARBON_RATING: Final = (
    "CASE "
    + " ".join(f"WHEN {CO2_MG} <= {most} THEN {each.value!r}" for most, each in _MOST_MG)
    + f" WHEN v.raw_bytes IS NOT NULL THEN {CarbonRating.F.value!r} END"
)

# ------------------------------------------------------------------ language


def language_match(said: str | None, found: str | None) -> LanguageMatch | None:
    """Whether a page declares the language found in its text; None if none was found."""
    if not found:
        return None
    primary = primary_language(said or "")
    if not primary:
        return LanguageMatch.NOT_SAID
    return LanguageMatch.SAME if primary == found else LanguageMatch.DIFFERENT


_SAID: Final = "replace(trim(coalesce(visit_language.value, '')), '_', '-')"
_FOUND: Final = "visit_language_found.value"
LANGUAGE_MATCH: Final = (
    f"(CASE WHEN coalesce({_FOUND}, '') = '' THEN NULL"
    f" WHEN substr({_SAID}, 1, instr({_SAID} || '-', '-') - 1) = ''"
    f" THEN {LanguageMatch.NOT_SAID.value!r}"
    f" WHEN lower(substr({_SAID}, 1, instr({_SAID} || '-', '-') - 1)) = {_FOUND}"
    f" THEN {LanguageMatch.SAME.value!r} ELSE {LanguageMatch.DIFFERENT.value!r} END)"
)


# ------------------------------------------------------------------ addresses


def folder_depth(url: str) -> int:
    """How many slashes the path of a URL has after the first: 1 for `/a/b`, 2 for `/a/b/`."""
    return max(0, url.partition("?")[0].count("/") - 3)


_UP_TO_QUERY: Final = "substr(u.url, 1, instr(u.url || '?', '?') - 1)"
FOLDER_DEPTH: Final = (
    f"max(0, length({_UP_TO_QUERY}) - length(replace({_UP_TO_QUERY}, '/', '')) - 3)"
)


class RedirectType(Word):
    """By what means a URL sends visitors on, as exports call it."""

    HTTP = word("HTTP Redirect")
    JAVASCRIPT = word("JavaScript Redirect")
    META_REFRESH = word("Meta Refresh Redirect")
    REFRESH_HEADER = word("HTTP Refresh")


_REDIRECT_TYPES: Final = {
    RedirectKind.HTTP: RedirectType.HTTP,
    RedirectKind.META_REFRESH: RedirectType.META_REFRESH,
    RedirectKind.REFRESH_HEADER: RedirectType.REFRESH_HEADER,
    RedirectKind.JAVASCRIPT: RedirectType.JAVASCRIPT,
}
REDIRECT_TYPE: Final = (
    "CASE v.redirect_kind "
    + " ".join(f"WHEN {int(kind)} THEN {each.value!r}" for kind, each in _REDIRECT_TYPES.items())
    + " END"
)


def redirect_type(kind: RedirectKind | None) -> RedirectType | None:
    """By what means a URL sends visitors on; None if it does not."""
    return None if kind is None else _REDIRECT_TYPES[kind]


def itself(value: str) -> str:
    """A text that has a second heading in exports."""
    return value


def same_bytes(value: int | None) -> int | None:
    """A size that has a second heading in exports."""
    return value
