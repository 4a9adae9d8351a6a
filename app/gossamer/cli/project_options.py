"""Declares the typer commands for project files, settings and profiles."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli.parsed_commands import (
    CopyCommand,
    DeleteCommand,
    ProfilesCommand,
    ProjectsCommand,
    RescueCommand,
    SettingsCommand,
)
from gossamer.cli.shared_options import ProjectFile
from gossamer.model.errors import UsageError

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


@commands.command()
def profiles(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A profile, or 'defaults'.")
    ] = None,
    *,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="Save it with the settings of a TOML file or a project."
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="SETTING=VALUE", help="Save it with this setting; may be repeated."
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Save it in place of an older one.")
    ] = False,
    rename: Annotated[
        str | None, typer.Option("--rename", metavar="NEW", help="Give it another name.")
    ] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete it.")] = False,
) -> ProfilesCommand:
    """List the profiles; show, save, rename or delete one.

    'gossamer crawl --profile' takes them.
    """
    saves = source is not None or bool(values)
    if name is None and (saves or rename is not None or delete):
        raise UsageError("Name the profile that this is about: gossamer profiles NAME ...")
    if saves + (rename is not None) + delete > 1:
        raise UsageError("Save a profile, rename it or delete it: one at a time.")
    return ProfilesCommand(name, source, tuple(values or ()), replace, rename, delete)
