"""The CDXJ index of an archive: a line for each capture, by which replay tools find it.

https://specs.webrecorder.net/cdxj/0.1.0/
"""

import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from gossamer.archive.capture_keys import dom_key, surt
from gossamer.archive.captures import (
    ScanReport,
    archived_time,
    archived_url,
    response_head_in,
    scanned,
)
from gossamer.archive.record_reader import RecordReader
from gossamer.archive.warc_records import DOM_ADDRESS
from gossamer.model.archive_captures import ArchivePart, CaptureKind
from gossamer.model.bounded_dict import drop_oldest

_KINDS: Final = {
    "response": CaptureKind.RESPONSE,
    "resource": CaptureKind.RESOURCE,
    "revisit": CaptureKind.REVISIT,
}
_RECENT: Final = 10_000
"""Non-GET requests whose responses may still come, and responses whose requests may."""
_LINES_IN_MEMORY: Final = 50_000
_NOT_MODIFIED: Final = 304


class _Line(NamedTuple):
    """An index line without length and file name."""

    ids: list[str]
    url: str
    time: float
    mime: str
    status: int
    digest: str
    offset: int


class _OtherRequest(NamedTuple):
    """The ids of a request that was no GET."""

    ids: list[str]


def cdxj_lines(
    part: ArchivePart, file_name: str, on_position: Callable[[int], None] = lambda _: None
) -> Iterator[str]:
    """The lines for the captures in `part`, the file `file_name`, in its order.

    Replay tools serve them for GET, so responses to other methods have none, in whichever order
    archive writers put response and request. A 304 has none either: pywb would show an empty page,
    not the response that it confirms. `on_position` gets the offset from time to time.
    """
    others: dict[str, None] = {}
    held = _HeldLines()
    records: Iterator[tuple[_Line | _OtherRequest, int]] = scanned(
        part, _read, ScanReport(), on_position
    )
    for found, length in records:
        if isinstance(found, _OtherRequest):
            held.withdraw(found.ids)
            others.update(dict.fromkeys(found.ids))
            if len(others) > _RECENT:
                drop_oldest(others)
        elif not any(each in others for each in found.ids):
            held.add(found.ids, _text(found, length, file_name))
            if len(held) > _RECENT:
                yield held.oldest()
    while len(held):
        yield held.oldest()


class _HeldLines:
    """Lines of responses, oldest first, held until their requests are known or did not come."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[list[str], str]] = {}
        self._numbers: dict[str, int] = {}
        """By the ids of a line."""
        self._added = 0

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, ids: list[str], line: str) -> None:
        self._added += 1
        self._lines[self._added] = ids, line
        self._numbers.update(dict.fromkeys(ids, self._added))

    def withdraw(self, ids: list[str]) -> None:
        for each in ids:
            self._lines.pop(self._numbers.pop(each, 0), None)

    def oldest(self) -> str:
        number = next(iter(self._lines))
        ids, line = self._lines.pop(number)
        for each in ids:
            if self._numbers.get(each) == number:
                del self._numbers[each]
        return line


def _read(reader: RecordReader, offset: int) -> _Line | _OtherRequest | None:
    fields = reader.fields
    named = fields.get("warc-type", "").lower()
    if named == "request":
        is_other = bool(reader.left) and not reader.read().startswith(b"GET ")
        return _OtherRequest(_ids(fields)) if is_other else None
    kind, url = _KINDS.get(named), archived_url(fields) or _dom_address(fields)
    if kind is None or not url:
        return None
    status, mime = response_head_in(reader, kind)
    if status == _NOT_MODIFIED:
        return None
    mime = "warc/revisit" if kind is CaptureKind.REVISIT else mime or "unk"
    time = archived_time(fields.get("warc-date", ""))
    digest = fields.get("warc-payload-digest", "-")
    return _Line(_ids(fields), url, time, mime, status, digest, offset)


def _dom_address(fields: Mapping[str, str]) -> str:
    """The target of a DOM record; "" for others that are no web address."""
    target = fields.get("warc-target-uri", "")
    return target if target.startswith(DOM_ADDRESS) else ""


def _ids(fields: Mapping[str, str]) -> list[str]:
    """The ids of a record and of others in the same exchange: either may name the other."""
    ids = (fields.get(name, "") for name in ("warc-record-id", "warc-concurrent-to"))
    return [each for each in ids if each]


def _text(line: _Line, length: int, file_name: str) -> str:
    stamp = datetime.fromtimestamp(line.time, UTC).strftime("%Y%m%d%H%M%S")
    told = {
        "url": line.url,
        "mime": line.mime,
        "status": str(line.status or "-"),
        "digest": line.digest,
        "length": str(length),
        "offset": str(line.offset),
        "filename": file_name,
    }
    key = dom_key(line.url) if line.url.startswith(DOM_ADDRESS) else surt(line.url)
    return f"{key} {stamp} {json.dumps(told)}"


def sorted_lines(lines: Iterable[str], folder: Path) -> Iterator[bytes]:
    """Lines in the order of their bytes, each with its end; runs are kept in `folder` meanwhile."""
    with ExitStack() as opened:
        runs: list[BinaryIO] = []
        remaining = iter(lines)
        while run := sorted(f"{line}\n".encode() for line in islice(remaining, _LINES_IN_MEMORY)):
            path = folder / f"run-{len(runs)}"
            path.write_bytes(b"".join(run))
            runs.append(opened.enter_context(path.open("rb")))
        yield from heapq.merge(*runs)
