"""The arguments and options of `gossamer export`, as typer shows them."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

View: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="VIEW",
        help="pages, redirects, links, errors, resources, external, all, sitemap,"
        " sitemap-check or report.",
    ),
]
Output: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Where to; the suffix says the format. The file appears when it is complete.",
    ),
]
Columns: TypeAlias = Annotated[
    str, typer.Option("--columns", metavar="A,B,...", help="Only these columns, by name.")
]
Text: TypeAlias = Annotated[
    str, typer.Option("--filter", metavar="TEXT", help="Only what has this in it.")
]
Delimiter: TypeAlias = Annotated[
    str | None,
    typer.Option("--delimiter", help="comma, semicolon, tab or pipe.", show_default="comma"),
]
Mark: TypeAlias = Annotated[
    bool, typer.Option("--bom", help="Begin with the mark by which Excel knows UTF-8.")
]
Include: TypeAlias = Annotated[
    str,
    typer.Option(
        "--sitemap-include",
        metavar="RULE,...",
        help="What a sitemap is not to leave out: noindex, canonicalised, redirects, errors,"
        " blocked, files, other-hosts.",
    ),
]
Base: TypeAlias = Annotated[
    str | None,
    typer.Option("--sitemap-base", metavar="URL", help="Where the sitemaps will be served from."),
]
NoLastmod: TypeAlias = Annotated[
    bool, typer.Option("--no-lastmod", help="A sitemap without times of change.")
]
Hreflang: TypeAlias = Annotated[
    bool,
    typer.Option("--sitemap-hreflang", help="A sitemap with the versions in other languages."),
]
