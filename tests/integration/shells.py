"""A shell in a process of its own, which tests may kill."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gossamer.ipc.process_start import Process
from tests.fakes.preloaded import start_script
from tests.patience import PATIENCE_S

_SHELL = """
import asyncio, os, sys
from pathlib import Path
from gossamer.__main__ import _begin_host
from gossamer.model.messages.crawl_messages import Trouble
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.session_factory import SessionFactory

def begin(_, stderr):
    return _begin_host(session.settings.processes or os.cpu_count(), stderr)

hosts = CrawlHostPool(begin)
session = SessionFactory(hosts).open(Path(sys.argv[1]))
hosts.prepare()

async def main():
    await session.start()
    async for report in session.updates():
        if isinstance(report, Trouble) or session.state == "finished":
            break
    await session.close()

asyncio.run(main())
"""


@contextmanager
def shell(project: Path) -> Iterator[Process]:
    """Crawls `project` until that is finished or fails; killed at the end of the block.

    Its crawl host is a copy of it, as that of the command line is.
    """
    process = start_script(_SHELL, str(project))
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE_S)
