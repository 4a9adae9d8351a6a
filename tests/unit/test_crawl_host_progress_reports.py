"""What the shell hears of a crawl and its nodes, and when."""

from typing import TYPE_CHECKING, Any, cast

import pytest

from gossamer.crawl_host.bulk_action_queue import BulkActionQueue
from gossamer.crawl_host.progress_reports import ProgressReports
from gossamer.engine.pause_reasons import Pauses
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import NodeState, Progress
from gossamer.model.translatable import Translatable

if TYPE_CHECKING:
    from gossamer.engine.crawl import Crawl
    from gossamer.ipc.channel import Channel


class FakeCrawl:
    """A crawl in a state."""

    revision = 1

    def __init__(self, state: CrawlState) -> None:
        self.state = state

    fetched = 0

    def progress(self) -> Progress:
        return Progress(state=self.state, revision=self.revision, fetched=self.fetched)


class FakeNodes:
    """Nodes that are what a test says."""

    trouble = None
    starting: Translatable | None = None
    silent_after_ms: int | None = None

    def __init__(self) -> None:
        self.nodes = [NodeState("one", 2, 1, 8.0)]


class FakeShell:
    """Has heard reports."""

    congested = False

    def __init__(self) -> None:
        self.heard: list[Progress] = []

    def send(self, progress: Progress) -> None:
        self.heard.append(progress)


def reports_of(crawl: FakeCrawl, shell: FakeShell, nodes: FakeNodes) -> ProgressReports:
    channel = cast("Channel[Any]", shell)
    reports = ProgressReports(channel, Pauses(), BulkActionQueue(), nodes)
    reports.follow(cast("Crawl", crawl))
    return reports


@pytest.mark.parametrize("state", [CrawlState.CANCELLED, CrawlState.FINISHED])
def test_a_crawl_that_has_ended_has_no_nodes(state: CrawlState) -> None:
    crawl, shell = FakeCrawl(CrawlState.RUNNING), FakeShell()
    reports = reports_of(crawl, shell, FakeNodes())
    reports.send()
    crawl.state = state
    reports.send(final=True)
    assert [len(progress.nodes) for progress in shell.heard] == [1, 0]


def test_when_no_connection_was_open_is_told_once_it_is_known_and_only_of_a_crawl_at_rest() -> None:
    crawl, shell, nodes = FakeCrawl(CrawlState.PAUSED), FakeShell(), FakeNodes()
    reports = reports_of(crawl, shell, nodes)
    reports.send_changes(cast("Crawl", crawl))
    nodes.silent_after_ms = 12
    reports.send_changes(cast("Crawl", crawl))
    reports.send_changes(cast("Crawl", crawl))
    crawl.state = CrawlState.RUNNING
    reports.send()
    assert [progress.silent_after_ms for progress in shell.heard] == [None, 12, None]


def test_a_paused_crawl_tells_what_becomes_of_its_nodes_and_nothing_twice() -> None:
    crawl, shell, nodes = FakeCrawl(CrawlState.PAUSED), FakeShell(), FakeNodes()
    reports = reports_of(crawl, shell, nodes)
    reports.send_changes(cast("Crawl", crawl))
    reports.send_changes(cast("Crawl", crawl))
    nodes.nodes = [NodeState("one", 2, 0, 0.0)]
    reports.send_changes(cast("Crawl", crawl))
    assert [progress.nodes[0].per_second for progress in shell.heard] == [8.0, 0.0]


def test_that_nodes_start_is_told_until_something_has_come() -> None:
    crawl, shell, nodes = FakeCrawl(CrawlState.RUNNING), FakeShell(), FakeNodes()
    starting = nodes.starting = Translatable("Starting the nodes on this computer…")
    reports = reports_of(crawl, shell, nodes)
    reports.send()
    crawl.state = CrawlState.PAUSED
    reports.send()
    crawl.state, crawl.fetched = CrawlState.RUNNING, 1
    reports.send()
    assert [progress.starting for progress in shell.heard] == [starting, None, None]
