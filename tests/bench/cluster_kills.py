"""`cluster --kills N`: N crawls on nodes that come, hang and are killed, against one machine's.

Everything random follows from the number of the crawl, but for what the machine makes of it.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self

import psutil

from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.fakes.dask_cluster import DaskCluster, dask_cluster, has_ended
from tests.fakes.recount import miscounts
from tests.fakes.whole_tables import table_differences
from tests.sites.every_shape import EveryShape

WORKERS: Final = 12
FAULTS: Final = 10
"""In each crawl."""
_PAGES: Final = 150
_MOST_NODES: Final = 4
_EVERY: Final = (5, 50)
"""Requests between two faults, unless so long passes without them:"""
_PATIENCE_S: Final = 5.0
_HANGS_S: Final = (0.5, 8.0)
_OUT_S: Final = (0.5, 5.0)
_LOOK_S: Final = 0.05
_STUCK_S: Final = 240.0
_OPTIONS: Final = ("-q", "--workers", str(WORKERS), "--processes", "2", "--timeout", "8")
_SETTINGS: Final = ("--use-sitemaps", "--max-similar", "100000")


def benchmark(crawls: int) -> Findings:
    """Crawl on one machine; then with faults, and compare all rows."""
    notes: list[str] = []
    different, again, too_many, seconds = [], [], [], []
    with TemporaryDirectory() as name:
        for number in range(crawls):
            folder = Path(name) / str(number)
            folder.mkdir()
            found = _compared(number, folder)
            different.append(float(len(found.differences)))
            again.append(float(found.again))
            too_many.append(float(max(0, found.again - found.allowed)))
            seconds.append(found.seconds)
            say(f"  {number}: {', '.join(found.faults)}")
            for line in found.differences[:10]:
                say(f"    {line[:300]}")
            say(f"    asked again {found.again} of at most {found.allowed}, {found.seconds:.0f} s")
            notes += [f"{number}: {line[:200]}" for line in found.differences[:3]]
    series = [
        Series("differences of rows", PRODUCT, "", tuple(different), "0"),
        Series("requests made again", PRODUCT, "", tuple(again)),
        Series("more than were in flight", PRODUCT, "", tuple(too_many), "0"),
        Series("crawl with faults", PRODUCT, "s", tuple(seconds)),
    ]
    return Findings("cluster-kills", series, notes=notes)


@dataclass
class _Found:
    differences: list[str]
    again: int
    allowed: int
    seconds: float
    faults: list[str] = field(default_factory=list)


def _compared(number: int, folder: Path) -> _Found:
    with EveryShape(_PAGES, number) as site:
        settings = (*site.roots, *_OPTIONS, *_SETTINGS)
        one, many = folder / "one.gossamer", folder / "many.gossamer"
        _run("crawl", *settings, "-o", str(one))
        once = site.counts()
        site.forget()
        began_s = time.monotonic()
        with dask_cluster() as cluster, _Faults(cluster, random.Random(number), site) as faults:
            faults.crawl(settings, many)
        seconds = time.monotonic() - began_s
        again = sum((site.counts() - once).values())
        for project in (one, many):
            _run("audit", str(project), "-q")
        found = table_differences(one, many) + miscounts(many)
    return _Found(found, again, faults.allowed, seconds, faults.done)


def _run(*arguments: str) -> None:
    command = [sys.executable, "-m", "gossamer", *arguments]
    subprocess.run(command, check=True, capture_output=True)


class _Faults:
    """What goes wrong in one crawl, at moments and in an order of chance."""

    def __init__(self, cluster: DaskCluster, chance: random.Random, site: EveryShape) -> None:
        self._cluster = cluster
        self._chance = chance
        self._site = site
        self._nannies: list[psutil.Process] = []
        self._hanging: list[tuple[float, psutil.Process]] = []
        self._names = 0
        self._shell: subprocess.Popen[bytes] | None = None
        self.done: list[str] = []
        self.allowed = 0
        """So many requests may have been made again."""
        self._kinds: list[Callable[[], str]] = [
            *[self._kill_page_worker] * 2,
            *[self._kill_dask_worker] * 3,
            *[self._hang] * 2,
            *(self._terminate_dask_worker, self._kill_nanny, self._leave, self._leave),
            *[self._join] * 3,
            self._join_in_vain,
            *(self._kill_scheduler, self._kill_host, self._kill_shell, self._interrupt),
        ]

    def __enter__(self) -> Self:
        for _ in range(self._chance.choice((1, 2, 4))):
            self._join()
        return self

    def __exit__(self, *_exception: object) -> None:
        for _, process in self._hanging:
            with suppress(psutil.NoSuchProcess):
                process.resume()

    def crawl(self, settings: tuple[str, ...], project: Path) -> None:
        """Crawl to the end, with other nodes or none after each end of the coordinator."""
        begin = ("crawl", *settings, "-o", str(project))
        again = ("resume", str(project), "-q")
        while True:
            request = again if project.exists() else begin
            none = project.exists() and self._chance.random() < 0.2
            where = () if none else ("--cluster", self._cluster.address)
            if none:
                self.done.append("go on without nodes")
            with self._running((*request, *where), project) as shell:
                while len(self.done) < FAULTS and self._is_next(shell):
                    self._strike()
                until_s = time.monotonic() + _STUCK_S
                while not _ended(shell, 0.2):
                    self._wake()
                    self._ensure_nodes()  # also in place of one that is still about to leave
                    if time.monotonic() > until_s:
                        said = project.with_suffix(".said").read_text(encoding="utf-8")
                        raise RuntimeError(f"the crawl is stuck: {self.done}\n{said}")
            if shell.returncode == 0:
                return
            self.done.append(f"exit code {shell.returncode}")

    @contextmanager
    def _running(
        self, request: tuple[str, ...], project: Path
    ) -> Iterator[subprocess.Popen[bytes]]:
        command = [sys.executable, "-m", "gossamer", *request]
        with project.with_suffix(".said").open("ab") as said:
            shell = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
            self._shell = shell
            try:
                yield shell
            finally:
                shell.kill()
                shell.wait()

    def _is_next(self, shell: "subprocess.Popen[bytes]") -> bool:
        """Wait until it is time for the next fault; False when the crawl has ended."""
        wanted = self._site.requests + self._chance.randint(*_EVERY)
        until_s = time.monotonic() + _PATIENCE_S
        while self._site.requests < wanted and time.monotonic() < until_s:
            if _ended(shell, _LOOK_S):
                return False
            self._wake()
        return shell.poll() is None

    def _strike(self) -> None:
        kind = self._chance.choice(self._kinds)
        with suppress(psutil.NoSuchProcess, ValueError, IndexError):
            self.done.append(kind())
        self._wake()

    def _wake(self) -> None:
        """Have those go on that have hung long enough."""
        now = time.monotonic()
        for at, process in [each for each in self._hanging if each[0] <= now]:
            self._hanging.remove((at, process))
            with suppress(psutil.NoSuchProcess):
                process.resume()

    def _ensure_nodes(self) -> None:
        self._nannies = [each for each in self._nannies if not has_ended(each)]
        if not self._nannies:
            self._join()

    def _some_nanny(self) -> psutil.Process:
        self._nannies = [each for each in self._nannies if not has_ended(each)]
        nanny: psutil.Process = self._chance.choice(self._nannies)
        return nanny

    def _dask_worker(self) -> psutil.Process:
        """The worker of some nanny: the child that has children, once it is at work."""
        return max(self._some_nanny().children(), key=lambda each: len(each.children()))

    # ---------------------------------------------------------------- what goes wrong

    def _kill_page_worker(self) -> str:
        self._chance.choice(self._dask_worker().children()).kill()
        self.allowed += WORKERS
        return "page worker killed"

    def _kill_dask_worker(self) -> str:
        self._dask_worker().kill()
        self.allowed += WORKERS
        return "Dask worker killed"

    def _terminate_dask_worker(self) -> str:
        self._dask_worker().terminate()
        self.allowed += WORKERS
        return "Dask worker terminated"

    def _hang(self) -> str:
        worker = self._dask_worker()
        hangs_s = self._chance.uniform(*_HANGS_S)
        worker.suspend()
        self._hanging.append((time.monotonic() + hangs_s, worker))
        self.allowed += WORKERS
        return f"Dask worker hangs for {hangs_s:.1f} s"

    def _kill_nanny(self) -> str:
        self._some_nanny().kill()
        self.allowed += WORKERS
        return "nanny killed"

    def _leave(self) -> str:
        nanny = self._some_nanny()
        nanny.send_signal(signal.SIGINT)
        self.allowed += WORKERS
        return "node leaves"

    def _join(self) -> str:
        running = sum(not has_ended(each) for each in self._nannies)
        if running >= _MOST_NODES:
            raise ValueError("enough")
        self._names += 1
        self._nannies.append(self._cluster.start_worker(f"node{self._names}"))
        return "node joins"

    def _join_in_vain(self) -> str:
        version = self._chance.choice(("", "0.0.9"))
        self._names += 1
        self._cluster.start_worker(f"odd{self._names}", version)
        return f"node with Gossamer {version or 'missing'} joins"

    def _kill_scheduler(self) -> str:
        self._cluster.scheduler.kill()
        self._cluster.scheduler.wait()
        out_s = self._chance.uniform(*_OUT_S)
        time.sleep(out_s)
        self._cluster.start_scheduler_again()
        self._join_if_room()
        self.allowed += WORKERS
        return f"scheduler away for {out_s:.1f} s"

    def _join_if_room(self) -> None:
        with suppress(ValueError):
            self._join()

    def _coordinator(self) -> psutil.Process:
        assert self._shell is not None
        return psutil.Process(self._shell.pid)

    def _kill_host(self) -> str:
        host = max(self._coordinator().children(), key=lambda each: len(each.children()))
        host.kill()
        self._lose_uncommitted()
        return "crawl host killed"

    def _kill_shell(self) -> str:
        self._coordinator().kill()
        self._lose_uncommitted()
        return "coordinator's shell killed"

    def _interrupt(self) -> str:
        os.kill(self._coordinator().pid, signal.SIGINT)
        self.allowed += WORKERS
        return "coordinator interrupted"

    def _lose_uncommitted(self) -> None:
        """What the coordinator had got and not committed is asked again, too."""
        self.allowed += 4 * WORKERS


def _ended(shell: "subprocess.Popen[bytes]", timeout_s: float) -> bool:
    try:
        shell.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return False
    return True
