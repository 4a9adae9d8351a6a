"""Lives of a crawl that end when a random process of it is killed."""

import random
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

from tests.integration.crawling import assert_gone
from tests.integration.shells import shell
from tests.patience import PATIENCE_S
from tests.sites import Site

REQUESTS_PER_ROUND: Final = 30
VICTIMS: Final = ("host", "worker", "shell", "all")
LOOK_S: Final = 0.2


def killed(pid: int, victim: str, chance: random.Random) -> None:
    """Kill a process of the family whose shell has this id, or all of them."""
    family = psutil.Process(pid)
    hosts = family.children()
    workers = [worker for host in hosts for worker in host.children()]
    doomed = {
        "host": hosts,
        "worker": chance.sample(workers, k=min(1, len(workers))),
        "shell": [family],
        "all": chance.sample([family, *hosts, *workers], k=1 + len(hosts) + len(workers)),
    }[victim]
    for process in doomed:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue


def one_life(site: Site, project: Path, chance: random.Random, victim: str = "") -> None:
    """Crawl on until a process is killed at a random moment; no other lives on.

    The `victim` is one of `VICTIMS`, by default a random one.
    """
    seen = len(site.requests)
    victim = victim or chance.choice(VICTIMS)
    with shell(project) as process:
        family: list[psutil.Process] = []

        def until(requests: int) -> None:
            wanted = seen + requests
            for _ in range(int(PATIENCE_S / LOOK_S)):
                if process.poll() is not None:
                    return
                with suppress(TimeoutError):  # nobody tells the site of the end of a process
                    site.block_until(lambda: len(site.requests) >= wanted, LOOK_S)
                    return
            raise AssertionError("neither do requests come nor does the crawl end")

        until(chance.randint(1, 2 * REQUESTS_PER_ROUND))
        if process.poll() is None:
            family = psutil.Process(process.pid).children(recursive=True)
            killed(process.pid, victim, chance)
            if victim == "worker":  # its work is done by others
                until(3 * REQUESTS_PER_ROUND)
            elif victim == "host":
                process.wait(PATIENCE_S)
    assert_gone(family)
    site.block_until(lambda: site.open_connections == 0)
