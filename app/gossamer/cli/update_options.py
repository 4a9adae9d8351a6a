"""Declares `gossamer updates` for typer."""

from typing import Annotated

import typer

from gossamer.cli.parsed_commands import UpdatesCommand

commands = typer.Typer()


@commands.command()
def updates(
    *,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> UpdatesCommand:
    """Ask whether there is a newer version. Sends this version's number, nothing else."""
    return UpdatesCommand(json)
