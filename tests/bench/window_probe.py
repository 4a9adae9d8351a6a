"""The program's own window with a stop-watch inside: `python -m tests.bench.window_probe`.

Usage: window_probe OUT [TARGET]. Runs the program as `gossamer [TARGET]` does, with 16 workers
and without robots.txt, closes the window when there is nothing more to see (the crawl of TARGET
has ended; without TARGET, the window is painted), and writes what it saw to OUT as JSON.

Nothing of the program is replaced. The stop-watch is set up within the first function that is
called once a crawl host for TARGET comes up, before Qt is loaded: no earlier than the program
itself does it. Its window tells it of the first frame.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gossamer.__main__ import main
from gossamer.gui import main as entry

TICK_MS: Final = 5


@dataclass(slots=True)
class Watched:
    """What the probe saw. Times are `time.monotonic()`, 0 for never.

    `late_ms` is, for each tick while the crawl ran, how much later than due it came; `cpu_s` the
    processor time that the window's process took meanwhile, ticks included.
    """

    shown: float = 0.0
    first_rows: float = 0.0
    late_ms: list[float] = field(default_factory=list)
    crawl_s: float = 0.0
    cpu_s: float = 0.0
    pages: int = 0
    state: str = ""


def run(out: Path, target: list[str]) -> int:
    """Run the program under the stop-watch; its exit code."""
    uses_x11 = entry.uses_x11

    def watched(environ: Mapping[str, str], platform: str) -> bool:
        from tests.bench.window_watch import watch  # noqa: PLC0415 - it loads Qt

        watch(out, crawls=bool(target))
        return uses_x11(environ, platform)

    entry.uses_x11 = watched
    sys.argv = ["gossamer", *target]
    return main()


if __name__ == "__main__":
    out_file, *targets = sys.argv[1:]
    sys.exit(run(Path(out_file), targets))
