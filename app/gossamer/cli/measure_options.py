"""Declares `gossamer measure` for typer."""

from typing import Annotated

import typer
from msgspec import structs

from gossamer.cli import shared_options
from gossamer.cli.given_options import base_settings
from gossamer.cli.parsed_commands import MeasureCommand
from gossamer.model.page_load_limits import MAX_RUNS
from gossamer.model.settings.rendering_choices import RenderDevice

commands = typer.Typer()


@commands.command()
def measure(
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help="The pages to measure.")],
    *,
    runs: Annotated[
        int, typer.Option("--runs", min=1, max=MAX_RUNS, help="Times each page is loaded.")
    ] = 3,
    device: Annotated[
        RenderDevice | None, typer.Option("--device", help="Load pages as this device does.")
    ] = None,
    settings_file: shared_options.Settings = None,
    profile: shared_options.ProfileName = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> MeasureCommand:
    """Measure how pages load: the median of several runs."""
    settings = base_settings(settings_file, profile)
    if device is not None:
        settings = structs.replace(settings, device=device)
    return MeasureCommand(tuple(urls), settings, runs, json)
