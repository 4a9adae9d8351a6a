"""Declares `gossamer redirects` and its options for typer."""

from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from msgspec import structs

from gossamer.cli import shared_options
from gossamer.cli.given_options import base_settings, with_setting_options
from gossamer.cli.offered_options import GivenOptions
from gossamer.cli.parsed_commands import CrawlCommand, RedirectsCommand
from gossamer.model.errors import UsageError

commands = typer.Typer()
_Table: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="A CSV file with an old address and the expected new one in each row; - for standard "
        "input.",
    ),
]
_Project: TypeAlias = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE",
        help="A project that has requested the old addresses: check by it, and request nothing.",
        readable=False,
    ),
]
_Output: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Write all pairs with the real redirects to "
        f"{shared_options.TABLE_FILES}; repeatable.",
    ),
]
_NewProject: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--project",
        metavar="NEW",
        help="Project file to create. Default: a new file in the data folder.",
    ),
]
_Base: TypeAlias = Annotated[
    str,
    typer.Option("--base", metavar="URL", help="The site that paths such as /old are of."),
]
_FailOn: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on",
        metavar="NAME[:N]",
        help="Exit with code 5 if there are more than N (default 0) redirects that are wrong, "
        "chains, or temporary; repeatable.",
    ),
]


@commands.command()
@with_setting_options("profile", resume=False)
def redirects(
    table: _Table,
    project: _Project = None,
    *,
    output: _Output = None,
    new_project: _NewProject = None,
    base: _Base = "",
    fail_on: _FailOn = None,
    settings_file: shared_options.Settings = None,
    profile: shared_options.ProfileName = None,
    given: GivenOptions,
) -> RedirectsCommand:
    """Check that old addresses redirect to the expected new ones.

    Requests the addresses of a table with two columns, and tells of each pair whether it is right.
    """
    chosen, run = given
    options = run["output_options"]
    asked: dict[str, Any] = {
        "outputs": tuple(output or ()),
        "base": base,
        "fail_on": tuple(fail_on or ()),
        "exports": run["exports"],
        "json": options.json,
        "quiet": options.quiet,
    }
    if project is not None:
        _refuse_crawl_options(chosen, new_project, settings_file, profile)
        return RedirectsCommand(table, project, **asked)
    settings = structs.replace(base_settings(settings_file, profile), **chosen, list_only=True)
    crawl = CrawlCommand(
        settings,
        new_project,
        output_options=structs.replace(options, json=False, report=False, roots=False),
        credentials=run["credentials"],
        chosen=frozenset({*chosen, "list_only"}),
    )
    return RedirectsCommand(table, crawl=crawl, **asked)


def _refuse_crawl_options(
    chosen: dict[str, object], project: Path | None, settings_file: Path | None, profile: str | None
) -> None:
    """Raise UsageError for options that only apply to a crawl."""
    if chosen:
        from gossamer.model.settings.crawl_settings import SETTINGS  # noqa: PLC0415 - seldom needed

        name = SETTINGS[next(iter(chosen))].name
        raise UsageError(f"{name} cannot change without crawling again; leave out the project.")
    if project or settings_file or profile:
        raise UsageError("--project, --settings and --profile are for a new crawl; leave out FILE.")
