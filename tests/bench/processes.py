"""Memory and processor time of the processes of a crawl."""

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass

import psutil

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Memory:
    """Proportional set sizes in bytes: shared pages count in parts, so that sums are true."""

    host: int
    workers: int

    @property
    def total(self) -> int:
        """Host and page workers."""
        return self.host + self.workers

    def __str__(self) -> str:
        """In MiB."""
        return (
            f"{self.total / MIB:.0f} MiB (host {self.host / MIB:.0f},"
            f" page workers {self.workers / MIB:.0f})"
        )


def memory_of(host_pid: int) -> Memory:
    """What a crawl host and its page workers hold now. Linux only."""
    host = psutil.Process(host_pid)
    return Memory(_pss(host), sum(_pss(worker) for worker in host.children(recursive=True)))


def cpu_of(host_pid: int) -> float:
    """Seconds of processor time that a crawl host and its page workers have taken so far."""
    host = psutil.Process(host_pid)
    times = [process.cpu_times() for process in (host, *host.children(recursive=True))]
    return float(sum(time.user + time.system for time in times))


def written_by(host_pid: int) -> int:
    """Bytes that a crawl host has given to the system to write: the project and its -wal file.

    Its messages to the page workers are among them, and are little.
    """
    return int(psutil.Process(host_pid).io_counters().write_chars)


def _pss(process: psutil.Process) -> int:
    return int(process.memory_full_info().pss)


def run_in_child(function: Callable[..., None], *arguments: object) -> None:
    """Call `function` in a process of its own.

    The largest resident set of a child begins with what its parent holds when it is started: one
    that has built a large project would be measured instead of what it starts.
    """
    child = multiprocessing.get_context("spawn").Process(target=function, args=arguments)
    child.start()
    child.join()
    if child.exitcode:
        raise RuntimeError(f"{function.__qualname__} failed with {child.exitcode}")
