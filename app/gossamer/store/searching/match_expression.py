"""Writes a query as an expression for SQLite's FTS5; no text of a query is taken as one."""

from collections.abc import Collection, Iterable
from typing import Final

from gossamer.model.search_query import (
    PAGE_FIELDS,
    Query,
    SearchAll,
    SearchAny,
    SearchField,
    SearchNot,
    SearchTerm,
)
from gossamer.model.search_words import phrase

EVERY: Final = "every"
"""A column in which each page has its own name as the only word."""


def match_expression(query: Query, fields: Collection[SearchField] = PAGE_FIELDS) -> str:
    """The expression; words without a field of their own are looked for in `fields`."""
    if isinstance(query, SearchTerm):
        return _term(query, fields)
    if isinstance(query, SearchAny):
        return _joined("OR", (match_expression(part, fields) for part in query.parts))
    parts = query.parts if isinstance(query, SearchAll) else (query,)
    wanted = [match_expression(part, fields) for part in parts if not isinstance(part, SearchNot)]
    others = [match_expression(part.part) for part in parts if isinstance(part, SearchNot)]
    found = _joined("AND", wanted) if wanted else f"{{{EVERY}}} : {EVERY}"
    return f"({found} NOT {_joined('OR', others)})" if others else found


def anchor_expression(term: SearchTerm) -> str:
    """The expression that finds the texts of links with a term."""
    return _term(term, (SearchField.ANCHOR,), field=SearchField.ANCHOR)


def _term(
    term: SearchTerm, fields: Collection[SearchField], field: SearchField | None = None
) -> str:
    words, is_beginning = phrase(term.words)
    star = " *" if term.is_prefix or is_beginning else ""
    field = field or term.field
    columns = " ".join([field] if field is not None else sorted(fields))
    quoted = words.replace("\0", " ").replace('"', " ")
    return f'({{{columns}}} : "{quoted}"{star})'


def _joined(word: str, parts: Iterable[str]) -> str:
    return f"({f' {word} '.join(parts)})"
