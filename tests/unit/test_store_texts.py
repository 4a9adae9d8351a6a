"""The texts of pages in a project file: written, replaced, read, saved from a damaged file."""

import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import msgpack

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.reading.previous_crawl_reader import PreviousCrawlReader
from gossamer.store.rescue.project_rescue import rescue
from gossamer.store.stored_texts import StoredTexts
from gossamer.store.text_blocks import BLOCK_BYTES, PageText, pack, split, unpack
from tests.fakes.crawled import SITE, Crawled
from tests.zstandard import zstd

SETTINGS = CrawlSettings(roots=(SITE,), full_text_search=True)


def texts_in(path: Path) -> dict[str, bytes]:
    with closing(sqlite3.connect(path)) as connection:
        urls = dict(connection.execute("SELECT id, url FROM url"))
        found = StoredTexts(connection).of(list(urls))
        return {urls[url_id].removeprefix(SITE): text for url_id, text in found.items()}


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", "/a", text=b"the start")
        crawled.page("/a", text="ein Maß".encode())
        crawled.page("/empty", text=b"")
        crawled.page("/without")
        return crawled.path


def test_each_page_has_its_text(crawled: Path) -> None:
    assert texts_in(crawled) == {"/": b"the start", "/a": "ein Maß".encode(), "/empty": b""}


def test_a_page_fetched_again_has_its_new_text_and_no_block_keeps_only_old_ones(
    tmp_path: Path,
) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for text in (b"old", b"new", None):
            crawled.page("/", text=text)
            if text:
                assert texts_in(crawled.path) == {"/": text}
    assert texts_in(crawled.path) == {}
    with closing(sqlite3.connect(crawled.path)) as connection:
        blocks = connection.execute("SELECT id, pages, length(texts) FROM text_block").fetchall()
    assert blocks == [(1, 0, 0), (2, 0, 0)]


def test_a_recrawl_takes_the_text_of_what_is_not_modified(crawled: Path) -> None:
    with PreviousCrawlReader(crawled) as base:
        answer = base.response(f"{SITE}/a")
        assert answer is not None
        visit = base.visit(answer.id, ())
    assert visit is not None
    assert visit.text == "ein Maß".encode()


def test_texts_are_saved_from_a_damaged_file(crawled: Path, tmp_path: Path) -> None:
    rescue(crawled, tmp_path / "b.gossamer")
    assert texts_in(tmp_path / "b.gossamer") == texts_in(crawled)


def test_blocks_hold_what_was_put_into_them() -> None:
    texts = [PageText(n, bytes([97 + n % 26]) * (n * 997 % 40_000)) for n in range(1, 700)]
    blocks = list(split(texts))
    assert [text for block in blocks for text in unpack(pack(block))] == texts
    assert all(sum(len(text.text) for text in block[:-1]) < BLOCK_BYTES for block in blocks)
    assert max(map(len, blocks)) <= 256


def _of(packed: bytes) -> bytes:
    return bytes(zstd.compress(packed))


@pytest.mark.parametrize(
    "block",
    [
        _of(msgpack.encode([(1 << 63, b"text")])),
        _of(msgpack.encode([(number, b"") for number in range(257)])),
        _of(msgpack.encode([(1, b"text")])[:-1]),
        _of(b"\x91\x92\x01\xc6\x10\x00\x00\x00") + _of(bytes(1 << 26)),
    ],
    ids=["too large a number", "too many", "cut", "far more in a second frame"],
)
def test_a_block_that_nobody_wrote_is_refused(block: bytes) -> None:
    tracemalloc.start()
    with pytest.raises(ValueError, match="block of texts"):
        unpack(block)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 << 20


@pytest.mark.parametrize("block", [b"x", pack([])[:-1], b"\x28\xb5\x2f\xfd" + b"\xff" * 20])
def test_a_block_that_is_none_is_refused(block: bytes) -> None:
    with pytest.raises(ValueError, match="block of texts"):
        unpack(block)
