"""Declares the typer commands for project files, settings and profiles."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli.parsed_project_commands import (
    CopyCommand,
    DeleteCommand,
    ProjectsCommand,
    RescueCommand,
)
from gossamer.cli.parsed_settings_commands import ProfilesCommand, SettingsCommand
from gossamer.cli.parsed_shard_commands import MergeCommand
from gossamer.cli.shared_options import ProjectFile, Quiet
from gossamer.model.errors import UsageError

commands = typer.Typer()
_New: TypeAlias = Annotated[
    Path, typer.Option("--output", "-o", metavar="NEW", help="Project file to create.")
]


@commands.command()
def projects(
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> ProjectsCommand:
    """List the projects in the data folder, latest first."""
    return ProjectsCommand(json)


@commands.command()
def copy(project: ProjectFile, output: _New) -> CopyCommand:
    """Copy a project, even while it is being crawled."""
    return CopyCommand(project, output)


@commands.command()
def merge(
    shards: Annotated[
        list[Path],
        typer.Argument(
            metavar="SHARD...", help="The shards, or the folder with all of them.", readable=False
        ),
    ],
    output: _New,
    quiet: Quiet = False,
) -> MergeCommand:
    """Merge the shards of a crawl into one project.

    See 'gossamer crawl --shards'.
    """
    return MergeCommand(tuple(shards), output, quiet)


@commands.command()
def rescue(project: ProjectFile, output: _New) -> RescueCommand:
    """Recover a damaged project into a new file."""
    return RescueCommand(project, output)


@commands.command()
def delete(
    project: ProjectFile,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
) -> DeleteCommand:
    """Delete a project and its log."""
    return DeleteCommand(project, yes)


@commands.command()
def settings(
    project: ProjectFile,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="OUT", help="TOML file to create. Default: standard output."
        ),
    ] = None,
    all_roots: Annotated[
        bool, typer.Option("--all-roots", help="Include all roots of a long list.")
    ] = False,
) -> SettingsCommand:
    """Export the settings of a project as TOML.

    Use the file with 'gossamer crawl --settings'.
    """
    return SettingsCommand(project, output, all_roots)


@commands.command()
def profiles(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Profile name, or 'defaults'.")
    ] = None,
    *,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Save the profile with the settings of a TOML file or a project.",
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SETTING=VALUE",
            help="Save the profile with this setting; repeatable.",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace an existing profile.")
    ] = False,
    rename: Annotated[
        str | None, typer.Option("--rename", metavar="NEW", help="Rename the profile.")
    ] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the profile.")] = False,
) -> ProfilesCommand:
    """List the profiles; show, save, rename or delete one.

    Use one with 'gossamer crawl --profile'.
    """
    saves = source is not None or bool(values)
    if name is None and (saves or rename is not None or delete):
        raise UsageError("Specify a profile: gossamer profiles NAME ...")
    if saves + (rename is not None) + delete > 1:
        raise UsageError("Save, rename or delete a profile: only one at a time.")
    return ProfilesCommand(name, source, tuple(values or ()), replace, rename, delete)
