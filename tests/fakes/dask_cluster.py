"""A Dask cluster as people start one: a scheduler and workers, each a program of its own."""

import asyncio
import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psutil

import gossamer
from gossamer.ipc import ChildRole
from tests.fakes.preloaded import start_script
from tests.patience import PATIENCE_S

_PROGRAM: Final = """
import os, sys
import dask.cli
os.environ["DASK_DISTRIBUTED__WORKER__PRELOAD"] = "[]"
os.environ["DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED"] = "False"  # a hundred samples a second
dask.config.refresh()
sys.argv[0] = "dask"
dask.cli.run_cli()
"""
_MODULES: Final = (
    *("dask.cli", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker"),
    *("distributed.nanny", "distributed.scheduler", "distributed.worker"),
)
"""What it imports, which takes longer than most of what tests have it do."""
_POLL_S: Final = 0.05
_LASTING_PORTS: Final = range(20_000, 32_000)
"""Below those that systems take for connections."""


class DaskCluster:
    """Starts a scheduler on a port of loopback, and workers of it; all end with `kill_all`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._programs: list[psutil.Process] = []
        self.scheduler = self._start_scheduler(_free_port())

    def _start_scheduler(self, port: int) -> psutil.Process:
        place = self._folder / "scheduler.json"
        place.unlink(missing_ok=True)
        options = ["--host", "127.0.0.1", "--port", str(port), "--scheduler-file", str(place)]
        scheduler = self._start("scheduler", *options, "--no-dashboard")
        self.address = address_in(place, scheduler)
        return scheduler

    def start_scheduler_again(self) -> None:
        """At the address that it had."""
        self.scheduler = self._start_scheduler(int(self.address.rpartition(":")[2]))

    def start_worker(
        self,
        name: str,
        version: str | None = None,
        scheduler: str | None = None,
        more: tuple[str, ...] = (),
        *,
        nanny: bool = True,
    ) -> psutil.Process:
        """A nanny, whose child is the worker: one thread, so one page worker.

        Without a nanny, the worker: a second less of processor time, where none is killed.
        With `version`, that is the Gossamer that it has; "" is none. With `scheduler`, it looks for
        that there.
        """
        options = ["--name", name, "--nthreads", "1", "--no-dashboard", "--memory-limit", "0"]
        folder = ["--local-directory", str(self._folder)]
        path = None if version is None else self._pretended(version)
        words = [*options, *folder, *more, *([] if nanny else ["--no-nanny"])]
        return self._start("worker", scheduler or self.address, *words, path=path)

    @staticmethod
    def free_port() -> int:
        """One on which a program can listen again and again."""
        return _free_port()

    def _pretended(self, version: str) -> Path:
        """A folder with another Gossamer, or with one that cannot be imported."""
        package = self._folder / f"gossamer-{version}" / "gossamer"
        package.mkdir(parents=True, exist_ok=True)
        there = f"__path__ = [{str(Path(gossamer.__file__).parent)!r}]\n__version__ = {version!r}\n"
        missing = "raise ModuleNotFoundError('No module named gossamer')\n"
        (package / "__init__.py").write_text(there if version else missing)
        return package.parent

    def _start(self, *arguments: str, path: Path | None = None) -> psutil.Process:
        """Start it: a copy of a process that has imported Dask, unless `path` has another Gossamer.

        A nanny starts its worker as usual.
        """
        if path is None:
            program = psutil.Process(start_script(_PROGRAM, *arguments, modules=_MODULES).pid)
        else:
            program = psutil.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(path)},
            )
        self._programs.append(program)
        return program

    def kill_workers(self) -> None:
        """Kill the workers, and what they have started: each crawl would use all of them."""
        self._kill([each for each in self._programs if each != self.scheduler])

    def kill_all(self) -> None:
        """Kill the scheduler, the workers, and what they have started."""
        self._kill(self._programs)

    def _kill(self, programs: Sequence[psutil.Process]) -> None:
        family = [*programs]
        for program in programs:
            with suppress(psutil.NoSuchProcess):
                family += program.children(recursive=True)
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        for program in programs:
            program.wait()
        self._programs = [each for each in self._programs if each not in programs]


def _free_port() -> int:
    """One that the system gives to no connection: it is to be had again after the scheduler."""
    while True:
        port = secrets.choice(_LASTING_PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@contextmanager
def dask_cluster() -> Iterator[DaskCluster]:
    """A cluster without workers."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        cluster = DaskCluster(Path(folder))
        try:
            yield cluster
        finally:
            cluster.kill_all()


def has_ended(program: psutil.Process) -> bool:
    """Whether it has ended. It is a child of this process, which waits for it then."""
    try:
        program.wait(timeout=0)
    except psutil.TimeoutExpired:
        return False
    return True


def address_in(place: Path, scheduler: psutil.Process) -> str:
    """The address in the file of a scheduler, which is there before all of it is written."""
    until_s = time.monotonic() + PATIENCE_S
    while True:
        with suppress(FileNotFoundError, ValueError):
            return str(json.loads(place.read_bytes())["address"])
        assert not has_ended(scheduler), "the scheduler ended"
        assert time.monotonic() < until_s
        time.sleep(_POLL_S)


def _local_clusters() -> list[psutil.Process]:
    """The descendants of this process that are a cluster on this machine."""
    found = []
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if ChildRole.LOCAL_CLUSTER in each.cmdline():
                found.append(each)
    return found


async def started_local_cluster() -> psutil.Process:
    """Wait for one; it has not reported yet that it serves, or where."""
    while not (found := _local_clusters()):  # noqa: ASYNC110 - no event announces it here
        await asyncio.sleep(0)
    return found[0]
