"""Decides what a query of a user may do: read our tables and call harmless functions.

SQLite asks while it compiles a statement: https://www.sqlite.org/c3ref/set_authorizer.html. What is
not allowed here by name is denied, so that nothing that SQLite learns one day is allowed unseen.
"""

import sqlite3
from collections.abc import Collection
from typing import Final

from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.store.database import expected_schema

HIDDEN_COLUMNS: Final = frozenset(
    {
        ("project", "settings"),  # may name headers and proxies with what opens them
        ("visit", "header_values"),  # with the cookies that servers set
    }
)
"""Columns of the file that no query reads, for what secrets may be in them."""
TABLE_FUNCTIONS: Final = frozenset({"json_each", "json_tree"})
_BUILT_IN: Final = frozenset(
    {
        *("abs", "avg", "char", "coalesce", "concat", "concat_ws", "count", "cume_dist"),
        *("current_date", "current_time", "current_timestamp", "date", "datetime", "dense_rank"),
        *("first_value", "format", "glob", "group_concat", "hex", "ifnull", "iif", "instr", "json"),
        *("json_array", "json_array_length", "json_error_position", "json_extract"),
        *("json_group_array", "json_group_object", "json_insert", "json_object", "json_patch"),
        *("json_pretty", "json_quote", "json_remove", "json_replace", "json_set", "json_type"),
        *("json_valid", "julianday", "lag", "last_value", "lead", "length", "like", "likelihood"),
        *("likely", "lower", "ltrim", "max", "median", "min", "nth_value", "ntile", "nullif"),
        *("octet_length", "percent_rank", "percentile", "printf", "quote", "random", "rank"),
        *("replace", "round", "row_number", "rtrim", "sign", "soundex", "sqlite_version"),
        *("strftime", "string_agg", "substr", "substring", "sum", "time", "timediff", "total"),
        *("trim", "typeof", "unhex", "unicode", "unixepoch", "unlikely", "upper", "zeroblob"),
        *("acos", "asin", "atan", "atan2", "ceil", "ceiling", "cos", "degrees", "exp", "floor"),
        *("ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians", "sin", "sqrt"),
        *("tan", "trunc", "->", "->>", "randomblob", "if"),
    }
)
READ_ONLY: Final[Sentence] = (
    "The query would do more than read; use SELECT: the console never changes a project."
)


class QueryPermissions:
    """The authorizer of one connection. `denied` says what it last refused."""

    def __init__(self, functions: Collection[str], tables: Collection[str]) -> None:
        """Take the names of functions and temporary tables of ours."""
        ours = {name.lower() for name, sql in expected_schema().items() if "TABLE" in sql[:20]}
        self._functions = _BUILT_IN | {each.lower() for each in functions}
        self.tables = ours | TABLE_FUNCTIONS | {each.lower() for each in tables}
        self.denied: Translatable | None = None

    def allow_function(self, name: str) -> None:
        """Let queries call it."""
        self._functions |= {name.lower()}

    def decide(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        """SQLITE_OK or SQLITE_DENY, as SQLite wants to know it."""
        refusal = self._refusal(action, (first or "").lower(), (second or "").lower())
        if refusal is None:
            return sqlite3.SQLITE_OK
        self.denied = refusal
        return sqlite3.SQLITE_DENY

    def _refusal(self, action: int, first: str, second: str) -> Translatable | None:
        if action in {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE}:
            return None
        if action == sqlite3.SQLITE_READ:
            return self._refused_column(first, second)
        if action == sqlite3.SQLITE_FUNCTION:
            if second in self._functions:
                return None
            return said("The function {name} cannot be used in queries.", name=second)
        return Translatable(READ_ONLY)

    def _refused_column(self, table: str, column: str) -> Translatable | None:
        if not column:  # rows are counted, of a table or of what WITH names
            return None
        if table not in self.tables:
            return said(
                "The table {name} cannot be read: queries read views and tables of projects.",
                name=table,
            )
        if (table, column) in HIDDEN_COLUMNS:
            return said("The column {name} cannot be read: it may hold secrets.", name=column)
        return None
