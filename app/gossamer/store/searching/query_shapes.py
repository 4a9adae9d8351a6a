"""Decides how the pages of a query are found, as pure functions of its tree."""

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

_FEW: Final = 2


def says_much(term: SearchTerm) -> bool:
    """Whether a term ranks pages: most have a word that begins with any two letters."""
    return not (term.is_prefix and term.words.isascii() and len(term.words) <= _FEW)


def split(query: Query) -> tuple[Query | None, list[tuple[SearchNarrowing, bool]]]:
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


def is_quick(query: Query) -> bool:
    """Whether one expression finds, and ranks, all pages but those that links add."""
    is_weak = not all(map(says_much, terms_of(query)))
    if is_weak and len(terms_of(query)) > 1:
        return False
    return is_for_texts(query) and counts_all(query)


def is_for_texts(query: Query, *, is_negated: bool = False) -> bool:
    """Whether links can only add pages to those that a query is for by their texts alone."""
    if isinstance(query, SearchTerm):
        return not (is_negated and query.field is SearchField.ANCHOR)
    if isinstance(query, SearchNarrowing):
        return False
    if isinstance(query, SearchNot):
        return is_for_texts(query.part, is_negated=True)
    return all(is_for_texts(part, is_negated=is_negated) for part in query.parts)


def is_any(query: Query) -> bool:
    """Whether it is for the pages with any of its terms."""
    if isinstance(query, SearchAny):
        return all(map(is_any, query.parts))
    return isinstance(query, SearchTerm)


def is_any_without(query: Query) -> bool:
    """Whether it is for the pages with any of some terms, but for those with others."""
    wanted = [part for part in parts_of(query) if not isinstance(part, SearchNot)]
    return len(wanted) == 1 and is_any(wanted[0])


def counts_all(query: Query) -> bool:
    """Whether SQLite, on its way to what a query is for, comes by each of its terms in each page.

    It does not look at the rest of what has failed beside something that holds: in `a OR (b c)`.
    """
    if isinstance(query, SearchAny):
        return is_any(query)
    if isinstance(query, SearchAll):
        return all(isinstance(part, SearchNot) or counts_all(part) for part in query.parts)
    return isinstance(query, SearchTerm)
