"""Bookmarks: links to a fragment of a page that does not exist there."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, measured
from gossamer.audit.link_tallies import HYPERLINKS
from gossamer.extract.anchor_hashes import anchor_hash
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.number_arrays import (
    Ids,
    Numbers,
    contains,
    distinct,
    first_of,
    pair_keys,
    second_of,
)
from gossamer.urls.url_parsing import is_hash_route

_TEXT_FRAGMENT: Final = ":~:"
_TOP: Final = frozenset({"", "top"})
_HASHES: Final = np.dtype(">u2")


def bookmarks(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rule; the value is the id of the target page."""
    del settings
    broken = _broken(crawl, _wanted(crawl))
    found: dict[int, int] = {}
    for links in _links(crawl):
        keys = pair_keys(links["target"], links["fragment"])
        wrong = links[contains(broken, keys)][::-1]
        sources, targets = wrong["source"], wrong["target"]
        first = dict(zip(sources.tolist(), targets.tolist(), strict=True))
        found |= first
    yield measured("URL: Broken Bookmark", found)


def _links(crawl: AuditedCrawl) -> Iterator[Numbers]:
    """Hyperlinks with a fragment on indexable pages, to pages that were read."""
    urls = crawl.urls
    is_whole = urls.is_html & (urls.content & ContentFlag.ANCHORS_CUT == 0) & ~urls.is_truncated
    for block in crawl.links.blocks():
        crawl.file.check_cancelled()
        kinds, fragments = block["kind"], block["fragment"]
        links = block[(fragments != 0) & np.isin(kinds, HYPERLINKS)]
        yield links[urls.is_indexable[links["source"]] & is_whole[links["target"]]]


def _wanted(crawl: AuditedCrawl) -> Ids:
    """The distinct pairs of page and fragment."""
    wanted = np.zeros(0, np.int64)
    for links in _links(crawl):
        keys = pair_keys(links["target"], links["fragment"])
        wanted = distinct(np.concatenate([wanted, keys]))
    return wanted


def _broken(crawl: AuditedCrawl, wanted: Ids) -> Ids:
    """Those pairs whose page has no such id or name."""
    hashes = {
        text_id: hashed
        for text_id, text in crawl.texts(second_of(wanted)).items()
        if (hashed := fragment_hashes(text))
    }
    pages = distinct(first_of(wanted))
    starts = np.append(np.searchsorted(first_of(wanted), pages), len(wanted)).tolist()
    fragments = second_of(wanted).tolist()
    broken: list[int] = []
    rows = crawl.file.rows_of(
        "SELECT id, anchor_ids FROM visit WHERE id IN ({marks})", pages.tolist()
    )
    known = {int(page): place for place, page in enumerate(pages)}
    for page, ids in rows:
        place = known.pop(int(str(page)), None)
        if place is None:  # the last id of a query occurs several times
            continue
        there = _hashes_in(ids) if isinstance(ids, bytes) else []
        for at in range(starts[place], starts[place + 1]):
            lead_to = hashes.get(fragments[at])
            if lead_to and lead_to.isdisjoint(there):
                broken.append(at)
    return wanted[broken]


def _hashes_in(stored: bytes) -> list[int]:
    """Those of a page; of what we never wrote, as many as there may be."""
    hashes: list[int] = np.frombuffer(stored, _HASHES, len(stored) // _HASHES.itemsize).tolist()
    return hashes


def fragment_hashes(fragment: str) -> frozenset[int]:
    """The hashes of the ids that a fragment, such as "#top", may mean; none if it is no bookmark.

    A browser searches for it as it is written, then percent-decoded (HTML Standard §7.4.6.4).
    """
    name = fragment.removeprefix("#").partition(_TEXT_FRAGMENT)[0]
    if name.lower() in _TOP or is_hash_route(f"#{name}"):
        return frozenset()
    return frozenset({anchor_hash(name), anchor_hash(unquote(name))})
