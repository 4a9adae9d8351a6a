"""`gossamer profiles` and its options, as typer shows them."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.invocation import ProfilesCommand
from gossamer.model.errors import UsageError

commands = typer.Typer()


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
