"""Links as columns of numbers, in a temporary file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gossamer.model.errors import DiskError
from gossamer.store.auditing.link_arrays import LINK, LinkArrays
from gossamer.store.auditing.link_arrays import read_links as read
from gossamer.store.database import open_for_reading
from tests.fakes.crawled import Crawled


@pytest.fixture
def columns(tmp_path: Path) -> Iterator[LinkArrays]:
    with LinkArrays(tmp_path) as columns:
        yield columns


def rows(*sources: int) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    links = np.zeros(len(sources), LINK)
    links["source"] = sources
    return links


def test_blocks_come_back_as_they_were_added_and_as_often_as_wanted(columns: LinkArrays) -> None:
    columns.append(rows(1, 1, 2))
    columns.append(rows())
    columns.append(rows(3))
    for _ in range(2):
        assert [block["source"].tolist() for block in columns.blocks()] == [[1, 1, 2], [3]]
    assert len(columns) == 4


def test_chosen_links_of_all_blocks_come_together(columns: LinkArrays) -> None:
    columns.append(rows(1, 2))
    columns.append(rows(3, 4))
    assert columns.where(lambda block: block["source"] % 2 == 0)["source"].tolist() == [2, 4]


def test_sources_are_not_divided_among_blocks(tmp_path: Path, columns: LinkArrays) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", "/a", "/b", "/c")
        crawled.page("/a", "/", "/b")
        crawled.page("/b", "/")
        connection = open_for_reading(crawled.path)
        done: list[int] = []
        read(connection, columns, 5, lambda number, _: done.append(number), block=2)
        connection.close()
    blocks = [block["source"].tolist() for block in columns.blocks()]
    assert blocks == [[1, 1, 1], [2, 2], [3]]
    assert done == [2, 4, 6]


def test_file_vanishes_with_the_columns(tmp_path: Path) -> None:
    with LinkArrays(tmp_path) as columns:
        columns.append(rows(1))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_full_disk_is_told_in_a_sentence(columns: LinkArrays, tmp_path: Path) -> None:
    import resource  # noqa: PLC0415 - Windows has none

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(DiskError, match="is full"):
            columns.append(rows(*range(1000)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert tmp_path.exists()
