"""A Dask cluster on this machine, in its own process: to try it, and for tests."""

import asyncio
import logging
import os
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing import forkserver, set_forkserver_preload
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt, connect_to_parent
from gossamer.ipc.process_start import FORKS, LOOPBACK, LaunchedProcess, launch
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.node_messages import ClusterServing

if TYPE_CHECKING:
    from gossamer.ipc.channel import Channel

_START_S: Final = 60.0
_END_S: Final = 5.0
_STARTS: Final = 3
_SYNC_EVERY_S: Final = 3_600
"""How often Dask tells the scheduler the name of the cluster, by default each second."""
_SHARED_MODULES: Final = ("distributed.nanny", "distributed.worker", "gossamer.cluster.node")
"""What Dask workers of a cluster on this machine import, which takes most of their start."""
_THREADS_OF: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that keep numpy from starting threads: a process with threads must not be forked."""
_log = logging.getLogger(__name__)


def launched_cluster(nodes: int) -> LaunchedProcess:
    """Begin to start a cluster with so many workers: `local_cluster` goes on with it."""
    return launch(ChildRole.LOCAL_CLUSTER, str(nodes))


@asynccontextmanager
async def local_cluster(nodes: int, begun: LaunchedProcess | None = None) -> AsyncIterator[str]:
    """The address of a scheduler with so many workers, in processes that end with the block.

    The first of these is `begun`, if given. If one of them is killed while they start, all are
    started again. CrawlHostError if they do not come up.
    """
    process, address = await _started(nodes, begun)
    try:
        yield address
    finally:
        has_ended = process.closed
        code = await process.end(_END_S)
        if has_ended:
            end = {"pid": process.pid, "exit_code": code}
            _log.warning("the cluster on this machine has ended", extra=end)


async def _started(
    nodes: int, begun: LaunchedProcess | None
) -> tuple[ChildProcess[ClusterServing], str]:
    for left in reversed(range(_STARTS)):
        try:
            launched, begun = begun or launched_cluster(nodes), None
            return await _start(launched)
        except CrawlHostError as e:
            if not left:
                raise
            _log.warning("the cluster on this machine did not start", extra={"reason": str(e)})
    raise _unstarted()


async def _start(launched: LaunchedProcess) -> tuple[ChildProcess[ClusterServing], str]:
    serving: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def told(messages: list[ClusterServing]) -> None:
        if not serving.done():
            serving.set_result(messages[-1].address)

    def gone() -> None:
        if not serving.done():
            serving.set_exception(_unstarted())

    process = await adopt(
        launched,
        message_type=ClusterServing,
        on_messages=told,
        on_closed=gone,
        timeout_s=_START_S,
    )
    try:
        try:
            async with asyncio.timeout(_START_S):
                return process, await serving
        except TimeoutError as e:
            raise _unstarted() from e
    except BaseException:
        await process.end(_END_S)
        raise


def _unstarted() -> CrawlHostError:
    return CrawlHostError(
        "The cluster on this machine did not start; see the log, or crawl without a cluster."
    )


def _begin_fork_server() -> None:
    """Start the process of which Dask workers are copies: it imports while this one does."""
    for name in _THREADS_OF:  # nannies say so, too, and copies of a process need it in time
        os.environ.setdefault(name, "1")
    set_forkserver_preload(list(_SHARED_MODULES))
    forkserver.ensure_running()


async def main(nodes: str) -> int:
    """In the child: run the cluster until the parent has gone."""
    if FORKS:
        _begin_fork_server()
    import dask  # noqa: PLC0415 - the parent needs only what is above
    from distributed import LocalCluster  # noqa: PLC0415 - likewise

    from gossamer.cluster.dask_logging import log_as_ours  # noqa: PLC0415 - likewise
    from gossamer.cluster.local_dask_settings import LOCAL_DASK_SETTINGS  # noqa: PLC0415 - likewise

    dask.config.set(LOCAL_DASK_SETTINGS)  # nannies pass it on to their workers

    log_as_ours()
    logging.getLogger("distributed.nanny").setLevel(logging.INFO)  # how each worker has ended
    warnings.simplefilter("ignore")  # that another cluster has the usual port says nothing to us
    number = int(nodes)
    channel: Channel[ClusterServing] = await connect_to_parent(
        ClusterServing, lambda _: None, lambda: None
    )
    with TemporaryDirectory(prefix="gossamer-cluster-", ignore_cleanup_errors=True) as folder:
        cluster = LocalCluster(  # type: ignore[no-untyped-call]  # Dask's
            n_workers=number,
            threads_per_worker=max(1, (os.cpu_count() or 1) // number),
            host=LOOPBACK,
            dashboard_address=None,
            worker_dashboard_address=None,
            memory_limit=0,  # what pages need is the memory of other processes
            local_directory=folder,
            scheduler_sync_interval=_SYNC_EVERY_S,
            asynchronous=True,
        )
        async with cluster:
            channel.send(ClusterServing(cluster.scheduler_address))
            await channel.wait_closed()
    return 0
