"""Exports of the archived content of a site: as a WACZ file, or as a copy to browse from disk."""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gossamer.archive.archive_indexing import ensure_index
from gossamer.archive.indexed_responses import IndexedResponses
from gossamer.archive.project_archive_files import project_archive_files, project_archive_parts
from gossamer.archive.warc_parts import archive_parts
from gossamer.audit.rule_catalogue import name_key
from gossamer.export.exporter import ExportResult
from gossamer.export.output_files import OutputFiles, check_folder, output_errors
from gossamer.export.output_tree import OutputTree, check_new_folder
from gossamer.export.row_counter import IsCancelled, Report, RowCounter
from gossamer.export.wacz_package import WaczPackage, add_archive, page_lines
from gossamer.model.archive_captures import ArchivePart, Packing
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.errors import UsageError
from gossamer.model.project_queries import View
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import parse_root

_ZSTD: Final[Sentence] = (
    "{path} is compressed with Zstandard, which programs that show WACZ files do not read; unpack "
    "it (zstd -d), import it again, and export that project."
)


def source_of_archive(project: Path, reader: Reader) -> ArchiveSource:
    """The archive of a project: the one it was imported from, or its own next to it.

    UsageError if it has none.
    """
    source = reader.summary().settings.source
    return ArchiveSource(project_archive_files(project, reader)) if source is None else source


@dataclass(frozen=True, slots=True)
class ArchiveExport:
    """The declaration of an export of archived pages."""

    name: str
    label: Sentence
    suffix: str
    """The suffix of the file that is written; "" for a folder."""
    before_pages: int
    """The percentage of the work that precedes the pages."""
    check: Callable[[Path], None]
    write: Callable[[Path, Path, RowCounter, Report], tuple[Path, ...]]
    """Writes the archive of a project to a path; returns the written files, the main one last.

    The counter counts pages, the report receives what precedes them.
    """


@dataclass(frozen=True, slots=True)
class ArchiveRequest:
    """A requested export of archived pages to `out`."""

    export: ArchiveExport
    out: Path

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.export.name

    @property
    def needs_audit(self) -> bool:
        """Whether the audit has to be up to date."""
        return False

    def check(self, project: Path | None) -> None:
        """Raise UsageError or OutputError if it cannot be written."""
        del project  # has another suffix
        self.export.check(self.out)

    def write(self, project: Path, progress: Report | None, cancelled: IsCancelled) -> ExportResult:
        """Write it; `progress` receives percentages. Raises what `export` raises."""
        first = self.export.before_pages
        counter = RowCounter(_percentages(progress, first, 100), cancelled)
        files = self.export.write(project, self.out, counter, _percentages(progress, 0, first))
        counter.report(counter.rows)
        return ExportResult(counter.rows, files)


def _percentages(progress: Report | None, low: int, high: int) -> Report:
    """A callback for amounts, which calls `progress` with percentages, each once."""
    last = -1

    def tell(done: int, of: int) -> None:
        nonlocal last
        percent = low + (high - low) * done // of if of else high
        if progress is not None and percent != last:
            last = percent
            progress(percent, 100)

    return tell


def _check_wacz(out: Path) -> None:
    if out.suffix.lower() != ".wacz":
        raise UsageError("wacz is a WACZ file; name one that ends with .wacz.")
    check_folder(out)


def _parts(project: Path, reader: Reader, check: Callable[[], None]) -> list[ArchivePart]:
    source = reader.summary().settings.source
    if source is None:
        return project_archive_parts(project, reader)
    return [part for each in source.archives for part in archive_parts(Path(each), check)]


def _write_wacz(project: Path, out: Path, counter: RowCounter, tell: Report) -> tuple[Path, ...]:
    with Reader(project) as reader, OutputFiles(out) as output:
        parts = _parts(project, reader, counter.check)
        packed = next((part for part in parts if part.packing is Packing.ZSTD), None)
        if packed is not None:
            raise UsageError(_ZSTD, path=packed.path)
        summary = reader.summary()
        roots = tuple(map(parse_root, summary.settings.roots))
        pages = counter.watch(reader.iterate(View.PAGES), reader.view_counts().get(View.PAGES, 0))
        with (
            output_errors(out),
            output.part() as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as package,
        ):
            wacz = WaczPackage(package, counter.check)
            add_archive(wacz, parts, output.folder, counter.check, tell)
            wacz.add("pages/pages.jsonl", page_lines(pages, frozenset(roots)))
            wacz.describe(project.stem, summary.created_at, roots[0])
        return output.put_in_place()


def _write_offline(project: Path, out: Path, counter: RowCounter, tell: Report) -> tuple[Path, ...]:
    from gossamer.export.offline_copy import OfflineCopy  # noqa: PLC0415 - it alone needs parsers

    with Reader(project) as reader:
        source = source_of_archive(project, reader)

        def read(done: int, of: int) -> None:
            counter.check()
            tell(done, of)

        ensure_index(source, read)
        pages = counter.watch(reader.iterate(View.PAGES), reader.view_counts().get(View.PAGES, 0))
        with IndexedResponses(source) as responses, OutputTree(out) as tree:
            with output_errors(out):
                OfflineCopy(responses, tree, counter.check).write(pages, project.stem)
            return tree.put_in_place()


ARCHIVE_EXPORTS: Final = {
    export.name: export
    for export in (
        ArchiveExport("wacz", "Web archive (WACZ)", ".wacz", 95, _check_wacz, _write_wacz),
        ArchiveExport(
            "offline",
            "Offline copy of the archived pages",
            "",
            20,
            check_new_folder,
            _write_offline,
        ),
    )
}


def ensure_archive(project: Path) -> None:
    """Raise UsageError if a project has no archive, ProjectError if it cannot be read."""
    with Reader(project) as reader:
        source_of_archive(project, reader)


def archive_export_named(name: str) -> ArchiveExport | None:
    """The export with this name, however it is spelled; None if there is none."""
    return ARCHIVE_EXPORTS.get(name_key(name))
