"""Says what is simulated: machines, what their work costs, politeness, messages, faults."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Final, Self

BATCH_PAGES: Final = 1_000
"""`engine/pending_batch` MAX_VISITS: with so many undecided or unwritten, nothing is begun."""
BATCH_LINKS: Final = 100_000
COMMIT_S: Final = 0.15
COMMIT_RARELY_S: Final = 0.4
MUCH_QUEUED: Final = 500
"""`engine/batch_recorder`: how long a batch waits, with less and with more in the queue."""
BACK_OFF_S: Final = 0.4
MOST_TRIES: Final = 4
NODE_LOSSES_ALLOWED: Final = 5
"""`engine/failures/url_retries`, `model/settings/limit_settings`."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of processor time, and bytes. `tests.bench.simulation` measures them.

    The coordinator decides (engine) and writes (store) in two threads of one interpreter, so that
    their times add up. These are those of an idle machine: `bench scaling`, "crawl host alone",
    with the third that the audit has added since (docs/performance.md).
    """

    decide_s: float = 80e-6
    decide_link_s: float = 0.65e-6
    write_s: float = 52e-6
    write_link_s: float = 1.4e-6
    read_s: float = 0.8e-3
    """A page worker's time for a page: fetch, parse, extract, encode."""
    message_s: float = 0.5e-3
    """The coordinator's time for a message to or from a node."""
    node_message_s: float = 1.5e-3
    """The same for a node: its Dask worker's time, not its page workers'."""
    serve_s: float = 0.0
    """The site's time for a page, where it has no machine of its own."""
    job_bytes: int = 200
    result_bytes: int = 150
    result_link_bytes: int = 81
    """`bench scaling`: 7.9 KiB for 98 links (cppreference), 2.1 KiB for 25 (PostgreSQL)."""
    page_bytes: int = 18_000
    shipped_link_s: float = 8e-6
    """A shard's time for a link that it gets from another one, or passes on."""
    shipped_link_bytes: int = 120

    def decided_s(self, links: float) -> float:
        """Of one page."""
        return self.decide_s + self.decide_link_s * links

    def written_s(self, links: float) -> float:
        """Of one page."""
        return self.write_s + self.write_link_s * links

    def slowed(self, factor: float) -> Self:
        """The same work on a machine that takes so many times as long for it."""
        times = [field.name for field in fields(self) if field.name.endswith("_s")]
        return replace(self, **{name: factor * getattr(self, name) for name in times})

    def result_size(self, links: float) -> float:
        """Of one page, in bytes."""
        return self.result_bytes + self.result_link_bytes * links


@dataclass(frozen=True, slots=True)
class Exchange:
    """How jobs and results travel: `gossamer.cluster` calls each node again and again."""

    pace_s: float = 0.05
    """Between the beginnings of two calls (`node_link` CALL_EVERY_S)."""
    gather_s: float = 0.03
    """How long a node gathers for each call what it has to tell (`report_queue` GATHER_S)."""
    latency_s: float = 0.5e-3
    bandwidth: float = 125e6
    """Bytes a second that the coordinator's line carries in each direction."""

    @property
    def stores(self) -> bool:
        """Whether nodes hold jobs ahead (ADR 58)."""
        return self.pace_s > 0

    @property
    def cycle_s(self) -> float:
        """Between the beginnings of two calls of a node that has little to carry."""
        return max(self.pace_s, self.gather_s + 2 * self.latency_s)


PIPES: Final = Exchange(pace_s=0.0, gather_s=0.0, latency_s=0.0, bandwidth=1e12)
"""Page workers of one machine: each message goes at once."""


class FaultKind(Enum):
    """What goes wrong."""

    NODE_LOST = "node lost"
    """The node is gone; another one takes its place after `lasts_s`."""
    NETWORK_LOST = "scheduler or network lost"
    """No message arrives while it lasts. What was out longer than the detection is asked again."""
    NODE_SLOW = "node slow"
    """Its processors do a tenth of their work."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong at a time. `node` counts over all shards."""

    kind: FaultKind
    at_s: float
    node: int = 0
    lasts_s: float = 5.0


SLOWER: Final = 10.0


@dataclass(frozen=True, slots=True)
class Plan:
    """A crawl: which machines, how many requests at once in all, how polite."""

    nodes: int = 1
    cores: int = 2
    shards: int = 1
    shared_cores: int = 0
    """Cores on which coordinator, nodes and site run together; 0: each node has its own, as has the
    coordinator."""
    workers: int = 10
    """Parallel requests, over all nodes and shards: the setting."""
    costs: Costs = field(default_factory=Costs)
    exchange: Exchange = field(default_factory=Exchange)
    node_bandwidth: float = 125e6
    rate_delay_s: float = 0.0
    """Seconds between two requests to a host; its crawl delay holds where that is longer."""
    per_host: int | None = None
    robots: bool = True
    detection_s: float = 3.0
    shard_exchange_s: float = 1.0
    faults: Sequence[Fault] = ()
    time_limit_s: float = float("inf")
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if not 1 <= self.shards <= self.nodes or self.workers < self.shards:
            raise ValueError("each shard needs a node and a worker")
