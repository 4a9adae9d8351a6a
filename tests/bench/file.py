"""`file`: what the project file costs: bytes of real sites, and times on a synthetic one.

The synthetic site has 5,000 pages with 100 links to 60 different URLs each, half of these the
same on all pages; it is written in batches of 200 pages, then read as the window reads.
"""

import argparse
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.formats import REPORT
from gossamer.export.url_views import SITEMAP_CHECK
from gossamer.export.view_catalogue import VIEWS
from gossamer.model.discovery_rank import Rank
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, Order, View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import LinkRows, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import Link, Visit
from gossamer.store.field_sql import LINK_TEXTS, VISIT_COLUMNS
from gossamer.store.project import create
from gossamer.store.reading.reader import Reader
from gossamer.store.writing.writer import Writer
from tests.bench.contestants import Contestant, gossamer, run, told
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.bench.sites import installed, serve

PAGES: Final = 5000
LINKS: Final = 100
BYTES_PER_LINK: Final = 60
BYTES_PER_PAGE: Final = 1200
_OF_LINKS: Final = ("link", "inlink", "inlink_count", "link_redirect")
"""Tables and indexes that grow with links; the rest grows with URLs and pages."""
_IN_LINKS: Final = " UNION ".join(
    f"SELECT {each.name} FROM link"  # noqa: S608 - our own names
    for each in LINK_TEXTS
)
_IN_VISITS: Final = " UNION ".join(
    f"SELECT {each.name} FROM visit"  # noqa: S608 - our own names
    for each in VISIT_COLUMNS
    if each.storage.pooled
)
_SHARE_OF_LINKS: Final = f"""
    SELECT total(length(value)) / (SELECT total(length(value)) FROM text) FROM text
    WHERE id IN ({_IN_LINKS} EXCEPT SELECT * FROM ({_IN_VISITS}))
"""  # noqa: S608 - our own names
"""How much of the pooled texts are anchors, fragments and the like, which only links have."""
BATCH = 200
NAVIGATION = 30
HEADERS = [
    ("Server", "nginx"),
    ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Length", "37283"),
    ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ("ETag", '"2ea4b8d3-91a3"'),
]


def url(number: int) -> str:
    return f"https://example.com/reference/{number % 50}/{number % 400}/page-{number}-a-title.html"


def visit(number: int, chance: random.Random) -> Visit:
    if chance.random() < 0.02 and number > NAVIGATION:
        return Visit(Outcome.CLIENT_ERROR, 404, "Not Found", headers=HEADERS, fetched_at=1e9)
    facts = PageFacts(
        title=f"{chance.randrange(1000)} page {number}",
        h1=f"Page {number}",
        description=f"Page {number} described in about a hundred characters, as it is on the web.",
        canonical=url(number),
        language="en",
        word_count=500,
        content_hash=number.to_bytes(16, "big"),
    )
    return Visit(
        Outcome.PAGE,
        200,
        "OK",
        headers=HEADERS,
        content_type="text/html",
        charset="utf-8",
        size_bytes=37_283,
        elapsed_ms=4,
        fetched_at=1e9,
        facts=facts,
    )


def links(pages: int, number: int, chance: random.Random) -> list[tuple[int, LinkAction, Link]]:
    """On a page, half of the different targets are the navigation's."""
    near = [1 + chance.randrange(pages) for _ in range(30)]
    targets = [*range(1, min(NAVIGATION, pages) + 1), *near]
    return [
        (
            target,
            LinkAction.FOLLOW,
            Link(0, LinkKind.ANCHOR, f"anchor {target % 1500}" if number % 5 else f"{number}"),
        )
        for target in targets
    ]


def batches(pages: int, links_per_page: int) -> Iterator[StoreBatch]:
    chance = random.Random(1)
    rows = [
        UrlRow(n, url(n), Rank(n // 1000), Outcome.PENDING, n // 10 or None)
        for n in range(1, pages + 1)
    ]
    for start in range(0, pages, BATCH):
        batch = StoreBatch(new=rows[start : start + BATCH])
        for row in batch.new:
            seen = visit(row.id, chance)
            found = links(pages, row.id, chance) if seen.facts else []
            found = (found * (links_per_page // 60 + 1))[:links_per_page]
            batch.visits.append(VisitRow(row.id, seen, seen.outcome, 1, LinkRows.of(found)))
        yield batch


def benchmark(options: argparse.Namespace) -> Findings:
    """Weigh the files of real crawls, then time a synthetic one."""
    series: list[Series] = []
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as name:
        tmp = Path(name)
        for site in installed(options.site):
            say(f"{site.name}")
            with serve(site, tmp) as root:
                run(Contestant(PRODUCT, gossamer, told), root, tmp / "out", tmp)
            series += weights(site.name, tmp / "out" / "crawl.gossamer")
        path = tmp / "synthetic.gossamer"
        say("synthetic")
        series += [*_write(path), *_read(path), *_export(path)]
    return Findings("file", series, notes=_NOTES)


def weights(site: str, path: Path) -> list[Series]:
    """What a finished project weighs, and what it may weigh."""
    size = path.stat().st_size
    database = sqlite3.connect(path)
    try:
        (links,) = database.execute("SELECT count(*) FROM link").fetchone()
        (pages,) = database.execute("SELECT count(*) FROM visit").fetchone()
        (urls,) = database.execute("SELECT count(*) FROM url").fetchone()
        parts = dict(database.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
        (share,) = database.execute(_SHARE_OF_LINKS).fetchone()
    finally:
        database.close()
    of_links = sum(parts.get(name, 0) for name in _OF_LINKS) + share * parts["text"]
    budget = BYTES_PER_LINK * links + BYTES_PER_PAGE * pages
    return [
        _one(f"{site}, file", "KiB", size / 1024),
        _one(f"{site}, pages", "", pages),
        _one(f"{site}, known URLs", "", urls),
        _one(f"{site}, links", "", links),
        _one(
            f"{site}, links and their texts", "bytes/link", of_links / links, f"≤ {BYTES_PER_LINK}"
        ),
        _one(f"{site}, the rest", "bytes/page", (size - of_links) / pages, f"≤ {BYTES_PER_PAGE}"),
        _one(
            f"{site}, file by {BYTES_PER_LINK} a link, {BYTES_PER_PAGE} a page",
            "",
            size / budget,
            "≤ 1",
        ),
    ]


def _write(path: Path) -> list[Series]:
    create(path, CrawlSettings(roots=("example.com",)))
    seconds = 0.0
    with Writer(path) as writer:
        for batch in batches(PAGES, LINKS):
            started = time.perf_counter()
            writer.commit(batch)
            seconds += time.perf_counter() - started
    return [_one("synthetic, commit", "µs/page", seconds / PAGES * 1e6)]


def _read(path: Path) -> list[Series]:
    with Reader(path) as reader:
        ids = reader.ids(View.ALL)
        calls: list[tuple[str, Callable[[], object]]] = [
            ("summary", reader.summary),
            ("ids of all", lambda: reader.ids(View.ALL)),
        ]
        for column in ("title", "address", "inlinks"):
            order = Order(column, descending=True)
            calls.append((f"ids by {column}", partial(reader.ids, View.PAGES, order=order)))
        calls += [
            ("ids with text", lambda: reader.ids(View.ALL, Filter("page-49"))),
            ("60 records, most linked", lambda: reader.records(ids[:60])),
            ("60 nodes", lambda: reader.nodes(ids[:60])),
            ("children", lambda: reader.children(5)),
            ("folders", lambda: reader.folders(2)),
            ("200 inlinks of the most linked", lambda: reader.inlinks(3)),
            ("200 outlinks", lambda: reader.outlinks(1)),
        ]
        return [_timed(what, call) for what, call in calls]


def _export(path: Path) -> list[Series]:
    return [
        _timed(
            f"export {view.name}",
            partial(export, path, ExportSelection(view), path.with_name(f"{view.name}.csv")),
            1,
        )
        for view in VIEWS.values()
        if view not in {SITEMAP_CHECK, REPORT}  # no sitemap was read
    ]


def _timed(what: str, call: Callable[[], object], times: int = 5) -> Series:
    values = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        values.append((time.perf_counter() - started) * 1000)
    return Series(f"synthetic, {what}", PRODUCT, "ms", tuple(values))


def _one(what: str, unit: str, value: float, target: str = "") -> Series:
    return Series(what, PRODUCT, unit, (value,), target)


_NOTES: Final = (
    "the rest: URLs, facts about pages, response headers, issues.",
    f"synthetic: {PAGES:,} pages with {LINKS} links to 60 different URLs each.",
)
