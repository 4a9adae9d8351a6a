"""The programs on the page about interfaces do what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.architecture.checkout import ROOT
from tests.patience import PATIENCE_S
from tests.sites import Site

PAGE = ROOT / "docs" / "api.md"
EXAMPLE = "https://www.example.com/"


def programs(root: str) -> list[str]:
    """The programs of the page, in their order, which crawl the site at `root`."""
    text = PAGE.read_text(encoding="utf-8").replace(EXAMPLE, root)
    found: list[str] = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return found


def said_by(program: str, folder: Path) -> list[str]:
    """The lines that a program writes, with our commands on its path."""
    commands = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PATH": commands, "XDG_DATA_HOME": str(folder / "data")},
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_programs_of_the_page_print_what_a_crawl_found(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/shoes", "/gone"])
    site.page("/shoes", links=["/"])
    figures, links = (said_by(program, tmp_path) for program in programs(site.url("/")))
    assert figures == ["2 pages, 1 errors", f"404 {site.url('/gone')}"]
    assert links == [f"{site.url('/')} -> {site.url('/gone')} 404"]
