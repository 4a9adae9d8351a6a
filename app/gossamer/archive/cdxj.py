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
from urllib.parse import urlsplit

from gossamer.archive.captures import (
    ScanReport,
    answer_head,
    archived_time,
    archived_url,
    scanned,
)
from gossamer.archive.record_reading import RecordReader
from gossamer.model.archive_captures import ArchivePart, CaptureKind
from gossamer.model.bounded_dict import drop_oldest

_KINDS: Final = {
    "response": CaptureKind.RESPONSE,
    "resource": CaptureKind.RESOURCE,
    "revisit": CaptureKind.REVISIT,
}
_RECENT: Final = 10_000
"""Requests that were no GET and whose answers may be yet to come."""
_LINES_IN_MEMORY: Final = 50_000


class _Line(NamedTuple):
    """What a line of the index says, but for length and file name."""

    url: str
    time: float
    mime: str
    status: int
    digest: str
    offset: int


def cdxj_lines(
    part: ArchivePart, file_name: str, on_position: Callable[[int], None] = lambda _: None
) -> Iterator[str]:
    """The lines for the captures in `part`, which stands under `file_name`; in its order.

    `on_position` gets the offset from time to time.
    """
    others: dict[str, None] = {}

    def read(reader: RecordReader, offset: int) -> _Line | None:
        fields = reader.fields
        named = fields.get("warc-type", "").lower()
        if named == "request":
            if reader.left and not reader.read().startswith(b"GET "):
                others.update(dict.fromkeys(_ids(fields)))
                if len(others) > _RECENT:
                    drop_oldest(others)
            return None
        kind, url = _KINDS.get(named), archived_url(fields)
        if kind is None or not url or any(each in others for each in _ids(fields)):
            return None
        status, mime = answer_head(reader, kind)
        mime = "warc/revisit" if kind is CaptureKind.REVISIT else mime or "unk"
        time = archived_time(fields.get("warc-date", ""))
        return _Line(url, time, mime, status, fields.get("warc-payload-digest", "-"), offset)

    for line, length in scanned(part, read, ScanReport(), on_position):
        yield _text(line, length, file_name)


def _ids(fields: Mapping[str, str]) -> list[str]:
    """The ids of a record, and of what it is of the same exchange as: either may name the other."""
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
    return f"{surt(line.url)} {stamp} {json.dumps(told)}"


def surt(url: str) -> str:
    """The key of a serialised URL: its host turned round, so that a site's pages are neighbours.

    As replay tools make it: without "www.", user, fragment and final slash, in lower case, with
    the parameters of the query in order.
    """
    parts = urlsplit(url.lower())
    host = parts.netloc.rpartition("@")[2]
    host = host.removesuffix(f":{parts.port}")  # an IPv6 address has colons
    if host.startswith("www") and host.partition(".")[0][3:].strip("0123456789") == "":
        host = host.partition(".")[2] or host
    port = f":{parts.port}" if parts.port else ""
    turned = ",".join(reversed(host.split(".")))
    path = parts.path.rstrip("/") or "/"
    query = "&".join(sorted(parts.query.split("&")))
    return f"{turned}{port}){path}" + (f"?{query}" if query else "")


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
