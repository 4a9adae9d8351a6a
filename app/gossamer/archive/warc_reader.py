"""Reads responses and DOMs from the files of an archive, at the locations the project names."""

import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct
from msgspec.structs import replace

from gossamer.archive.record_reader import MAX_RECORD_BYTES
from gossamer.archive.warc_records import DOM_ADDRESS, END, TRANSFER_ENCODING, WarcType
from gossamer.fetch.content_decoding import DecodingError, decoder_for
from gossamer.model.archive_record import ArchiveRecord, RecordKind
from gossamer.store.locking.file_identity import open_file_itself
from gossamer.urls.url_parsing import without_fragment, without_userinfo

_READ_BYTES: Final = 1 << 16
_HEAD_BYTES: Final = 1 << 11
_VERSION: Final = b"WARC/1."


class ArchiveReadError(Exception):
    """The record is missing or incomplete: the file was changed, or it is damaged."""


class OtherResponseError(ArchiveReadError):
    """A complete record is there, but not the one that the project names."""


class StoredResponse(Struct, frozen=True):
    """A response as it was archived.

    `headers` are in order, as received; the body is without transfer coding, and Transfer-Encoding
    has another name. `warc_fields` are those of the record, names in lower case. `truncated` says
    why the body is incomplete, "" if it is complete. `body` is None if the record has none and
    repeats none: a 304.
    """

    url: str
    date: str
    version: tuple[int, int]
    status: int
    reason: str
    headers: list[tuple[bytes, bytes]]
    body: bytes | None
    truncated: str
    warc_fields: dict[str, str]

    def values(self, name: bytes) -> list[bytes]:
        """The values of the headers of that name, which is in lower case."""
        return [value for each, value in self.headers if each.lower() == name]

    @property
    def codings(self) -> str:
        """The codings of the body, in the order in which they were applied."""
        both = (*self.values(b"content-encoding"), *self.values(TRANSFER_ENCODING.lower()))
        return ", ".join(value.decode("latin-1") for value in both)

    def decoded(self, max_bytes: int) -> tuple[bytes, bool]:
        """Up to `max_bytes` of the body without its content coding, and whether that is all.

        Damaged or cut bodies are decoded as far as possible.
        """
        if self.body is None:
            return b"", False
        try:
            decoder = decoder_for(self.codings)
            if decoder is None:
                return self.body[:max_bytes], len(self.body) <= max_bytes and not self.truncated
            data = bytearray()
            for piece in decoder.pieces(self.body):
                data += piece
                if len(data) > max_bytes:
                    return bytes(data[:max_bytes]), False
        except DecodingError:
            return bytes(data), False
        return bytes(data), decoder.complete and not self.truncated


class StoredDom(Struct, frozen=True):
    """The DOM that scripts made of a page, as HTML in UTF-8.

    `date` is when the page was requested, in ISO 8601. `is_cut` if there was more of it.
    """

    date: str
    markup: bytes
    is_cut: bool


def read_response(folder: Path, record: ArchiveRecord, url: str) -> StoredResponse:
    """The response of a record of `url`, with the body that it repeats if it is a revisit.

    That of a view behind "#/" is the response of its document.

    ArchiveReadError if there is none at that location, OtherResponseError if it is the response of
    another URL, or its body does not have the digest in the project.
    """
    response = _read(folder, record)
    if response.url != (record.url or without_userinfo(without_fragment(url))[0]):
        raise OtherResponseError("the record is of another URL")
    if response.body is not None and sha256(response.body).digest() != record.digest:
        raise OtherResponseError("the body has another digest")
    return response


def read_dom(folder: Path, record: ArchiveRecord, url: str) -> StoredDom:
    """The DOM of the page at `url` in a record. Raises as `read_response` does."""
    try:
        with open_file_itself(folder / record.file) as file:
            fields, markup = _block_in(b"".join(member_at(file, record.offset)))
    except (OSError, ValueError) as e:
        raise ArchiveReadError(str(e)) from e
    if fields.get("warc-target-uri") != DOM_ADDRESS + without_userinfo(url)[0]:
        raise OtherResponseError("the record is of another page")
    if sha256(markup).digest() != record.digest:
        raise OtherResponseError("the DOM has another digest")
    return StoredDom(fields.get("warc-date", ""), markup, "warc-truncated" in fields)


def _block_in(record: bytes) -> tuple[dict[str, str], bytes]:
    """The fields and the block of an unpacked DOM record; ValueError if it is none."""
    fields, start, stop = _parts_of(record)
    if fields.get("warc-type") != WarcType.RESOURCE:
        raise ValueError("the record is no resource")
    return fields, record[start:stop]


def _parts_of(record: bytes) -> tuple[dict[str, str], int, int]:
    """The fields of an unpacked record, and where its block begins and ends."""
    end = record.find(END)
    fields = _fields(record[: max(end, 0)])
    start = end + len(END)
    return fields, start, start + int(fields.get("content-length", "0"))


def _read(folder: Path, record: ArchiveRecord) -> StoredResponse:
    try:
        with open_file_itself(folder / record.file) as file:
            response = response_in(b"".join(member_at(file, record.offset)))
            if record.kind is RecordKind.NOT_MODIFIED:
                return _with_body(response, None)
            if record.payload_offset is None:
                return response
            repeated = response_in(b"".join(member_at(file, record.payload_offset)))
    except (OSError, ValueError) as e:
        raise ArchiveReadError(str(e)) from e
    return _with_body(response, repeated.body)


def member_at(file: BinaryIO, offset: int) -> Iterator[bytes]:
    """The gzip member at `offset`, unpacked. ValueError if it is missing or incomplete."""
    file.seek(offset)
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    size = 0
    try:
        while not inflate.eof:
            packed = inflate.unconsumed_tail or file.read(_READ_BYTES)
            if not packed:
                raise ValueError("the record is not whole")
            piece = inflate.decompress(packed, _READ_BYTES)
            size += len(piece)
            if size > MAX_RECORD_BYTES:
                raise ValueError("the record is too large")
            yield piece
    except zlib.error as e:
        raise ValueError(str(e)) from e


def fields_at(file: BinaryIO, offset: int) -> dict[str, str]:
    """The fields of the record at `offset`, names in lower case; ValueError if there is none.

    Only as much as necessary is unpacked.
    """
    file.seek(offset)
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    data = b""
    try:
        while END not in data and not inflate.eof and len(data) < _READ_BYTES:
            packed = inflate.unconsumed_tail or file.read(_HEAD_BYTES)
            if not packed:
                break
            data += inflate.decompress(packed, _HEAD_BYTES)
    except zlib.error as e:
        raise ValueError(str(e)) from e
    head, end, _ = data.partition(END)
    if not end:
        raise ValueError("no WARC record stands there")
    return _fields(head)


def _fields(head: bytes) -> dict[str, str]:
    line, *lines = head.decode("utf-8", "replace").split("\r\n")
    if not line.encode().startswith(_VERSION):
        raise ValueError("no WARC record stands there")
    pairs = (each.partition(":")[::2] for each in lines)
    return {name.strip().lower(): value.strip() for name, value in pairs}


def response_in(record: bytes) -> StoredResponse:
    """The response in an unpacked record; ValueError if there is none."""
    fields, start, stop = _parts_of(record)
    if fields.get("warc-type") not in {"response", "revisit"}:
        raise ValueError("the record is no response")
    # A body may be large: it is copied once.
    http_end = record.find(END, start, stop)
    http_end = stop if http_end < 0 else http_end
    status_line, *header_lines = record[start:http_end].split(b"\r\n")
    protocol, _, rest_of_line = status_line.partition(b" ")
    status, _, reason = rest_of_line.partition(b" ")
    major, _, minor = protocol.partition(b"/")[2].partition(b".")
    headers = [each.partition(b":")[::2] for each in header_lines]
    return StoredResponse(
        url=fields.get("warc-target-uri", ""),
        date=fields.get("warc-date", ""),
        version=(int(major), int(minor)),
        status=int(status),
        reason=reason.decode("utf-8", "surrogateescape"),
        headers=[(name, value.strip(b" \t")) for name, value in headers],
        body=record[http_end + len(END) : stop],
        truncated=fields.get("warc-truncated", ""),
        warc_fields=fields,
    )


def _with_body(response: StoredResponse, body: bytes | None) -> StoredResponse:
    return replace(response, body=body)
