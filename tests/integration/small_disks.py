"""File systems of a given size, and sites that fill them."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.sites import Response, Site
from tests.sites.responses import HTML, html_page

PAGES: Final = 140


@contextmanager
def small_file_system(folder: Path) -> Iterator[Callable[[str], Path]]:
    """Mounts a file system of a given size, or gives it another size; where it is."""
    place = folder / "disk"
    place.mkdir()
    mounted = False

    def sized(size: str) -> Path:
        nonlocal mounted
        how = "remount," if mounted else ""
        command = ["mount", "-t", "tmpfs", "-o", f"{how}size={size}", "none", str(place)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip(f"no file system can be mounted here: {done.stderr}")
        mounted = True
        return place

    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    try:
        yield sized
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(place)], check=True)


def large_site(site: Site, delay_s: float = 0.0) -> None:
    """Pages that each need some kilobytes in the project file."""

    def answer(path: str) -> Response | None:
        name = path[1:]
        if name and not name.isdigit():
            return None
        number = int(name or 0)
        links = [f"/{n}" for n in range(4 * number + 1, 4 * number + 5) if n < PAGES]
        page = html_page(f"{number} " + "long title " * 700, links)
        return Response(200, page, HTML, delay_s=delay_s)

    site.generate(answer)
