"""The parsed commands that write tables: of a view, or of the result of a query."""

from pathlib import Path

from msgspec import Struct

from gossamer.model.query_limits import QueryLimits


class SitemapChoice(Struct, frozen=True):
    """Options for a generated sitemap: lifted rules as typed, and how to write it."""

    include: tuple[str, ...] = ()
    base: str | None = None
    lastmod: bool = True
    hreflang: bool = False


class ExportCommand(Struct, frozen=True):
    """Write a view of a project to a file, or to standard output, which is "-".

    `view`, `of` (URLs whose links are wanted), `where` (FACET=VALUE), `saved_filter`, `format` and
    `delimiter` are as typed.
    """

    project: Path
    view: str
    output: Path
    of: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    text: str = ""
    where: tuple[str, ...] = ()
    saved_filter: str | None = None
    format: str | None = None
    delimiter: str | None = None
    byte_order_mark: bool = False
    sitemap: SitemapChoice = SitemapChoice()


class SqlCommand(Struct, frozen=True):
    """Query a project: `query` as typed, "-" for standard input, or the text of `query_file`.

    Or the template with that name. Without `output`, the rows go to standard output. `explain`
    shows how the result is found instead; `tables`, what can be queried.
    """

    project: Path
    query: str | None = None
    query_file: Path | None = None
    template: str | None = None
    output: Path | None = None
    format: str | None = None
    delimiter: str | None = None
    byte_order_mark: bool = False
    limits: QueryLimits = QueryLimits()
    explain: bool = False
    tables: bool = False
