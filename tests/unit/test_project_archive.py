"""The archive of a project is copied with it: its own files, and nothing that they may lead to."""

import os
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from gossamer.archive.project_archive_files import kept_files
from gossamer.archive.record_copies import referred_record
from gossamer.archive.recorded_responses import recorded_response
from gossamer.archive.warc_reader import ArchiveReadError, read_dom, read_response
from gossamer.archive.warc_records import (
    HTTP_RESPONSE,
    WarcRecord,
    WarcType,
    field_line,
    member_of,
    new_id,
    warc_date,
)
from gossamer.model.archive_record import ArchiveRecord, RecordKind, archive_folder
from gossamer.model.errors import UsageError
from gossamer.session.project_archive import copy_archive

STAMP = "20261123120000-1"


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes with names")
def test_links_and_pipes_in_an_archive_are_not_copied(tmp_path: Path) -> None:
    """A pipe would keep the copy waiting for ever."""
    source, part, target = (tmp_path / f"{name}.gossamer" for name in ("a", "part", "b"))
    folder = archive_folder(source)
    folder.mkdir()
    own, link, pipe = (folder / f"a-{STAMP}-0000{number}.warc.gz" for number in range(3))
    own.write_bytes(b"record")
    (tmp_path / "secret").write_bytes(b"secret")
    link.symlink_to(tmp_path / "secret")
    os.mkfifo(pipe)
    copy_archive(source, part, target)
    assert [each.name for each in archive_folder(part).iterdir()] == [own.name]


URL = "https://a.test/"


def to_a_pipe(place: Path, _: Path) -> None:
    os.mkfifo(place)


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes with names")
@pytest.mark.parametrize("put", [Path.symlink_to, to_a_pipe])
def test_links_and_pipes_in_an_archive_are_not_read(
    tmp_path: Path, put: Callable[[Path, Path], None]
) -> None:
    """A copied project of a stranger may lead to any file of the user, or wait for ever."""
    project = tmp_path / "a.gossamer"
    folder = archive_folder(project)
    folder.mkdir()
    place = folder / f"a-{STAMP}-00000.warc.gz"
    record = response_in_archive(tmp_path / "elsewhere", place.name)
    assert read_response(tmp_path / "elsewhere", record, URL).body == b"secret"
    put(place, tmp_path / "elsewhere" / place.name)
    with pytest.raises(ArchiveReadError):
        read_response(folder, record, URL)
    with pytest.raises(ArchiveReadError):
        read_dom(folder, record, URL)
    assert referred_record(folder, record, URL) is None
    for read in (lambda: recorded_response(folder, record, URL), lambda: kept_files(project)):
        with pytest.raises(UsageError, match="is not a regular file but a link, a pipe"):
            read()


def response_in_archive(folder: Path, name: str) -> ArchiveRecord:
    """An archive file with a response for URL, and where that is."""
    folder.mkdir()
    digest = sha256(b"secret").digest()
    head, target = b"HTTP/1.1 200 OK\r\n\r\n", field_line("WARC-Target-URI", URL)
    record = WarcRecord(
        *(WarcType.RESPONSE, new_id(), warc_date(0.0), HTTP_RESPONSE, target, head),
        body=[b"secret"],
        payload=digest,
    )
    member = member_of(record)
    (folder / name).write_bytes(member)
    return ArchiveRecord(RecordKind.RESPONSE, name, 0, len(member), digest)
