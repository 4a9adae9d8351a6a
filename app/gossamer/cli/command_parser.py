"""Declares the typer commands and their options, and parses them; executes nothing.

Plain help, not typer's boxes of rich, which more than double the time of `--help`.
"""

from collections.abc import Sequence
from copy import copy
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, cast

import typer
import typer.core
from msgspec import structs
from typer.models import TyperInfo

from gossamer import __version__
from gossamer.cli import shared_options
from gossamer.cli.given_options import base_settings, with_setting_options
from gossamer.cli.help_listing import OrderedCommands, names_only
from gossamer.cli.offered_options import GivenOptions
from gossamer.cli.parsed_commands import (
    ADDED,
    CompletionCommand,
    CrawlCommand,
    DemoCommand,
    ForgetCommand,
    FormChoice,
    InfoCommand,
    Invocation,
    LoginCommand,
    ResumeCommand,
    SecretsCommand,
    crawl_of,
    resume_of,
)
from gossamer.model.errors import UsageError

_HELP = """Crawl websites, in a window or from the command line.

\b
gossamer [URL | FILE]             open the window (with that URL, project or web archive)
gossamer COMMAND [OPTIONS] ...    run a command without a window
"""
_EPILOG = """\b
Exit codes: 0 finished, 2 invalid command line,
3 no root could be fetched, or all of them redirect out of the crawl,
4 the project file cannot be used, 5 --fail-on found too many,
6 there is no browser, 7 a schedule is running already,
8 a schedule has crawled, but a later step failed,
9 a query needed more time or memory than it may take,
130 interrupted (the project can be resumed).
"""
_Misuse = cast("type[typer.BadParameter]", typer.BadParameter.__bases__[0])
"""The base class of typer's errors about a command line, which typer does not export."""
_application = typer.Typer(
    cls=OrderedCommands,
    help=_HELP,
    epilog=_EPILOG,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@cache
def whole_application() -> typer.Typer:
    """All commands, including those of other modules."""
    from gossamer.cli import (  # noqa: PLC0415 - a crawl needs none
        audit_options,
        browser_options,
        compare_options,
        crawler_access_options,
        export_options,
        import_options,
        measure_options,
        notify_options,
        project_options,
        recrawl_options,
        redirects_options,
        schedule_options,
        search_options,
        series_options,
        sql_options,
        update_options,
    )

    for each in (
        *(crawler_access_options, audit_options, browser_options, compare_options, export_options),
        *(measure_options, project_options, recrawl_options, redirects_options, sql_options),
        *(import_options, update_options),
    ):
        _application.add_typer(each.commands)
    _application.add_typer(series_options.series)
    _application.add_typer(series_options.note)
    _application.add_typer(schedule_options.schedule)
    _application.add_typer(search_options.commands)
    _application.add_typer(notify_options.notify)
    return _application


def parse(arguments: Sequence[str]) -> Invocation | int:
    """Parse `arguments`: a command, or the exit code if they only asked for help or the version.

    Raises UsageError with one sentence about the first error.
    """
    try:
        asked: Invocation | int = _command("".join(arguments[:1])).main(
            list(arguments), prog_name="gossamer", standalone_mode=False
        )
    except _Misuse as e:
        raise UsageError(_sentence(e, arguments)) from e
    return asked


def _with(name: str) -> typer.Typer:
    """The application with only the command of that name, if there is one; otherwise all."""
    if (own := _alone(name, [_application])) is not None:
        return own
    whole = whole_application()
    if name in {"-h", "--help"}:
        return names_only(whole)
    groups = [group.typer_instance for group in whole.registered_groups if group.typer_instance]
    return _alone(name, groups) or whole


_command = lru_cache(maxsize=64)(lambda name: typer.main.get_command(_with(name)))
"""The parser of that command: built once, as all of them take many milliseconds."""


def _alone(name: str, groups: Sequence[typer.Typer]) -> typer.Typer | None:
    for group in groups:
        if group.info.name == name:
            small = copy(_application)
            small.registered_commands, small.registered_groups = [], [TyperInfo(group)]
            return small
    for command in (command for group in groups for command in group.registered_commands):
        if command.callback and name == command.callback.__name__:  # none has another name
            small = copy(_application)
            small.registered_commands, small.registered_groups = [command], []
            return small
    return None


def _sentence(misuse: typer.BadParameter, arguments: Sequence[str]) -> str:
    if misuse.ctx is not None and misuse.ctx.info_name == "resume":
        from gossamer.cli.setting_options import why_not_on_resume  # noqa: PLC0415 - seldom needed

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


@_application.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Options before the command. The help is `_HELP`."""


@_application.command()
@with_setting_options("profile", resume=False)
def crawl(
    roots: Annotated[
        list[str] | None, typer.Argument(metavar="ROOT", help="URLs to start from.")
    ] = None,
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
    settings_file: shared_options.Settings = None,
    profile: shared_options.ProfileName = None,
    list_file: Annotated[
        str | None,
        typer.Option("--list", metavar="FILE", help="Fetch only the URLs in a file, one per line."),
    ] = None,
    new_series: shared_options.NewSeries = False,
    shards: shared_options.Shards = None,
    shards_on_nodes: shared_options.ShardsOnNodes = False,
    given: GivenOptions,
) -> Invocation:
    """Crawl a website, then print a report.

    Progress goes to standard error, the report to standard output.
    """
    chosen, run = given
    if list_file is not None:
        chosen["list_only"] = True
    if roots or list_file is not None:
        chosen["roots"] = (*(roots or ()), *_addresses(list_file))
    settings = structs.replace(base_settings(settings_file, profile), **chosen)
    names = frozenset(chosen)
    command = CrawlCommand(settings, output, chosen=names, begins_series=new_series, **run)
    return crawl_of(command, shards, on_nodes=shards_on_nodes)


@_application.command()
@with_setting_options("settings_file", resume=True)
def resume(
    project: shared_options.ProjectFile,
    *,
    settings_file: shared_options.Settings = None,
    shards_on_nodes: shared_options.ShardsOnNodes = False,
    check_certificates: Annotated[
        bool,
        typer.Option(
            "--check-certificates", help="Check all certificates again; undoes --insecure."
        ),
    ] = False,
    given: GivenOptions,
) -> Invocation:
    """Resume a crawl where it stopped.

    Uses the project's settings; command-line options override them.
    """
    (changes, run), adding = given, ADDED
    if check_certificates:
        changes.setdefault("insecure_hosts", ())
        adding -= {"insecure_hosts"}
    changed = tuple(changes.items())
    command = ResumeCommand(
        project, changes=changed, settings_file=settings_file, adding=adding, **run
    )
    return resume_of(command, on_nodes=shards_on_nodes)


@_application.command()
def info(
    project: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="The project file; --diagnostics needs none.", readable=False
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
    diagnostics: Annotated[
        bool,
        typer.Option("--diagnostics", help="Print versions and recent errors for a bug report."),
    ] = False,
) -> InfoCommand:
    """Show the settings, state and counters of a project."""
    if project is None and not diagnostics:
        raise UsageError("Missing argument 'FILE'; see 'gossamer info --help'.")
    return InfoCommand(project, json, diagnostics)


@_application.command()
def login(
    url: Annotated[str, typer.Argument(metavar="URL", help="A page of the site.")],
    *,
    settings_file: shared_options.Settings = None,
    profile: shared_options.ProfileName = None,
    remember: Annotated[
        bool, typer.Option("--remember", help="Save the login in the system's keyring.")
    ] = False,
    form: Annotated[
        bool,
        typer.Option("--form", help="Fill in the form of that page here, without a browser."),
    ] = False,
    values: Annotated[
        str | None,
        typer.Option(
            "--values",
            metavar="FILE",
            help="What to type into the form, NAME=VALUE on each line; - for standard input.",
        ),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            "--field",
            metavar="NAME=VALUE",
            help="Value of a field that is not secret, such as a check box; repeatable.",
        ),
    ] = None,
    button: Annotated[
        str | None,
        typer.Option("--button", metavar="NAME", help="The button to press, if not the first."),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option("--number", metavar="N", help="The form of the page, if not the likeliest."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Write the form, without what was typed, to a new settings file.",
        ),
    ] = None,
) -> LoginCommand:
    """Log in to a site in a browser window, or with its form.

    Prints the names of the cookies and stored values that the site sets, never their values.
    """
    settings = structs.replace(base_settings(settings_file, profile), roots=(url,))
    choice = FormChoice(tuple(field or ()), button or "", number or 0, values or "")
    if not form and (choice != FormChoice() or save is not None):
        raise UsageError(
            "--values, --field, --button, --number and --save are about a form; add --form."
        )
    return LoginCommand(settings, remember, choice if form else None, save)


@_application.command()
def forget(
    targets: Annotated[
        list[str], typer.Argument(metavar="SITE", help="A site, a proxy or a project file.")
    ],
) -> ForgetCommand:
    """Remove credentials saved by --remember from the keyring."""
    return ForgetCommand(tuple(targets))


@_application.command()
def secrets(
    place: Annotated[
        str | None,
        typer.Argument(metavar="[file|keyring]", help="Where to keep them.", show_default=False),
    ] = None,
) -> SecretsCommand:
    """Keep remembered passwords in a file or in the keyring."""
    return SecretsCommand(place)


@_application.command()
def demo(
    serve: Annotated[
        bool, typer.Option("--serve", help="Only serve the site and print its URL.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="With --serve: files there take the place of the site's pages."
        ),
    ] = None,
) -> DemoCommand:
    """Crawl the bundled demo site on loopback."""
    if folder is not None and not serve:
        raise UsageError("--folder needs --serve.")
    return DemoCommand(serve, folder)


@_application.command()
def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell.")],
) -> CompletionCommand:
    """Print a shell completion script."""
    return CompletionCommand(shell)
