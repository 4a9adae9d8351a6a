"""Declares `gossamer search` and its options for typer."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli.option_casting import comma_separated
from gossamer.cli.parsed_search_command import SearchCommand
from gossamer.cli.shared_options import TABLE_FILES, ProjectFile

commands = typer.Typer()
_Words: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="WORDS",
        help="Words that a page must have: 'red shoes', '\"red shoes\"' (next to each other), "
        "'shoe*', 'red OR blue', 'shoes -red', 'in:title shoes', 'shoes folder:/blog/'.",
    ),
]
_Without: TypeAlias = Annotated[
    bool, typer.Option("--without", help="Print the pages that do not have the words.")
]
_NotLinkingTo: TypeAlias = Annotated[
    str,
    typer.Option(
        "--not-linking-to",
        metavar="URL",
        help="Print only pages that do not link to this URL.",
    ),
]
_Where: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="FACET=VALUE",
        help="Print only pages with this value, such as status=200, language=en or segment=Blog; "
        "repeatable.",
    ),
]
_Limit: TypeAlias = Annotated[
    int, typer.Option("--limit", metavar="N", min=1, help="Print so many pages at most.")
]
_Output: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help=f"Write all pages with their columns to {TABLE_FILES}.",
    ),
]
_Columns: TypeAlias = Annotated[
    str | None,
    typer.Option("--columns", metavar="A,B,...", help="Write only these columns, in this order."),
]


@commands.command()
def search(
    project: ProjectFile,
    words: _Words,
    *,
    without: _Without = False,
    not_linking_to: _NotLinkingTo = "",
    where: _Where = None,
    limit: _Limit = 20,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
    output: _Output = None,
    columns: _Columns = None,
) -> SearchCommand:
    """Search the texts of the pages of a project.

    The project must have been crawled with --full-text-search.
    """
    from gossamer.model.search_query import Search  # noqa: PLC0415 - help needs none of it

    return SearchCommand(
        project,
        Search(words, is_absent=without),
        not_linking_to=not_linking_to,
        where=tuple(where or ()),
        limit=limit,
        json=json,
        output=output,
        columns=comma_separated(columns or ""),
    )
