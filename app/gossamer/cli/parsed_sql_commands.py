"""The parsed command that asks a project an SQL query."""

from pathlib import Path

from msgspec import Struct

from gossamer.model.messages.query_messages import QueryLimits


class SqlCommand(Struct, frozen=True):
    """Ask a project: `query` as typed, "-" for standard input, or the text of `query_file`.

    Or the template with that name. Without `output`, the rows go to standard output. `explain`
    wants to know instead how the answer is found; `tables`, what can be asked.
    """

    project: Path
    query: str | None = None
    query_file: Path | None = None
    template: str | None = None
    output: Path | None = None
    format: str | None = None
    delimiter: str | None = None
    byte_order_mark: bool = False
    limits: QueryLimits = QueryLimits()
    explain: bool = False
    tables: bool = False
