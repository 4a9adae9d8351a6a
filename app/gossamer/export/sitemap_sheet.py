"""The view that sitemaps are made from: which URLs they list, with their hreflang alternates."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from gossamer.audit.sitemap_export_rules import (
    MAX_LOC,
    SitemapHost,
    SitemapRule,
    can_be_listed,
    candidates,
    obstacles,
)
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.link_sheets import outlinks_of
from gossamer.export.sheet import Row, Sheet
from gossamer.export.url_views import size_of
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.project_queries import Filter
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import is_http

ALTERNATES = "Alternates"
"""The column with the versions of a page: a line "language address" for each."""
_COLUMNS = ("URL", "Last Modified", "Crawl Depth", "Status Code", "Title")
_MOST = 200
"""Versions of one page."""
_LANGUAGE = re.compile(r"x-default|[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def _sitemap(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    """The entries of a sitemap of this selection. `left_out` has the rules that excluded some."""
    left_out = Counter[str]()
    view = candidates(selection.lifted)
    expected = size_of(reader, view)
    records = reader.iterate(view, Filter(text=selection.text))
    listed = _listed(records, check, selection.lifted, left_out)
    if not selection.alternates:
        return Sheet(_COLUMNS, map(_row, listed), expected, left_out)
    rows = ((*_row(page), _alternates(reader, page.id)) for page in listed)
    return Sheet((*_COLUMNS, ALTERNATES), rows, expected, left_out)


def _row(page: UrlRecord) -> Row:
    return page.url, page.last_modified, page.depth, page.status, page.title


def _listed(
    records: Iterator[UrlRecord],
    check: Check,
    lifted: frozenset[SitemapRule],
    left_out: Counter[str],
) -> Iterator[UrlRecord]:
    host = SitemapHost()
    for page in filter(can_be_listed, records):
        check()
        rule = next((rule for rule in obstacles(page, host) if rule not in lifted), None)
        if rule is None:
            yield page
        else:
            left_out[rule.value] += 1


def _alternates(reader: Reader, page: int) -> str | None:
    lines = [f"{language} {url}" for language, url in islice(_versions(reader, page), _MOST)]
    return "\n".join(lines) or None


def _versions(reader: Reader, page: int) -> Iterator[tuple[str, str]]:
    """Language and address of each version that a page, or its entry in a sitemap, names."""
    links = chain(outlinks_of(reader, page), reader.sitemap_alternates(page))
    named = (link for link in links if link.kind is LinkKind.ALTERNATE)
    versions = ((link.text, link.target_url) for link in named if _is_address(link.target_url))
    return iter(dict.fromkeys(each for each in versions if _LANGUAGE.fullmatch(each[0])))


def _is_address(url: str) -> bool:
    """Whether a sitemap can name `url` as a version."""
    return len(url) < MAX_LOC and is_http(url)


SITEMAP: Final = ExportView("sitemap", "Sitemap", _sitemap, has_text=True)
