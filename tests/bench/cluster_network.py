"""`cluster --network`: a scheduler and nodes on machines of their own, whose network fails.

Needs Linux, root and iproute2 (`apt-get install iproute2`): each machine is a network namespace,
and all hang on one bridge. Nothing leaves this machine; all of it is gone afterwards.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gossamer.session.default_paths import log_path
from tests.bench.namespaces import NET, bridge, ip, link, machine, wait
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.fakes.recount import miscounts
from tests.fakes.whole_tables import table_differences
from tests.sites.every_shape import EveryShape

OUT_S: Final = 60.0
_SCHEDULER: Final = "scheduler"
_NODES: Final = ("node1", "node2")
_PORT: Final = 8786
_PAGES: Final = 250
_WORKERS: Final = 4
"""Few, so that a crawl is not over before the network is back."""
_WAIT_S: Final = 180.0
_BEGIN: Final = 40
"""Requests before something fails."""
_OPTIONS: Final = ("--workers", str(_WORKERS), "--processes", "2", "--timeout", "8")
_SETTINGS: Final = ("--use-sitemaps", "--max-similar", "100000", "-q")


def benchmark() -> Findings:
    """Crawl on one machine; then with each failure, and compare all rows."""
    series, notes = [], []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        stack.enter_context(bridge())
        machines = (_SCHEDULER, *_NODES)
        for number, name in enumerate(machines):
            stack.enter_context(machine(name, f"{NET}.{10 + number}"))
        site = stack.enter_context(EveryShape(_PAGES, 3, (f"{NET}.1", f"{NET}.2")))
        one = folder / "one.gossamer"
        settings = (*site.roots, *_OPTIONS, *_SETTINGS)
        _gossamer("crawl", *settings, "-o", str(one)).wait()
        once = site.counts()
        stack.enter_context(_cluster(folder))
        for what, lost in _FAILURES.items():
            site.forget()
            many = folder / f"{'-'.join(lost) or 'nothing'}.gossamer"
            seconds, told = _crawled(site, settings, many, lost)
            found = table_differences(one, many) + miscounts(many)
            again, held = site.counts() - once, held_by_lost_nodes(log_path(many))
            times = f"asked again {again.total()} of the {held.total()} on lost nodes"
            say(f"  {what}: {seconds:.0f} s, {times}, {len(found)} differences")
            for line in [*found[:10], *told]:
                say(f"    {line[:300]}")
            series += [
                Series(f"{what}: differences of rows", PRODUCT, "", (float(len(found)),), "0"),
                Series(f"{what}: asked again", PRODUCT, "", (float(again.total()),)),
                Series(
                    f"{what}: asked again, though on no lost node",
                    PRODUCT,
                    "",
                    (float((again - held).total()),),
                    "0",
                ),
            ]
            notes += [f"{what}: {line}" for line in told]
    return Findings("cluster-network", series, notes=notes)


_FAILURES: Final = {
    "nothing lost": (),
    f"a node without network for {OUT_S:.0f} s": ("node1",),
    f"all nodes without network for {OUT_S:.0f} s": _NODES,
    f"the scheduler without network for {OUT_S:.0f} s": (_SCHEDULER,),
}


def held_by_lost_nodes(log: Path) -> Counter[str]:
    """How often each URL was on a node that was lost: in flight, in its store, or done and untold.

    What a node does between two calls depends on the pace of the moment (ADR 58), so no number
    that is fixed beforehand bounds it.
    """
    events = map(json.loads, log.read_text("utf-8").splitlines() if log.exists() else [])
    return Counter(each["url"] for each in events if each["event"] == "page worker died")


def _crawled(
    site: EveryShape, settings: tuple[str, ...], project: Path, lost: tuple[str, ...]
) -> tuple[float, list[str]]:
    """Crawl to the end while these machines lose the network; seconds, and what was said."""
    began_s = time.monotonic()
    where = ("--cluster", f"tcp://{NET}.10:{_PORT}")
    shell = _gossamer("crawl", *settings, *where, "-o", str(project))
    wait(lambda: site.requests >= _BEGIN or shell.poll() is not None)
    for name in lost:
        ip("link", "set", link(name), "down")
    if lost:
        time.sleep(OUT_S)
    for name in lost:
        ip("link", "set", link(name), "up")
    _, said = shell.communicate(timeout=2 * _WAIT_S)
    if shell.returncode:
        raise RuntimeError(f"the crawl ended with {shell.returncode}: {said}")
    return time.monotonic() - began_s, said.splitlines()


def _gossamer(*arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "gossamer", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


@contextmanager
def _cluster(folder: Path) -> Iterator[None]:
    """A scheduler and workers, each on its machine, started again when they end.

    As service managers do: Dask ends a worker that was without its scheduler for 30 s.
    """
    address = f"{NET}.10"
    with ExitStack() as stack:
        words = ("scheduler", "--host", address, "--port", str(_PORT), "--no-dashboard")
        stack.enter_context(_program(folder, _SCHEDULER, *words))
        for name in _NODES:
            words = ("worker", f"tcp://{address}:{_PORT}", "--name", name, "--nthreads", "1")
            local = ("--local-directory", str(folder / name), "--no-dashboard")
            stack.enter_context(_program(folder, name, *words, *local, "--memory-limit", "0"))
        logs = [folder / f"{name}.log" for name in _NODES]
        wait(lambda: all("Registered to" in log.read_text("utf-8") for log in logs))
        yield


@contextmanager
def _program(folder: Path, machine: str, *words: str) -> Iterator[None]:
    inside = ["ip", "netns", "exec", f"gossamer-{machine}"]
    command = [*inside, sys.executable, "-P", "-m", "dask", *words]
    with (folder / f"{machine}.log").open("wb") as log:
        program = subprocess.Popen(
            ["sh", "-c", f"while true; do {shlex.join(command)}; sleep 1; done"],
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield
    finally:
        os.killpg(program.pid, signal.SIGKILL)
        program.wait()
