"""What is measured is turned into costs and into predictions; the rest is the simulation's."""

import pytest

from tests.bench.cluster_measurement import DELAY_S, FEW_LINKS, MANY_LINKS, MeasuredCrawl, costs_of
from tests.bench.simulation import Setup, calibrated_s, compared, message_s, predicted


def crawl(host_ms: float, workers_ms: float) -> MeasuredCrawl:
    return MeasuredCrawl(100.0, host_ms / 1e3, workers_ms / 1e3)


def test_costs_are_those_of_a_page_and_of_each_of_its_links() -> None:
    costs = costs_of(crawl(0.3, 0.5), crawl(1.1, 1.3), 60)
    for links, seconds in ((FEW_LINKS, 0.3e-3), (MANY_LINKS, 1.1e-3)):
        assert costs.decided_s(links) + costs.written_s(links) == pytest.approx(seconds)
    assert costs.read_s == pytest.approx(0.9e-3)


def test_no_cost_is_below_nothing_when_the_machine_was_busy_with_the_first_crawl() -> None:
    costs = costs_of(crawl(0.9, 0.9), crawl(0.5, 0.5), 60)
    assert costs.decide_link_s == costs.write_link_s == 0.0
    assert costs.decided_s(100) + costs.written_s(100) == pytest.approx(0.9e-3)


def test_the_crawl_that_calibrates_is_predicted_as_it_was_measured() -> None:
    costs = costs_of(crawl(0.3, 0.5), crawl(0.7, 0.9), 60)
    setup = Setup(20, 1)
    rate = 0.9 * 20 / DELAY_S
    measured, predicted, error = compared(setup, rate, costs, calibrated_s(setup, rate, costs))
    assert measured.median == rate
    assert predicted.median == pytest.approx(rate, rel=0.03)
    assert abs(error.median) < 3


def test_what_a_node_adds_for_the_coordinator_is_that_of_forty_messages_a_second() -> None:
    alone, with_node = crawl(0.5, 0.5), crawl(0.9, 2.0)
    assert message_s(alone, with_node) == pytest.approx(0.4e-3 * 100.0 / 40)
    assert message_s(with_node, alone) == 0.0


def test_nodes_that_hold_jobs_in_store_add_no_wait_for_calls_to_a_page() -> None:
    costs = costs_of(crawl(0.3, 0.5), crawl(0.7, 0.9), 60)
    local, remote = Setup(20, 2), Setup(20, 2, cluster=True)
    rates = [[*compared(each, 1.0, costs, 0.0)][1].median for each in (local, remote)]
    alone_s, with_nodes_s = (20 / rate for rate in rates)
    assert 0.0 < with_nodes_s - alone_s < 0.01


def test_full_speed_is_that_of_the_processors() -> None:
    costs = costs_of(crawl(0.5, 0.5), crawl(0.5, 0.5), 60)
    one = Setup(40, 1, waits=False)
    rate = predicted(one, costs, 0.0)
    assert rate < 1.1 / 0.5e-3, "as one page worker has one core"
    assert predicted(one, costs.slowed(3.0), 0.0) == pytest.approx(rate / 3, rel=0.1)
