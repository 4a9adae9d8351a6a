"""Shards that are lost while the others start or finish: the crawl comes to its end."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.crawl_messages import Progress, Trouble
from gossamer.model.messages.shard_messages import FinishShard, ShardReport
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.session.crawl_host_connection import DIED
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.shards.shard_folder import create_shards
from gossamer.shards.shard_session import ShardSession
from gossamer.shards.sharded_crawl import MOST_DEATHS, ShardedCrawl
from tests.fakes.virtual_loop import run_virtual


def test_it_is_told_when_the_last_of_the_others_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, object]] = []

    async def updates(_: ShardSession) -> AsyncIterator[Progress]:
        yield Progress(CrawlState.FINISHED)

    def tell(shard: ShardSession, message: object) -> None:
        told.append((shard.identity.number, message))

    monkeypatch.setattr(ShardSession, "updates", updates)
    monkeypatch.setattr(ShardSession, "tell", tell)
    settings = CrawlSettings(roots=("http://a.test/",))
    paths = create_shards(tmp_path / "a.shards", settings, 2, "")

    async def main() -> None:
        crawl = ShardedCrawl(paths, CrawlHostPool())
        for number, run, is_idle in ((0, 1, False), (1, 2, True)):  # the first commits its end
            crawl.shards[number]._exchange(ShardReport(run, is_idle, {}))  # noqa: SLF001 - as its host reports
        assert not any(isinstance(message, FinishShard) for _, message in told)
        await crawl._follow(0)  # noqa: SLF001 - its session tells that it has finished

    asyncio.run(main())
    assert (1, FinishShard()) in told


def test_a_shard_that_dies_while_others_are_started_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    is_again = asyncio.Event()

    async def start(shard: ShardSession) -> None:
        number = shard.identity.number
        started.append(number)
        if started == [0, 1, 0]:
            is_again.set()
        shard.progress = Progress(CrawlState.RUNNING)
        if number == 1 and started == [0, 1]:
            trouble = Trouble(Translatable(DIED), CrawlHostError.exit_code)
            crawl.shards[0]._publish(trouble)  # noqa: SLF001 - as when its process ends

    monkeypatch.setattr(ShardSession, "start", start)
    settings = CrawlSettings(roots=("http://a.test/",))
    crawl = ShardedCrawl(create_shards(tmp_path / "a.shards", settings, 2, ""), CrawlHostPool())

    async def main() -> None:
        await crawl.start()
        async with asyncio.timeout(5):
            await is_again.wait()
        await crawl.close()

    asyncio.run(main())


def starts_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failure: CrawlHostError, times: int
) -> tuple[list[int], bool]:
    """Which of two shards were started, one after the other, where the first starts fail.

    And whether the crawl began.
    """
    started: list[int] = []

    async def start(shard: ShardSession) -> None:
        started.append(shard.identity.number)
        if len(started) <= times:
            raise failure
        shard.progress = Progress(CrawlState.RUNNING)

    monkeypatch.setattr(ShardSession, "start", start)
    settings = CrawlSettings(roots=("http://a.test/",))
    crawl = ShardedCrawl(create_shards(folder / "a.shards", settings, 2, ""), CrawlHostPool())

    async def main() -> bool:
        try:
            await crawl.start()
        except CrawlHostError:
            return False
        finally:
            await crawl.close()
        return True

    has_begun = run_virtual(main())
    return started, has_begun


def test_a_shard_whose_process_dies_while_it_starts_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert starts_of(tmp_path, monkeypatch, CrawlHostError(DIED), 1) == ([0, 0, 1], True)


def test_a_shard_whose_process_always_dies_ends_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [0] * (MOST_DEATHS + 1)
    assert starts_of(tmp_path, monkeypatch, CrawlHostError(DIED), 99) == (expected, False)


def test_a_shard_that_cannot_be_started_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = CrawlHostError("Another version of Gossamer was installed.")
    assert starts_of(tmp_path, monkeypatch, refused, 99) == ([0], False)
