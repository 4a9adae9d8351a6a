"""Finds the words in a text that a dictionary can check.

A text is split at white space. Most pieces are known from other pages, so that only new ones need a
closer look.
"""

import re
import unicodedata
from typing import Final, NamedTuple

MAX_WORD: Final = 60
"""Letters of the longest word that is checked. Hunspell takes no more than 100 bytes."""
_MAX_PARTS: Final = 6
"""Apostrophes and hyphens make Hunspell try all ways to split a word."""
_LETTERS: Final = r"[^\W_]"
_WORD: Final = re.compile(rf"{_LETTERS}+(?:['\u2019-]{_LETTERS}+)*")
_NO_PROSE: Final = re.compile(
    r"://|@|^www\.|\\|[_=<>{}#$%^*|~`+]|[^\W\d_]\.[^\W\d_]|::|\w\(|\w\[|^[./&-]+\w+/|/\w*/|^--?\w"
)
"""Addresses, paths, names in code, placeholders: what no dictionary knows."""
_HIDDEN: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Soft hyphens and marks without width, which only say where a line may break."""
_CURLY: Final = "\u2019"


class WordRules(NamedTuple):
    """Which words are checked, by the settings of the same names."""

    min_length: int = 3
    check_capitals: bool = False
    check_numbers: bool = False
    skip_names: bool = False


def without_hidden(text: str) -> str:
    """The text without invisible characters."""
    if not text.isascii():
        for sign in _HIDDEN:  # translating takes as long as all the rest
            if sign in text:
                text = text.replace(sign, "")
    return text


def words_in(token: str, rules: WordRules) -> list[str]:
    """The words to check in a piece between white space; none if it looks like code.

    Apostrophes are straight, and a possessive 's is left out, so that a name is one word.
    """
    if _NO_PROSE.search(token):
        return []
    found = []
    for match in _WORD.finditer(unicodedata.normalize("NFC", token)):
        word = match[0].replace(_CURLY, "'")
        if word.endswith(("'s", "'S")):
            word = word[:-2]
        parts = re.split("['-]", word)
        if len(parts) > _MAX_PARTS:
            found += [part for part in parts if _is_checked(part, rules)]
        elif _is_checked(word, rules):
            found.append(word)
    return found


def _is_checked(word: str, rules: WordRules) -> bool:
    if not rules.min_length <= len(word) <= MAX_WORD:
        return False
    if not rules.check_numbers and not word.isalpha() and any(map(str.isdigit, word)):
        return False
    if word.isupper():
        return rules.check_capitals
    if rules.skip_names and word[0].isupper():
        return False
    # Such as iPhone, McDonald, getElementById.
    return not any(map(str.isupper, word[1:])) or any(sign in word for sign in "-'")


def script_of(letter: str) -> str:
    """The script of a letter, such as "LATIN", by its Unicode name."""
    return unicodedata.name(letter, "").partition(" ")[0]
