"""Writes the archive of a project as a WACZ file: WARC files, their index and a list of pages.

https://specs.webrecorder.net/wacz/1.1.1/
"""

import hashlib
import json
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from gossamer import __version__
from gossamer.archive.cdxj import cdxj_lines, sorted_lines
from gossamer.archive.warc_parts import part_pieces
from gossamer.model.archive_captures import ArchivePart, Packing
from gossamer.model.fields.url_record import UrlRecord

_VERSION: Final = "1.1.1"
_SUFFIXES: Final = {Packing.NONE: ".warc", Packing.GZIP: ".warc.gz", Packing.ZSTD: ".warc.zst"}
_MODIFIED: Final = struct.pack("<HHBI", 0x5455, 5, 1, 315_532_800)
"""The moment of `ZipInfo` again, as a field that each file has twice: in its own header, and in the
directory. ReplayWeb.page (2.5.3) assumes the shortest possible header of a file if the directory
has no such field, although a field for sizes may follow there."""
_PAGES_FORMAT: Final = {"format": "json-pages-1.0", "id": "pages", "title": "All pages"}


class WaczPackage:
    """A WACZ file while it is written. Everything in it is stored uncompressed, for random access.

    `check` is called often, and raises if the writing is to end.
    """

    def __init__(self, package: zipfile.ZipFile, check: Callable[[], None]) -> None:
        """`package` is the empty ZIP file."""
        self._package = package
        self._check = check
        self._resources: list[dict[str, object]] = []

    def add(self, path: str, pieces: Iterable[bytes]) -> None:
        """Add a file to the package."""
        digest, size = self._write(path, pieces)
        name = path.rpartition("/")[2]
        self._resources.append({"name": name, "path": path, "hash": digest, "bytes": size})

    def describe(self, title: str, created: float, main_page: str) -> None:
        """Add the package's description of itself, last of all."""
        told = {
            "profile": "data-package",
            "wacz_version": _VERSION,
            "title": title,
            "created": _date(created),
            "software": f"Gossamer {__version__}",
            "mainPageUrl": main_page,
            "resources": self._resources,
        }
        digest, _ = self._write("datapackage.json", [json.dumps(told, indent=2).encode()])
        proof = {"path": "datapackage.json", "hash": digest}
        self._write("datapackage-digest.json", [json.dumps(proof, indent=2).encode()])

    def _write(self, path: str, pieces: Iterable[bytes]) -> tuple[str, int]:
        digest, size = hashlib.sha256(), 0
        member = zipfile.ZipInfo(path, date_time=(1980, 1, 1, 0, 0, 0))
        member.extra = _MODIFIED
        with self._package.open(member, "w", force_zip64=True) as file:
            for piece in pieces:
                self._check()
                file.write(piece)
                digest.update(piece)
                size += len(piece)
        return f"sha256:{digest.hexdigest()}", size


def add_archive(
    wacz: WaczPackage,
    parts: Sequence[ArchivePart],
    folder: Path,
    check: Callable[[], None],
    tell: Callable[[int, int], None],
) -> None:
    """Add WARC data and its index, which is sorted with the help of files in `folder`.

    `check` is called often, and raises if the writing is to end. `tell` receives the bytes that are
    copied or listed in the index, and the total.
    """
    names = _names(parts)
    done, total = 0, 2 * sum(part.size for part in parts)

    def on_position(position: int) -> None:
        check()
        tell(done + position, total)

    for part, name in zip(parts, names, strict=True):
        wacz.add(f"archive/{name}", _followed(part_pieces(part), on_position))
        done += part.size

    def lines() -> Iterator[str]:
        nonlocal done
        for part, name in zip(parts, names, strict=True):
            yield from cdxj_lines(part, name, on_position)
            done += part.size

    wacz.add("indexes/index.cdx", sorted_lines(lines(), folder))


def page_lines(pages: Iterable[UrlRecord], roots: frozenset[str]) -> Iterator[bytes]:
    """The list of pages, one JSON object per line."""
    yield f"{json.dumps(_PAGES_FORMAT)}\n".encode()
    for page in pages:
        told: dict[str, object] = {"id": str(page.id), "url": page.url}
        if page.fetched_at:
            told["ts"] = _date(page.fetched_at)
        if page.title:
            told["title"] = page.title
        if page.url in roots:
            told["seed"] = True
        yield f"{json.dumps(told)}\n".encode()


def _followed(pieces: Iterable[bytes], on_position: Callable[[int], None]) -> Iterator[bytes]:
    position = 0
    for piece in pieces:
        on_position(position)
        yield piece
        position += len(piece)


def _names(parts: Sequence[ArchivePart]) -> list[str]:
    """A name for each part, all different."""
    names: dict[str, None] = {}
    for number, part in enumerate(parts):
        plain = part.path.name
        suffix = _SUFFIXES[part.packing]
        stem = (
            plain.removesuffix(".gz")
            .removesuffix(".zst")
            .removesuffix(".warc")
            .removesuffix(".wacz")
        )
        name, again = f"{stem}{suffix}", number
        while name in names:
            name, again = f"{stem}-{again}{suffix}", again + 1
        names[name] = None
    return list(names)


def _date(moment_s: float) -> str:
    return (
        datetime.fromtimestamp(moment_s, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    )
