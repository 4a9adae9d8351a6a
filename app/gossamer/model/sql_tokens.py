"""Splits SQL into tokens as SQLite does, to examine a query before SQLite reads it.

See https://www.sqlite.org/lang_keywords.html and https://www.sqlite.org/lang_expr.html.
"""

import re
from enum import Enum, auto
from typing import Final, NamedTuple


class TokenKind(Enum):
    """What a token is."""

    SPACE = auto()
    COMMENT = auto()
    TEXT = auto()
    NUMBER = auto()
    QUOTED = auto()
    """A quoted name."""
    NAME = auto()
    """A name or a keyword."""
    PARAMETER = auto()
    END = auto()
    """A semicolon."""
    SIGN = auto()
    UNFINISHED = auto()
    """A text, name or comment that does not end."""


class Token(NamedTuple):
    """A token: what it is, where it begins, and its text."""

    kind: TokenKind
    start: int
    text: str


_PATTERNS: Final = (
    (TokenKind.SPACE, r"[ \t\n\f\r]+"),
    (TokenKind.COMMENT, r"--[^\n]*|/\*(?:[^*]|\*(?!/)|)*+\*/"),
    (TokenKind.TEXT, r"[xX]?'(?:[^']|''|)*+'"),
    (TokenKind.QUOTED, r'"(?:[^"]|""|)*+"|`(?:[^`]|``|)*+`|\[[^\]]*\]'),
    (TokenKind.UNFINISHED, r"""/\*[\s\S]*|[xX]?'[\s\S]*|["`\[][\s\S]*"""),
    (TokenKind.NUMBER, r"0[xX][0-9A-Fa-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?"),
    (TokenKind.PARAMETER, r"\?\d*|[:@$#][A-Za-z0-9_\x80-\U0010ffff]+"),
    (TokenKind.NAME, r"[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_$\x80-\U0010ffff]*"),
    (TokenKind.END, r";"),
    (TokenKind.SIGN, r"[\s\S]"),
)
_TOKEN: Final = re.compile("|".join(f"(?P<{kind.name}>{pattern})" for kind, pattern in _PATTERNS))
_KINDS: Final = {kind.name: kind for kind, _ in _PATTERNS}
_LEFT_OUT: Final = frozenset({TokenKind.SPACE, TokenKind.COMMENT})


def tokens(sql: str) -> list[Token]:
    """All tokens of `sql`, which they add up to."""
    return [
        Token(_KINDS[found.lastgroup or ""], found.start(), found.group())
        for found in _TOKEN.finditer(sql)
    ]


def words(sql: str) -> list[Token]:
    """The meaningful tokens: without spaces and comments."""
    return [token for token in tokens(sql) if token.kind not in _LEFT_OUT]


def unquoted(text: str) -> str:
    """The name within a quoted name."""
    inside, quote = text[1:-1], text[0]
    return inside if quote == "[" else inside.replace(quote * 2, quote)


def name_in(token: Token) -> str:
    """The name that a token stands for, in lower case."""
    name = unquoted(token.text) if token.kind is TokenKind.QUOTED else token.text
    return name.lower()


def quoted(name: str) -> str:
    """A name as it can stand in any query.

    In backticks: SQLite would take an unknown name in double quotes for a text.
    """
    return "`" + name.replace("`", "``") + "`"
