"""Duplicates: indexable pages with the same title, description, headings or content."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gossamer.audit.audited_crawl import UNMEASURED, AuditedCrawl, Finding
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.number_arrays import Ids, Numbers
from gossamer.store.auditing.url_arrays import OF_INDEXABLE

KEYWORD_LIMITS: Final = ("audit_meta_keywords",)
_EXACT: Final = "Content: Exact Duplicates"
_COMPARED: Final = {
    "Page Titles: Duplicate": ("title", "title_2"),
    "Meta Description: Duplicate": ("description", "description_2"),
    "H1: Duplicate": ("h1", "h1_2"),
    "H2: Duplicate": ("h2", "h2_2"),
    _EXACT: ("content_hash", "NULL"),
}
"""The rules, and the columns of which the first one that is not empty is compared."""
_ROWS: Final = 50_000


def duplicates(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rules; the value is the id of another page that has the same."""
    del settings
    filled = [f"coalesce(nullif({one}, ''), nullif({two}, ''))" for one, two in _COMPARED.values()]
    for rule, keys in zip(_COMPARED, _hashes(crawl, filled), strict=True):
        others = same_as(np.where(crawl.urls.is_indexable, keys, 0))
        yield _others(rule, others)
        if rule == _EXACT:
            crawl.measured["duplicate_id"] = others.astype(np.int32)


def keyword_duplicates(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rule about meta keywords, if it is wanted."""
    others = np.full(len(crawl.urls), UNMEASURED, np.int64)
    if settings.audit_meta_keywords:
        (keys,) = _hashes(crawl, ["nullif(keywords, '')"])
        crawl.urls.read(OF_INDEXABLE)  # at once, if no other stage has
        others = same_as(np.where(crawl.urls.is_indexable, keys, 0))
    yield _others("Meta Keywords: Duplicate", others)


def _others(rule: str, others: Ids) -> Finding:
    ids = np.flatnonzero(others != UNMEASURED)
    return Finding(rule, ids, others[ids].tolist())


def _hashes(crawl: AuditedCrawl, texts: Sequence[str]) -> list[Ids]:
    """A hash of each of these texts of each page, given as SQL; 0 for none.

    Of a million texts, two share a hash of 64 bits by chance once in forty million crawls.
    """
    columns = [np.zeros(len(crawl.urls), np.int64) for _ in texts]
    with crawl.file.reading() as connection:
        rows = connection.execute(
            f"SELECT id, {', '.join(texts)} FROM visit WHERE word_count IS NOT NULL"  # noqa: S608 - our own words
        )
        while part := rows.fetchmany(_ROWS):
            ids, *read = zip(*part, strict=True)
            places = np.array(ids)
            is_known = places < len(crawl.urls)  # others were visited since the URLs were read
            for column, values in zip(columns, read, strict=True):
                keys = [0 if value is None else hash(value) for value in values]
                column[places[is_known]] = np.array(keys, np.int64)[is_known]
    return columns


def same_as(keys: Ids) -> Numbers:
    """For each page, the first other one with the same key; UNMEASURED for none, or for key 0."""
    others = np.full(len(keys), UNMEASURED, np.int64)
    ids = np.flatnonzero(keys)
    ids = ids[np.argsort(keys[ids], kind="stable")]
    is_first = np.ones(len(ids), np.bool_)
    is_first[1:] = keys[ids[1:]] != keys[ids[:-1]]
    starts = np.flatnonzero(is_first)
    sizes = np.diff(np.append(starts, len(ids)))
    others[ids] = np.repeat(ids[starts], sizes)
    several = starts[sizes > 1]
    others[ids[several]] = ids[several + 1]
    others[ids[starts[sizes == 1]]] = UNMEASURED
    return others
