"""Decides how the pages of a query are found, as pure functions of its tree."""

from collections.abc import Iterator
from typing import Final

from gossamer.model.search_query import (
    Query,
    SearchAll,
    SearchAny,
    SearchField,
    SearchNarrowing,
    SearchNot,
    SearchTerm,
    terms_of,
)
from gossamer.model.search_words import phrase

_FEW: Final = 2


def ranking_terms(query: Query, *, of_many: bool) -> list[SearchTerm]:
    """The terms by which the text of a page ranks it.

    Prefixes do not where a query is for very many pages: SQLite would go through all words that
    begin so twice more, and what so many pages have tells little. Nor do those of two letters:
    nearly every page has a word that begins with them.
    """
    terms = [term for term in terms_of(query) if term.field is not SearchField.ANCHOR]
    if of_many:
        return [term for term in terms if not (term.is_prefix or phrase(term.words)[1])]
    return [term for term in terms if not (term.is_prefix and _is_short(term.words))]


def _is_short(words: str) -> bool:
    return words.isascii() and len(words) <= _FEW


def words_and_narrowings(query: Query) -> tuple[Query | None, list[tuple[SearchNarrowing, bool]]]:
    """What a query asks of words, and what else it asks of each page: whether to have it or not."""
    words: list[Query] = []
    narrowings = []
    for part in parts_of(query):
        inner = part.part if isinstance(part, SearchNot) else part
        if isinstance(inner, SearchNarrowing):
            narrowings.append((inner, inner is part))
        else:
            words.append(part)
    if len(words) > 1:
        return SearchAll(tuple(words)), narrowings
    return (words[0] if words else None), narrowings


def parts_of(query: Query) -> tuple[Query, ...]:
    """What a page must have all of."""
    return query.parts if isinstance(query, SearchAll) else (query,)


def is_for_texts(query: Query, *, is_negated: bool = False) -> bool:
    """Whether links can only add pages to those that a query is for by their texts alone."""
    if isinstance(query, SearchTerm):
        return not (is_negated and query.field is SearchField.ANCHOR)
    if isinstance(query, SearchNarrowing):
        return True
    if isinstance(query, SearchNot):
        return is_for_texts(query.part, is_negated=True)
    return all(is_for_texts(part, is_negated=is_negated) for part in query.parts)


def is_for_any_term(query: Query) -> bool:
    """Whether it is for the pages with any of its terms."""
    if isinstance(query, SearchAny):
        return all(map(is_for_any_term, query.parts))
    return isinstance(query, SearchTerm)


def has_narrowing(query: Query) -> bool:
    """Whether it asks for more than words."""
    return any(isinstance(each, SearchNarrowing) for each in _leaves(query))


def has_prefix(query: Query) -> bool:
    """Whether it asks for words that begin with something, which takes FTS5 long.

    A word of one character of Chinese or the like is one.
    """
    terms = (each for each in _leaves(query) if isinstance(each, SearchTerm))
    return any(term.is_prefix or phrase(term.words)[1] for term in terms)


def _leaves(query: Query) -> Iterator[SearchTerm | SearchNarrowing]:
    if isinstance(query, SearchNot):
        yield from _leaves(query.part)
    elif isinstance(query, SearchAll | SearchAny):
        for part in query.parts:
            yield from _leaves(part)
    else:
        yield query
