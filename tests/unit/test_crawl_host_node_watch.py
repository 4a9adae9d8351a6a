"""A crawl is paused while no node can do its jobs, whichever run of it that is."""

from typing import TYPE_CHECKING, cast

import pytest

from gossamer.crawl_host.node_watch import NodeWatch
from gossamer.engine.pause_reasons import PauseReason, Pauses
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import NodeState
from gossamer.model.translatable import Translatable

if TYPE_CHECKING:
    from gossamer.engine.crawl import Crawl

LOST = Translatable("The scheduler is lost.")


class FakePool:
    """Has the trouble that it is told to have."""

    trouble: Translatable | None = None
    starting: Translatable | None = None
    silent_after_ms: int | None = None
    nodes: list[NodeState] = []  # noqa: RUF012 - there are never any


class FakeCrawl:
    """Notes why it is paused, while it runs."""

    def __init__(self, state: CrawlState = CrawlState.RUNNING) -> None:
        self.state = state
        self.pauses = Pauses()

    def pause(self, reason: PauseReason, sentence: Translatable) -> None:
        self.pauses.add(reason, sentence)

    def end_pause(self, reason: PauseReason) -> None:
        self.pauses.remove(reason)


def checked(watch: NodeWatch, crawl: FakeCrawl) -> Translatable | None:
    watch.check(cast("Crawl", crawl))
    return crawl.pauses.sentence


def test_a_crawl_is_paused_while_there_is_trouble_and_told_of_each() -> None:
    pool, crawl = FakePool(), FakeCrawl()
    watch = NodeWatch(pool)
    assert checked(watch, crawl) is None
    for trouble in (LOST, Translatable("No node answers."), None, LOST):
        pool.trouble = trouble
        assert checked(watch, crawl) == trouble
        assert (PauseReason.NODES in crawl.pauses) is (trouble is not None)


def test_the_crawl_after_an_outage_of_the_disk_is_told_of_the_same_trouble() -> None:
    pool, before, after = FakePool(), FakeCrawl(), FakeCrawl()
    pool.trouble = LOST
    watch = NodeWatch(pool)
    assert checked(watch, before) == LOST
    assert checked(watch, after) == LOST


@pytest.mark.parametrize("state", [CrawlState.NEW, CrawlState.CANCELLED])
def test_a_crawl_that_does_not_run_yet_is_told_when_it_does(state: CrawlState) -> None:
    pool, crawl = FakePool(), FakeCrawl(state)
    pool.trouble = LOST
    watch = NodeWatch(pool)
    assert checked(watch, crawl) is None
    crawl.state = CrawlState.RUNNING
    assert checked(watch, crawl) == LOST
