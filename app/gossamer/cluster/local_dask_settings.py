"""Dask's settings for a cluster on this machine: without what observes tasks, of which it has none.

The processes of such a cluster share the cores with the crawl, and a node is one actor.
"""

import sys
from typing import Final

from gossamer.ipc.process_start import FORKS

LOCAL_DASK_SETTINGS: Final[dict[str, object]] = {
    # A stack trace 100 times a second, each time in a task of its own.
    "distributed.worker.profile.enabled": False,
    # By default, scheduler, nannies and workers each check their loop 50 times a second.
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.cycle": "10s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.admin.event-loop": "asyncio" if sys.platform == "win32" else "uvloop",
}
if FORKS:
    LOCAL_DASK_SETTINGS["distributed.worker.multiprocessing-method"] = "forkserver"
