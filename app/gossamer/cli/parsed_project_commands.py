"""The parsed commands about project files as a whole, with values as typed."""

from pathlib import Path

from msgspec import Struct


class ProjectsCommand(Struct, frozen=True):
    """List the projects in the data folder."""

    json: bool = False


class CopyCommand(Struct, frozen=True):
    """Save a copy of a project."""

    project: Path
    output: Path


class RescueCommand(Struct, frozen=True):
    """Recover a damaged project into a new file."""

    project: Path
    output: Path


class DeleteCommand(Struct, frozen=True):
    """Delete a project; `yes` skips the confirmation."""

    project: Path
    yes: bool = False


OfProjects = ProjectsCommand | CopyCommand | RescueCommand | DeleteCommand
