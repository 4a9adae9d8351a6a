"""Page workers that are started as the host's first act, so that they come up together with it."""

from contextlib import suppress
from typing import Final

from app.ipc.launch import Launched, launch
from app.model.errors import CrawlHostError

ROLE: Final = "page-worker"


def launch_workers(number: int) -> list[Launched]:
    """Start so many page workers; those that could be started.

    Where one cannot, the pool tries again and says why.
    """
    launched: list[Launched] = []
    with suppress(CrawlHostError):
        launched.extend(launch(ROLE) for _ in range(number))
    return launched
