"""What holds for every simulated crawl, whatever its sites, machines and faults."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.cluster_simulation.formulas import limits
from tests.bench.cluster_simulation.frontier import Entry
from tests.bench.cluster_simulation.plan import (
    PIPES,
    Costs,
    Exchange,
    Fault,
    FaultKind,
    Plan,
)
from tests.bench.cluster_simulation.simulation import simulate
from tests.bench.cluster_simulation.web import Web, WebModel, made, uniform

webs = st.builds(
    made,
    st.builds(
        WebModel,
        hosts=st.integers(1, 8),
        seeds=st.integers(1, 3),
        pages_least=st.integers(1, 12),
        pages_most=st.just(60),
        new_links=st.integers(1, 8),
        delay_share=st.sampled_from([0.0, 0.3]),
        delay_s=st.just(0.5),
        failing=st.sampled_from([0.0, 0.2]),
    ),
    st.integers(0, 2**32),
)
faults = st.builds(
    Fault,
    st.sampled_from(FaultKind),
    at_s=st.floats(0.0, 8.0),
    node=st.integers(0, 5),
    lasts_s=st.sampled_from([0.5, 4.0, 30.0]),
)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    shards = draw(st.integers(1, 3))
    return Plan(
        shards=shards,
        nodes=shards * draw(st.integers(1, 3)),
        cores=draw(st.integers(1, 2)),
        workers=shards * draw(st.sampled_from([1, 5, 40])),
        exchange=draw(st.sampled_from([PIPES, Exchange(), Exchange(latency_s=0.1)])),
        per_host=draw(st.sampled_from([None, 2])),
        rate_delay_s=draw(st.sampled_from([0.0, 0.1])),
        robots=draw(st.booleans()),
        faults=draw(st.lists(faults, max_size=3)),
    )


def needed(plan: Plan, web: Web) -> int:
    """Requests of a crawl where nothing is lost."""
    pages = [(host.number, page) for host in web.hosts for page in range(host.pages)]
    failures = sum(web.failures(host, page) for host, page in pages)
    return len(pages) + failures + plan.robots * len(web.hosts)


@given(plans(), webs)
@settings(max_examples=20)
def test_each_page_is_written_once_and_only_what_faults_took_is_asked_again(
    plan: Plan, web: Web
) -> None:
    crawl = simulate(plan, web)
    assert set(crawl.written.values()) == {1}
    if crawl.given_up:
        return  # what only it leads to is not found
    assert len(crawl.written) == crawl.pages == web.pages
    assert crawl.requests - crawl.repeated == needed(plan, web)
    if not plan.faults:
        assert crawl.repeated == 0


@given(plans(), webs)
@settings(max_examples=20)
def test_the_same_seed_gives_the_same_crawl(plan: Plan, web: Web) -> None:
    assert simulate(plan, web) == simulate(plan, made(web.model, web.seed))


@given(plans(), webs)
@settings(max_examples=20)
def test_as_many_are_inside_as_come_in_times_how_long_they_stay(plan: Plan, web: Web) -> None:
    """Little's law, with the two sides counted in different ways."""
    crawl = simulate(plan, web)
    for stays in (crawl.in_flight, crawl.answers):
        assert stays.mean == pytest.approx(stays.rate * stays.stay_s)
    ahead = 200 * plan.cores * plan.nodes if plan.exchange.stores else 0
    assert crawl.in_flight.most <= plan.workers + ahead


@given(plans(), webs)
@settings(max_examples=20)
def test_no_host_is_asked_more_often_or_by_more_at_once_than_politeness_allows(
    plan: Plan, web: Web
) -> None:
    taken: defaultdict[int, list[float]] = defaultdict(list)

    def watch(_now: float, entry: Entry) -> None:
        if entry.page > 0 or not plan.robots:
            taken[entry.host.number].append(entry.taken_at)

    simulate(plan, web, watch)
    for number, times in taken.items():
        delay_s = max(plan.rate_delay_s, web.hosts[number].delay_s * plan.robots)
        assert all(
            later - sooner >= delay_s - 1e-9 for sooner, later in pairwise(sorted(set(times)))
        )
        if delay_s:
            assert len(set(times)) == len(times)


@given(plans(), webs)
@settings(max_examples=20)
def test_no_crawl_is_faster_than_its_narrowest_part(plan: Plan, web: Web) -> None:
    """Bounds that hold exactly, however the work falls."""
    crawl = simulate(plan, web)
    if crawl.given_up:
        return
    costs, links = plan.costs, web.model.links
    assert crawl.coordinator_busy <= 1.0 + 1e-9
    assert crawl.seconds >= web.pages * costs.decided_s(links) / plan.shards
    assert crawl.seconds >= web.pages * costs.read_s / (plan.nodes * plan.cores)
    asked_s = sum(web.answer_s(host, page) for host in web.hosts for page in range(host.pages))
    assert crawl.seconds >= asked_s / plan.workers
    for host in web.hosts:
        delay_s = max(plan.rate_delay_s, host.delay_s * plan.robots)
        assert crawl.seconds >= (host.pages - 1) * delay_s


QUICK = uniform(40, 50, 0.2, new_links=6)
"""2,000 pages that take 200 ms each."""


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        (Plan(nodes=1, workers=50), Plan(nodes=1, workers=200)),
        (
            Plan(nodes=1, workers=400, costs=Costs(read_s=5e-3)),
            Plan(nodes=4, workers=400, costs=Costs(read_s=5e-3)),
        ),
        (Plan(nodes=2, workers=100, exchange=Exchange(latency_s=0.2)), Plan(nodes=2, workers=100)),
        (
            Plan(nodes=2, workers=100, per_host=2),
            Plan(nodes=2, workers=100, per_host=2, exchange=PIPES),
        ),
        (Plan(nodes=4, workers=900, costs=Costs(decide_s=5e-3)), Plan(nodes=4, workers=900)),
        (
            Plan(nodes=4, workers=900, costs=Costs(decide_s=5e-3)),
            Plan(nodes=4, workers=900, costs=Costs(decide_s=5e-3), shards=4),
        ),
        (Plan(rate_delay_s=0.5, workers=90), Plan(rate_delay_s=0.1, workers=90)),
        (
            Plan(nodes=2, workers=50, faults=[Fault(FaultKind.NODE_LOST, 2.0, 0, 60.0)]),
            Plan(nodes=2, workers=50),
        ),
        (
            Plan(nodes=2, workers=50, faults=[Fault(FaultKind.NETWORK_LOST, 2.0, 0, 9.0)]),
            Plan(nodes=2, workers=50),
        ),
        (
            Plan(nodes=1, workers=400, faults=[Fault(FaultKind.NODE_SLOW, 0.0, 0, 60.0)]),
            Plan(nodes=1, workers=400),
        ),
    ],
)
def test_more_machines_and_fewer_faults_take_less_time(worse: Plan, better: Plan) -> None:
    assert simulate(worse, QUICK).seconds > 1.1 * simulate(better, QUICK).seconds


def test_four_nodes_on_slow_servers_are_nearly_four_times_as_fast_as_one() -> None:
    web = uniform(100, 80, 0.2)
    one, four = (simulate(Plan(nodes=n, workers=50 * n), web).steady_rate for n in (1, 4))
    assert 3.6 * one <= four <= 4.0 * one * 1.05


def test_no_node_gets_and_sends_more_than_forty_messages_a_second() -> None:
    quick = Costs(read_s=1e-4)
    crawl = simulate(Plan(nodes=2, workers=900, costs=quick), uniform(40, 200, 0.02))
    assert crawl.steady_rate > 2 * 20 * 10, "or there would be little to send"
    the_first_call = 2
    assert crawl.node_messages * crawl.seconds <= 40 * crawl.seconds + the_first_call


@pytest.mark.parametrize(
    "plan",
    [
        Plan(nodes=2, workers=60),
        Plan(nodes=1, cores=1, workers=900),
        Plan(nodes=8, cores=4, workers=3_000),
        Plan(nodes=8, cores=4, workers=3_000, costs=Costs(decide_s=1e-3), shards=4),
        Plan(nodes=8, workers=900, rate_delay_s=0.5),
        Plan(
            nodes=4,
            cores=1,
            shared_cores=2,
            workers=400,
            exchange=PIPES,
            costs=Costs(read_s=1e-3, message_s=0.0),
        ),
    ],
)
def test_closed_formulas_give_about_what_the_simulation_gives(plan: Plan) -> None:
    web = uniform(200, 50, 0.2)
    simulated = simulate(plan, web).steady_rate
    assert 0.75 * limits(plan, web).rate <= simulated <= 1.1 * limits(plan, web).rate


def test_a_node_that_is_lost_costs_what_it_had_in_flight() -> None:
    plan = Plan(nodes=4, workers=80, faults=[Fault(FaultKind.NODE_LOST, 2.0, 1, 60.0)])
    crawl = simulate(plan, QUICK)
    assert 0 < crawl.repeated <= 80 / 4 + 1
    assert crawl.seconds < simulate(replace(plan, faults=()), QUICK).seconds + 6.0
