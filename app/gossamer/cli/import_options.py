"""Declares `gossamer import` and its options for typer."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from gossamer.cli import shared_options
from gossamer.cli.given_options import base_settings, with_setting_options
from gossamer.cli.offered_options import GivenOptions
from gossamer.cli.parsed_commands import CrawlCommand, ImportCommand

commands = typer.Typer()


@commands.command("import")
@with_setting_options("profile", resume=False, asks_network=False)
def import_archives(
    archives: Annotated[
        list[Path],
        typer.Argument(
            metavar="ARCHIVE",
            help="WARC or WACZ files, parts of one archive; or a project that keeps pages.",
            readable=False,
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Project file to create. Default: a new file in the data folder.",
        ),
    ] = None,
    roots: Annotated[
        list[str] | None,
        typer.Option(
            "--root",
            metavar="URL",
            help="URL to start from; repeatable. Default: the seeds of the archive's page list, "
            "else its first page.",
        ),
    ] = None,
    captures: Annotated[
        str,
        typer.Option(
            "--captures",
            metavar="WHICH",
            help="Of several captures of a URL: last, first, or a date such as 2024-05-31 for the "
            "last one until then.",
        ),
    ] = "last",
    linked_only: Annotated[
        bool,
        typer.Option("--linked-only", help="Leave out pages of the archive that nothing links to."),
    ] = False,
    settings_file: shared_options.Settings = None,
    profile: shared_options.ProfileName = None,
    new_series: shared_options.NewSeries = False,
    given: GivenOptions,
) -> ImportCommand:
    """Make a project from a web archive, without the network.

    Reads WARC and WACZ files, whoever made them, and crawls what is in them.
    """
    chosen, run = given
    if roots:
        chosen["roots"] = tuple(roots)
    settings = structs.replace(base_settings(settings_file, profile), **chosen)
    names = frozenset(chosen)
    crawl = CrawlCommand(settings, output, chosen=names, begins_series=new_series, **run)
    return ImportCommand(tuple(archives), crawl, captures, linked_only)
