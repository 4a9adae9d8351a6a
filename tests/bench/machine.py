"""The machine a figure was made on; without it a figure means nothing."""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = ("gossamer", "aiohttp", "uvloop", "selectolax", "msgspec", "PySide6_Essentials")


@dataclass(frozen=True, slots=True)
class Machine:
    """`cpu` is the model's name, `load` the load average over a minute before the run.

    `commit` is the checkout's, with "-dirty" if files were changed; "" if git does not tell.
    """

    cpu: str
    cores: int
    memory_gib: float
    kernel: str
    python: str
    load: float
    versions: dict[str, str]
    commit: str

    def __str__(self) -> str:
        """One line for people."""
        return (
            f"{self.cpu}, {self.cores} cores, {self.memory_gib:.0f} GiB, {self.kernel},"
            f" Python {self.python}, load before the run {self.load:.1f},"
            f" commit {self.commit}"
        )


def describe(libraries: Sequence[str] = LIBRARIES) -> Machine:
    """The machine and Python this runs on."""
    return Machine(
        cpu=cpu_model(_read("/proc/cpuinfo")) or platform.processor() or platform.machine(),
        cores=len(os.sched_getaffinity(0)),
        memory_gib=os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30,
        kernel=f"{platform.system()} {platform.release()}",
        python=sys.version.split()[0],
        load=os.getloadavg()[0],
        versions={name: found for name in libraries if (found := _version(name)) is not None},
        commit=_commit(),
    )


def cpu_model(cpuinfo: str) -> str:
    """The model's name in the text of /proc/cpuinfo; "" if it is not told."""
    found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo, flags=re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""


def _commit() -> str:
    command = ["git", "-c", "safe.directory=*", "describe", "--always", "--dirty", "--abbrev=10"]
    try:
        done = subprocess.run(
            command, cwd=Path(__file__).parent, check=False, capture_output=True, text=True
        )
    except OSError:
        return ""
    return done.stdout.strip()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
