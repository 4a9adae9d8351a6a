"""Declares `gossamer export` and its options for typer."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli import shared_options
from gossamer.cli.option_casting import comma_separated
from gossamer.cli.parsed_table_commands import ExportCommand, SitemapChoice
from gossamer.model.errors import UsageError

commands = typer.Typer()


def _views(incomplete: str) -> Iterable[str]:
    from gossamer.export.view_bundles import view_labels  # noqa: PLC0415 - help needs none of it

    return [name for name in view_labels() if name.startswith(incomplete)]


def _list_views(wanted: bool) -> None:
    if not wanted:
        return
    from gossamer.export.view_bundles import view_labels  # noqa: PLC0415 - help needs none of it

    labels = view_labels()
    width = max(map(len, labels))
    for name, label in labels.items():
        typer.echo(f"{name:{width}}  {label}")
    raise typer.Exit


_View: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="VIEW",
        help="What to export, such as pages, links, report, internal_all, issues_overview or "
        "'issue:H1: Missing'; --views lists all.",
        autocompletion=_views,
    ),
]
_ListViews: TypeAlias = Annotated[
    bool,
    typer.Option("--views", callback=_list_views, is_eager=True, help="List all views, and exit."),
]
_Output: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Output file; its suffix sets the format. '-' is standard output.",
    ),
]
_Of: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--of",
        metavar="URL",
        help="URL whose inlinks or outlinks to export; repeatable.",
    ),
]
_Columns: TypeAlias = Annotated[
    str | None,
    typer.Option("--columns", metavar="A,B,...", help="Export only these columns, in this order."),
]
_Text: TypeAlias = Annotated[
    str, typer.Option("--filter", metavar="TEXT", help="Export only rows that contain this text.")
]
_Delimiter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--delimiter", help="CSV delimiter: comma, semicolon, tab or pipe.", show_default="comma"
    ),
]
_Mark: TypeAlias = Annotated[
    bool, typer.Option("--bom", help="Write a byte order mark, for Excel.")
]
_Include: TypeAlias = Annotated[
    str,
    typer.Option(
        "--sitemap-include",
        metavar="RULE,...",
        help="Include what sitemaps leave out by default: noindex, canonicalised, redirects, "
        "errors, blocked, files, other-hosts.",
    ),
]
_Base: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--sitemap-base", metavar="URL", help="Base URL of the sitemaps, for the sitemap index."
    ),
]
_NoLastmod: TypeAlias = Annotated[
    bool, typer.Option("--no-lastmod", help="Omit <lastmod> from the sitemap.")
]
_Hreflang: TypeAlias = Annotated[
    bool,
    typer.Option("--sitemap-hreflang", help="Include hreflang alternates in the sitemap."),
]
_Format: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="Format for standard output or the files of a folder: "
        f"{shared_options.TABLE_FORMATS}; for standard output also xml or html.",
        show_default="csv",
    ),
]
_Where: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="FACET=VALUE",
        help="Export only URLs with this value, such as status=404 or content-type=text/html; "
        "repeatable.",
    ),
]
_SavedFilter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--saved-filter",
        metavar="NAME",
        help="Export only what a filter shows that was saved in the window.",
    ),
]


def _columns(text: str) -> tuple[str, ...]:
    names = comma_separated(text)
    if not names:
        raise UsageError("--columns needs names, such as Address; omit it to export all columns.")
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
    saved_filter: _SavedFilter = None,
    format_: _Format = None,
    delimiter: _Delimiter = None,
    bom: _Mark = False,
    sitemap_include: _Include = "",
    sitemap_base: _Base = None,
    no_lastmod: _NoLastmod = False,
    sitemap_hreflang: _Hreflang = False,
    views: _ListViews = False,
) -> ExportCommand:
    """Export a view of a project to a file or to standard output."""
    del views
    lifted = comma_separated(sitemap_include.lower())
    return ExportCommand(
        project,
        view,
        output,
        of=tuple(of or ()),
        columns=() if columns is None else _columns(columns),
        text=text,
        where=tuple(where or ()),
        saved_filter=saved_filter,
        format=format_,
        delimiter=delimiter,
        byte_order_mark=bom,
        sitemap=SitemapChoice(lifted, sitemap_base, not no_lastmod, sitemap_hreflang),
    )
