"""Cuts the part out of a text that best shows what was searched for."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

from msgspec.structs import replace

from gossamer.model.search_query import SearchTerm
from gossamer.model.search_words import EMOJI, is_of_word, normal

EXCERPT_CHARACTERS: Final = 220
"""The approximate length of an excerpt, in characters."""
_BEFORE: Final = 60
_MOST: Final = 100
"""Occurrences of a term in a text that are considered."""


class Excerpt(NamedTuple):
    """A part of a text, and the positions of the words in it: starts and ends."""

    text: str
    marks: list[tuple[int, int]]


def excerpt(text: str, terms: Sequence[SearchTerm]) -> Excerpt:
    """The first part of `text` with the most terms; its beginning if it has none.

    White space is a single space.
    """
    text = " ".join(text.split())
    folded = _BEYOND_ASCII.sub(lambda part: part[0].translate(_FOLDED), text).lower()
    places = _places(folded, terms)
    if not places and not text.isascii():
        places = _places_of_normal(text, terms)
    start = _best_start(places)
    if start > 0 and (space := text.find(" ", start, start + 20)) > 0:
        start = space + 1
    stop = min(start + EXCERPT_CHARACTERS, len(text))
    if stop < len(text) and (space := text.rfind(" ", stop - 20, stop)) > start:
        stop = space
    head, tail = "… " if start else "", " …" if stop < len(text) else ""
    shift = len(head) - start
    marks = [(at + shift, min(end, stop) + shift) for at, end, _ in places if start <= at < stop]
    return Excerpt(f"{head}{text[start:stop]}{tail}", marks)


def _places_of_normal(text: str, terms: Sequence[SearchTerm]) -> list[tuple[int, int, int]]:
    """As `_places`, where a word is written with other characters: marks, ligatures, soft hyphens.

    Looks at each character, and is for what `_places` does not find.
    """
    at: list[int] = []
    pieces = [_NORMAL[ord(character)] for character in text]
    for number, piece in enumerate(pieces):
        at += [number] * len(piece)
    normal_terms = [replace(term, words=term.words.translate(_NORMAL)) for term in terms]
    places = []
    for start, end, term in _places("".join(pieces), normal_terms):
        stop = at[end - 1] + 1
        while stop < len(pieces) and not pieces[stop]:  # marks on the last letter
            stop += 1
        places.append((at[start], stop, term))
    return places


def _places(folded: str, terms: Sequence[SearchTerm]) -> list[tuple[int, int, int]]:
    """Where terms occur: start, end, and which term; one after the other."""
    found: list[tuple[int, int, int]] = []
    for number, term in enumerate(terms):
        pattern = _pattern(term)
        matches = pattern.finditer(folded) if pattern else iter(())
        found += [(*match.span(), number) for match in islice(matches, _MOST)]
    found.sort()
    apart: list[tuple[int, int, int]] = []
    for place in found:
        if not apart or place[0] >= apart[-1][1]:
            apart.append(place)
    return apart


def _pattern(term: SearchTerm) -> re.Pattern[str] | None:
    words = re.findall(rf"\w+|{EMOJI}", term.words.translate(_FOLDED))
    if not words:
        return None
    first, *others = map(re.escape, words)
    # After the word: with letters first, `re` searches two to twenty times as fast.
    before = rf"(?<!\w{first})" if _has_ends(words[0][0]) else ""
    between = r"\W*" if re.search(EMOJI, term.words) else r"\W+"  # which may stand side by side
    body = between.join((first + before, *others))
    after = r"(?!\w)" if _has_ends(words[-1][-1]) else ""
    rest = r"\w*" if term.is_prefix and after else after
    return re.compile(body + rest)


def _has_ends(character: str) -> bool:
    """Whether words of its script are delimited by the characters around them."""
    return character.isascii() or unicodedata.category(character)[:2] in {"Lu", "Ll", "Nd"}


def _best_start(places: Sequence[tuple[int, int, int]]) -> int:
    """The start of the part that has the most different terms."""
    best, most = 0, 0
    terms = len({term for _, _, term in places})
    for index, (start, _, _) in enumerate(places):
        if most == terms:
            break
        inside = {
            n
            for at, _, n in places[index : index + 50]
            if at < start + EXCERPT_CHARACTERS - _BEFORE
        }
        if len(inside) > most:
            best, most = max(start - _BEFORE, 0), len(inside)
    return best


class _Folding(dict[int, str]):
    """Each character as one other, without case and diacritics, so that positions stay."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character.isspace():
            folded = " "
        else:
            folded = unicodedata.normalize("NFKD", character)[0].casefold()[:1]
            if not is_of_word(folded or " ") and not is_of_word(character):
                folded = character
        self[code] = folded or character
        return self[code]


class _Normal(dict[int, str]):
    """Each character as it is searched for, which may be several ones or none."""

    def __missing__(self, code: int) -> str:
        is_mark = _FIRST_MARK <= code <= _LAST_MARK
        self[code] = "" if is_mark else normal(chr(code)).translate(_FOLDED).lower()
        return self[code]


_FIRST_MARK: Final = 0x300
_LAST_MARK: Final = 0x36F
"""Combining Diacritical Marks."""
_NORMAL: Final = _Normal()
_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]+")
_FOLDED: Final = _Folding()
