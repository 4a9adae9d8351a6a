"""Declares `gossamer export` and its options for typer."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli import shared_options
from gossamer.cli.param_types import comma_separated
from gossamer.cli.parsed_commands import ExportCommand, SitemapChoice
from gossamer.model.errors import UsageError
from gossamer.model.project_queries import LinkEnd

commands = typer.Typer()


def _views(incomplete: str) -> Iterable[str]:
    from gossamer.export.export_selection import ExportView  # noqa: PLC0415 - help needs none of it

    names = [*ExportView, *LinkEnd]
    return [name.value for name in names if name.value.startswith(incomplete)]


_View: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="VIEW",
        help="pages, redirects, links, broken-links, errors, resources, external, all, sitemap,"
        " sitemap-check or report; inlinks or outlinks of URLs that --of names.",
        autocompletion=_views,
    ),
]
_Output: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Where to; the suffix says the format. '-' is standard output.",
    ),
]
_Of: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--of",
        metavar="URL",
        help="Whose inlinks or outlinks; may be repeated.",
    ),
]
_Columns: TypeAlias = Annotated[
    str | None, typer.Option("--columns", metavar="A,B,...", help="Only these columns, by name.")
]
_Text: TypeAlias = Annotated[
    str, typer.Option("--filter", metavar="TEXT", help="Only what has this in it.")
]
_Delimiter: TypeAlias = Annotated[
    str | None,
    typer.Option("--delimiter", help="comma, semicolon, tab or pipe.", show_default="comma"),
]
_Mark: TypeAlias = Annotated[
    bool, typer.Option("--bom", help="Begin with the mark by which Excel knows UTF-8.")
]
_Include: TypeAlias = Annotated[
    str,
    typer.Option(
        "--sitemap-include",
        metavar="RULE,...",
        help="What a sitemap is not to leave out: noindex, canonicalised, redirects, errors,"
        " blocked, files, other-hosts.",
    ),
]
_Base: TypeAlias = Annotated[
    str | None,
    typer.Option("--sitemap-base", metavar="URL", help="Where the sitemaps will be served from."),
]
_NoLastmod: TypeAlias = Annotated[
    bool, typer.Option("--no-lastmod", help="A sitemap without times of change.")
]
_Hreflang: TypeAlias = Annotated[
    bool,
    typer.Option("--sitemap-hreflang", help="A sitemap with the versions in other languages."),
]
_Format: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="Of standard output: csv, tsv, xlsx, jsonl, xml or html.",
        show_default="csv",
    ),
]
_Where: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="FACET=VALUE",
        help="Only URLs with this value, such as status=404 or content-type=text/html;"
        " may be repeated.",
    ),
]


def _columns(text: str) -> tuple[str, ...]:
    names = comma_separated(text)
    if not names:
        raise UsageError("--columns needs names, such as Address; without it all are written.")
    return names


@commands.command()
def export(  # noqa: PLR0917 - typer calls it with names
    project: shared_options.ProjectFile,
    view: _View,
    output: _Output,
    of: _Of = None,
    columns: _Columns = None,
    text: _Text = "",
    where: _Where = None,
    format_: _Format = None,
    delimiter: _Delimiter = None,
    bom: _Mark = False,
    sitemap_include: _Include = "",
    sitemap_base: _Base = None,
    no_lastmod: _NoLastmod = False,
    sitemap_hreflang: _Hreflang = False,
) -> ExportCommand:
    """Write a view of a project to a file, or to standard output."""
    lifted = comma_separated(sitemap_include.lower())
    return ExportCommand(
        project,
        view,
        output,
        of=tuple(of or ()),
        columns=() if columns is None else _columns(columns),
        text=text,
        where=tuple(where or ()),
        format=format_,
        delimiter=delimiter,
        byte_order_mark=bom,
        sitemap=SitemapChoice(lifted, sitemap_base, not no_lastmod, sitemap_hreflang),
    )
