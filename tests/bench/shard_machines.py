"""`shards --network`: a crawl in shards whose machine is lost goes on on another one.

Both are network namespaces with host names of their own, and share a folder. See `namespaces` for
what that needs.
"""

import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gossamer.urls.shard_ownership import Ownership
from tests.bench.namespaces import NET, bridge, inside, machine, power_off, wait
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.fakes.recount import miscounts
from tests.fakes.whole_rows import differences
from tests.fakes.whole_tables import table_differences
from tests.sites.every_shape import EveryShape

_FIRST: Final = "hal"
_SECOND: Final = "sal"
_PAGES: Final = 250
_SHARDS: Final = 2
_WORKERS: Final = 4
_BEGIN: Final = 60
_OPTIONS: Final = ("--workers", str(_WORKERS), "--processes", "2", "--timeout", "8", "-q")
_SETTINGS: Final = ("--use-sitemaps", "--max-similar", "100000")


def benchmark() -> Findings:
    """Crawl on one machine; then in shards on one that is lost, and to the end on another."""
    hosts = _hosts_of_both()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        stack.enter_context(bridge(range(1, 9)))
        for number, name in enumerate((_FIRST, _SECOND)):
            stack.enter_context(machine(name, f"{NET}.{10 + number}"))
        site = stack.enter_context(EveryShape(_PAGES, 3, hosts))
        one, many = folder / "one.gossamer", folder / "many.gossamer"
        request = ("crawl", *site.roots, *_OPTIONS, *_SETTINGS)
        _gossamer(*request, "-o", str(one)).communicate()
        _gossamer("audit", str(one), "-q").communicate()
        once = site.counts()
        site.forget()
        first = _gossamer(*request, "--shards", str(_SHARDS), "-o", str(many), on=_FIRST)
        wait(lambda: site.requests >= _BEGIN)
        power_off(_FIRST)
        first.wait()
        asked = site.requests
        lost_s = time.monotonic()
        again = ("resume", str(folder / "many.shards"), "-q")
        second = _gossamer(*again, on=_SECOND)
        wait(lambda: site.requests > asked)
        waited_s = time.monotonic() - lost_s
        refused = _gossamer(*again, on=_FIRST)
        _, told = refused.communicate()
        _, said = second.communicate()
        if second.returncode:
            raise RuntimeError(f"the second machine ended with {second.returncode}: {said}")
        repeated = sum((site.counts() - once).values())
        found = differences(one, many) + table_differences(one, many) + miscounts(many)
    for line in found[:10]:
        say(f"  {line}")
    say(f"  refused on {_FIRST} ({refused.returncode}): {told.strip()}")
    series = [
        Series("differences of rows", PRODUCT, "", (float(len(found)),), "0"),
        Series("asked again", PRODUCT, "", (float(repeated),), f"≤ {2 * _WORKERS}"),
        Series("until the other machine goes on", PRODUCT, "s", (waited_s,), "≤ 60"),
    ]
    return Findings("shards-network", series, notes=[f"refused: {told.strip()}"])


def _hosts_of_both() -> tuple[str, str]:
    """Two addresses of this machine, of which each shard owns one."""
    owner = Ownership(_SHARDS).owner
    addresses = [f"{NET}.{last}" for last in range(1, 9)]
    first = addresses[0]
    return first, next(
        each for each in addresses if owner(f"http://{each}/") != owner(f"http://{first}/")
    )


def _gossamer(*arguments: str, on: str = "") -> "subprocess.Popen[str]":
    """Run a command of the program, on a machine, in a session of its own."""
    return subprocess.Popen(
        [*(inside(on) if on else ()), sys.executable, "-m", "gossamer", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
