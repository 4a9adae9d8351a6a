"""`shards`: 500 hosts that link to each other, crawled in shards that are killed, and at once."""

import argparse
import random
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psutil

from tests.bench import shard_machines
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.fakes.recount import miscounts
from tests.fakes.whole_rows import differences, url_rows
from tests.fakes.whole_tables import table_differences
from tests.sites.many_domains import ManyDomains
from tests.sites.many_hosts import ManyHosts

HOSTS: Final = 500
SHARDS: Final = 2
KILLS: Final = 6
_SEED: Final = 17
_EVERY: Final = 700
"""Requests between two kills."""
_OPTIONS: Final = ("-q", "--processes", "2", "--max-similar", "100000", "--no-guard")


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl all hosts into one project; then in shards, of which processes are killed.

    Once hosts that are numbers, all of them roots; once hosts with names that share domains, of
    which some are roots, behind a proxy. With `--network`, have a machine be lost instead.
    """
    if options.network:
        return shard_machines.benchmark()
    hosts = HOSTS if options.full else 100
    numbers = ManyHosts(hosts, seed=_SEED, delay_s=0.005)
    names = ManyDomains(hosts, seed=_SEED, delay_s=0.005)
    notes = [f"seed {_SEED}; crawl hosts and coordinators are killed"]
    return Findings("shards", [*_compared(numbers), *_compared(names)], [], notes)


def _compared(generated: ManyHosts) -> list[Series]:
    hosts = len(generated.names)
    kind = "names" if isinstance(generated, ManyDomains) else "numbers"
    say(f"hosts that are {kind}:")
    chance = random.Random(_SEED)
    with TemporaryDirectory() as name, generated as sites:
        folder = Path(name)
        settings = folder / "settings.toml"
        roots, lines = sites.roots, []
        if isinstance(sites, ManyDomains):
            lines = [f'proxy = "{sites.proxy}"', 'host_match = "lenient"']
            roots = roots[:: sites.hosts_of_a_domain]
        listed = ", ".join(f'"{root}"' for root in roots)
        settings.write_text("\n".join([f"roots = [{listed}]", *lines]))
        request = ("crawl", "--settings", str(settings), *_OPTIONS)
        at_once_s = _run(*request, "-o", str(folder / "one.gossamer"))
        # The merged project is audited, too.
        _run("audit", str(folder / "one.gossamer"), "-q")
        sites.requests.clear()
        sharded = (*request, "--shards", str(SHARDS), "-o", str(folder / "many.gossamer"))
        began_s = time.monotonic()
        kills = _killed(sites, sharded, folder, chance, KILLS * hosts // HOSTS + 2)
        in_shards_s = time.monotonic() - began_s
        one, many = folder / "one.gossamer", folder / "many.gossamer"
        found = differences(one, many) + table_differences(one, many) + miscounts(many)
        urls = len(url_rows(folder / "one.gossamer"))
    for line in found[:10]:
        say(f"  {line}")
    return [
        Series(f"{kind}: differences of rows", PRODUCT, "", (float(len(found)),), "0"),
        Series(f"{kind}: {urls} URLs of {hosts} hosts at once", PRODUCT, "s", (at_once_s,)),
        Series(f"{kind}: {SHARDS} shards, {kills} kills, merged", PRODUCT, "s", (in_shards_s,)),
    ]


def _run(*arguments: str) -> float:
    """Run a command of the program to its end; how long it took."""
    began_s = time.monotonic()
    subprocess.run([sys.executable, "-m", "gossamer", *arguments], check=True, capture_output=True)
    return time.monotonic() - began_s


def _killed(
    sites: ManyHosts, request: tuple[str, ...], folder: Path, chance: random.Random, kills: int
) -> int:
    """Crawl to the end, with so many kills on the way; how many there were."""
    killed = 0
    again = ("resume", str(folder / "many.shards"), "-q")
    while True:
        with subprocess.Popen(
            [sys.executable, "-m", "gossamer", *request],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as shell:
            while killed < kills and shell.poll() is None:
                sites.block_until(sites.requests.total() + chance.randint(1, _EVERY), 2.0)
                if shell.poll() is None:
                    killed += _kill(shell.pid, chance)
            code = shell.wait()
        if code == 0:
            return killed
        say(f"  the coordinator ended with {code}; resumed")
        request = again if (folder / "many.shards").exists() else request


def _kill(pid: int, chance: random.Random) -> int:
    """Kill the coordinator, a crawl host or a page worker; how many were killed."""
    try:
        shell = psutil.Process(pid)
        chance.choice([shell, *shell.children(recursive=True)]).kill()
    except psutil.NoSuchProcess:
        return 0
    return 1
