"""An X server without a screen, for windows of tests and benchmarks."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def x_server(width: int, height: int) -> Iterator[str]:
    """Run Xvfb on a free display; yields its name, such as ":99", or "" if it does not start."""
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            *("Xvfb", "-displayfd", str(write), "-nolisten", "tcp"),
            *("-screen", "0", f"{width}x{height}x24"),
        ],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read, encoding="ascii") as numbers:
            number = numbers.readline().strip()
        yield f":{number}" if number else ""
    finally:
        server.terminate()
        server.wait()
