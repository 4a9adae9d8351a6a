"""`gossamer resume` and its options, as typer shows them."""

from typing import Annotated

import typer

from gossamer.cli import run_options
from gossamer.cli.credential_options import access_of, public_headers_of, servers_of
from gossamer.cli.invocation import ADDED, OutputOptions, ResumeCommand
from gossamer.model.user_agents import user_agent_of

commands = typer.Typer()


@commands.command()
def resume(
    project: run_options.ProjectFile,
    *,
    settings_file: run_options.Settings = None,
    workers: Annotated[int | None, typer.Option(help="URLs in flight at once.")] = None,
    max_tries: Annotated[
        int | None, typer.Option(help="How often a URL is asked when the failure may pass.")
    ] = None,
    max_depth: Annotated[
        int | None, typer.Option(help="Clicks from a root; more than before.")
    ] = None,
    max_pages: Annotated[int | None, typer.Option(help="Pages read in all.")] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds for one hop.")] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="RE", help="Leave out URLs that match, too; may be repeated."),
    ] = None,
    processes: Annotated[int | None, typer.Option(help="Page workers.")] = None,
    rate: Annotated[float | None, typer.Option(help="Requests per second to one host.")] = None,
    external_rate: Annotated[
        float | None, typer.Option(help="Requests per second to hosts outside the crawl.")
    ] = None,
    max_similar: Annotated[
        int | None, typer.Option(help="Look-alike pages that only link to each other.")
    ] = None,
    max_per_host: Annotated[
        int | None, typer.Option(help="URLs in flight at once on one host.")
    ] = None,
    user_agent: Annotated[str | None, typer.Option(help="What the crawler calls itself.")] = None,
    accept_language: Annotated[str | None, typer.Option(help="Languages to ask for.")] = None,
    proxy: Annotated[str | None, typer.Option(metavar="URL", help="A proxy.")] = None,
    insecure: run_options.Insecure = None,
    check_certificates: Annotated[
        bool, typer.Option("--check-certificates", help="Check again those that --insecure named.")
    ] = False,
    header: run_options.Headers = None,
    public_header: run_options.PublicHeaders = None,
    auth: run_options.Auth = None,
    cookie: run_options.Cookies = None,
    remember: run_options.Remember = False,
    export: run_options.Exports = None,
    fail_on: run_options.FailOn = None,
    json: run_options.Json = False,
    verbose: run_options.Verbose = False,
    quiet: run_options.Quiet = False,
) -> ResumeCommand:
    """Go on where a crawl stopped.

    With the settings of the project, but for those that are given.
    """
    access = access_of(auth or (), cookie or (), header or (), remember=remember)
    given: dict[str, object] = {
        "workers": workers,
        "max_tries": max_tries,
        "max_depth": max_depth,
        "max_pages": max_pages,
        "timeout_s": timeout,
        "exclude": None if exclude is None else tuple(exclude),
        "processes": processes,
        "rate": rate,
        "external_rate": external_rate,
        "max_similar": max_similar,
        "max_per_host": max_per_host,
        "user_agent": None if user_agent is None else user_agent_of(user_agent),
        "accept_language": accept_language,
        "public_headers": None if public_header is None else public_headers_of(public_header),
        "proxy": proxy,
        "insecure_hosts": servers_of(insecure) if insecure or check_certificates else None,
    }
    changes = tuple((name, value) for name, value in given.items() if value is not None)
    manner = OutputOptions(json, verbose, quiet)
    return ResumeCommand(
        project,
        tuple(export or ()),
        manner,
        access,
        changes,
        settings_file,
        tuple(fail_on or ()),
        ADDED - {"insecure_hosts"} if check_certificates else ADDED,
    )
