"""Finds which views the text of a query reads, and their aliases."""

from collections.abc import Iterator, Sequence
from typing import Final

from gossamer.model.sql_tokens import Token, TokenKind, name_in, words

_KEYWORDS: Final = """
ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS CURRENT DESC DISTINCT ELSE END ESCAPE
EXCEPT EXISTS FILTER FIRST FOLLOWING FROM FULL GLOB GROUP GROUPS HAVING IN INNER INTERSECT
IS ISNULL JOIN LAST LEFT LIKE LIMIT MATERIALIZED NATURAL NOT NOTNULL NULL NULLS OFFSET ON
OR ORDER OUTER OVER PARTITION PRECEDING RANGE RECURSIVE REGEXP RIGHT ROWS SELECT THEN
UNBOUNDED UNION USING VALUES WHEN WHERE WINDOW WITH
"""
KEYWORDS: Final = frozenset(_KEYWORDS.split())
"""Keywords of queries that only read: https://www.sqlite.org/lang_keywords.html."""
_NAMES: Final = (TokenKind.NAME, TokenKind.QUOTED)


def keyword_of(token: Token) -> str:
    """The keyword that a token is, in capitals; "" for another token."""
    text = token.text.upper()
    return text if token.kind is TokenKind.NAME and text in KEYWORDS else ""


def is_name(token: Token) -> bool:
    """Whether a token is a name rather than a keyword."""
    return token.kind in _NAMES and not keyword_of(token)


def named_views(sql: str) -> list[tuple[str, str]]:
    """The aliases of each table or view that a query reads, and its name; in lower case.

    Views are found after FROM and JOIN, and after the commas there, also in unfinished queries.
    Parentheses are searched like the rest.
    """
    return list(_named(words(sql)))


def _named(found: Sequence[Token]) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(found):
        if keyword_of(found[place]) in {"FROM", "JOIN"}:
            place += 1
            while place < len(found) and is_name(found[place]):
                name = name_in(found[place])
                place += 1
                if place < len(found) and keyword_of(found[place]) == "AS":
                    place += 1
                alias = name
                if place < len(found) and is_name(found[place]):
                    alias = name_in(found[place])
                    place += 1
                yield alias, name
                if place == len(found) or found[place].text != ",":
                    break
                place += 1
        else:
            place += 1
