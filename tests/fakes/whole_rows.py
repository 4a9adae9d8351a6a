"""All that two projects of one site say of each URL and link, but for what may differ."""

from collections import Counter
from pathlib import Path
from typing import Any, Final

from msgspec import structs

from gossamer.model.project_queries import View
from gossamer.store.reading.reader import Reader

OF_THIS_CRAWL: Final = frozenset(
    {"id", "parent", "fetched_at", "ttfb_ms", "elapsed_ms", "tries", "says_new", "headers"}
)
"""Ids, times, and what depends on the order in which servers answer."""
_IDS: Final = frozenset({"near_duplicate_id", "duplicate_id"})


def url_rows(path: Path) -> dict[str, dict[str, Any]]:
    """By URL, every other field of its record."""
    with Reader(path) as reader:
        records = list(reader.iterate(View.ALL))
    names = {record.id: record.url for record in records}
    return {
        record.url: {
            name: names.get(value) if name in _IDS else value
            for name, value in structs.asdict(record).items()
            if name not in OF_THIS_CRAWL
        }
        for record in records
    }


def link_rows(path: Path) -> Counter[tuple[Any, ...]]:
    """Every link, with the addresses of its ends in place of their ids."""
    with Reader(path) as reader:
        ids = reader.ids(View.ALL)
        links = [link for url_id in ids for link in reader.outlinks(url_id, limit=100_000)]
    return Counter(
        tuple(
            repr(value)
            for name, value in structs.asdict(link).items()
            if name not in {"id", "source_id", "target_id"}
        )
        for link in links
    )


def differences(one: Path, other: Path) -> list[str]:
    """What is not the same, as lines to read."""
    urls, others = url_rows(one), url_rows(other)
    found = [f"only in one: {url}" for url in sorted(urls.keys() ^ others.keys())]
    for url in urls.keys() & others.keys():
        mine, its = urls[url], others[url]
        found += [f"{url} {n}: {mine[n]!r} != {its[n]!r}" for n in mine if mine[n] != its[n]]
    links, its_links = link_rows(one), link_rows(other)
    return found + [f"link {each}" for each in (links - its_links) + (its_links - links)]
