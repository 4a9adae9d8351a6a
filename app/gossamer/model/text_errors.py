"""Errors of spelling and grammar in the text of a page, as the project file keeps them."""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

import msgspec
from msgspec import Struct

from gossamer.model.translatable import Word, word

MAX_ERRORS: Final = 100
"""Different errors of a kind that are kept per page."""
MAX_ERROR: Final = 80
"""Characters of the erroneous text."""
MAX_CONTEXT: Final = 100
MAX_MESSAGE: Final = 300
MAX_SUGGESTIONS: Final = 5


class ErrorKind(IntEnum):
    """What is wrong with a text."""

    SPELLING = 0
    GRAMMAR = 1


class TextError(Struct, frozen=True, array_like=True, gc=False):
    """An error in the text of a page.

    `text` is what is wrong: one or more words. It occurs `count` times, first in `context`, which
    is one line. The others come from a grammar checker: the id of its rule, a sentence, and
    possible replacements.
    """

    kind: ErrorKind
    text: str
    count: int = 1
    context: str = ""
    rule: str = ""
    message: str = ""
    suggestions: list[str] = []


class IgnoredErrors(NamedTuple):
    """What is not reported: words, case-folded, and ids of grammar rules."""

    words: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()

    def has(self, error: TextError) -> bool:
        """Whether this error is not reported."""
        if error.kind is ErrorKind.GRAMMAR:
            return error.rule in self.rules
        return error.text.casefold() in self.words


class IgnoringSettings(Protocol):
    """The settings that say what is ignored."""

    @property
    def ignored_words(self) -> tuple[str, ...]:
        """Words, in any case."""

    @property
    def ignored_grammar_rules(self) -> tuple[str, ...]:
        """Ids of rules."""


NOTHING_IGNORED: Final = IgnoredErrors()


def ignored_errors(settings: IgnoringSettings) -> IgnoredErrors:
    """What these settings ignore."""
    return _ignored(settings.ignored_words, settings.ignored_grammar_rules)


@lru_cache(maxsize=4)
def _ignored(words: tuple[str, ...], rules: tuple[str, ...]) -> IgnoredErrors:
    return IgnoredErrors(frozenset(map(str.casefold, words)), frozenset(rules))


_decoder = msgspec.json.Decoder(list[TextError])


def encode_errors(errors: Sequence[TextError]) -> str | None:
    """Errors as JSON, an array of arrays; None for none."""
    return msgspec.json.encode(errors).decode() if errors else None


def decode_errors(text: str | None) -> list[TextError]:
    """The errors encoded by `encode_errors`; none if that is damaged."""
    try:
        return _decoder.decode(text) if text else []
    except msgspec.DecodeError:
        return []


def reported_errors(text: str | None, ignored: IgnoredErrors) -> list[TextError]:
    """Those of the encoded errors that are reported."""
    return [each for each in decode_errors(text) if not ignored.has(each)]


def count_errors(text: str | None, kind: ErrorKind, ignored: IgnoredErrors) -> int:
    """How often errors of a kind occur in a page, without ignored ones."""
    return sum_of(reported_errors(text, ignored), kind)


def sum_of(errors: Iterable[TextError], kind: ErrorKind) -> int:
    """How often those of a kind occur there."""
    return sum(each.count for each in errors if each.kind is kind)


class LanguageMatch(Word):
    """How the language that a page declares compares with the one found in its text."""

    SAME = word("Same")
    DIFFERENT = word("Different")
    NOT_SAID = word("Not said")


class PageErrors(NamedTuple):
    """The errors in the page with this id, and what they were found with; "" for nothing."""

    url_id: int
    dictionary: str
    grammar_language: str
    errors: list[TextError]


class ErrorSummary(NamedTuple):
    """An error as it first occurs on a site, with its language and its number of occurrences."""

    error: TextError
    language: str
    pages: int
    occurrences: int


class ErrorLocation(NamedTuple):
    """An error as it stands in the page with this id and address."""

    url_id: int
    url: str
    error: TextError


class UncheckedPages(NamedTuple):
    """How many pages were not checked for spelling, by language, and for grammar.

    The languages have no dictionary; "" is for pages whose language is not known.
    """

    languages: Mapping[str, int]
    grammar: int
