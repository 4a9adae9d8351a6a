"""Declares `gossamer browser` for typer."""

from typing import Annotated

import typer

from gossamer.cli.parsed_commands import BrowserCommand

commands = typer.Typer()


@commands.command()
def browser(
    *,
    install: Annotated[
        bool, typer.Option("--install", help="Install a browser if there is none.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> BrowserCommand:
    """Show which browsers can render pages, and how to install one."""
    return BrowserCommand(install, json)
