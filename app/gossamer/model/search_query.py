"""Parses what people search for into a tree: words, phrases, prefixes, and how they combine."""

import re
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.search_words import is_of_word
from gossamer.model.text_cleaning import one_line

MAX_QUERY: Final = 1_000
"""Characters of a query."""
_MAX_TERMS: Final = 100
_MAX_DEPTH: Final = 30


class SearchField(StrEnum):
    """A part of a page in which words can be searched."""

    ADDRESS = "address"
    TITLE = "title"
    HEADINGS = "headings"
    DESCRIPTION = "description"
    TEXT = "text"
    ANCHOR = "anchor"
    """The texts of links that lead to the page: on other pages, unlike all other fields."""


_ALSO: Final = {
    "url": SearchField.ADDRESS,
    "heading": SearchField.HEADINGS,
    "content": SearchField.TEXT,
    "link": SearchField.ANCHOR,
}
_FIELDS: Final = {each.value: each for each in SearchField} | _ALSO


class SearchFacet(StrEnum):
    """A property of a page besides its words, by which a query can narrow its results."""

    STATUS = "status"
    LANGUAGE = "language"
    SEGMENT = "segment"
    FOLDER = "folder"


_FACETS: Final = {each.value: each for each in SearchFacet} | {"lang": SearchFacet.LANGUAGE}
_STATUS: Final = lazy_pattern("[1-9](xx|[0-9]{2})", re.IGNORECASE)


class SearchNarrowing(Struct, frozen=True):
    """Pages with this value of this facet."""

    facet: SearchFacet
    value: str


class SearchTerm(Struct, frozen=True):
    """A word, or several consecutive ones.

    `is_prefix`: the last one is a prefix. `field` is None for any part of a page.
    """

    words: str
    is_prefix: bool = False
    field: SearchField | None = None


class Search(Struct, frozen=True):
    """Pages searched for by their words; `words` are a query: see `parse_query`.

    `is_absent`: those that do not have them. `not_linking_to` is a serialised URL that none of
    them links to.
    """

    words: str
    is_absent: bool = False
    not_linking_to: str = ""

    @property
    def query(self) -> "Query":
        """The tree of the words; UsageError if they are not a query."""
        query = parse_query(self.words)
        return SearchNot(query) if self.is_absent else query


RELEVANCE: Final = "relevance"
"""What search results are sorted by, in place of a column."""
EXCERPT: Final = "snippet"  # as layouts and JSON have it
"""The column with the part of a page that was searched for; no field is stored under it."""


class SearchNot(Struct, frozen=True):
    """Pages that do not have it."""

    part: "Query"


class SearchAll(Struct, frozen=True):
    """Pages that have all of these."""

    parts: "tuple[Query, ...]"


class SearchAny(Struct, frozen=True):
    """Pages that have at least one of these."""

    parts: "tuple[Query, ...]"


Query: TypeAlias = SearchTerm | SearchNarrowing | SearchNot | SearchAll | SearchAny

_TOKEN: Final = lazy_pattern(
    r"\s*(?:(?P<mark>[()])|(?P<minus>-(?=[^\s\-]))"
    r"|(?P<scope>in:(?P<where>[A-Za-z]+)(?=\s|$))"
    r"|(?P<field>(?P<name>[A-Za-z]+):(?=[\"(]|[^\s\"()]))"
    r'|"(?P<quoted>[^"]*)"(?P<star>\*?)'
    r'|(?P<open>")|(?P<word>[^\s()"]+))'
)
_QUOTES: Final = str.maketrans("“”„‟«»\uff02", '"""""""')


def parse_query(text: str) -> Query:
    """The tree of a query; UsageError, in one sentence, if it is invalid."""
    if len(text) > MAX_QUERY:
        raise UsageError("A search can have at most {most} characters.", most=MAX_QUERY)
    parser = _Parser(_tokens(text.translate(_QUOTES)))
    query = parser.any_of(None, 0)
    if not parser.is_done:
        raise UsageError("The search has a ) without a ( before it.")
    return query


def terms_of(query: Query) -> list[SearchTerm]:
    """The terms for which a page is found: without those that it must not have."""
    if isinstance(query, SearchTerm):
        return [query]
    if isinstance(query, SearchNot | SearchNarrowing):
        return []
    return [term for part in query.parts for term in terms_of(part)]


class _Token(Struct, frozen=True):
    kind: str
    text: str
    is_prefix: bool = False


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None or match["open"]:
            raise UsageError('The search has a " without another one after it.')
        tokens.append(_token(match))
        place = match.end()
    return tokens


def _token(match: re.Match[str]) -> _Token:
    kind = match.lastgroup or ""
    text = match[kind]
    if kind == "word":
        if text in {"AND", "OR", "NOT"}:
            return _Token(text, "")
        return _Token("term", text.rstrip("*"), text.endswith("*"))
    if kind == "star":
        return _Token("term", match["quoted"], bool(text))
    if kind == "field" and match["name"].lower() in _FIELDS:
        return _Token("field", match["name"])
    if kind == "field" and match["name"].lower() in _FACETS:
        return _Token("facet", match["name"])
    kinds = {"mark": text, "minus": "NOT", "scope": "in", "field": "colon"}
    return _Token(kinds[kind], match["where"] or text)


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._terms = 0

    @property
    def is_done(self) -> bool:
        return self._place >= len(self._tokens)

    def any_of(self, field: SearchField | None, depth: int) -> Query:
        """Parts with OR between them, up to the end of the group."""
        if depth > _MAX_DEPTH:
            raise UsageError("The search has too many parentheses.")
        parts: list[Query] = []
        while True:
            part, field = self._all_of(field, depth)
            parts.append(part)
            if not self._take("OR"):
                return parts[0] if len(parts) == 1 else SearchAny(tuple(parts))

    def _all_of(self, field: SearchField | None, depth: int) -> tuple[Query, SearchField | None]:
        """Parts without OR between them, and the field that `in:` has chosen for what follows."""
        parts: list[Query] = []
        while not self.is_done and self._kind not in {")", "OR"}:
            if self._kind == "in":
                field = _field(self._next().text)
                continue
            if self._take("AND") and not parts:
                raise UsageError("The search has AND with nothing before it.")
            parts.append(self._one(field, depth))
        if not parts:
            raise UsageError("Enter a word to search for; OR, AND and NOT stand between words.")
        return (parts[0] if len(parts) == 1 else SearchAll(tuple(parts))), field

    def _one(self, field: SearchField | None, depth: int) -> Query:
        is_not = False
        while self._take("NOT"):
            is_not = not is_not
        if is_not and not self.is_done and self._kind == "in":  # for one word, or for all behind?
            name = _field(self._next().text).value
            raise UsageError("Write -{name}:word in place of -in:{name} word.", name=name)
        if not self.is_done and self._kind == "field":
            field = _field(self._next().text)
        if self.is_done:
            raise UsageError("The search ends where a word should follow.")
        token = self._next()
        if token.kind == "facet":
            part: Query = self._condition(_FACETS[token.text.lower()])
        elif token.kind == "(":
            part = self.any_of(field, depth + 1)
            if not self._take(")"):
                raise UsageError("The search has a ( without a ) after it.")
        else:
            part = self._term(token, field)
        return SearchNot(part) if is_not else part

    def _condition(self, facet: SearchFacet) -> SearchNarrowing:
        token = _Token("end", "") if self.is_done else self._next()
        value = token.text
        if token.kind == "colon" and not self.is_done:  # of a URL
            value += self._next().text
        if token.kind not in {"term", "colon"} or not value:
            raise UsageError("The search has {name}: without a value after it.", name=facet.value)
        if facet is SearchFacet.STATUS and not _STATUS.fullmatch(value):
            raise UsageError("Use a status such as status:404 or status:4xx.")
        return SearchNarrowing(facet, value)

    def _term(self, token: _Token, field: SearchField | None) -> SearchTerm:
        if token.kind == "colon":  # in a word, such as std::vector or urn:isbn:123
            ends = False
            while not ends and not self.is_done and self._kind in {"term", "colon"}:
                following = self._next()
                ends = following.kind == "term"
                token = _Token("colon", token.text + following.text, following.is_prefix)
            token = _Token("term", token.text, token.is_prefix)
        if token.kind != "term":
            raise UsageError("The search has {what} where a word should be.", what=token.kind)
        self._terms += 1
        if self._terms > _MAX_TERMS:
            raise UsageError("A search can have at most {most} words.", most=_MAX_TERMS)
        if not any(map(is_of_word, token.text)):
            shown = one_line(token.text, 50)
            raise UsageError(
                "There is no word in {text!r}; search for letters, digits or emoji.", text=shown
            )
        if token.is_prefix and sum(map(is_of_word, token.text)) == 1 and token.text.isascii():
            raise UsageError("Put two letters at least before *.")
        return SearchTerm(token.text, token.is_prefix, field)

    @property
    def _kind(self) -> str:
        return self._tokens[self._place].kind

    def _take(self, kind: str) -> bool:
        """Skip the next token if it is of this kind."""
        if self.is_done or self._kind != kind:
            return False
        self._place += 1
        return True

    def _next(self) -> _Token:
        self._place += 1
        return self._tokens[self._place - 1]


def _field(name: str) -> SearchField:
    field = _FIELDS.get(name.lower())
    if field is None:
        raise UsageError(
            "{name} is not a part of a page; use in:title, in:headings, in:description, "
            "in:address, in:text or in:anchor.",
            name=name,
        )
    return field
