"""Declares the kinds of workers a crawl can have: their jobs, and how a worker is started."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from msgspec import Struct

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import adopt
from gossamer.ipc.process_start import LaunchedProcess, launch
from gossamer.model.cluster_address import ClusterChoice, parse_cluster
from gossamer.model.errors import BugError
from gossamer.model.messages.crawl_messages import NodeState
from gossamer.model.messages.worker_messages import ConfigureWorker, FetchKind, Result
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable, said

if TYPE_CHECKING:
    from gossamer.cluster.cluster import Cluster

NODE_DROP_TIMEOUT_S: Final = 3.0
"""A reachable node obeys within two calls; an unreachable one has closed its connections itself."""


class WorkerLink(Protocol):
    """A connected worker: a child process, or a stand-in for a remote one."""

    @property
    def pid(self) -> int:
        """Its process id, for the log."""

    @property
    def closed(self) -> bool:
        """Whether it is gone."""

    @property
    def is_lost(self) -> bool:
        """Whether it is gone because its node cannot be reached."""

    @property
    def is_given_up(self) -> bool:
        """Whether it is gone because its node is not to be used, whatever its jobs were."""

    @property
    def ahead(self) -> int:
        """How many jobs it should prefetch, besides those that run, so as never to wait."""

    def send(self, message: object) -> None:
        """Send a message; it is lost if the worker is gone."""

    def kill(self) -> None:
        """End it at once; `on_closed` follows as after any other end."""

    async def end(self, timeout_s: float) -> int | None:
        """End it, within about that time; its exit code if it has one."""


StartWorker: TypeAlias = Callable[
    [Callable[[list[Result]], None], Callable[[], None]], Awaitable[WorkerLink]
]
"""Starts a worker and returns when it has connected, or raises CrawlHostError. The callbacks get
its messages, and one call when it is gone."""

RecruitWorkers: TypeAlias = Callable[
    [ConfigureWorker, Callable[[StartWorker], None]], Coroutine[Any, Any, None]
]


class WorkerKind(Struct, frozen=True):
    """A kind of worker: its jobs, their number, and how one is started."""

    name: str
    takes: Callable[[CrawlSettings], frozenset[FetchKind]]
    """The jobs that go to workers of this kind in a crawl with these settings, and to no other."""
    workers: Callable[[CrawlSettings], int]
    """How many workers a crawl with these settings has, besides those that join by themselves."""
    start: StartWorker
    recruit: RecruitWorkers | None = None
    """Runs as long as the crawl and offers the next worker whenever there is room for one more, if
    workers join by themselves."""
    trouble: Callable[[], Translatable | None] = lambda: None
    """Why no job can be done now, if that is so and passes by itself."""
    starting: Callable[[], Translatable | None] = lambda: None
    """What the first worker is waited for, where that takes a while."""
    nodes: Callable[[], list[NodeState]] = list
    """What each node does, where the workers are those of nodes."""
    drop_timeout_s: float = 0.1
    """A worker may be deep in a huge page; the user was promised silence in twice this time."""
    has_store: Callable[[CrawlSettings], bool] = lambda _settings: False
    """Whether workers are so distant that they prefetch jobs. Each then gets the number that may
    run at once: its share of the requests of the crawl."""
    jobs_each: int | None = None
    """How many jobs one worker may have at once, on average; None: as many as the crawl begins."""
    end_spares: Callable[[int], None] = lambda _keep: None
    """Ends workers that were started in advance, except as many as the crawl has of all kinds."""
    clear: Callable[[], None] = lambda: None
    """Removes what workers leave behind that were killed. It may take a while."""


_ALL: Final = frozenset(FetchKind)


def _on_nodes(settings: CrawlSettings) -> frozenset[FetchKind]:
    """The jobs that workers of a cluster's nodes take."""
    return _ALL if settings.cluster else frozenset()


def _rendered(settings: CrawlSettings) -> frozenset[FetchKind]:
    """The jobs that the render worker here takes: all, so that it keeps the pace of each host.

    Pages load far more than the crawl host knows about.
    """
    return _ALL - _on_nodes(settings) if settings.renders_pages else frozenset()


def _start_page_worker(ahead: list[LaunchedProcess]) -> StartWorker:
    """Starts a process that gets to know from its settings whether it renders.

    Processes started in advance (`ahead`) are used first; each is removed from that list.
    """

    async def start(
        on_messages: Callable[[list[Result]], None], on_closed: Callable[[], None]
    ) -> WorkerLink:
        launched = ahead.pop() if ahead else launch(ChildRole.PAGE_WORKER)
        return await adopt(
            launched, message_type=Result, on_messages=on_messages, on_closed=on_closed
        )

    return start


def render_workers(ahead: list[LaunchedProcess]) -> WorkerKind:
    """The page worker on this machine that renders pages, if the settings want it."""
    return WorkerKind(
        "render worker",
        takes=_rendered,
        workers=lambda settings: int(settings.renders_pages),
        start=_start_page_worker(ahead),
        clear=remove_abandoned_profiles,
    )


def remove_abandoned_profiles() -> None:
    """Remove the profiles of browsers whose processes were killed. It may take a while."""
    from gossamer.render.browser_profile import remove_all_abandoned  # noqa: PLC0415 - most crawls have no browser

    remove_all_abandoned()


def page_workers(ahead: list[LaunchedProcess]) -> WorkerKind:
    """Processes on this machine that make HTTP requests and parse the responses."""

    def end_spares(keep: int) -> None:
        while len(ahead) > keep:
            ahead.pop().abandon()

    return WorkerKind(
        "page worker",
        takes=lambda settings: _ALL - _rendered(settings) - _on_nodes(settings),
        workers=lambda settings: settings.local_page_workers,
        start=_start_page_worker(ahead),
        end_spares=end_spares,
    )


async def _start_nowhere(*_: object) -> WorkerLink:
    raise BugError("a node was not asked for a worker of its own")


def _begun_here(choice: ClusterChoice) -> LaunchedProcess | None:
    """A cluster on this machine that starts while this process imports Dask, if that is chosen."""
    nodes = parse_cluster(choice.address).local_nodes
    if not nodes:
        return None
    from gossamer.cluster.local_cluster import launched_cluster  # noqa: PLC0415 - few crawls have one

    return launched_cluster(nodes)


def node_workers() -> WorkerKind:
    """Workers of the nodes of a Dask cluster, if the settings name one."""
    opened: list[Cluster] = []

    async def recruit(configure: ConfigureWorker, offer: Callable[[StartWorker], None]) -> None:
        choice = configure.settings.cluster_choice
        begun = _begun_here(choice)
        try:
            from gossamer.cluster.cluster import Cluster  # noqa: PLC0415 - few crawls have one
            from gossamer.cluster.page_workers_on_nodes import PageWorkersOnNodes  # noqa: PLC0415 - likewise

            use_of = PageWorkersOnNodes(configure, offer)
            cluster = Cluster(choice, use_of, has_secrets=bool(configure.secrets), begun=begun)
        except BaseException:
            if begun is not None:
                begun.abandon()
            raise
        opened.append(cluster)
        await cluster.run()

    return WorkerKind(
        "node worker",
        takes=_on_nodes,
        workers=lambda _settings: 0,
        start=_start_nowhere,
        recruit=recruit,
        trouble=lambda: opened[0].trouble if opened else None,
        starting=lambda: opened[0].starting if opened else said("Connecting to the cluster…"),
        nodes=lambda: opened[0].nodes() if opened else [],
        drop_timeout_s=NODE_DROP_TIMEOUT_S,
        # Render workers keep the pace of each host by themselves, from when they get a job.
        has_store=lambda settings: not settings.renders_pages,
    )
