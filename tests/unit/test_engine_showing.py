"""The hosts that the window shows: those left alone first, few, and not looked for too often."""

from gossamer.engine.frontier import Frontier
from gossamer.engine.pace import Pace
from gossamer.engine.queues import Entry
from gossamer.engine.showing import SHOWN_HOSTS, Showing
from gossamer.model.messages import HostState
from gossamer.model.rows import Rank


def frontier_of(*hosts: str, pace: Pace | None = None) -> Frontier:
    frontier = Frontier(1_000, pace or Pace())
    for number, host in enumerate(hosts, 1):
        frontier.discovered(Entry(number, f"http://{host}/{number}", Rank(0), None, host))
    return frontier


def test_what_hosts_are_at() -> None:
    frontier = frontier_of("a.test", "b.test", "a.test", pace=Pace(delay_s=2.0))
    assert frontier.take(10.0) is not None
    frontier.back_off("b.test", 15.0)
    assert Showing(frontier).hosts(12.0) == [
        HostState("b.test", queued=1, delay_s=2.0, rests_s=3.0),
        HostState("a.test", active=1, queued=1, delay_s=2.0),
    ]


def test_a_host_without_anything_to_do_is_not_shown() -> None:
    frontier = frontier_of("a.test")
    entry = frontier.take(0.0)
    assert entry is not None
    frontier.released(entry)
    assert Showing(frontier).hosts(0.0) == []


def test_few_are_shown_and_they_are_looked_for_now_and_then() -> None:
    frontier = frontier_of(*(f"{n}.test" for n in range(50)))
    showing = Showing(frontier)
    assert len(showing.hosts(0.0)) == SHOWN_HOSTS
    frontier.back_off("33.test", 9.0)
    assert showing.hosts(0.4)[0].rests_s == 0
    assert showing.hosts(0.6)[0].host == "33.test"
