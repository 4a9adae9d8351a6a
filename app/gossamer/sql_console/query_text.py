"""Checks the text of a query before SQLite: that it is one, and which names it quotes."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.sql_tokens import (
    Token,
    TokenKind,
    name_in,
    quoted,
    tokens,
    unquoted,
    words,
)
from gossamer.store.sql_console.query_permissions import HIDDEN_COLUMNS

MOST_BYTES: Final = 100_000
_HIDDEN: Final = frozenset(column for _, column in HIDDEN_COLUMNS)
_BEGINNINGS: Final = frozenset({"SELECT", "WITH", "VALUES"})


def check_query(sql: str) -> None:
    """Raise UsageError, in one sentence, unless `sql` is a single query."""
    if len(sql.encode("utf-8", "replace")) > MOST_BYTES:
        raise UsageError(
            "The query is longer than {most} bytes; shorten it.", most=f"{MOST_BYTES:,}"
        )
    if "\0" in sql:
        raise UsageError("The query has a NUL character; remove it.")
    found = words(sql)
    while found and found[-1].kind is TokenKind.END:
        found.pop()
    if not found:
        raise UsageError("There is no query; write one such as SELECT * FROM internal LIMIT 10.")
    _check_words(found)


def _check_words(found: Sequence[Token]) -> None:
    kinds = {each.kind for each in found}
    if TokenKind.END in kinds:
        raise UsageError("These are several statements; run one at a time.")
    if TokenKind.UNFINISHED in kinds:
        raise UsageError(
            "A text, name or comment that begins with {start} does not end; close it.",
            start=found[-1].text[:20].split("\n", 1)[0],
        )
    if TokenKind.PARAMETER in kinds:
        raise UsageError("The query has a parameter such as ? or :name; write the value itself.")
    # For a NATURAL JOIN, SQLite does not ask which columns it compares.
    for hidden in _HIDDEN.intersection(map(name_in, found)):
        raise UsageError("The column {name} cannot be read: it may hold secrets.", name=hidden)
    first = found[0].text
    if first.upper() not in _BEGINNINGS:
        raise UsageError(
            "A query begins with SELECT, WITH or VALUES, not with {first}: the console only reads.",
            first=first[:40],
        )


def with_own_quotes(sql: str, headings: Mapping[str, str]) -> str:
    """The same query with backticks around names that are in double quotes.

    SQLite takes an unknown name in double quotes for a text, and the query finds nothing:
    https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted. Those in
    `headings`, in lower case, are the names of exported columns, and become those of ours; after AS
    are people's own.
    """
    found = tokens(sql.rstrip().rstrip(";"))
    own = _named_by_person(sql)
    return "".join(
        quoted(headings.get(_key(each.text, own), unquoted(each.text)))
        if each.kind is TokenKind.QUOTED and each.text[0] == '"'
        else each.text
        for each in found
    )


def _key(text: str, own: frozenset[str]) -> str:
    name = unquoted(text).lower()
    return "" if name in own else name


def _named_by_person(sql: str) -> frozenset[str]:
    found = words(sql)
    return frozenset(
        unquoted(name.text).lower()
        for before, name in pairwise(found)
        if name.kind is TokenKind.QUOTED and before.text.upper() == "AS"
    )
