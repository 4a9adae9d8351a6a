"""Has SQLite find a row by its address at once, if a query asks for one.

The file has no index on addresses, which would be as large as they are, but one on the hashes of
addresses, which SQLite cannot choose by itself. So `address = '…'` becomes `(url_id = 7 AND address
= '…')`: the same rows, found by the number of the address.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gossamer.model.sql_tokens import Token, TokenKind, name_in, words
from gossamer.sql_console.named_views import is_name, keyword_of, named_views

_IDS: Final = {"address": "url_id", "source": "source_id", "destination": "destination_id"}
"""Columns with addresses, and those with the numbers of these."""
_BEFORE: Final = frozenset({"WHERE", "AND", "OR", "ON", "NOT", "HAVING", "WHEN"})
_AFTER: Final = frozenset(
    {
        *("AND", "OR", "THEN", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT"),
        *("UNION", "INTERSECT", "EXCEPT"),
        *("JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL"),
    }
)
_NOBODY: Final = -1
"""A number that no URL has."""


class _Comparison(NamedTuple):
    """A comparison with an address: its position in the query, and its column."""

    start: int
    end: int
    qualifier: str
    column: str
    address: str


class FasterQuery(NamedTuple):
    """A query with the numbers of addresses, and its `comparisons`: as changed, and as asked."""

    sql: str
    comparisons: Mapping[str, str]

    def as_asked(self, heading: str) -> str:
        """The heading of a column, which may be an expression, in the words of the user."""
        for changed, asked in self.comparisons.items():
            heading = heading.replace(changed, asked)
        return heading


def with_ids(
    sql: str,
    columns_of: Callable[[str], Sequence[str]],
    find: Callable[[str], int | None],
) -> FasterQuery:
    """The query, changed to find the addresses in it by their numbers.

    `columns_of` returns those of a view, none unless it is a view of URLs or links; `find` the
    number of an address. A query that may use a column of this name for something else is left as
    it is.
    """
    found = words(sql)
    if not _is_plain(found):
        return FasterQuery(sql, {})
    views = [(alias, set(columns_of(name))) for alias, name in named_views(sql)]
    parts: list[str] = []
    comparisons: dict[str, str] = {}
    after = 0
    for each in _comparisons(found):
        if not _is_of_view(each, views):
            continue
        number = find(each.address)
        asked = sql[each.start : each.end]
        column = f"{each.qualifier}{_IDS[each.column]}"
        changed = f"({column} = {_NOBODY if number is None else number} AND {asked})"
        parts += [sql[after : each.start], changed]
        comparisons[changed] = asked
        after = each.end
    return FasterQuery("".join([*parts, sql[after:]]), comparisons)


def _is_plain(found: Sequence[Token]) -> bool:
    """Whether columns can only be those of views.

    No query is used as a table, and no column of a result is named like one of ours.
    """
    nothing = Token(TokenKind.SPACE, 0, "")
    befores = [nothing, nothing, *found]
    return not any(
        keyword_of(token) in {"WITH", "BETWEEN"}
        or _is_table(token, before, earlier)
        or _is_named_here(token, before)
        for earlier, before, token in zip(befores, befores[1:], found, strict=False)
    )


def _is_table(token: Token, before: Token, earlier: Token) -> bool:
    """Whether a query that may be used as a table begins here."""
    if keyword_of(token) != "SELECT" or before.text != "(":
        return False
    return earlier.text in {",", "("} or keyword_of(earlier) in {"FROM", "JOIN"}


def _is_named_here(token: Token, before: Token) -> bool:
    """Whether a column of the result gets this name."""
    is_ours = is_name(token) and name_in(token) in {*_IDS, *_IDS.values()}
    is_value = is_name(before) or before.text == ")"
    is_value = is_value or before.kind in {TokenKind.TEXT, TokenKind.NUMBER}
    return is_ours and (is_value or keyword_of(before) in {"AS", "END"})


def _comparisons(found: Sequence[Token]) -> Iterator[_Comparison]:
    for place in range(1, len(found) - 2):
        column, sign, text = found[place : place + 3]
        if sign.text != "=" or text.kind is not TokenKind.TEXT or text.text[0] != "'":
            continue
        if not is_name(column) or name_in(column) not in _IDS:
            continue
        first = place - 2 if found[place - 1].text == "." else place
        if first > 0 and _is_whole(found[first - 1], found[place + 3 : place + 4]):
            qualifier = f"{found[first].text}." if first < place else ""
            address = text.text[1:-1].replace("''", "'")
            end = text.start + len(text.text)
            yield _Comparison(found[first].start, end, qualifier, name_in(column), address)


def _is_whole(before: Token, follows: Sequence[Token]) -> bool:
    """Whether no operator next to a comparison binds tighter."""
    begins = before.text == "(" or keyword_of(before) in _BEFORE
    ends = not follows or follows[0].text in {")", ";"} or keyword_of(follows[0]) in _AFTER
    return begins and ends


def _is_of_view(asked: _Comparison, views: Sequence[tuple[str, set[str]]]) -> bool:
    """Whether the column belongs to a view that also has the numbers."""
    wanted = {asked.column, _IDS[asked.column]}
    if asked.qualifier:
        alias = asked.qualifier[:-1].strip('`"[]').lower()
        named = [columns for each, columns in views if each == alias]
        return bool(named) and all(wanted <= columns for columns in named)
    # A view in a subquery may have only one of them: then they are of two views.
    has = [wanted & columns for _, columns in views]
    return (
        all(columns for _, columns in views)
        and wanted in has
        and all(each in (wanted, set()) for each in has)
    )
