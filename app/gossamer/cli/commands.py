"""The commands and their options, as typer shows them. Nothing is done here: see `invocation`.

Plain help, not typer's boxes of rich: those more than double the time that `--help` takes.
"""

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer
import typer.core

from gossamer import __version__
from gossamer.cli import (
    export_options,
    profile_options,
    project_options,
    resume_options,
    run_options,
)
from gossamer.cli.credential_options import access_of, public_headers_of, servers_of
from gossamer.cli.invocation import (
    CompletionCommand,
    CrawlCommand,
    DemoCommand,
    ForgetCommand,
    InfoCommand,
    Invocation,
    OutputOptions,
)
from gossamer.cli.option_sources import given, over, why_not_on_resume
from gossamer.cli.param_types import cast_plainly
from gossamer.model.errors import UsageError
from gossamer.model.settings import CrawlSettings, HostMatch, Parser
from gossamer.model.user_agents import PRESETS, user_agent_of

if TYPE_CHECKING:
    from typer._click.core import Command

_DEFAULT = CrawlSettings(roots=())
_HELP = """Crawl websites, from a window or from here.

\b
gossamer [URL | FILE.gossamer]    opens the window (on that URL or project)
gossamer COMMAND [OPTIONS] ...    does without a window
"""
_EPILOG = """\b
Exit codes: 0 finished, 2 a mistake in the command, 3 no root could be fetched,
4 the project file cannot be used, 5 --fail-on found too many,
130 interrupted (the project can be resumed).
"""
_Misuse = cast("type[typer.BadParameter]", typer.BadParameter.__bases__[0])
"""The class of all complaints about a command line, which typer does not export."""
_ORDER: Final = (
    *("crawl", "resume", "export", "info", "projects"),
    *("copy", "rescue", "settings", "profiles", "delete", "forget", "demo", "completion"),
)


class _Ordered(typer.core.TyperGroup):
    """Lists the commands by what they are for, whatever file each comes from."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # typer's own context is not public
        """The names in the order of docs/command-line.md."""
        return sorted(super().list_commands(ctx), key=_ORDER.index)

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override]  # likewise
        """The options before the command."""
        params = super().get_params(ctx)
        cast_plainly(params)
        return params

    def get_command(self, ctx: typer.Context, cmd_name: str) -> "Command | None":  # type: ignore[override]  # likewise
        """The command of that name, if there is one."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            cast_plainly(command.get_params(ctx))
        return command


application = typer.Typer(
    cls=_Ordered,
    help=_HELP,
    epilog=_EPILOG,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
application.add_typer(resume_options.commands)
application.add_typer(export_options.commands)
application.add_typer(project_options.commands)
application.add_typer(profile_options.commands)


def parse(arguments: Sequence[str]) -> Invocation | int:
    """What `arguments` ask for, or the exit code when help or version was all they asked for.

    Raises UsageError with one sentence about the first thing wrong.
    """
    try:
        asked: Invocation | int = typer.main.get_command(_with(*arguments[:1])).main(
            list(arguments), prog_name="gossamer", standalone_mode=False
        )
    except _Misuse as e:
        raise UsageError(_sentence(e, arguments)) from e
    return asked


def _with(name: str = "") -> typer.Typer:
    """The application with the command of that name alone, if there is one; otherwise with all.

    To build all of them takes several milliseconds.
    """
    groups = (group.typer_instance for group in application.registered_groups)
    every = [application, *(group for group in groups if group is not None)]
    for command in (command for group in every for command in group.registered_commands):
        if command.callback and name == command.callback.__name__:  # none has another name
            small = copy(application)
            small.registered_commands, small.registered_groups = [command], []
            return small
    return application


def _sentence(misuse: typer.BadParameter, arguments: Sequence[str]) -> str:
    if reason := why_not_on_resume(misuse):
        return reason
    message = " ".join(misuse.format_message().split())
    if message.endswith("?"):  # it proposes something already
        return message
    # An option without its argument is found before typer has made a context of the command.
    where = f"gossamer {arguments[0]}" if misuse.ctx is None else misuse.ctx.command_path
    return f"{message.rstrip('.')}; see '{where} --help'."


def _addresses(list_file: str | None) -> tuple[str, ...]:
    if list_file is None:
        return ()
    from gossamer.cli.url_list_input import read_addresses  # noqa: PLC0415 - help needs none of it

    return read_addresses(list_file)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"Gossamer {__version__}")
        raise typer.Exit


@application.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Options before the command. The help is `_HELP`."""


@application.command()
def crawl(
    context: typer.Context,
    roots: Annotated[
        list[str] | None, typer.Argument(metavar="ROOT", help="Addresses to start from.")
    ] = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The project file, a new one. Without it, one in the data folder.",
        ),
    ] = None,
    settings_file: run_options.Settings = None,
    profile: run_options.ProfileName = None,
    workers: Annotated[
        int, typer.Option("--workers", help="URLs in flight at once.")
    ] = _DEFAULT.workers,
    max_redirects: Annotated[
        int, typer.Option("--max-redirects", help="Redirects followed in a row.")
    ] = _DEFAULT.max_redirects,
    max_tries: Annotated[
        int, typer.Option("--max-tries", help="How often a URL is asked when the failure may pass.")
    ] = _DEFAULT.max_tries,
    max_depth: Annotated[
        int | None, typer.Option("--max-depth", help="Clicks from a root.")
    ] = None,
    max_pages: Annotated[
        int | None, typer.Option("--max-pages", help="URLs fetched in all.")
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", help="Seconds for one hop.")
    ] = _DEFAULT.timeout_s,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="RE", help="Fetch only URLs that match; may be repeated."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="RE", help="Leave out URLs that match; may be repeated."),
    ] = None,
    host_match: Annotated[
        HostMatch,
        typer.Option("--host-match", help="The roots' hosts, or all of their domains."),
    ] = _DEFAULT.host_match,
    processes: Annotated[
        int | None, typer.Option("--processes", help="Page workers.", show_default="one per core")
    ] = None,
    rate: Annotated[
        float | None, typer.Option("--rate", help="Requests per second to one host.")
    ] = None,
    user_agent: Annotated[
        str,
        typer.Option(
            "--user-agent", help=f"What the crawler calls itself; or one of {', '.join(PRESETS)}."
        ),
    ] = _DEFAULT.user_agent,
    header: run_options.Headers = None,
    public_header: run_options.PublicHeaders = None,
    auth: run_options.Auth = None,
    cookie: run_options.Cookies = None,
    remember: run_options.Remember = False,
    accept_language: Annotated[
        str, typer.Option("--accept-language", help="Languages to ask for: 'de, en;q=0.5'.")
    ] = _DEFAULT.accept_language,
    proxy: Annotated[
        str | None,
        typer.Option(
            "--proxy", metavar="URL", help="A proxy: http://host:port, https, socks5, socks5h."
        ),
    ] = None,
    insecure: run_options.Insecure = None,
    no_cookies: Annotated[
        bool, typer.Option("--no-cookies", help="Do not keep the cookies that servers set.")
    ] = False,
    no_robots: Annotated[
        bool, typer.Option("--no-robots", help="Do not ask for robots.txt.")
    ] = False,
    parser: Annotated[
        Parser, typer.Option("--parser", help="What reads the pages.")
    ] = _DEFAULT.parser,
    max_body_bytes: Annotated[
        int, typer.Option("--max-body-bytes", help="Where a page is cut.")
    ] = _DEFAULT.max_body_bytes,
    max_url_length: Annotated[
        int, typer.Option("--max-url-length", help="Longer URLs are listed, not fetched.")
    ] = _DEFAULT.max_url_length,
    max_links: Annotated[
        int, typer.Option("--max-links", help="Links taken from one page.")
    ] = _DEFAULT.max_links,
    max_similar: Annotated[
        int,
        typer.Option("--max-similar", help="Look-alike pages that only link to each other."),
    ] = _DEFAULT.max_similar,
    max_per_host: Annotated[
        int | None, typer.Option("--max-per-host", help="URLs in flight at once on one host.")
    ] = None,
    follow_kinds: Annotated[
        str, typer.Option("--follow-kinds", metavar="KINDS", help="Links to follow, by kind.")
    ] = ",".join(_DEFAULT.follow_kinds),
    check_kinds: Annotated[
        str,
        typer.Option(
            "--check-kinds", metavar="KINDS", help="Links to ask for headers only; '' for none."
        ),
    ] = ",".join(_DEFAULT.check_kinds),
    follow_nofollow: Annotated[
        bool, typer.Option("--follow-nofollow", help="Follow links in spite of nofollow.")
    ] = False,
    check_external: Annotated[
        bool, typer.Option("--check-external", help="Ask whether links out of the crawl work.")
    ] = False,
    external_rate: Annotated[
        float, typer.Option("--external-rate", help="Such requests per second to one host.")
    ] = _DEFAULT.external_rate,
    use_sitemaps: Annotated[
        bool, typer.Option("--use-sitemaps", help="Read the site's sitemaps too.")
    ] = False,
    sitemaps: Annotated[
        list[str] | None,
        typer.Option("--sitemaps", metavar="URL", help="A sitemap to read; may be repeated."),
    ] = None,
    list_only: Annotated[
        bool, typer.Option("--list-only", help="Fetch the roots and follow no links.")
    ] = False,
    list_file: Annotated[
        str | None,
        typer.Option(
            "--list", metavar="FILE", help="Fetch just the addresses in a file, one on each line."
        ),
    ] = None,
    no_guard: Annotated[
        bool, typer.Option("--no-guard", help="Go on even if nearly everything fails.")
    ] = False,
    export: run_options.Exports = None,
    fail_on: run_options.FailOn = None,
    json: run_options.Json = False,
    verbose: run_options.Verbose = False,
    quiet: run_options.Quiet = False,
) -> CrawlCommand:
    """Crawl to the end, then report.

    Progress goes to standard error, the report to standard output.
    """
    access = access_of(auth or (), cookie or (), header or (), remember=remember)
    settings = CrawlSettings(
        roots=(*(roots or ()), *_addresses(list_file)),
        workers=workers,
        max_redirects=max_redirects,
        max_tries=max_tries,
        max_depth=max_depth,
        max_pages=max_pages,
        timeout_s=timeout,
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        host_match=host_match,
        processes=processes,
        rate=rate,
        user_agent=user_agent_of(user_agent),
        public_headers=public_headers_of(public_header or ()),
        accept_language=accept_language,
        proxy=proxy,
        insecure_hosts=servers_of(insecure),
        keep_cookies=not no_cookies,
        obey_robots=not no_robots,
        parser=parser,
        max_body_bytes=max_body_bytes,
        max_url_length=max_url_length,
        max_links=max_links,
        max_similar=max_similar,
        max_per_host=max_per_host,
        follow_kinds=run_options.kinds(follow_kinds),
        check_kinds=run_options.kinds(check_kinds),
        follow_nofollow=follow_nofollow,
        check_external=check_external,
        external_rate=external_rate,
        use_sitemaps=use_sitemaps,
        sitemaps=tuple(sitemaps or ()),
        list_only=list_only or list_file is not None,
        guard=not no_guard,
    )
    settings = over(context, settings, settings_file, profile)
    manner = OutputOptions(json, verbose, quiet)
    failing = tuple(fail_on or ())
    return CrawlCommand(
        settings, output, tuple(export or ()), manner, access, failing, chosen=given(context)
    )


@application.command()
def info(
    project: run_options.ProjectFile,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
    diagnostics: Annotated[
        bool, typer.Option("--diagnostics", help="Versions and errors, to report a problem.")
    ] = False,
) -> InfoCommand:
    """Settings, state and counters of a project."""
    return InfoCommand(project, json, diagnostics)


@application.command()
def forget(
    targets: Annotated[
        list[str], typer.Argument(metavar="SITE", help="A site, a proxy, or a project file.")
    ],
) -> ForgetCommand:
    """Remove from the system's keyring what --remember stored."""
    return ForgetCommand(tuple(targets))


@application.command()
def demo(
    serve: Annotated[
        bool, typer.Option("--serve", help="Only serve the site and print its address.")
    ] = False,
) -> DemoCommand:
    """Crawl the bundled demo site on loopback."""
    return DemoCommand(serve)


@application.command()
def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell.")],
) -> CompletionCommand:
    """Print a script that completes command lines in a shell."""
    return CompletionCommand(shell)
