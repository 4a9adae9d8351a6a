"""An X server without a screen, for windows that nobody looks at."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.sites.documentation import NotInstalledError


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """Run Xvfb; yields the environment that leads Qt to it. NotInstalledError without it."""
    if shutil.which("Xvfb") is None:
        raise NotInstalledError("needs Xvfb (the Debian package xvfb)")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read, encoding="ascii") as numbers:
            number = numbers.readline().strip()
        if not number:
            raise NotInstalledError("needs Xvfb, and the one installed does not start")
        yield {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb", "LANG": "C.UTF-8"}
    finally:
        server.terminate()
        server.wait()
