"""Declares `gossamer sql` and its options for typer."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from gossamer.cli import shared_options
from gossamer.cli.parsed_table_commands import SqlCommand
from gossamer.model.query_limits import QueryLimits

commands = typer.Typer()

_DEFAULT: Final = QueryLimits()
_MEGABYTE: Final = 1024 * 1024


def _list_templates(wanted: bool) -> None:
    if not wanted:
        return
    from gossamer.sql_console.query_templates import TEMPLATES  # noqa: PLC0415 - help needs none

    for each in TEMPLATES.values():
        typer.echo(f"{each.name}: {each.question}\n\n{each.sql}\n")
    raise typer.Exit


_Query: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="QUERY",
        help="The query, such as \"SELECT address FROM internal WHERE status_code = 404\"; '-' is "
        "standard input.",
    ),
]
_QueryFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--query-file", metavar="FILE", help="Read the query from a file.", readable=False
    ),
]
_Template: TypeAlias = Annotated[
    str | None,
    typer.Option("--template", metavar="NAME", help="Ask the query of a template."),
]
_Templates: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--templates", callback=_list_templates, is_eager=True, help="List the templates, and exit."
    ),
]
_Tables: TypeAlias = Annotated[
    bool, typer.Option("--tables", help="List the views and their columns.")
]
_Output: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Output file; its suffix sets the format.",
        show_default="standard output",
    ),
]
_Format: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"Format for standard output: {shared_options.TABLE_FORMATS}.",
        show_default="csv",
    ),
]
_TimeLimit: TypeAlias = Annotated[
    float,
    typer.Option(
        "--time-limit", metavar="S", min=0.1, max=86_400, help="Seconds until the last row."
    ),
]
_MemoryLimit: TypeAlias = Annotated[
    int,
    typer.Option(
        "--memory-limit", metavar="MB", min=16, max=65_536, help="Memory that SQLite may take."
    ),
]
_Explain: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--explain",
        help="Do not run the query, but show how SQLite would run it, and what takes long.",
    ),
]
_Delimiter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--delimiter", help="CSV delimiter: comma, semicolon, tab or pipe.", show_default="comma"
    ),
]
_Mark: TypeAlias = Annotated[
    bool, typer.Option("--bom", help="Write a byte order mark, for Excel.")
]


@commands.command()
def sql(  # noqa: PLR0917 - typer calls it with names
    project: shared_options.ProjectFile,
    query: _Query = None,
    query_file: _QueryFile = None,
    template: _Template = None,
    output: _Output = None,
    format_: _Format = None,
    delimiter: _Delimiter = None,
    bom: _Mark = False,
    time_limit: _TimeLimit = _DEFAULT.time_s,
    memory_limit: _MemoryLimit = _DEFAULT.memory_bytes // _MEGABYTE,
    explain: _Explain = False,
    tables: _Tables = False,
    templates: _Templates = False,
) -> SqlCommand:
    """Ask a project an SQL query; it is only read."""
    del templates
    return SqlCommand(
        project,
        query,
        query_file,
        template,
        output,
        format_,
        delimiter,
        bom,
        QueryLimits(time_limit, memory_limit * _MEGABYTE),
        explain,
        tables,
    )
