"""Reads the list of pages in a WACZ file: where the crawl of the archive began."""

import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from gossamer.urls.url_parsing import is_http, join

_PAGES: Final = "pages/pages.jsonl"
_MAX_LINES: Final = 100_000
_MAX_LINE_BYTES: Final = 1 << 20
_MAX_SEEDS: Final = 1_000


def listed_roots(path: Path) -> list[str]:
    """The seeds in the page list of the archive at `path`, else its first page; [] without a list.

    Serialised URLs, each once.
    """
    try:
        with zipfile.ZipFile(path) as package, package.open(_PAGES) as lines:
            pages = list(_pages(lines))
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
    seeds = [url for url, is_seed in pages if is_seed]
    return list(dict.fromkeys(seeds or [url for url, _ in pages[:1]]))[:_MAX_SEEDS]


def _pages(lines: Any) -> Iterator[tuple[str, bool]]:  # noqa: ANN401 - zipfile's reader has no name
    for _ in range(_MAX_LINES):
        line = lines.readline(_MAX_LINE_BYTES)
        if not line:
            return
        try:
            page = json.loads(line)
        except ValueError:
            continue
        url = page.get("url") if isinstance(page, dict) else None
        if isinstance(url, str) and is_http(url.lower()) and (found := join(url, url)):
            yield found, page.get("seed") is True
