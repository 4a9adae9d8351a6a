"""The commands that handle project files as things, as typer shows them."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli.invocation import Copy, Delete, Projects, Rescue, Settings
from gossamer.cli.run_options import ProjectFile

commands = typer.Typer()
_New: TypeAlias = Annotated[
    Path, typer.Option("--output", "-o", metavar="NEW", help="The new project file.")
]


@commands.command()
def projects(
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> Projects:
    """List the projects in the data folder, the latest first."""
    return Projects(json)


@commands.command()
def copy(project: ProjectFile, output: _New) -> Copy:
    """Save a copy of a project, also while it is crawled."""
    return Copy(project, output)


@commands.command()
def rescue(project: ProjectFile, output: _New) -> Rescue:
    """Save what can be read of a damaged project into a new one."""
    return Rescue(project, output)


@commands.command()
def delete(
    project: ProjectFile,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> Delete:
    """Delete a project, with its log."""
    return Delete(project, yes)


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
) -> Settings:
    """Write the settings of a project as TOML.

    'gossamer crawl --settings' takes the file.
    """
    return Settings(project, output, all_roots)
