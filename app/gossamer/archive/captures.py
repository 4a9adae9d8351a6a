"""Lists the captures in an archive: the response for each URL, its time and its location."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import BinaryIO, Final, TypeVar

from msgspec import Struct

from gossamer.archive.record_reader import RecordError, RecordReader
from gossamer.archive.response_blocks import split_response
from gossamer.archive.warc_parts import reading_archive
from gossamer.archive.warc_records import ELAPSED_MS, FIELDS, TTFB_MS
from gossamer.model.archive_captures import (
    ArchivePart,
    Capture,
    CaptureKind,
    FetchTime,
    IndexEntry,
    OtherMethod,
    Packing,
)
from gossamer.model.errors import UsageError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.translatable import Sentence
from gossamer.urls.url_parsing import is_http, join, url_key

T = TypeVar("T")
_SEARCHED_BYTES: Final = 1 << 20
_BEGINNINGS: Final = {
    Packing.NONE: b"WARC/1.",
    Packing.GZIP: b"\x1f\x8b\x08",
    Packing.ZSTD: b"\x28\xb5\x2f\xfd",
}
"""The first bytes of a record."""
_STATUS: Final = lazy_pattern(r"HTTP/[0-9.]+ +([0-9]{3})")
_ARC_DATE_DIGITS: Final = 14
_FIRST_MOMENT: Final = "00000101000000"
"""The first moment of a year: it completes less precise dates, which WARC 1.1 permits."""
_MONTH: Final = lazy_pattern(r"[0-9]{4}-[0-9]{2}")
_SUCCESS: Final = range(200, 300)
_YEARS: Final = range(1970, 9999)
_MS_DIGITS: Final = 9
"""Nobody waits for a response for longer than that many digits of milliseconds."""
_HTML_TYPES: Final = ("text/html", "application/xhtml+xml")
_MIXED: Final[Mapping[Packing, Sentence]] = {
    Packing.GZIP: (
        "{path} is compressed partly record by record and partly as a whole, so no record in it "
        "can be found again; unpack it first: gunzip {path}"
    ),
    Packing.ZSTD: (
        "{path} is compressed partly record by record and partly as a whole, so no record in it "
        "can be found again; unpack it first: zstd -d {path}"
    ),
}
"""Of a file whose first record is compressed alone, and a later one is not."""


class ScanReport(Struct):
    """Counts of what is not a capture, made while an archive is read."""

    records: int = 0
    damaged: int = 0
    """How often no record could be read: these parts were skipped."""


def captures_in(
    part: ArchivePart, report: ScanReport, on_position: Callable[[int], None] = lambda _: None
) -> Iterator[IndexEntry]:
    """All captures in `part`, and what tells more about them, in the order of their records.

    Raises as `scanned` does.

    Damaged parts are skipped and counted. `on_position` gets the offset from time to time.
    """
    found: Iterator[tuple[IndexEntry, int]] = scanned(part, _found, report, on_position)
    for each, _length in found:
        yield each


def scanned(
    part: ArchivePart,
    read: Callable[[RecordReader, int], T | None],
    report: ScanReport,
    on_position: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[T, int]]:
    """The results of `read` for the records in `part`, in their order, with their lengths.

    `read` gets each record, at the beginning of its content, and its offset, and may read on; None
    results are dropped. `on_position` gets the offset of each record, for a long one several times,
    and may raise. UsageError for what cannot be read or used.
    """
    offset = 0
    with reading_archive(part.path), part.path.open("rb") as file:
        while offset < part.size:
            on_position(offset)
            try:
                reader = RecordReader(file, part, offset)
                found = read(reader, offset)
                following = reader.skip(partial(on_position, offset))
            except EOFError:
                return
            except RecordError:
                report.damaged += 1
                following = _next_beginning(file, part, offset, on_position)
            else:
                report.records += 1
                if part.packing in _MIXED and reader.begins_another:
                    raise UsageError(_MIXED[part.packing], path=part.path)
                if found is not None:
                    yield found, following - offset
            offset = max(following, offset + 1)


def _next_beginning(
    file: BinaryIO, part: ArchivePart, offset: int, on_position: Callable[[int], None]
) -> int:
    """Where the next record may begin after `offset`; the size of the part if there is none."""
    beginning = _BEGINNINGS[part.packing]
    place = part.start + offset + 1
    end = part.start + part.size
    while place < end:
        on_position(place - part.start)
        file.seek(place)
        data = file.read(min(_SEARCHED_BYTES, end - place))
        found = data.find(beginning)
        if found >= 0:
            return place + found - part.start
        if len(data) < _SEARCHED_BYTES:
            break
        place += len(data) - len(beginning) + 1
    return part.size


def _found(reader: RecordReader, offset: int) -> IndexEntry | None:
    match reader.fields.get("warc-type", "").lower():
        case "request":
            return _other_method(reader)
        case "metadata":
            return _fetch_time(reader)
    return _capture(reader, offset)


def _capture(reader: RecordReader, offset: int) -> Capture | None:
    fields = reader.fields
    match fields.get("warc-type", "").lower():
        case "response":
            kind = CaptureKind.RESPONSE
            if not fields.get("content-type", "application/http").startswith("application/http"):
                return None
        case "resource":
            kind = CaptureKind.RESOURCE
        case "revisit":
            kind = CaptureKind.REVISIT
        case _:
            return None
    url = archived_url(fields)
    if not url:
        return None
    status, content_type = response_head_in(reader, kind)
    return Capture(
        url=url,
        time=archived_time(fields.get("warc-date", "")),
        offset=offset,
        kind=kind,
        status=status,
        is_page=status in _SUCCESS and content_type in _HTML_TYPES,
        record=_key(fields, "warc-record-id"),
        concurrent=_key(fields, "warc-concurrent-to"),
        digest=_key(fields, "warc-payload-digest"),
        refers_url=archived_url(fields, "warc-refers-to-target-uri"),
        refers_time=archived_time(fields.get("warc-refers-to-date", "")),
    )


def _other_method(reader: RecordReader) -> OtherMethod | None:
    method = reader.read()[:5].partition(b" ")[0] if reader.left else b"GET"
    if method == b"GET":
        return None
    keys = (_key(reader.fields, name) for name in ("warc-record-id", "warc-concurrent-to"))
    return OtherMethod(method == b"HEAD", tuple(filter(None, keys)))


def _fetch_time(reader: RecordReader) -> FetchTime | None:
    """The times in a metadata record, as ours and Heritrix's have them."""
    record = _key(reader.fields, "warc-concurrent-to")
    if not record or not reader.fields.get("content-type", "").startswith(FIELDS):
        return None
    lines = reader.read().decode("utf-8", "replace").splitlines()
    pairs = [line.partition(":")[::2] for line in lines]
    values = {name.strip(): value.strip() for name, value in pairs}
    ttfb_ms, elapsed_ms = (_milliseconds(values.get(name, "")) for name in (TTFB_MS, ELAPSED_MS))
    return FetchTime(record, ttfb_ms, elapsed_ms) if elapsed_ms else None


def _milliseconds(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MS_DIGITS else 0


def archived_url(fields: Mapping[str, str], name: str = "warc-target-uri") -> str:
    """The URL as jobs spell it; "" for none, and for what is no web address.

    Old versions of Wget write it in angle brackets.
    """
    text = fields.get(name, "").removeprefix("<").removesuffix(">")
    if not is_http(text.lower()):
        return ""
    return join("http://archive.invalid/", text) or ""


def _key(fields: Mapping[str, str], name: str) -> int:
    text = fields.get(name, "")
    return url_key(text) if text else 0


def response_head_in(reader: RecordReader, kind: CaptureKind) -> tuple[int, str]:
    """Status and content type of a response; 0 for a revisit without a status."""
    if kind is CaptureKind.RESOURCE:
        return 200, _essence(reader.fields.get("content-type", ""))
    head, _ = split_response(reader)
    lines = re.split(rb"\r?\n", head)
    status = _STATUS.match(lines[0].decode("latin-1"))
    content_type = ""
    for line in lines[1:]:
        if not line:
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-type":
            content_type = value.decode("latin-1")
    return int(status[1]) if status else 0, _essence(content_type)


def _essence(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def archived_time(text: str) -> float:
    """Unix time of a WARC-Date, or of the 14 digits of an ARC file; 0.0 for anything else.

    A year or month alone stands for its first moment.

    It also accepts impossible years, some of which not all time zones can represent.
    """
    try:
        if text.isdecimal():
            digits = text[:_ARC_DATE_DIGITS] + _FIRST_MOMENT[len(text) :]
            moment = datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        else:
            moment = datetime.fromisoformat(f"{text}-01" if _MONTH.fullmatch(text) else text)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(moment.timestamp(), 0.0) if moment.year in _YEARS else 0.0
    except (ValueError, OverflowError):
        return 0.0
