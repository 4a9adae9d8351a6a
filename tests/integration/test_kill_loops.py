"""Processes killed at random moments, again and again: the crawl ends as if nothing had been."""

import os
import random
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store import project as projects
from tests.fakes.contents import contents
from tests.integration.crawled_sites import mixed_site
from tests.integration.crawling import asked, assert_gone, crawl_all, resume_all
from tests.integration.shells import shell
from tests.patience import PATIENCE_S
from tests.sites import Site

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks for processes of Linux")

ROUNDS = int(os.environ.get("GOSSAMER_KILL_ROUNDS", "10"))
SEED = int(os.environ.get("GOSSAMER_SEED", "20"))
"""The long form has 100 and more."""
REQUESTS_PER_ROUND = 30
PAGES = ROUNDS * REQUESTS_PER_ROUND
VICTIMS = ("host", "worker", "shell", "all")
LOOK_S = 0.2
SETTINGS = {"workers": 8, "processes": 2, "max_similar": 10 * PAGES, "use_sitemaps": False}


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


def one_life(site: Site, project: Path, chance: random.Random) -> None:
    """Crawl on until a random process is killed at a random moment; no other lives on."""
    seen = len(site.requests)
    victim = chance.choice(VICTIMS)
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


def test_the_crawl_result_survives_repeated_kills_at_random_moments(
    site: Site, tmp_path: Path
) -> None:
    chance = random.Random(SEED)
    mixed_site(site, chance, PAGES)
    truth, project = tmp_path / "truth.gossamer", tmp_path / "a.gossamer"
    crawl_all(truth, site.url(), **SETTINGS)
    projects.create(project, CrawlSettings(roots=(site.url(),), **SETTINGS))  # type: ignore[arg-type]  # field by field
    for _ in range(ROUNDS):
        committed = set(asked(project))
        begun = len(site.requests)
        one_life(site, project, chance)
        again = {site.url(path) for path in site.paths[begun:]}
        assert not committed & again, f"seed {SEED}"
        # One that is lost with its worker is asked again in the same life.
        twice = [p for p, n in Counter(site.paths[begun:]).items() if n > 1 and p != "/robots.txt"]
        assert len(twice) <= 8, f"seed {SEED}"
    resume_all(project)
    assert contents(project, parents=False) == contents(truth, parents=False), f"seed {SEED}"
