"""Copies records of one archive into another unchanged: nothing is recompressed."""

import zlib
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from msgspec.structs import replace

from gossamer.archive.archive_files import ArchiveFiles, RecordLocation
from gossamer.archive.warc_reader import (
    ArchiveReadError,
    OtherResponseError,
    StoredResponse,
    fields_at,
    response_in,
)
from gossamer.model.archive_record import ArchiveRecord, RecordKind, ReferredRecord
from gossamer.model.bounded_dict import drop_oldest
from gossamer.store.locking.file_identity import open_file_itself
from gossamer.urls.url_parsing import without_userinfo

MOST_COPIED_BYTES: Final = 1 << 24
"""Per record: a larger one is requested again."""
_MOST_UNPACKED_BYTES: Final = 1 << 26
_READ_BYTES: Final = 1 << 16
_MAX_PLACES: Final = 20_000


def referred_record(folder: Path, record: ArchiveRecord, url: str) -> ReferredRecord | None:
    """The reference from a 304 for `url` to the record with the body.

    None if it is missing, belongs to something else, is incomplete, or is too large to copy.
    """
    if record.kind is RecordKind.NOT_MODIFIED or record.length > MOST_COPIED_BYTES:
        return None
    try:
        with open_file_itself(folder / record.file) as file:
            own = fields_at(file, record.offset)
            if own.get("warc-target-uri") != (record.url or without_userinfo(url)[0]):
                return None
            has_body = record.payload_offset is None
            fields = own if has_body else fields_at(file, record.payload_offset or 0)
    except (OSError, ValueError):
        return None
    if "warc-truncated" in fields:
        return None
    record_id, asked = fields.get("warc-record-id", ""), fields.get("warc-target-uri", "")
    return ReferredRecord(record_id, asked, fields.get("warc-date", ""), record.digest)


class RecordCopies:
    """Copies records into its own files, with the bodies that they repeat: each once per file."""

    def __init__(self, files: ArchiveFiles) -> None:
        """Copy to `files`."""
        self._files = files
        self._file = ""
        self._locations: dict[tuple[str, int], RecordLocation] = {}
        """Records in the file being written, by their source file and the offset there.

        Others may repeat the body of any of them.
        """

    def close(self) -> None:
        """End the file being written."""
        self._files.close()

    def copy(self, folder: Path, record: ArchiveRecord, url: str) -> ArchiveRecord:
        """Copy a record of `url` from the archive in `folder`; returns its new location.

        ArchiveReadError if it is missing or incomplete, OSError if the disk rejects it.
        """
        packed, payload = _read(folder, record, url)
        name = self._files.begin()
        if name != self._file:
            self._file = name
            self._locations.clear()
        payload_offset = None
        if record.payload_offset is not None:
            source = (record.file, record.payload_offset)
            payload_offset = self._placed(source, payload).offset
        place = self._placed((record.file, record.offset), packed)
        return replace(
            record,
            file=place.file,
            offset=place.offset,
            length=place.length,
            payload_offset=payload_offset,
            node="",
            folder="",
        )

    def _placed(self, source: tuple[str, int], packed: bytes) -> RecordLocation:
        place = self._locations.get(source)
        if place is None:
            place = self._locations[source] = self._files.append([packed])
            if len(self._locations) > _MAX_PLACES:
                drop_oldest(self._locations)
        return place


def _read(folder: Path, record: ArchiveRecord, url: str) -> tuple[bytes, bytes]:
    """The raw member of a record, and that of the body it repeats, if it does."""
    try:
        with open_file_itself(folder / record.file) as file:
            packed, response = _response_at(file, record.offset, record.length)
            repeated, original = b"", response
            if record.payload_offset is not None:
                repeated, original = _response_at(file, record.payload_offset)
    except (OSError, ValueError, zlib.error) as e:
        raise ArchiveReadError(str(e)) from e
    if response.url != (record.url or without_userinfo(url)[0]):
        raise OtherResponseError("the record is of another URL")
    if sha256(original.body or b"").digest() != record.digest:
        raise OtherResponseError("the body has another digest")
    return packed, repeated


def _response_at(
    file: BinaryIO, offset: int, length: int = _READ_BYTES
) -> tuple[bytes, StoredResponse]:
    """The raw gzip member at `offset`, and the response in it.

    It may be longer than `length`, which is read first.
    """
    file.seek(offset)
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    packed, unpacked = bytearray(), bytearray()
    wanted = min(max(length, 1), MOST_COPIED_BYTES)
    while not inflate.eof:
        piece = file.read(wanted)
        packed += piece
        unpacked += inflate.decompress(piece, _MOST_UNPACKED_BYTES)
        is_too_large = len(packed) > MOST_COPIED_BYTES or len(unpacked) >= _MOST_UNPACKED_BYTES
        if not piece or inflate.unconsumed_tail or (is_too_large and not inflate.eof):
            raise ValueError("the record is not whole, or too large")
        wanted = _READ_BYTES
    length = len(packed) - len(inflate.unused_data)
    return bytes(packed[:length]), response_in(bytes(unpacked))
