"""The reports on response headers and cookies: which exist, and how many URLs send each."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from gossamer.export.export_columns import boolean_cell
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Row, Sheet
from gossamer.export.url_reports import internal_urls
from gossamer.model.response_cookies import cookies_in
from gossamer.store.reading.reader import Reader

_AT_ONCE: Final = 1000
_MOST: Final = 100_000
"""Different headers or cookies that are listed: their names come from servers, and may be any."""
_Headers: TypeAlias = list[tuple[str, str]]


def _headers(
    reader: Reader, selection: ExportSelection, check: Check
) -> Iterator[tuple[str, _Headers]]:
    """Internal URLs and the headers of their responses."""
    records = internal_urls(reader, selection.filter_, check)
    while some := list(islice(records, _AT_ONCE)):
        sent = reader.headers_among([each.id for each in some])
        yield from ((each.url, sent[each.id]) for each in some if each.id in sent)


class _Summary:
    """Counts the URLs that have each key, and keeps one of them."""

    def __init__(self) -> None:
        self.urls: Counter[Row] = Counter()
        self.examples: dict[Row, str] = {}

    def add(self, url: str, keys: Iterable[Row]) -> None:
        for key in set(keys):
            if key in self.examples or len(self.examples) < _MOST:
                self.urls[key] += 1
                self.examples.setdefault(key, url)

    def rows(self) -> list[Row]:
        """Each key with its count and example; those of most URLs first."""
        order = sorted(self.urls.items(), key=lambda each: (-each[1], str(each[0])))
        return [(*key, count, self.examples[key]) for key, count in order]


def _http_headers(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    found = _Summary()
    for url, headers in _headers(reader, selection, check):
        found.add(url, ((name.lower(),) for name, _ in headers))
    return _sheet(("Header", "URLs", "Example URL"), found)


def _cookie_summary(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    found = _Summary()
    for url, headers in _headers(reader, selection, check):
        found.add(
            url,
            (
                (
                    *(each.name, each.domain or urlsplit(url).hostname, each.path, each.expires),
                    *map(boolean_cell, (each.secure, each.http_only)),
                    each.same_site,
                )
                for each in cookies_in(headers)
            ),
        )
    return _sheet(
        (
            *("Cookie Name", "Domain", "Path", "Expiration", "Secure", "HttpOnly", "SameSite"),
            *("URLs", "Example URL"),
        ),
        found,
    )


def _sheet(columns: tuple[str, ...], found: _Summary) -> Sheet:
    rows = found.rows()
    return Sheet(columns, iter(rows), len(rows), is_exact=True)


HTTP_HEADERS: Final = ExportView("http_headers", "HTTP headers", _http_headers, has_facets=True)
COOKIE_SUMMARY: Final = ExportView(
    "cookie_summary", "Cookie summary", _cookie_summary, has_facets=True
)
