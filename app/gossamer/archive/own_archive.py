"""The archive that a project keeps beside it: its files, and why they cannot be read."""

from pathlib import Path
from typing import Final

from gossamer.archive.archive_files import kept_files
from gossamer.model.archive_record import archive_folder
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Sentence
from gossamer.store.locking.file_identity import file_of
from gossamer.store.reading.reader import Reader

FOLDER_MISSING: Final[Sentence] = (
    "The archive folder {path} is missing; put it back beside the project file."
)
_ON_NODES: Final[Sentence] = (
    "The archive of {project} is on nodes of a cluster, such as in {there} on {node}; copy the "
    "files to {here} first."
)
_NOTHING_KEPT: Final[Sentence] = (
    "{project} has no archive. Turn on Keep pages (--archive) before a crawl, or import a web "
    "archive."
)


def own_archive(project: Path, reader: Reader) -> tuple[str, ...]:
    """The absolute paths of the files of a project's archive; UsageError where there are none."""
    file = file_of(project)
    kept = kept_files(file)
    if kept:
        return kept
    here = archive_folder(file)
    if remote := reader.remote_archives():
        node, there = remote[0].node, remote[0].folder
        raise UsageError(_ON_NODES, project=project, node=node, there=there, here=here)
    if reader.has_archive() and not here.is_dir():
        raise UsageError(FOLDER_MISSING, path=here)
    raise UsageError(_NOTHING_KEPT, project=project)
