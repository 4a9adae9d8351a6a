"""Exports from the command line: validates, writes with progress, and can be cancelled."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from gossamer.audit.sitemap_export_rules import SitemapRule
from gossamer.cli import EXIT_INTERRUPTED
from gossamer.cli.interrupt_signals import noting_interrupt
from gossamer.cli.parsed_table_commands import ExportCommand, SitemapChoice
from gossamer.cli.terminal import complain, counted, listed, not_printed, printable, remark, silence
from gossamer.cli.where_option import chosen_filter
from gossamer.export.archive_exports import (
    ArchiveExport,
    ArchiveRequest,
    archive_export_named,
)
from gossamer.export.csv_format import DELIMITERS
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.exporter import ExportRequest, ExportResult, check_output, export
from gossamer.export.formats import FORMATS, TABLE_SUFFIXES, check_options, suffix_of
from gossamer.export.output_files import OutputStream
from gossamer.export.row_counter import ExportCancelled
from gossamer.export.sheet import FormatOptions
from gossamer.export.sitemap_format import sitemap_folder
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.url_views import SITEMAP_CHECK, ensure_sitemaps_read
from gossamer.export.view_bundles import (
    BundleRequest,
    Request,
    ViewBundle,
    bundle_named,
)
from gossamer.export.view_names import view_named
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.file_names import typed_path
from gossamer.model.number_format import number
from gossamer.model.project_queries import LinkEnd, LinksOf
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.project import check, stored_settings
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import parse_root

_STANDARD_OUTPUT: Final = Path("-")


def wanted_exports(
    texts: Sequence[str], project: Path | None, settings: CrawlSettings
) -> list[Request]:
    """Parse VIEW=FILE options.

    UsageError or OutputError if one could not be written. `settings` are those of the crawl. Called
    before the crawl, so that nobody waits for hours because of a mistyped name.
    """
    wanted = [_wanted(text, settings) for text in texts]
    files: set[Path] = set()
    for one in wanted:
        one.check(project)
        if one.name == SITEMAP_CHECK.name:
            ensure_sitemaps_read(settings)
        if (file := one.out.resolve()) in files:
            raise UsageError(f"Two exports write to {one.out}; specify two files.")
        files.add(file)
    return wanted


def export_project(command: ExportCommand) -> int:
    """Run `gossamer export` and return the exit code."""
    if bundle := bundle_named(command.view):
        return _export_bundle(command, bundle)
    if archived := archive_export_named(command.view):
        return _export_archive(command, archived)
    selection = ExportSelection(
        _source(command),
        command.columns,
        command.text,
        _rules(command),
        command.sitemap.hreflang,
        chosen_filter(command.project, command.where, command.saved_filter),
    )
    options = _options(command)
    if command.output == _STANDARD_OUTPUT:
        check(command.project)
        if not _audited(command.project, [selection], quiet=True):
            return EXIT_INTERRUPTED
        return _stream(command.project, selection, options, command.format or "csv")
    if command.format is not None:
        raise UsageError(
            "The suffix of a file sets its format; use --format only with '-o -' or a folder."
        )
    check_output(command.output, selection, options, command.project)
    check(command.project)  # a project that cannot be used is reported before progress is shown
    return write_exports(
        command.project, [ExportRequest(selection, command.output, options)], quiet=False
    )


def _export_archive(command: ExportCommand, archived: ArchiveExport) -> int:
    """Write the archived content of the site; return the exit code."""
    if command.output == _STANDARD_OUTPUT:
        raise UsageError(f"{archived.name} cannot go to standard output; name a file or folder.")
    if command != ExportCommand(command.project, command.view, command.output):
        raise UsageError(f"{archived.name} has no rows, columns or formats to choose.")
    request = ArchiveRequest(archived, command.output)
    request.check(command.project)
    check(command.project)
    return write_exports(command.project, [request], quiet=False)


def _export_bundle(command: ExportCommand, bundle: ViewBundle) -> int:
    """Write several complete views to a folder or into a workbook; return the exit code."""
    if command.output == _STANDARD_OUTPUT:
        raise UsageError(f"{bundle.name} is several tables; name a folder or an .xlsx file.")
    of_format = ("format", "delimiter", "byte_order_mark")
    allowed = {name: getattr(command, name) for name in of_format}
    if command != ExportCommand(command.project, command.view, command.output, **allowed):
        raise UsageError(f"{bundle.name} is several tables and has no rows or columns to choose.")
    suffix = f".{(command.format or TABLE_SUFFIXES[0]).lower().removeprefix('.')}"
    if suffix not in TABLE_SUFFIXES:
        known = listed([each.removeprefix(".") for each in TABLE_SUFFIXES], "or")
        raise UsageError(f"Unknown format {command.format!r} of tables; choose {known}.")
    request = BundleRequest(bundle, command.output, suffix, _options(command))
    if command.format is not None and request.is_workbook:
        raise UsageError("The suffix of a file sets its format; use --format with a folder.")
    check_options(suffix, request.options)
    request.check(command.project)
    check(command.project)
    return write_exports(command.project, [request], quiet=False)


def _source(command: ExportCommand) -> ExportView | LinksOf:
    """The view, or the links of the URLs that --of names."""
    if command.view.lower() not in set(LinkEnd):
        if command.of:
            raise UsageError("--of names URLs for the views inlinks and outlinks.")
        return view_named(command.view, lambda: stored_settings(command.project))
    if not command.of:
        raise UsageError(f"Use --of URL to choose whose {command.view} to export.")
    check(command.project)
    with Reader(command.project) as reader:
        ids = [(url, _id_of(url, reader)) for url in command.of]
    for url, url_id in ids:
        if url_id is None:
            raise UsageError(
                f"{printable(url)} is not in {command.project}; spell it as it is there."
            )
    return LinksOf(LinkEnd(command.view.lower()), tuple(i for _, i in ids if i is not None))


def _id_of(url: str, reader: Reader) -> int | None:
    """The id of an address as typed: that of its view, where views are pages, else of its page."""
    found = reader.lookup(parse_root(url, hash_routes=True))
    return reader.lookup(parse_root(url)) if found is None else found


def _stream(project: Path, selection: ExportSelection, options: FormatOptions, suffix: str) -> int:
    """Write to standard output and return the exit code."""
    if sys.stdout is None:
        raise UsageError("There is no standard output; specify a file with -o.")
    name = Path(f"standard output.{suffix.lower().removeprefix('.')}")
    if suffix_of(name) is None:
        known = listed([each.removeprefix(".") for each in FORMATS], "or")
        raise UsageError(f"Unknown format {suffix!r}; choose {known}.")
    with noting_interrupt() as interrupted:
        try:
            out = OutputStream(name, sys.stdout.buffer)
            export(project, selection, out, cancelled=interrupted, options=options)
        except ExportCancelled:
            return EXIT_INTERRUPTED
        except OutputError as e:
            if not isinstance(e.__cause__, OSError):
                raise
            silence(sys.stdout)
            if not isinstance(e.__cause__, BrokenPipeError):  # `| head` has seen enough
                raise not_printed(e.__cause__) from e
    return 0


def write_exports(project: Path, wanted: Sequence[Request], *, quiet: bool) -> int:
    """Write the exports in order; return the exit code: 0, or 130 if interrupted.

    Brings the audit up to date first if one of them needs it. Raises what
    `gossamer.export.exporter.export` raises.
    """
    if not _audited(project, wanted, quiet=quiet):
        complain("The audit was interrupted; nothing was exported.")
        return EXIT_INTERRUPTED
    with noting_interrupt() as interrupted:
        for one in wanted:
            try:
                with _progress(one, quiet=quiet) as progress:
                    exported = one.write(project, progress, interrupted)
            except ExportCancelled:
                complain(f"The export was cancelled; {one.out} was not written.")
                return EXIT_INTERRUPTED
            if not quiet:
                remark(_summary(exported))
    return 0


def _audited(project: Path, exports: Sequence[ExportSelection | Request], *, quiet: bool) -> bool:
    """Bring the audit up to date if one of the exports needs it; False if interrupted."""
    if not any(each.needs_audit for each in exports):
        return True
    from gossamer.cli.foreground_audit import ensure_audited  # noqa: PLC0415 - few exports need it

    return ensure_audited(project, quiet=quiet)


def _wanted(text: str, settings: CrawlSettings) -> Request:
    view, equals, file = text.partition("=")
    if not equals or not file:
        raise UsageError(f"{text!r} is not VIEW=FILE; write, for example, --export pages=out.csv.")
    # After an equals sign the shell does not expand "~".
    out = typed_path(file)
    if bundle := bundle_named(view):
        return BundleRequest(bundle, out)
    if archived := archive_export_named(view):
        return ArchiveRequest(archived, out)
    return ExportRequest(ExportSelection(view_named(view, lambda: settings)), out)


def _summary(exported: ExportResult) -> str:
    """What was written, in one sentence."""
    *others, last = exported.files
    told = f"Saved {counted(exported.rows, 'row')} to {last}"
    if last.is_dir():
        told = f"Saved {counted(exported.rows, 'row')} to {counted(len(others), 'file')} in {last}"
    elif others:
        told += f" and {counted(len(others), 'file')} next to it"
    left_out = [f"{number(count)} {rule}" for rule, count in exported.left_out.items()]
    return f"{told}; left out: {', '.join(left_out)}." if left_out else f"{told}."


def csv_delimiter(typed: str | None) -> str | None:
    """The character that a delimiter as typed stands for; UsageError if it is invalid."""
    if typed is None:
        return None
    delimiter = DELIMITERS.get(typed, typed)
    if delimiter not in DELIMITERS.values():
        names = listed(list(DELIMITERS), "or")
        raise UsageError(f"Unknown delimiter {typed!r}; choose {names}.")
    return delimiter


def _options(command: ExportCommand) -> FormatOptions:
    delimiter = csv_delimiter(command.delimiter)
    base = None if command.sitemap.base is None else sitemap_folder(command.sitemap.base)
    return FormatOptions(
        delimiter, command.byte_order_mark, base=base, lastmod=command.sitemap.lastmod
    )


def _rules(command: ExportCommand) -> frozenset[SitemapRule]:
    try:
        rules = frozenset(map(SitemapRule, command.sitemap.include))
    except ValueError:
        known = listed([rule.value for rule in SitemapRule], "and")
        raise UsageError(f"--sitemap-include takes {known}.") from None
    if command.view != SITEMAP.name and command.sitemap != SitemapChoice():
        raise UsageError("Sitemap options require the view sitemap.")
    return rules


@contextmanager
def _progress(wanted: Request, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """The callback for rows written and rows expected; None if nobody watches."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(wanted.name, total=None)

        def show(rows: int, expected: int) -> None:
            bar.update(task, completed=rows, total=expected, refresh=True)

        yield show
