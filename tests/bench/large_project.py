"""A synthetic finished project of any size, with a seeded shape, written fast.

URLs, answers and folders go through the program's own writer. Links are made inside SQLite, in the
order of each table: one by one, twenty million of them would take an hour.
"""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import AS_FILE, JUST_RECORDED, Rank
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.sketches import COUNT_BYTES, MINHASH_BYTES, SKETCH_BYTES
from gossamer.model.store_batch import LinkRows, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import Link, Visit
from gossamer.store.project import create
from gossamer.store.writing.writer import Writer
from tests.bench.report import say

LINKS: Final = 20
"""Links on a page."""
_BATCH: Final = 5_000
_NAVIGATION: Final = 10
"""So many of a page's links lead to the same few URLs on every page."""
_CROWDED: Final = 10
"""Every so many URLs, one was found on the root: a node with many children."""
_SPACIOUS: Final = 10
"""Every so many pages, one has a folder of its own, all of them in the same folder."""
_PER_EXTERNAL: Final = 20
"""So many pages for each URL on another host; each page has a link to one of those."""
_PER_REDIRECT: Final = 50
"""So many pages for each redirect to one of them."""
_VARIANTS: Final = 30
_SAMPLED_PHRASES: Final = 450
_FIRST_ANCHOR: Final = 10_000_000
_WORDS: Final = (
    "garden",
    "river",
    "museum",
    "theory",
    "kernel",
    "violin",
    "harbour",
    "lantern",
    "orchard",
    "bridge",
    "quarry",
    "meadow",
    "castle",
    "station",
    "market",
    "engine",
    "library",
    "forest",
    "glacier",
    "pottery",
)
_HEADERS: Final = [
    ("Server", "nginx"),
    ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Length", "37283"),
    ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ("ETag", '"2ea4b8d3-91a3"'),
]

# Where link `position` of page `source` leads; 2654435761 is Knuth's multiplicative hash.
_TARGET: Final = f"""
    CASE WHEN p.position < {_NAVIGATION} THEN 1 + p.position
    WHEN p.position = :links - 1 THEN :pages + 1 + n.source * 40503 % (:pages / {_PER_EXTERNAL})
    ELSE 1 + (n.source * 2654435761 + p.position * 40503) % :pages END
"""
_ANCHORS: Final = 1000
_FILL: Final = (
    f"""
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {_ANCHORS})
    INSERT INTO text (id, value) SELECT {_FIRST_ANCHOR} + i, 'anchor ' || i FROM n
    """,  # noqa: S608 - numbers
    f"""
    WITH RECURSIVE
    n (source) AS (SELECT 1 UNION ALL SELECT source + 1 FROM n WHERE source < :pages),
    p (position) AS (SELECT 0 UNION ALL SELECT position + 1 FROM p WHERE position < :links - 1)
    INSERT INTO link (source, position, target, kind, action, traits, text)
    SELECT n.source, p.position, {_TARGET}, 1, 1, 36,
    {_FIRST_ANCHOR} + 1 + (n.source * 31 + p.position) % {_ANCHORS} FROM n CROSS JOIN p
    """,  # noqa: S608 - numbers
    """
    INSERT OR IGNORE INTO inlink (target, source)
    SELECT DISTINCT target, source FROM link ORDER BY 1, 2
    """,
    """
    INSERT INTO inlink_count (id, links, sources, others)
    SELECT target, sum(kind = 1), count(DISTINCT source), sum(kind <> 1) FROM link
    WHERE source <= :pages GROUP BY target ORDER BY target
    ON CONFLICT (id) DO UPDATE SET links = links + excluded.links,
    sources = sources + excluded.sources, others = others + excluded.others
    """,
    "UPDATE visit SET outlinks = :links - id % 3 WHERE status = 200 AND id <= :pages",
)


def build(path: Path, pages: int, links: int = LINKS) -> None:
    """Write a finished project of `pages` pages with so many links each to `path`.

    There are also redirects to some, and URLs on other hosts: some checked, some just recorded.
    """
    create(path, CrawlSettings(roots=("https://example.com/",)))
    with Writer(path) as writer:
        for number, batch in enumerate(_batches(pages)):
            writer.commit(batch)
            if number % 20 == 0:
                say(f"  {number * _BATCH:,} of {pages:,} pages")
        writer.commit(_externals(pages))
        writer.commit(_redirects(pages))
        writer.commit(StoreBatch(state=CrawlState.FINISHED, seconds=pages / 1000))
    say(f"  {pages * links:,} links")
    values = {"pages": pages, "links": links}
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA cache_size=-262144")
        connection.execute("BEGIN")
        for statement in _FILL:
            connection.execute(
                statement, {name: n for name, n in values.items() if f":{name}" in statement}
            )
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def url_of(number: int) -> str:
    """The URL with id `number`."""
    if number == 1:
        return "https://example.com/"
    words = _WORDS
    if number % _SPACIOUS == 7:
        return f"https://example.com/archive/{words[number % 20]}-{number}/"
    section, group = words[number % 20], words[number // 20 % 20]
    return f"https://example.com/{section}/{group}-{number % 997}/{words[number % 7]}-{number}.html"


def _batches(pages: int) -> Iterator[StoreBatch]:
    chance = random.Random(1)
    for start in range(1, pages + 1, _BATCH):
        batch = StoreBatch()
        for number in range(start, min(start + _BATCH, pages + 1)):
            parent = None if number == 1 else 1 if number % _CROWDED == 0 else number // 10 or 1
            depth = 0 if parent is None else len(str(number))
            batch.new.append(UrlRow(number, url_of(number), Rank(depth), Outcome.PENDING, parent))
            visit = _visit(number, chance)
            batch.visits.append(VisitRow(number, visit, visit.outcome, 1))
        yield batch


def _externals(pages: int) -> StoreBatch:
    batch = StoreBatch()
    for number in range(pages // _PER_EXTERNAL):
        url_id, url = pages + 1 + number, f"https://{_WORDS[number % 20]}-{number % 999}.example/"
        url = f"{url}{number}.html"
        if number % 2:
            batch.new.append(UrlRow(url_id, url, JUST_RECORDED, Outcome.OUT_OF_SCOPE, 1 + number))
            continue
        batch.new.append(UrlRow(url_id, url, AS_FILE, Outcome.PENDING_CHECK, 1 + number))
        outcome, status = (
            (Outcome.CHECKED, 200) if number % 50 else (Outcome.CLIENT_ERROR, 404 - number % 3)
        )
        visit = Visit(
            outcome, status, "", headers=_HEADERS, content_type="text/html", elapsed_ms=90
        )
        batch.visits.append(VisitRow(url_id, visit, outcome, 1))
    return batch


def _redirects(pages: int) -> StoreBatch:
    batch = StoreBatch()
    first, count = pages + 1 + pages // _PER_EXTERNAL, pages // _PER_REDIRECT
    for number in range(count):
        # Three in a row lead to a page.
        leads_on = number % 3 and number < count - 1
        target = first + number + 1 if leads_on else 2 + number
        location = f"https://example.com/old/{number + 1}" if leads_on else url_of(target)
        parent, url = 1 + number, f"https://example.com/old/{number}"
        batch.new.append(UrlRow(first + number, url, Rank(3), Outcome.PENDING, parent))
        links = LinkRows.of([(target, LinkAction.FOLLOW, Link(0, LinkKind.REDIRECT))])
        visit = Visit(
            Outcome.REDIRECT,
            301,
            "Moved Permanently",
            headers=_HEADERS,
            location=location,
            redirect_kind=RedirectKind.HTTP,
        )
        batch.visits.append(VisitRow(first + number, visit, Outcome.REDIRECT, 1, links))
    return batch


def _sketch(number: int) -> bytes:
    """That of the text of a page: of every thirty pages, ten have variants of the same.

    From one to the next, one phrase in a hundred is another.
    """
    text = random.Random(number // _VARIANTS if number % 3 == 0 else -number)
    sketch = bytearray(text.randbytes(SKETCH_BYTES - COUNT_BYTES))
    for step in range(number % _VARIANTS // 3):
        sketch[3 * step] ^= 1
        for place in range(MINHASH_BYTES + 4 * step, MINHASH_BYTES + 4 * step + 4):
            sketch[place] ^= 1
    return bytes(sketch) + _SAMPLED_PHRASES.to_bytes(COUNT_BYTES, "little")


def _visit(number: int, chance: random.Random) -> Visit:
    share = chance.random()
    if number > 1 and share < 0.02:
        return Visit(
            Outcome.CLIENT_ERROR, 404, "Not Found", headers=_HEADERS, fetched_at=1e9 + number
        )
    words = chance.choices(_WORDS, k=4)
    facts = PageFacts(
        title=f"{words[0].title()} {words[1]} {number}",
        h1=f"{words[2].title()} {words[0]} {number % 5000}",
        description=f"All there is to know of {' '.join(words)}, {number}: told in a sentence.",
        canonical=url_of(number),
        language=chance.choice(("en", "en", "de", "fr")),
        word_count=chance.randrange(5000),
        content_hash=number.to_bytes(16, "big"),
        sketch=_sketch(number),
    )
    return Visit(
        Outcome.PAGE,
        200,
        "OK",
        headers=_HEADERS,
        content_type="text/html",
        charset="utf-8",
        size_bytes=chance.randrange(1000, 200_000),
        raw_bytes=chance.randrange(1000, 50_000),
        ttfb_ms=chance.randrange(1, 200),
        elapsed_ms=chance.randrange(1, 2000),
        fetched_at=1e9 + number,
        facts=facts,
    )
