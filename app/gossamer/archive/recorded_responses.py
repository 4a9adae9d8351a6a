"""Reads responses from the archive of a project as the wire had them, for the crawl's own parser.

`warc_reader` reads them whole, with headers and fields of the record apart.
"""

from pathlib import Path
from typing import BinaryIO

from gossamer.archive.captured_responses import CapturedResponse, read_capture, with_body_of
from gossamer.archive.captures import archived_url
from gossamer.archive.record_reader import RecordError, RecordReader
from gossamer.archive.warc_parts import reading_archive
from gossamer.model.archive_captures import ArchivePart, CaptureKind, Packing
from gossamer.model.archive_record import ArchiveRecord
from gossamer.store.locking.file_identity import open_file_itself
from gossamer.urls.url_parsing import without_userinfo


def recorded_response(folder: Path, record: ArchiveRecord, url: str) -> CapturedResponse:
    """The response of a record of `url`, which is no 304, with the body that it repeats.

    RecordError if there is none at that location, or if it is not what the project names: of
    another URL, or with a body of another digest. UsageError if the file cannot be read.
    """
    path = folder / record.file
    with reading_archive(path), open_file_itself(path) as file:
        part = ArchivePart(path, 0, file.seek(0, 2), Packing.GZIP)
        try:
            found = archived_url(RecordReader(file, part, record.offset).fields)
        except EOFError as e:
            raise RecordError("the archive ends before the record") from e
        if found != without_userinfo(url)[0]:
            raise RecordError("the record is of another URL")
        if record.payload_offset is None:
            return _response(file, part, record.offset, record.digest)
        revisit = read_capture(file, part, record.offset, CaptureKind.REVISIT, is_sent=True)
        original = _response(file, part, record.payload_offset, record.digest)
        return with_body_of(revisit, original)


def _response(file: BinaryIO, part: ArchivePart, offset: int, digest: bytes) -> CapturedResponse:
    return read_capture(file, part, offset, CaptureKind.RESPONSE, payload=digest, is_sent=True)
