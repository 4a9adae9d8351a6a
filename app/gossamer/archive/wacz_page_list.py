"""Reads the list of pages in a WACZ file: where the crawl of the archive began."""

import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from gossamer.urls.url_parsing import is_http, join

_PAGES: Final = "pages/pages.jsonl"
_MAX_LINES: Final = 100_000
_MAX_LINE_BYTES: Final = 1 << 20
_MAX_BYTES: Final = 64 << 20
_MAX_URL: Final = 70_000
"""Characters; no crawl fetches a longer one."""
_MAX_SEEDS: Final = 1_000


def listed_roots(path: Path) -> list[str]:
    """The seeds in the page list of the archive at `path`, else its first page; [] without a list.

    Serialised URLs, each once.
    """
    first: list[str] = []
    seeds: dict[str, None] = {}
    try:
        with zipfile.ZipFile(path) as package, package.open(_PAGES) as lines:
            for url, is_seed in _pages(lines):
                first = first or [url]
                if is_seed:
                    seeds[url] = None
                if len(seeds) == _MAX_SEEDS:
                    break
    except (
        OSError,
        LookupError,
        RuntimeError,
        ValueError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
    ):
        return []  # RuntimeError: what Python's reader does not support, or is encrypted
    return list(seeds) or first


def _pages(lines: IO[bytes]) -> Iterator[tuple[str, bool]]:
    left = _MAX_BYTES
    for _ in range(_MAX_LINES):
        line = lines.readline(min(_MAX_LINE_BYTES, left))
        if not line:
            return
        left -= len(line)
        try:
            page = json.loads(line)
        except ValueError:
            continue
        url = page.get("url") if isinstance(page, dict) else None
        if not isinstance(url, str) or len(url) > _MAX_URL or not is_http(url.lower()):
            continue
        if found := join(url, url):
            yield found, page.get("seed") is True
