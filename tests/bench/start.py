"""`start`: from the command to its help, to the shown window, to the first rows of a crawl."""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.bench.contestants import PYTHON, REPO, environment
from tests.bench.display import display
from tests.bench.report import Findings
from tests.bench.rounds import in_turn
from tests.bench.series import PRODUCT, Series
from tests.bench.sites import installed, serve
from tests.bench.windows import watch

HELP: Final = "gossamer --help"
SHOWN: Final = "command to shown window"
ROWS: Final = "command with an address to first rows"
BARE: Final = "bare Python"
TARGETS: Final = {HELP: "< 150", SHOWN: "< 1000"}


def benchmark(options: argparse.Namespace) -> Findings:
    """Start the program in each way, in turn; the first time does not count."""
    site = installed(options.site or ["postgresql"])[0]
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as name, display() as screen:
        tmp = Path(name)

        def once(what: str) -> float:
            if what in {HELP, BARE}:
                return _command_ms(what, tmp)
            if what == SHOWN:
                began, watched = watch(tmp, screen)
                return (watched.shown - began) * 1000
            with serve(site, tmp) as root:
                began, watched = watch(tmp, screen, root)
            return (watched.first_rows - began) * 1000

        for what in (HELP, BARE, SHOWN, ROWS):
            once(what)
        times = in_turn([HELP, BARE, SHOWN, ROWS], options.rounds, once)
    series = [
        Series(
            HELP if what == BARE else what,
            BARE if what == BARE else PRODUCT,
            "ms",
            tuple(values),
            TARGETS.get(what, ""),
        )
        for what, values in times.items()
    ]
    return Findings("start", series, notes=_NOTES)


def _command_ms(what: str, home: Path) -> float:
    program = str(PYTHON.with_name("gossamer"))
    command = [str(PYTHON), "-c", "pass"] if what == BARE else [program, "--help"]
    began = time.perf_counter()
    subprocess.run(command, cwd=REPO, env=environment(home), check=True, capture_output=True)
    return (time.perf_counter() - began) * 1000


_NOTES: Final = (
    "warm disk: each way was taken once before. The window's contain the loading of the probe.",
    "shown: the first frame is painted, under Xvfb. rows: the table has some.",
)
