"""`gossamer resume` and its options, as typer shows them."""

from typing import Annotated, Any

import typer

from gossamer.cli import run_options
from gossamer.cli.credential_options import access_of
from gossamer.cli.invocation import ADDED, OutputOptions, ResumeCommand
from gossamer.cli.setting_options import typed_settings, with_setting_options

commands = typer.Typer()


@commands.command()
@with_setting_options("settings_file", resume=True)
def resume(
    context: typer.Context,
    project: run_options.ProjectFile,
    *,
    settings_file: run_options.Settings = None,
    check_certificates: Annotated[
        bool, typer.Option("--check-certificates", help="Check again those that --insecure named.")
    ] = False,
    auth: run_options.Auth = None,
    cookie: run_options.Cookies = None,
    remember: run_options.Remember = False,
    export: run_options.Exports = None,
    fail_on: run_options.FailOn = None,
    json: run_options.Json = False,
    verbose: run_options.Verbose = False,
    quiet: run_options.Quiet = False,
    **typed: Any,
) -> ResumeCommand:
    """Go on where a crawl stopped.

    With the settings of the project, but for those that are given.
    """
    access = access_of(auth or (), cookie or (), typed["headers"] or (), remember=remember)
    changes = typed_settings(context, typed)
    if check_certificates:
        changes.setdefault("insecure_hosts", ())
    manner = OutputOptions(json, verbose, quiet)
    return ResumeCommand(
        project,
        tuple(export or ()),
        manner,
        access,
        tuple(changes.items()),
        settings_file,
        tuple(fail_on or ()),
        ADDED - {"insecure_hosts"} if check_certificates else ADDED,
    )
