"""Maps file suffixes to export formats.

To add a format, add its module, a line here, and its suffix to `TABLE_FILES` in
`cli/shared_options`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gossamer.export import parquet_format
from gossamer.export.csv_format import write_csv, write_tsv
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.jsonl_format import write_jsonl
from gossamer.export.sheet import FormatOptions, WriteSheet
from gossamer.export.sitemap_format import write_sitemaps
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.xlsx_format import write_xlsx
from gossamer.model.errors import UsageError
from gossamer.model.project_queries import LinksOf, Table
from gossamer.model.translatable import Sentence

REPORT: Final = ExportView("report", "Report with charts", needs_audit=True)
"""The crawl at a glance, with charts: a document, not a table."""


@dataclass(frozen=True, slots=True)
class Format:
    """An export format. With `only`, it writes that one view; without, any table.

    `label` is its name in the window. A format without `write` is that of the report, which is not
    a table.
    """

    label: Sentence
    write: WriteSheet | None
    only: ExportView | None = None
    ensure_installed: Callable[[], None] = lambda: None
    """Raises UsageError unless its additional requirements are installed."""


FORMATS: dict[str, Format] = {
    ".csv": Format("CSV", write_csv),
    ".tsv": Format("Tab-separated values", write_tsv),
    ".xlsx": Format("Excel workbook", write_xlsx),
    ".jsonl": Format("JSON Lines", write_jsonl),
    ".parquet": Format(
        "Parquet", parquet_format.write_parquet, ensure_installed=parquet_format.ensure_installed
    ),
    ".xml": Format("XML sitemap", write_sitemaps, SITEMAP),
    ".xml.gz": Format("XML sitemap, compressed", write_sitemaps, SITEMAP),
    ".html": Format("HTML", None, REPORT),
}
TABLE_SUFFIXES: Final = tuple(suffix for suffix, each in FORMATS.items() if each.only is None)
"""The suffixes of the formats that hold any table, the most usual one first."""


def format_for(path: Path, selection: ExportSelection, options: FormatOptions) -> Format:
    """The format for the suffix of `path`.

    UsageError for an unknown one, one that cannot hold the selection, and for options that it does
    not have.
    """
    suffix = suffix_of(path)
    if suffix is None:
        known = ", ".join(FORMATS)
        raise UsageError(
            "{name!r} has an unknown format; end the file name with {known}.",
            name=path.name,
            known=known,
        )
    found = FORMATS[suffix]
    if suffix not in suffixes_for(selection.source):
        if selection.source is REPORT:
            raise UsageError("The report is a document, not a table; end its file name with .html.")
        raise UsageError(
            "A {suffix} file can only hold the view {only}.",
            suffix=suffix,
            only=found.only and found.only.name,
        )
    if found.only is not None and selection.columns:
        raise UsageError("A {suffix} file has no columns to choose.", suffix=suffix)
    if found.write is None and selection.text:
        raise UsageError("The report covers the whole crawl; remove the filter.")
    check_options(suffix, options)
    return found


def check_options(suffix: str, options: FormatOptions) -> None:
    """Raise UsageError for options that the format of `suffix` does not have.

    Likewise for one that needs a library that is not installed.
    """
    FORMATS[suffix].ensure_installed()
    if options.delimiter is not None and suffix != ".csv":
        raise UsageError("Only .csv files have a delimiter.")
    if options.byte_order_mark and suffix not in {".csv", ".tsv"}:
        raise UsageError("Only .csv and .tsv files can have a byte order mark.")


def suffixes_for(source: ExportView | Table | LinksOf) -> tuple[str, ...]:
    """The suffixes of the formats that can hold `source`, the most usual one first."""
    own = [suffix for suffix, format_ in FORMATS.items() if format_.only is source]
    if source is REPORT:
        return tuple(own)
    return (*own, *TABLE_SUFFIXES)


def suffix_of(path: Path) -> str | None:
    """The longest known suffix that the name of `path` ends with; None if there is none."""
    name = path.name.lower()
    return max((suffix for suffix in FORMATS if name.endswith(suffix)), key=len, default=None)
