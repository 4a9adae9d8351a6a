"""Bundles of views, which go into a folder as a CSV file each, or into one workbook."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import SiteRule
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.exporter import (
    Cancelled,
    ExportResult,
    Report,
    RowCounter,
    check_folder,
    export,
)
from gossamer.export.formats import suffix_of
from gossamer.export.issue_views import INLINKS_PREFIX, ISSUE_PREFIX, issue_inlinks_view, issue_view
from gossamer.export.output_files import OutputFiles, told
from gossamer.export.sheet import Sheet
from gossamer.export.view_catalogue import REPORTS, VIEWS
from gossamer.export.view_sheets import whole_sheet
from gossamer.export.xlsx_format import write_workbook
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.project_queries import LinkEnd
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader

_WORKBOOK: Final = ".xlsx"


@dataclass(frozen=True, slots=True)
class ViewBundle:
    """The declaration of a bundle: `views` tells which views of a project are in it."""

    name: str
    label: Sentence
    views: Callable[[Reader], Sequence[ExportView]]


@dataclass(frozen=True, slots=True)
class BundleRequest:
    """A requested export of a bundle; `out` is a folder, or a file whose suffix is .xlsx."""

    bundle: ViewBundle
    out: Path

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.bundle.name

    @property
    def needs_audit(self) -> bool:
        """Whether the audit has to be up to date."""
        return True

    def check(self, project: Path | None) -> None:
        """Raise UsageError or OutputError where it cannot be written."""
        del project  # has another suffix
        if suffix_of(self.out) == _WORKBOOK:
            check_folder(self.out)
        elif suffix_of(self.out) is not None:
            raise UsageError(
                "{name} is several tables; name a folder, or a file that ends with .xlsx.",
                name=self.name,
            )
        elif not self.out.is_dir():
            check_folder(self.out)

    def write(self, project: Path, progress: Report | None, cancelled: Cancelled) -> ExportResult:
        """Write all of its views. Raises what `export` raises."""
        with Reader(project) as reader:
            views = self.bundle.views(reader)
        if suffix_of(self.out) == _WORKBOOK:
            return self._write_workbook(project, views, RowCounter(progress, cancelled))
        with told(self.out):
            self.out.mkdir(exist_ok=True)
        done = [
            export(
                project,
                ExportSelection(view),
                self.out / f"{view.file_name}.csv",
                progress=progress,
                cancelled=cancelled,
            )
            for view in views
        ]
        files = tuple(file for each in done for file in each.files)
        return ExportResult(sum(each.rows for each in done), (*files, self.out))

    def _write_workbook(
        self, project: Path, views: Sequence[ExportView], counter: RowCounter
    ) -> ExportResult:
        if not views:
            raise OutputError("There is nothing to export, so no file was written.")

        def sheets(reader: Reader) -> Iterator[Sheet]:
            for view in views:
                whole = whole_sheet(reader, ExportSelection(view), counter.check)
                rows = counter.watch(whole.rows, whole.expected)
                yield replace(whole, name=view.file_name, rows=rows, blocks=None)

        with Reader(project) as reader, OutputFiles(self.out) as output:
            with told(self.out):
                write_workbook(output, sheets(reader))
            files = output.put_in_place()
        counter.report(counter.rows)
        return ExportResult(counter.rows, files)


def _of_issues(
    view: Callable[[SiteRule, CrawlSettings], ExportView], reader: Reader
) -> Sequence[ExportView]:
    """A view for each issue that there is."""
    settings = reader.summary().settings
    return [view(RULES[number], settings) for number in reader.issue_counts() if number in RULES]


BUNDLES: Final = {
    bundle.name: bundle
    for bundle in (
        ViewBundle("issues", "The URLs of each issue", partial(_of_issues, issue_view)),
        ViewBundle(
            "issues_inlinks",
            "The links to the URLs of each issue",
            partial(_of_issues, issue_inlinks_view),
        ),
        ViewBundle("all_reports", "All reports", lambda _: REPORTS),
    )
}


def view_labels() -> dict[str, str]:
    """All names of views and bundles with their labels; NAME stands for that of an issue."""
    return {
        **{name: str(view.label) for name, view in VIEWS.items()},
        **{name: str(bundle.label) for name, bundle in BUNDLES.items()},
        f"{ISSUE_PREFIX}NAME": "URLs of an issue, such as 'issue:H1: Missing'",
        f"{INLINKS_PREFIX}NAME": "Links to the URLs of an issue",
        **{end.value: f"{end.value.capitalize()} of the URLs given by --of" for end in LinkEnd},
    }
