"""The commands that handle project files as things, as typer shows them."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli.invocation import (
    CopyCommand,
    DeleteCommand,
    ProjectsCommand,
    RescueCommand,
    SettingsCommand,
)
from gossamer.cli.run_options import ProjectFile

commands = typer.Typer()
_New: TypeAlias = Annotated[
    Path, typer.Option("--output", "-o", metavar="NEW", help="The new project file.")
]


@commands.command()
def projects(
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> ProjectsCommand:
    """List the projects in the data folder, the latest first."""
    return ProjectsCommand(json)


@commands.command()
def copy(project: ProjectFile, output: _New) -> CopyCommand:
    """Save a copy of a project, also while it is crawled."""
    return CopyCommand(project, output)


@commands.command()
def rescue(project: ProjectFile, output: _New) -> RescueCommand:
    """Save what can be read of a damaged project into a new one."""
    return RescueCommand(project, output)


@commands.command()
def delete(
    project: ProjectFile,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> DeleteCommand:
    """Delete a project, with its log."""
    return DeleteCommand(project, yes)


@commands.command()
def settings(
    project: ProjectFile,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="A TOML file. Without it, print them."),
    ] = None,
    all_roots: Annotated[
        bool, typer.Option("--all-roots", help="Write all addresses of a long list, too.")
    ] = False,
) -> SettingsCommand:
    """Write the settings of a project as TOML.

    'gossamer crawl --settings' takes the file.
    """
    return SettingsCommand(project, output, all_roots)
