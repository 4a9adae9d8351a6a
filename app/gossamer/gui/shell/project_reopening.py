"""Reopens a project in the window after its file was replaced, whatever happened meanwhile."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.model.errors import KnownError


@asynccontextmanager
async def shown_again(crawl: CrawlController, project: Path) -> AsyncIterator[None]:
    """Show `project` at the end, whatever happened inside.

    Showing it withdraws what the window says about a crawl, so a KnownError goes on only after
    that.
    """
    try:
        yield
    except KnownError:
        await crawl.show(project)
        raise
    except BaseException:
        crawl.open(project)  # not awaited: the window may be closing
        raise
    else:
        crawl.open(project)
