"""Which URL is next, by a clock that the test holds."""

import pytest

from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.queue.host_queues import HostRate
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.outcome import Outcome
from tests.fakes.engine import empty_frontier, entry_of


def frontier_with(*urls: str, pace: HostRate | None = None) -> Frontier:
    """A frontier in which these were found, with ids from 1."""
    frontier = empty_frontier(1_000, pace)
    for number, url in enumerate(urls, 1):
        frontier.add_new(entry_of(number, url))
    return frontier


def taken(frontier: Frontier, now: float = 0.0) -> list[int]:
    """The ids of all that may be asked for at `now`, in order."""
    ids = []
    while (entry := frontier.take(now)) is not None:
        ids.append(entry.id)
    return ids


def take(frontier: Frontier, now: float = 0.0) -> FrontierEntry:
    entry = frontier.take(now)
    assert entry is not None
    return entry


def test_urls_of_a_host_come_in_the_order_in_which_they_were_found() -> None:
    assert taken(frontier_with("/a", "/b", "/c")) == [1, 2, 3]


def test_hosts_take_turns() -> None:
    a, b = "http://a.test", "http://b.test"
    frontier = frontier_with(f"{a}/1", f"{a}/2", f"{a}/3", f"{b}/1", f"{b}/2")
    assert taken(frontier) == [1, 4, 2, 5, 3]


def test_a_host_is_asked_again_after_its_delay() -> None:
    frontier = frontier_with("/a", "/b", pace=HostRate(delay_s=2.0))
    assert taken(frontier, 10.0) == [1]
    assert frontier.next_at() == 12.0
    assert taken(frontier, 11.9) == []
    assert taken(frontier, 12.0) == [2]


def test_a_host_has_so_many_requests_at_once() -> None:
    frontier = frontier_with("/a", "/b", "/c", pace=HostRate(slots=2))
    first = take(frontier)
    assert taken(frontier) == [2]
    frontier.release(first)
    assert taken(frontier) == [3]


def test_what_is_taken_ahead_holds_a_host_that_wants_a_delay_until_it_was_asked() -> None:
    frontier = frontier_with("http://a.test/1", "http://b.test/1", "http://a.test/2")
    frontier.set_delay("a.test", 2.0, now=-2.0)
    entry = frontier.take(0.0, ahead=True)
    assert entry is not None
    assert frontier.take(0.0, ahead=True) is not None
    assert taken(frontier, 60.0) == []
    assert frontier.next_at() is None
    frontier.back_off("a.test", until=61.0)
    frontier.release(entry, now=60.0)
    assert frontier.next_at() == 62.0
    assert taken(frontier, 62.0) == [3]


def test_what_was_taken_ahead_and_not_asked_for_costs_its_host_no_time() -> None:
    frontier = frontier_with("/a", "/b", pace=HostRate(delay_s=2.0))
    entry = frontier.take(0.0, ahead=True)
    assert entry is not None
    frontier.release(entry, is_asked=False, now=1.0)
    frontier.requeue(entry)
    assert taken(frontier, 1.0) == [1]


def test_a_longer_delay_of_robots_txt_holds() -> None:
    frontier = frontier_with("/a", "/b", pace=HostRate(delay_s=1.0))
    frontier.set_delay("site.test", 5.0, now=0.0)
    assert taken(frontier, 4.9) == []
    assert taken(frontier, 5.0) == [1]
    assert frontier.next_at() == 10.0


def test_another_pace_counts_at_once_but_not_against_robots_txt() -> None:
    frontier = frontier_with("/a", "/b", "/c", pace=HostRate(delay_s=100.0))
    take(frontier)
    frontier.set_pace(HostRate(delay_s=1.0))
    assert taken(frontier, 1.0) == [2]
    frontier.set_delay("site.test", 30.0, now=1.0)
    frontier.set_pace(HostRate())
    assert taken(frontier, 30.0) == []
    assert taken(frontier, 31.0) == [3]


def test_a_host_that_backs_off_is_left_alone_while_others_are_asked() -> None:
    frontier = frontier_with("http://a.test/1", "http://b.test/1")
    frontier.back_off("a.test", until=60.0)
    assert taken(frontier) == [2]
    assert taken(frontier, 60.0) == [1]


def test_what_is_put_back_comes_next() -> None:
    frontier = frontier_with("/a", "/b", "/c")
    first = take(frontier)
    frontier.release(first)
    frontier.requeue(first)
    assert taken(frontier) == [1, 2, 3]


def test_what_is_postponed_comes_first_when_its_time_has_come() -> None:
    frontier = frontier_with("/a", "/b", "/c")
    first = take(frontier)
    frontier.release(first)
    assert frontier.postpone(first, until=5.0) == 5.0
    assert take(frontier, 1.0).id == 2
    assert taken(frontier, 5.0) == [1, 3]
    assert len(frontier) == 0


def test_what_is_postponed_waits_as_long_as_its_host_backs_off() -> None:
    frontier = frontier_with("/a")
    first = take(frontier)
    frontier.back_off("site.test", until=60.0)
    assert frontier.postpone(first, until=5.0) == 60.0


def test_what_is_preferred_is_asked_before_all_hosts_take_turns() -> None:
    frontier = frontier_with("http://a.test/1", "http://b.test/1", "http://b.test/2")
    frontier.prefer(entry_of(3, "http://b.test/2"))
    assert taken(frontier) == [3, 1, 2]


def test_what_is_preferred_is_asked_once() -> None:
    frontier = frontier_with("/a", "/b")
    for _ in range(2):
        frontier.prefer(entry_of(2, "/b"))
    assert taken(frontier) == [2, 1]


def test_what_only_the_file_has_can_be_preferred() -> None:
    frontier = frontier_with("/a")
    frontier.prefer(entry_of(9, "/z"))
    assert taken(frontier) == [9, 1]


@pytest.mark.parametrize("first", [False, True])
def test_what_is_withdrawn_is_not_asked(*, first: bool) -> None:
    frontier = frontier_with("/a", "/b")
    frontier.prefer(entry_of(9, "/z"))
    entry = take(frontier)
    frontier.release(entry)
    entry.first = first
    frontier.requeue(entry)
    frontier.withdraw(entry)
    assert taken(frontier) == [1, 2]
    assert len(frontier) == 0


def test_what_is_withdrawn_while_it_is_postponed_does_not_come_back() -> None:
    frontier = frontier_with("/a")
    entry = take(frontier)
    frontier.release(entry)
    frontier.postpone(entry, until=5.0)
    frontier.withdraw(entry)
    assert taken(frontier, 6.0) == []
    assert frontier.next_at() is None


def test_what_robots_txt_settles_costs_its_host_no_time() -> None:
    frontier = frontier_with("/a", "/b", "/c", pace=HostRate(delay_s=10.0))
    settled = []

    def is_settled(entry: FrontierEntry) -> bool:
        if entry.id < 3:
            settled.append(entry.id)
        return entry.id < 3

    entry = frontier.take(0.0, is_settled)
    assert entry is not None
    assert (settled, entry.id) == ([1, 2], 3)


def test_what_is_only_checked_on_other_hosts_has_its_own_pace() -> None:
    frontier = empty_frontier(1_000, HostRate(delay_s=1.0, external_delay_s=7.0))
    for number in (1, 2):
        entry = entry_of(number, f"http://other.test/{number}")
        entry.external, entry.outcome = True, Outcome.PENDING_CHECK
        frontier.add_new(entry)
    take(frontier)
    assert frontier.next_at() == 7.0


def test_an_entry_in_memory_is_not_queued_twice() -> None:
    frontier = frontier_with("/a")
    frontier.add_known(entry_of(1, "/a"))
    assert taken(frontier) == [1]
