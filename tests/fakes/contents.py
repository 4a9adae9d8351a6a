"""What a project holds, so that two crawls of one site can be compared."""

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from gossamer.model.crawl_state import CrawlState
from gossamer.model.project_queries import View
from gossamer.store.reading.reader import Reader


@dataclass(frozen=True)
class Contents:
    """All that does not tell of the order in which things happened; parents are URLs."""

    state: CrawlState
    urls: dict[str, tuple[object, ...]]
    links: Counter[tuple[object, ...]]


def contents(path: Path, *, parents: bool = True) -> Contents:
    """What the project at `path` holds; without `parents` where the order decides them."""
    with Reader(path) as reader:
        records = list(reader.iterate(View.ALL))
        state = reader.summary().state
    names = {record.id: record.url for record in records}
    assert len(set(names.values())) == len(records), "a URL stands there twice"
    urls: dict[str, tuple[object, ...]] = {
        r.url: (
            *(r.state, r.outcome, r.status, r.title, r.redirect, r.depth, r.hops),
            *(r.inlinks, r.unique_inlinks, r.outlinks),
            names.get(r.parent or 0) if parents else None,
        )
        for r in records
    }
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT source, target, kind, position FROM link").fetchall()
    links = Counter((names[source], names[target], *rest) for source, target, *rest in rows)
    return Contents(state, urls, links)
