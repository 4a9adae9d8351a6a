"""Declares `gossamer audit` and its options for typer."""

from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer
from msgspec import structs

from gossamer.cli import shared_options
from gossamer.cli.given_options import base_settings, with_setting_options
from gossamer.cli.offered_options import GivenOptions
from gossamer.cli.parsed_commands import AuditCommand, CrawlCommand
from gossamer.model.errors import UsageError

commands = typer.Typer()
FORMATS: Final = ("text", "json", "junit", "sarif")
_Target: TypeAlias = Annotated[
    str, typer.Argument(metavar="FILE|URL", help="A project, or a URL to crawl first.")
]
_Output: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Project file to create for a URL. Default: a new file in the data folder.",
    ),
]
_Format: TypeAlias = Annotated[
    str, typer.Option("--format", help="Format for standard output: text, json, junit or sarif.")
]
_Junit: TypeAlias = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML to a file as well.")
]
_Sarif: TypeAlias = Annotated[
    Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF to a file as well.")
]

_Ignore: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="ISSUE[=PATTERN]",
        help="Ignore an issue from now on, for all URLs or for those that match a pattern, in "
        "which * stands for any characters; repeatable.",
    ),
]
_Reason: TypeAlias = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why the issues of --ignore are ignored.")
]
_StopIgnoring: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--stop-ignoring",
        metavar="ISSUE[=PATTERN]",
        help="Take back what was ignored, all of an issue or one of its patterns; repeatable.",
    ),
]
_IncludeIgnored: TypeAlias = Annotated[
    bool, typer.Option("--include-ignored", help="Count ignored issues, too.")
]
_Where: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="FACET=VALUE",
        help="Count only issues of URLs with this value, such as content-type=text/html; "
        "repeatable.",
    ),
]
_SavedFilter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--saved-filter",
        metavar="NAME",
        help="Count only issues of the URLs that a filter lets pass that was saved in the window.",
    ),
]
_Again: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--again",
        help="First read all pages again from the project's archive, with the settings given "
        "here, without requests to the site.",
    ),
]


@commands.command()
@with_setting_options("profile", resume=False)
def audit(
    target: _Target,
    *,
    again: _Again = False,
    output: _Output = None,
    settings_file: shared_options.Settings = None,
    profile: shared_options.ProfileName = None,
    format_: _Format = FORMATS[0],
    junit: _Junit = None,
    sarif: _Sarif = None,
    ignore: _Ignore = None,
    reason: _Reason = "",
    stop_ignoring: _StopIgnoring = None,
    include_ignored: _IncludeIgnored = False,
    where: _Where = None,
    saved_filter: _SavedFilter = None,
    given: GivenOptions,
) -> AuditCommand:
    """List the issues of a project or a website.

    A URL is crawled first. Thresholds of a project can change without crawling again.
    """
    chosen, run = given
    segment = _taken_segment(chosen)
    as_json = run["output_options"].json
    if format_ not in FORMATS or (as_json and format_ != FORMATS[0]):
        raise UsageError(f"--format takes {', '.join(FORMATS)}; --json is short for one of them.")
    if reason and not ignore:
        raise UsageError("--reason goes with --ignore.")
    asked: dict[str, Any] = {
        "format": "json" if as_json else format_,
        "junit": junit,
        "sarif": sarif,
        "ignore": tuple(ignore or ()),
        "reason": reason,
        "stop_ignoring": tuple(stop_ignoring or ()),
        "include_ignored": include_ignored,
        "segment": segment,
        "where": tuple(where or ()),
        "saved_filter": saved_filter,
        "fail_on": run["fail_on"],
        "exports": run["exports"],
        "quiet": run["output_options"].quiet,
    }
    if _is_project(target):
        if output or settings_file or profile:
            raise UsageError("--output, --settings and --profile are for URLs, not for projects.")
        if not again:
            _refuse_crawl_options(chosen)
        changes = tuple(chosen.items())
        return AuditCommand(Path(target), changes=changes, again=again, **asked)
    if again:
        raise UsageError("--again is for projects that keep pages; name one.")
    if saved_filter is not None:
        raise UsageError("--saved-filter is for projects: a new crawl has no saved filters yet.")
    chosen["roots"] = (target,)
    settings = structs.replace(base_settings(settings_file, profile), **chosen)
    options = structs.replace(run["output_options"], json=False, report=False)
    crawl = CrawlCommand(
        settings,
        output,
        output_options=options,
        credentials=run["credentials"],
        chosen=frozenset(chosen),
    )
    return AuditCommand(crawl=crawl, **asked)


def _taken_segment(chosen: dict[str, Any]) -> str | None:
    """The name in `--segment NAME`, removed from those that define segments."""
    typed = chosen.pop("segments", ())
    names = [text for text in typed if "=" not in text]
    if len(names) > 1:
        raise UsageError("--segment names one segment to audit; the others need =CONDITION.")
    if defined := tuple(text for text in typed if "=" in text):
        chosen["segments"] = defined
    return names[0].strip() if names else None


def _is_project(target: str) -> bool:
    from gossamer.session.default_paths import SUFFIX  # noqa: PLC0415 - help needs none of it
    from gossamer.shards.shard_folder import FOLDER_SUFFIX  # noqa: PLC0415 - likewise

    path = Path(target)
    is_folder_of_shards = path.suffix == FOLDER_SUFFIX and path.is_dir()  # not one like a host
    return target.lower().endswith(SUFFIX) or is_folder_of_shards or path.is_file()


def _refuse_crawl_options(chosen: dict[str, object]) -> None:
    """Raise UsageError for options that only apply to a crawl."""
    from gossamer.model.settings.crawl_settings import (  # noqa: PLC0415 - help needs none of it
        SETTINGS,
        THRESHOLDS,
    )

    others = [name for name in chosen if name not in {*THRESHOLDS, "segments"}]
    if others:
        raise UsageError(
            f"{SETTINGS[others[0]].name} cannot change without reading the pages again: audit a "
            "URL, or add --again if the project keeps its pages."
        )
