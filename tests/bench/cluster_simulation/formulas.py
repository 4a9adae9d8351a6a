"""The closed formulas of docs/scale.md: what each part of a crawl carries; the least holds.

All ask for the long run, with enough queued. The simulation says how much of it is reached.
"""

from dataclasses import asdict, dataclass

from tests.bench.cluster_simulation.node import read_s
from tests.bench.cluster_simulation.plan import BATCH_PAGES, Plan
from tests.bench.cluster_simulation.web import Web


@dataclass(frozen=True, slots=True)
class Limits:
    """Pages a second that each part carries at most."""

    coordinators: float
    nodes: float
    workers: float
    politeness: float
    lines: float
    machine: float
    """Of the machine that all share, if there is one."""

    @property
    def rate(self) -> float:
        """What the whole carries."""
        return min(self._parts().values())

    @property
    def narrowest(self) -> str:
        """The part that decides."""
        parts = self._parts()
        return min(parts, key=parts.__getitem__)

    def _parts(self) -> dict[str, float]:
        return asdict(self)


def limits(plan: Plan, web: Web) -> Limits:
    """What each part carries."""
    costs = plan.costs
    tries = 1.0 + web.model.failing
    return Limits(
        coordinators=plan.shards * coordinator_rate(plan, web.model.links, web.model.leaving),
        nodes=plan.nodes * plan.cores / (read_s(plan) * tries),
        workers=plan.workers / (trip_s(plan, web) * tries),
        politeness=sum(host_rate(plan, web, number) for number in range(len(web.hosts))),
        lines=min(
            plan.shards * plan.exchange.bandwidth / costs.result_size(web.model.links),
            plan.nodes * plan.node_bandwidth / costs.page_bytes,
        ),
        machine=machine_rate(plan, web),
    )


def coordinator_rate(plan: Plan, links: float, leaving: float) -> float:
    """Pages a second of one coordinator, with its share of the nodes.

    It goes round: all nodes are called, and what they answer is decided and written. The busier it
    is, the longer a round takes, and the more pages share the cost of its calls: as many as may be
    on their way at once.
    """
    costs = plan.costs
    away = leaving * (plan.shards - 1) / plan.shards
    page_s = costs.decided_s(links) + costs.written_s(links)
    page_s += 2 * away * costs.shipped_link_s
    if not plan.exchange.pace_s:
        return 1.0 / (page_s + 2 * costs.message_s)
    at_once = min(BATCH_PAGES, plan.workers / plan.shards)
    return 1.0 / (page_s + 2 * costs.message_s * plan.nodes / plan.shards / at_once)


def machine_rate(plan: Plan, web: Web) -> float:
    """Pages a second of a machine on which coordinator, nodes and site run together."""
    if not plan.shared_cores:
        return float("inf")
    pages = [plan.shared_cores / read_s(plan), coordinator_rate(plan, web.model.links, 0.0)]
    page_s = 1.0 / pages[0] + 1.0 / pages[1] / plan.shared_cores
    return 1.0 / page_s


def trip_s(plan: Plan, web: Web) -> float:
    """How long a request takes its place among the parallel ones: the next one is in store."""
    return web.mean_answer_s + plan.costs.read_s


def wait_s(plan: Plan) -> float:
    """How long a host's place is empty where it has few, so that none of it is in store.

    An answer waits until its node has gathered, half a cycle of calls on average, and the job that
    takes its place for the next call.
    """
    return 1.5 * plan.exchange.cycle_s - plan.exchange.gather_s


def host_rate(plan: Plan, web: Web, number: int) -> float:
    """Requests a second that one host may get, and gives."""
    host = web.hosts[number]
    delay_s = max(plan.rate_delay_s, host.delay_s)
    by_delay = 1.0 / delay_s if delay_s else float("inf")
    own_s = host.answer_s + plan.costs.read_s
    by_places = plan.per_host / (own_s + wait_s(plan)) if plan.per_host else plan.workers / own_s
    return min(by_delay, by_places)


def least_seconds(plan: Plan, web: Web) -> float:
    """No crawl of these sites ends sooner: by all parts, and by the slowest host."""
    slowest = max((host.pages - 1) * max(plan.rate_delay_s, host.delay_s) for host in web.hosts)
    return max(slowest, web.pages / limits(plan, web).rate)


def node_messages(plan: Plan, rate: float) -> float:
    """Messages a second to and from one node, at a rate of pages."""
    pace_s = plan.exchange.pace_s
    pages = rate / plan.nodes
    return 2 * min(pages, 1.0 / pace_s) if pace_s else 2 * pages


def bytes_per_page(plan: Plan, links: float, leaving: float) -> float:
    """Between coordinator and nodes, and between shards."""
    costs = plan.costs
    away = leaving * (plan.shards - 1) / plan.shards
    shipped = away * costs.shipped_link_bytes
    return costs.job_bytes + costs.result_size(links) + shipped
