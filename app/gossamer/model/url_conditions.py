"""Parses conditions on the columns of URLs: `address contains /blog/ and words < 300`.

A test names a column by its heading in exports or tables, then a comparison, then a value; `and`
binds tighter than `or`, `not` tighter still; parentheses group. Values with spaces are quoted.
"""

import re
from enum import Enum, IntEnum, StrEnum
from functools import cache
from math import isfinite, nan
from typing import Final, TypeAlias

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.fields.field_declaration import DeclaredField, FieldKind
from gossamer.model.fields.url_record import URL_COLUMNS
from gossamer.model.lazy_pattern import lazy_pattern

_TOKEN: Final = lazy_pattern(
    r"""\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(<=|>=|!=|<>|=|<|>|\(|\))|([^\s()<>=!"']+))"""
)
_WORDS: Final = frozenset({"and", "or", "not"})
_DEEPEST: Final = 50
_MOST_TESTS: Final = 200


class Comparison(StrEnum):
    """How values are compared; each value of the enum is its notation."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    CONTAINS = "contains"
    STARTS = "starts with"
    ENDS = "ends with"
    EMPTY = "is empty"
    FILLED = "is not empty"


class ColumnTest(Struct, frozen=True):
    """One test of a column. Texts are compared without regard to case."""

    field: str
    comparison: Comparison
    value: str | float = ""


class AllOf(Struct, frozen=True):
    """Holds if all parts do."""

    parts: "tuple[UrlCondition, ...]"


class AnyOf(Struct, frozen=True):
    """Holds if one part does."""

    parts: "tuple[UrlCondition, ...]"


class Not(Struct, frozen=True):
    """Holds if the part does not."""

    part: "UrlCondition"


UrlCondition: TypeAlias = ColumnTest | AllOf | AnyOf | Not


class _Token(Struct, frozen=True):
    text: str
    is_quoted: bool = False

    @property
    def word(self) -> str:
        return "" if self.is_quoted else self.text.casefold()


def parse_condition(text: str) -> UrlCondition:
    """The condition that a text expresses; UsageError with a sentence about what is wrong."""
    return _Parser(text).parse()


@cache
def _columns() -> dict[tuple[str, ...], DeclaredField]:
    """Columns by their names, word by word."""
    found: dict[tuple[str, ...], DeclaredField] = {}
    for each in URL_COLUMNS:
        for name in (each.column, each.name, each.field.label, each.field.export):
            if name:
                found.setdefault(tuple(name.casefold().replace("_", " ").split()), each)
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text.strip()
        self._tokens = self._read(self._text)
        self._at = 0
        self._depth = self._tests = 0

    def parse(self) -> UrlCondition:
        if not self._tokens:
            raise UsageError("A condition is empty; write one such as: address contains /blog/")
        found = self._any_of()
        if self._at < len(self._tokens):
            raise self._wrong(self._tokens[self._at].text)
        return found

    def _read(self, text: str) -> list[_Token]:
        tokens, at = [], 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                if text[at:].isspace():
                    break
                raise self._wrong(text[at:])
            double, single, sign, word = match.groups()
            quoted = double if double is not None else single
            if quoted is not None:
                tokens.append(_Token(re.sub(r"\\(.)", r"\1", quoted), is_quoted=True))
            else:
                tokens.append(_Token(sign or word))
            at = match.end()
        return tokens

    def _any_of(self) -> UrlCondition:
        parts = [self._all_of()]
        while self._takes("or"):
            parts.append(self._all_of())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _all_of(self) -> UrlCondition:
        parts = [self._single()]
        while self._takes("and"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _single(self) -> UrlCondition:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UsageError("A condition has too many parentheses in each other.")
        try:
            if self._takes("not"):
                return Not(self._single())
            if self._takes("("):
                found = self._any_of()
                if not self._takes(")"):
                    raise self._wrong("(")
                return found
            return self._test()
        finally:
            self._depth -= 1

    def _test(self) -> ColumnTest:
        self._tests += 1
        if self._tests > _MOST_TESTS:
            raise UsageError("A condition has at most {most} tests.", most=_MOST_TESTS)
        each = self._column()
        comparison = self._comparison()
        if comparison in {Comparison.EMPTY, Comparison.FILLED}:
            return ColumnTest(each.name, comparison)
        value = self._value()
        return ColumnTest(each.name, comparison, _as_value(each, comparison, value))

    def _column(self) -> DeclaredField:
        """The longest column name at this position."""
        words: list[str] = []
        found, end = None, self._at
        known = _columns()
        longest = max(map(len, known))
        for place in range(self._at, min(self._at + longest, len(self._tokens))):
            words += self._tokens[place].text.casefold().replace("_", " ").split()
            if (each := known.get(tuple(words))) is not None:
                found, end = each, place + 1
        if found is None:
            raise UsageError(
                "{name!r} is not a column; use one such as address, status, title, words or depth.",
                name=self._tokens[self._at].text if self._at < len(self._tokens) else "",
            )
        self._at = end
        return found

    def _comparison(self) -> Comparison:
        if self._takes("<>"):
            return Comparison.UNEQUAL
        start = self._at
        for comparison in sorted(Comparison, key=len, reverse=True):
            if all(self._takes(word) for word in comparison.value.split()):
                return comparison
            self._at = start
        at = self._tokens[self._at].text if self._at < len(self._tokens) else ""
        raise UsageError(
            "{what!r} is not a comparison; use one of {known}.",
            what=at,
            known=", ".join(each.value for each in Comparison),
        )

    def _value(self) -> str:
        if self._at >= len(self._tokens) or self._tokens[self._at].word in _WORDS | {"(", ")"}:
            raise self._wrong(self._text)
        token = self._tokens[self._at]
        self._at += 1
        return token.text

    def _takes(self, word: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at].word == word:
            self._at += 1
            return True
        return False

    def _wrong(self, at: str) -> UsageError:
        return UsageError(
            'The condition "{condition}" cannot be read at "{at}"; write it like: address contains '
            "/blog/ and words < 300",
            condition=self._text[:200],
            at=at[:80],
        )


_OF_TEXTS: Final = frozenset({Comparison.CONTAINS, Comparison.STARTS, Comparison.ENDS})
_NUMBERS: Final = frozenset(
    {
        *(FieldKind.NUMBER, FieldKind.DECIMAL, FieldKind.PERCENT, FieldKind.PIXELS),
        *(FieldKind.POSITION, FieldKind.SIZE),
        *(FieldKind.DURATION, FieldKind.MOMENT, FieldKind.STATUS, FieldKind.CODE),
    }
)


def _as_value(each: DeclaredField, comparison: Comparison, text: str) -> str | float:
    """A value as the column has it; UsageError for a word if it has numbers."""
    of_type = each.type
    if comparison in _OF_TEXTS:
        return text
    if isinstance(of_type, type) and issubclass(of_type, IntEnum):
        name = text.upper().replace("-", "_").replace(" ", "_")
        if name not in of_type.__members__:
            known = ", ".join(member.lower() for member in of_type.__members__)
            raise UsageError(
                "{column} cannot be {value!r}; it is one of {known}.",
                column=each.column,
                value=text,
                known=known,
            )
        return float(int(of_type[name]))
    if isinstance(of_type, type) and issubclass(of_type, Enum):
        return text
    if each.kind in _NUMBERS:
        return _as_number(each, text)
    return text


def _as_number(each: DeclaredField, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise UsageError("{column} is a number, not {value!r}.", column=each.column, value=text)
    return number


class ConditionRow(Struct, frozen=True):
    """One test of a condition that is a list of tests; `negated` if it must not hold."""

    test: ColumnTest
    negated: bool = False

    @property
    def value_text(self) -> str:
        """The value as it is written, without quotes."""
        value = self.test.value
        return value if isinstance(value, str) else _number_text(_BY_NAME[self.test.field], value)

    def __str__(self) -> str:
        """The row as it is written in a condition."""
        return f"not {_written(self.test)}" if self.negated else _written(self.test)


class ConditionRows(Struct, frozen=True):
    """A condition that is a list of tests, all of which have to hold, or any."""

    rows: tuple[ConditionRow, ...]
    any_of: bool = False

    def __str__(self) -> str:
        """The condition as it is written."""
        return (" or " if self.any_of else " and ").join(map(str, self.rows))


def condition_rows(condition: UrlCondition) -> ConditionRows | None:
    """A condition as a list of tests; None if it is nested."""
    is_list = isinstance(condition, AllOf | AnyOf)
    parts = condition.parts if isinstance(condition, AllOf | AnyOf) else (condition,)
    rows = tuple(row for row in map(_row, parts) if row is not None)
    if len(rows) < len(parts):
        return None
    return ConditionRows(rows, any_of=is_list and isinstance(condition, AnyOf))


def words_of(each: DeclaredField) -> tuple[str, ...]:
    """The words that a column can be compared with in conditions; () for any text."""
    of_type = each.type
    if isinstance(of_type, type) and issubclass(of_type, Enum):
        members = list(of_type)
        if issubclass(of_type, IntEnum):
            return tuple(member.name.lower().replace("_", "-") for member in members)
        return tuple(str(member.value) for member in members)
    return ()


def is_number(each: DeclaredField) -> bool:
    """Whether a column is compared by size."""
    return each.kind in _NUMBERS


def _row(condition: UrlCondition) -> ConditionRow | None:
    if isinstance(condition, ColumnTest):
        return ConditionRow(condition)
    if isinstance(condition, Not) and isinstance(condition.part, ColumnTest):
        return ConditionRow(condition.part, negated=True)
    return None


_BARE: Final = lazy_pattern(r"""[^\s()<>=!"'\\]+""")


def _written(test: ColumnTest) -> str:
    each = _BY_NAME[test.field]
    start = f"{each.column} {test.comparison}"
    if test.comparison in {Comparison.EMPTY, Comparison.FILLED}:
        return start
    value = ConditionRow(test).value_text
    if not _BARE.fullmatch(value) or value.casefold() in _WORDS:
        escaped = value.replace("\\", r"\\").replace('"', r"\"")
        value = f'"{escaped}"'
    return f"{start} {value}"


def _number_text(each: DeclaredField, value: float) -> str:
    """A number as written; for an enum, its word."""
    of_type = each.type
    if isinstance(of_type, type) and issubclass(of_type, IntEnum):
        return of_type(int(value)).name.lower().replace("_", "-")
    return str(int(value)) if value.is_integer() else repr(value)


_BY_NAME: Final = {each.name: each for each in URL_COLUMNS}
