"""The archive folder of a project: its files, and why they cannot be read."""

from pathlib import Path
from typing import Final

from gossamer.archive.warc_parts import NOT_A_FILE, archive_parts
from gossamer.model.archive_captures import ArchivePart
from gossamer.model.archive_record import FILE_SUFFIX, archive_folder, is_archive_file
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Sentence
from gossamer.store.locking.file_identity import file_of, is_file_itself
from gossamer.store.reading.reader import Reader

FOLDER_MISSING: Final[Sentence] = (
    "The archive folder {path} is missing; put it back beside the project file."
)
_ON_NODES: Final[Sentence] = (
    "The archive of {project} is on nodes of a cluster, such as in {there} on {node}; copy the "
    "files to {here} first."
)
_FILE_ON_NODE: Final[Sentence] = (
    "{name} of the archive is on the node {node}; copy it from {there} to {here}, or create an "
    "empty file of that name there to continue without its contents."
)
_NOTHING_KEPT: Final[Sentence] = (
    "{project} has no archive. Turn on Keep pages (--archive) before a crawl, or import a web "
    "archive."
)


def project_archive_files(project: Path, reader: Reader) -> tuple[str, ...]:
    """The absolute paths of the files of a project's archive.

    UsageError if there are none, if one is a link or a pipe, or if some are on nodes of a cluster.
    """
    file = file_of(project)
    here = archive_folder(file)
    kept = kept_files(file)
    if kept:
        missing = (
            each for each in reader.remote_archive_files() if not (here / each.name).exists()
        )
        for name, node, there in missing:
            raise UsageError(_FILE_ON_NODE, name=name, node=node, there=there, here=here)
        return kept
    if remote := reader.remote_archives():
        node, there = remote[0].node, remote[0].folder
        raise UsageError(_ON_NODES, project=project, node=node, there=there, here=here)
    if reader.has_archive() and not here.is_dir():
        raise UsageError(FOLDER_MISSING, path=here)
    raise UsageError(_NOTHING_KEPT, project=project)


def kept_files(project: Path) -> tuple[str, ...]:
    """The absolute paths of the files with content in the archive of a project, by name.

    UsageError if one is a link or a pipe: see `is_file_itself`.
    """
    files = sorted(archive_folder(project).glob(f"*{FILE_SUFFIX}"))
    for each in files:
        if not (is_file_itself(each) or each.is_dir()):  # which nothing can open as a file
            raise UsageError(NOT_A_FILE, path=each)
    return tuple(str(each.absolute()) for each in files if each.stat().st_size)


def project_archive_parts(project: Path, reader: Reader) -> list[ArchivePart]:
    """The WARC data of a project's archive, as far as the project names records in its files.

    What follows them is in flight, or torn: a killed node leaves that behind. Raises as
    `project_archive_files` does.
    """
    paths = [Path(each) for each in project_archive_files(project, reader)]
    ends = reader.archive_ends()
    found = [part for path in paths for part in archive_parts(path)]
    cut = [
        part._replace(size=min(part.size, ends.get(part.path.name, 0)))
        if is_archive_file(part.path.name)
        else part
        for part in found
    ]
    if not any(part.size for part in cut):
        raise UsageError(_NOTHING_KEPT, project=project)
    return [part for part in cut if part.size]
