"""Declares `gossamer recrawl` and its options for typer."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli import shared_options
from gossamer.cli.given_options import with_setting_options
from gossamer.cli.offered_options import GivenOptions
from gossamer.cli.parsed_commands import RecrawlCommand
from gossamer.model.errors import UsageError

commands = typer.Typer()


@commands.command()
@with_setting_options("settings_file", resume=False, are_defaults_shown=False)
def recrawl(
    project: shared_options.ProjectFile,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="NEW",
            help="Project file to create. Default: a new file in the data folder.",
        ),
    ] = None,
    update: Annotated[
        bool,
        typer.Option(
            "--update", help="Replace FILE by the new project when the crawl is finished."
        ),
    ] = False,
    settings_file: shared_options.Settings = None,
    given: GivenOptions,
) -> RecrawlCommand:
    """Crawl a project again, into a new project.

    Uses the project's settings; command-line options override them. Pages that have not changed
    are not transferred again, if the server can tell.
    """
    if update and output is not None:
        raise UsageError("Choose --output or --update: an update has no other name.")
    changes, run = given
    return RecrawlCommand(
        project, output, update, changes=tuple(changes.items()), settings_file=settings_file, **run
    )
