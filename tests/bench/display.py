"""An X server without a screen, for windows that nobody looks at."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from tests.fakes.x_server import x_server
from tests.sites.documentation import NotInstalledError


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """Run Xvfb; yields the environment that leads Qt to it. NotInstalledError without it."""
    if shutil.which("Xvfb") is None:
        raise NotInstalledError("needs Xvfb (the Debian package xvfb)")
    with x_server(1920, 1080) as name:
        if not name:
            raise NotInstalledError("needs Xvfb, and the one installed does not start")
        yield {"DISPLAY": name, "QT_QPA_PLATFORM": "xcb", "LANG": "C.UTF-8"}
