"""`export`: what is done with a large finished project from the command line: times and memory.

Each is a process of its own: its memory is the most that it held.
"""

import argparse
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from tests.bench.contestants import PYTHON, REPO, environment
from tests.bench.large_project import build
from tests.bench.processes import MIB, run_in_child
from tests.bench.report import Findings, say
from tests.bench.rounds import in_turn
from tests.bench.series import PRODUCT, Series

QUICK: Final = 20_000
FULL: Final = 200_000
LINKS: Final = 30
"""On a page."""
LIMIT_S: Final = 1800.0
_DAMAGED: Final = 5
"""Pages of the table of links that are overwritten in the damaged copy."""
_SUMMARY, _RESCUE, _OF_DAMAGED = "info --json", "rescue, whole", "rescue, damaged"
_EXPORTS: Final = {
    "links, CSV": ("links", "links.csv"),
    "links, JSON Lines": ("links", "links.jsonl"),
    "links, workbook": ("links", "links.xlsx"),
    "pages, CSV": ("pages", "pages.csv"),
    "pages, workbook": ("pages", "pages.xlsx"),
    "broken links, CSV": ("broken-links", "broken.csv"),
    "redirects, CSV": ("redirects", "redirects.csv"),
    "sitemap": ("sitemap", "sitemap.xml.gz"),
    "report": ("report", "report.html"),
}
_TARGETS: Final = {"links, CSV": "< 20", _SUMMARY: "< 2", "report": "< 5"}


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command went: seconds, seconds of processor time, bytes it held at most."""

    wall_s: float
    cpu_s: float
    memory: int


def benchmark(options: argparse.Namespace) -> Findings:
    """Build the project and a damaged copy, then run each command once in each round."""
    pages = FULL if options.full else QUICK
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as name:
        home = Path(name)
        project, damaged = home / "project.gossamer", home / "damaged.gossamer"
        say(f"{pages:,} pages, {pages * LINKS:,} links")
        run_in_child(_build, project, pages)
        shutil.copyfile(project, damaged)
        _damage(damaged)
        commands = dict(_commands(home, project, damaged))
        runs = in_turn(
            list(commands), min(options.rounds, 3), lambda what: _run(what, commands[what], home)
        )
    series = [one for what, ran in runs.items() for one in _series(what, ran)]
    return Findings("export", series, notes=(_ABOUT, f"{pages * LINKS:,} links"))


def _build(path: Path, pages: int) -> None:
    """In a process of its own: what this one holds is counted as held by those it starts."""
    builder = get_context("spawn").Process(target=build, args=(path, pages, LINKS))
    builder.start()
    builder.join()
    if builder.exitcode:
        raise RuntimeError("the project could not be built")


def _commands(home: Path, project: Path, damaged: Path) -> Iterator[tuple[str, list[str]]]:
    for what, (view, name) in _EXPORTS.items():
        yield what, ["export", str(project), view, "-o", str(home / name)]
    yield _SUMMARY, ["info", "--json", str(project)]
    for what, path in ((_RESCUE, project), (_OF_DAMAGED, damaged)):
        yield what, ["rescue", str(path), "-o", str(home / "rescued.gossamer")]


def _run(what: str, arguments: list[str], home: Path) -> Ran:
    say(f"  {what}")
    (home / "rescued.gossamer").unlink(missing_ok=True)
    began = time.perf_counter()
    command = [str(PYTHON), "-P", "-m", "gossamer", *arguments]
    words = home / "words.txt"
    with (
        words.open("wb") as out,
        subprocess.Popen(
            command,
            cwd=REPO,
            env=environment(home),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        ) as process,
    ):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode and what != _OF_DAMAGED:  # which tells of what was lost
        raise RuntimeError(f"{what} failed:\n{words.read_text(errors='replace')[-2000:]}")
    return Ran(time.perf_counter() - began, usage.ru_utime + usage.ru_stime, _held(usage))


def _held(usage: resource.struct_rusage) -> int:
    """The most that a process held, in bytes; Linux counts it in KiB."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _damage(path: Path) -> None:
    """Overwrite a few pages of the table of links."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        query = "SELECT pageno FROM dbstat WHERE name = 'link' AND pagetype = 'leaf'"
        leaves = [number for (number,) in connection.execute(query)]
    with path.open("r+b") as file:
        for number in leaves[:: len(leaves) // _DAMAGED][:_DAMAGED]:
            file.seek((number - 1) * size)
            file.write(bytes(size))


def _series(what: str, runs: list[Ran]) -> Iterator[Series]:
    target = _TARGETS.get(what, "")
    yield Series(what, PRODUCT, "s", tuple(run.wall_s for run in runs), target)
    yield Series(f"{what}, processor", PRODUCT, "s", tuple(run.cpu_s for run in runs))
    yield Series(f"{what}, memory", PRODUCT, "MiB", tuple(run.memory / MIB for run in runs))


_ABOUT: Final = "the whole command, start of the process included"
