"""Writes a query as an expression for SQLite's FTS5; no text of a query acts as syntax."""

from collections.abc import Iterable
from typing import Final

from gossamer.model.search_query import (
    Query,
    SearchAll,
    SearchAny,
    SearchField,
    SearchNot,
    SearchTerm,
)
from gossamer.model.search_words import EVERY_WORD, phrase
from gossamer.store.searching.index_columns import EVERY

_EVERY_PAGE: Final = f'"{EVERY_WORD}"'
_NOTHING: Final = f"{{{EVERY}}} : nothing"
"""What no page says."""


def match_expression(query: Query) -> str:
    """The expression that finds the pages that say what a query asks for.

    Of the texts of links to them it finds nothing.
    """
    if isinstance(query, SearchTerm):
        return _NOTHING if query.field is SearchField.ANCHOR else _term(query, query.field)
    if isinstance(query, SearchAny):
        return _joined("OR", map(match_expression, query.parts))
    parts = query.parts if isinstance(query, SearchAll) else (query,)
    wanted = [match_expression(part) for part in parts if not isinstance(part, SearchNot)]
    others = [match_expression(part.part) for part in parts if isinstance(part, SearchNot)]
    found = _joined("AND", wanted) if wanted else _EVERY_PAGE
    return f"({found} NOT {_joined('OR', others)})" if others else found


def any_expression(terms: Iterable[SearchTerm]) -> str:
    """The expression that finds the pages that say any of these."""
    return _joined("OR", map(match_expression, terms))


def text_expression(terms: Iterable[SearchTerm]) -> str:
    """The expression that finds the texts of links with any of these."""
    return _joined("OR", (_term(term, SearchField.ANCHOR) for term in terms))


def _term(term: SearchTerm, field: SearchField | None) -> str:
    words, is_beginning = phrase(term.words)
    star = " *" if term.is_prefix or is_beginning else ""
    quoted = words.replace("\0", " ").replace('"', " ")
    # Without a column, FTS5 need not look at the places of a word to find a page.
    column = "" if field is None else f"{field} : "
    return f'({column}"{quoted}"{star})'


def _joined(word: str, parts: Iterable[str]) -> str:
    return f"({f' {word} '.join(parts)})"
