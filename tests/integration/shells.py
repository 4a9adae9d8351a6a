"""A shell in a process of its own, which tests may kill."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.patience import PATIENCE_S

_SHELL = """
import asyncio, sys
from pathlib import Path
from gossamer.model.messages.crawl_messages import Trouble
from gossamer.session.session_factory import SessionFactory

async def main():
    session = SessionFactory().open(Path(sys.argv[1]))
    await session.start()
    async for report in session.updates():
        if isinstance(report, Trouble) or session.state == "finished":
            break
    await session.close()

asyncio.run(main())
"""


@contextmanager
def shell(project: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Crawls `project` until that is finished or fails; killed at the end of the block."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SHELL, str(project)], stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE_S)
