"""How large the -wal file may grow: as much as the disk can spare."""

import shutil
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.store.project import create
from gossamer.store.writing.wal_size import LEAST_BYTES, MOST_BYTES, USUAL_BYTES, bound_for
from gossamer.store.writing.writer import Writer
from tests.cases import each_case

MIB = 1024 * 1024
HUGE = 10**10
ROWS = 400
"""In a commit: half a megabyte or so."""


class Usage(NamedTuple):
    total: int
    free: int


class Disk:
    """Tells how much is free on it; None: it does not know."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.free: int | None = 100 * 1024 * MIB
        monkeypatch.setattr(shutil, "disk_usage", self._usage)

    def _usage(self, _: Path) -> Usage:
        return Usage(0, 0) if self.free is None else Usage(1, self.free)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@each_case(
    ("free", "bound"),
    [
        (None, MOST_BYTES),
        (10**12, MOST_BYTES),
        (512 * MIB, MOST_BYTES),
        (500 * MIB, MOST_BYTES // 2),
        (20 * MIB, 2 * MIB),
        (0, LEAST_BYTES),
    ],
)
def test_an_eighth_of_what_is_free_may_be_taken(free: int | None, bound: int) -> None:
    assert bound_for(free, HUGE) == bound


@each_case(
    ("project", "bound"),
    [
        (0, USUAL_BYTES),
        (60 * MIB, USUAL_BYTES),
        (64 * MIB, 2 * USUAL_BYTES),
        (200 * MIB, 32 * MIB),
        (HUGE, MOST_BYTES),
    ],
)
def test_of_a_small_project_little_is_left_to_merge_at_the_end(project: int, bound: int) -> None:
    assert bound_for(None, project) == bound


def sizes(path: Path, writer: Writer, commits: int, ids: "count[int]") -> list[int]:
    """The size of the -wal file after each commit."""
    found = []
    for _ in range(commits):
        numbers = [next(ids) for _ in range(ROWS)]
        rank, url = Rank(1, 0), f"https://example.com/{'x' * 1_000}/"
        new = [UrlRow(n, f"{url}{n}", rank, Outcome.PENDING, None) for n in numbers]
        writer.commit(StoreBatch(new=new))
        found.append(path.with_name(f"{path.name}-wal").stat().st_size)
    return found


def test_on_a_small_disk_the_project_is_not_there_twice(tmp_path: Path, disk: Disk) -> None:
    path, ids = tmp_path / "a.gossamer", count(1)
    create(path, CrawlSettings(roots=("https://example.com/",)))
    with Writer(path) as writer:
        roomy = sizes(path, writer, 15, ids)
        assert max(roomy) > 0.45 * USUAL_BYTES, "where there is room, nothing is merged earlier"
        assert max(roomy) <= USUAL_BYTES, "a commit more, and it is"
        disk.free = 10 * MIB  # somebody else has filled it
        sizes(path, writer, 2, ids)
        small = sizes(path, writer, 10, ids)
        assert max(small) <= 2 * MIB
        disk.free = None
        assert max(sizes(path, writer, 15, ids)) > 0.45 * USUAL_BYTES
    assert not path.with_name(f"{path.name}-wal").exists()
