"""Bundles of views, which become a folder with a file each, or one workbook."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from gossamer.audit.rule_catalogue import RULES, name_key
from gossamer.audit.site_rule import SiteRule
from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveRequest
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.exporter import ExportRequest, ExportResult
from gossamer.export.formats import FORMATS, TABLE_SUFFIXES, suffix_of
from gossamer.export.issue_views import (
    INLINKS_PREFIX,
    ISSUE_PREFIX,
    ISSUES_OVERVIEW,
    inlinks_file_pattern,
    issue_file_pattern,
    issue_inlinks_view,
    issue_view,
)
from gossamer.export.output_files import OutputFiles, OutputFolder, check_folder, output_errors
from gossamer.export.row_counter import IsCancelled, Report, RowCounter
from gossamer.export.sheet import FormatOptions, Sheet
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.url_views import SITEMAP_CHECK
from gossamer.export.view_catalogue import REPORTS, TABS, VIEWS
from gossamer.export.view_sheets import whole_sheet
from gossamer.export.xlsx_format import write_workbook
from gossamer.model.errors import BugError, UsageError
from gossamer.model.project_queries import LinkEnd
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader

WORKBOOK: Final = ".xlsx"
_DEFAULTS: Final = FormatOptions()


@dataclass(frozen=True, slots=True)
class ViewBundle:
    """The declaration of a bundle: `views` returns the views of a project that are in it.

    `file_names` are regular expressions that match the names of the files of all views that any
    project has, without suffix.
    """

    name: str
    label: Sentence
    views: Callable[[Reader], Sequence[ExportView]]
    file_names: Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True)
class BundleRequest:
    """A requested export of a bundle.

    `out` is a workbook if it ends with .xlsx, else a folder for tables in the format of `suffix`.
    """

    bundle: ViewBundle
    out: Path
    suffix: str = TABLE_SUFFIXES[0]
    options: FormatOptions = _DEFAULTS

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.bundle.name

    @property
    def needs_audit(self) -> bool:
        """Whether the audit must be up to date."""
        return True

    @property
    def is_workbook(self) -> bool:
        """Whether all tables go into one file."""
        return suffix_of(self.out) == WORKBOOK

    def check(self, project: Path | None) -> None:
        """Raise UsageError or OutputError if it cannot be written."""
        del project  # has another suffix
        if not self.is_workbook and suffix_of(self.out) is not None:
            raise UsageError(
                "{name} is several tables; name a folder, or a file that ends with .xlsx.",
                name=self.name,
            )
        is_folder = self.out.is_dir() and not self.is_workbook
        check_folder(self.out / "file" if is_folder else self.out)

    def write(self, project: Path, progress: Report | None, cancelled: IsCancelled) -> ExportResult:
        """Write all of its views; `progress` counts tables. Raises what `export` raises."""
        counter = RowCounter(None, cancelled)

        def sheets(reader: Reader, views: Sequence[ExportView]) -> Iterator[Sheet]:
            for done, view in enumerate(views):
                if progress is not None:
                    progress(done, len(views))
                whole = whole_sheet(reader, ExportSelection(view), counter.check)
                blocks = whole.blocks and counter.watched(whole.blocks, whole.expected)
                rows = counter.watch(whole.rows, whole.expected)
                yield replace(whole, name=view.file_name, rows=rows, blocks=blocks)

        with Reader(project) as reader:
            views = self.bundle.views(reader)
            if self.is_workbook:
                files = self._write_workbook(sheets(reader, views or (ISSUES_OVERVIEW,)))
            else:
                files = self._write_folder(sheets(reader, views))
        if progress is not None:
            progress(len(views), len(views))
        return ExportResult(counter.rows, files)

    def _write_workbook(self, sheets: Iterator[Sheet]) -> tuple[Path, ...]:
        with OutputFiles(self.out) as output:
            with output_errors(self.out):
                write_workbook(output, sheets)
            return output.put_in_place()

    def _write_folder(self, sheets: Iterator[Sheet]) -> tuple[Path, ...]:
        write = FORMATS[self.suffix].write
        if write is None:
            raise BugError(f"no table can be a {self.suffix} file")
        with OutputFolder(self.out, self._earlier_files()) as output:
            with output_errors(self.out):
                for sheet in sheets:
                    write(output, sheet, self.options)
                    output.name(f"{sheet.name}{self.suffix}")
            return (*output.put_in_place(), self.out)

    def _earlier_files(self) -> list[str]:
        """The names of files in the folder that an earlier export of the bundle may have made."""
        if not self.out.is_dir():
            return []
        names = "|".join(self.bundle.file_names())
        of_bundle = re.compile(f"({names}){re.escape(self.suffix)}")
        with output_errors(self.out):
            return [path.name for path in self.out.iterdir() if of_bundle.fullmatch(path.name)]


Request: TypeAlias = ExportRequest | BundleRequest | ArchiveRequest


def _of_issues(
    view: Callable[[SiteRule, CrawlSettings], ExportView], reader: Reader
) -> Sequence[ExportView]:
    """A view for each issue found."""
    settings = reader.summary().settings
    return [view(RULES[number], settings) for number in reader.issue_counts() if number in RULES]


def _issue_files(pattern: Callable[[SiteRule], str]) -> Sequence[str]:
    return [pattern(rule) for rule in RULES.values()]


_TABLES: Final = tuple(
    view for view in VIEWS.values() if view.build is not None and view is not SITEMAP
)


def _all_views(reader: Reader) -> Sequence[ExportView]:
    """Every table; without sitemaps there is nothing to check against them."""
    return [view for view in _TABLES if view is not SITEMAP_CHECK or reader.has_sitemaps()]


def _files_of_all_views() -> Sequence[str]:
    return [view.file_name for view in _TABLES]


def _bundle(name: str, label: Sentence, views: Sequence[ExportView]) -> ViewBundle:
    """A bundle of the same views of any project."""
    return ViewBundle(name, label, lambda _: views, lambda: [view.file_name for view in views])


BUNDLES: Final = {
    bundle.name: bundle
    for bundle in (
        ViewBundle(
            "issues",
            "The URLs of each issue",
            partial(_of_issues, issue_view),
            partial(_issue_files, issue_file_pattern),
        ),
        ViewBundle(
            "issues_inlinks",
            "The links to the URLs of each issue",
            partial(_of_issues, issue_inlinks_view),
            partial(_issue_files, inlinks_file_pattern),
        ),
        _bundle("all_reports", "All reports", REPORTS),
        _bundle("all_tabs", "All element tabs", TABS),
        ViewBundle("all_views", "All views", _all_views, _files_of_all_views),
    )
}


def bundle_named(name: str) -> ViewBundle | None:
    """The bundle with this name, however it is spelled; None if there is none."""
    return BUNDLES.get(name_key(name))


def view_labels() -> dict[str, str]:
    """All names of views and bundles with their labels; NAME stands for that of an issue."""
    return {
        **{name: str(view.label) for name, view in VIEWS.items()},
        **{name: str(bundle.label) for name, bundle in BUNDLES.items()},
        **{name: str(export.label) for name, export in ARCHIVE_EXPORTS.items()},
        f"{ISSUE_PREFIX}NAME": "URLs of an issue, such as 'issue:H1: Missing'",
        f"{INLINKS_PREFIX}NAME": "Links to the URLs of an issue",
        **{end.value: f"{end.value.capitalize()} of the URLs given by --of" for end in LinkEnd},
    }
