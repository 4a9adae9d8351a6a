"""`large`: the window on a finished project of a million pages: waiting times, stalls, memory."""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gossamer.audit.site_audit import run_site_audit
from tests.bench.contestants import PYTHON, REPO, environment
from tests.bench.display import display
from tests.bench.large_probe import Done
from tests.bench.large_project import LINKS, build
from tests.bench.processes import MIB, run_in_child
from tests.bench.report import FOLDER, Findings, say
from tests.bench.series import PRODUCT, Series

QUICK: Final = 100_000
FULL: Final = 1_000_000
LIMIT_S: Final = 600.0
READER: Final = "reader's thread"
WINDOW: Final = "window's thread"
_LONGEST: Final = 8
"""So many of the things that took longest are told."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What the probe saw."""

    done: Sequence[Done]
    memory: int


def benchmark(options: argparse.Namespace) -> Findings:
    """Build the project unless it is there, then work in it, once in each round."""
    pages = FULL if options.full else QUICK
    FOLDER.mkdir(exist_ok=True)
    project = FOLDER / f"large-{pages}.gossamer"
    say(f"{project}, {pages:,} pages, {pages * LINKS:,} links")
    project.unlink(missing_ok=True)
    run_in_child(build, project, pages)
    run_in_child(run_site_audit, project)
    try:
        with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as name, display() as screen:
            runs = [_watch(Path(name), screen, project) for _ in range(min(options.rounds, 3))]
    finally:
        project.unlink()
    notes = _NOTES if options.full else (*_NOTES, "a quick run; --full has 1,000,000 pages")
    return Findings("large", _series(runs), notes=notes)


def _watch(home: Path, screen: dict[str, str], project: Path) -> Watched:
    out = home / "watched.json"
    done = subprocess.run(
        [str(PYTHON), "-P", "-m", "tests.bench.large_probe", str(out), str(project)],
        cwd=REPO,
        env={**environment(home, screen), "PYTHONPATH": str(REPO)},
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        timeout=LIMIT_S,
    )
    if done.returncode or not out.exists():
        raise RuntimeError(f"the window failed:\n{done.stderr[-2000:]}")
    found = json.loads(out.read_text(encoding="utf-8"))
    return Watched([Done(**each) for each in found["done"]], found["memory"])


def _series(runs: Sequence[Watched]) -> list[Series]:
    """The slowest of each kind of thing, the latest ticks, and the memory."""
    names = list(dict.fromkeys(done.what for done in runs[0].done))

    def worst(what: str, of: Callable[[Done], float]) -> tuple[float, ...]:
        return tuple(max(of(done) for done in run.done if done.what == what) for run in runs)

    series = []
    for what in names:
        target = "< 1" if what == "open" else "< 2"
        series += [
            Series(what, PRODUCT, "s", worst(what, lambda done: done.seconds), target),
            Series(what, READER, "s", worst(what, lambda done: done.reader_s)),
        ]
    for who, of in ((PRODUCT, lambda done: done.late_ms), (WINDOW, lambda done: done.busy_ms)):
        stalls = sorted(names, key=lambda what: -max(worst(what, of)))
        series += [
            Series(f"longest stall: {what}", who, "ms", worst(what, of), "< 100")
            for what in stalls[:_LONGEST]
        ]
    memory = tuple(run.memory / MIB for run in runs)
    return [*series, Series("memory of the window", PRODUCT, "MiB", memory, "< 350")]


_NOTES: Final = (
    f"each page has {LINKS} links; of several things of a kind, the one that took longest",
    "until its rows are there to be read; a filter's 150 ms in which typing may go on are included",
    "stalls: how late a 5 ms timer of the window's event loop fires",
    "of the threads, processor time: what is left of waits and stalls without other work",
    "memory is the proportional set size, after all of this",
)
