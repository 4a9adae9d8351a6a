"""Declares `gossamer crawlers` and `gossamer robots` for typer."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli import shared_options
from gossamer.cli.parsed_commands import CrawlersCommand, RobotsCommand

commands = typer.Typer()
_Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@commands.command()
def crawlers(
    project: shared_options.ProjectFile,
    url: Annotated[
        str | None, typer.Argument(metavar="[URL]", help="Default: the first root.")
    ] = None,
    json: _Json = False,
) -> CrawlersCommand:
    """Show which search engines and AI services may fetch a URL."""
    return CrawlersCommand(project, url, json)


@commands.command()
def robots(
    project: shared_options.ProjectFile,
    edited: Annotated[Path, typer.Option("--try", metavar="ROBOTS", help="The edited robots.txt.")],
    origin: Annotated[
        str | None,
        typer.Option("--origin", metavar="URL", help="Default: that of the first root."),
    ] = None,
    crawler: Annotated[
        str,
        typer.Option(
            "--crawler", metavar="NAME", help="One crawler's access, by its name in robots.txt."
        ),
    ] = "",
    json: _Json = False,
) -> RobotsCommand:
    """Show whose access an edited robots.txt would change."""
    return RobotsCommand(project, edited, origin, crawler, json)
