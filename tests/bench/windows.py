"""Runs of the program's window under the stop-watch of `window_probe`."""

import json
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.bench.contestants import PYTHON, REPO, environment
from tests.bench.window_probe import TICK_MS, Watched

LIMIT_S: Final = 600.0


def watch(out: Path, screen: Mapping[str, str], target: str | None = None) -> tuple[float, Watched]:
    """Open the window, on `target` if there is one, until it closes itself.

    Returns when the command was given (`time.monotonic()`) and what was seen. `out` is a folder
    for its files and its home. RuntimeError with its words if it fails.
    """
    file = out / "watched.json"
    file.unlink(missing_ok=True)
    command = [str(PYTHON), "-m", "tests.bench.window_probe", str(file)]
    began = time.monotonic()
    done = subprocess.run(
        [*command, *([] if target is None else [target])],
        cwd=REPO,
        env=environment(out, screen),
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        timeout=LIMIT_S,
    )
    if done.returncode or not file.exists():
        raise RuntimeError(f"the window failed:\n{done.stderr[-2000:]}")
    return began, Watched(**json.loads(file.read_text(encoding="utf-8")))


@contextmanager
def machine_lateness() -> Iterator[list[float]]:
    """Inside, a thread that has nothing else to do ticks as the probe does.

    The list fills with how late, in ms, each tick came: what the machine alone is to blame for.
    """
    late_ms: list[float] = []
    over = threading.Event()

    def tick() -> None:
        before = time.monotonic()
        while not over.wait(TICK_MS / 1000):
            now = time.monotonic()
            late_ms.append((now - before) * 1000 - TICK_MS)
            before = now

    thread = threading.Thread(target=tick, name="idle ticks", daemon=True)
    thread.start()
    try:
        yield late_ms
    finally:
        over.set()
        thread.join()
