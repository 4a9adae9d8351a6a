"""One try at a URL, as a value: what came of it, and whether it counts."""

import asyncio
from collections.abc import Callable

from gossamer.engine.failures.network_outage import OutageWatch
from gossamer.engine.failures.url_retries import DEATHS_ALLOWED, NODE_LOSSES_ALLOWED
from gossamer.engine.fetch_attempt import REPEAT, Attempt, AttemptRunner
from gossamer.engine.follow_policy import Policy
from gossamer.engine.interfaces import NodeGivenUpError, NodeLostError
from gossamer.engine.robots_cache import RobotsCache
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailCode
from gossamer.model.visit import FetchMode, Visit
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.engine import entry_of, settings_of
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import LOST, ROOT, FakeWeb, absolute, died, fake_rules


def attempts_at(
    web: FakeWeb,
    *entries: FrontierEntry,
    obeys: bool = False,
    back_off: Callable[[str, float], None] = lambda *_: None,
) -> list[Attempt]:
    """Ask for each of these, one after the other."""
    settings = settings_of()

    async def main() -> list[Attempt]:
        network = OutageWatch(web.fetch_text, lambda: 1, lambda _: None)
        robots = RobotsCache(web, fake_rules, "test", lambda *_: None) if obeys else None
        policy = Policy(settings, Scope(settings))
        attempts = AttemptRunner(web, robots, policy, network, back_off)
        return [await attempts.make(entry) for entry in entries]

    return run_virtual(main())


def test_an_answer_counts() -> None:
    web = FakeWeb()
    web.page("/a")
    [attempt] = attempts_at(web, entry_of(1, "/a"))
    assert attempt == Attempt(web.visits[absolute("/a")], counts=True)


def test_a_failure_of_the_server_counts() -> None:
    web = FakeWeb()
    web.fails("/a", LOST)
    assert attempts_at(web, entry_of(1, "/a")) == [Attempt(LOST, counts=True)]


def test_waiting_for_robots_txt_is_not_an_attempt_and_happens_once() -> None:
    web = FakeWeb()
    web.page("/a")
    entry = entry_of(1, "/a")
    first, second = attempts_at(web, entry, entry, obeys=True)
    assert first is REPEAT
    assert second.visit == web.visits[absolute("/a")]


def test_a_url_that_robots_txt_forbids_is_not_asked_and_no_try_counts() -> None:
    web = FakeWeb(robots="Disallow: /a")
    [attempt] = attempts_at(web, entry_of(1, "/a"), obeys=True)
    assert attempt.visit is not None
    assert attempt.visit.outcome is Outcome.BLOCKED_BY_ROBOTS
    assert not attempt.counts
    assert not web.asked


def test_a_host_whose_robots_txt_gets_no_answer_is_left_alone_for_a_while() -> None:
    gone = Visit(Outcome.CONNECTION_REFUSED, transient=True)
    web = FakeWeb(unreachable={ROOT: (1.0, gone)})
    left_alone: list[tuple[str, float]] = []
    entry = entry_of(1, "/a")
    [attempt] = attempts_at(
        web, entry, obeys=True, back_off=lambda *pause: left_alone.append(pause)
    )
    assert attempt == Attempt(gone, counts=True)
    assert left_alone == [("site.test", 6.0)]


def test_an_answer_that_asks_for_another_mode_does_not_count_and_is_asked_so() -> None:
    web = FakeWeb(doubtful={absolute("/a"): FetchMode.BY_GET})
    web.page("/a")
    entry = entry_of(1, "/a")
    first, second = attempts_at(web, entry, entry)
    assert first is REPEAT
    assert entry.mode is FetchMode.BY_GET
    assert second.counts


def test_a_lost_page_worker_counts_as_a_death_and_not_as_an_attempt() -> None:
    web = FakeWeb()
    web.fails("/a", *(died() for _ in range(DEATHS_ALLOWED + 1)))
    entry = entry_of(1, "/a")
    found = attempts_at(web, *[entry] * (DEATHS_ALLOWED + 1))
    assert not any(attempt.counts for attempt in found)
    assert entry.deaths == DEATHS_ALLOWED + 1
    transient = [attempt.visit.transient for attempt in found if attempt.visit]
    assert transient == [True] * DEATHS_ALLOWED + [False], "then it is set aside"


def test_urls_of_a_lost_node_are_asked_together_again_but_later_one_by_one() -> None:
    web = FakeWeb()
    at_once: list[int] = []
    asking = 0

    async def fetch(*_: object, **_more: object) -> Visit:
        nonlocal asking
        asking += 1
        at_once.append(asking)
        await asyncio.sleep(1)
        asking -= 1
        raise NodeLostError(DetailCode.NODE_LOST())

    vars(web)["fetch"] = fetch
    entries = [entry_of(1, "/a"), entry_of(2, "/b")]

    async def main() -> list[int]:
        settings = settings_of()
        network = OutageWatch(web.fetch_text, lambda: 1, lambda _: None)
        runner = AttemptRunner(
            web, None, Policy(settings, Scope(settings)), network, lambda *_: None
        )
        most = []
        for loss in range(NODE_LOSSES_ALLOWED + 1):
            at_once.clear()
            found = await asyncio.gather(*(runner.make(entry) for entry in entries))
            most.append(max(at_once))
            is_asked_again = loss < NODE_LOSSES_ALLOWED
            assert [a.visit.transient for a in found if a.visit] == [is_asked_again] * 2
        return most

    assert run_virtual(main()) == [2, 2] + [1] * (NODE_LOSSES_ALLOWED - 1)


def test_nodes_that_were_lost_leave_a_url_the_deaths_of_page_workers_it_is_allowed() -> None:
    lost = NodeLostError(DetailCode.NODE_LOST())
    web = FakeWeb()
    web.fails("/a", lost, *[died()] * DEATHS_ALLOWED, *[lost] * (NODE_LOSSES_ALLOWED - 1), died())
    tries = NODE_LOSSES_ALLOWED + DEATHS_ALLOWED + 1
    found = attempts_at(web, *[entry_of(1, "/a")] * tries)
    transient = [attempt.visit.transient for attempt in found if attempt.visit]
    assert transient == [True] * (tries - 1) + [False]


def test_a_url_is_asked_again_as_often_as_its_node_is_given_up() -> None:
    web = FakeWeb()
    tries = NODE_LOSSES_ALLOWED + DEATHS_ALLOWED + 2
    web.fails("/a", *[NodeGivenUpError(DetailCode.NODE_LOST())] * tries)
    entry = entry_of(1, "/a")
    assert attempts_at(web, *[entry] * tries) == [REPEAT] * tries
    assert (entry.node_losses, entry.deaths) == (0, 0)


def test_an_error_of_our_own_is_the_outcome_of_its_url() -> None:
    web = FakeWeb()
    web.fails("/a", ValueError("a bug"))
    [attempt] = attempts_at(web, entry_of(1, "/a"))
    assert attempt.visit is not None
    assert attempt.visit.outcome is Outcome.UNEXPECTED_ERROR
    assert "a bug" in str(attempt.visit.detail)


def test_a_failure_that_the_network_is_to_blame_for_does_not_count() -> None:
    web = FakeWeb(unreachable={ROOT: (0.1, LOST)})
    web.page("/a")
    web.fails("/b", LOST)
    entry = entry_of(1, "/a")

    answered, failed = attempts_at(web, entry, entry_of(2, "/b"))
    assert answered.counts
    assert failed is REPEAT


def test_a_failure_counts_where_another_server_answers() -> None:
    web = FakeWeb()
    web.page("/a")
    web.fails("/b", LOST)
    answered, failed = attempts_at(web, entry_of(1, "/a"), entry_of(2, "/b"))
    assert answered.counts
    assert failed == Attempt(LOST, counts=True)
