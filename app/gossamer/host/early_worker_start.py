"""Page workers that are started as the host's first act, so that they come up together with it."""

from contextlib import suppress

from gossamer.ipc import ChildRole
from gossamer.ipc.forking import FORKS, fork
from gossamer.ipc.process_launch import Launched, launch
from gossamer.model.errors import CrawlHostError


def launch_workers(number: int) -> list[Launched]:
    """Start so many page workers; those that could be started.

    Where one cannot, the pool tries again and says why. To be called before there is a thread or
    a loop: where that is possible they are copies of this process, which imports for all of them.
    """
    launched: list[Launched] = []
    with suppress(CrawlHostError):
        for _ in range(number):
            launched.append(_forked(launched) if FORKS else launch(ChildRole.PAGE_WORKER))
    return launched


def _forked(beside: list[Launched]) -> Launched:
    from gossamer.host import page_worker  # noqa: PLC0415 - where nothing is forked, it is not needed
    from gossamer.host.child_loop import run_child  # noqa: PLC0415 - likewise

    return fork(lambda: run_child(page_worker.main), "gossamer-worker", beside=beside)
