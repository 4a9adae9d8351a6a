"""A crawl session as benchmarks use it: a passing project file, closed at the end."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.session_factory import SessionFactory

_LOOK_EVERY_S = 0.002


@asynccontextmanager
async def crawling(root: str, **settings: Any) -> AsyncIterator[CrawlSession]:
    """Crawl `root` without asking for robots.txt; a session that runs."""
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as folder:
        session = SessionFactory().create(
            CrawlSettings(roots=(root,), obey_robots=False, **settings),
            Path(folder, "bench.gossamer"),
        )
        try:
            await session.start()
            yield session
        finally:
            await session.close()


async def until(holds: Callable[[], bool], limit_s: float) -> bool:
    """Wait until it holds; False if that takes longer."""
    try:
        async with asyncio.timeout(limit_s):
            while not holds():  # noqa: ASYNC110 - it looks at another process
                await asyncio.sleep(_LOOK_EVERY_S)
    except TimeoutError:
        return False
    return True
