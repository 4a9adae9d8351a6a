"""Damaged project files: every way to open one works or ends in a sentence. Nothing else."""

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.link_sheets import LINKS
from gossamer.export.url_views import PAGES
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import ProjectError
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import free_text
from gossamer.model.project_queries import View
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.session.session_factory import SessionFactory
from gossamer.store.reading.reader import Reader
from gossamer.store.writing.writer import Writer
from tests.fakes.damage import PAGE_SIZE, crawled_site, cut, flipped, holed

SEEDS = 13
SAMPLE_PAGES = 160
"""So many that most of the file is their tables, not those that are empty in this project."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes, bytes]:
    """The bytes of a closed project, and of one in mid-crawl with its -wal file."""
    path = tmp_path_factory.mktemp("sample") / "a.gossamer"
    with crawled_site(path, SAMPLE_PAGES) as crawled:
        main, wal = path.read_bytes(), path.with_name("a.gossamer-wal").read_bytes()
        del crawled
    return path.read_bytes(), main, wal


def use(path: Path) -> None:
    """All that a window or command line does with a project."""
    SessionFactory().open(path)
    with Reader(path) as reader:
        reader.summary()
        reader.counts()
        for record in reader.iterate(View.ALL):
            reader.headers(record.id)
            reader.inlinks(record.id)
            reader.path_to(record.id)
            reader.rendering_details(record.id)
            reader.screenshot(record.id)
        list(reader.chains())
        for origin in reader.folders(None):
            reader.folders(origin.id)
    for view in (PAGES, LINKS):
        export(path, ExportSelection(view), path.with_suffix(f".{view.name}.csv"))
    with Writer(path) as writer:
        ids = [row.id for row in writer.queued("example.com", 0, 10)]
        writer.lookup(["https://example.com/1/1"])
        new = [UrlRow(99_999, "https://example.com/new", Rank(3), Outcome.PENDING)]
        batch = StoreBatch(new=new, state=CrawlState.PAUSED)
        batch.decided = [(url_id, Outcome.CANCELLED, free_text("why")) for url_id in ids]
        writer.commit(batch)


def damage_to(kind: str) -> Callable[[bytes, random.Random], bytes]:
    """The way to damage that is called so."""

    def header(data: bytes, chance: random.Random) -> bytes:
        return flipped(data, chance, end=100)

    def schema(data: bytes, chance: random.Random) -> bytes:
        page = data.index(b"CREATE TABLE url (") // PAGE_SIZE * PAGE_SIZE
        return flipped(data, chance, start=max(page, 100), end=page + PAGE_SIZE)

    return {"header": header, "schema": schema, "pages": flipped, "hole": holed, "cut": cut}[kind]


@pytest.mark.parametrize("kind", ["header", "schema", "pages", "hole", "cut"])
def test_a_damaged_file_is_read_or_refused_with_a_message(
    sample: tuple[bytes, bytes, bytes], tmp_path: Path, kind: str
) -> None:
    refused = 0
    for seed in range(SEEDS):
        path = tmp_path / f"{seed}.gossamer"
        path.write_bytes(damage_to(kind)(sample[0], random.Random(f"{kind} {seed}")))
        try:
            use(path)
        except ProjectError:
            refused += 1
    assert refused > SEEDS // 8, "much of this damage is noticed"


def test_a_damaged_wal_is_read_or_refused_with_a_message(
    sample: tuple[bytes, bytes, bytes], tmp_path: Path
) -> None:
    _, main, wal = sample
    for seed in range(SEEDS):
        path = tmp_path / f"{seed}.gossamer"
        path.write_bytes(main)
        chance = random.Random(seed)
        damaged = chance.choice([flipped, cut])(wal, chance)
        path.with_name(path.name + "-wal").write_bytes(damaged)
        with suppress(ProjectError):
            use(path)
