"""The parsed commands about settings and profiles, see `parsed_commands`."""

from pathlib import Path

from msgspec import Struct


class SettingsCommand(Struct, frozen=True):
    """Write the settings of a project as TOML: to a file, else to standard output."""

    project: Path
    output: Path | None = None
    all_roots: bool = False


class ProfilesCommand(Struct, frozen=True):
    """List the profiles; or show one, save it from a file and values, rename it, delete it."""

    name: str | None = None
    source: Path | None = None
    values: tuple[str, ...] = ()
    """Each SETTING=VALUE, as typed."""
    replace: bool = False
    rename: str | None = None
    delete: bool = False
