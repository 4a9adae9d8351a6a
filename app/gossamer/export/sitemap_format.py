"""Writes XML sitemaps and their index (https://www.sitemaps.org/protocol.html)."""

import gzip
import html
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast
from urllib.parse import quote

from gossamer.export.output_files import OutputFiles
from gossamer.export.sheet import Cell, FormatOptions, Row, Sheet
from gossamer.export.sitemap_sheet import ALTERNATES
from gossamer.model.errors import UsageError
from gossamer.urls.url_parsing import origin, parse_root

MAX_URLS = 50_000
"""Addresses per sitemap."""
MAX_BYTES = 50 * 1024 * 1024
"""Of one sitemap before it is compressed."""
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_HEAD = f'{_XML}<urlset xmlns="{_NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'.encode()
_FOOT = b"</urlset>\n"
_INDEX_HEAD = f'{_XML}<sitemapindex xmlns="{_NAMESPACE}">\n'.encode()
_INDEX_FOOT = b"</sitemapindex>\n"
_GZIP = ".gz"


def sitemap_folder(text: str) -> str:
    """The URL of the folder with the sitemaps that a user means by `text`; UsageError for others.

    Names of files are appended to it.
    """
    if not {"?", "#"}.isdisjoint(text):
        raise UsageError(
            "Sitemaps are served from a folder, so its URL has no query and no fragment: {url}",
            url=text.strip(),
        )
    return parse_root(text)


def write_sitemaps(output: OutputFiles, sheet: Sheet, options: FormatOptions) -> None:
    """Write the sheet of a sitemap, whose rows begin with address and time of change.

    A column ALTERNATES has the versions in other languages.

    What fits into one sitemap goes into `output.path`. More goes into several numbered ones next to
    it, and `output.path` is their index. All are compressed if its name ends with ".gz". Without an
    address nothing is written: search engines refuse an empty sitemap.
    """
    first = next(sheet.rows, None)
    if first is None:
        return
    base = options.base or f"{origin(str(first[0]))}/"
    place = sheet.columns.index(ALTERNATES) if ALTERNATES in sheet.columns else None
    entries = _Entries(first, sheet.rows, place, lastmod=options.lastmod)
    number = 0
    while entries.more:
        with _compressed(output, output.path) as file:
            entries.fill(file)
        number += 1
    if number == 1:
        return
    paths = [_numbered(output.path, n) for n in range(1, number + 1)]
    for n, path in enumerate(paths):
        output.rename(n, path)
    with _compressed(output, output.path) as file:
        file.write(_INDEX_HEAD)
        for path in paths:
            loc = html.escape(base.rstrip("/") + "/" + quote(path.name))
            file.write(f"<sitemap><loc>{loc}</loc></sitemap>\n".encode())
        file.write(_INDEX_FOOT)


class _Entries:
    """The entries of all sitemaps, written to one after the other."""

    def __init__(
        self, first: Row, rows: Iterator[Row], alternates: int | None, *, lastmod: bool
    ) -> None:
        self._rows = rows
        self._alternates = alternates
        self._lastmod = lastmod
        self._next: bytes | None = self._entry(first)

    @property
    def more(self) -> bool:
        """Whether there are entries that are in no sitemap yet."""
        return self._next is not None

    def fill(self, file: IO[bytes]) -> None:
        """Write a sitemap, with all remaining entries or as many as it may hold."""
        room = _room()
        file.write(_HEAD)
        for number in range(MAX_URLS):
            # Each sitemap has an entry at least, so that their number is bounded.
            if self._next is None or (number and len(self._next) > room):
                break
            room -= len(self._next)
            file.write(self._next)
            row = next(self._rows, None)
            self._next = None if row is None else self._entry(row)
        file.write(_FOOT)

    def _entry(self, row: Row) -> bytes:
        loc = html.escape(str(row[0]), quote=False)
        changed = f"<lastmod>{row[1]}</lastmod>" if self._lastmod and row[1] else ""
        begin, end = f"<url><loc>{loc}</loc>{changed}".encode(), b"</url>\n"
        if self._alternates is None:
            return begin + end
        return begin + _links(row[self._alternates], _room() - len(begin) - len(end)) + end


def _room() -> int:
    """Bytes of a sitemap for its entries."""
    return MAX_BYTES - len(_HEAD) - len(_FOOT)


def _links(alternates: Cell, room: int) -> bytes:
    """The links to other versions, as in Google's "Localized versions of your pages".

    Without those for which there is no `room`, in bytes.
    """
    links = []
    for line in str(alternates or "").splitlines():
        language, url = line.split(" ", 1)
        href = html.escape(url)
        link = f'<xhtml:link rel="alternate" hreflang="{language}" href="{href}"/>'.encode()
        if len(link) <= room:
            room -= len(link)
            links.append(link)
    return b"".join(links)


@contextmanager
def _compressed(output: OutputFiles, path: Path) -> Iterator[IO[bytes]]:
    """A new file of `output`; what is written into it is compressed if `path` says so."""
    with output.part() as file:
        if path.suffix.lower() != _GZIP:
            yield file
            return
        # No name and no time: the same sitemap is the same file.
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            yield cast("IO[bytes]", packed)


def _numbered(path: Path, number: int) -> Path:
    """sitemap.xml.gz as sitemap-1.xml.gz, in whatever case."""
    suffixes = "".join(path.suffixes[-2:]) if path.suffix.lower() == _GZIP else path.suffix
    return path.with_name(f"{path.name.removesuffix(suffixes)}-{number}{suffixes}")
