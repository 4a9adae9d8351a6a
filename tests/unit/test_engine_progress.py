"""The hosts that the window shows: those left alone first, few, and not looked for too often."""

from gossamer.engine.progress import SHOWN_HOSTS, ProgressView
from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.queue.host_queues import HostRate
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.discovery_rank import Rank
from gossamer.model.messages.crawl_messages import HostState
from tests.fakes.engine import empty_frontier


def frontier_of(*hosts: str, pace: HostRate | None = None) -> Frontier:
    frontier = empty_frontier(1_000, pace or HostRate())
    for number, host in enumerate(hosts, 1):
        frontier.add_new(FrontierEntry(number, f"http://{host}/{number}", Rank(0), None, host))
    return frontier


def test_what_hosts_are_at() -> None:
    frontier = frontier_of("a.test", "b.test", "a.test", pace=HostRate(delay_s=2.0))
    assert frontier.take(10.0) is not None
    frontier.back_off("b.test", 15.0)
    assert ProgressView(frontier).hosts(12.0) == [
        HostState("b.test", queued=1, delay_s=2.0, rests_s=3.0),
        HostState("a.test", active=1, queued=1, delay_s=2.0),
    ]


def test_a_host_without_anything_to_do_is_not_shown() -> None:
    frontier = frontier_of("a.test")
    entry = frontier.take(0.0)
    assert entry is not None
    frontier.release(entry)
    assert ProgressView(frontier).hosts(0.0) == []


def test_few_are_shown_and_they_are_looked_for_now_and_then() -> None:
    frontier = frontier_of(*(f"{n}.test" for n in range(50)))
    showing = ProgressView(frontier)
    assert len(showing.hosts(0.0)) == SHOWN_HOSTS
    frontier.back_off("33.test", 9.0)
    assert showing.hosts(0.4)[0].rests_s == 0
    assert showing.hosts(0.6)[0].host == "33.test"
