"""What the project file costs: `python -m tests.bench.project_file [PAGES] [LINKS]`.

Writes a synthetic site (default 5,000 pages with 100 links to 60 different URLs each, half of
these the same on all pages) in batches of 200 pages, then times what the window asks for.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from app.export.exporter import export
from app.export.sheets import ExportView
from app.model.outcome import Outcome
from app.model.page import Link, LinkAction, LinkKind, PageFacts, Visit
from app.model.rows import Batch, Rank, UrlRow, VisitRow
from app.model.settings import CrawlSettings
from app.model.views import Column, Filter, Order, View
from app.store.project import create
from app.store.reader import Reader
from app.store.writer import Writer

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
        return Visit(Outcome.CLIENT_ERROR, 404, "Not Found", HEADERS, fetched_at=1e9)
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
        HEADERS,
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


def batches(pages: int, links_per_page: int) -> Iterator[Batch]:
    chance = random.Random(1)
    rows = [
        UrlRow(n, url(n), Rank(n // 1000), Outcome.PENDING, n // 10 or None)
        for n in range(1, pages + 1)
    ]
    for start in range(0, pages, BATCH):
        batch = Batch(new=rows[start : start + BATCH])
        for row in batch.new:
            seen = visit(row.id, chance)
            found = links(pages, row.id, chance) if seen.facts else []
            found = (found * (links_per_page // 60 + 1))[:links_per_page]
            batch.visits.append(VisitRow(row.id, seen, seen.outcome, 1, found))
        yield batch


def write(path: Path, pages: int, links_per_page: int) -> None:
    create(path, CrawlSettings(roots=("example.com",)))
    seconds = 0.0
    with Writer(path) as writer:
        for batch in batches(pages, links_per_page):
            started = time.perf_counter()
            writer.commit(batch)
            seconds += time.perf_counter() - started
    say("commit, per page", seconds / pages * 1e6, "µs")
    say("size, per page", path.stat().st_size / pages, "bytes")


def read(path: Path) -> None:
    with Reader(path) as reader:
        timed("summary", reader.summary)
        ids = reader.ids(View.ALL)
        timed("ids of all", lambda: reader.ids(View.ALL))
        for column in (Column.TITLE, Column.ADDRESS, Column.INLINKS):
            order = Order(column, descending=True)
            timed(f"ids by {column}", partial(reader.ids, View.PAGES, order=order))
        timed("ids with text", lambda: reader.ids(View.ALL, Filter("page-49")))
        timed("60 records, most linked", lambda: reader.records(ids[:60]))
        timed("60 nodes", lambda: reader.nodes(ids[:60]))
        timed("children", lambda: reader.children(5))
        timed("folders", lambda: reader.folders(2))
        timed("200 inlinks of the most linked", lambda: reader.inlinks(3))
        timed("200 outlinks", lambda: reader.outlinks(1))


def write_out(path: Path) -> None:
    for view in ExportView:
        out = path.with_name(f"{view}.csv")
        timed(f"export {view}", partial(export, path, view, out), times=1)


def timed(what: str, call: Callable[[], object], times: int = 5) -> None:
    """Say the best of several times."""
    best = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - started)
    say(what, best * 1000, "ms")


def say(what: str, value: float, unit: str) -> None:
    sys.stdout.write(f"{what:34}{value:10.2f} {unit}\n")
    sys.stdout.flush()


def main(pages: int = 5000, links_per_page: int = 100) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.gossamer")
        write(path, pages, links_per_page)
        read(path)
        write_out(path)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
