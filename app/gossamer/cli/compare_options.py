"""Declares `gossamer compare` and its options for typer."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli import shared_options
from gossamer.cli.parsed_commands import CompareCommand

commands = typer.Typer()
_Before: TypeAlias = Annotated[
    Path, typer.Argument(metavar="BEFORE", help="The earlier project.", readable=False)
]
_After: TypeAlias = Annotated[
    Path, typer.Argument(metavar="AFTER", help="The later project.", readable=False)
]
_Output: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write all of it to .xlsx or .html, the changes alone to any other of "
        f"{shared_options.TABLE_FILES}; repeatable.",
    ),
]
_Tables: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--export",
        metavar="TABLE=FILE",
        help="Write one table (summary, issues, changes, redirects, broken-links, moved, "
        f"site-files, structure) to {shared_options.TABLE_FILES}; repeatable.",
    ),
]
_Where: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="FACET=VALUE",
        help="Compare only URLs with this value in the later project, and missing ones with it in"
        " the earlier one; repeatable.",
    ),
]
_Fields: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--fields",
        metavar="FIELD,...",
        help="Fields to compare, as the columns of exports are called, or all; repeatable.",
    ),
]
_Map: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="URL=URL",
        help="Take addresses that begin with one URL for those that begin with the other, such "
        "as https://staging.example.com/=https://www.example.com/; repeatable.",
    ),
]
_FailOn: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on",
        metavar="NAME[:N]",
        help="Exit with code 5 if there are more than N (default 0) URLs that have got an issue "
        "of priority high, medium or low and above, new-issues of any priority, an "
        "issue such as 'H1: Missing', errors or broken-links that are new, URLs that are new, "
        "missing or changed, any of these, or URLs with a changed field such as status-code; "
        "repeatable.",
    ),
]
_NoAudit: TypeAlias = Annotated[
    bool,
    typer.Option("--no-audit", help="Compare the issues as they are, however old they are."),
]


@commands.command()
def compare(
    before: _Before,
    after: _After,
    *,
    output: _Output = None,
    export: _Tables = None,
    where: _Where = None,
    fields: _Fields = None,
    map_: _Map = None,
    fail_on: _FailOn = None,
    no_audit: _NoAudit = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
    quiet: shared_options.Quiet = False,
) -> CompareCommand:
    """Compare two projects: pages, issues, redirects, structure.

    Prints what got worse, what got better, and what changed.
    """
    return CompareCommand(
        before,
        after,
        outputs=tuple(output or ()),
        tables=tuple(export or ()),
        where=tuple(where or ()),
        fields=tuple(fields or ()),
        mapping=tuple(map_ or ()),
        fail_on=tuple(fail_on or ()),
        audits=not no_audit,
        json=json,
        quiet=quiet,
    )
